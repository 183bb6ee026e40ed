# Metrics of yardstick: functions of a data frame that know what they judge and which way is better.

# The kinds of metrics that a grid can be judged by, and what they are computed from.
yardstick_kinds <- c(numeric_metric = "regression", class_metric = "classification",
                     prob_metric = "classification", ordered_prob_metric = "classification")

yardstick_metric <- function(metric, task, maximize, call) {
  if (inherits(metric, "metric_set")) {
    abort_argument("metric", "{.arg metric} must be one metric of yardstick, not a set.", call)
  }
  kind <- intersect(class(metric), names(yardstick_kinds))
  if (length(kind) == 0L || yardstick_kinds[[kind[1L]]] != task) {
    message <- paste("{.arg metric} is a {.cls {class(metric)[1L]}} of yardstick, which is not for",
                     "{task}.")
    abort_argument("metric", message, call)
  }
  if (!is.null(maximize)) {
    message <- "{.arg maximize} is for functions: a metric of yardstick knows its direction."
    abort_argument("maximize", message, call)
  }
  direction <- attr(metric, "direction")
  if (!isTRUE(direction %in% c("maximize", "minimize"))) {
    message <- "{.arg metric} must be one of which more or less is better; its best value is zero."
    abort_argument("metric", message, call)
  }
  list(name = yardstick_name(metric, kind[1L]), compute = yardstick_compute(metric, kind[1L]),
       maximize = direction == "maximize", probabilities = TRUE)
}

# A function of the truth and of the estimate as the tuner gives it: numbers, or probabilities.
yardstick_compute <- function(metric, kind) {
  force(metric)
  force(kind)
  function(truth, estimate) yardstick_table(metric, kind, truth, estimate)$.estimate[1L]
}

yardstick_table <- function(metric, kind, truth, estimate) {
  rlang::check_installed("yardstick", "for its metrics.")
  if (kind == "numeric_metric") {
    return(metric(data.frame(truth = truth, estimate = estimate), "truth", "estimate"))
  }
  if (kind == "class_metric") {
    estimate <- factor(levels(truth)[max.col(estimate, "first")], levels(truth))
    return(metric(data.frame(truth = truth, estimate = estimate), "truth", "estimate"))
  }
  names <- paste0("p", seq_len(ncol(estimate)))
  data <- data.frame(truth = truth, estimate)
  names(data) <- c("truth", names)
  # Of two classes yardstick wants the probability of the event, which is the first.
  judged <- if (length(names) == 2L) names[1L] else names
  do.call(metric, c(list(data, "truth"), as.list(judged)))
}

# The name that its results have.
yardstick_name <- function(metric, kind) {
  truth <- if (kind == "numeric_metric") c(1, 2, 4) else factor(c("a", "b", "a"))
  estimate <- if (kind == "numeric_metric") c(1, 2, 3) else cbind(a = c(0.9, 0.2, 0.6),
                                                                  b = c(0.1, 0.8, 0.4))
  found <- tryCatch(yardstick_table(metric, kind, truth, estimate)$.metric,
                    error = function(e) NULL, warning = function(w) NULL)
  if (is_string(found)) found else "metric"
}
