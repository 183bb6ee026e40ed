test_that("a search on sparse features is that on the matrix", {
  x <- sparse_x(120)
  for (task in c("classification", "regression")) {
    y <- sparse_y(task, x)
    for (hidden in c(Inf, 20)) {
      search <- function(x) cawi_auto(x, y, budget = 0.5, hidden = hidden, seed = 1)
      sparse <- search(x)
      dense <- search(as.matrix(x))
      expect_equal(sparse$chosen, dense$chosen, tolerance = 1e-6)
      expect_lt(max(abs(predict(sparse, x, type = "score") - predict(dense, x, type = "score"))),
                1e-6)
      expect_s3_class(sparse$data$x, "cawi_sparse_rows")
    }
  }
})

test_that("the likeness of sparse rows in blocks is that of all of them", {
  x <- cawi:::sparse_rows(sparse_x(), "x", NULL)
  z <- as.matrix(x)
  network <- cawi_elm(z, seq_len(60), hidden = Inf, activation = "sine", bias = "phase",
                      marginal = "cauchy", seed = 1)$network
  wanted <- row_likeness(z, network, c(4L, 50L))
  expect_equal(row_likeness(x, network, c(4L, 50L)), wanted)
  expect_equal(row_likeness(x, network, c(4L, 50L), together = 8 * 7), wanted)
})

# 200 rows of 20,000 columns.
many_columns <- function() {
  skip_if_not_installed("Matrix")
  place <- (seq_len(20000) * 7919) %% (200 * 20000)
  Matrix::sparseMatrix(i = place %% 200 + 1, j = place %/% 200 + 1, x = 1, dims = c(200, 20000))
}

test_that("what has no room is left out with a warning", {
  y <- factor(sin(1:200) > 0)
  expect_warning(
    fit <- suppressWarnings(
      cawi_auto(many_columns(), y, budget = 0.5, hidden = 20, seed = 1),
      classes = "cawi_warning_constant"
    ),
    class = "cawi_warning_sparse", regexp = "direct links and weights that follow the features"
  )
  expect_true(all(fit$chosen$model %in% c("elm", "bls")))
  expect_true(all(fit$chosen$init == "iid"))
  expect_identical(length(predict(fit, many_columns())), 200L)
})

test_that("choices that leave nothing are refused with what could be chosen", {
  x <- many_columns()
  y <- factor(sin(1:200) > 0)
  expect_error(cawi_auto(x, y, models = "rvfl", seed = 1), class = "cawi_error_models",
               regexp = "elm")
  expect_error(cawi_auto(x, y, models = "elm", init = "gaussian", seed = 1),
               class = "cawi_error_init", regexp = "iid")
})
