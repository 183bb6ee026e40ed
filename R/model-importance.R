#' Which features matter
#'
#' One line per feature as the user named it, the most important first: a factor is one feature.
#'
#' @section Gradients:
#' With `method = "gradient"` the importance of a number is the root mean square, over rows, of the
#' slope of the prediction in its direction, for a change of the feature by one standard deviation.
#' The slopes are known in closed form, so this takes less time than a fit. It is in the units of
#' the response. Several outputs are divided by their standard deviations, and the squares of all
#' outputs are averaged. For classes it is the same with the scores of all classes, which estimate 0
#' or 1.
#'
#' In place of the square of a slope stands the product of the slopes at two places, a tenth of a
#' standard deviation to either side of the row in every feature that is a number. Small folds,
#' which noise leaves in the predictions, then average out, and slopes remain.
#'
#' A factor, or a column with two values, has no slopes. Each row is predicted with every level, and
#' the variance of these predictions, by the shares of the levels among the rows, takes the place of
#' the squared slope. For a straight line both are the same.
#'
#' Members of [cawi_auto()] that read ranks have slopes for one standard deviation of the ranks. If
#' columns join several features, as `x:z`, `poly(x, 2)` or the step of a recipe do, the features
#' are changed in `new_data`, which has to be given, and slopes are differences between a quarter of
#' a standard deviation more and less.
#'
#' @section Permutations:
#' With `method = "permutation"` the values of a feature are shuffled among the rows. The importance
#' is what this adds to the mean squared error, divided by the variance of the response, so that it
#' is the part of R squared that is lost. For classes it is what it adds to the log-loss of the
#' probabilities.
#'
#' On training rows every row is predicted by the model without it, before and after the shuffle:
#' this is exact, and nothing is fitted again. So features that help only to fit the training rows
#' are not important. Automatic models with more than 2,000 rows are judged as they are.
#' Features that say the same have each a small importance, since the others are left.
#'
#' @param fit A model, or the result of [cawi_tune()] or [cawi_auto()].
#' @param new_data Rows to look at; by default the training rows that the model keeps.
#' @param y The response of `new_data`, for permutations.
#' @param method `"gradient"` or `"permutation"`.
#' @param rows The largest number of rows that are looked at; `NULL` means 250 for gradients, 500
#'   for permutations.
#' @param repeats How many times the values are shuffled.
#' @param seed A whole number for the shuffles; `NULL` takes one from R's generator.
#' @param threads Number of threads; see [cawi-package].
#' @param ... Not used.
#' @return A `cawi_importance`: a data frame with the columns `feature`, `importance` and its
#'   standard error `se`, over rows, for this fitted model. Attribute `method` tells the method.
#' @references
#' Breiman, L. (2001). Random forests. *Machine Learning* 45, 5-32. (permutations)
#'
#' Radhakrishnan, A., Beaglehole, D., Pandit, P. and Belkin, M. (2024). Mechanism for feature
#' learning in neural networks and backpropagation-free machine learning models. *Science* 383,
#' 1461-1467. (mean squared gradients)
#' @seealso [cawi_effects()] for how a feature matters.
#' @examples
#' fit <- cawi_rvfl(mpg ~ ., mtcars, seed = 1)
#' cawi_importance(fit)
#' important <- cawi_importance(fit, method = "permutation", seed = 1)
#' plot(important)
#' @export
cawi_importance <- function(fit, new_data = NULL, y = NULL, method = "gradient", rows = NULL,
                            repeats = 5, seed = NULL, threads = NULL, ...) {
  check_dots(rlang::enquos(...))
  call <- environment()
  check_given(fit, "fit")
  method <- check_choice(method, c("gradient", "permutation"), "method")
  most <- check_count(rows %||% importance_rows[[method]], "rows", min = 2)
  repeats <- check_count(repeats, "repeats")
  fit <- explained_model(fit, call)
  threads <- resolve_threads(threads)
  table <- keep_generator(sound(fit, "fit", rethrow_core_errors({
    varied <- varied_rows(fit, new_data, call)
    if (method == "gradient") {
      gradient_importance(fit, varied, most, threads)
    } else {
      run <- list(most = most, repeats = repeats, seed = resolve_seed(seed), threads = threads,
                  call = call)
      permutation_importance(fit, varied, new_data, y, run)
    }
  }, call)))
  new_cawi_importance(table, method)
}

# Two places near each row have a gradient.
importance_rows <- c(gradient = 250, permutation = 500)

new_cawi_importance <- function(table, method) {
  table <- table[order(-table$importance), ]
  rownames(table) <- NULL
  structure(table, class = c("cawi_importance", "data.frame"), method = method)
}

# Slopes in all directions, where every feature that is a number has a column of its own.
gradient_importance <- function(fit, varied, most, threads) {
  sample <- varied_sample(varied, most)
  x <- varied$x[sample$kept, , drop = FALSE]
  unit <- output_units(fit)
  slopes <- if (!is.null(varied$features[[1L]]$columns)) {
    slope_products(fit, x, numbers_beside(varied), unit, threads)
  }
  squares <- lapply(varied$features, function(feature) {
    if (has_levels(feature)) {
      level_variance(fit, varied, feature, sample, unit, threads)
    } else if (is.null(slopes)) {
      difference_squares(fit, varied, feature, sample$kept, unit, threads)
    } else {
      slopes[, feature$columns]
    }
  })
  root_mean_squares(squares, sample$weight)
}

# One row per feature from squares of rows.
root_mean_squares <- function(squares, weight) {
  share <- weight / sum(weight)
  mean <- vapply(squares, function(v) sum(share * v), 0)
  se <- vapply(squares, function(v) sqrt(sum(share * (v - sum(share * v))^2) / (length(v) - 1)), 0)
  # Products may be below zero where there is nothing but noise.
  root <- sqrt(pmax(mean, 0))
  data.frame(feature = names(squares), importance = unname(root),
             se = unname(pmin(se / (2 * pmax(root, 1e-300)), sqrt(se))))
}

# Several numeric outputs have no unit in common.
output_units <- function(fit) {
  if (fit$task == "regression" && fit$outputs > 1L) fit$outcome$sd else rep(1, fit$outputs)
}

# Steps away from a row, in standard deviations, at which its slopes are taken.
slope_step <- 0.1

# The step of each column: none for indicators, and none for one row, which has no deviation.
numbers_beside <- function(varied) {
  step <- numeric(ncol(varied$x))
  if (nrow(varied$x) == 1L) return(step)
  for (feature in varied$features) {
    if (!has_levels(feature)) step[feature$columns] <- slope_step * stats::sd(feature$values)
  }
  step
}

# Rows x features: products of the slopes at two places to either side of a row, the same ones each
# time, as a mean over outputs.
slope_products <- function(fit, x, step, unit, threads) {
  side <- ifelse(simulate_cpp(single_uniform, length(x), 0, 1L)[, 1L] < 0.5, -1, 1)
  aside <- side * rep(step, each = nrow(x))
  one <- score_gradients(fit, x + aside, threads)
  other <- score_gradients(fit, x - aside, threads)
  total <- 0
  for (k in seq_along(unit)) {
    own <- (k - 1L) * ncol(x) + seq_len(ncol(x))
    total <- total + one[, own, drop = FALSE] * other[, own, drop = FALSE] / unit[k]^2
  }
  total / length(unit)
}

# Gradients of the scores with respect to the standardized features of each member.
score_gradients <- function(fit, x, threads) {
  if (!inherits(fit, "cawi_auto")) return(model_gradients(fit, x, threads))
  Reduce(`+`, Map(function(member, share) share * model_gradients(member, x, threads),
                  fit$members, fit$share))
}

model_gradients <- function(model, x, threads) {
  coefficients <- lapply(model$readouts, function(readout) readout$coefficients)
  gradients <- if (is_infinite(model$spec)) {
    infinite_gradients(model$network, coefficients[[1L]], x, threads)
  } else {
    gradients_cpp(x, model$network, coefficients, threads)
  }
  # In units of the features before they were weighed.
  relevance <- model$network$relevance
  if (!is.null(relevance)) gradients <- times_columns(gradients, rep(relevance, model$outputs))
  # A feature that is constant in training is zero for all rows.
  gradients[, rep(is.infinite(model$network$sd), model$outputs)] <- 0
  gradients
}

infinite_gradients <- function(network, coefficients, x, threads) {
  layer <- network$layers[[1L]]
  direct <- column_blocks(network)[["x"]]
  b <- coefficients[direct + seq_along(layer$bias), , drop = FALSE]
  if (!is.null(layer$root)) b <- backsolve(layer$root, b)
  z <- layer_input_cpp(x, network, 0L)
  gradients <- kernel_gradients_cpp(layer$kernel, z, t(layer$weights), b, threads)
  if (direct == 0L) return(gradients)
  gradients + rep(as.vector(coefficients[seq_len(direct), ]), each = nrow(x))
}

# A column with two values has no slope between them.
has_levels <- function(feature) {
  !is.null(feature$labels) || length(unique(feature$values)) == 2L
}

# Levels beyond these are rare.
most_levels <- 50L

# The variance over levels of the predictions of each row.
level_variance <- function(fit, varied, feature, sample, unit, threads) {
  values <- sort(unique(feature$values))
  share <- tabulate(match(feature$values, values)) / length(feature$values)
  frequent <- utils::head(order(-share), most_levels)
  values <- values[frequent]
  share <- share[frequent] / sum(share[frequent])
  scores <- lapply(values, function(value) {
    x <- varied$vary(feature, rep(value, length(sample$kept)), sample$kept)
    sweep(part_scores(fit, x, threads), 2L, unit, `/`)
  })
  mean <- Reduce(`+`, Map(`*`, scores, share))
  rowMeans(Reduce(`+`, Map(function(s, part) part * (s - mean)^2, scores, share)))
}

# Steps to both sides, in standard deviations.
difference_step <- 0.25

difference_squares <- function(fit, varied, feature, kept, unit, threads) {
  sd <- stats::sd(feature$values)
  if (!isTRUE(sd > 0)) return(numeric(length(kept)))
  at <- function(side) {
    values <- feature$values[kept] + side * difference_step * sd
    part_scores(fit, varied$vary(feature, values, kept), threads)
  }
  rowMeans(sweep((at(1) - at(-1)) / (2 * difference_step), 2L, unit, `/`)^2)
}
