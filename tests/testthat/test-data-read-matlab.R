test_that("MATLAB variables: one matrix, or features and labels", {
  cells <- function(variables, label = NULL) {
    cells <- cawi:::matlab_cells(variables, "a.mat", label, environment())
    cells$label <- cawi:::label_position(cells, label, "a.mat", environment())
    cells$file <- rep("a.mat", nrow(cells$values))
    cawi:::new_dataset(cells, "a", "a.mat")
  }
  whole <- unname(as.matrix(small_table))
  x <- whole[, 1:2]
  y <- whole[, 3, drop = FALSE]
  expect_small(cells(list(data = whole)))
  expect_small(cells(list(data = whole, seed = matrix(42), name = matrix("a"))))
  expect_small(cells(list(data = whole[, c(3, 1, 2)]), label = 1))
  expect_small(cells(list(X = x, Y = y)))
  expect_small(cells(list(x = x, y = t(y), C = matrix(10))))
  expect_small(cells(list(features = x, labels = y, folds = matrix(1:4, 2)), label = "labels"))
  expect_file_error(cells(list(X = x, Y = cbind(y, y))), "a.mat", topic = "label",
                    text = "5 labels expected")
  expect_file_error(cells(list(a = x, b = x)), "a.mat", text = "\"a\" and \"b\"")
  expect_file_error(cells(list()), "a.mat", text = "one matrix")
  expect_file_error(cells(list(a = whole), label = "y"), "a.mat", topic = "label", text = "\"y\"")
  whole[2, 1] <- NaN
  expect_file_error(cells(list(data = whole)), "a.mat",
                    text = "row 2, column \"f1\" has a missing cell")
  whole[2, 1] <- -Inf
  expect_file_error(cells(list(data = whole)), "a.mat", text = "row 2, column \"f1\" is not finite")
})

test_that("MATLAB files are read through R.matlab", {
  skip_if_not_installed("R.matlab")
  folder <- new_folder()
  file <- file.path(folder, "a.mat")
  whole <- unname(as.matrix(small_table))
  R.matlab::writeMat(file, data = whole)
  expect_small(cawi_read_table(file))
  R.matlab::writeMat(file, X = whole[, 1:2], Y = whole[, 3, drop = FALSE])
  expect_small(cawi_read_table(file))
  writeBin(readBin(file, "raw", 200), file)
  expect_file_error(cawi_read_table(file), "a.mat", text = "damaged")
  writeBin(raw(), file)
  expect_file_error(cawi_read_table(file), "a.mat", text = "damaged")
  writeLines("MATLAB 7.3 MAT-file", file)
  expect_file_error(cawi_read_table(file), "a.mat", text = "-v7")
})

test_that("a MATLAB file without R.matlab names the package", {
  skip_if(requireNamespace("R.matlab", quietly = TRUE), "R.matlab is installed")
  file <- write_lines(new_folder(), "a.mat", "MATLAB 5.0 MAT-file")
  expect_file_error(cawi_read_table(file), "a.mat", text = "R.matlab")
})

test_that("MATLAB labels that cannot be read do not make a class of a feature", {
  x <- cbind(1:10, 10:1, rep(0:1, 5))
  labels <- list(Y = matrix(rep(c("a", "b"), 5)), labels = matrix(as.numeric(1:10)), Y = list(1, 2),
                 target = as.list(1:10),
                 label = matrix("a", 10, 2), words = matrix("a", 10, 2), class = list(codes = 1))
  for (i in seq_along(labels)) {
    error <- expect_error(matlab_cells(c(list(X = x), labels[i]), "a.mat", NULL, environment()),
                          class = "cawi_error_label")
    expect_match(conditionMessage(error), names(labels)[i], fixed = TRUE)
  }
  # Who says where the labels are knows better.
  expect_identical(dim(matlab_cells(c(list(X = x), labels[2]), "a.mat", "labels",
                                    environment())$values), c(10L, 4L))
  expect_identical(dim(matlab_cells(c(list(X = x), labels[1]), "a.mat", 3, environment())$values),
                   c(10L, 3L))
})
