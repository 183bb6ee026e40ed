model_labels <- c(elm = "Extreme learning machine", rvfl = "Random vector functional link",
                  drvfl = "Deep RVFL", edrvfl = "Ensemble deep RVFL", bls = "Broad learning system")

model_acronyms <- c(elm = "ELM", rvfl = "RVFL", drvfl = "dRVFL", edrvfl = "edRVFL", bls = "BLS")

#' @export
print.cawi_model <- function(x, ...) {
  cat(sprintf("<cawi_%s> %s, %s\n", x$spec$model, model_labels[[x$spec$model]], task_text(x)))
  cat(sprintf("  %d rows, %d features, hidden nodes %s, %s\n", x$nobs, length(x$network$center),
              paste(x$spec$hidden, collapse = " + "), paste(unique(x$spec$activation), collapse = ", ")))
  cat(sprintf("  weights: %s%s, lambda %s\n", init_text(x), node_text(x$spec), number_text(model_lambda(x))))
  error <- loo_error(x)
  if (!is.null(error)) cat(sprintf("  leave-one-out %s\n", error$text))
  invisible(x)
}

number_text <- function(value, digits = 3) paste(format(signif(value, digits)), collapse = ", ")

task_text <- function(x) {
  if (x$task == "classification") return(sprintf("%d classes", x$outputs))
  if (x$outputs == 1L) "regression" else sprintf("%d outputs", x$outputs)
}

layer_families <- function(x) {
  vapply(x$network$layers, function(layer) layer$copula$family, character(1))
}

init_text <- function(x) {
  family <- layer_families(x)
  text <- ifelse(family == "independence", "i.i.d.", paste(family, "copula"))
  paste0(paste(unique(text), collapse = ", "), " (", x$spec$marginal, ")")
}

# What is not as in the paper: spread, inputs, bias.
node_text <- function(spec) {
  paste(c(
    if (!is.null(spec$spread)) paste(", spread", number_text(spec$spread)),
    if (!is.null(spec$inputs)) paste0(", ", counted(spec$inputs, "input"), " a node"),
    if (identical(spec$bias, "data")) ", centred at data"
  ), collapse = "")
}

model_lambda <- function(x) vapply(x$readouts, function(readout) readout$lambda, numeric(1))

# Leave-one-out error of the model, for an ensemble that of the averaged scores.
loo_error <- function(x) {
  scores <- loo_scores(x)
  if (is.null(scores) || is.null(x$data)) return(stored_loo_error(x))
  part <- subset_targets(x$data$targets, loo_rows(x))
  loo_summary(scores, part, sampled = length(loo_rows(x)) < x$nobs)
}

loo_summary <- function(scores, targets, sampled) {
  weight <- if (is.null(targets$weights)) rep(1, nrow(scores)) else targets$weights
  note <- if (sampled) sprintf(" (on %d of the rows)", nrow(scores)) else ""
  if (targets$task == "classification") {
    accuracy <- sum(weight * (max.col(scores, "first") == targets$classes)) / sum(weight)
    return(list(value = accuracy, name = "accuracy",
                text = sprintf("accuracy %.4f%s", accuracy, note)))
  }
  rmse <- sqrt(sum(weight * (targets$values - scores)^2) / (sum(weight) * ncol(scores)))
  list(value = rmse, name = "rmse", text = sprintf("RMSE %s%s", number_text(rmse, 4), note))
}

# Without the training data a single readout still has its own sums.
stored_loo_error <- function(x) {
  loo <- x$readouts[[1L]]$loo
  if (is.null(loo) || length(x$readouts) > 1L) return(NULL)
  if (x$task == "classification") {
    value <- loo$correct[loo$best] / loo$weight
    return(list(value = value, name = "accuracy", text = sprintf("accuracy %.4f", value)))
  }
  value <- sqrt(loo$squared_error[loo$best] / (loo$weight * x$outputs))
  list(value = value, name = "rmse", text = sprintf("RMSE %s", number_text(value, 4)))
}

#' @export
summary.cawi_model <- function(object, ...) {
  spectra <- lapply(object$readouts, readout_spectrum)
  lambda <- model_lambda(object)
  structure(
    list(
      model = object, loo = loo_error(object),
      freedom = mapply(function(v, l) sum(v[v > 0] / (v[v > 0] + l)), spectra, lambda),
      condition = mapply(function(v, l) (max(v) + l) / (min(v) + l), spectra, lambda),
      chosen = length(object$readouts[[1L]]$lambda_path) > 1L
    ),
    class = "summary.cawi_model"
  )
}

# Eigenvalues of the Gram matrix, zeros included.
readout_spectrum <- function(readout) {
  statistics <- readout$statistics
  if (statistics$kind == "gram") {
    values <- eigen(statistics$aa, symmetric = TRUE, only.values = TRUE)$values
    return(pmax(values, 0))
  }
  values <- eigen(tcrossprod(statistics$aa), symmetric = TRUE, only.values = TRUE)$values
  c(pmax(values, 0), numeric(ncol(statistics$aa) - length(values)))
}

choice_text <- function(spec) {
  what <- c(if (!anyNA(spec$choice$spread)) paste("spread", number_text(spec$spread)),
            if (length(unique(spec$choice$init)) > 1L) paste("init", init_family(spec$init)))
  sprintf("%s: the best of %d by exact leave-one-out squared error", paste(what, collapse = " and "),
          nrow(spec$choice))
}

#' @export
print.summary.cawi_model <- function(x, ...) {
  model <- x$model
  print(model)
  cat("\nLayers:\n")
  for (l in seq_along(model$network$layers)) {
    layer <- model$network$layers[[l]]
    cat(sprintf("  %d: %d nodes, %s, %s%s\n", l, length(layer$bias), layer$activation,
                families[[layer$copula$family]]$label, copula_text(layer$copula)))
  }
  how <- if (x$chosen) {
    sprintf("the best of %d by exact leave-one-out squared error",
            length(model$readouts[[1L]]$lambda_path))
  } else {
    "given"
  }
  cat(sprintf("\nlambda %s: %s\n", number_text(model_lambda(model)), how))
  if (!is.null(model$spec$choice)) cat(choice_text(model$spec), sep = "\n")
  cat(sprintf("effective degrees of freedom %s\n", number_text(x$freedom, 4)))
  cat(sprintf("condition number of A'A + lambda I %s\n", number_text(x$condition)))
  cat(sprintf("seconds: weights %.3f, readout %.3f\n", model$seconds[["weights"]],
              model$seconds[["readout"]]))
  invisible(x)
}

copula_text <- function(copula) {
  switch(families[[copula$family]]$kind,
    independence = "",
    archimedean = sprintf(" (theta %s)", number_text(copula$theta)),
    elliptical = if (copula$family == "t") sprintf(" (df %s)", number_text(copula$df)) else ""
  )
}

#' @export
coef.cawi_model <- function(object, ...) {
  labels <- feature_labels(object)
  parts <- lapply(object$readouts, function(readout) {
    b <- readout$coefficients
    dimnames(b) <- list(if (is.null(readout$columns)) labels else labels[readout$columns],
                        object$output_names)
    b
  })
  if (length(parts) == 1L) parts[[1L]] else parts
}

kept_data <- function(object, call = caller_env()) {
  if (is.null(object$data)) {
    abort_argument(
      "object", "{.arg object} does not keep its training data; fit it with {.code keep_data = TRUE}.", call
    )
  }
  object$data
}

#' @export
fitted.cawi_model <- function(object, ...) {
  data <- kept_data(object)
  scores <- complete_scores(object, data$x, resolve_threads())
  as_prediction(object, scores, if (object$task == "classification") "class" else "numeric")
}

#' @export
residuals.cawi_model <- function(object, ...) {
  data <- kept_data(object)
  gap <- target_matrix(data$targets) - complete_scores(object, data$x, resolve_threads())
  if (ncol(gap) == 1L) gap[, 1L] else gap
}

#' @importFrom generics tidy
#' @export
generics::tidy

#' @importFrom generics glance
#' @export
generics::glance

#' @importFrom generics augment
#' @export
generics::augment

#' Tidy summaries of a randomized network
#'
#' `tidy()` gives the coefficients of the readout, `glance()` one row about the model, and `augment()`
#' the data with predictions beside them.
#'
#' @param x A `cawi_model`.
#' @param new_data Data to predict.
#' @param ... Not used.
#' @return A data frame.
#' @examples
#' fit <- cawi_rvfl(Species ~ ., iris, hidden = 20, seed = 1)
#' head(tidy(fit))
#' glance(fit)
#' head(augment(fit, iris))
#' @name tidy.cawi_model
#' @export
tidy.cawi_model <- function(x, ...) {
  parts <- coef(x)
  if (!is.list(parts)) parts <- list(parts)
  outputs <- if (is.null(x$output_names)) paste0("y", seq_len(x$outputs)) else x$output_names
  do.call(rbind, lapply(seq_along(parts), function(k) {
    data.frame(readout = k, term = rep(rownames(parts[[k]]), x$outputs),
               output = rep(outputs, each = nrow(parts[[k]])), estimate = as.vector(parts[[k]]))
  }))
}

#' @rdname tidy.cawi_model
#' @export
glance.cawi_model <- function(x, ...) {
  error <- loo_error(x)
  data.frame(
    model = x$spec$model, task = x$task, nobs = x$nobs, features = length(x$network$center),
    hidden = sum(x$spec$hidden), init = layer_families(x)[1L], lambda = mean(model_lambda(x)),
    loo_metric = if (is.null(error)) NA_character_ else error$name,
    loo = if (is.null(error)) NA_real_ else error$value, seconds = sum(x$seconds)
  )
}

#' @rdname tidy.cawi_model
#' @export
augment.cawi_model <- function(x, new_data, ...) {
  if (missing(new_data)) abort_argument("new_data", "{.arg new_data} is missing.", environment())
  added <- if (x$task == "classification") {
    prob <- predict(x, new_data, type = "prob")
    colnames(prob) <- paste0(".pred_", x$levels)
    data.frame(.pred_class = predict(x, new_data), prob, check.names = FALSE)
  } else {
    value <- as.matrix(predict(x, new_data))
    colnames(value) <- if (ncol(value) == 1L) ".pred" else paste0(".pred_", seq_len(ncol(value)))
    as.data.frame(value)
  }
  cbind(as.data.frame(new_data), added)
}
