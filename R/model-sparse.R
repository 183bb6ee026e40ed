# Sparse features: what is learned of them without making them dense, and what is refused because it
# could not be done otherwise.

# Before anything is drawn: direct links have sums of all pairs of features or, with few rows, dense
# rows; infinitely many nodes compare dense rows.
check_sparse_fit <- function(x, spec, call) {
  rows <- as.double(nrow(x))
  columns <- as.double(ncol(x))
  if (is_infinite(spec)) {
    check_filled(min(rows, 2 * spec$landmarks) * columns, "rows that are compared with each other",
                 "hidden", "Fewer {.arg landmarks}, or a number of nodes, take less.", call)
  }
  if (!spec$direct) return(invisible())
  check_filled(min(rows, direct_columns(columns, spec)) * direct_columns(columns, spec),
               paste("what direct links need for", ncol(x), "features"),
               "direct", "{.code direct = FALSE} and {.fn cawi_elm} have no direct links.", call)
}

direct_columns <- function(features, spec) {
  nodes <- if (is_infinite(spec)) 0 else sum(spec$hidden)
  features + nodes + 1
}

check_sparse_metric <- function(x, call) {
  check_filled(as.double(ncol(x))^2, paste("gradients of", ncol(x), "features"), "init",
               "{.code init = \"iid\"} needs none.", call)
}

# ---- new data ------------------------------------------------------------------------------------

# The columns of the training data, by their names where there are any on both sides.
forge_sparse <- function(preprocessor, new_data, arg, call) {
  labels <- colnames_of_sparse(new_data)
  names <- preprocessor$names
  by_name <- !is.null(names) && !is.null(labels)
  if (by_name) check_columns_present(names, labels, arg, call)
  in_place <- !by_name || identical(labels, names)
  x <- sparse_rows(new_data, arg, call, if (!in_place) match(names, labels))
  if (ncol(x) != preprocessor$columns) {
    abort_argument(
      arg, "{.arg {arg}} must have {preprocessor$columns} columns, not {ncol(x)}.", call
    )
  }
  x
}

colnames_of_sparse <- function(x) {
  if (is_sparse_rows(x)) x$labels else attr(x, "Dimnames")[[2L]]
}

# Models of tables with text or computed columns read tables: sparse rows become one, if it is not
# too large.
dense_new_data <- function(new_data, arg, call) {
  x <- sparse_rows(new_data, arg, call)
  check_filled(as.double(nrow(x)) * ncol(x), "a table of it", arg, "Predict fewer rows at a time.",
               call)
  as.matrix(x)
}

# ---- figures of columns --------------------------------------------------------------------------

# Medians of columns; where most values are zero the others need not be ordered.
sparse_medians <- function(x, case_weights) {
  rows <- nrow(x)
  given <- if (is.null(case_weights)) rep(1, rows) else case_weights
  total <- sum(given)
  medians <- each_sparse_column(x, function(values, at) {
    zeros <- total - sum(given[at])
    known <- total - sum(given[at[is.na(values)]])
    if (zeros > 0.500001 * known) return(0)
    weighted_median(replace(numeric(rows), at, values), case_weights)
  })
  stats::setNames(unlist(medians), colnames(x))
}

# As rank_scale(), where all rows whose number is not stored are one zero of their weight.
sparse_rank_scales <- function(x, case_weights) {
  total <- sum(case_weights)
  each_sparse_column(x, function(values, at) {
    if (length(at) == nrow(x)) return(rank_scale(values, case_weights[at]))
    others <- max(total - sum(case_weights[at]), 0)
    rank_scale(c(values, 0), c(case_weights[at], others))
  })
}

# ---- rows as text --------------------------------------------------------------------------------

# The stored numbers of each row with their columns; a zero is the same whether it is stored or not.
sparse_row_texts <- function(x) {
  kept <- x$value != 0
  text <- sprintf("%d:%a", x$column[kept], x$value[kept])
  row <- factor(sparse_row_numbers(x)[kept], seq_len(nrow(x)))
  vapply(split(text, row), paste, "", collapse = " ", USE.NAMES = FALSE)
}
