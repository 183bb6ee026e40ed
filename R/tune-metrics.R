# The metrics of the tuner. A named metric comes from a sum of losses over rows, so leave-one-out
# has a standard error too. The user's own metric is a function of truth and estimate.

metric_names <- c("accuracy", "log_loss", "brier", "auc", "rmse")

check_metric <- function(metric, task, maximize, call) {
  if (is.null(metric)) metric <- if (task == "classification") "accuracy" else "rmse"
  if (inherits(metric, c("metric", "metric_set"))) {
    return(yardstick_metric(metric, task, maximize, call))
  }
  if (is.function(metric)) {
    if (is.null(maximize)) {
      message <- paste("{.arg maximize} must say whether a larger value of the function",
                       "given as {.arg metric} is better.")
      abort_argument("maximize", message, call)
    }
    maximize <- check_flag(maximize, "maximize", call)
    return(list(name = "metric", compute = metric, maximize = maximize, probabilities = TRUE))
  }
  metric <- check_choice(metric, metric_names, "metric", call)
  if (task == "regression" && metric != "rmse") {
    abort_argument(
      "metric", "{.arg metric} {.val {metric}} is for classes; use {.val rmse} or a function.", call
    )
  }
  if (!is.null(maximize)) {
    abort_argument("maximize", "{.arg maximize} is for a function as {.arg metric}.", call)
  }
  if (metric == "auc") {
    return(list(name = metric, compute = area_under_curve, maximize = TRUE, probabilities = TRUE))
  }
  list(name = metric, compute = NULL, maximize = metric == "accuracy",
       probabilities = metric %in% c("log_loss", "brier"),
       loss = c(accuracy = "hit", log_loss = "log", brier = "brier", rmse = "squared")[[metric]])
}

# Mean and standard error of a metric from weighted sums of losses and their squares. `unit` turns
# errors of the core into those of the response. `groups` are the weights of groups of rows that
# were left out together.
metric_values <- function(metric, losses, weight, rows, unit = 1, groups = NULL) {
  mean <- losses$sum[[metric$loss]] / weight
  square <- losses$square[[metric$loss]]
  se <- if (is.null(groups)) {
    sqrt(pmax(square / weight - mean^2, 0) / max(rows - 1, 1))
  } else {
    group_error(mean, square, losses$cross[[metric$loss]], groups)
  }
  if (metric$name == "rmse") {
    root <- sqrt(mean)
    return(list(mean = root * unit, se = ifelse(root > 0, se / (2 * root), 0) * unit))
  }
  list(mean = mean, se = se)
}

# The standard error of a mean over rows that come in groups: that of a ratio of two sums over
# groups, of the losses and of the weights.
group_error <- function(mean, square, cross, groups) {
  gaps <- pmax(square - 2 * mean * cross + mean^2 * sum(groups^2), 0)
  sqrt(gaps * length(groups) / max(length(groups) - 1, 1)) / sum(groups)
}

group_weights <- function(targets) {
  if (is.null(targets$groups)) return(NULL)
  rowsum(row_weights(targets), rep(seq_along(targets$groups), targets$groups))[, 1L]
}

# The user's function for every penalty and member of a nest. It gets the truth, and the predicted
# numbers or probabilities.
function_values <- function(metric, losses, lambdas, members, data, call) {
  truth <- truth_values(data$truth)
  vapply(seq_len(members), function(member) {
    vapply(seq_len(lambdas), function(l) {
      estimate <- as_response(losses$member_scores(l, member), data$targets)
      if (!is.null(data$truth$offset)) estimate <- estimate + data$truth$offset
      if (is.factor(truth)) {
        known <- exp(log_softmax(losses$temperature[l, member] * estimate))
        estimate <- matrix(0, nrow(known), nlevels(truth), dimnames = list(NULL, levels(truth)))
        estimate[, match(data$targets$levels, levels(truth))] <- known
      }
      if (metric$name == "auc") return(checked_area(truth, estimate, data$truth, call))
      value <- tryCatch(
        metric$compute(truth, if (ncol(estimate) == 1L) estimate[, 1L] else estimate),
        error = function(e) {
          text <- conditionMessage(e)
          abort_argument("metric", "{.arg metric} failed on a truth and its estimate: {text}", call)
        }
      )
      if (!is.numeric(value) || length(value) != 1L || is.na(value)) {
        abort_argument("metric", "{.arg metric} must return one number, not {shown(value)}.", call)
      }
      as.double(value)
    }, numeric(1))
  }, numeric(lambdas))
}

# A held-out part with one class has no area.
checked_area <- function(truth, prob, targets, call) {
  area <- area_under_curve(truth, prob, row_weights(targets))
  if (is.na(area)) {
    message <- "{.arg metric} {.val auc} needs two classes in every held-out part."
    abort_argument("metric", message, call)
  }
  area
}
