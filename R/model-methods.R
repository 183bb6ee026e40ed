model_labels <- c(elm = "Extreme learning machine", rvfl = "Random vector functional link",
                  drvfl = "Deep RVFL", edrvfl = "Ensemble deep RVFL", bls = "Broad learning system")

model_acronyms <- c(elm = "ELM", rvfl = "RVFL", drvfl = "dRVFL", edrvfl = "edRVFL", bls = "BLS")

#' @export
print.cawi_model <- function(x, ...) {
  check_dots(list(...))
  check_model(x, "x")
  sound(x, "x", {
    cat(sprintf("<cawi_%s> %s, %s\n", x$spec$model, model_labels[[x$spec$model]], task_text(x)))
    cat(sprintf("  %.0f rows, %d features, %s\n", x$nobs, length(x$network$center), nodes_text(x$spec)))
    weights <- if (length(x$spec$hidden) > 0L) paste0("weights: ", init_text(x), node_text(x$spec), ", ")
    cat(sprintf("  %slambda %s\n", paste0(weights), number_text(unique(as.vector(x$lambda)))))
    if (!is.null(x$loo)) cat(sprintf("  leave-one-out %s\n", x$loo$text))
    invisible(x)
  })
}

nodes_text <- function(spec) {
  if (length(spec$hidden) == 0L) return("no hidden nodes")
  paste0("hidden nodes ", paste(spec$hidden, collapse = " + "), ", ", paste(unique(spec$activation), collapse = ", "))
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

#' @export
summary.cawi_model <- function(object, ...) {
  check_dots(list(...))
  check_model(object)
  sound(object, "object", {
    spectra <- lapply(object$readouts, readout_spectrum)
    structure(
      list(
        model = object, loo = object$loo,
        freedom = unlist(Map(readout_freedom, spectra, object$readouts)),
        condition = unlist(Map(readout_condition, spectra, object$readouts)),
        chosen = length(object$readouts[[1L]]$lambda_path) > 1L
      ),
      class = "summary.cawi_model"
    )
  })
}

# Per penalty; NULL where the model has no sums to tell it from.
readout_freedom <- function(values, readout) {
  if (is.null(values)) return(NULL)
  values <- values[values > 0]
  free <- as.numeric(readout$statistics$ones > 0L)
  vapply(readout$lambda, function(lambda) free + sum(values / (values + lambda)), numeric(1))
}

readout_condition <- function(values, readout) {
  if (is.null(values)) return(NULL)
  vapply(readout$lambda, function(lambda) (max(values) + lambda) / (min(values) + lambda), numeric(1))
}

# Eigenvalues of the penalized problem, zeros included.
readout_spectrum <- function(readout) {
  statistics <- readout$statistics
  if (is.null(statistics)) return(NULL)
  ones <- statistics$ones
  if (statistics$kind == "rows") return(row_spectrum(statistics$aa, ones))
  gram <- statistics$aa
  if (ones > 0L) gram <- gram[-ones, -ones, drop = FALSE] - tcrossprod(gram[-ones, ones]) / gram[ones, ones]
  pmax(eigen(gram, symmetric = TRUE, only.values = TRUE)$values, 0)
}

# More columns than rows: the rows have the same eigenvalues, but for zeros.
row_spectrum <- function(a, ones) {
  columns <- ncol(a) - (ones > 0L)
  if (ones > 0L) a <- a - tcrossprod(a[, ones], crossprod(a, a[, ones])) / sum(a[, ones]^2)
  values <- pmax(eigen(tcrossprod(a), symmetric = TRUE, only.values = TRUE)$values, 0)
  c(utils::head(values, columns), numeric(max(columns - length(values), 0)))
}

choice_text <- function(spec) {
  what <- c(if (!anyNA(spec$choice$spread)) paste("spread", number_text(spec$spread)),
            if (length(unique(spec$choice$init)) > 1L) paste("init", init_family(spec$init)))
  sprintf("%s: the best of %d by exact leave-one-out squared error", paste(what, collapse = " and "),
          nrow(spec$choice))
}

#' @export
print.summary.cawi_model <- function(x, ...) {
  check_dots(list(...))
  model <- x$model
  print(model)
  if (length(model$network$layers) > 0L) cat("\nLayers:\n")
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
  cat(sprintf("\nlambda %s: %s\n", number_text(unique(as.vector(model$lambda))), how))
  if (!is.null(model$spec$choice)) cat(choice_text(model$spec), sep = "\n")
  if (!is.null(x$freedom)) {
    cat(sprintf("effective degrees of freedom %s\n", number_text(x$freedom, 4)))
    cat(sprintf("condition number of A'A + lambda I %s\n", number_text(x$condition)))
  }
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
  check_dots(list(...))
  check_model(object)
  sound(object, "object", {
    labels <- feature_labels(object)
    parts <- lapply(object$readouts, function(readout) {
      b <- readout$coefficients
      dimnames(b) <- list(if (is.null(readout$columns)) labels else labels[readout$columns],
                          object$output_names)
      b
    })
    if (length(parts) == 1L) parts[[1L]] else parts
  })
}

kept_data <- function(object, arg = "object", call = caller_env()) {
  if (is.null(object$data)) {
    abort_argument(
      arg, "{.arg {arg}} does not keep its training data; fit it with {.code keep_data = TRUE}.", call
    )
  }
  object$data
}

#' @export
fitted.cawi_model <- function(object, ...) {
  check_dots(list(...))
  check_model(object)
  sound(object, "object", {
    data <- kept_data(object)
    scores <- complete_scores(object, data$x, resolve_threads())
    as_prediction(object, scores, NULL, list(offset = data$targets$offset))
  })
}

#' @export
residuals.cawi_model <- function(object, ...) {
  check_dots(list(...))
  check_model(object)
  sound(object, "object", {
    data <- kept_data(object)
    score_gap(data$targets, complete_scores(object, data$x, resolve_threads()))
  })
}

# What is left of the response, or of the indicators of its classes.
score_gap <- function(targets, scores) {
  gap <- (if (targets$task == "classification") target_matrix(targets) else targets$values) - scores
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
#' @param x A `cawi_model`; for `augment()` also a `cawi_tuned` or a `cawi_auto`.
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
  check_dots(list(...))
  check_model(x, "x")
  sound(x, "x", {
    parts <- coef(x)
    if (!is.list(parts)) parts <- list(parts)
    outputs <- output_labels(x)
    do.call(rbind, lapply(seq_along(parts), function(k) {
      data.frame(readout = k, term = rep(rownames(parts[[k]]), x$outputs),
                 output = rep(outputs, each = nrow(parts[[k]])), estimate = as.vector(parts[[k]]))
    }))
  })
}

output_labels <- function(x) if (is.null(x$output_names)) paste0("y", seq_len(x$outputs)) else x$output_names

#' @rdname tidy.cawi_model
#' @export
glance.cawi_model <- function(x, ...) {
  check_dots(list(...))
  check_model(x, "x")
  sound(x, "x", {
    data.frame(
      model = x$spec$model, task = x$task, nobs = x$nobs, features = length(x$network$center),
      hidden = sum(x$spec$hidden), init = drawn_init(x), lambda = mean(x$lambda),
      loo_metric = if (is.null(x$loo)) NA_character_ else x$loo$name,
      loo = if (is.null(x$loo)) NA_real_ else x$loo$value, seconds = sum(x$seconds)
    )
  })
}

# The distribution of the weights by the name that `init` has for it.
drawn_init <- function(x) {
  family <- layer_families(x)
  if (length(family) == 0L || family[1L] == "independence") "iid" else family[1L]
}

#' @rdname tidy.cawi_model
#' @export
augment.cawi_model <- function(x, new_data, ...) augment_with(x, given_new_data(new_data, list(...), c("x", "new_data")))

#' @rdname tidy.cawi_model
#' @export
augment.cawi_tuned <- function(x, new_data, ...) augment_with(x, given_new_data(new_data, list(...), c("x", "new_data")))

#' @rdname tidy.cawi_model
#' @export
augment.cawi_auto <- function(x, new_data, ...) augment_with(x, given_new_data(new_data, list(...), c("x", "new_data")))

augment_with <- function(x, new_data) {
  classes <- predict(x, new_data)
  added <- if (is.factor(classes)) {
    prob <- predict(x, new_data, type = "prob")
    colnames(prob) <- paste0(".pred_", colnames(prob))
    data.frame(.pred_class = classes, prob, check.names = FALSE)
  } else {
    value <- as.matrix(classes)
    labels <- if (is.null(colnames(value))) seq_len(ncol(value)) else colnames(value)
    colnames(value) <- if (ncol(value) == 1L) ".pred" else paste0(".pred_", labels)
    as.data.frame(value)
  }
  # A plain vector is one row.
  if (is.null(dim(new_data)) && is.atomic(new_data)) new_data <- t(new_data)
  data <- as.data.frame(unclass_table(new_data))
  if (nrow(data) != nrow(added)) {
    abort_argument("new_data", "{.arg new_data} must be a data frame or a matrix.", caller_env())
  }
  cbind(data, added)
}

unclass_table <- function(x) if (inherits(x, "table")) unclass(x) else x
