#' Folds for cross-validation
#'
#' Shuffled, stratified folds: every class is spread evenly over the folds. For numbers, every tenth
#' of the ranked values is spread evenly. The same seed gives the same folds on every machine.
#'
#' With `group`, all rows of a group are in one fold, and folds are about equally large. With
#' `time`, rows are cut into `folds + 1` stretches of about equal length, in the order of `time`;
#' rows of one time stay together. The first stretch is number 0 and is never held out; each fold is
#' judged by a model that learned from the stretches before it.
#'
#' @param y The response: classes, numbers, or a matrix of numbers, whose rows are only shuffled. No
#'   missing values.
#' @param folds Number of folds.
#' @param repeats Number of times that the rows are shuffled anew.
#' @param seed A whole number; `NULL` takes one from R's generator.
#' @param ... Not used.
#' @param group A group for each row: rows of a patient, a site, a batch.
#' @param time A time, date or number for each row.
#' @return A matrix of fold numbers with one row per row of `y` and one column per repeat. With
#'   `time` it has the attribute `ordered`, which tells [cawi_tune()] to learn from earlier folds
#'   alone.
#' @references
#' Kohavi, R. (1995). A study of cross-validation and bootstrap for accuracy estimation and model
#' selection. *IJCAI*, 1137-1143.
#' @examples
#' fold <- cawi_folds(iris$Species, 5, seed = 1)
#' table(fold, iris$Species)
#'
#' cawi_folds(1:6, 3, seed = 1, group = c("a", "a", "b", "b", "c", "c"))
#' cawi_folds(1:6, 2, time = as.Date("2026-01-01") + 6:1)
#' @export
cawi_folds <- function(y, folds = 5, repeats = 1, seed = NULL, ..., group = NULL, time = NULL) {
  check_dots(rlang::enquos(...))
  strata <- fold_strata(check_fold_response(y))
  rows <- length(strata)
  if (!is.null(group) || !is.null(time)) {
    folds <- check_count(folds, "folds", min = if (is.null(time)) 2 else 1, max = max(rows, 2))
    repeats <- check_count(repeats, "repeats", max = 1e4)
    return(arranged_folds(rows, list(group = group, time = time), folds, repeats, seed))
  }
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

# Folds of whole groups, or in the order of time.
arranged_folds <- function(rows, given, folds, repeats, seed, call = caller_env()) {
  if (!is.null(given$group) && !is.null(given$time)) {
    abort_argument("time", "{.arg group} and {.arg time} are given: give one of them.", call)
  }
  if (!is.null(given$time)) {
    if (repeats > 1L) {
      abort_argument("repeats", "{.arg repeats} must be 1: the order of {.arg time} is one.", call)
    }
    return(ordered_folds(check_row_values(given$time, rows, "time", call), folds, call))
  }
  number <- check_row_values(given$group, rows, "group", call)
  number <- match(number, sorted_values(number))
  if (max(number) < folds) {
    message <- "{.arg group} must have at least {folds} groups, one per fold, not {max(number)}."
    abort_argument("group", message, call)
  }
  check_memory(4 * rows * repeats)
  seed <- resolve_seed(seed)
  vapply(seq_len(repeats), function(r) {
    group_folds(number, folds, if (r == 1L) seed else child_seed_cpp(seed, r))
  }, integer(rows))
}

# The largest groups first, each into the fold that is smallest so far; among equals chance decides.
group_folds <- function(number, folds, seed) {
  sizes <- tabulate(number)
  shuffled <- permutation_cpp(seed, length(sizes))
  home <- integer(length(sizes))
  total <- numeric(folds)
  for (g in shuffled[order(-sizes[shuffled])]) {
    home[g] <- which.min(total)
    total[home[g]] <- total[home[g]] + sizes[g]
  }
  home[number]
}

# Stretches 0, 1, ... of equal numbers of rows; rows of one time go where the first of them would.
ordered_folds <- function(time, folds, call) {
  if (length(unique(time)) < folds + 1) {
    message <- paste("{.arg time} must have at least {folds + 1} values, one more than folds,",
                     "not {length(unique(time))}.")
    abort_argument("time", message, call)
  }
  first <- rank(time, ties.method = "min")
  stretch <- floor((first - 1) * (folds + 1) / length(time))
  # Many rows of one time may leave a stretch empty.
  stretch <- match(stretch, sort(unique(stretch))) - 1L
  structure(matrix(stretch, ncol = 1L), ordered = TRUE)
}

# One value per row that can be told apart, none missing.
check_row_values <- function(x, rows, arg, call) {
  if (is.factor(x) && arg == "group") x <- as.character(x)
  if (!is.atomic(x) || !is.null(dim(x)) || length(x) != rows || anyNA(x)) {
    abort_argument(arg, "{.arg {arg}} must be {rows} values without holes, one per row.", call)
  }
  if (arg == "time" && !is.numeric(unclass(x)) && !is.ordered(x)) {
    abort_argument(arg, "{.arg time} must be times, dates or numbers, not {shown(x)}.", call)
  }
  if (arg == "time") as.numeric(x) else x
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

# What `resampling` means: NULL for leave-one-out, or a list of held-out rows, each a list of
# `test`, `fold`, `rep` and, where other rows are not all learned from, `train`. `given` has the
# group or the time of the rows, if any.
resampling_parts <- function(resampling, input, repeats, run, given = NULL) {
  rows <- input$rows
  if (inherits(resampling, c("rset", "rsplit"))) {
    check_no_arrangement(given, "a set of rsample", run$call)
    return(rsample_parts(resampling, rows, run$call))
  }
  number <- is.numeric(resampling) && length(resampling) == 1L && rows > 1L
  if (!number && repeats > 1L) {
    message <- paste("{.arg repeats} is for a number of folds;",
                     "give repeats as columns of {.arg resampling}.")
    abort_argument("repeats", message, run$call)
  }
  if (identical(resampling, "loo")) {
    check_no_arrangement(given["time"], "leave-one-out", run$call)
    return(NULL)
  }
  fold <- if (number) {
    drawn_folds(resampling, input, repeats, run, given)
  } else {
    check_no_arrangement(given, "given folds", run$call)
    as_fold_matrix(resampling, rows, run$call)
  }
  if (isTRUE(attr(fold, "ordered"))) return(ordered_parts(fold[, 1L]))
  parts <- lapply(seq_len(ncol(fold)), function(r) {
    lapply(sort(unique(fold[, r])),
           function(f) list(test = which(fold[, r] == f), fold = f, rep = r))
  })
  do.call(c, parts)
}

# Every fold but the first stretch, learned from what came before it.
ordered_parts <- function(fold) {
  stretches <- sort(unique(fold))
  lapply(stretches[-1L], function(f) {
    list(test = which(fold == f), train = which(fold < f), fold = f, rep = 1)
  })
}

check_no_arrangement <- function(given, what, call) {
  for (arg in names(Filter(Negate(is.null), given))) {
    abort_argument(arg, "{.arg {arg}} does not go with {what} as {.arg resampling}.", call)
  }
}

# Rows without response are in no fold.
drawn_folds <- function(count, input, repeats, run, given = NULL) {
  known <- which(!missing_response(input$y, input$rows, NULL))
  least <- if (is.null(given$time)) 2 else 1
  count <- check_count(count, "resampling", run$call, min = least, max = length(known))
  fold <- matrix(NA_integer_, input$rows, repeats)
  y <- response_rows(input$y, if (length(known) < input$rows) known)
  given <- lapply(given, function(values) values[known])
  drawn <- if (length(unlist(given)) == 0L) {
    cawi_folds(y, count, repeats, run$seed)
  } else {
    arranged_folds(length(known), given, count, repeats, run$seed, run$call)
  }
  fold[known, ] <- drawn
  structure(fold, ordered = attr(drawn, "ordered"))
}

as_fold_matrix <- function(resampling, rows, call) {
  fold <- if (is.factor(resampling)) as.integer(resampling) else resampling
  ordered <- attr(fold, "ordered")
  fold <- if (is.numeric(fold)) structure(as.matrix(fold), ordered = ordered)
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
