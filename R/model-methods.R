# What people do with a model: print, summary, coefficients, residuals.

#' @export
print.cawi_model <- function(x, ...) {
  check_dots(rlang::enquos(...))
  x <- check_model(x, "x")
  sound(x, "x", {
    cat(sprintf("<cawi_%s> %s, %s\n", x$spec$model, model_labels[[x$spec$model]], task_text(x)))
    features <- length(x$network$center)
    cat(sprintf("  %.0f rows, %d features, %s\n", x$nobs, features, nodes_text(x$spec)))
    drawn <- length(x$spec$hidden) > 0L
    weights <- if (drawn) paste0("weights: ", init_text(x), node_text(x$spec), ", ") else ""
    cat(sprintf("  %slambda %s\n", weights, number_text(unique(as.vector(x$lambda)))))
    if (is_infinite(x$spec)) cat(sprintf("  %s\n", landmarks_text(x)))
    if (!is.null(x$spec$class_weights)) {
      cat_wrapped(paste("class weights:", class_weights_text(x$spec$class_weights)), 2)
    }
    if (!is.null(x$loo)) cat(sprintf("  %s %s\n", held_out_text(x), x$loo$text))
    cat_code(x)
    cat_trimmed(x)
    invisible(x)
  })
}

# Rows of a source are left out by folds, unless it was read once more.
held_out_text <- function(x) if (is.null(x$source)) "leave-one-out" else "held-out"

penalty_criterion <- function(x) {
  if (is.null(x$source) || isTRUE(x$source$loo)) return("exact leave-one-out squared error")
  sprintf("squared error on %d folds", as.integer(x$source$folds))
}

nodes_text <- function(spec) {
  if (length(spec$hidden) == 0L) return("no hidden nodes")
  activations <- paste(unique(spec$activation), collapse = ", ")
  paste0("hidden nodes ", paste(spec$hidden, collapse = " + "), ", ", activations)
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
  # A matrix is for the first layer, a function for all that are aligned.
  deep <- is.function(x$spec$init) && x$spec$align == "all"
  if (is_given(x$spec$init)) text[if (deep) seq_along(text) else 1L] <- "given"
  if (is_gradient(x$spec)) text[1L] <- paste0("gradient, ", counted(x$spec$rounds, "round"))
  strength <- if (follows_data(x) && x$spec$strength != 1) {
    paste0(", strength ", number_text(x$spec$strength))
  }
  # Given weights have the distribution that they were given.
  marginal <- if (any(text != "given")) paste0(" (", x$spec$marginal, ")")
  paste0(paste(unique(text), collapse = ", "), strength, marginal)
}

# Do the weights of a layer follow the features or the scores?
follows_data <- function(x) {
  any(vapply(x$network$layers, function(layer) !is.null(layer$relevance), logical(1))) ||
    any(layer_families(x) != "independence")
}

# What is not as in the paper: spread, inputs, bias.
node_text <- function(spec) {
  paste(c(
    if (!is.null(spec$spread)) paste(", spread", number_text(spec$spread)),
    if (!is.null(spec$inputs)) paste0(", ", counted(spec$inputs, "input"), " per node"),
    if (spec$bias != "uniform") bias_texts[[spec$bias]]
  ), collapse = "")
}

bias_texts <- c(data = ", centered at data", phase = ", random phase", none = ", without bias")

#' @export
summary.cawi_model <- function(object, ...) {
  check_dots(rlang::enquos(...))
  object <- check_model(object)
  sound(object, "object", {
    spectra <- lapply(object$readouts, readout_spectrum)
    structure(
      list(
        model = object, loo = object$loo,
        freedom = unlist(Map(readout_freedom, spectra, object$readouts)),
        condition = unlist(Map(readout_condition, spectra, object$readouts)),
        chosen = chose_penalty(object)
      ),
      class = "summary.cawi_model"
    )
  })
}

# Several penalties may also be given, one per output, in a fit or later.
chose_penalty <- function(object) {
  given <- object$spec$lambda
  length(given) > 1L && !is.matrix(given) && identical(object$readouts[[1L]]$lambda_path, given)
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
  condition <- function(lambda) {
    lowest <- min(values) + lambda
    if (lowest > 0) (max(values) + lambda) / lowest else Inf
  }
  vapply(readout$lambda, condition, numeric(1))
}

# Eigenvalues of the penalized problem, zeros included.
readout_spectrum <- function(readout) {
  statistics <- readout$statistics
  if (is.null(statistics)) return(NULL)
  ones <- statistics$ones
  if (statistics$kind == "rows") return(row_spectrum(statistics$aa, ones))
  gram <- statistics$aa
  size <- sum(diag(gram))
  if (ones > 0L) {
    mean_part <- tcrossprod(gram[-ones, ones]) / gram[ones, ones]
    gram <- gram[-ones, -ones, drop = FALSE] - mean_part
  }
  clear_eigenvalues(gram, size)
}

# Eigenvalues of sums of a size, with zero for what rounding leaves of it.
clear_eigenvalues <- function(gram, size) {
  values <- eigen(gram, symmetric = TRUE, only.values = TRUE)$values
  ifelse(values > size * length(values) * .Machine$double.eps, values, 0)
}

# More columns than rows: the rows have the same eigenvalues, but for zeros.
row_spectrum <- function(a, ones) {
  columns <- ncol(a) - (ones > 0L)
  size <- sum(a^2)
  if (ones > 0L) a <- a - tcrossprod(a[, ones], crossprod(a, a[, ones])) / sum(a[, ones]^2)
  values <- clear_eigenvalues(tcrossprod(a), size)
  c(utils::head(values, columns), numeric(max(columns - length(values), 0)))
}

choice_text <- function(spec) {
  what <- c(if (!anyNA(spec$choice$spread)) paste("spread", number_text(spec$spread)),
            if (length(unique(spec$choice$strength)) > 1L) paste("strength", spec$strength),
            if (length(unique(spec$choice$init)) > 1L) paste("init", init_family(spec$init)))
  sprintf("%s: the best of %d by exact leave-one-out squared error",
          paste(what, collapse = " and "), nrow(spec$choice))
}

metric_choice_text <- function(spec) {
  table <- spec$metric_choice
  what <- c(if (length(unique(table$rounds)) > 1L) counted(spec$rounds, "round"),
            if (length(unique(table$strength)) > 1L) paste("strength", spec$strength))
  sprintf("%s: the best of %d by squared error on folds that did not see the gradients",
          paste(what, collapse = " and "), nrow(table))
}

#' @export
print.summary.cawi_model <- function(x, ...) {
  check_dots(rlang::enquos(...))
  check_data_only(x, "x")
  x$model <- check_model(x$model, "x")
  if (!is_model_summary(x)) abort_damaged("x", broken_parts, x$model, environment())
  model <- x$model
  print(model)
  if (length(model$network$layers) > 0L) cat("\nLayers:\n")
  for (l in seq_along(model$network$layers)) {
    layer <- model$network$layers[[l]]
    cat(sprintf("  %d: %s nodes, %s, %s\n", l, model$spec$hidden[l], layer$activation,
                distribution_text(layer)))
  }
  how <- if (x$chosen) {
    sprintf("the best of %d by %s", length(model$readouts[[1L]]$lambda_path),
            penalty_criterion(model))
  } else {
    "given"
  }
  cat(sprintf("\nlambda %s: %s\n", number_text(unique(as.vector(model$lambda))), how))
  if (!is.null(model$spec$choice)) cat(choice_text(model$spec), sep = "\n")
  if (!is.null(model$spec$metric_choice)) cat(metric_choice_text(model$spec), sep = "\n")
  if (!is.null(x$freedom)) {
    cat(sprintf("effective degrees of freedom %s\n", number_text(x$freedom, 4)))
    cat(sprintf("condition number of A'A + lambda I %s\n", number_text(x$condition)))
  }
  cat(sprintf("seconds: weights %.3f, readout %.3f\n", model$seconds[["weights"]],
              model$seconds[["readout"]]))
  invisible(x)
}

# One figure per penalty, as far as the model has sums to tell them from.
is_model_summary <- function(x) {
  known <- !is.null(x$model$readouts[[1L]]$statistics)
  # A singular problem has an infinite condition number.
  figures <- function(v, least) {
    if (!known) return(is.null(v))
    is.double(v) && !is.object(v) && length(v) == length(x$model$lambda) && !anyNA(v) &&
      all(v >= least)
  }
  is_flag(x$chosen) && identical(x$loo, x$model$loo) && figures(x$freedom, 0) &&
    figures(x$condition, 1)
}

distribution_text <- function(layer) {
  if (is.null(layer$relevance)) {
    return(paste0(families[[layer$copula$family]]$label, copula_text(layer$copula)))
  }
  if (layer$copula$family == "independence") "gradient per feature" else "gradient"
}

copula_text <- function(copula) {
  row <- families[[copula$family]]
  switch(row$kind,
    independence = "",
    archimedean = sprintf(" (theta %s)", number_text(copula$theta)),
    elliptical = if (row$has_df) sprintf(" (df %s)", number_text(copula$df)) else ""
  )
}

#' @export
coef.cawi_model <- function(object, ...) {
  check_dots(rlang::enquos(...))
  object <- check_model(object)
  sound(object, "object", {
    labels <- feature_labels(object)
    parts <- lapply(object$readouts, function(readout) {
      b <- readout$coefficients
      dimnames(b) <- list(seen_labels(labels, readout$columns), object$output_names)
      b
    })
    if (length(parts) == 1L) parts[[1L]] else parts
  })
}

kept_data <- function(object, arg = "object", call = caller_env()) {
  check_untrimmed(object, "data", arg, call)
  if (is.null(object$data)) {
    message <- if (is.null(object$source)) {
      "{.arg {arg}} does not keep its training data; fit it with {.code keep_data = TRUE}."
    } else {
      "{.arg {arg}} learned from a source, whose rows are not kept; give rows as {.arg new_data}."
    }
    abort_argument(arg, message, call)
  }
  object$data
}

#' @export
fitted.cawi_model <- function(object, ...) {
  check_dots(rlang::enquos(...))
  object <- check_model(object)
  sound(object, "object", {
    data <- kept_data(object)
    scores <- complete_scores(object, data$x, resolve_threads())
    as_prediction(object, scores, NULL, list(offset = data$targets$offset))
  })
}

#' @export
residuals.cawi_model <- function(object, ...) {
  check_dots(rlang::enquos(...))
  object <- check_model(object)
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
