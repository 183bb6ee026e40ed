# Sets of rsample as parts of the tuner: rows that are learned from, and rows that are judged.

rsample_parts <- function(resampling, rows, call) {
  splits <- if (inherits(resampling, "rsplit")) list(resampling) else resampling$splits
  refused <- intersect(class(resampling), c("nested_cv", "permutations"))
  if (length(refused) > 0L) {
    abort_argument("resampling", "{.arg resampling} must not be {.cls {refused[1L]}}.", call)
  }
  if (!holds(all(vapply(splits, is_split, logical(1))) && length(splits) > 0L)) {
    message <- "{.arg resampling} is no whole set of rsample: its splits have no rows."
    abort_argument("resampling", message, call)
  }
  given <- vapply(splits, function(split) NROW(split$data), numeric(1))
  if (any(given != rows)) {
    message <- paste("{.arg resampling} is a set of rsample of {given[1L]} rows, but the data",
                     "have {rows}.")
    abort_argument("resampling", message, call)
  }
  names <- split_names(resampling, length(splits))
  Map(function(split, fold, rep) c(split_rows(split, rows), list(fold = fold, rep = rep)),
      splits, names$fold, names$rep)
}

is_split <- function(split) {
  count <- NROW(split$data)
  test <- split$out_id
  are_row_numbers(split$in_id, count) && length(split$in_id) > 0L && length(test) > 0L &&
    (anyNA(test) || are_row_numbers(test, count)) && length(split_rows(split, count)$test) > 0L
}

# Rows may come several times among those that are learned from, as in a bootstrap.
split_rows <- function(split, rows) {
  train <- as.integer(split$in_id)
  test <- if (anyNA(split$out_id)) setdiff(seq_len(rows), train) else as.integer(split$out_id)
  list(test = test, train = train)
}

# Folds of a repeated cross-validation are numbered within their repeat; other sets, whose splits
# may overlap, have one repeat per split.
split_names <- function(resampling, count) {
  if (!inherits(resampling, c("vfold_cv", "group_vfold_cv", "loo_cv"))) {
    return(list(fold = rep(1, count), rep = as.double(seq_len(count))))
  }
  if (!"id2" %in% names(resampling)) {
    return(list(fold = as.double(seq_len(count)), rep = rep(1, count)))
  }
  rep <- match(resampling$id, unique(resampling$id))
  list(fold = stats::ave(rep, rep, FUN = seq_along), rep = as.double(rep))
}
