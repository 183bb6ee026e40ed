x <- small_x()
classes <- small_y("classification", x)
numbers <- small_y("regression", x)
tune <- function(y, model, ..., resampling = "loo", metric = NULL, maximize = NULL) {
  cawi_tune(x, y, model, cawi_grid(...), resampling = resampling, metric = metric,
            maximize = maximize, seed = 1)
}
copula <- cawi_copula_from("clayton", dim = 4, theta = 2)

# Grids of every shape; `surface` says whether there are several penalties and sizes.
tuned <- list(
  "many axes" = tune(classes, "rvfl", hidden = c(5, 9, 20), activation = c("relu", "sine"),
                     spread = c(0.5, 2), bias = c("uniform", "data"), inputs = 1:2,
                     direct = c(TRUE, FALSE), lambda = 10^(-2:1)),
  "one axis" = tune(numbers, "elm", hidden = 5, lambda = c(0.1, 1, 10)),
  "one axis of names" = tune(numbers, "elm", hidden = 5, activation = activation_names, lambda = 1),
  "sizes only" = tune(numbers, "elm", hidden = c(5, 9), lambda = 1),
  "list axes" = tune(classes, "drvfl", hidden = list(5, c(5, 4), c(5, 9)),
                     activation = list("relu", "sine"), lambda = c(0.1, 1), resampling = 3),
  "copulas" = tune(classes, "rvfl", hidden = 5, init = list("iid", "t", copula),
                   lambda = c(0.1, 1)),
  "broad" = tune(numbers, "bls", windows = 2:3, nodes = 2, enhancement = c(4, 8),
                 lambda = c(0.1, 1), resampling = 2),
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

metric_words <- c(accuracy = "accuracy", rmse = "RMSE", log_loss = "log-loss", metric = "metric")

for (name in names(tuned)) {
  test_that(paste("a panel per argument has the best of each value, and the choice:", name), {
    object <- tuned[[name]]
    axes <- names(object$grid)[lengths(object$grid) > 1]
    wanted <- list(object$results, axes, object$maximize, object$chosen,
                   metric_words[[object$metric]])
    do.call(expect_profiles, c(list(recorded(plot(object))), wanted))
    skip_if_not_installed("ggplot2")
    do.call(expect_ggplot_profiles, c(list(ggplot2::autoplot(object)), wanted))
  })
}

test_that("the mark is at the choice, also where another value is better", {
  simple <- cawi_tune(x, numbers, "rvfl", cawi_grid(hidden = c(3, 5, 9), lambda = c(0.1, 1, 10)),
                      seed = 1, one_se = TRUE)
  expect_false(simple$chosen$mean == min(simple$results$mean))
  wanted <- list(simple$results, c("lambda", "hidden"), FALSE, simple$chosen, "RMSE")
  do.call(expect_profiles, c(list(recorded(plot(simple))), wanted))
  skip_if_not_installed("ggplot2")
  do.call(expect_ggplot_profiles, c(list(ggplot2::autoplot(simple)), wanted))
})

# Best results at the chosen values of everything but penalty and size: sizes down, penalties
# across.
plain_surface <- function(object) {
  sizes <- c("hidden", "windows", "nodes", "enhancement")
  fixed <- setdiff(names(object$grid), c("lambda", sizes))
  same <- vapply(fixed, function(axis) {
    object$results[[axis]] %in% object$chosen[[axis]]
  }, logical(nrow(object$results)))
  rows <- object$results[rowSums(!same) == 0, ]
  unclass(tapply(rows$mean, list(rows$columns, rows$lambda), if (object$maximize) max else min))
}

# Labels as numbers, in their order: they may be written in several ways.
by_number <- function(table) {
  rows <- as.double(rownames(table))
  columns <- as.double(colnames(table))
  dimnames(table) <- list(rows, columns)
  table[order(rows), order(columns), drop = FALSE]
}

for (name in with_surface) {
  test_that(paste("cells of the surface have the result of their penalty and size:", name), {
    object <- tuned[[name]]
    wanted <- by_number(plain_surface(object))
    expect_gt(diff(range(wanted)), 0)
    # Dark is good.
    colors <- grDevices::hcl.colors(100, "Blues 3")
    if (object$maximize) colors <- rev(colors)
    step <- diff(range(wanted)) / 100
    picture <- recorded(plot(object, type = "surface"))
    found <- by_number(read_heat_map(picture, 1, colors, range(wanted)))
    expect_identical(dimnames(found), dimnames(wanted))
    expect_lt(max(abs(found - wanted)), step)
    below <- drawn_axis(picture, 1)
    left <- drawn_axis(picture, 2)
    expect_false(is.unsorted(as.double(below$label)[order(below$at)]))
    expect_false(is.unsorted(as.double(left$label)[order(left$at)]))
    if (length(wanted) > 200L) {
      expect_null(drawn_text(picture))
    } else {
      text <- by_number(read_cell_text(picture, 1))
      expect_equal(as.double(text), as.vector(signif(wanted, 3)))
      # Readable on its ground.
      share <- (wanted - min(wanted)) / diff(range(wanted))
      dark <- if (object$maximize) share > 0.6 else share < 0.4
      text <- drawn_text(picture)
      expect_identical(text$col == "white", dark[cbind(text$y, text$x)])
    }
    at <- function(ticks, value) ticks$at[match(value, as.double(ticks$label))]
    place <- c(at(below, object$chosen$lambda), at(left, object$chosen$columns))
    frame <- drawn_rectangles(picture)
    expect_identical(nrow(frame), 1L)
    expect_equal(unlist(frame[c("x0", "y0", "x1", "y1")], use.names = FALSE),
                 c(place - 0.5, place + 0.5))
    expect_false(frame$border %in% c(colors, "transparent", NA))
    title <- paste(metric_words[[object$metric]], "by", object$resampling)
    expect_identical(unlist(drawn_titles(picture), use.names = FALSE),
                     c(title, "lambda", "columns of the readout"))

    skip_if_not_installed("ggplot2")
    picture <- ggplot2::autoplot(object, type = "surface")
    layers <- layers_of(picture)
    expect_geoms(picture, "tile", "tile")
    below <- data.frame(label = ticks_of(picture, "x"))
    left <- data.frame(label = ticks_of(picture, "y"))
    below$at <- seq_len(nrow(below))
    left$at <- seq_len(nrow(left))
    values <- read_color(layers[[1]]$fill, colors, range(wanted))
    found <- as_labeled(layers[[1]], values, below, left)
    expect_identical(below$label[order(as.double(below$label))], below$label)
    expect_identical(dimnames(by_number(found)), dimnames(wanted))
    expect_lt(max(abs(by_number(found) - wanted)), 2 * step)
    frame <- layers[[2]]
    expect_identical(c(as.double(frame$x), as.double(frame$y)),
                     as.double(c(at(below, object$chosen$lambda), at(left, object$chosen$columns))))
    expect_false(is.na(frame$colour))
    labels <- labels_of(picture)
    expect_identical(c(labels$x, labels$y, labels$fill),
                     c("lambda", "columns of the readout", metric_words[[object$metric]]))
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
    expect_identical(table$combination[table$chosen], object$chosen$combination)
    expect_equal(table$mean, object$results$mean[table$combination])
    sizes <- c("hidden", "windows", "nodes", "enhancement")
    for (axis in setdiff(names(object$grid), c("lambda", sizes))) {
      expect_identical(unique(table[[axis]]), object$chosen[[axis]])
    }
  }
})

test_that("of shapes with equally many columns the better is shown, and the chosen one always", {
  object <- tune(numbers, "bls", windows = c(2, 4), nodes = c(2, 4), enhancement = 4,
                 lambda = c(0.1, 1))
  table <- surface_table(object)
  expect_identical(nrow(table), 6L)
  for (lambda in c(0.1, 1)) {
    rows <- object$results$lambda == lambda & object$results$columns == 13
    expect_identical(table$mean[table$lambda == lambda & table$columns == 13],
                     min(object$results$mean[rows]))
  }
  # With one standard error the choice need not be the best of its size.
  grid <- cawi_grid(hidden = list(c(4, 6), c(6, 4), c(20, 20)), lambda = c(0.1, 1, 10))
  simple <- cawi_tune(x, numbers, "drvfl", grid, seed = 1, one_se = TRUE)
  expect_identical(sum(surface_table(simple)$chosen), 1L)
  # Here two shapes of 15 columns have the same accuracy, and squared error decided.
  grid <- cawi_grid(hidden = list(c(4, 6), c(6, 4), 3), lambda = c(0.1, 1))
  tied <- cawi_tune(x, classes, "drvfl", grid, scale = 1, inputs = NULL, seed = 5)
  same <- tied$results$mean == tied$chosen$mean & tied$results$columns == tied$chosen$columns
  expect_identical(sum(same), 2L)
  table <- surface_table(tied)
  expect_identical(table$combination[table$chosen], tied$chosen$combination)
})

test_that("pictures leave R's generator alone", {
  expect_generator_untouched(on_null_device(for (object in tuned) plot(object)))
})

test_that("margins in inches are those from before, whatever the number of panels", {
  on_null_device({
    graphics::plot.new()
    graphics::par(mai = c(1, 0.8, 0.6, 0.4))
    before <- graphics::par("mai", "mfrow")
    for (object in tuned) plot(object)
    expect_equal(graphics::par("mai", "mfrow"), before)
  })
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
