comparison <- function(shift) {
  base <- lehmer(20, 7) / 2147483647
  new <- base + shift + lehmer(20, 9) / 2147483647 / 10
  cawi_compare(cbind(old = base, new = new, newer = base - shift), seed = 1)
}

# Rows of a comparison that stand at the heights of their methods, as the axis labels them.
expect_gains <- function(points, bars, pairs, ticks) {
  expect_equal(points$x, pairs$gain)
  expect_equal(bars$x0, pairs$low)
  expect_equal(bars$x1, pairs$high)
  expect_true(all(pairs$low < pairs$gain & pairs$gain < pairs$high))
  expect_identical(bars$y0, points$y)
  expect_identical(bars$y1, points$y)
  # Nearest to the label of its own method.
  nearest <- vapply(points$y, function(y) ticks$label[which.min(abs(ticks$at - y))], character(1))
  expect_identical(nearest, pairs$method)
}

test_that("gains and intervals stand beside the names of their methods", {
  first <- comparison(0.1)
  picture <- recorded(expect_identical(withVisible(plot(first)),
                                       list(value = first, visible = FALSE)))
  ticks <- drawn_axis(picture, 2)
  expect_identical(ticks$label, c("new", "newer"))
  points <- drawn_points(picture)
  segments <- drawn_segments(picture)
  expect_gains(points, segments[segments$lwd == 2, ], first$pairs, ticks)
  # The line of no gain.
  zero <- segments[segments$lwd == 1, ]
  expect_identical(c(zero$x0, zero$x1), c(0, 0))
  expect_true(zero$y0 < 1 && zero$y1 > 2)
  titles <- drawn_titles(picture)
  expect_identical(c(titles$main, titles$xlab), c("Gain over old", "gain, with interval"))
  # The first method is at the top, and everything is within.
  window <- drawn_windows(picture)
  expect_gt(window$low, window$high)
  expect_true(window$left <= min(0, first$pairs$low) && window$right >= max(0, first$pairs$high))
  expect_null(drawn_text(picture))
  picture <- recorded(plot(first, main = "Mine"))
  expect_identical(drawn_titles(picture)$main, "Mine")
})

test_that("several comparisons stand below each other at each method, in colors of their own", {
  all <- list(one = comparison(0.1), other = comparison(0.3), third = comparison(0.2))
  picture <- recorded(plot(all$one, other = all$other, third = all$third, name = "one"))
  ticks <- drawn_axis(picture, 2)
  expect_identical(ticks$label, c("new", "newer"))
  points <- drawn_points(picture)
  segments <- drawn_segments(picture)
  # Those of the legend come last.
  keys <- utils::tail(points, 3)
  points <- utils::head(points, -3)
  expect_identical(trimws(drawn_text(picture)$text), names(all))
  expect_identical(anyDuplicated(keys$col), 0L)
  for (k in 1:3) {
    own <- points[points$col == keys$col[k], ]
    bars <- segments[segments$col == keys$col[k] & segments$y0 %in% own$y, ]
    expect_gains(own, bars, all[[k]]$pairs, ticks)
  }
  # In the order of the legend from above, and apart.
  heights <- matrix(points$y, 2)
  expect_true(all(heights[, 1] < heights[, 2] & heights[, 2] < heights[, 3]))
  window <- drawn_windows(picture)
  expect_gt(window$low, window$high)
})

test_that("plots of comparisons leave the device as it was", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  before <- graphics::par("mai", "las", "xpd")
  plot(comparison(0.1))
  expect_identical(graphics::par("mai", "las", "xpd"), before)
})

test_that("further arguments must be named comparisons", {
  expect_error(plot(comparison(0.1), comparison(0.2)), class = "cawi_error_dots")
  expect_error(plot(comparison(0.1), other = 1), class = "cawi_error_dots")
})

test_that("autoplot shows the same gains and intervals", {
  skip_if_not_installed("ggplot2")
  all <- list(one = comparison(0.1), other = comparison(0.3), third = comparison(0.2))
  picture <- ggplot2::autoplot(all$one, other = all$other, third = all$third, name = "one")
  built <- ggplot2::ggplot_build(picture)
  bars <- built$data[[2]]
  points <- built$data[[3]]
  expect_identical(picture$labels$title, "Gain over old")
  drawn <- utils::head(drawn_points(recorded(
    plot(all$one, other = all$other, third = all$third, name = "one")
  )), -3)
  for (k in 1:3) {
    own <- points[points$colour == comparison_colors(3)[k], ]
    bar <- bars[bars$colour == comparison_colors(3)[k], ]
    shown <- drawn[drawn$col == comparison_colors(3)[k], ]
    expect_equal(bar$xmin, all[[k]]$pairs$low)
    expect_equal(bar$xmax, all[[k]]$pairs$high)
    expect_equal(own$x, all[[k]]$pairs$gain)
    # The axis is turned round.
    expect_equal(-own$y, shown$y)
    expect_equal(own$y, bar$y)
  }
  expect_identical(built$layout$panel_params[[1]]$y$get_labels(), c("new", "newer"))
  single <- ggplot2::autoplot(all$one, main = "Mine")
  expect_identical(single$labels$title, "Mine")
  expect_identical(single$theme$legend.position, "none")
  expect_error(ggplot2::autoplot(all$one, all$other), class = "cawi_error_dots")
  expect_error(ggplot2::autoplot(structure(list(), class = "cawi_comparison")),
               class = "cawi_error_object")
})
