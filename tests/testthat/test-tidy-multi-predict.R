test_that("many penalties give what one fit each gives", {
  skip_without_tidymodels()
  penalties <- c(0.01, 1, 100)
  train <- iris[-c(1, 51, 101), ]
  fresh <- iris[c(1, 51, 101), ]
  for (type in c("class", "prob")) {
    spec <- network_spec("classification", hidden_units = 20, penalty = 100)
    found <- parsnip::multi_predict(parsnip::fit(spec, Species ~ ., train), fresh, type = type,
                                    penalty = penalties)
    expect_identical(dim(found), c(3L, 1L))
    for (l in seq_along(penalties)) {
      fit <- parsnip::fit(update(spec, penalty = penalties[l]), Species ~ ., train)
      rows <- do.call(rbind, lapply(found$.pred, function(row) row[l, ]))
      expect_identical(rows$penalty, rep(penalties[l], 3))
      expect_equal(rows[-1], predict(fit, fresh, type = type), tolerance = 1e-6)
    }
  }
  spec <- network_spec("regression", hidden_units = 10, penalty = 1)
  fit <- parsnip::fit(spec, mpg ~ ., mtcars)
  found <- parsnip::multi_predict(fit, mtcars[1:2, ], penalty = penalties)
  one <- predict(parsnip::fit(update(spec, penalty = 0.01), mpg ~ ., mtcars), mtcars[1:2, ])
  expect_equal(c(found$.pred[[1]]$.pred[1], found$.pred[[2]]$.pred[1]), one$.pred)
  own <- parsnip::multi_predict(fit, mtcars[1:2, ])
  expect_equal(own$.pred[[2]], tibble::tibble(penalty = 1, .pred = predict(fit, mtcars[2, ])$.pred))
  raw <- parsnip::multi_predict(fit, mtcars[1:2, ], type = "raw", penalty = 1)
  expect_equal(raw[[1]][, 1], predict(fit, mtcars[1:2, ])$.pred)
  expect_error(parsnip::multi_predict(fit, mtcars[1:2, ], penalties = 1), class = "cawi_error_dots")
  expect_true(parsnip::has_multi_predict(fit))
  expect_identical(parsnip::multi_predict_args(fit), "penalty")
})

test_that("the script of the examples runs, and agrees with the package's own results", {
  skip_without_tidymodels()
  script <- system.file("examples", "tidymodels.R", package = "cawi")
  shown <- new.env()
  utils::capture.output(suppressMessages(sys.source(script, shown)))
  found <- tune::collect_metrics(shown$tuned)
  expect_identical(nrow(found), 2L * nrow(shown$grid))
  # The same folds, one fit and prediction per combination and fold.
  splits <- shown$tuned$splits
  losses <- vapply(c(1, 12, 28), function(i) {
    values <- shown$grid[i, ]
    mean(vapply(splits, function(split) {
      train <- recipes::prep(shown$steps, rsample::analysis(split))
      data <- recipes::bake(train, rsample::analysis(split))
      fresh <- recipes::bake(train, rsample::assessment(split))
      fit <- cawi_rvfl(Species ~ ., data, hidden = values$hidden_units, lambda = values$penalty,
                       activation = values$activation, seed = 1)
      p <- predict(fit, fresh, type = "prob")
      -mean(log(p[cbind(seq_len(nrow(p)), as.integer(fresh$Species))]))
    }, 0))
  }, 0)
  key <- function(table) paste(table$penalty, table$activation, table$hidden_units)
  loss <- found[found$.metric == "mn_log_loss", ]
  expect_equal(loss$mean[match(key(shown$grid[c(1, 12, 28), ]), key(loss))], losses,
               tolerance = 1e-5)
  last <- tune::collect_metrics(shown$last)
  data <- rsample::training(shown$split)
  chosen <- cawi_rvfl(Species ~ ., data, hidden = shown$best$hidden_units,
                      lambda = shown$best$penalty, activation = shown$best$activation, seed = 1)
  fresh <- rsample::testing(shown$split)
  expect_equal(last$.estimate[last$.metric == "accuracy"],
               mean(predict(chosen, fresh) == fresh$Species))
})

test_that("a grid of penalties is one fit per fold", {
  skip_without_tidymodels()
  spec <- network_spec("regression", hidden_units = 10, penalty = parsnip::tune())
  grid <- data.frame(penalty = 10^(-2:2))
  expect_identical(nrow(generics::min_grid(spec, grid)), 1L)
  set.seed(1)
  tuned <- tune::tune_grid(spec, mpg ~ ., rsample::vfold_cv(mtcars, 3), grid = grid)
  expect_identical(nrow(tune::collect_metrics(tuned)), 10L)
})
