#' Folds for cross-validation
#'
#' Shuffled, stratified folds: every class is spread evenly over the folds. For numbers, every tenth
#' of the ranked values is spread evenly. The same seed gives the same folds on every machine.
#'
#' @param y The response: classes, numbers, or a matrix of numbers, whose rows are only shuffled. No
#'   missing values.
#' @param folds Number of folds.
#' @param repeats Number of times that the rows are shuffled anew.
#' @param seed A whole number; `NULL` takes one from R's generator.
#' @param ... Not used.
#' @return A matrix of fold numbers with one row per row of `y` and one column per repeat.
#' @references
#' Kohavi, R. (1995). A study of cross-validation and bootstrap for accuracy estimation and model
#' selection. *IJCAI*, 1137-1143.
#' @examples
#' fold <- cawi_folds(iris$Species, 5, seed = 1)
#' table(fold, iris$Species)
#' @export
cawi_folds <- function(y, folds = 5, repeats = 1, seed = NULL, ...) {
  check_dots(rlang::enquos(...))
  strata <- fold_strata(check_fold_response(y))
  rows <- length(strata)
  folds <- check_count(folds, "folds", min = 2, max = max(rows, 2))
  repeats <- check_count(repeats, "repeats", max = 1e4)
  call <- environment()
  if (rows < folds) {
    abort_argument("folds", "{.arg folds} must not exceed the {rows} row{?s}.", call)
  }
  check_memory(4 * rows * repeats)
  seed <- resolve_seed(seed)
  vapply(seq_len(repeats), function(r) {
    shuffled <- order(permutation_cpp(if (r == 1L) seed else child_seed_cpp(seed, r), rows))
    fold <- integer(rows)
    fold[order(strata, shuffled)] <- rep_len(seq_len(folds), rows)
    fold
  }, integer(rows))
}

# A vector, or a matrix or data frame of numbers, without missing values.
check_fold_response <- function(y, call = caller_env()) {
  check_given(y, "y", call)
  if (is.data.frame(y)) {
    y <- if (length(y) == 1L) y[[1L]] else as_numeric_matrix(y, "y", call)
  }
  if (is.null(y) || !is.atomic(y) || is.raw(y) || is.complex(y) || length(dim(y)) > 2L ||
        (NCOL(y) != 1L && !is.numeric(y))) {
    abort_argument("y", "{.arg y} must be classes, numbers or a matrix of numbers, not {shown(y)}.",
                   call)
  }
  if (length(y) == 0L) abort_argument("y", "{.arg y} must have rows.", call)
  if (anyNA(y)) abort_argument("y", "{.arg y} must not have missing values.", call)
  y
}

# Distinct values in an order that does not depend on the language of the session.
sorted_values <- function(y) {
  if (is.character(y)) y <- enc2utf8(y)
  sort(unique(y), method = "radix")
}

fold_strata <- function(y) {
  if (NCOL(y) > 1L) return(rep(1L, NROW(y)))
  if (is.factor(y)) return(as.integer(droplevels(y)))
  if (!is.numeric(y)) return(match(y, sorted_values(y)))
  ceiling(10 * rank(y, ties.method = "average") / length(y))
}

# What `resampling` means: NULL for leave-one-out, or a list of held-out rows, each a list of `test`
# and its `name`.
resampling_parts <- function(resampling, input, repeats, run) {
  rows <- input$rows
  number <- is.numeric(resampling) && length(resampling) == 1L && rows > 1L
  if (!number && repeats > 1L) {
    message <- paste("{.arg repeats} is for a number of folds;",
                     "give repeats as columns of {.arg resampling}.")
    abort_argument("repeats", message, run$call)
  }
  if (identical(resampling, "loo")) return(NULL)
  fold <- if (number) {
    drawn_folds(resampling, input, repeats, run)
  } else {
    as_fold_matrix(resampling, rows, run$call)
  }
  parts <- lapply(seq_len(ncol(fold)), function(r) {
    lapply(sort(unique(fold[, r])),
           function(f) list(test = which(fold[, r] == f), fold = f, rep = r))
  })
  do.call(c, parts)
}

# Rows without response are in no fold.
drawn_folds <- function(count, input, repeats, run) {
  known <- which(!missing_response(input$y, input$rows, NULL))
  count <- check_count(count, "resampling", run$call, min = 2, max = length(known))
  fold <- matrix(NA_integer_, input$rows, repeats)
  y <- response_rows(input$y, if (length(known) < input$rows) known)
  fold[known, ] <- cawi_folds(y, count, repeats, run$seed)
  fold
}

as_fold_matrix <- function(resampling, rows, call) {
  fold <- if (is.factor(resampling)) as.integer(resampling) else resampling
  fold <- if (is.numeric(fold)) as.matrix(fold)
  problem <- if (!is.matrix(fold)) {
    shown(resampling)
  } else if (nrow(fold) != rows || ncol(fold) == 0L) {
    paste(nrow(fold), "numbers")
  } else if (anyNA(fold)) {
    "missing values"
  } else if (!all(fold == round(fold) & abs(fold) < 2^31)) {
    "numbers that are not whole"
  } else if (!all(apply(fold, 2L, function(f) length(unique(f)) > 1L))) {
    "a single fold"
  }
  if (!is.null(problem)) {
    message <- paste("{.arg resampling} must be {.val loo}, a number of folds, or whole fold",
                     "numbers of the {rows} rows with at least two folds, not {problem}.")
    abort_argument("resampling", message, call)
  }
  fold
}

# Every part needs rows to be judged by.
check_parts <- function(parts, usable, call) {
  empty <- vapply(parts, function(part) !any(part$test %in% usable), logical(1))
  if (any(empty)) {
    fold <- parts[[which(empty)[1L]]]$fold
    message <- "Fold {fold} of {.arg resampling} has no complete row with positive weight."
    abort_argument("resampling", message, call)
  }
}
