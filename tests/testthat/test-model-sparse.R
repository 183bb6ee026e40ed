# Models of sparse features against models of the same features as a matrix.

fitted_scores <- function(fit) if (is.factor(fitted(fit))) residuals(fit) else fitted(fit)

for (model in model_names) for (task in tasks) {
  test_that(paste("a sparse fit is the dense one:", model, task), {
    x <- sparse_x()
    z <- as.matrix(x)
    y <- sparse_y(task, x)
    for (shape in list(narrow, wide)) {
      for (extra in list(list(), list(lambda = 0.3, inputs = NULL, threads = 2))) {
        fit_of <- function(x) {
          do.call(fit_named, c(list(model, x, y, seed = 7, shape = shape[[model]]), extra))
        }
        sparse <- fit_of(x)
        dense <- fit_of(z)
        expect_identical(sparse$network$layers[[1]]$copula, dense$network$layers[[1]]$copula)
        expect_equal(sparse$network$layers[[1]]$weights, dense$network$layers[[1]]$weights,
                     tolerance = 1e-13)
        expect_lt(score_distance(sparse, dense, x, z), 1e-10)
        # Either kind of model reads either kind of rows.
        expect_lt(score_distance(sparse, dense, z, x), 1e-10)
        expect_lt(score_distance(sparse, dense, as.data.frame(z), x), 1e-10)
        expect_lt(max(abs(cawi_features(sparse, x) - cawi_features(dense, z))), 1e-12)
        expect_equal(sparse$loo$value, dense$loo$value, tolerance = 1e-10)
        expect_lt(max(abs(fitted_scores(sparse) - fitted_scores(dense))), 1e-10)
      }
    }
  })
}

arguments <- list(
  list(init = "gaussian"), list(init = "t"), list(init = "clayton"), list(init = "auto"),
  list(init = "gradient", rounds = 1), list(marginal = "cauchy"), list(marginal = "normal"),
  list(standardize = FALSE), list(standardize = "ranks"), list(bias = "data"),
  list(scale = "auto"), list(strength = "auto", init = "gaussian"), list(intercept = FALSE),
  list(case_weights = rep(c(1, 2, 0.5, 0), 15)), list(direct = FALSE), list(direct = TRUE),
  list(standardize = "ranks", case_weights = rep(c(1, 2.5), 30)),
  list(init = function(x, hidden, seed) matrix(sin(x[seq_len(hidden), ]), ncol(x), hidden))
)
for (extra in arguments) for (model in c("rvfl", "edrvfl")) {
  name <- paste(names(extra), vapply(extra, function(v) class(v)[1], ""), collapse = " ")
  value <- if (is.character(extra[[1]])) extra[[1]] else ""
  test_that(paste("arguments mean the same for sparse features:", model, name, value), {
    x <- sparse_x()
    y <- sparse_y("regression", x)
    fit_of <- function(x) {
      suppressWarnings(do.call(fit_named, c(list(model, x, y, seed = 7, lambda = 0.5), extra)))
    }
    expect_lt(score_distance(fit_of(x), fit_of(as.matrix(x)), x), 1e-9)
  })
}

limits <- list(
  list(activation = "sine", bias = "phase", marginal = "normal"),
  list(activation = "sine", bias = "phase", marginal = "cauchy", inputs = 2),
  list(activation = "relu", bias = "none", marginal = "normal", landmarks = 20, init = "gaussian")
)
for (extra in limits) test_that(paste("infinitely many nodes read sparse rows:", names(extra)[4]), {
  x <- sparse_x()
  y <- sparse_y("classification", x)
  for (model in c("elm", "rvfl")) {
    fit_of <- function(x) {
      do.call(fit_named, c(list(model, x, y, seed = 7, shape = list(hidden = Inf)), extra))
    }
    sparse <- fit_of(x)
    dense <- fit_of(as.matrix(x))
    expect_lt(score_distance(sparse, dense, x), 1e-9)
    more <- update(sparse, new_x = x[1:5, ], new_y = y[1:5])
    wanted <- update(dense, new_x = as.matrix(x)[1:5, ], new_y = y[1:5])
    expect_lt(score_distance(more, wanted, x), 1e-8)
  }
})

test_that("moments are those of all numbers, zeros among them", {
  x <- Matrix::sparseMatrix(i = c(1, 2, 1:4, 1:4), j = c(1, 1, rep(2:3, each = 4)),
                            x = c(2, 4, rep(3, 4), 1e200 * 1:4), dims = c(4, 5))
  rows <- cawi:::sparse_rows(x, "x", NULL)
  found <- cawi:::column_moments_cpp(rows, NULL, 1L)
  # 2, 4, 0, 0 have mean 1.5 and mean square 5; the second column is constant, the last are zero.
  expect_equal(found$mean[c(1, 2, 4, 5)], c(1.5, 3, 0, 0))
  expect_equal(found$sd[c(1, 2, 4, 5)], c(sqrt(5 - 2.25), 0, 0, 0))
  expect_equal(found$sd[3] / 1e200, sqrt(1.25))
  # A constant column stays one, whatever the case weights.
  w <- c(0.1, 0.7, 0.3, 1e-3)
  weighted <- cawi:::column_moments_cpp(rows, w, 1L)
  expect_identical(weighted$sd[2], 0)
  expect_equal(weighted$mean[1], sum(w * c(2, 4, 0, 0)) / sum(w))
  wide <- sparse_x(200, 30)
  found <- cawi:::column_moments_cpp(cawi:::sparse_rows(wide, "x", NULL), NULL, 1L)
  expect_equal(found, cawi:::column_moments_cpp(as.matrix(wide), NULL, 1L), tolerance = 1e-13)
})

test_that("missing values fail, are left out or imputed as in a matrix", {
  x <- sparse_x()
  # The first column is mostly not zero, so that its median is none.
  x[, 1] <- seq_len(60) / 10
  x[3, 1] <- NA
  x[10, 5] <- NaN
  z <- as.matrix(x)
  y <- sparse_y("regression", sparse_x())
  expect_error(cawi_elm(x, y, hidden = 3, seed = 1), class = "cawi_error_x", regexp = "word1")
  w <- rep(c(1, 2, 3), 20)
  for (na_action in c("omit", "impute")) for (weights in list(NULL, w)) {
    fit_of <- function(x) {
      cawi_rvfl(x, y, hidden = 6, lambda = 1, na_action = na_action, case_weights = weights,
                seed = 1)
    }
    sparse <- fit_of(x)
    dense <- fit_of(z)
    expect_equal(sparse$preprocessor$fill, dense$preprocessor$fill)
    expect_identical(is.na(predict(sparse, x)), is.na(predict(dense, z)))
    expect_equal(predict(sparse, x), predict(dense, z), tolerance = 1e-10)
  }
  x[2, 2] <- Inf
  expect_error(cawi_elm(x, y, hidden = 3, na_action = "omit", seed = 1), class = "cawi_error_x")
  x[, 2] <- NA
  expect_error(cawi_elm(x, y, hidden = 3, na_action = "impute", seed = 1), class = "cawi_error_x")
})

test_that("new columns go by their names, or by position", {
  x <- sparse_x()
  y <- sparse_y("regression", x)
  fit <- cawi_elm(x, y, hidden = 6, lambda = 1, seed = 1)
  wanted <- predict(fit, x)
  plain <- x
  dimnames(plain) <- list(NULL, NULL)
  expect_identical(predict(fit, x[, 8:1]), wanted)
  expect_identical(predict(fit, cbind(x[, 8:1], more = 1)), wanted)
  expect_identical(predict(fit, plain), wanted)
  expect_identical(predict(fit, methods::as(x, "TsparseMatrix")), wanted)
  expect_error(predict(fit, x[, -3]), class = "cawi_error_new_data", regexp = "word3")
  expect_error(predict(fit, x[, c(1:8, 3)]), class = "cawi_error_new_data", regexp = "word3")
  expect_error(predict(fit, plain[, -3]), class = "cawi_error_new_data", regexp = "8 columns")
  expect_identical(length(predict(fit, x[0, ])), 0L)
  expect_error(generics::augment(fit, x), class = "cawi_error_new_data")
  tiny <- x
  tiny[3, 4] <- 1e-320
  expect_error(predict(fit, tiny), class = "cawi_error_new_data", regexp = "word4")
})

test_that("models of tables read sparse rows", {
  x <- sparse_x()
  table <- data.frame(as.matrix(x), y = sparse_y("regression", x))
  fit <- cawi_elm(y ~ ., table, hidden = 5, seed = 1)
  expect_equal(predict(fit, x), predict(fit, table))
  expect_error(cawi_elm(y ~ ., x, hidden = 5), class = "cawi_error_data")
})

test_that("a row too far from the training data is named", {
  x <- sparse_x()
  fit <- cawi_elm(x, sparse_y("regression", x), hidden = 5, activation = "relu", seed = 1)
  far <- x
  far[7, ] <- 1.7e308
  expect_error(predict(fit, far), class = "cawi_error_new_data", regexp = "Row 7")
})

for (model in model_names) test_that(paste("updates learn and forget sparse rows:", model), {
  x <- sparse_x()
  z <- as.matrix(x)
  first <- 1:40
  more <- 41:60
  for (task in tasks) {
    y <- sparse_y(task, x)
    rows <- function(some) if (is.matrix(y)) y[some, , drop = FALSE] else y[some]
    for (keep in c(TRUE, FALSE)) {
      start <- function(x) {
        fit_named(model, x[first, ], rows(first), lambda = 0.2, seed = 4, keep_data = keep)
      }
      learn <- function(fit, x) update(fit, new_x = x[more, ], new_y = rows(more))
      forget <- function(fit, x) update(fit, forget_x = x[1:7, ], forget_y = rows(1:7))
      wanted <- learn(start(z), z)
      expect_lt(score_distance(learn(start(x), x), wanted, x, z), 1e-9)
      # Rows of the other kind.
      mixed <- learn(start(x), z)
      expect_lt(score_distance(mixed, wanted, x, z), 1e-9)
      expect_lt(score_distance(learn(start(z), x), wanted, x, z), 1e-9)
      gone <- forget(wanted, z)
      expect_lt(score_distance(forget(mixed, x), gone, x, z), 1e-9)
      expect_lt(score_distance(forget(mixed, z), gone, x, z), 1e-9)
      expect_lt(score_distance(forget(wanted, x), gone, x, z), 1e-9)
      if (!keep) next
      expect_identical(unname(as.matrix(mixed$data$x)), unname(z))
      expect_error(update(start(x), forget_x = x[50, , drop = FALSE], forget_y = rows(50)),
                   class = "cawi_error_forget_x")
    }
  }
})

test_that("nodes grow from sparse rows, kept or given", {
  x <- sparse_x()
  y <- sparse_y("regression", x)
  for (keep in c(TRUE, FALSE)) {
    small <- cawi_rvfl(x, y, hidden = 5, lambda = 1, seed = 1, keep_data = keep)
    large <- cawi_rvfl(x, y, hidden = 9, lambda = 1, seed = 1)
    grown <- if (keep) update(small, hidden = 9) else update(small, hidden = 9, x = x, y = y)
    expect_lt(score_distance(grown, large, x), 1e-9)
  }
})

test_that("a model keeps sparse rows sparse, by the numbers that are stored", {
  x <- sparse_x()
  fit <- cawi_elm(x, sparse_y("regression", x), hidden = 5, seed = 1)
  expect_s3_class(fit$data$x, "cawi_sparse_rows")
  expect_identical(unname(as.matrix(fit$data$x)), unname(as.matrix(x)))
  wide <- Matrix::sparseMatrix(i = 1:300, j = 1:300, x = 1, dims = c(300, 10000))
  fit <- suppressWarnings(cawi_elm(wide, sin(1:300), hidden = 5, seed = 1))
  expect_false(is.null(fit$data))
  d <- cawi_diagnose(fit, draws = 2, seed = 1)
  expect_s3_class(d, "cawi_diagnosis")
  damaged <- fit
  damaged$data$x$column[1] <- 20000L
  expect_error(fitted(damaged), class = "cawi_error_object")
  expect_error(update(damaged, hidden = 6), class = "cawi_error_object")
})

test_that("diagnoses are those of the matrix", {
  x <- sparse_x()
  y <- sparse_y("regression", x)
  figures <- lapply(list(x, as.matrix(x)), function(x) {
    cawi_diagnose(cawi_elm(x, y, hidden = 5, init = "gaussian", seed = 1), draws = 2, seed = 1)
  })
  expect_equal(figures[[1]], figures[[2]], tolerance = 1e-8)
})

test_that("many columns take little memory, and what would fill it is refused with advice", {
  skip_if_not_installed("Matrix")
  rows <- 400
  place <- (seq_len(4000) * 7919) %% (rows * 20000)
  x <- Matrix::sparseMatrix(i = place %% rows + 1, j = place %/% rows + 1, x = 1,
                            dims = c(rows, 20000))
  y <- sin(seq_len(rows))
  quiet <- function(code) suppressWarnings(code, classes = "cawi_warning_constant")
  for (model in c("elm", "bls")) {
    fit <- quiet(fit_named(model, x, y, seed = 1))
    expect_identical(length(predict(fit, x)), 400L)
  }
  fit <- quiet(cawi_edrvfl(x, y, hidden = c(5, 5), direct = FALSE, lambda = 1, seed = 1))
  expect_true(all(is.finite(predict(fit, x))))
  # Dense rows of all columns are few enough here, sums of all pairs are not.
  many <- x[rep(seq_len(rows), 60), ]
  expect_error(cawi_rvfl(many, rep(y, 60), seed = 1), class = "cawi_error_direct",
               regexp = "cawi_elm")
  for (init in c("gaussian", "auto")) {
    expect_error(quiet(cawi_elm(x, y, init = init, seed = 1)), class = "cawi_error_init",
                 regexp = "iid")
  }
  expect_error(quiet(cawi_elm(x, y, init = "gradient", rounds = 1, hidden = 5, seed = 1)),
               class = "cawi_error_init", regexp = "iid")
  expect_error(cawi_elm(many, rep(y, 60), hidden = Inf, activation = "sine", bias = "phase",
                        marginal = "cauchy", landmarks = 10000, seed = 1),
               class = "cawi_error_hidden", regexp = "landmarks")
})

test_that("spreads of wide sparse rows are added up in blocks", {
  x <- sparse_x(30, 8)
  wide <- Matrix::sparseMatrix(i = (1:900) %% 30 + 1, j = (1:900) * 300, x = sin(1:900),
                               dims = c(30, 3e5))
  fit <- suppressWarnings(cawi_elm(wide, sin(1:30), hidden = 3, lambda = 1, seed = 1))
  moments <- cawi:::column_moments_cpp(cawi:::sparse_rows(wide, "x", NULL), NULL, 1L)
  # Every column that varies has variance one: the mean square of three inputs out of all.
  varies <- sum(moments$sd > 0)
  spread <- sqrt(3 / 3e5 * varies / 3)
  expect_equal(fit$network$layers[[1]]$factor, 1 / spread, tolerance = 1e-10)
})

test_that("tuning on sparse features is tuning on the matrix", {
  x <- sparse_x()
  for (task in tasks) {
    y <- sparse_y(task, x)
    for (resampling in list("loo", 3)) {
      tune <- function(x) {
        grid <- cawi_grid(hidden = c(4, 8), lambda = c(0.1, 1), init = c("iid", "t"))
        cawi_tune(x, y, "rvfl", grid, resampling = resampling, seed = 1)
      }
      sparse <- tune(x)
      dense <- tune(as.matrix(x))
      expect_equal(sparse$results$mean, dense$results$mean, tolerance = 1e-8)
      expect_lt(score_distance(sparse$fit, dense$fit, x), 1e-8)
      expect_s3_class(sparse$fit$data$x, "cawi_sparse_rows")
    }
  }
  grid <- cawi_grid(windows = 2, enhancement = c(3, 5), lambda = 1)
  folds <- lapply(list(x, as.matrix(x)), cawi_tune, sparse_y("classification", x), "bls", grid,
                  resampling = 3, metric = "log_loss", seed = 1, nodes = 2)
  expect_equal(folds[[1]]$results$mean, folds[[2]]$results$mean, tolerance = 1e-8)
})
