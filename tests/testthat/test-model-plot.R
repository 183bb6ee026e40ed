x <- small_x()

pictured_models <- unlist(lapply(model_names, function(model) {
  fits <- lapply(tasks, function(task) fit_named(model, x, small_y(task, x), seed = 1))
  stats::setNames(fits, paste(model, tasks))
}), recursive = FALSE)

for (name in names(pictured_models)) {
  test_that(paste("both pictures are drawn and return the model invisibly:", name), {
    fit <- pictured_models[[name]]
    on_null_device({
      before <- graphics::par(c("mfrow", "mar", "mai"))
      for (type in list(NULL, "lambda", "loo")) {
        expect_identical(withVisible(plot(fit, type = type)), list(value = fit, visible = FALSE))
      }
      expect_identical(graphics::par(c("mfrow", "mar", "mai")), before)
    })
  })

  if (grepl("^e", name)) test_that(paste("both pictures are ggplots that can be drawn:", name), {
    skip_if_not_installed("ggplot2")
    for (type in c("lambda", "loo")) {
      picture <- ggplot2::autoplot(pictured_models[[name]], type = type)
      expect_s3_class(picture, "ggplot")
      on_null_device(expect_silent(print(picture)))
    }
  })
}

# Errors of refits without each row, in plain R, by path (one per readout and output) and penalty.
plain_paths <- function(fit, y, lambda) {
  a <- plain_features(fit, x)$readouts
  y <- indicators(y)
  # Classes have one penalty and one error for all their columns.
  outputs <- if (fit$task == "classification") list(seq_len(ncol(y))) else as.list(seq_len(ncol(y)))
  do.call(c, lapply(a, function(part) {
    lapply(outputs, function(j) {
      vapply(lambda, function(l) {
        sqrt(mean((refitted_scores(part, y[, j], l) - y[, j])^2))
      }, numeric(1))
    })
  }))
}

penalties <- c(0.01, 1, 10)
path_fits <- list(
  "several paths" = cawi_edrvfl(x, small_y("outputs", x), hidden = c(5, 4), lambda = penalties,
                                seed = 1),
  "one path" = cawi_rvfl(x, small_y("regression", x), hidden = 9, lambda = penalties, seed = 1),
  "classes" = cawi_drvfl(x, small_y("classification", x), hidden = c(5, 4), lambda = penalties,
                         seed = 1)
)
path_y <- lapply(c("several paths" = "outputs", "one path" = "regression",
                   "classes" = "classification"), small_y, x)
path_names <- list(
  "several paths" = paste0("layer ", rep(1:2, each = 3), ", ", c("first", "second", "third")),
  "one path" = "all", "classes" = "all"
)

for (name in names(path_fits)) {
  test_that(paste("curves go through penalty and error, circles through the choice:", name), {
    fit <- path_fits[[name]]
    wanted <- plain_paths(fit, path_y[[name]], penalties)
    paths <- length(wanted)
    picture <- recorded(plot(fit, type = "lambda"))
    lines <- drawn_lines(picture)
    curves <- split(lines, lines$call)
    expect_length(curves, paths)
    points <- drawn_points(picture)
    circles <- points[points$cex == 2, ]
    expect_identical(nrow(circles), paths)
    for (k in seq_len(paths)) {
      expect_identical(curves[[k]]$x, penalties)
      expect_equal(curves[[k]]$y, wanted[[k]], tolerance = 1e-8)
      best <- which.min(wanted[[k]])
      expect_identical(circles$x[k], penalties[best])
      expect_equal(circles$y[k], wanted[[k]][best], tolerance = 1e-8)
      expect_identical(circles$col[k], curves[[k]]$col[1])
    }
    # Both axes are logarithmic, and everything is within.
    window <- drawn_windows(picture)
    expect_identical(window$log, "xy")
    expect_identical(c(window$left, window$right), range(penalties))
    expect_true(window$low <= min(lines$y) && window$high >= max(lines$y))
    titles <- drawn_titles(picture)
    expect_identical(titles$xlab, "lambda")
    expect_identical(titles$ylab, "leave-one-out RMSE")
    expect_identical(titles$main, paste("Penalty of the", model_acronyms[[fit$spec$model]]))
    # The legend has the name and color of every curve, where there are several.
    if (paths == 1L) return(expect_null(drawn_text(picture)))
    expect_identical(drawn_text(picture)$text, path_names[[name]])
    keys <- points[points$call > max(circles$call), ]
    expect_identical(keys$col, vapply(curves, function(curve) curve$col[1], "", USE.NAMES = FALSE))
    expect_identical(anyDuplicated(keys$col), 0L)
  })

  test_that(paste("ggplot: curves, circles and names of the paths:", name), {
    skip_if_not_installed("ggplot2")
    fit <- path_fits[[name]]
    wanted <- plain_paths(fit, path_y[[name]], penalties)
    picture <- ggplot2::autoplot(fit, type = "lambda")
    layers <- layers_of(picture)
    expect_geoms(picture, "line", "point", "point")
    # Colors are given out in the order of the names.
    sorted <- order(path_names[[name]])
    for (k in seq_along(wanted)) {
      for (layer in layers[1:2]) {
        part <- layer[layer$group == match(k, sorted), ]
        expect_equal(10^part$x, penalties)
        expect_equal(10^part$y, wanted[[k]], tolerance = 1e-8)
      }
      circle <- layers[[3]][layers[[3]]$group == match(k, sorted), ]
      expect_equal(10^circle$x, penalties[which.min(wanted[[k]])])
      expect_equal(10^circle$y, min(wanted[[k]]), tolerance = 1e-8)
      expect_identical(c(circle$shape, circle$size), c(1, 4))
      expect_identical(circle$colour, part$colour[1])
    }
    labels <- labels_of(picture)
    expect_identical(labels$y, "leave-one-out RMSE")
    expect_identical(labels$x, "lambda")
    expect_identical(unique(as.character(picture$data$path)), path_names[[name]])
    expect_identical(picture$theme$legend.position, if (length(wanted) > 1L) "right" else "none")
  })
}

test_that("a penalty of zero has no place on a logarithmic axis", {
  fit <- cawi_rvfl(x, small_y("regression", x), hidden = 5, lambda = c(0, 0.1, 1), seed = 1)
  expect_identical(sort(lambda_table(fit)$lambda), c(0, 0.1, 1))
  lines <- drawn_lines(recorded(plot(fit, type = "lambda")))
  expect_identical(lines$x, c(0.1, 1))
  wanted <- plain_paths(fit, small_y("regression", x), c(0.1, 1))[[1]]
  expect_equal(lines$y, wanted, tolerance = 1e-8)
})

for (task in c("regression", "outputs")) {
  test_that(paste("observed stands above predicted, leave-one-out:", task), {
    y <- small_y(task, x)
    fit <- cawi_edrvfl(x, y, hidden = c(5, 4), seed = 1)
    a <- plain_features(fit, x)$readouts
    scores <- Reduce(`+`, lapply(1:2, function(k) {
      refitted_scores(a[[k]], y, readout_lambdas(fit)[[k]])
    })) / 2
    picture <- recorded(plot(fit, type = "loo"))
    points <- drawn_points(picture)
    expect_equal(points$x, as.vector(scores), tolerance = 1e-6)
    expect_equal(points$y, as.vector(y))
    # The line where both agree.
    lines <- drawn_ablines(picture)
    expect_identical(nrow(lines), NCOL(y))
    expect_true(all(lines$a == 0 & lines$b == 1))
    titles <- drawn_titles(picture)
    expect_identical(unique(titles$xlab), "predicted, leave-one-out")
    expect_identical(unique(titles$ylab), "observed")
    errors <- sqrt(colMeans((scores - as.matrix(y))^2))
    expect_match(titles$main, "RMSE", fixed = TRUE)
    said <- as.double(sub(".*RMSE ", "", titles$main))
    expect_equal(said, errors, tolerance = 1e-3, ignore_attr = TRUE)
    if (is.matrix(y)) expect_identical(sub(": RMSE.*", "", titles$main), colnames(y))

    skip_if_not_installed("ggplot2")
    picture <- ggplot2::autoplot(fit, type = "loo")
    layers <- layers_of(picture)
    expect_geoms(picture, "abline", "point")
    if (is.matrix(y)) expect_identical(facets_of(picture, "title"), titles$main)
    for (j in seq_len(NCOL(y))) {
      expect_identical(unique(layers[[1]]$slope[layers[[1]]$PANEL == j]), 1)
      expect_identical(unique(layers[[1]]$intercept[layers[[1]]$PANEL == j]), 0)
      part <- layers[[2]][layers[[2]]$PANEL == j, ]
      expect_equal(part$x, scores[, j], tolerance = 1e-6)
      expect_equal(part$y, as.matrix(y)[, j], ignore_attr = TRUE)
    }
    labels <- labels_of(picture)
    expect_identical(c(labels$x, labels$y), c("predicted, leave-one-out", "observed"))
    if (!is.matrix(y)) expect_identical(labels$title, titles$main)
  })
}

# Counts by refits without each row: observed classes down, predicted classes across.
plain_confusion <- function(fit, y) {
  scores <- refitted_scores(plain_features(fit, x)$all, indicators(y), readout_lambdas(fit)[[1]])
  unclass(table(y, factor(levels(y)[max.col(scores, "first")], levels(y)), dnn = NULL))
}
share_colors <- grDevices::hcl.colors(100, "Blues 3", rev = TRUE)

test_that("counts and colors of the confusion table are in the cell of their classes", {
  y <- small_y("classification", x)
  fit <- cawi_rvfl(x, y, hidden = 5, seed = 1)
  counts <- plain_confusion(fit, y)
  # Otherwise nothing could be told from its mirror image.
  expect_false(isSymmetric(unname(counts)))
  share <- counts / rowSums(counts)
  picture <- recorded(plot(fit, type = "loo"))
  # Observed to the left, predicted below.
  margins <- drawn_margins(picture)
  expect_identical(margins$text[match(1:2, margins$side)], c("predicted", "observed"))
  expect_identical(read_cell_text(picture, 1),
                   array(as.character(by_label(counts)), dim(counts), dimnames(by_label(counts))))
  found <- read_heat_map(picture, 1, share_colors, c(0, 1))
  expect_identical(dimnames(found), dimnames(by_label(counts)))
  expect_lt(max(abs(found - by_label(share))), 0.011)
  # Classes from left to right and from top to bottom.
  expect_identical(drawn_axis(picture, 1)$label[order(drawn_axis(picture, 1)$at)], levels(y))
  expect_identical(drawn_axis(picture, 2)$label[order(-drawn_axis(picture, 2)$at)], levels(y))
  accuracy <- sprintf("Leave-one-out accuracy %.4f", sum(diag(counts)) / 40)
  expect_identical(drawn_titles(picture)$main, accuracy)
  text <- drawn_text(picture)
  white <- share[cbind(4 - text$y, text$x)] > 0.5
  expect_identical(text$col == "white", white)

  skip_if_not_installed("ggplot2")
  picture <- ggplot2::autoplot(fit, type = "loo")
  layers <- layers_of(picture)
  expect_geoms(picture, "tile", "text")
  below <- data.frame(at = 1:3, label = ticks_of(picture, "x"))
  left <- data.frame(at = 1:3, label = ticks_of(picture, "y"))
  expect_identical(below$label, levels(y))
  expect_identical(left$label, rev(levels(y)))
  tiles <- layers[[1]]
  value <- read_color(tiles$fill, share_colors, c(0, 1))
  expect_lt(max(abs(as_labeled(tiles, value, below, left) - by_label(share))), 0.02)
  text <- layers[[2]]
  expect_equal(as_labeled(text, as.double(text$label), below, left), by_label(counts))
  expect_identical(text$colour == "white", share[cbind(4 - text$y, text$x)] > 0.5)
  labels <- labels_of(picture)
  expect_identical(c(labels$x, labels$y, labels$title), c("predicted", "observed", accuracy))
})

test_that("many classes and long names have colors and labels, but no counts", {
  many <- factor(sprintf("a rather long class name %02d", seq_len(40) %% 20))
  fit <- cawi_rvfl(x, many, hidden = 9, seed = 1)
  picture <- expect_silent(recorded(plot(fit, type = "loo")))
  expect_null(drawn_text(picture))
  counts <- plain_confusion(fit, many)
  found <- read_heat_map(picture, 1, share_colors, c(0, 1))
  expect_identical(dimnames(found), dimnames(counts))
  expect_lt(max(abs(found - counts / rowSums(counts))), 0.011)
})

test_that("the path is the leave-one-out error of every penalty", {
  y <- small_y("outputs", x)
  fit <- cawi_edrvfl(x, y, hidden = c(5, 4), lambda = c(0.01, 1, 10), seed = 1)
  table <- lambda_table(fit)
  expect_identical(nrow(table), 18L)
  a <- plain_features(fit, x)$readouts
  for (k in 1:2) for (j in 1:3) {
    part <- table[table$path == paste0("layer ", k, ", ", colnames(y)[j]), ]
    wanted <- vapply(c(0.01, 1, 10), function(lambda) {
      sqrt(mean((refitted_scores(a[[k]], y[, j], lambda) - y[, j])^2))
    }, numeric(1))
    expect_equal(part$rmse, wanted, tolerance = 1e-8)
    expect_identical(part$lambda[part$chosen], fit$readouts[[k]]$lambda[j])
  }
})

test_that("the path of a weighted fit is on the scale of its summary", {
  fit <- cawi_rvfl(x, small_y("regression", x), hidden = 5, lambda = c(0.01, 1),
                   case_weights = rep_len(c(1, 9), 40), seed = 1)
  table <- lambda_table(fit)
  expect_equal(table$rmse[table$chosen], glance(fit)$mean)
})

test_that("several outputs have a panel each, with an axis of its own", {
  x <- small_x()
  y <- cbind(small = x[, 1], large = 1e6 * x[, 2]^2)
  fit <- cawi_rvfl(x, y, hidden = 5, seed = 1)
  picture <- recorded(plot(fit, "loo"))
  expect_identical(sub(":.*", "", drawn_titles(picture)$main), c("small", "large"))
  windows <- drawn_windows(picture)
  expect_identical(nrow(windows), 2L)
  expect_lt(windows$high[1], 10)
  expect_gt(windows$high[2], 1e5)
  points <- drawn_points(picture)
  expect_equal(points$y, as.vector(y))
})

test_that("panels of several outputs leave margins in inches as they were", {
  fit <- cawi_rvfl(small_x(), small_y("outputs"), hidden = 5, seed = 1)
  on_null_device({
    graphics::plot.new()
    graphics::par(mai = c(1, 0.8, 0.6, 0.4))
    before <- graphics::par("mai", "mfrow")
    plot(fit, "loo")
    expect_equal(graphics::par("mai", "mfrow"), before)
  })
})

test_that("a penalty of zero is told where it has no place", {
  x <- small_x()
  fit <- cawi_rvfl(x, small_y("regression", x), hidden = 3, lambda = c(0, 1, 10), seed = 1)
  expect_match(drawn_margins(recorded(plot(fit, "lambda")))$text, "lambda = 0 was", all = FALSE)
  skip_if_not_installed("ggplot2")
  expect_match(ggplot2::autoplot(fit, "lambda")$labels$subtitle, "lambda = 0 was")
})

test_that("the confusion table counts leave-one-out classes", {
  fit <- pictured_models[["rvfl classification"]]
  y <- small_y("classification", x)
  counts <- confusion(fit)
  expect_identical(unname(rowSums(counts)), as.numeric(table(y)))
  expect_equal(sum(diag(counts)) / 40, glance(fit)$mean)
  predicted <- factor(levels(y)[max.col(loo_scores(fit), "first")], levels(y))
  expect_identical(as.vector(counts), as.vector(table(y, predicted)))
})

given <- cawi_rvfl(x, small_y("classification", x), hidden = 5, lambda = 1, seed = 1)
updated <- update(given, new_x = x, new_y = small_y("classification", x))
lean <- cawi_rvfl(x, small_y("regression", x), hidden = 5, keep_data = FALSE, seed = 1)

test_argument_errors(alist(
  type = plot(given, type = "violin"),
  type = plot(given, type = "lambda"),
  type = plot(given, type = NA),
  type = plot(updated),
  type = plot(updated, type = "loo"),
  type = plot(lean, type = "loo")
))

test_that("autoplot blames the same", {
  skip_if_not_installed("ggplot2")
  expect_error(ggplot2::autoplot(given, type = "lambda"), class = "cawi_error_type")
  expect_error(ggplot2::autoplot(given, type = "violin"), class = "cawi_error_type")
})
