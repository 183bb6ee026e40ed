# Sparse matrices as every room reads them. Those of the package Matrix come in, and compressed rows
# go on: blocks of rows are at hand, threads share them, and nothing after the conversion needs
# Matrix. Of row i, `column` (from zero) and `value` have the numbers that are stored, at
# start[i] + 1, ..., start[i + 1].

# R loads the package of a formal object when it is asked for most of what it inherits.
is_sparse_rows <- function(x) !isS4(x) && inherits(x, "cawi_sparse_rows")

# Something that the functions of this file take.
is_sparse <- function(x) if (isS4(x)) is_sparse_matrix(x) else is_sparse_rows(x)

is_sparse_matrix <- function(x) {
  if (is_compressed(x)) return(TRUE)
  # Read from a file, an object may come before its package.
  if (identical(attr(class(x), "package"), "Matrix")) need_matrix()
  inherits(x, "sparseMatrix")
}

# The usual kind is read by its slots alone: Matrix takes 150 MB of memory when it is loaded.
is_compressed <- function(x) identical(as.vector(class(x)), "dgCMatrix")

need_matrix <- function() rlang::check_installed("Matrix", "for sparse matrices.")

# `columns` (NULL: all) are the numbers of those that are wanted, in their order.
sparse_rows <- function(x, arg, call, columns = NULL) {
  if (is_sparse_rows(x)) return(known_sparse_rows(x, arg, call, columns))
  compressed <- if (is_compressed(x)) x else compressed_columns(x, arg, call)
  parts <- column_slots(compressed)
  if (is.null(parts)) abort_damaged_sparse(arg, call)
  labels <- attr(compressed, "Dimnames")[[2L]]
  if (!is.null(columns)) labels <- labels[columns]
  new_sparse_rows(transpose_sparse_cpp(parts, columns), labels)
}

# Of a dgCMatrix, as the core takes rows; NULL where they do not fit.
column_slots <- function(x) {
  size <- attr(x, "Dim")
  start <- attr(x, "p")
  labels <- attr(x, "Dimnames")
  sized <- is.integer(size) && length(size) == 2L && !anyNA(size) && is.integer(start) &&
    length(start) == size[2L] + 1L && !anyNA(start)
  if (!sized || !is.list(labels) || length(labels) != 2L) return(NULL)
  named <- is.null(labels[[2L]]) ||
    (is.character(labels[[2L]]) && length(labels[[2L]]) == size[2L])
  if (!named) return(NULL)
  # Slots may have room that is not used.
  last <- start[length(start)]
  used <- function(slot) if (length(slot) > last && last >= 0L) slot[seq_len(last)] else slot
  parts <- list(start = start, column = used(attr(x, "i")), value = used(attr(x, "x")),
                columns = size[1L])
  if (sound_sparse_rows_cpp(parts)) parts
}

new_sparse_rows <- function(parts, labels) {
  structure(c(parts, list(labels = labels)), class = "cawi_sparse_rows")
}

# Rows that a model kept.
known_sparse_rows <- function(x, arg, call, columns) {
  if (!is_sound_sparse(x)) abort_damaged_sparse(arg, call)
  if (is.null(columns)) return(x)
  new_sparse_rows(transpose_sparse_cpp(transpose_sparse_cpp(x), columns), x$labels[columns])
}

is_sound_sparse <- function(x) {
  is.list(x) && sound_sparse_rows_cpp(x) &&
    (is.null(x$labels) || (is.character(x$labels) && length(x$labels) == x$columns))
}

abort_damaged_sparse <- function(arg, call) {
  abort_argument(arg, "{.arg {arg}} is no sound sparse matrix: its indices do not fit.", call)
}

# Any sparse matrix as a dgCMatrix, or an object that extends it. What was edited is looked at
# before code that trusts it.
compressed_columns <- function(x, arg, call) {
  need_matrix()
  if (!isTRUE(tryCatch(methods::validObject(x, test = TRUE), error = function(e) FALSE))) {
    abort_damaged_sparse(arg, call)
  }
  if (inherits(x, "dgCMatrix")) return(x)
  tryCatch({
    for (form in c("dMatrix", "generalMatrix", "CsparseMatrix")) x <- methods::as(x, form)
    x
  }, error = function(e) {
    message <- c("{.arg {arg}} cannot be read as a sparse matrix of numbers: {conditionMessage(e)}",
                 i = "A {.cls dgCMatrix} can.")
    abort_argument(arg, message, call)
  })
}

#' @export
dim.cawi_sparse_rows <- function(x) {
  parts <- unclass(x)
  c(length(parts$start) - 1L, parts$columns)
}

#' @export
dimnames.cawi_sparse_rows <- function(x) {
  labels <- unclass(x)$labels
  if (is.null(labels)) NULL else list(NULL, labels)
}

# Rows of them; columns are chosen on the way in.
#' @export
`[.cawi_sparse_rows` <- function(x, i, j, ..., drop = FALSE) {
  if (!missing(j)) {
    message <- "Sparse rows have no {.arg j}: their columns are chosen when they are made."
    abort_argument("j", message, environment())
  }
  if (missing(i)) return(x)
  rows <- tryCatch(seq_len(nrow(x))[i], error = function(e) NA_integer_)
  if (anyNA(rows)) {
    message <- "{.arg i} must tell rows from 1 to {nrow(x)}, not {shown(i)}."
    abort_argument("i", message, environment())
  }
  sound(x, "x", new_sparse_rows(some_sparse_rows_cpp(x, rows), x$labels))
}

#' @export
as.matrix.cawi_sparse_rows <- function(x, ...) {
  sound(x, "x", with_names(dense_rows_cpp(x), NULL, x$labels))
}

#' @export
print.cawi_sparse_rows <- function(x, ...) {
  check_data_only(x, "x")
  if (!holds(is_sound_sparse(x))) abort_damaged_sparse("x", environment())
  text <- sound(x, "x", sprintf("<sparse rows> %d x %d, %d numbers stored\n", nrow(x), ncol(x),
                                length(x$value)))
  cat(text)
  invisible(x)
}

# ---- what matrices and sparse rows have in common ------------------------------------------------

# The numbers that are there.
stored_values <- function(x) if (is_sparse_rows(x)) x$value else x

all_finite <- function(x) all_finite_cpp(stored_values(x))

# Numbers of the columns with a value of some kind.
columns_with <- function(x, is_kind) {
  if (!is_sparse_rows(x)) return(which(colSums(is_kind(x)) > 0))
  sort(unique(x$column[is_kind(x$value)])) + 1L
}

# Missing values of every column.
missing_counts <- function(x) {
  if (!is_sparse_rows(x)) return(colSums(is.na(x)))
  tabulate(x$column[is.na(x$value)] + 1L, ncol(x))
}

incomplete_rows <- function(x) {
  if (!is_sparse_rows(x)) return(rowSums(is.na(x)) > 0)
  tabulate(sparse_row_numbers(x)[is.na(x$value)], nrow(x)) > 0L
}

# The row of each stored number.
sparse_row_numbers <- function(x) rep.int(seq_len(nrow(x)), diff(x$start))

# x with its missing values put in, `fill` per column.
fill_holes <- function(x, fill) {
  if (!is_sparse_rows(x)) {
    holes <- which(is.na(x), arr.ind = TRUE)
    x[holes] <- fill[holes[, 2L]]
    return(x)
  }
  holes <- which(is.na(x$value))
  x$value[holes] <- fill[x$column[holes] + 1L]
  x
}

# Rows below others, in the form that these have.
append_rows <- function(x, more) {
  if (!is_sparse_rows(x)) return(rbind(x, as.matrix(more)))
  more <- as_sparse_like(more)
  if (length(x$value) + as.double(length(more$value)) > .Machine$integer.max) {
    abort_memory(NULL, "", caller_env())
  }
  parts <- list(start = c(x$start, x$start[length(x$start)] + more$start[-1L]),
                column = c(x$column, more$column), value = c(x$value, more$value),
                columns = x$columns)
  new_sparse_rows(parts, x$labels)
}

# Rows of a matrix compressed.
as_sparse_like <- function(x) {
  if (is_sparse_rows(x)) return(x)
  x <- t(x)
  place <- which(x != 0 | is.na(x), arr.ind = TRUE)
  parts <- list(start = c(0L, cumsum(tabulate(place[, 2L], ncol(x)))),
                column = unname(place[, 1L]) - 1L, value = x[place], columns = nrow(x))
  new_sparse_rows(parts, rownames(x))
}

# Calls f(values, rows) with what each column has stored, and the numbers of its rows.
each_sparse_column <- function(x, f) {
  columns <- transpose_sparse_cpp(x)
  lapply(seq_len(ncol(x)), function(j) {
    at <- seq_len(columns$start[j + 1L] - columns$start[j]) + columns$start[j]
    f(columns$value[at], columns$column[at] + 1L)
  })
}

# ---- what sparse rows have no room for -----------------------------------------------------------

# Bytes up to which something dense is made of sparse features: sums of all pairs of them, or some
# rows as a whole.
most_filled <- 2^30

# `numbers` that would be dense; `arg` asks for them, and `advice` are other ways.
check_filled <- function(numbers, what, arg, advice, call) {
  bytes <- 8 * numbers
  if (bytes <= most_filled) return(invisible())
  size <- bytes_text(bytes)
  abort_argument(arg, c(paste0("{.arg x} is sparse, and ", what, " would fill {size}."),
                        i = advice), call)
}

# Rows whose dependence is looked at, which takes all of their numbers and a matrix of all pairs of
# features.
dense_sample <- function(x, call) {
  if (!is_sparse_rows(x)) return(x)
  columns <- as.double(ncol(x))
  check_filled(columns * max(nrow(x), columns), paste("a copula of", ncol(x), "features"), "init",
               "{.code init = \"iid\"} needs none.", call)
  as.matrix(x)
}
