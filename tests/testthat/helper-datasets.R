# A folder of its own for the files of a test.
new_folder <- function(envir = parent.frame()) {
  folder <- tempfile("cawi-data-")
  dir.create(folder)
  do.call(on.exit, list(bquote(unlink(.(folder), recursive = TRUE)), add = TRUE), envir = envir)
  folder
}

# Runs code with no folder of data but those it names.
with_data_folders <- function(code, option = NULL, variable = "") {
  with_option("cawi.data", option, with_environment_variable("CAWI_DATA", variable, code))
}

# A small table of features and labels, and the set that every format of it must give.
small_table <- data.frame(f1 = c(0.5, -1.25, 1e-3, 2, -7), f2 = c(3, 1e6, -0.125, 4, 0),
                          class = c(0, 10, 9, 0, 10))

write_lines <- function(folder, name, ...) {
  path <- file.path(folder, name)
  dir.create(dirname(path), showWarnings = FALSE)
  writeLines(c(...), path)
  path
}

csv_lines <- function(table = small_table, header = TRUE) {
  c(if (header) paste(names(table), collapse = ","), do.call(paste, c(unname(table), sep = ",")))
}

# As the original collection writes them: a tab before the names, and numbered rows.
dat_lines <- function(table = small_table) {
  names(table)[ncol(table)] <- "clase"
  c(paste0("\t", paste(names(table), collapse = "\t")),
    do.call(paste, c(list(seq_len(nrow(table))), unname(table), sep = "\t")))
}

arff_lines <- function(table = small_table) {
  features <- names(table)[-ncol(table)]
  c("% a comment", "@relation small", "", paste("@attribute", features, "real"),
    "@ATTRIBUTE class {0,9,10}", "", "@DATA", csv_lines(table, header = FALSE))
}

write_gzip <- function(folder, name, lines) {
  path <- file.path(folder, name)
  connection <- gzfile(path, "w")
  on.exit(close(connection))
  writeLines(lines, connection)
  path
}

expect_small <- function(data, names = c("f1", "f2")) {
  expect_s3_class(data, "cawi_dataset")
  expect_identical(data$x, as.matrix(stats::setNames(small_table[1:2], names)))
  expect_identical(data$y, factor(small_table$class, levels = c(0, 9, 10)))
}

# An error of the class of its topic that names the file, and the line where it has one.
expect_file_error <- function(code, file, line = NULL, topic = "file", text = NULL) {
  error <- expect_error(code, class = paste0("cawi_error_", topic))
  expect_s3_class(error, "cawi_error")
  message <- gsub("\\s+", " ", cli::ansi_strip(conditionMessage(error)))
  expect_match(message, file, fixed = TRUE)
  if (!is.null(line)) expect_match(message, paste0(", line ", line, ":"), fixed = TRUE)
  if (!is.null(text)) expect_match(message, text, fixed = TRUE)
}
