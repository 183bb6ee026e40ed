#' How a feature matters
#'
#' The mean prediction as a function of one feature at a time: accumulated local effects, or partial
#' dependence.
#'
#' @details
#' `method = "ale"` (Apley and Zhu, 2020) cuts the values of a number at quantiles. In each part the
#' rows of that part are predicted with the feature at both ends, and the mean differences are added
#' up from left to right. So no row gets a value far from its own, which matters where features
#' depend on each other. Effects are centered: their mean over the rows is zero. Levels of a factor
#' come one after the other in the order in which their rows are most alike, as in the paper, or in
#' their own order if they have one.
#'
#' `method = "pdp"` (Friedman, 2001) predicts all rows with the feature at each value, and averages.
#' Its effects are in the units of the prediction.
#'
#' For classes, effects are those of the probability of each class.
#'
#' @inheritParams cawi_importance
#' @param features Names of features; by default the four that are most important by gradients.
#' @param new_data Rows to average over; by default the training rows that the model keeps.
#' @param method `"ale"` or `"pdp"`.
#' @param points Number of values of a feature that is a number, at quantiles of the rows. A feature
#'   with fewer values has all of them.
#' @return A `cawi_effects`: a data frame with one line per feature, value and output. `feature` is
#'   its name, `value` its value as a number or `NA`, `level` the level of a factor or `NA`,
#'   `output` the class or output, and `effect` the effect. Attribute `method` tells the method.
#' @references
#' Apley, D. W. and Zhu, J. (2020). Visualizing the effects of predictor variables in black box
#' supervised learning models. *Journal of the Royal Statistical Society B* 82, 1059-1086.
#'
#' Friedman, J. H. (2001). Greedy function approximation: a gradient boosting machine. *Annals of
#' Statistics* 29, 1189-1232.
#' @seealso [cawi_importance()] for which features matter.
#' @examples
#' fit <- cawi_rvfl(mpg ~ ., mtcars, seed = 1)
#' effects <- cawi_effects(fit, c("wt", "hp"))
#' effects
#' plot(effects)
#' @export
cawi_effects <- function(fit, features = NULL, new_data = NULL, method = "ale", points = 20,
                         rows = 500, threads = NULL, ...) {
  check_dots(rlang::enquos(...))
  call <- environment()
  check_given(fit, "fit")
  method <- check_choice(method, c("ale", "pdp"), "method")
  points <- check_count(points, "points", min = 2, max = 1000)
  most <- check_count(rows, "rows", min = 2)
  fit <- explained_model(fit, call)
  threads <- resolve_threads(threads)
  table <- sound(fit, "fit", rethrow_core_errors({
    varied <- varied_rows(fit, new_data, call)
    features <- check_feature_names(features %||% leading_features(fit, varied, threads),
                                    names(varied$features), call)
    varied$sample <- varied_sample(varied, most)
    predict_x <- function(x) effect_predictions(fit, x, varied, threads)
    parts <- lapply(varied$features[features], function(feature) {
      effect_of <- if (method == "pdp") partial_dependence else local_effects
      effect_table(feature, effect_of(feature, varied, points, predict_x), output_labels(fit))
    })
    do.call(rbind, unname(parts))
  }, call))
  structure(table, class = c("cawi_effects", "data.frame"), method = method,
            classes = fit$task == "classification")
}

# Pictures of more have no room.
shown_features <- 4L

leading_features <- function(fit, varied, threads) {
  table <- gradient_importance(fit, varied, 200L, threads)
  utils::head(table$feature[order(-table$importance)], shown_features)
}

# Probabilities, or scores where the model has none; numbers with the mean offset.
effect_predictions <- function(fit, x, varied, threads) {
  scores <- part_scores(fit, x, threads)
  if (!is.null(fit$calibration)) return(apply_calibration(fit$calibration, scores))
  if (is.null(varied$offset)) scores else scores + mean(varied$offset)
}

# `found` has the values (places of levels) and the effects, one column per output.
effect_table <- function(feature, found, outputs) {
  count <- length(found$value)
  levels <- !is.null(feature$labels)
  data.frame(
    feature = feature$name, value = if (levels) NA_real_ else rep(found$value, length(outputs)),
    level = if (levels) rep(feature$labels[found$value], length(outputs)) else NA_character_,
    output = rep(outputs, each = count), effect = as.vector(found$effect)
  )
}

# Values at which a number is looked at.
feature_points <- function(values, points) {
  known <- sort(unique(values))
  if (length(known) <= points) return(known)
  unique(stats::quantile(values, seq(0, 1, length.out = points), names = FALSE, type = 1))
}

feature_places <- function(feature, points) {
  if (is.null(feature$labels)) return(feature_points(feature$values, points))
  sort(unique(feature$values))
}

partial_dependence <- function(feature, varied, points, predict_x) {
  at <- feature_places(feature, points)
  sample <- varied$sample
  share <- sample$weight / sum(sample$weight)
  effect <- lapply(at, function(value) {
    colSums(share * predict_x(varied$vary(feature, rep(value, length(share)), sample$kept)))
  })
  list(value = at, effect = do.call(rbind, effect))
}

# Rows move to the ends of their own part; a level moves to the ones beside it.
local_effects <- function(feature, varied, points, predict_x) {
  at <- feature_places(feature, points)
  if (!is.null(feature$labels)) at <- level_order(feature, at, varied)
  sample <- varied$sample
  values <- feature$values[sample$kept]
  place <- if (is.null(feature$labels)) {
    pmax(findInterval(values, at, left.open = TRUE), 1L)
  } else {
    match(values, at)
  }
  if (length(at) < 2L) {
    return(list(value = at, effect = 0 * predict_x(varied$x[1L, , drop = FALSE])))
  }
  steps <- if (is.null(feature$labels)) {
    step_means(feature, varied, at, list(place), predict_x)
  } else {
    # Rows of both levels of a step.
    step_means(feature, varied, at, list(place, place - 1L), predict_x)
  }
  effect <- rbind(0, apply(steps, 2L, cumsum))
  list(value = at, effect = sweep(effect, 2L, effect_mean(effect, values, at, feature, sample)))
}

# Mean differences of the predictions between the ends of each step; `places` say which step a row
# takes part in. A step without rows is flat.
step_means <- function(feature, varied, at, places, predict_x) {
  sample <- varied$sample
  total <- 0
  weight <- 0
  for (place in places) {
    inside <- which(place >= 1L & place < length(at))
    own <- place[inside]
    kept <- sample$kept[inside]
    difference <- predict_x(varied$vary(feature, at[own + 1L], kept)) -
      predict_x(varied$vary(feature, at[own], kept))
    step <- factor(own, seq_len(length(at) - 1L))
    sums <- function(v) {
      v <- rowsum(v, step, reorder = TRUE)
      whole <- matrix(0, nlevels(step), ncol(v))
      whole[match(rownames(v), levels(step)), ] <- v
      whole
    }
    total <- total + sums(sample$weight[inside] * difference)
    weight <- weight + drop(sums(cbind(sample$weight[inside])))
  }
  total / ifelse(weight > 0, weight, 1)
}

# The mean over rows of the effect at their own value.
effect_mean <- function(effect, values, at, feature, sample) {
  share <- sample$weight / sum(sample$weight)
  own <- apply(effect, 2L, function(e) {
    if (!is.null(feature$labels)) return(e[match(values, at)])
    stats::approx(at, e, values, rule = 2)$y
  })
  colSums(share * matrix(own, length(values)))
}

# Ordered levels stay; others are put in a line by how much their rows differ in the other features.
level_order <- function(feature, at, varied) {
  ordered <- is.ordered(feature$column) || is_thermometer(feature)
  if (ordered || length(at) < 3L) return(at)
  others <- varied$x
  if (!is.null(feature$columns)) others <- others[, -feature$columns, drop = FALSE]
  spread <- apply(others, 2L, stats::sd)
  others <- scale(others[, spread > 0, drop = FALSE])
  if (ncol(others) == 0L) return(at)
  means <- rowsum(others, match(feature$values, at)) / tabulate(match(feature$values, at))
  line <- suppressWarnings(stats::cmdscale(stats::dist(means), k = 1L))
  if (NCOL(line) == 0L) at else at[order(line[, 1L])]
}

# Codes of ordered levels are steps.
is_thermometer <- function(feature) {
  codes <- feature$codes
  !is.null(codes) && ncol(codes) > 1L && all(rowSums(codes) == seq_len(nrow(codes)) - 1L)
}
