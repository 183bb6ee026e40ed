test_that("errors carry two classes and blame the user's call", {
  error <- expect_error(cawi_kendall("a"), class = "cawi_error_x")
  expect_true(all(c("cawi_error_x", "cawi_error", "rlang_error") %in% class(error)))
  expect_identical(as.character(conditionCall(error)[[1]]), "cawi_kendall")
  error <- expect_error(cawi_copula_from("frank", dim = 2, theta = -1), class = "cawi_error_theta")
  expect_identical(as.character(conditionCall(error)[[1]]), "cawi_copula_from")
})

test_that("preconditions of the core become errors of the package", {
  singular <- cawi_copula_from("gaussian", dim = 2, cor = 1)
  error <- expect_error(cawi_density(singular, c(0.5, 0.5)), class = "cawi_error_copula")
  expect_s3_class(error, "cawi_error")
  expect_identical(as.character(conditionCall(error)[[1]]), "cawi_density")
})

test_that("an object with damaged parameters is an error, not a crash", {
  damage <- function(...) {
    utils::modifyList(cawi_copula_from("t", dim = 2, cor = 0.5, df = 3), list(...))
  }
  damaged <- list(
    damage(df = -1), damage(df = NaN), damage(cor = diag(3)),
    damage(cor = matrix(c(1, 2, 2, 1), 2)), damage(cor = matrix(NaN, 2, 2)),
    damage(cor = 4 * diag(2)), damage(cor = matrix(c(1, 0.5, -0.5, 1), 2)),
    damage(flipped = TRUE), damage(family = "joe"), damage(dim = 0L),
    damage(family = "clayton", theta = "a")
  )
  for (object in damaged) {
    expect_error(simulate(object, 2), class = "cawi_error_object")
    expect_error(cawi_density(object, c(0.5, 0.5)), class = "cawi_error_copula")
    expect_error(cawi_weights(object, 2), class = "cawi_error_copula")
  }
})

test_that("an argument that cannot be computed is not damage of the object", {
  fit <- cawi_rvfl(mpg ~ wt + hp, mtcars, hidden = 5, seed = 1)
  auto <- cawi_auto(mpg ~ wt + hp, mtcars, budget = 0.1, hidden = 5, draws = 1, models = "rvfl",
                    seed = 1)
  own <- function(code) expect_error(code, "^my own error$", class = "simpleError")
  for (object in list(fit, auto)) {
    own(predict(object, mtcars, type = stop("my own error")))
    own(predict(object, mtcars, threads = stop("my own error")))
    own(predict(object, mtcars, type = "interval", level = stop("my own error")))
    own(cawi_importance(object, new_data = stop("my own error")))
    own(cawi_effects(object, features = stop("my own error")))
  }
  own(update(fit, new_x = mtcars, new_y = stop("my own error")))
  own(update(fit, lambda = stop("my own error")))
  own(cawi_statistics(fit, stop("my own error")))
  # Columns of the rows are still found.
  expect_s3_class(update(fit, new_x = mtcars, case_weights = carb), "cawi_model")
  expect_s3_class(cawi_statistics(fit, mtcars, case_weights = carb), "cawi_statistics")
})

test_that("a damaged object of another release tells which", {
  damaged <- function(version) {
    abort_damaged("object", "it is empty", structure(list(version = version), class = "x"), NULL)
  }
  expect_error(damaged("0.0.1"), "made by release 0.0.1", class = "cawi_error_object")
  for (version in list(as.character(utils::packageVersion("cawi")), NA_character_, NULL, 1)) {
    message <- conditionMessage(expect_error(damaged(version), class = "cawi_error_object"))
    expect_no_match(message, "release")
  }
})

test_that("the session stays usable after an error", {
  expect_error(cawi_density(cawi_copula_from("gaussian", dim = 2, cor = 1),
                            c(0.5, 0.5), threads = 2),
               class = "cawi_error")
  expect_identical(cawi_kendall(1:3, threads = 2), matrix(1))
})

test_that("memory that runs out without a size is told by what is free", {
  skip_if_not(file.exists("/proc/meminfo"))
  expect_true(is.finite(memory_left()) && memory_left() > 0)
  expect_match(memory_size("std::bad_alloc"), "^more than the [0-9.]+ [KMGT]?B that are free$")
  expect_identical(memory_size("cannot allocate vector of size 74.5 Gb"), "74.5 Gb")
})

test_that("a check without memory has found no damage", {
  expect_false(holds(stop("no")))
  expect_error(holds(stop("cannot allocate vector of size 74.5 Gb")), "74.5 Gb",
               class = "cawi_error_memory")
})

test_that("memory that other processes have cannot be had", {
  skip_if_not(file.exists("/proc/meminfo"))
  expect_error(check_memory(1.01 * memory_left() + 2^28), class = "cawi_error_memory")
})
