test_that("a specification has its arguments, and update() keeps those of the engine", {
  skip_without_tidymodels()
  spec <- network_spec("regression", hidden_units = 20, penalty = 1, engine = list(spread = 2))
  changed <- update(spec, penalty = 0.1, activation = "relu")
  expect_s3_class(changed, c("rand_network", "model_spec"))
  argument <- function(spec, name) rlang::eval_tidy(spec$args[[name]])
  expect_identical(argument(changed, "penalty"), 0.1)
  expect_identical(argument(changed, "hidden_units"), 20)
  expect_identical(argument(changed, "activation"), "relu")
  expect_identical(names(changed$eng_args), c("seed", "threads", "spread"))
  fresh <- update(spec, penalty = 0.1, fresh = TRUE)
  expect_null(argument(fresh, "hidden_units"))
  listed <- update(spec, parameters = list(penalty = 3))
  expect_identical(argument(listed, "penalty"), 3)
  again <- update(spec, spread = 4)
  expect_identical(rlang::eval_tidy(again$eng_args$spread), 4)
})

test_that("without parsnip there is no specification", {
  skip_if_not_installed("rlang", "1.0.0")
  skip_if(requireNamespace("parsnip", quietly = TRUE), "parsnip is here")
  expect_error(rand_network(), class = "rlib_error_package_not_found")
})

test_that("every argument has a parameter of dials whose values fit", {
  skip_without_tidymodels()
  spec <- network_spec("classification", engine = list(spread = parsnip::tune(),
                                                       strength = parsnip::tune(),
                                                       inputs = parsnip::tune()))
  spec <- update(spec, architecture = parsnip::tune(), hidden_units = parsnip::tune(),
                 penalty = parsnip::tune(), activation = parsnip::tune(), init = parsnip::tune())
  parameters <- hardhat::extract_parameter_set_dials(spec)
  expect_setequal(parameters$id, c("architecture", "hidden_units", "penalty", "activation", "init",
                                   "spread", "strength", "inputs"))
  values <- stats::setNames(parameters$object, parameters$id)
  expect_identical(values$activation$values, activation_names)
  expect_setequal(values$architecture$values, model_names)
  expect_identical(dials::range_get(values$penalty), list(lower = 1e-6, upper = 1e4))
  expect_identical(dials::range_get(values$spread), list(lower = 0.25, upper = 4))
  set.seed(2)
  grid <- dials::grid_random(parameters, size = 6)
  for (i in seq_len(nrow(grid))) {
    fit <- parsnip::fit(tune::finalize_model(spec, grid[i, ]), Species ~ ., iris)
    expect_s3_class(fit$fit, paste0("cawi_", grid$architecture[i]))
    expect_identical(unique(fit$fit$spec$activation), grid$activation[i])
  }
})

test_that("values that no model knows are refused", {
  skip_without_tidymodels()
  expect_error(rand_init("copula"), class = "cawi_error_values")
  expect_error(rand_architecture("mlp"), class = "cawi_error_values")
})

test_that("a spread is tuned in powers of two", {
  skip_if_not_installed("dials")
  skip_if_not_installed("scales")
  values <- dials::value_seq(rand_spread(c(-1, 1)), 3)
  expect_equal(values, c(0.5, 1, 2))
  expect_identical(names(rand_spread()$label), "spread")
})
