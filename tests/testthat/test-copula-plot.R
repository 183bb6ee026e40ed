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
    # The default is one of them.
    type <- if (copula$dim == 2L && name != "singular") "contour" else "tau"
    expect_identical(recorded(plot(copula, n = 50, seed = 1)),
                     recorded(plot(copula, type = type, n = 50, seed = 1)))
  })
}

for (name in c("fitted", "reflected", "pair", "singular", "turned_pair")) {
  test_that(paste("cells of the tau picture have color and text of their features:", name), {
    copula <- pictured[[name]]
    picture <- recorded(plot(copula, type = "tau"))
    panels <- list(tau_of(copula))
    names(panels) <- paste(families[[copula$family]]$label, "copula")
    if (!is.null(copula$tau)) panels <- c(list(Data = copula$tau), panels)
    if (name == "fitted") expect_equal(panels$Data, cawi_kendall(iris[, 1:4]))
    expect_identical(drawn_titles(picture)$main, c(names(panels), "tau"))
    for (k in seq_along(panels)) {
      wanted <- by_label(panels[[k]])
      found <- read_heat_map(picture, k, tau_colors, c(-1, 1))
      expect_identical(dimnames(found), dimnames(wanted))
      expect_lt(max(abs(found - wanted)), 1 / 200)
      text <- read_cell_text(picture, k)
      expect_identical(text, array(sprintf("%.2f", wanted), dim(wanted), dimnames(wanted)))
      # From left to right and from top to bottom in the order of the data.
      below <- subset(drawn_axis(picture, 1), panel == k)
      left <- subset(drawn_axis(picture, 2), panel == k)
      expect_identical(below$label[order(below$at)], rownames(panels[[k]]))
      expect_identical(left$label[order(-left$at)], rownames(panels[[k]]))
      drawn <- subset(drawn_text(picture), panel == k)
      expect_identical(drawn$col == "white", abs(as.double(drawn$text)) > 0.6)
    }
    # The key: low below, high above.
    key <- subset(drawn_cells(picture), panel == length(panels) + 1)
    expect_lt(max(abs(read_color(key$color, tau_colors, c(-1, 1)) - key$y)), 1 / 200)
    ticks <- drawn_rows(picture, "axis", function(args) {
      data.frame(side = args[[1]], at = args[[2]])
    })
    ticks <- subset(ticks, panel == length(panels) + 1)
    expect_identical(ticks[c("side", "at")], data.frame(side = 4, at = c(-1, -0.5, 0, 0.5, 1)),
                     ignore_attr = "row.names")
  })
}

test_that("many features have no numbers in their cells, very many no names", {
  some <- recorded(plot(pictured$labeled_less, type = "tau"))
  expect_null(drawn_text(some))
  expect_identical(drawn_axis(some, 1)$label, paste0("V", 1:20))
  found <- read_heat_map(some, 1, tau_colors, c(-1, 1))
  expect_lt(max(abs(found - 1 / 3 - diag(2 / 3, 20))), 1 / 200)
  many <- recorded(plot(pictured$wide, type = "tau"))
  expect_null(drawn_text(many))
  expect_null(drawn_axis(many, 1))
  cells <- subset(drawn_cells(many), panel == 1)
  wanted <- ifelse(cells$x + cells$y == 61, 1, 2 / pi * asin(0.3))
  expect_lt(max(abs(read_color(cells$color, tau_colors, c(-1, 1)) - wanted)), 1 / 200)
})

test_that("long names are cut", {
  x <- iris[, 1:2]
  names(x) <- c("a name that does not end", "short")
  # What was left out is told by signs that every device has.
  picture <- expect_silent(recorded(plot(cawi_copula(x, "gaussian"), type = "tau")))
  labels <- drawn_axis(picture, 1)$label
  expect_length(labels, 4)
  expect_true(all(startsWith(labels[c(1, 3)], "a name that d") & nchar(labels[c(1, 3)]) == 16))
  expect_identical(labels[c(2, 4)], c("short", "short"))
})

for (features in list(NULL, c(4, 1), c("Petal.Width", "Sepal.Width", "Petal.Length"))) {
  test_that(paste("every pair of features has its draws and tau:", toString(features)), {
    copula <- pictured$fitted
    picture <- recorded(plot(copula, type = "draws", n = 30, features = features, seed = 3))
    chosen <- if (is.null(features)) 1:4 else features
    u <- unname(simulate(copula, 30, seed = 3)[, chosen])
    labels <- if (is.numeric(chosen)) names(iris)[chosen] else chosen
    d <- length(chosen)
    points <- drawn_points(picture)
    text <- drawn_text(picture)
    # Panels column by column; the feature of the row is upwards, that of the column to the right.
    for (i in seq_len(d)) for (j in seq_len(d)) {
      here <- (j - 1) * d + i
      part <- points[points$panel == here, ]
      said <- text$text[text$panel == here]
      if (i > j) expect_identical(part[c("x", "y")], data.frame(x = u[, j], y = u[, i]),
                                  ignore_attr = "row.names")
      if (i <= j) expect_identical(nrow(part), 0L)
      if (i == j) expect_identical(said, labels[i])
      if (i < j) expect_identical(said, sprintf("tau %.2f", slow_tau(u[, i], u[, j])))
      place <- unlist(text[text$panel == here, c("x", "y")])
      if (i < j) expect_identical(place, c(x = 0.5, y = 0.5))
    }
    expect_identical(drawn_margins(picture)$text, "30 draws from the Gaussian copula")
    expect_true(all(drawn_windows(picture)[c("left", "low")] == 0))
    expect_true(all(drawn_windows(picture)[c("right", "high")] == 1))
  })
}

for (name in c("pair", "fitted_pair", "turned_pair")) {
  test_that(paste("contours of the density lie over draws, both on normal margins:", name), {
    copula <- pictured[[name]]
    picture <- recorded(plot(copula, n = 40, seed = 5))
    draws <- stats::qnorm(unname(simulate(copula, 40, seed = 5)))
    expect_equal(drawn_points(picture)[c("x", "y")], data.frame(x = draws[, 1], y = draws[, 2]),
                 ignore_attr = "row.names")
    expect_length(drawn_contours(picture), 1)
    shown <- drawn_contours(picture)[[1]]
    expect_identical(range(shown$x), c(-3.5, 3.5))
    expect_identical(shown$y, shown$x)
    # By the density of the copula at two places that are no mirror images of each other.
    places <- rbind(c(20, 60), c(60, 20), c(75, 71), c(15, 47))
    z <- cbind(shown$x[places[, 1]], shown$y[places[, 2]])
    density <- cawi_density(copula, stats::pnorm(z)) * stats::dnorm(z[, 1]) * stats::dnorm(z[, 2])
    expect_equal(shown$z[places], density)
    if (name == "turned_pair") expect_gt(abs(density[1] - density[2]), 0.01 * max(density))
    expect_identical(shown$levels, signif(max(shown$z) * c(0.02, 0.1, 0.25, 0.45, 0.65, 0.85), 2))
    labels <- if (is.null(copula$names)) c("V1", "V2") else copula$names
    titles <- drawn_titles(picture)
    expect_identical(c(titles$xlab, titles$ylab), paste(labels, "(normal scores)"))
    expect_identical(titles$main, paste0(families[[copula$family]]$label, " copula, tau ",
                                         format(tau_of(copula)[1, 2], digits = 2)))
    # Draws within the picture are visible.
    window <- drawn_windows(picture)
    expect_identical(unlist(window[c("left", "right", "low", "high")], use.names = FALSE),
                     c(-3.5, 3.5, -3.5, 3.5))
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
               cawi_density(pictured$pair, stats::pnorm(z[c(2, 4)])) *
                 prod(stats::dnorm(z[c(2, 4)])))
  expect_true(all(contour_levels(grid$density) < max(grid$density)))
})

test_that("pictures with a seed leave R's generator and the graphical parameters alone", {
  on_null_device({
    before <- graphics::par(c("mfrow", "mar", "mai"))
    expect_generator_untouched(for (copula in pictured) plot(copula, n = 20, seed = 1))
    expect_identical(graphics::par(c("mfrow", "mar", "mai")), before)
  })
})

test_that("features are chosen by number or name", {
  expect_identical(check_features(pictured$fitted, c("Petal.Width", "Sepal.Length")), c(4L, 1L))
  expect_identical(check_features(pictured$fitted, c(2, 3)), 2:3)
  expect_identical(check_features(pictured$wide, NULL), 1:4)
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
  features = plot(pictured$fitted, type = "draws", features = c("Sepal.Length", "Color")),
  features = plot(pictured$wide, type = "draws", features = 1:7),
  features = plot(pictured$fitted, type = "draws", features = NA),
  seed = plot(pictured$pair, seed = -1)
))

# ---- ggplot2 ----

autoplot_types <- function(copula) {
  skip_if_not_installed("ggplot2")
  lapply(picture_types(copula), function(type) {
    ggplot2::autoplot(copula, type = type, n = 50, seed = 1)
  })
}

for (name in names(pictured)) {
  test_that(paste("all pictures are ggplots that can be drawn:", name), {
    for (picture in autoplot_types(pictured[[name]])) {
      expect_s3_class(picture, "ggplot")
      on_null_device(expect_silent(print(picture)))
    }
  })
}

for (name in c("fitted", "reflected", "pair", "singular", "turned_pair")) {
  test_that(paste("tiles have the color and text of their features:", name), {
    skip_if_not_installed("ggplot2")
    copula <- pictured[[name]]
    picture <- ggplot2::autoplot(copula, type = "tau")
    layers <- layers_of(picture)
    expect_geoms(picture, "tile", "text")
    panels <- list(tau_of(copula))
    names(panels) <- paste(families[[copula$family]]$label, "copula")
    if (!is.null(copula$tau)) panels <- c(list(Data = copula$tau), panels)
    expect_identical(facets_of(picture, "panel"), names(panels))
    for (k in seq_along(panels)) {
      below <- data.frame(at = seq_len(copula$dim), label = ticks_of(picture, "x", k))
      left <- data.frame(at = seq_len(copula$dim), label = ticks_of(picture, "y", k))
      expect_identical(below$label, rownames(panels[[k]]))
      expect_identical(left$label, rev(rownames(panels[[k]])))
      wanted <- by_label(panels[[k]])
      tiles <- layers[[1]][layers[[1]]$PANEL == k, ]
      value <- read_color(tiles$fill, tau_colors, c(-1, 1))
      expect_lt(max(abs(as_labeled(tiles, value, below, left) - wanted)), 1 / 100)
      text <- layers[[2]][layers[[2]]$PANEL == k, ]
      expect_identical(as_labeled(text, as.character(text$label), below, left),
                       array(sprintf("%.2f", wanted), dim(wanted), dimnames(wanted)))
      white <- abs(as.double(text$label)) > 0.6
      expect_identical(text$colour == "white", white)
    }
    expect_identical(labels_of(picture)$fill, "tau")
  })
}

test_that("many features have no numbers in their tiles, very many no names", {
  skip_if_not_installed("ggplot2")
  some <- ggplot2::autoplot(pictured$labeled_less)
  expect_geoms(some, "tile")
  expect_identical(ticks_of(some, "x"), paste0("V", 1:20))
  expect_identical(ticks_of(some, "y"), paste0("V", 20:1))
  many <- ggplot2::autoplot(pictured$wide)
  tiles <- layers_of(many)[[1]]
  wanted <- ifelse(tiles$x + tiles$y == 61, 1, 2 / pi * asin(0.3))
  expect_lt(max(abs(read_color(tiles$fill, tau_colors, c(-1, 1)) - wanted)), 1 / 100)
  expect_s3_class(many$theme$axis.text, "element_blank")
})

test_that("every pair of features has its draws", {
  skip_if_not_installed("ggplot2")
  for (features in list(1:4, c(4, 1), c(3, 1, 2))) {
    picture <- ggplot2::autoplot(pictured$fitted, type = "draws", n = 30, features = features,
                                 seed = 2)
    u <- unname(simulate(pictured$fitted, 30, seed = 2))
    layers <- layers_of(picture)
    expect_geoms(picture, "point")
    pairs <- utils::combn(features, 2)
    expect_identical(facets_of(picture, "pair"),
                     paste(names(iris)[pairs[1, ]], "and", names(iris)[pairs[2, ]]))
    for (k in seq_len(ncol(pairs))) {
      points <- layers[[1]][layers[[1]]$PANEL == k, ]
      # The first name is to the right, the second upwards.
      expect_equal(cbind(points$x, points$y), u[, pairs[, k]])
    }
    expect_identical(labels_of(picture)$title, "30 draws from the Gaussian copula")
  }
})

for (name in c("pair", "fitted_pair", "turned_pair")) {
  test_that(paste("contours are at heights of the density, over draws:", name), {
    skip_if_not_installed("ggplot2")
    copula <- pictured[[name]]
    picture <- ggplot2::autoplot(copula, n = 40, seed = 5)
    layers <- layers_of(picture)
    expect_geoms(picture, "point", "contour")
    expect_equal(cbind(layers[[1]]$x, layers[[1]]$y),
                 stats::qnorm(unname(simulate(copula, 40, seed = 5))))
    # On each line the density is that of the line, as well as straight pieces can tell in steep
    # places.
    lines <- layers[[2]]
    u <- stats::pnorm(cbind(lines$x, lines$y))
    density <- cawi_density(copula, u) * stats::dnorm(lines$x) * stats::dnorm(lines$y)
    expect_lt(stats::median(abs(density / lines$level - 1)), 0.03)
    expect_lt(stats::quantile(abs(density / lines$level - 1), 0.9), 0.2)
    expect_length(unique(lines$level), 6)
    labels <- if (is.null(copula$names)) c("V1", "V2") else copula$names
    shown <- labels_of(picture)
    expect_identical(c(shown$x, shown$y), paste(labels, "(normal scores)"))
    expect_identical(shown$title, paste(families[[copula$family]]$label, "copula"))
  })
}

test_that("ggplots with a seed leave R's generator alone", {
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

test_that("without a seed draws are those of R's generator", {
  skip_if_not_installed("ggplot2")
  drawn <- function(...) ggplot2::autoplot(pictured$pair, "draws", n = 20, ...)$data
  set.seed(3)
  first <- drawn()
  expect_false(identical(drawn(), first))
  set.seed(3)
  expect_identical(drawn(), first)
  expect_identical(drawn(seed = 4), drawn(seed = 4))
})
