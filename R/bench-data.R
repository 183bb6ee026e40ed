# The data sets of a benchmark: names that workers read themselves, or data that was given.

# One element per set: its data, unless it is to be read, and a hash of what it depends on.
benchmark_sources <- function(datasets, dir, plan, call) {
  if (is.character(datasets) && length(datasets) > 0L && !anyNA(datasets)) {
    return(named_sources(datasets, dir, call))
  }
  if (is.list(datasets) && all(c("x", "y") %in% names(datasets))) {
    named <- is.character(datasets$name) && length(datasets$name) == 1L
    datasets <- stats::setNames(list(datasets), if (named) datasets$name else "data")
  }
  named <- is.list(datasets) && length(datasets) > 0L && !is.null(names(datasets)) &&
    all(nzchar(names(datasets)))
  has_both <- function(set) is.list(set) && all(c("x", "y") %in% names(set))
  if (!named || !all(vapply(datasets, has_both, logical(1)))) {
    message <- "{.arg datasets} must be names of data sets or a named list of lists with x and y."
    abort_argument("datasets", message, call)
  }
  check_set_names(names(datasets), call)
  Map(function(set, name) {
    data <- in_set(name, check_benchmark_data(set, plan, call), call)
    list(data = data, key = rlang::hash(data))
  }, datasets, names(datasets))
}

# A record is text, in which R reads a carriage return as the end of a line.
check_set_names <- function(names, call) {
  broken <- !validEnc(names) | grepl("\r", names, fixed = TRUE, useBytes = TRUE)
  odd <- encodeString(names[broken])
  if (length(odd) > 0L) {
    message <- "Names of {.arg datasets} must be text without carriage returns, not {.val {odd}}."
    abort_argument("datasets", message, call)
  }
  twice <- unique(names[duplicated(names)])
  if (length(twice) == 0L) return(invisible())
  abort_argument("datasets", "{.arg datasets} has {.val {twice}} more than once.", call)
}

# Another file of the same name is another set. Workers may have other options and another
# directory: they read the files that were found here.
named_sources <- function(names, dir, call) {
  names <- unique(vapply(names, function(name) check_set(name, call)$name, character(1),
                         USE.NAMES = FALSE))
  sources <- lapply(names, function(name) {
    found <- find_set(check_set(name, call), dir, call)
    closed <- Filter(function(file) file.access(file, 4L) != 0L, found$files)
    if (length(closed) > 0L) abort_file(closed[1L], "it may not be read", call)
    key <- if (is.null(found)) name else unname(vapply(found$files, rlang::hash_file, ""))
    list(found = found, key = key)
  })
  stats::setNames(sources, names)
}

unit_data <- function(unit, plan, call) {
  if (!is.null(unit$source$data)) return(unit$source$data)
  check_benchmark_data(read_set(check_set(unit$set, call), unit$source$found, call), plan, call)
}

check_benchmark_data <- function(set, plan, call) {
  x <- as_numeric_matrix(set$x, "x", call)
  check_finite(x, "x", call)
  y <- set$y
  if (!is.atomic(y) || length(y) != nrow(x) || anyNA(y)) {
    abort_argument("y", "{.arg y} must have a class for each of the {nrow(x)} rows of {.arg x}.",
                   call)
  }
  if (!is.factor(y) && !is.character(y) && !is.logical(y)) {
    message <- "{.arg y} must be a factor, text or logical, not numbers: give {.code factor(y)}."
    abort_argument("y", message, call)
  }
  y <- if (is.factor(y)) droplevels(y) else factor(y, sorted_values(y))
  if (nlevels(y) < 2L) abort_argument("y", "{.arg y} must have at least two classes.", call)
  if (nrow(x) < plan$folds) {
    abort_argument("folds", "{.arg folds} must be at most the number of rows, {nrow(x)}.", call)
  }
  # Stratified folds then leave at least two classes in every training part.
  if (plan$protocol == "nested" && sum(table(y) > 1L) < 2L) {
    abort_argument("y", "{.arg y} must have at least two classes with two rows or more.", call)
  }
  list(x = x, y = y)
}

# Adds the name of the set to an error.
in_set <- function(name, code, call) {
  tryCatch(code, error = function(e) {
    cli_abort("Set {.val {name}} cannot be run.", class = c("cawi_error_datasets", "cawi_error"),
              call = call, parent = e)
  })
}
