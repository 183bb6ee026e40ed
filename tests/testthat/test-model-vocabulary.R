activate <- function(x, name) as.vector(activate_cpp(matrix(x, 1), name))

points <- c(0, 1e-300, 1e-16, 1e-8, 1e-3, 0.25, 0.5, 0.999, 1, 1.001, 1.5, 2, pi, 5, 10, 20,
            26, 30, 36, 38, 40, 100, 300, 700, 709, 710, 745, 746, 1000, 1e5)
points <- c(points, -points, seq(-6, 6, length.out = 997))

test_that("the seven names", {
  expect_setequal(activation_names, names(plain_activations))
})

for (name in names(plain_activations)) {
  test_that(paste("values are those of the formula:", name), {
    expect_lt(max(abs(activate(points, name) - plain_activations[[name]](points)) /
                    pmax(1, abs(plain_activations[[name]](points)))), 1e-14)
  })

  test_that(paste("results do not depend on the place in the array:", name), {
    whole <- activate(points, name)
    for (n in 1:9) for (first in c(1, 2, 3, 40)) {
      here <- seq(first, length.out = n)
      expect_identical(activate(points[here], name), whole[here])
    }
  })

  test_that(paste("the activation is not linear:", name), {
    # A line has its value at 0.1 between those at -0.5 and 0.7.
    expect_gt(abs(activate(0.7, name) + activate(-0.5, name) - 2 * activate(0.1, name)), 0.001)
  })
}

test_that("values worked by hand", {
  x <- c(-1, 0, 1)
  e <- exp(1)
  expect_equal(activate(x, "sigmoid"), c(1 / (1 + e), 0.5, e / (1 + e)))
  expect_equal(activate(c(0, pi / 2, pi, -pi / 6), "sine"), c(0, 1, 0, -0.5))
  expect_identical(activate(c(-2, -1, -0.25, 0, 0.5, 1, 3), "tribas"), c(0, 0, 0.75, 1, 0.5, 0, 0))
  expect_equal(activate(x, "radbas"), c(1 / e, 1, 1 / e))
  expect_equal(activate(x, "tansig"), c(-1, 0, 1) * (e^2 - 1) / (e^2 + 1))
  expect_identical(activate(c(-3, 0, 2.5), "relu"), c(0, 0, 2.5))
  # Klambauer et al.: 1.0507 x above zero, 1.7581 (exp(x) - 1) below.
  expect_equal(activate(c(-1, 0, 2), "selu"), c(-1.111331, 0, 2.101402), tolerance = 1e-6)
})

test_that("limits are reached, without NaN", {
  far <- c(-1e308, -1e5, -1000, 1000, 1e5, 1e308)
  expect_lt(max(abs(activate(far, "sigmoid") - c(0, 0, 0, 1, 1, 1))), 1e-300)
  expect_identical(activate(far, "tansig"), c(-1, -1, -1, 1, 1, 1))
  expect_identical(activate(far, "radbas"), numeric(6))
  expect_identical(activate(far, "tribas"), numeric(6))
  expect_identical(activate(far, "relu"), c(0, 0, 0, 1000, 1e5, 1e308))
  expect_equal(activate(far[1:5], "selu"), c(rep(-1.0507009873554805 * 1.6732632423543772, 3),
                                             1.0507009873554805 * far[4:5]))
})

test_that("sigmoid keeps its relative precision in the lower tail", {
  x <- -c(10, 40, 100, 300, 700)
  expect_equal(activate(x, "sigmoid") / exp(x), 1 / (1 + exp(x)), tolerance = 1e-13)
})

test_that("sine is right far out, alone and beside small arguments", {
  large <- c(1e5, 999999, 1e6, 1000001, 1e7, -1e7, 1e9)
  expect_lt(max(abs(activate(large, "sine") - sin(large))), 1e-10)
  expect_lt(max(abs(activate(c(0.1, large, 0.2), "sine") - sin(c(0.1, large, 0.2)))), 1e-10)
  for (x in large) expect_lt(abs(activate(x, "sine") - sin(x)), 1e-10)
})

test_that("NaN stays NaN, in every place of a vector and beside numbers", {
  # NA is a NaN whose low bits are not zero.
  for (name in activation_names) for (bad in c(NaN, NA, -NaN)) for (at in 1:7) {
    x <- replace(c(-2, -1, 0, 0.5, 1, 2, 3), at, bad)
    found <- activate(x, name)
    expect_identical(is.nan(found) | is.na(found), seq_along(x) == at, label = paste(name, at))
  }
})

test_that("infinities give the limits", {
  ends <- c(-Inf, Inf)
  expect_identical(activate(ends, "sigmoid"), c(0, 1))
  expect_identical(activate(ends, "tansig"), c(-1, 1))
  expect_identical(activate(ends, "radbas"), c(0, 0))
  expect_identical(activate(ends, "tribas"), c(0, 0))
  expect_identical(activate(ends, "relu"), c(0, Inf))
  expect_identical(activate(ends, "selu"), c(-1.0507009873554805 * 1.6732632423543772, Inf))
  expect_true(all(is.nan(suppressWarnings(activate(ends, "sine")))))
})

test_that("finite values keep the bits of the first release", {
  recorded <- readRDS(test_path("fixtures", "activations.rds"))
  for (name in names(recorded)) {
    found <- activate(recorded[[name]]$x, name)
    if (R.version$arch == "x86_64") {
      expect_identical(found, recorded[[name]]$value, label = name)
    } else {
      # Other machines may fuse multiplications with additions.
      expect_equal(found, recorded[[name]]$value, tolerance = 1e-14, label = name)
    }
  }
})
