test_that("a grid crosses its values, lambda varying fastest", {
  grid <- cawi_grid(hidden = c(5, 10), activation = c("relu", "sine"), lambda = c(1, 0.1))
  expect_s3_class(grid, "cawi_grid")
  table <- as.data.frame(grid)
  expect_identical(table, data.frame(lambda = rep(c(0.1, 1), 4), hidden = rep(c(5, 5, 10, 10), 2),
                                     activation = rep(c("relu", "sine"), each = 4)))
  expect_identical(as.data.frame(cawi_grid(lambda = 2)), data.frame(lambda = 2))
})

test_that("without lambda the whole path, and no value twice", {
  expect_equal(cawi_grid(hidden = 5)$lambda, 10^(-6:6))
  expect_equal(cawi_grid()$lambda, 10^(-6:6))
  grid <- cawi_grid(hidden = c(5, 5, 6), lambda = c(1, 1), activation = c("relu", "relu"))
  expect_identical(lengths(unclass(grid)), c(lambda = 1L, hidden = 2L, activation = 1L))
})

test_that("vectors of hidden nodes and copulas stand in the table as text", {
  copula <- cawi_copula_from("clayton", dim = 4, theta = 2)
  grid <- cawi_grid(hidden = list(5, c(5, 3)), init = list("iid", copula), lambda = 1)
  expect_identical(as.data.frame(grid)$hidden, rep(c("5", "5+3"), 2))
  expect_identical(as.data.frame(grid)$init, rep(c("iid", "clayton"), each = 2))
  expect_identical(as.data.frame(cawi_grid(direct = c(TRUE, FALSE), lambda = 1))$direct,
                   c(TRUE, FALSE))
})

test_that("the grids of the paper", {
  rvfl <- cawi_grid_paper("rvfl")
  expect_identical(nrow(as.data.frame(rvfl)), 13L * 11L * 7L)
  expect_equal(rvfl$lambda, 10^(-6:6))
  expect_equal(rvfl$hidden, seq(3, 203, by = 20))
  expect_setequal(rvfl$activation, activation_names)
  expect_identical(cawi_grid_paper("elm"), rvfl)
  expect_identical(cawi_grid_paper(), rvfl)
  deep <- cawi_grid_paper("drvfl")
  expect_identical(prod(lengths(deep)), 25 * 10 * 7)
  expect_identical(lengths(deep$hidden), 1:10)
  expect_identical(cawi_grid_paper("edrvfl"), deep)
  expect_identical(prod(lengths(cawi_grid_paper("bls"))), 13 * 11 * 10 * 11)
  # Each fits its model.
  for (model in model_names) {
    expect_s3_class(complete_grid(cawi_grid_paper(model), model, list(), environment()),
                    "cawi_grid")
  }
})

test_that("print shows the axes and their values", {
  expect_output(print(cawi_grid_paper("rvfl")),
                "<cawi_grid> 1,001 combinations.*lambda: 1e-06,.*hidden: 3, 23, .*203")
  expect_output(print(cawi_grid(hidden = list(5, c(5, 3)), lambda = 1)),
                "2 combinations\n  lambda: 1\n  hidden: 5, 5\\+3")
  # Long axes are cut in the middle.
  expect_output(print(cawi_grid(hidden = 1:30, lambda = 1)),
                "hidden: 1, 2, 3, 4, 5, 6, \\.\\.\\., 29, 30$")
  expect_output(print(cawi_grid(intercept = c(TRUE, FALSE))), "intercept: TRUE, FALSE")
  grid <- cawi_grid(hidden = 5)
  capture.output(shown <- withVisible(print(grid)))
  expect_identical(shown, list(value = grid, visible = FALSE))
})

completed <- function(grid = NULL, model = "rvfl", ...) {
  complete_grid(grid, model, list(...), environment())
}

test_that("without a grid four activations, five spreads and several sizes are tried", {
  for (model in model_names) {
    grid <- completed(model = model)
    expect_identical(length(grid$activation), 4L)
    expect_identical(grid$spread, c(0.25, 0.5, 1, 2, 4))
    size <- if (model == "bls") grid$enhancement else grid$hidden
    expect_gt(length(size), 3)
    expect_null(grid$init)
  }
})

test_that("fixed arguments take the place of what the default grid tries", {
  expect_null(completed(activation = "relu")$activation)
  expect_null(completed(hidden = 7)$hidden)
  expect_null(completed(spread = 3)$spread)
  expect_identical(completed(lambda = c(2, 1))$lambda, c(1, 2))
  # A scale that is given is not overruled by spreads.
  expect_null(completed(scale = 2)$spread)
})

test_that("automatic choices become values of the grid", {
  all <- c("iid", "gaussian", "t", "clayton", "frank", "gumbel")
  small <- cawi_grid(hidden = 5, lambda = 1)
  expect_identical(completed(init = "auto")$init, all)
  expect_identical(completed(small, init = "auto")$init, all)
  expect_identical(completed(cawi_grid(init = "auto"))$init, all)
  expect_null(completed(small, init = "frank")$init)
  automatic <- completed(small, scale = "auto")
  expect_identical(automatic$spread, c(0.25, 0.5, 1, 2, 4))
  expect_null(automatic$scale)
  expect_identical(completed(cawi_grid(scale = "auto"))$spread, c(0.25, 0.5, 1, 2, 4))
  expect_identical(completed(cawi_grid(spread = 3), scale = "auto")$spread, 3)
})

# What the networks of a grid are: the rows of the table (without lambda) that each serves.
network_rows <- function(grid, model = "rvfl", fixed = list()) {
  problem <- tuning_problem(input_of(small_x(), small_y("regression")), model, grid, fixed,
                            environment())
  lapply(problem$networks, function(network) sort(network$places))
}

test_that("penalties and nested networks share a network, everything else has its own", {
  expect_identical(network_rows(cawi_grid(hidden = c(3, 9, 5))), list(1:3))
  expect_identical(network_rows(cawi_grid(lambda = 1)), list(1L))
  expect_identical(network_rows(cawi_grid(hidden = c(3, 9), activation = c("relu", "sine"))),
                   list(1:2, 3:4))
  # The paper's grid: one network an activation.
  expect_identical(lengths(network_rows(cawi_grid_paper("rvfl"))), rep(11L, 7))
  for (axis in list(list(init = c("iid", "t")), list(marginal = c("uniform", "normal")),
                    list(scale = 1:2), list(spread = 1:2), list(inputs = 1:2),
                    list(bias = c("uniform", "data")), list(direct = c(TRUE, FALSE)),
                    list(intercept = c(TRUE, FALSE)),
                    list(standardize = c(TRUE, FALSE)))) {
    grid <- do.call(cawi_grid, c(list(hidden = c(3, 9)), axis))
    expect_identical(network_rows(grid), list(1:2, 3:4))
  }
})

test_that("deep networks share what comes before their last layer", {
  shapes <- list(4, 6, c(6, 3), c(6, 5), c(4, 3))
  expect_setequal(network_rows(cawi_grid(hidden = shapes), "drvfl"), list(1:4, 5L))
  expect_identical(network_rows(cawi_grid(hidden = shapes), "edrvfl"), as.list(1:5))
  depths <- lapply(1:10, function(layers) rep(4, layers))
  expect_identical(network_rows(cawi_grid(hidden = depths), "drvfl"), list(1:10))
  # Broad learning: enhancement nodes are nested, windows are not (other windows are read).
  expect_identical(network_rows(cawi_grid(enhancement = c(5, 9), windows = 2:3), "bls"),
                   list(1:2, 3:4))
  expect_identical(network_rows(cawi_grid(nodes = 2:3, windows = 2:3, enhancement = 4), "bls"),
                   list(1L, 2:3, 4L))
})

test_argument_errors(alist(
  lambda = cawi_grid(lambda = -1),
  lambda = cawi_grid(lambda = NA),
  lambda = cawi_grid(lambda = "small"),
  lambda = cawi_grid(lambda = Inf),
  lambda = cawi_grid(lambda = numeric()),
  hidden = cawi_grid(hidden = NULL),
  hidden = cawi_grid(hidden = numeric()),
  activation = cawi_grid(activation = character()),
  hidden = cawi_grid(hidden = c(3, -1)),
  hidden = cawi_grid(hidden = list(3, c(3, NA))),
  activation = cawi_grid(activation = c("relu", "cube")),
  init = cawi_grid(init = list("iid", "vine")),
  marginal = cawi_grid(marginal = "laplace"),
  scale = cawi_grid(scale = c(1, 0)),
  spread = cawi_grid(spread = Inf),
  inputs = cawi_grid(inputs = 1.5),
  bias = cawi_grid(bias = "some"),
  align = cawi_grid(align = "last"),
  direct = cawi_grid(direct = "yes"),
  intercept = cawi_grid(intercept = NA),
  standardize = cawi_grid(standardize = 1),
  windows = cawi_grid(windows = 0),
  enhancement_windows = cawi_grid(enhancement_windows = 1.5),
  nodes = cawi_grid(nodes = "a"),
  enhancement = cawi_grid(enhancement = NA),
  model = cawi_grid_paper("svm"),
  model = cawi_grid_paper(NA),
  model = cawi_grid_paper(c("elm", "rvfl")),
  grid = completed(list(hidden = 5)),
  grid = completed(data.frame(hidden = 5)),
  grid = completed("paper"),
  grid = completed(NA),
  grid = completed(cawi_grid(windows = 3)),
  grid = completed(cawi_grid(hidden = 3), "bls"),
  grid = completed(cawi_grid(enhancement = 3), "drvfl")
))

test_that("axes need names of arguments that can be tuned, each once", {
  expect_error(cawi_grid(5), class = "cawi_error_dots")
  expect_error(cawi_grid(hidden = 5, 1), class = "cawi_error_dots")
  expect_error(cawi_grid(hiden = 5), class = "cawi_error_dots")
  expect_error(cawi_grid(seed = 1:3), class = "cawi_error_dots")
  expect_error(cawi_grid(case_weights = 1:40), class = "cawi_error_dots")
  expect_error(cawi_grid(hidden = 5, hidden = 6), class = "cawi_error_dots")
  # What is no vector of values is refused with a class as well.
  expect_error(cawi_grid(activation = sum), class = "cawi_error")
})

test_that("values that some model takes stay in a grid", {
  copula <- cawi_copula_from("frank", 4, theta = 1)
  axes <- list(hidden = list(5, c(5, 3)), activation = list("relu", c("sine", "tribas")),
               init = list("auto", "independence", copula), scale = "auto", inputs = c(2, NA),
               align = c("all", "first"), direct = c(TRUE, FALSE), windows = 1:2)
  grid <- do.call(cawi_grid, axes)
  for (axis in names(axes)) expect_identical(grid[[axis]], axes[[axis]])
  expect_no_error(cawi_grid(spread = list(NULL, 2)))
})

test_that("two copulas of one family are two values", {
  pair <- list(cawi_copula_from("frank", 4, theta = 1), cawi_copula_from("frank", 4, theta = 9))
  grid <- cawi_grid(hidden = 3, lambda = 1, init = pair)
  expect_identical(as.data.frame(grid)$init, c("frank", "frank (2)"))
})

test_that("a strength to be chosen stands alone", {
  expect_error(cawi_grid(strength = list("auto", 0.5)), class = "cawi_error_strength")
  expect_identical(cawi_grid(strength = "auto")$strength, "auto")
})

test_that("an automatic grid has distributions of one's own once", {
  own <- cawi_copula_from("clayton", dim = 2, theta = 1)
  axes <- automatic_axes(list(init = list("auto", own, own, "iid")), list())
  expect_identical(axes$init, c(as.list(auto_inits), list(own)))
})

test_that("values of a grid that are 64-bit integers or formal objects are plain numbers", {
  whole <- structure(c(1, 2) * 4.940656458412465e-324, class = "integer64")
  expect_identical(cawi_grid(spread = whole, lambda = 1), cawi_grid(spread = c(1, 2), lambda = 1))
  expect_identical(cawi_grid(hidden = list(whole, 3), lambda = 1),
                   cawi_grid(hidden = list(c(1, 2), 3), lambda = 1))
  expect_identical(cawi_grid(direct = asS4(TRUE), lambda = 1), cawi_grid(direct = TRUE, lambda = 1))
  expect_identical(nrow(as.data.frame(cawi_grid(strength = structure(0:1 * 4.940656458412465e-324,
                                                                     class = "integer64")))), 26L)
})
