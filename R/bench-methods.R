new_cawi_benchmark <- function(table) {
  rownames(table) <- NULL
  structure(table, class = c("cawi_benchmark", "data.frame"))
}

# A part of a benchmark is a benchmark as long as it has these columns.
benchmark_columns <- c("set", "model", "init", "protocol", "seed", "fold", "accuracy", "tried")

is_benchmark <- function(x) {
  inherits(x, "cawi_benchmark") && is_sound_frame(x, benchmark_columns) && is.numeric(x$fold) &&
    !anyNA(x$fold) && any(x$fold > 0L)
}

check_benchmark <- function(x, call = caller_env()) {
  check_given(x, "x", call)
  check_data_only(x, "x", call)
  if (!is_benchmark(x)) {
    abort_argument("x", "{.arg x} must be the result of {.fn cawi_benchmark}.", call)
  }
  problem <- benchmark_problem(as.data.frame(x))
  if (!is.null(problem)) abort_argument("x", "{.arg x} is damaged: {problem}.", call)
}

benchmark_problem <- function(x) {
  text <- vapply(x[c("set", "model", "init", "protocol")], function(v) is.character(v) && !anyNA(v),
                 logical(1))
  if (!all(text)) return(paste0("column ", names(text)[!text][1L], " is no text"))
  if (!all(x$model %in% names(model_labels))) return("it has a model that there is not")
  if (!all(x$protocol %in% c("nested", "equal", "paper"))) {
    return("it has a protocol that there is not")
  }
  if (!is.numeric(x$accuracy) || anyNA(x$accuracy) || !all(x$accuracy >= 0 & x$accuracy <= 1)) {
    return("column accuracy has values outside 0 to 1")
  }
  whole <- vapply(x[c("seed", "fold", "tried")], is_whole_column, logical(1))
  if (!all(whole)) {
    return(paste0("column ", names(whole)[!whole][1L], " has values that are no whole numbers"))
  }
  problem <- uneven_problem(x[x$fold > 0L, ])
  if (is.null(problem)) path_problem(x[x$fold == 0L, ]) else problem
}

# The best after one, two, ... variants or draws: none is left out and none comes twice.
path_problem <- function(rows) {
  if (nrow(rows) == 0L) return(NULL)
  path <- do.call(paste, c(rows[c("set", "model", "init", "protocol", "seed")], sep = "\r"))
  whole <- tapply(rows$tried, path, function(tried) all(sort(tried) == seq_along(tried)))
  if (!all(whole)) "its rows of fold 0 are not one for each number tried"
}

is_whole_column <- function(v) is.numeric(v) && all(is.finite(v)) && all(v == round(v) & v >= 0)

# Means over different folds cannot be compared: on each set, all distributions of the weights that
# have results must have them for the same folds and seeds.
uneven_problem <- function(rows) {
  fold <- paste(rows$seed, rows$fold)
  if (anyDuplicated(data.frame(rows[c("set", "model", "init", "protocol")], fold))) {
    return("a fold comes twice")
  }
  where <- do.call(paste, c(rows[c("set", "model", "protocol")], sep = "\r"))
  folds <- tapply(fold, list(where, rows$init),
                  function(f) paste(sort(f, method = "radix"), collapse = ","))
  uneven <- apply(folds, 1L, function(f) length(unique(f[!is.na(f)])) > 1L)
  if (any(uneven)) "some folds of a set are not there for all distributions of the weights"
}

# Accuracies of different protocols have no common mean.
check_one_protocol <- function(x, call = caller_env()) {
  check_benchmark(x, call)
  protocols <- unique(x$protocol)
  if (length(protocols) > 1L) {
    abort_argument("x", "{.arg x} must have one protocol, not {.val {protocols}}.", call)
  }
}

# Accuracies in percent, sets x distributions of the weights: means over folds and seeds, for one
# model.
benchmark_matrix <- function(x, model = NULL) {
  x <- as.data.frame(x)
  if (is.null(model)) model <- x$model[1L]
  rows <- x[x$fold > 0L & x$model == model, ]
  table <- tapply(rows$accuracy, list(rows$set, factor(rows$init, unique(rows$init))), mean)
  100 * table[stats::complete.cases(table), , drop = FALSE]
}

#' @export
print.cawi_benchmark <- function(x, ...) {
  check_dots(rlang::enquos(...))
  check_data_only(x, "x")
  # Some of its columns, or paths alone, are a data frame like any other.
  vectors <- vapply(unclass(x), function(column) is.null(dim(column)), logical(1))
  if (is_plain_frame(x) && all(vectors) && !is_benchmark(x)) {
    print(as.data.frame(x), ...)
    return(invisible(x))
  }
  check_benchmark(x)
  for (protocol in unique(x$protocol)) {
    part <- x[x$protocol == protocol, ]
    cat(sprintf("<cawi_benchmark> protocol %s: %s, seeds %s\n", protocol,
                counted(length(unique(part$set)), "data set"),
                paste(unique(part$seed), collapse = ", ")))
    for (model in unique(part$model)) {
      table <- benchmark_matrix(part, model)
      means <- colMeans(table)
      fewer <- if (nrow(table) < length(unique(part$set))) {
        sprintf(" (%s with all distributions)", counted(nrow(table), "set"))
      } else {
        ""
      }
      shown <- paste(sprintf("%s %.2f", names(means), means), collapse = ", ")
      cat(sprintf("  %s: %s%s\n", model_acronyms[[model]], shown, fewer))
    }
  }
  invisible(x)
}

#' Summary of a benchmark
#'
#' Compares the distributions of the weights over the data sets of a benchmark, per model.
#'
#' @param object A `cawi_benchmark` from [cawi_benchmark()].
#' @param baseline Name of the distribution of the weights that the others are compared with.
#' @param rope Differences in points that count as practically equal.
#' @param ... Not used.
#' @param seed Seed of the Bayesian draws; see [cawi_compare()].
#' @return A named list with one [cawi_compare()] per model, of accuracies in percent. Its element
#'   `best` compares the baseline with the best of the other distributions on each set, as the paper
#'   does. That best is chosen by the same figures that judge it, so its gain is positive even if
#'   the distributions differ by chance alone.
#' @inherit cawi_compare references
#' @examples
#' small <- list(iris = list(x = as.matrix(iris[, 1:4]), y = iris$Species),
#'               cars = list(x = as.matrix(mtcars[, 3:7]), y = factor(mtcars$am)),
#'               cylinders = list(x = as.matrix(mtcars[, 3:7]), y = factor(mtcars$cyl)))
#' grid <- cawi_grid(hidden = 10, activation = "sigmoid", lambda = 10^(-2:2))
#' b <- cawi_benchmark(small, init = c("iid", "gaussian", "frank"), grid = grid)
#' summary(b, seed = 1)
#' @export
summary.cawi_benchmark <- function(object, baseline = "iid", rope = 0.1, seed = NULL, ...) {
  check_dots(rlang::enquos(...))
  call <- environment()
  check_one_protocol(object)
  models <- unique(object$model)
  result <- keep_generator({
    # One seed for all models and comparisons, so that they differ by their figures alone.
    seed <- resolve_seed(seed, call)
    lapply(models, function(model) {
      compare_distributions(benchmark_matrix(object, model), baseline, rope, seed, call)
    })
  })
  structure(stats::setNames(result, models), class = "summary.cawi_benchmark")
}

compare_distributions <- function(table, baseline, rope, seed, call) {
  if (nrow(table) < 3L || ncol(table) < 2L) {
    message <- paste("A comparison needs at least three sets and two distributions of the weights,",
                     "with results for all of them.")
    abort_argument("object", message, call)
  }
  comparison <- cawi_compare(table, baseline, rope = rope, seed = seed)
  others <- setdiff(colnames(table), baseline)
  if (length(others) > 1L) {
    best <- do.call(pmax, lapply(others, function(method) table[, method]))
    both <- cbind(baseline = table[, baseline], "best of all" = best)
    comparison$best <- cawi_compare(both, rope = rope, seed = seed)$pairs
  }
  comparison
}

# One line of figures, if there is more than one to choose the best from.
is_best <- function(best, sets) {
  figures <- c("gain", "low", "high", "wins", "ties", "losses")
  is.null(best) ||
    (is_number_frame(best, figures) && nrow(best) == 1L &&
       all(is.finite(unlist(best[figures]))) && best$low <= best$high && counts_sets(best, sets))
}

#' @export
print.summary.cawi_benchmark <- function(x, ...) {
  check_data_only(x, "x")
  sound <- is.list(x) && length(x) > 0L && !is.null(names(x)) &&
    all(names(x) %in% names(model_labels))
  if (!sound) {
    abort_argument("x", "{.arg x} is damaged: it has no comparison of a known model.",
                   environment())
  }
  for (comparison in unclass(x)) {
    check_comparison(comparison)
    if (!is_best(comparison$best, comparison$sets)) {
      abort_argument("x", "{.arg x} is damaged: its best of all is no comparison.", environment())
    }
  }
  for (model in names(x)) {
    cat(model_labels[[model]], "\n", sep = "")
    print(x[[model]])
    best <- x[[model]]$best
    if (!is.null(best)) {
      cat(sprintf("Best of all others on each set: gain %.2f [%.2f, %.2f], ", best$gain, best$low,
                  best$high))
      cat(sprintf("%d wins, %d ties, %d losses\n", best$wins, best$ties, best$losses))
      cat("(the best of several is ahead by chance, too)\n\n")
    }
  }
  invisible(x)
}
