# Readers of text files: lines, fields, and the three kinds of tables.

# The lines that are not blank, with their numbers.
read_text <- function(file, call) {
  bytes <- read_bytes(file, call)
  if (length(grepRaw(as.raw(0L), bytes, fixed = TRUE)) > 0L) {
    abort_file(file, "it is not a text file", call)
  }
  byte_order_mark <- as.raw(c(0xef, 0xbb, 0xbf))
  if (identical(utils::head(bytes, 3L), byte_order_mark)) bytes <- bytes[-(1:3)]
  connection <- rawConnection(bytes)
  on.exit(close(connection))
  text <- readLines(connection, warn = FALSE)
  foreign <- !validUTF8(text)
  text[foreign] <- iconv(text[foreign], "latin1", "UTF-8")
  filled <- which(grepl("[^[:space:]]", text))
  if (length(filled) == 0L) abort_file(file, "it is empty", call)
  list(text = text[filled], number = filled, file = file)
}

# The bytes of a file, decompressed where they begin as gzip does.
read_bytes <- function(file, call) {
  bytes <- readBin(file, "raw", file.size(file))
  if (!identical(bytes[1:2], as.raw(c(0x1f, 0x8b)))) return(bytes)
  damaged <- function(condition) {
    abort_file(file, "its compressed data are damaged or cut short", call)
  }
  content <- tryCatch(read_gzip(file, call), cawi_error = function(e) stop(e), warning = damaged,
                      error = damaged)
  if (!is_whole_gzip(bytes, length(content))) damaged()
  content
}

# A few bytes may stand for any number: what cannot be held as text is not read to its end.
read_gzip <- function(file, call, most = min(memory_left(), 2^40) / 4) {
  connection <- gzfile(file, "rb")
  on.exit(close(connection))
  chunks <- list()
  size <- 0
  repeat {
    chunk <- readBin(connection, "raw", 1e6)
    size <- size + length(chunk)
    if (size > most) abort_memory(4 * size, "", call)
    if (length(chunk) == 0L) return(do.call(c, c(list(raw()), chunks)))
    chunks[[length(chunks) + 1L]] <- chunk
  }
}

# R reads a file that was cut short without a word. The last four bytes are the size of the content
# or, in a file of several members, of the last one.
is_whole_gzip <- function(bytes, size) {
  stated <- sum(as.integer(utils::tail(bytes, 4L)) * 256^(0:3))
  if (stated == size %% 2^32) return(TRUE)
  starts <- which(bytes == 0x1f)
  members <- sum(bytes[starts + 1L] == 0x8b & bytes[starts + 2L] == 0x08, na.rm = TRUE)
  members > 1L && stated < size
}

# All fields as one vector, and how many each line has. A quoted field ends on its own line.
split_fields <- function(lines, sep, call, quote = "\"") {
  connection <- textConnection(lines$text, encoding = "UTF-8")
  on.exit(close(connection))
  count <- utils::count.fields(connection, sep = sep, quote = quote, comment.char = "")
  if (anyNA(count)) {
    abort_file(lines$file, "a quote is not closed", call,
               line = lines$number[which(is.na(count))[1L]])
  }
  fields <- scan(text = lines$text, what = "", sep = sep, quote = quote, strip.white = TRUE,
                 na.strings = character(),
                 comment.char = "", quiet = TRUE, encoding = "UTF-8")
  list(fields = fields, count = count)
}

# The fields as a matrix: all lines must have equally many.
field_matrix <- function(lines, sep, call, expected = NULL, quote = "\"") {
  if (length(lines$text) == 0L) return(matrix("", 0L, if (is.null(expected)) 0L else expected))
  split <- split_fields(lines, sep, call, quote)
  if (is.null(expected)) expected <- split$count[1L]
  ragged <- which(split$count != expected)
  if (length(ragged) > 0L) {
    found <- split$count[ragged[1L]]
    abort_file(lines$file, "{expected} field{?s} expected, not {found}", call,
               line = lines$number[ragged[1L]])
  }
  matrix(split$fields, ncol = expected, byrow = TRUE)
}

subset_lines <- function(lines, keep) {
  list(text = lines$text[keep], number = lines$number[keep], file = lines$file)
}

# ---- tables of lines -----------------------------------------------------------------------------

read_csv_cells <- function(file, label, call) {
  lines <- read_text(file, call)
  count <- function(mark) nchar(gsub(paste0("[^", mark, "]"), "", lines$text[1L]))
  sep <- if (count(";") > count(",")) ";" else ","
  table_cells(lines, line_fields(lines, 1L, sep, call), sep, label, call)
}

read_dat_cells <- function(file, label, call) {
  lines <- read_text(file, call)
  first <- line_fields(lines, 1L, "", call)
  second <- line_fields(lines, min(2L, length(lines$text)), "", call)
  # A column of row numbers has no name, and between blanks an empty name is invisible.
  if (length(second) == length(first) + 1L && is_header(first, label)) first <- c("", first)
  cells <- table_cells(lines, first, "", label, call)
  if (has_row_numbers(cells, file)) drop_first_column(cells) else cells
}

drop_first_column <- function(cells) {
  cells$values <- cells$values[, -1L, drop = FALSE]
  cells$names <- cells$names[-1L]
  cells
}

# The original collection numbers the rows of its files.
has_row_numbers <- function(cells, file) {
  rows <- nrow(cells$values)
  grepl("_R\\.dat$", file) && rows > 1L &&
    identical(cells$values[, 1L], as.character(seq_len(rows)))
}

line_fields <- function(lines, i, sep, call) split_fields(subset_lines(lines, i), sep, call)$fields

label_names <- c("class", "classes", "label", "labels", "target", "outcome", "y")

# A line is a header if no name of a feature is a number, or if the labels have a usual name.
is_header <- function(fields, label) {
  if (is.character(label)) return(TRUE)
  tolower(fields[label_field(fields, label)]) %in% label_names || has_feature_names(fields, label)
}

label_field <- function(fields, label) min(label %||% length(fields), length(fields))

has_feature_names <- function(fields, label) {
  features <- if (length(fields) > 1L) fields[-label_field(fields, label)] else fields
  all(is.na(suppressWarnings(as.numeric(features)))) && !all(features %in% missing_marks)
}

# A usual name after numbers may be a label itself. It is one if it occurs again among the labels.
is_label_again <- function(fields, label, values) {
  if (is.character(label) || fields[1L] == "" || has_feature_names(fields, label)) return(FALSE)
  at <- label_field(fields, label)
  fields[at] %in% values[, at]
}

table_cells <- function(lines, first, sep, label, call) {
  check_columns(length(first), lines$file, call)
  header <- is_header(first, label)
  body <- if (header) subset_lines(lines, -1L) else lines
  values <- field_matrix(body, sep, call, length(first))
  if (header && is_label_again(first, label, values)) {
    header <- FALSE
    body <- lines
    values <- rbind(first, values, deparse.level = 0)
  }
  names <- if (header) first else plain_names(length(first), label)
  cells <- list(values = values, names = names, line = body$number)
  if (names[1L] == "") drop_first_column(cells) else cells
}

plain_names <- function(columns, label = NULL) {
  at <- if (is.null(label)) columns else min(label, columns)
  append(paste0("f", seq_len(columns - 1L)), "class", at - 1L)
}

# ---- ARFF ----------------------------------------------------------------------------------------

read_arff_cells <- function(file, label, call) {
  lines <- read_text(file, call)
  lines <- subset_lines(lines, !startsWith(trimws(lines$text), "%"))
  start <- grep("^\\s*@data\\b", lines$text, ignore.case = TRUE)
  if (length(start) == 0L) abort_file(file, "it has no line {.val @data}", call)
  head <- lines$text[seq_len(start[1L] - 1L)]
  pattern <- "^\\s*@attribute\\s+('[^']*'|\"[^\"]*\"|\\S+)\\s.*$"
  names <- sub(pattern, "\\1", grep(pattern, head, value = TRUE, ignore.case = TRUE),
               ignore.case = TRUE)
  if (length(names) == 0L) abort_file(file, "it has no line {.val @attribute}", call)
  body <- subset_lines(lines, -seq_len(start[1L]))
  sparse <- which(startsWith(trimws(body$text), "{"))
  if (length(sparse) > 0L) {
    abort_file(file, "sparse rows are not read", call, line = body$number[sparse[1L]])
  }
  list(values = field_matrix(body, ",", call, length(names), quote = "\"'"),
       names = gsub("^['\"]|['\"]$", "", names), line = body$number)
}
