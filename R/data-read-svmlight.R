# svmlight files, which libsvm has too: a line is a label and the features that are not zero,
# `label index:value index:value ... # comment`, with indices from one.

read_svmlight <- function(file, features, call) {
  if (file.access(file, 4L) != 0L) abort_file(file, "it may not be read", call)
  lines <- read_text(file, call)
  lines$text <- trimws(sub("#.*", "", lines$text))
  lines <- subset_lines(lines, nzchar(lines$text))
  if (length(lines$text) == 0L) abort_file(file, "it has no rows", call)
  fields <- strsplit(lines$text, "[[:space:]]+")
  cells <- list(values = matrix(vapply(fields, `[`, "", 1L)), names = "label", label = 1L,
                file = rep(basename(file), length(fields)), line = lines$number)
  pairs <- svmlight_pairs(fields, lines, call)
  list(x = svmlight_matrix(pairs, features, lines, call), y = class_factor(cells, call))
}

# Row, index and value of every number.
svmlight_pairs <- function(fields, lines, call) {
  row <- rep(seq_along(fields), lengths(fields) - 1L)
  text <- unlist(lapply(fields, `[`, -1L))
  query <- grepl("^qid:", text)
  if (any(query)) {
    file <- lines$file
    message <- "File {.file {printable(basename(file))}} groups its rows by {.code qid}: not used."
    warn_topic("qid", message, call)
    row <- row[!query]
    text <- text[!query]
  }
  check_field <- function(bad, problem) {
    if (!any(bad)) return(invisible())
    first <- which(bad)[1L]
    field <- text[first]
    abort_file(lines$file, problem, call, line = lines$number[row[first]])
  }
  check_field(!grepl("^[0-9]+:[^:]+$", text), "{.val {field}} is not an index and a value")
  index <- as.numeric(sub(":.*", "", text))
  check_field(index < 1, "{.val {field}} has index 0, but indices count from 1")
  check_field(index > .Machine$integer.max, "{.val {field}} has too large an index")
  value <- suppressWarnings(as.numeric(sub(".*:", "", text)))
  check_field(!is.finite(value), "{.val {field}} has no finite number")
  check_field(duplicated(data.frame(row, index)), "{.val {field}} has an index for the second time")
  list(row = row, index = as.integer(index), value = value)
}

# The columns are as many as there are features, by default as the largest index says.
svmlight_matrix <- function(pairs, features, lines, call) {
  rlang::check_installed("Matrix", "to read svmlight files.")
  columns <- if (is.null(features)) max(0L, pairs$index) else features
  if (columns == 0L) abort_file(lines$file, "it has no features", call)
  beyond <- which(pairs$index > columns)
  if (length(beyond) > 0L) {
    index <- pairs$index[beyond[1L]]
    abort_file(lines$file, "index {index} is beyond the {columns} features", call,
               line = lines$number[pairs$row[beyond[1L]]])
  }
  # Most of it are the names.
  check_memory(80 * as.double(columns), call)
  Matrix::sparseMatrix(i = pairs$row, j = pairs$index, x = pairs$value,
                       dims = c(length(lines$text), columns),
                       dimnames = list(NULL, paste0("x", seq_len(columns))))
}
