x <- small_x()
classes <- small_y("classification", x)
numbers <- small_y("regression", x)
tune <- function(y, model, ..., resampling = "loo", metric = NULL, maximize = NULL) {
  cawi_tune(x, y, model, cawi_grid(...), resampling = resampling, metric = metric, maximize = maximize, seed = 1)
}
copula <- cawi_copula_from("clayton", dim = 4, theta = 2)

# Grids of every shape; `surface` says whether there are several penalties and sizes.
tuned <- list(
  "many axes" = tune(classes, "rvfl", hidden = c(5, 9, 20), activation = c("relu", "sine"), spread = c(0.5, 2),
                     bias = c("uniform", "data"), inputs = 1:2, direct = c(TRUE, FALSE), lambda = 10^(-2:1)),
  "one axis" = tune(numbers, "elm", hidden = 5, lambda = c(0.1, 1, 10)),
  "one axis of names" = tune(numbers, "elm", hidden = 5, activation = activation_names, lambda = 1),
  "sizes only" = tune(numbers, "elm", hidden = c(5, 9), lambda = 1),
  "list axes" = tune(classes, "drvfl", hidden = list(5, c(5, 4), c(5, 9)), activation = list("relu", "sine"),
                     lambda = c(0.1, 1), resampling = 3),
  "copulas" = tune(classes, "rvfl", hidden = 5, init = list("iid", "t", copula), lambda = c(0.1, 1)),
  "broad" = tune(numbers, "bls", windows = 2:3, nodes = 2, enhancement = c(4, 8), lambda = c(0.1, 1), resampling = 2),
  "a function" = tune(numbers, "rvfl", hidden = c(5, 9), lambda = c(0, 0.1, 1), maximize = TRUE,
                      metric = function(truth, value) -mean(abs(truth - value))),
  "many values" = tune(classes, "rvfl", hidden = 1:20, lambda = 10^(-6:6), metric = "log_loss")
)
with_surface <- c("many axes", "list axes", "broad", "a function", "many values")

for (name in names(tuned)) {
  types <- c("profile", if (name %in% with_surface) "surface")

  test_that(paste("pictures are drawn in silence and return their argument invisibly:", name), {
    on_null_device({
      before <- graphics::par(c("mfrow", "mar", "mai"))
      for (type in types) {
        expect_silent(shown <- withVisible(plot(tuned[[name]], type = type)))
        expect_identical(shown, list(value = tuned[[name]], visible = FALSE))
      }
      expect_silent(plot(tuned[[name]]))
      expect_identical(graphics::par(c("mfrow", "mar", "mai")), before)
    })
  })

  test_that(paste("pictures are ggplots that can be drawn:", name), {
    skip_if_not_installed("ggplot2")
    for (type in types) {
      picture <- ggplot2::autoplot(tuned[[name]], type = type)
      expect_s3_class(picture, "ggplot")
      on_null_device(expect_silent(print(picture)))
    }
  })
}

test_that("a profile has the best result of every value of every axis", {
  for (name in names(tuned)) {
    object <- tuned[[name]]
    table <- profile_table(object)
    axes <- names(object$grid)[lengths(object$grid) > 1]
    expect_identical(unique(table$axis), axes)
    best <- if (object$maximize) max else min
    for (axis in axes) {
      part <- table[table$axis == axis, ]
      wanted <- tapply(object$results$mean, as.character(object$results[[axis]]), best)
      expect_identical(sort(part$mean), sort(as.vector(wanted)))
      expect_identical(part$place, seq_along(object$grid[[axis]]))
      # The choice is one value of each axis, and no value is better.
      expect_identical(sum(part$chosen), 1L)
      expect_identical(part$mean[part$chosen], object$chosen$mean)
      expect_identical(best(part$mean), object$chosen$mean)
    }
  }
})

test_that("numbers stand in their order, names from best to worst", {
  table <- profile_table(tuned[["many axes"]])
  expect_identical(table$value[table$axis == "lambda"], c("0.01", "0.1", "1", "10"))
  expect_identical(table$value[table$axis == "hidden"], c("5", "9", "20"))
  names_axis <- profile_table(tuned[["one axis of names"]])
  expect_false(is.unsorted(names_axis$mean))
  expect_setequal(names_axis$value, activation_names)
})

test_that("a surface has the results at the chosen values of everything else", {
  for (name in with_surface) {
    object <- tuned[[name]]
    table <- surface_table(object)
    expect_identical(anyDuplicated(table[c("lambda", "columns")]), 0L)
    expect_setequal(table$lambda, object$grid$lambda)
    expect_identical(table$row[table$chosen], object$chosen$row)
    expect_equal(table$mean, object$results$mean[table$row])
    sizes <- c("hidden", "windows", "nodes", "enhancement")
    for (axis in setdiff(names(object$grid), c("lambda", sizes))) {
      expect_identical(unique(table[[axis]]), object$chosen[[axis]])
    }
  }
})

test_that("of shapes with equally many columns the better one is shown, and the chosen one always", {
  object <- tune(numbers, "bls", windows = c(2, 4), nodes = c(2, 4), enhancement = 4, lambda = c(0.1, 1))
  table <- surface_table(object)
  expect_identical(nrow(table), 6L)
  for (lambda in c(0.1, 1)) {
    rows <- object$results$lambda == lambda & object$results$columns == 13
    expect_identical(table$mean[table$lambda == lambda & table$columns == 13], min(object$results$mean[rows]))
  }
  # With one standard error the choice need not be the best of its size.
  grid <- cawi_grid(hidden = list(c(4, 6), c(6, 4), c(20, 20)), lambda = c(0.1, 1, 10))
  simple <- cawi_tune(x, numbers, "drvfl", grid, seed = 1, one_se = TRUE)
  expect_identical(sum(surface_table(simple)$chosen), 1L)
  # Here two shapes of 15 columns have the same accuracy, and squared error decided.
  tied <- cawi_tune(x, classes, "drvfl", cawi_grid(hidden = list(c(4, 6), c(6, 4), 3), lambda = c(0.1, 1)), seed = 5)
  expect_identical(sum(tied$results$mean == tied$chosen$mean & tied$results$columns == tied$chosen$columns), 2L)
  expect_identical(surface_table(tied)$row[surface_table(tied)$chosen], tied$chosen$row)
})

test_that("the choice of one standard error is marked at its own value", {
  simple <- cawi_tune(x, numbers, "rvfl", cawi_grid(hidden = c(3, 5, 9), lambda = c(0.1, 1, 10)), seed = 1,
                      one_se = TRUE)
  table <- profile_table(simple)
  expect_identical(table$value[table$chosen], as.character(c(simple$best$lambda, simple$best$hidden)))
})

test_that("pictures leave R's generator alone", {
  expect_generator_untouched(on_null_device(for (object in tuned) plot(object)))
})

single <- tune(numbers, "elm", hidden = 5, lambda = 1)

test_argument_errors(alist(
  type = plot(tuned[["many axes"]], type = "violin"),
  type = plot(tuned[["many axes"]], type = NA),
  type = plot(tuned[["one axis"]], type = "surface"),
  type = plot(tuned[["sizes only"]], type = "surface"),
  x = plot(single)
))

test_that("autoplot blames the same", {
  skip_if_not_installed("ggplot2")
  expect_error(ggplot2::autoplot(tuned[["many axes"]], type = "violin"), class = "cawi_error_type")
  expect_error(ggplot2::autoplot(tuned[["one axis"]], type = "surface"), class = "cawi_error_type")
  expect_error(ggplot2::autoplot(single), class = "cawi_error")
})
