drawn_numbers <- function(text, name) {
  pattern <- sprintf("(?<= %s=\")[-0-9.]+", name)
  as.numeric(regmatches(text, gregexpr(pattern, text, perl = TRUE))[[1]])
}

test_that("values are drawn at their places", {
  panel <- new_panel(c(0, 10), c(-1, 1), "x", "y")
  text <- unclass(svg_points(panel, c(0, 5, 10), c(-1, 0, 1), "point"))
  x <- drawn_numbers(text, "cx")
  y <- drawn_numbers(text, "cy")
  expect_equal(diff(x)[1], diff(x)[2], tolerance = 1e-2)
  # Down is large.
  expect_true(all(diff(y) < 0))
  expect_true(all(x > panel$left & x < panel$width - panel$right))
  expect_true(all(y > panel$top & y < panel$height - panel$bottom))
  box <- unclass(svg_boxes(panel, 0, 5, 0, 1, "column"))
  expect_equal(drawn_numbers(box, "height"), y[2] - y[3], tolerance = 1e-2)
})

test_that("logarithms have powers of ten, or round numbers where there are few", {
  wide <- new_scale(10^(-3:3), log = TRUE)
  expect_true(all(wide$at == round(wide$at)) && length(wide$at) > 2)
  narrow <- new_scale(c(0.21, 0.6), log = TRUE)
  expect_gt(length(narrow$at), 2)
  expect_equal(10^narrow$at, as.numeric(narrow$labels))
  panel <- new_panel(c(0.01, 1, 100), c(1, 2), "x", "y", "x")
  x <- drawn_numbers(unclass(svg_points(panel, c(0.01, 1, 100), 1, "p")), "cx")
  expect_equal(diff(x)[1], diff(x)[2], tolerance = 1e-2)
})

test_that("single values, none and constants have axes too", {
  for (values in list(3, c(2, 2), 0, numeric(), c(1, NA, Inf), 1e300, -1e-300)) {
    scale <- new_scale(values)
    expect_true(all(is.finite(scale$range)) && diff(scale$range) > 0)
    expect_gt(length(scale$at), 0)
  }
})

test_that("labels that would run into each other are thinned out", {
  expect_equal(evenly_labeled(letters[1:5], 400), 1:5)
  thin <- evenly_labeled(rep("a long label", 20), 400)
  expect_lt(length(thin) * 12 * 6, 400)
  expect_equal(thin[1], 1)
  # One label is always shown.
  expect_equal(evenly_labeled(rep("a long label", 4), 10), 1)
})

test_that("ticks are named below the axis, and the axis beside its middle", {
  panel <- new_panel(c(0, 10), c(-1, 1), "across", "up")
  text <- vapply(svg_axes(panel), function(part) paste(unclass(part), collapse = ""), "")
  bottom <- panel$height - panel$bottom
  below <- drawn_numbers(text[2], "y")
  expect_equal(below, rep(bottom + 17, length(below)), tolerance = 1e-3)
  expect_match(text[5], ">up<")
  expect_equal(drawn_numbers(text[5], "x"), 13)
  expect_equal(drawn_numbers(text[5], "y"), (panel$top + bottom) / 2, tolerance = 1e-3)
})

test_that("a heat map has one cell per pair in the color of its value", {
  tau <- matrix(c(1, -0.5, -0.5, 1), 2)
  text <- unclass(heat_map(tau, c("a<", "b"), "pairs"))
  colors <- regmatches(text, gregexpr("(?<=fill=\")#[0-9A-F]+", text, perl = TRUE))[[1]]
  expect_identical(colors, tau_palette()[c(201, 51, 51, 201)])
  expect_match(text, "-0.50", fixed = TRUE)
  expect_match(text, "a&lt;", fixed = TRUE)
  # By hand: 22 pixels for names of one letter, cells of 207, letters of 12.
  named <- unclass(heat_map(tau, c("a", "b"), "pairs"))
  for (place in c("x=\"16.0\" y=\"111.5\"", "x=\"129.5\" y=\"424.0\"")) {
    expect_match(named, place, fixed = TRUE)
  }
  # Names are left out where they would be noise.
  wide <- unclass(heat_map(diag(45), paste0("feature", 1:45), "pairs"))
  expect_false(grepl("feature", wide))
})
