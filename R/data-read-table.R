#' Read a table of features and classes
#'
#' Reads your own features with a column of class labels, in the form that the models take.
#'
#' @details
#' The name of the file tells its kind:
#' * `.csv`: separated by commas, or by semicolons. The first line is a header where none of its
#'   features is a number, or where the labels have a usual name (class, label, target, outcome, y)
#'   that is not among them.
#' * `.dat`, `.txt`, `.tsv`: separated by blanks or tabs, with a header as above.
#' * `.arff`: dense, with numeric features.
#' * `.mat`: MATLAB files up to version 7, through the package R.matlab. Either one numeric matrix,
#'   or variables `X` and `Y` (or whatever the name given by `label`). Where a variable beside the
#'   matrix may have labels that are not numbers, `label` must say where they are.
#' * `.svm`, `.svmlight`, `.libsvm`: sparse. Each line has a label and the features that are not
#'   zero, as in `1 3:0.5 17:2 # comment`, with indices from one. Groups (`qid`) are not used, with
#'   a warning of class `cawi_warning_qid`.
#'
#' All but MATLAB files may be compressed, with `.gz` after the name. A first column without a name,
#' as R writes row names, is left out.
#'
#' Labels are whole numbers or words. The levels of `y` are in the order of numbers, or else of the
#' alphabet in the C locale. A file that is empty, cut short, ragged, or has cells that are missing
#' or not numbers gives an error of class `cawi_error_file` (`cawi_error_label` for the labels) that
#' names the file and the line.
#'
#' @param file Path of the file.
#' @param label The column of class labels, by name or position; the last one where `NULL`. In
#'   svmlight files it is always the first field.
#' @param features For svmlight files: the number of features, so that files of the same data have
#'   the same columns. By default it is the largest index of the file.
#' @param ... Not used.
#' @return A list of class `cawi_dataset`: `x`, a numeric matrix with column names, for svmlight
#'   files a sparse `dgCMatrix`; `y`, a factor; `name`; `source`, where the data come from.
#' @seealso [cawi_read_dataset()] for the sets of the paper.
#' @examples
#' file <- tempfile(fileext = ".csv")
#' write.csv(iris, file, row.names = FALSE, quote = FALSE)
#' data <- cawi_read_table(file, label = "Species")
#' data
#' cawi_rvfl(data$x, data$y, hidden = 20, seed = 1)
#' @export
cawi_read_table <- function(file, label = NULL, features = NULL, ...) {
  check_dots(rlang::enquos(...))
  check_given(file, "file")
  file <- check_file(file)
  label <- check_label(label)
  name <- sub("\\.[^.]+$", "", sub("\\.gz$", "", basename(file)))
  if (file_kind(file) != "svmlight") {
    if (!is.null(features)) {
      abort_argument("features", "{.arg features} is for svmlight files.", environment())
    }
    return(new_dataset(read_cells(file, label), name, basename(file)))
  }
  if (!is.null(label)) {
    message <- "{.arg label} has no use here: the labels of svmlight files come first."
    abort_argument("label", message, environment())
  }
  if (!is.null(features)) features <- check_count(features, "features")
  as_dataset(read_svmlight(file, features, environment()), name, basename(file))
}

check_file <- function(file, call = caller_env()) {
  if (!is.character(file) || length(file) != 1L || is.na(file)) {
    abort_argument("file", "{.arg file} must be one path, not {shown(file)}.", call)
  }
  check_readable(file, "file", call)
  if (is.na(file_kind(file))) {
    endings <- c(".csv", ".dat", ".txt", ".tsv", ".arff", ".mat", ".svm", ".svmlight", ".libsvm")
    message <- paste("{.arg file} must end in {.or {.val {endings}}},",
                     "not be {.file {printable(basename(file))}}.")
    abort_argument("file", message, call)
  }
  file
}

check_label <- function(label, call = caller_env()) {
  is_name <- is.character(label) && length(label) == 1L && !is.na(label)
  is_position <- is.numeric(label) && length(label) == 1L &&
    isTRUE(label >= 1 && label == round(label))
  if (!is.null(label) && !is_name && !is_position) {
    abort_argument("label",
                   "{.arg label} must be the name or position of a column, not {shown(label)}.",
                   call)
  }
  label
}

file_kinds <- c(csv = "\\.csv(\\.gz)?$", dat = "\\.(dat|txt|tsv)(\\.gz)?$",
                arff = "\\.arff(\\.gz)?$", mat = "\\.mat$",
                svmlight = "\\.(svm|svmlight|libsvm)(\\.gz)?$")

file_kind <- function(file) {
  kind <- names(file_kinds)[vapply(file_kinds, grepl, logical(1), x = file, ignore.case = TRUE)]
  if (length(kind) == 1L) kind else NA_character_
}

# Every reader gives the cells of a file: a list of `values`, a matrix of characters or numbers;
# `names` of its columns; `label`, the position of the labels; and for each row its `file` and
# `line` (NA where the file has no lines).
read_cells <- function(file, label = NULL, call = caller_env()) {
  if (file.access(file, 4L) != 0L) abort_file(file, "it may not be read", call)
  reader <- switch(file_kind(file), csv = read_csv_cells, dat = read_dat_cells,
                   arff = read_arff_cells, mat = read_mat_cells)
  cells <- reader(file, label, call)
  cells$file <- rep(basename(file), nrow(cells$values))
  if (nrow(cells$values) == 0L) abort_file(file, "it has no rows", call)
  check_columns(ncol(cells$values), file, call)
  cells$label <- label_position(cells, label, file, call)
  cells
}

check_columns <- function(columns, file, call) {
  if (columns < 2L) {
    abort_file(file, "it needs a feature and a label, not {columns} column{?s}", call)
  }
}

# Blames a file, and a line of it where there is one. `problem` is a cli string.
abort_file <- function(file, problem, call, line = NA, topic = "file", .envir = parent.frame()) {
  place <- if (is.na(line)) "" else paste0(", line ", line)
  problem <- cli::format_inline(problem, .envir = .envir)
  abort_argument(topic, "File {.file {printable(basename(file))}}{place}: {problem}.", call)
}

label_position <- function(cells, label, file, call) {
  columns <- length(cells$names)
  if (is.null(label)) return(if (is.null(cells$label)) columns else cells$label)
  if (is.numeric(label)) {
    if (label <= columns) return(as.integer(label))
    abort_file(file, "{.arg label} is {label}, but it has {columns} columns", call, topic = "label")
  }
  # Where the reader has found it, as the variable of a MATLAB file.
  if (!is.null(cells$label)) return(cells$label)
  at <- which(cells$names == label)
  if (length(at) != 1L) {
    problem <- paste("{.arg label} is {.val {label}},",
                     "but {length(at)} of its columns {?has/have} that name")
    abort_file(file, problem, call, topic = "label")
  }
  at
}

# ---- the set -------------------------------------------------------------------------------------

new_dataset <- function(cells, name, source, call = caller_env()) {
  as_dataset(list(x = feature_matrix(cells, call), y = class_factor(cells, call)), name, source)
}

as_dataset <- function(data, name, source) {
  structure(c(data, list(name = name, source = source)), class = "cawi_dataset")
}

feature_matrix <- function(cells, call) {
  values <- cells$values[, -cells$label, drop = FALSE]
  names <- make.unique(cells$names[-cells$label])
  x <- suppressWarnings(as.numeric(values))
  if (!all(is.finite(x))) {
    # The first in the order of lines.
    bad <- which(matrix(!is.finite(x), nrow(values)), arr.ind = TRUE)
    bad <- bad[order(bad[, 1L])[1L], ]
    abort_cell(cells, bad[[1L]], names[bad[[2L]]], values[bad[[1L]], bad[[2L]]], call)
  }
  matrix(x, nrow(values), dimnames = list(NULL, names))
}

missing_marks <- c("", "NA", "NaN", "nan", "?", "null", "NULL")

abort_cell <- function(cells, row, column, value, call, topic = "file") {
  problem <- if (is.na(value) || value %in% missing_marks) {
    "has a missing cell"
  } else if (is.numeric(value) || !is.na(suppressWarnings(as.numeric(value)))) {
    "is not finite"
  } else {
    "is not a number: {.val {value}}"
  }
  line <- cells$line[row]
  place <- if (is.na(line)) "row {row}, column {.val {column}}" else "column {.val {column}}"
  abort_file(cells$file[row], paste(place, problem), call, line = line, topic = topic)
}

# Numbers are compared as numbers, so that 1 and 1.0 are one class and 10 comes after 9.
class_factor <- function(cells, call) {
  values <- cells$values[, cells$label]
  bad <- is.na(values) | values %in% missing_marks
  if (any(bad)) {
    abort_cell(cells, which(bad)[1L], cells$names[cells$label], values[bad][1L], call, "label")
  }
  number <- suppressWarnings(as.numeric(values))
  if (anyNA(number)) return(factor(values, levels = sort(unique(values), method = "radix")))
  bad <- number != round(number) | is.infinite(number)
  if (any(bad)) {
    row <- which(bad)[1L]
    column <- cells$names[cells$label]
    problem <- "column {.val {column}} has {.val {number[row]}}, which is no class label"
    abort_file(cells$file[row], problem, call, line = cells$line[row], topic = "label")
  }
  known <- sort(unique(number))
  factor(number, known, format(known, scientific = FALSE, trim = TRUE))
}

#' @export
print.cawi_dataset <- function(x, ...) {
  # A sparse matrix of the package Matrix is a formal object.
  formal <- is.list(x) && isS4(unclass(x)$x)
  check_data_only(if (formal) replace(unclass(x), "x", list(NULL)) else x, "x")
  size <- if (is.list(x)) if (is_sparse(x$x)) attr(x$x, "Dim") else dim(x$x)
  sound <- is.list(x) && (is_sparse(x$x) || (is.numeric(x$x) && is.matrix(x$x))) &&
    length(size) == 2L && is.factor(x$y) && length(x$y) == size[1L] &&
    is_string(x$name) && is_string(x$source)
  if (!sound) {
    abort_argument("x", "{.arg x} is damaged: it must have features, classes, a name and a source.",
                   environment())
  }
  counts <- table(x$y)
  classes <- paste0(names(counts), " (", counts, ")")
  more <- length(classes) - 8L
  if (more > 1L) classes <- c(classes[seq_len(8L)], paste("and", more, "more"))
  cat(sprintf("<cawi_dataset> %s: %s rows, %d features, %d classes\n", x$name,
              format(size[1L], big.mark = ",", decimal.mark = "."), size[2L], nlevels(x$y)))
  cat(strwrap(paste("classes:", paste(classes, collapse = ", ")), indent = 2L, exdent = 4L),
      sep = "\n")
  cat("  source: ", x$source, "\n", sep = "")
  invisible(x)
}
