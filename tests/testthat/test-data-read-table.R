test_that("every kind of text file gives the same set", {
  folder <- new_folder()
  files <- c(
    write_lines(folder, "a.csv", csv_lines()),
    write_gzip(folder, "b.csv.gz", csv_lines()),
    write_lines(folder, "c.dat", dat_lines()),
    write_lines(folder, "d.dat", gsub(",", "   ", csv_lines())),
    write_lines(folder, "e.tsv", gsub(",", "\t", csv_lines())),
    write_lines(folder, "f.txt", gsub(",", " ", csv_lines(header = FALSE))),
    write_lines(folder, "g.arff", arff_lines()),
    write_gzip(folder, "h.arff.gz", arff_lines()),
    write_lines(folder, "i.csv", gsub(",", ";", csv_lines())),
    write_lines(folder, "j.csv", csv_lines(header = FALSE)),
    write_lines(folder, "k.CSV", csv_lines())
  )
  for (file in files) {
    data <- cawi_read_table(file)
    expect_small(data)
    expect_identical(data$source, basename(file))
    expect_identical(data$name, substr(basename(file), 1, 1))
  }
})

test_that("what R writes is read as it was", {
  folder <- new_folder()
  table <- data.frame(a = stats::qnorm(1:20 / 21), `b c` = (1:20)^3,
                      kind = rep(c("yes, sir", "no"), 10),
                      check.names = FALSE)
  same <- function(file, ...) {
    data <- cawi_read_table(file, ...)
    # write.table() keeps 15 digits.
    expect_equal(data$x, as.matrix(table[1:2]), tolerance = 1e-14)
    expect_identical(data$y, factor(table$kind))
  }
  file <- file.path(folder, "own.csv")
  utils::write.csv(table, file, row.names = FALSE)
  same(file)
  same(file, label = "kind")
  same(file, label = 3)
  utils::write.csv(table, file)
  same(file)
  same(file, label = 3)
  file <- file.path(folder, "own.dat")
  for (names in list(TRUE, NA)) {
    utils::write.table(table, file, row.names = TRUE, col.names = names)
    same(file)
  }
})

test_that("the label is found by name, by position and as the last column", {
  folder <- new_folder()
  file <- write_lines(folder, "a.csv", csv_lines(small_table[c(3, 1, 2)]))
  expect_small(cawi_read_table(file, label = 1))
  expect_small(cawi_read_table(file, label = "class"))
  headless <- write_lines(folder, "b.csv", csv_lines(small_table[c(1, 3, 2)], header = FALSE))
  expect_small(cawi_read_table(headless, label = 2))
  arff <- write_lines(folder, "a.arff", arff_lines())
  expect_small(cawi_read_table(arff, label = "class"))
  # A row number does not count as a column.
  dat <- write_lines(folder, "a.dat", dat_lines(small_table))
  expect_small(cawi_read_table(dat, label = 3))
  # A number as the name of a column needs its label named.
  numbered <- write_lines(folder, "c.csv", "1,2,class", csv_lines(header = FALSE))
  expect_small(cawi_read_table(numbered, label = "class"), names = c("1", "2"))
})

test_that("labels are numbers in their order or words in that of the alphabet", {
  folder <- new_folder()
  levels_of <- function(...) {
    levels(cawi_read_table(write_lines(folder, "a.csv", c("f,class", paste0("1,", c(...)))))$y)
  }
  expect_identical(levels_of("10", "9", "-1"), c("-1", "9", "10"))
  expect_identical(levels_of("1", "1.0", "2"), c("1", "2"))
  expect_identical(levels_of("b", "a", "B"), c("B", "a", "b"))
  expect_identical(levels_of("2", "a", "10"), c("10", "2", "a"))
  expect_identical(levels_of("100000", "2"), c("2", "100000"))
  expect_identical(levels_of("TRUE", "FALSE"), c("FALSE", "TRUE"))
})

test_that("marks of editors and systems do not matter", {
  folder <- new_folder()
  path <- file.path(folder, "a.csv")
  write_text <- function(...) writeBin(c(...), path)
  text <- function(end) charToRaw(paste0(csv_lines(), end, collapse = ""))
  for (end in c("\n", "\r\n", "\r", "  \n", "\n\n")) {
    write_text(text(end))
    expect_small(cawi_read_table(path))
  }
  write_text(as.raw(c(0xef, 0xbb, 0xbf)), text("\n"))
  expect_small(cawi_read_table(path))
  write_text(utils::head(text("\n"), -1))
  expect_small(cawi_read_table(path))
  # Latin 1 in a name.
  write_text(charToRaw("f"), as.raw(0xe4), text("\n")[-(1:2)])
  expect_small(cawi_read_table(path), names = c("f\u00e4", "f2"))
  # Several members of gzip in one file.
  lines <- list(csv_lines()[1:3], csv_lines()[4:6])
  parts <- vapply(1:2, function(i) write_gzip(folder, paste0(i, ".gz"), lines[[i]]), "")
  whole <- file.path(folder, "b.csv.gz")
  writeBin(do.call(c, lapply(parts, readBin, "raw", 1e4)), whole)
  expect_small(cawi_read_table(whole))
})

test_that("names of features are unique", {
  folder <- new_folder()
  file <- write_lines(folder, "a.csv", "f,f,class", "1,2,0", "3,4,1")
  expect_identical(colnames(cawi_read_table(file)$x), c("f", "f.1"))
})

test_that("ARFF: quoted names, comments among the rows, labels in quotes", {
  folder <- new_folder()
  file <- write_lines(folder, "a.arff", "@relation 'a b'", "@attribute 'first one' numeric",
                      "@attribute f2\tREAL",
                      "@attribute \"the class\" {'x y','z'}", "@data", "1, 2, 'x y'", "% none",
                      "3,4,z")
  data <- cawi_read_table(file)
  expect_identical(data$x, cbind(`first one` = c(1, 3), f2 = c(2, 4)))
  expect_identical(levels(data$y), c("x y", "z"))
})

test_that("damaged text files name file and line", {
  folder <- new_folder()
  lines <- csv_lines()
  bad <- function(name, ..., line = NULL, topic = "file", text = NULL, label = NULL) {
    write_lines(folder, name, ...)
    expect_file_error(cawi_read_table(file.path(folder, name), label), name, line, topic, text)
  }
  for (name in c("a.csv", "a.dat", "a.arff")) {
    bad(name, character(), text = "empty")
    bad(name, "", "  ", text = "empty")
  }
  bad("a.csv", lines[1:3], "1,2", lines[4], line = 4, text = "3 fields expected, not 2")
  bad("a.csv", lines[1:3], "1,2,3,4", line = 4, text = "3 fields expected, not 4")
  bad("a.csv", lines[1:3], "1,2,3,", line = 4, text = "3 fields expected, not 4")
  # Lines keep their numbers where some are blank.
  bad("a.csv", lines[1:2], "", "", "1,2", line = 5)
  bad("a.csv", lines[1], text = "no rows")
  bad("a.csv", "class", "1", "2", text = "not 1 column")
  bad("a.dat", "\"\"", text = "columns")
  bad("a.csv", lines[1:2], "1,x,0", line = 3, text = "column \"f2\" is not a number: \"x\"")
  bad("a.csv", lines[1:2], "1,2 3,0", line = 3, text = "not a number: \"2 3\"")
  bad("a.csv", lines[1:2], "1,2,0", "Inf,2,0", line = 4, text = "column \"f1\" is not finite")
  for (mark in c("", "NA", "NaN", "?")) {
    bad("a.csv", lines[1:2], paste0("1,", mark, ",0"), line = 3,
        text = "column \"f2\" has a missing cell")
    bad("a.csv", lines[1:2], paste0("1,2,", mark), line = 3, topic = "label",
        text = "column \"class\" has a missing cell")
  }
  bad("a.csv", lines[1:2], "1,\"2,0", "3,4,0", line = 3, text = "quote")
  bad("a.dat", dat_lines()[1:3], "3 1 2", line = 4, text = "4 fields expected, not 3")
  bad("a.dat", dat_lines()[1:3], "3 1 x 0", line = 4, text = "column \"f2\"")
  arff <- arff_lines()
  bad("a.arff", arff[1:7], text = "@data")
  bad("a.arff", arff[1:8], text = "no rows")
  bad("a.arff", arff[c(1:3, 8:10)], text = "@attribute")
  bad("a.arff", arff, "1,2", line = 14, text = "3 fields expected, not 2")
  bad("a.arff", arff, "{0 1, 2 9}", line = 14, text = "sparse")
  bad("a.arff", arff, "1,?,9", line = 14, text = "missing")
})

test_that("a column that cannot be the labels is told", {
  folder <- new_folder()
  file <- write_lines(folder, "a.csv", csv_lines(small_table[c(3, 2, 1)]))
  expect_file_error(cawi_read_table(file), "a.csv", 2, "label", "0.5")
  expect_file_error(cawi_read_table(file, "clase"), "a.csv", NULL, "label", "\"clase\"")
  expect_file_error(cawi_read_table(file, 4), "a.csv", NULL, "label", "3 columns")
  twice <- write_lines(folder, "b.csv", "f,class,class", "1,0,1")
  expect_file_error(cawi_read_table(twice, "class"), "b.csv", NULL, "label",
                    "2 of its columns have")
})

test_that("compressed files that were cut short or damaged are not read", {
  folder <- new_folder()
  set.seed(1)
  rows <- sprintf("%.8f,%.8f,%d", stats::rnorm(500), stats::rnorm(500), 0:1)
  whole <- write_gzip(folder, "whole.csv.gz", c("f1,f2,class", rows))
  expect_identical(nrow(cawi_read_table(whole)$x), 500L)
  bytes <- readBin(whole, "raw", file.size(whole))
  file <- file.path(folder, "part.csv.gz")
  for (size in c(2, 9, 15, 200, length(bytes) %/% 2, length(bytes) - c(9, 8, 4, 1))) {
    writeBin(utils::head(bytes, size), file)
    expect_file_error(cawi_read_table(file), "part.csv.gz", text = "cut short")
  }
  middle <- length(bytes) %/% 2
  writeBin(replace(bytes, middle, xor(bytes[middle], as.raw(255))), file)
  expect_file_error(cawi_read_table(file), "part.csv.gz", text = "damaged")
})

test_that("a file of bytes is no text", {
  folder <- new_folder()
  file <- file.path(folder, "a.csv")
  writeBin(as.raw(c(65:70, 0, 1, 2)), file)
  expect_file_error(cawi_read_table(file), "a.csv", text = "not a text file")
})

test_that("what is read goes straight into a model", {
  folder <- new_folder()
  file <- file.path(folder, "own.csv")
  utils::write.csv(iris, file, row.names = FALSE)
  data <- cawi_read_table(file)
  expect_identical(unname(data$x), unname(as.matrix(iris[1:4])))
  fit <- cawi_rvfl(data$x, data$y, hidden = 20, seed = 1)
  expect_gt(mean(predict(fit, data$x) == data$y), 0.9)
})

test_that("prints of sets", {
  local_reproducible_output()
  data <- structure(list(x = matrix(0, 1000, 3), y = factor(rep(1:20, 50)), name = "many",
                         source = "many.csv"),
                    class = "cawi_dataset")
  expect_snapshot(data)
  data$y <- factor(rep(c("a", "b"), c(400, 600)))
  expect_snapshot(data)
})

test_that("a damaged set is not printed", {
  good <- list(x = matrix(0, 2, 1), y = factor(1:2), name = "a", source = "b")
  expect_output(print(structure(good, class = "cawi_dataset")), "2 rows, 1 features, 2 classes")
  damage <- list(x = "a", x = 1:2, x = matrix("a", 2, 1), y = 1:2, y = factor(1:3), name = 1,
                 name = c("a", "b"), source = NA_character_)
  for (i in seq_along(damage)) {
    bad <- structure(replace(good, names(damage)[i], damage[i]), class = "cawi_dataset")
    expect_error(print(bad), class = "cawi_error_x")
  }
  expect_error(print(structure(1, class = "cawi_dataset")), class = "cawi_error_x")
})

shipped_table <- system.file("extdata", "paper", "timing.csv", package = "cawi")

test_argument_errors(alist(
  file = cawi_read_table(),
  file = cawi_read_table(NULL),
  file = cawi_read_table(NA_character_),
  file = cawi_read_table(c("a.csv", "b.csv")),
  file = cawi_read_table("no-such-file.csv"),
  file = cawi_read_table(tempdir()),
  file = cawi_read_table(system.file("DESCRIPTION", package = "cawi")),
  label = cawi_read_table(shipped_table, label = TRUE),
  label = cawi_read_table(shipped_table, label = 0),
  label = cawi_read_table(shipped_table, label = 1.5),
  label = cawi_read_table(shipped_table, label = c("a", "b")),
  label = cawi_read_table(shipped_table, label = NA)
))

test_that("a usual name over the labels makes a header, whatever the features are called", {
  folder <- new_folder()
  file <- file.path(folder, "bands.csv")
  writeLines(c("1,2,3,class", "0.5,1,2,0", "0.1,3,4,1"), file)
  data <- cawi_read_table(file)
  expect_identical(dim(data$x), c(2L, 3L))
  expect_identical(levels(data$y), c("0", "1"))
  expect_identical(dim(cawi_read_table(file, label = 4)$x), c(2L, 3L))
})

test_that("a usual name that comes again is a label", {
  file <- file.path(new_folder(), "votes.csv")
  writeLines(c("5.1,3.5,y", "4.9,3.0,n", "4.7,3.2,y"), file)
  data <- cawi_read_table(file)
  expect_identical(as.character(data$y), c("y", "n", "y"))
  expect_identical(data$x[1, ], c(f1 = 5.1, f2 = 3.5))
  writeLines(c("y,5.1", "n,4.9", "y,4.7"), file)
  expect_identical(as.character(cawi_read_table(file, label = 1)$y), c("y", "n", "y"))
  writeLines(c("1,2,y", "4.9,3.0,0", "4.7,3.2,1"), file)
  expect_identical(as.character(cawi_read_table(file)$y), c("0", "1"))
})

test_that("files that are none of a table are refused by class", {
  folder <- new_folder()
  dir.create(file.path(folder, "folder.csv"))
  write <- function(name, bytes) {
    path <- file.path(folder, name)
    writeBin(bytes, path)
    path
  }
  text <- function(...) charToRaw(paste(..., sep = "\n"))
  paths <- list(
    write("empty.csv", raw()), write("bytes.csv", as.raw(0:255)),
    write("nul.csv", as.raw(c(49, 0, 50))),
    write("one.csv", text("a", "1", "2")), write("none.csv", text("a,b,class")),
    write("commas.csv", text(",,,", ",,,")),
    write("cut.csv.gz", as.raw(c(0x1f, 0x8b, 8, 0, 1, 2))), write("bad.arff", text("@data")),
    folder,
    file.path(folder, "folder.csv"), file.path(folder, "absent.csv"),
    file.path(folder, strrep("a", 1e5)), "", "\xff.csv"
  )
  for (path in paths) expect_error(cawi_read_table(path), class = "cawi_error", label = path)
  twice <- cawi_read_table(write("twice.csv", text("a,a,class", "1,2,x", "3,4,y")))
  expect_false(anyDuplicated(colnames(twice$x)) > 0L)
})
