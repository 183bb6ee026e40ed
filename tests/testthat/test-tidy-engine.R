frame <- function(task, rows = 40) {
  x <- small_x(rows)
  data.frame(x, kind = factor(rep_len(c("a", "b", "c"), rows)), y = small_y(task, x))
}

test_that("a fit of parsnip is the fit of the model with the same arguments", {
  skip_without_tidymodels()
  shapes <- list(elm = list(hidden = 9), rvfl = list(hidden = 9), drvfl = list(hidden = c(9, 9)),
                 edrvfl = list(hidden = c(9, 9)), bls = list(enhancement = 9))
  for (model in model_names) for (task in c("regression", "classification")) {
    data <- frame(task)
    deep <- if (grepl("d", model)) list(layers = 2)
    spec <- network_spec(task, architecture = model, hidden_units = 9, penalty = 0.3,
                         activation = "radbas", init = "gaussian", engine = deep)
    found <- parsnip::fit(spec, y ~ ., data)
    wanted <- do.call(paste0("cawi_", model), c(
      list(data[1:5], data$y, lambda = 0.3, activation = "radbas", init = "gaussian", seed = 5),
      shapes[[model]]
    ))
    expect_equal(coef(found$fit), coef(wanted), label = paste(model, task))
    by_xy <- parsnip::fit_xy(spec, data[1:5], data$y)
    expect_equal(coef(by_xy$fit), coef(wanted))
    fresh <- frame(task, 7)
    type <- if (task == "regression") "numeric" else "class"
    expect_identical(predict(found, fresh)[[1]], predict(wanted, fresh, type))
    expect_identical(unname(as.matrix(predict(found, fresh, type = "raw"))),
                     unname(predict(wanted, fresh, "score")))
    if (task == "classification") {
      expect_identical(as.matrix(predict(found, fresh, type = "prob")),
                       `colnames<-`(predict(wanted, fresh, "prob"),
                                    paste0(".pred_", levels(data$y))))
    }
  }
})

test_that("what is not given is the default of the model", {
  skip_without_tidymodels()
  for (model in model_names) {
    found <- parsnip::fit(network_spec("classification", architecture = model), Species ~ ., iris)
    wanted <- do.call(paste0("cawi_", model), list(iris[1:4], iris$Species, seed = 5))
    expect_equal(coef(found$fit), coef(wanted))
  }
})

test_that("case weights reach the model", {
  skip_without_tidymodels()
  weight <- rep_len(c(1, 3, 0), 150)
  spec <- network_spec("classification", hidden_units = 10, penalty = 1)
  found <- parsnip::fit(spec, Species ~ ., iris,
                        case_weights = hardhat::importance_weights(weight))
  wanted <- cawi_rvfl(iris[1:4], iris$Species, hidden = 10, lambda = 1, case_weights = weight,
                      seed = 5)
  expect_equal(coef(found$fit), coef(wanted))
  expect_true(parsnip::case_weights_allowed(spec))
})

test_that("arguments of the engine reach the model, and wrong ones are refused", {
  skip_without_tidymodels()
  spec <- network_spec("regression", hidden_units = 5, engine = list(spread = 3, keep_data = FALSE))
  fit <- parsnip::fit(spec, mpg ~ ., mtcars)$fit
  expect_identical(fit$spec$spread, 3)
  expect_null(fit$data)
  wrong <- network_spec("regression", engine = list(spred = 3))
  expect_error(parsnip::fit(wrong, mpg ~ ., mtcars), class = "cawi_error_dots")
  layers <- network_spec("regression", architecture = "drvfl", engine = list(layers = 0))
  expect_error(parsnip::fit(layers, mpg ~ ., mtcars), class = "cawi_error_layers")
  threads <- parsnip::set_engine(rand_network("regression"), "cawi", threads = "many")
  expect_error(parsnip::fit(threads, mpg ~ ., mtcars), class = "cawi_error_threads")
})

test_that("the bridge refuses what is no architecture", {
  expect_error(cawi_network_fit(iris[1:4], iris$Species, "mlp"), class = "cawi_error_architecture")
  fit <- cawi_network_fit(iris[1:4], iris$Species, "drvfl", hidden = 5, layers = 2, seed = 1)
  expect_identical(fit$spec$hidden, c(5L, 5L))
  expect_identical(engine_shape("drvfl", NULL, 2, NULL), list(hidden = c(100, 100)))
  expect_identical(engine_shape("edrvfl", c(7, 8), 5, NULL), list(hidden = c(7, 8)))
  expect_identical(engine_shape("bls", 7, 3, NULL), list(enhancement = 7))
  expect_null(engine_shape("rvfl", NULL, 3, NULL))
})

test_that("the engine is known whichever package comes first, and on workers", {
  skip_without_tidymodels()
  skip_on_cran()
  known <- function(first, second) {
    code <- sprintf("loadNamespace('%s'); loadNamespace('%s'); %s", first, second,
                    "cat(nrow(parsnip::show_engines('rand_network')))")
    libraries <- paste0("R_LIBS=", paste(.libPaths(), collapse = .Platform$path.sep))
    printed <- system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(code)), stdout = TRUE,
                       stderr = FALSE, env = libraries)
    utils::tail(printed, 1)
  }
  expect_match(known("cawi", "parsnip"), "2$")
  expect_match(known("parsnip", "cawi"), "2$")
  # No error where it is registered already.
  expect_null(register_rand_network())
  packages <- parsnip::get_dependency("rand_network")
  expect_setequal(packages$mode, c("regression", "classification"))
  expect_identical(unique(unlist(packages$pkg)), "cawi")
  expect_true("cawi" %in% generics::required_pkgs(network_spec("regression")))
})

test_that("an expression as an argument is not evaluated by the engine", {
  expect_error(cawi_network_fit(small_x(), small_y("regression"), hidden = quote(a + b)),
               class = "cawi_error_hidden")
})

test_that("the engine names data that are not given", {
  expect_error(cawi_network_fit(), class = "cawi_error_x")
  expect_error(cawi_network_fit(small_x()), class = "cawi_error_y")
})

test_that("a function is no number of nodes of a deep network", {
  expect_error(cawi_network_fit(iris[, 1:2], iris$Species, "drvfl", hidden = function(x) 3),
               class = "cawi_error_hidden")
})
