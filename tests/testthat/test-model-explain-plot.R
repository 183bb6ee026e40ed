fit <- cawi_rvfl(Species ~ ., iris, hidden = 20, seed = 1)
important <- cawi_importance(fit)
effects <- cawi_effects(fit, c("Petal.Length", "Petal.Width"))
mixed <- cawi_rvfl(weight ~ Time + Diet, as.data.frame(ChickWeight), hidden = 10, seed = 1)
levels <- cawi_effects(mixed, c("Time", "Diet"), method = "pdp")

test_that("importance is shown with two standard errors, the largest on top", {
  picture <- recorded(plot(important, n = 3))
  points <- drawn_points(picture)
  expect_equal(points$x, important$importance[1:3])
  expect_equal(points$y, 3:1)
  bars <- drawn_segments(picture)
  expect_equal(bars$x0, important$importance[1:3] - 2 * important$se[1:3])
  expect_equal(bars$x1, important$importance[1:3] + 2 * important$se[1:3])
  expect_identical(drawn_axis(picture, 2)$label, important$feature[1:3])
  expect_match(drawn_titles(picture)$xlab, "slope")
  guides <- drawn_ablines(picture)
  expect_equal(guides$h[!is.na(guides$h)], 3:1)
  expect_identical(guides$v[!is.na(guides$v)], 0)
})

test_that("effects have one panel per feature and one line per class", {
  picture <- recorded(plot(effects))
  expect_identical(drawn_titles(picture)$xlab, unique(effects$feature))
  lines <- drawn_lines(picture)
  for (k in 1:2) {
    part <- effects[effects$feature == unique(effects$feature)[k], ]
    own <- lines[lines$panel == k, ]
    expect_equal(own$x, part$value)
    expect_equal(own$y, part$effect)
    expect_length(unique(own$col), 3L)
  }
})

test_that("levels are points with their names", {
  picture <- recorded(plot(levels))
  diet <- levels[levels$feature == "Diet", ]
  points <- drawn_points(picture)
  expect_equal(points$y, diet$effect)
  axis <- drawn_axis(picture, 1)
  expect_identical(axis$label[axis$panel == 2], diet$level)
  expect_equal(unlist(drawn_windows(picture)[2, c("left", "right")]), c(left = 0.7, right = 4.3))
})

test_that("autoplot shows the same", {
  skip_if_not_installed("ggplot2")
  picture <- ggplot2::autoplot(important, n = 3)
  expect_geoms(picture, "vline", "segment", "point")
  layers <- layers_of(picture)
  expect_equal(sort(layers[[3]]$x), sort(important$importance[1:3]))
  expect_identical(ticks_of(picture, "y"), rev(important$feature[1:3]))
  picture <- ggplot2::autoplot(effects)
  expect_geoms(picture, "line", "rug")
  expect_identical(facets_of(picture, "feature"), unique(effects$feature))
  expect_equal(sort(layers_of(picture)[[1]]$y), sort(effects$effect))
  expect_identical(labels_of(picture)$y, "effect on the probability")
  picture <- ggplot2::autoplot(levels)
  expect_geoms(picture, "line", "rug", "point")
  diet <- levels[levels$feature == "Diet", ]
  expect_equal(layers_of(picture)[[3]]$y, diet$effect)
  expect_identical(ticks_of(picture, "x", 2), diet$level)
})

test_that("prints tell what is in them", {
  expect_output(print(important), "<cawi_importance> 4 features, root mean square slope")
  expect_output(print(important, n = 1), "... and 3 more", fixed = TRUE)
  expect_output(print(effects), "accumulated local effects of 2 features")
  expect_output(print(effects), "setosa versicolor virginica")
  expect_output(print(levels), "partial dependence")
  # Of numbers some are shown, of levels all.
  shown <- capture.output(print(levels, n = 2))
  expect_match(shown, "(2 of ", fixed = TRUE, all = FALSE)
  for (level in base::levels(ChickWeight$Diet)) {
    expect_match(shown, paste0("^ *", level, " "), all = FALSE)
  }
  expect_s3_class(as.data.frame(important), "data.frame", exact = TRUE)
  expect_s3_class(as.data.frame(effects), "data.frame", exact = TRUE)
})

test_that("damaged tables are refused", {
  expect_error(plot(important["feature"]), class = "cawi_error_x")
  expect_error(print(structure(important, method = "none")), class = "cawi_error_x")
  expect_error(ggplot2::autoplot(structure(effects, method = NULL)), class = "cawi_error_x")
  expect_error(plot(effects[c("feature", "effect")]), class = "cawi_error_x")
})

test_that("edited importance and effects are refused", {
  fit <- cawi_rvfl(small_x(), small_y("classification"), hidden = 4, seed = 1)
  importance <- cawi_importance(fit)
  columns <- list(importance = matrix(0, 4, 0), importance = c(NA, 1, 1, 1), se = rep(Inf, 4),
                  importance = c(Inf, 1, 1, 1), feature = as.list(1:4))
  for (k in seq_along(columns)) {
    damaged <- unclass(importance)
    damaged[names(columns)[k]] <- columns[k]
    class(damaged) <- class(importance)
    expect_error(plot(damaged), class = "cawi_error_x")
    expect_error(print(damaged), class = "cawi_error_x")
  }
  effects <- cawi_effects(fit)
  for (damaged in list(effects[-1, ], replace(effects, "effect", Inf),
                       replace(effects, "output", list(NULL)), replace(effects, "level", 1))) {
    expect_error(print(damaged), class = "cawi_error_x")
    expect_error(plot(damaged), class = "cawi_error_x")
  }
  one <- effects[effects$feature == "north", ]
  expect_output(print(one), "north")
})

test_that("importance that has names is plotted", {
  important <- cawi_importance(cawi_elm(Species ~ ., iris, hidden = 3, seed = 1))
  named <- unclass(important)
  names(named$importance) <- names(named$se) <- c(NA, "a", "b", "c")
  attributes(named) <- attributes(important)
  on_null_device(expect_no_error(plot(named)))
  skip_if_not_installed("ggplot2")
  wanted <- ggplot2::layer_data(ggplot2::autoplot(important), 2L)
  expect_equal(ggplot2::layer_data(ggplot2::autoplot(named), 2L), wanted, ignore_attr = TRUE)
})

test_that("effects whose values have names are printed", {
  fit <- cawi_elm(Species ~ ., iris, hidden = 3, seed = 1)
  effects <- cawi_effects(fit, features = "Sepal.Width")
  named <- unclass(effects)
  names(named$value) <- replace(paste0("n", seq_along(named$value)), 1, NA)
  attributes(named) <- attributes(effects)
  expect_output(print(named), "Sepal.Width")
})

test_that("importance of two models in one table is plotted", {
  skip_if_not_installed("ggplot2")
  important <- cawi_importance(cawi_elm(Species ~ ., iris, hidden = 3, seed = 1))
  both <- rbind(important, important)
  drawn <- ggplot2::layer_data(ggplot2::autoplot(both), 3L)
  expect_identical(nrow(drawn), 8L)
  expect_length(unique(drawn$y), 4L)
  on_null_device(expect_no_error(plot(both)))
})
