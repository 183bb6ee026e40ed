spec_of <- function(...) {
  cawi_drvfl(small_x(), small_y("regression"), hidden = c(3, 4), seed = 1, ...)$spec
}

test_that("arguments arrive in the specification", {
  spec <- spec_of(activation = c("relu", "sine"), init = "frank", marginal = "normal", scale = 2,
                  lambda = c(1, 0.1, 1), direct = FALSE, intercept = FALSE, standardize = FALSE,
                  align = "first", na_action = "omit")
  expect_identical(spec$hidden, 3:4)
  expect_identical(spec$activation, c("relu", "sine"))
  expect_identical(spec$init, "frank")
  expect_identical(spec$marginal, "normal")
  expect_identical(spec$scale, 2)
  expect_identical(spec$lambda, c(0.1, 1))
  expect_false(spec$direct || spec$intercept || spec$standardize)
  expect_identical(spec$align, "first")
  expect_identical(spec$na_action, "omit")
})

test_that("one activation serves all layers, and NULL is the whole path", {
  spec <- spec_of(activation = "tribas", lambda = NULL)
  expect_identical(spec$activation, c("tribas", "tribas"))
  expect_equal(spec$lambda, 10^(-6:6))
})

test_that("independence is another name of iid", {
  fit <- function(init) {
    cawi_rvfl(small_x(), small_y("regression"), hidden = 3, init = init, seed = 1)
  }
  expect_identical(coef(fit("independence")), coef(fit("iid")))
})

test_that("the vocabularies", {
  expect_setequal(activation_names,
                  c("sigmoid", "sine", "tribas", "radbas", "tansig", "relu", "selu"))
  expect_setequal(init_names, c("auto", "iid", "gaussian", "t", "clayton", "frank", "gumbel",
                                "gradient"))
})

test_that("spread, inputs, bias and criterion arrive in the specification", {
  spec <- spec_of(spread = 2, inputs = 3, bias = "data", criterion = "loo")
  expect_identical(spec$spread, 2)
  expect_null(spec$scale)
  expect_identical(spec$inputs, 3L)
  expect_identical(spec$bias, "data")
  expect_identical(spec$criterion, "loo")
  plain <- spec_of()
  expect_null(plain$spread)
  expect_identical(plain$inputs, 3L)
  expect_identical(plain$bias, "uniform")
  expect_identical(plain$criterion, "likelihood")
  # An explicit NULL is the default spread, but all inputs.
  expect_null(spec_of(spread = NULL)$spread)
  expect_null(spec_of(inputs = NULL)$inputs)
  expect_null(spec_of(inputs = NA)$inputs)
})

test_that("nodes read three features by default, unless weights are given or from gradients", {
  inputs_of <- function(...) {
    cawi_rvfl(small_x(), small_y("regression"), lambda = 1, seed = 1, ...)$spec$inputs
  }
  expect_identical(inputs_of(), 3L)
  expect_identical(inputs_of(init = "gaussian"), 3L)
  expect_null(inputs_of(init = "gradient", rounds = 1))
  expect_null(inputs_of(init = matrix(1, 4, 5), hidden = 5))
  expect_null(inputs_of(init = function(x, hidden, seed) matrix(1, ncol(x), hidden)))
  expect_null(inputs_of(hidden = Inf, activation = "sine", bias = "phase"))
})

test_that("an automatic scale ends as a spread", {
  spec <- spec_of(scale = "auto")
  expect_null(spec$scale)
  expect_true(spec$spread %in% c(0.25, 0.5, 1, 2, 4))
})

test_argument_errors(alist(
  spread = spec_of(spread = 0),
  spread = spec_of(spread = -1),
  spread = spec_of(spread = Inf),
  spread = spec_of(spread = NA),
  spread = spec_of(spread = c(1, 2)),
  spread = spec_of(spread = "auto"),
  spread = spec_of(spread = 1, scale = 2),
  spread = spec_of(spread = 1, scale = "auto"),
  inputs = spec_of(inputs = 0),
  inputs = spec_of(inputs = -1),
  inputs = spec_of(inputs = 1.5),
  inputs = spec_of(inputs = c(NA, 2)),
  inputs = spec_of(inputs = Inf),
  inputs = spec_of(inputs = "all"),
  inputs = spec_of(inputs = 1:2),
  bias = spec_of(bias = "some"),
  bias = spec_of(bias = NULL),
  bias = spec_of(bias = NA),
  bias = spec_of(bias = 0.5),
  criterion = spec_of(criterion = "aic"),
  criterion = spec_of(criterion = NULL)
))

test_that("a missing number of inputs is all of them", {
  expect_null(spec_of(inputs = NA)$inputs)
  expect_null(spec_of(inputs = NULL)$inputs)
})

test_that("no penalty is a penalty, and each is tried once", {
  expect_identical(check_lambda(c(1, 0, 1), NULL), c(0, 1))
  expect_identical(check_lambda(1e100, NULL), 1e100)
  for (bad in list(-1e-9, 1.1e100, Inf, NA, "a", numeric(), diag(2))) {
    expect_error(check_lambda(bad, NULL), class = "cawi_error_lambda")
  }
})

test_that("networks of one layer have 200 nodes where nothing else is said", {
  for (model in c("elm", "rvfl")) expect_identical(model_arguments(model)$hidden, 200)
})

test_that("a word with a name or in an array is the word", {
  x <- as.matrix(iris[1:40, 1:4])
  y <- iris$Petal.Width[1:40]
  words <- list(init = "gradient", scale = "auto", strength = "auto", inputs = "auto",
                rounds = "auto", standardize = "ranks", activation = "sine", init = "gaussian")
  for (at in seq_along(words)) {
    fit <- function(word) {
      given <- stats::setNames(list(word), names(words)[at])
      do.call(cawi_rvfl, c(list(x, y, hidden = 4, seed = 1), given))
    }
    sound <- coef(fit(words[[at]]))
    expect_identical(coef(fit(c(a = words[[at]]))), sound)
    expect_identical(coef(fit(array(words[[at]], 1))), sound)
  }
})
