new_cawi_benchmark <- function(table) {
  rownames(table) <- NULL
  structure(table, class = c("cawi_benchmark", "data.frame"))
}

# Rows of a benchmark stay one as long as they have its columns.
benchmark_columns <- c("set", "model", "init", "protocol", "seed", "fold", "accuracy", "tried")

is_benchmark <- function(x) {
  inherits(x, "cawi_benchmark") && all(benchmark_columns %in% names(x)) && any(x$fold > 0L) && !anyNA(x$fold)
}

check_benchmark <- function(x, call = caller_env()) {
  if (!is_benchmark(x)) {
    abort_argument("x", "{.arg x} must be the result of {.fn cawi_benchmark}.", call)
  }
}

# Accuracies of different protocols have no common mean.
check_one_protocol <- function(x, call = caller_env()) {
  check_benchmark(x, call)
  protocols <- unique(x$protocol)
  if (length(protocols) > 1L) abort_argument("x", "{.arg x} must have one protocol, not {.val {protocols}}.", call)
}

# Accuracies in per cent, sets x laws of the weights: means over folds and seeds, for one model.
benchmark_matrix <- function(x, model = NULL) {
  x <- as.data.frame(x)
  if (is.null(model)) model <- x$model[1L]
  rows <- x[x$fold > 0L & x$model == model, ]
  table <- tapply(rows$accuracy, list(rows$set, factor(rows$init, unique(rows$init))), mean)
  100 * table[stats::complete.cases(table), , drop = FALSE]
}

#' @export
print.cawi_benchmark <- function(x, ...) {
  # Some of its columns, or paths alone, are a data frame like any other.
  if (!is_benchmark(x)) {
    print(as.data.frame(x), ...)
    return(invisible(x))
  }
  for (protocol in unique(x$protocol)) {
    part <- x[x$protocol == protocol, ]
    cat(sprintf("<cawi_benchmark> protocol %s: %s, seeds %s\n", protocol, counted(length(unique(part$set)), "data set"),
                paste(unique(part$seed), collapse = ", ")))
    for (model in unique(part$model)) {
      table <- benchmark_matrix(part, model)
      means <- colMeans(table)
      fewer <- if (nrow(table) < length(unique(part$set))) {
        sprintf(" (%s with all laws)", counted(nrow(table), "set"))
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
#' @param object A `cawi_benchmark` from [cawi_benchmark()].
#' @param baseline The law of the weights that the others are compared with.
#' @param rope Differences in points that count as practically equal.
#' @param ... Not used.
#' @return A named list with one [cawi_compare()] a model, of accuracies in per cent. Its element `best` is the best
#'   of the other laws on each set, which is how the paper counts. It is chosen on the figures that it is judged by:
#'   its gain is positive for laws that differ by chance alone.
#' @examples
#' small <- list(iris = list(x = as.matrix(iris[, 1:4]), y = iris$Species),
#'               cars = list(x = as.matrix(mtcars[, 3:7]), y = factor(mtcars$am)),
#'               cylinders = list(x = as.matrix(mtcars[, 3:7]), y = factor(mtcars$cyl)))
#' grid <- cawi_grid(hidden = 10, activation = "sigmoid", lambda = 10^(-2:2))
#' summary(cawi_benchmark(small, init = c("iid", "gaussian", "frank"), grid = grid))
#' @export
summary.cawi_benchmark <- function(object, baseline = "iid", rope = 0.1, ...) {
  call <- environment()
  check_one_protocol(object)
  models <- unique(object$model)
  result <- lapply(models, function(model) {
    table <- benchmark_matrix(object, model)
    if (nrow(table) < 3L || ncol(table) < 2L) {
      message <- "A comparison needs at least three sets and two laws, with results for all of them."
      abort_argument("object", message, call)
    }
    comparison <- cawi_compare(table, baseline, rope = rope)
    others <- setdiff(colnames(table), baseline)
    if (length(others) > 1L) {
      best <- do.call(pmax, lapply(others, function(method) table[, method]))
      comparison$best <- cawi_compare(cbind(baseline = table[, baseline], "best of all" = best), rope = rope)$pairs
    }
    comparison
  })
  structure(stats::setNames(result, models), class = "summary.cawi_benchmark")
}

#' @export
print.summary.cawi_benchmark <- function(x, ...) {
  for (model in names(x)) {
    cat(model_labels[[model]], "\n", sep = "")
    print(x[[model]])
    best <- x[[model]]$best
    if (!is.null(best)) {
      cat(sprintf("Best of all others on each set: gain %.2f [%.2f, %.2f], %d wins, %d ties, %d losses\n", best$gain,
                  best$low, best$high, best$wins, best$ties, best$losses))
      cat("(the best of several is ahead by chance, too)\n\n")
    }
  }
  invisible(x)
}
