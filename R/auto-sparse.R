# Sparse features leave no room for some members of a search: those whose readouts see the features
# themselves, those whose weights follow all pairs of features, and those that compare dense rows.

sparse_search <- function(search) {
  rows <- as.double(nrow(search$x))
  columns <- as.double(ncol(search$x))
  fits <- function(numbers) 8 * numbers <= most_filled
  left_out <- character()
  # A search keeps the features of all rows for a moment.
  if (!fits(columns * max(rows, columns))) {
    direct <- vapply(search$models, has_direct, logical(1))
    search$models <- kept_choices(search$models, !direct, "models", "{.val elm} and {.val bls}",
                                  search$run$call)
    if (any(direct)) left_out <- "direct links"
  }
  if (!fits(columns^2)) {
    iid <- search$inits == "iid"
    search$inits <- kept_choices(search$inits, iid, "init", "{.val iid}", search$run$call)
    if (!all(iid)) left_out <- c(left_out, "weights that follow the features")
  }
  # Several members keep their landmarks at the same time.
  landmarks <- if (rows <= most_full_rows) rows else landmark_count(rows)
  if (search$limit && !fits(8 * landmarks * columns)) {
    search$limit <- FALSE
    left_out <- c(left_out, "infinitely many nodes")
  }
  if (length(left_out) > 0L) warn_left_out(left_out, ncol(search$x), search$run$call)
  search
}

has_direct <- function(model) models[[model]]$direct

# Choices that are left; none is an error that tells which could be.
kept_choices <- function(choices, kept, arg, others, call) {
  if (any(kept)) return(choices[kept])
  message <- c("{.arg x} is sparse and has too many columns for {.arg {arg}} = {.val {choices}}.",
               i = paste("There is room for", others))
  abort_argument(arg, message, call)
}

warn_left_out <- function(left_out, columns, call) {
  message <- c("{.arg x} is sparse: with {columns} columns the search is without {left_out}.")
  warn_topic("sparse", message, call)
}
