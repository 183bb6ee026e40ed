for (name in names(pictured)) {
  test_that(paste("all pictures are drawn and return the copula invisibly:", name), {
    copula <- pictured[[name]]
    on_null_device({
      for (type in picture_types(copula)) {
        expect_identical(withVisible(plot(copula, type = type, n = 50)),
                         list(value = copula, visible = FALSE))
      }
      expect_silent(plot(copula, n = 50))
    })
  })
}

test_that("the default picture is contours of a pair and tau otherwise", {
  expect_identical(check_plot_type(pictured$pair, NULL), "contour")
  expect_identical(check_plot_type(pictured$singular, NULL), "tau")
  expect_identical(check_plot_type(pictured$fitted, NULL), "tau")
  expect_identical(check_plot_type(pictured$single, NULL), "tau")
})

test_that("the tau picture has the sample's tau beside the copula's", {
  panels <- tau_panels(pictured$fitted)
  expect_named(panels, c("Data", "Gaussian copula"))
  expect_identical(panels$Data, cawi_kendall(iris[, 1:4]))
  expect_named(tau_panels(pictured$pair), "Gumbel copula")
  expect_equal(tau_panels(pictured$pair)[[1]], matrix(c(1, 0.5, 0.5, 1), 2))
  # Flipped features have the signs of the data.
  panels <- tau_panels(pictured$reflected)
  expect_identical(sign(panels[[2]]), sign(panels$Data))
})

test_that("contours are those of the density on normal margins", {
  grid <- contour_grid(pictured$pair, 5)
  z <- c(-3.5, -1.75, 0, 1.75, 3.5)
  expect_equal(grid$z, z)
  expect_equal(grid$density[2, 4],
               cawi_density(pictured$pair, stats::pnorm(z[c(2, 4)])) * prod(stats::dnorm(z[c(2, 4)])))
  expect_true(all(contour_levels(grid$density) < max(grid$density)))
})

test_that("pictures leave R's generator and the graphical parameters alone", {
  on_null_device({
    before <- graphics::par(c("mfrow", "mar", "mai"))
    expect_generator_untouched(for (copula in pictured) plot(copula, n = 20))
    expect_identical(graphics::par(c("mfrow", "mar", "mai")), before)
  })
})

test_that("features are chosen by number or name", {
  expect_identical(check_features(pictured$fitted, c("Petal.Width", "Sepal.Length")), c(4L, 1L))
  expect_identical(check_features(pictured$fitted, c(2, 3)), 2:3)
  expect_identical(check_features(pictured$wide, NULL), 1:4)
  on_null_device(expect_silent(plot(pictured$fitted, type = "draws", n = 20, features = c(4, 1))))
})

test_argument_errors(alist(
  type = plot(pictured$pair, type = "violin"),
  type = plot(pictured$pair, type = NA),
  type = plot(pictured$fitted, type = "contour"),
  type = plot(pictured$singular, type = "contour"),
  type = plot(pictured$single, type = "draws"),
  n = plot(pictured$pair, n = 0),
  n = plot(pictured$pair, n = -1),
  n = plot(pictured$pair, n = "many"),
  features = plot(pictured$fitted, type = "draws", features = 1),
  features = plot(pictured$fitted, type = "draws", features = c(1, 9)),
  features = plot(pictured$fitted, type = "draws", features = c("Sepal.Length", "Colour")),
  features = plot(pictured$wide, type = "draws", features = 1:7),
  features = plot(pictured$fitted, type = "draws", features = NA),
  seed = plot(pictured$pair, seed = -1)
))
