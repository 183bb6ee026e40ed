# MATLAB files, through R.matlab: one matrix with the labels in a column, or the features and the
# labels apart.
read_mat_cells <- function(file, label, call) {
  matlab_cells(read_matlab(file, call), file, label, call)
}

matlab_cells <- function(variables, file, label, call) {
  given <- variables
  is_filled <- function(v) is.numeric(v) && length(dim(v)) == 2L && length(v) > 0L
  variables <- variables[vapply(variables, is_filled, logical(1))]
  found <- labels_apart(variables, label)
  if (!is.null(found)) return(joined_matrix(found$x, found$y, file, call))
  # A column or a single number is no table.
  tables <- variables[vapply(variables, ncol, integer(1)) > 1L]
  if (length(tables) != 1L) {
    found <- names(variables)
    abort_file(file,
               "one matrix, or {.val X} and {.val Y}, expected among its variables {.val {found}}",
               call)
  }
  if (is.character(label)) {
    abort_file(file, "{.arg label} is {.val {label}}, but it has no such variable", call,
               topic = "label")
  }
  values <- unname(tables[[1L]])
  # Where a variable that cannot be read has the labels, the last feature is no substitute.
  others <- given[setdiff(names(given), names(tables))]
  apart <- if (is.null(label)) maybe_labels(others, nrow(values))
  if (length(apart) > 0L) {
    problem <- paste("its variable {.val {apart}} may have the labels:",
                     "a numeric one is read if {.arg label} names it;",
                     "if they are a column of the matrix, {.arg label} says which")
    abort_file(file, problem, call, topic = "label")
  }
  list(values = values, names = plain_names(ncol(values), label),
       line = rep(NA_integer_, nrow(values)))
}

# Variables that are called so, or have one value or one line per row.
maybe_labels <- function(variables, rows) {
  one_each <- vapply(variables, function(v) rows %in% c(length(v), dim(v)), logical(1))
  names(variables)[tolower(names(variables)) %in% label_names | one_each]
}

read_matlab <- function(file, call) {
  if (!requireNamespace("R.matlab", quietly = TRUE)) {
    abort_file(file, "package {.pkg R.matlab} is needed to read it", call)
  }
  start <- readBin(file, "raw", 10L)
  if (identical(start, charToRaw("MATLAB 7.3"))) {
    abort_file(file, "version 7.3 is not read; save it in MATLAB with {.code -v7}", call)
  }
  tryCatch(
    # It warns of a version that it does not know, and then fails.
    suppressWarnings(R.matlab::readMat(file)),
    error = function(e) {
      abort_file(file, "it is not a MATLAB file of version 7 or earlier, or it is damaged", call)
    }
  )
}

# The variable of the labels, "Y" by default, and the matrix beside it; NULL if the labels have no
# variable of their own.
labels_apart <- function(variables, label) {
  is_named <- function(name) which(tolower(names(variables)) == tolower(name))
  y <- if (is.null(label)) is_named("y") else which(names(variables) == label)
  if (length(y) != 1L) return(NULL)
  x <- is_named("x")
  others <- setdiff(seq_along(variables), y)
  rows <- vapply(variables, nrow, integer(1))
  if (length(x) != 1L) x <- others[rows[others] == max(dim(variables[[y]]))]
  if (length(x) != 1L || x == y) return(NULL)
  list(x = variables[[x]], y = variables[[y]])
}

joined_matrix <- function(x, y, file, call) {
  if (min(dim(y)) != 1L || length(y) != nrow(x)) {
    problem <- "{nrow(x)} labels expected, not a {nrow(y)} x {ncol(y)} matrix"
    abort_file(file, problem, call, topic = "label")
  }
  values <- unname(cbind(x, as.vector(y)))
  columns <- ncol(values)
  list(values = values, names = plain_names(columns), label = columns,
       line = rep(NA_integer_, nrow(values)))
}
