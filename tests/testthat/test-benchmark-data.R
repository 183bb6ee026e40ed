two <- c("iid", "gaussian")
few <- cawi_grid(hidden = c(3, 9), activation = "sigmoid", lambda = 10^(-1:1))
flowers <- list(x = as.matrix(iris[, 1:4]), y = iris$Species)
bench <- function(sets, ..., init = two, grid = few) cawi_benchmark(sets, init = init, grid = grid, ...)

test_that("x and y that do not fit are refused before anything runs, and the set is named", {
  for (protocol in c("nested", "paper", "equal")) {
    broken <- list(
      short = list(x = flowers$x, y = flowers$y[-1]), long = list(x = flowers$x[-1, ], y = flowers$y),
      missing = list(x = flowers$x, y = replace(flowers$y, 3, NA)), one = list(x = flowers$x, y = rep("a", 150)),
      infinite = list(x = replace(flowers$x, 5, Inf), y = flowers$y), frame = list(x = flowers$x, y = iris["Species"]),
      tiny = list(x = flowers$x[1:3, ], y = c("a", "b", "a"))
    )
    for (name in names(broken)) {
      error <- expect_error(bench(broken[name], protocol = protocol), class = "cawi_error_datasets")
      expect_match(conditionMessage(error), name, fixed = TRUE)
      expect_s3_class(error$parent, "cawi_error")
    }
  }
})

test_that("sets and seeds are run once", {
  expect_error(bench(list(a = flowers, a = flowers)), class = "cawi_error_datasets")
  expect_error(bench(list(a = flowers), seeds = NULL), class = "cawi_error_seeds")
  once <- bench(list(a = flowers), seeds = c(3, 3))
  expect_identical(nrow(once), 10L)
  expect_error(cawi_benchmark(), class = "cawi_error_datasets")
  expect_error(bench(list(flowers)), class = "cawi_error_datasets")
  expect_error(bench("iris", protocol = "paper", models = "bls"), class = "cawi_error_models")
})

test_that("one set may be given alone", {
  expect_identical(unique(bench(flowers)$set), "data")
  expect_identical(unique(bench(cawi_read_dataset("iris"))$set), "iris")
})

test_that("the protocols of the public code take grids with their three axes only", {
  for (grid in list(cawi_grid(hidden = 3, activation = "relu", lambda = 1, scale = c(0.1, 1)),
                    cawi_grid(activation = "relu", lambda = 1))) {
    expect_error(bench(flowers, protocol = "paper", grid = grid), class = "cawi_error_grid")
  }
  expect_error(bench(flowers, grid = list(hidden = 3)), class = "cawi_error_grid")
})

test_that("the family that weights come from is told, also where it is not the one asked for", {
  # Rows that sum to zero: features move against each other.
  b <- bench(flowers, init = c("iid", "gaussian", "clayton"), protocol = "paper")
  folds <- b[b$fold > 0, ]
  expect_identical(unique(folds$family[folds$init == "iid"]), "independence")
  expect_identical(unique(folds$family[folds$init == "gaussian"]), "gaussian")
  copula <- suppressWarnings(cawi_copula(standardise_rows(flowers$x)[31:150, ], "clayton"))
  expect_identical(folds$family[folds$init == "clayton" & folds$fold == 1], copula$family)
  expect_identical(unique(bench(flowers, init = "t")$family), "t")
})

test_that("benchmarks of several protocols are printed apart and not pooled", {
  both <- rbind(bench(flowers), bench(flowers, protocol = "paper"))
  expect_output(print(both), "protocol nested.*protocol paper")
  expect_error(summary(both), class = "cawi_error_x")
  expect_error(plot(both), class = "cawi_error_x")
})

test_that("few sets or one law cannot be compared or drawn", {
  expect_error(summary(bench(flowers)), class = "cawi_error_object")
  expect_error(plot(bench(flowers, init = "iid")), class = "cawi_error_x")
})
