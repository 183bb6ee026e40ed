svmlight_file <- function(lines, ending = ".svm") {
  file <- tempfile(fileext = ending)
  connection <- if (grepl("gz$", ending)) gzfile(file) else file(file)
  writeLines(lines, connection)
  close(connection)
  file
}

test_that("lines by hand become a sparse matrix and classes", {
  skip_if_not_installed("Matrix")
  lines <- c("# a header", "+1 1:0.5 3:-2e1 # the first", "", "-1 2:1", "+1", "\t-1  5:3 4:1 ")
  for (ending in c(".svm", ".svmlight", ".libsvm", ".svm.gz")) {
    data <- cawi_read_table(svmlight_file(lines, ending))
    expect_s3_class(data, "cawi_dataset")
    expect_s4_class(data$x, "dgCMatrix")
    wanted <- rbind(c(0.5, 0, -20, 0, 0), c(0, 1, 0, 0, 0), 0, c(0, 0, 0, 1, 3))
    expect_equal(unname(as.matrix(data$x)), wanted)
    expect_identical(colnames(data$x), paste0("x", 1:5))
    expect_identical(data$y, factor(c(1, -1, 1, -1), c(-1, 1)))
  }
  expect_output(print(data), "4 rows, 5 features, 2 classes")
  expect_identical(dim(cawi_read_table(svmlight_file(lines), features = 9)$x), c(4L, 9L))
  fit <- suppressWarnings(cawi_elm(data$x, data$y, hidden = 3, seed = 1))
  expect_identical(length(predict(fit, data$x)), 4L)
})

test_that("what is written comes back", {
  x <- sparse_x()
  y <- rep(c("yes", "no"), 30)
  z <- as.matrix(x)
  lines <- vapply(seq_len(60), function(i) {
    at <- which(z[i, ] != 0)
    paste(c(y[i], sprintf("%d:%.17g", at, z[i, at])), collapse = " ")
  }, "")
  data <- cawi_read_table(svmlight_file(lines), features = 8)
  expect_read_back(unname(as.matrix(data$x)), unname(z))
  expect_identical(data$y, factor(y))
})

test_that("groups are not used, with a warning", {
  skip_if_not_installed("Matrix")
  file <- svmlight_file(c("1 qid:1 1:2", "2 qid:1 2:2"))
  expect_warning(data <- cawi_read_table(file), class = "cawi_warning_qid")
  expect_identical(dim(data$x), c(2L, 2L))
})

wrong <- c("1 a:2", "1 0:2", "1 1:2 1:3", "1 1:x", "1 1:NA", "1 1:Inf", "1 1:2:3", "1 3000000000:1",
           "1 2", "1 :2", "1 -1:2", "1 1:")
for (line in wrong) test_that(paste("the line is named:", line), {
  skip_if_not_installed("Matrix")
  file <- svmlight_file(c("1 1:1", line, "2 2:2"))
  expect_error(cawi_read_table(file), class = "cawi_error_file", regexp = "line 2")
})

test_that("files and arguments that say nothing are refused", {
  skip_if_not_installed("Matrix")
  expect_error(cawi_read_table(svmlight_file("# nothing")), class = "cawi_error_file")
  expect_error(cawi_read_table(svmlight_file(c("1", "2"))), class = "cawi_error_file",
               regexp = "no features")
  expect_error(cawi_read_table(svmlight_file(c("1 1:1", "1.5 1:1"))), class = "cawi_error_label",
               regexp = "line 2")
  good <- svmlight_file(c("1 1:1", "2 7:1"))
  expect_error(cawi_read_table(good, features = 6), class = "cawi_error_file", regexp = "line 2")
  expect_error(cawi_read_table(good, features = 0), class = "cawi_error_features")
  expect_error(cawi_read_table(good, label = 1), class = "cawi_error_label")
  table <- tempfile(fileext = ".csv")
  writeLines(c("a,class", "1,x", "2,y"), table)
  expect_error(cawi_read_table(table, features = 3), class = "cawi_error_features")
})
