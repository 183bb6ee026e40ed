autoplot_types <- function(copula) {
  skip_if_not_installed("ggplot2")
  lapply(picture_types(copula), function(type) ggplot2::autoplot(copula, type = type, n = 50))
}

for (name in names(pictured)) {
  test_that(paste("all pictures are ggplots that can be drawn:", name), {
    for (picture in autoplot_types(pictured[[name]])) {
      expect_s3_class(picture, "ggplot")
      on_null_device(expect_silent(print(picture)))
    }
  })
}

test_that("pictures hold what they show", {
  skip_if_not_installed("ggplot2")
  tau <- ggplot2::autoplot(pictured$fitted)$data
  expect_identical(nrow(tau), 2L * 16L)
  expect_equal(tau$tau[tau$panel == "Data"], as.vector(cawi_kendall(iris[, 1:4])))
  draws <- ggplot2::autoplot(pictured$fitted, type = "draws", n = 30, features = 1:3, seed = 2)$data
  expect_identical(nrow(draws), 3L * 30L)
  expect_identical(draws$first[1:30], unname(simulate(pictured$fitted, 30, seed = 2)[, 1]))
})

test_that("pictures leave R's generator alone", {
  expect_generator_untouched(for (copula in pictured) autoplot_types(copula))
})

test_that("wrong arguments of autoplot are blamed", {
  skip_if_not_installed("ggplot2")
  expect_error(ggplot2::autoplot(pictured$pair, type = "violin"), class = "cawi_error_type")
  expect_error(ggplot2::autoplot(pictured$fitted, type = "contour"), class = "cawi_error_type")
  expect_error(ggplot2::autoplot(pictured$pair, n = 0), class = "cawi_error_n")
  expect_error(ggplot2::autoplot(pictured$fitted, type = "draws", features = 1),
               class = "cawi_error_features")
})
