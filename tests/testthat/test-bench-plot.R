sets <- list(iris = list(x = as.matrix(iris[, 1:4]), y = iris$Species),
             cars = list(x = as.matrix(mtcars[, 3:7]), y = factor(mtcars$am)),
             gears = list(x = as.matrix(mtcars[, c(1, 3:7)]), y = factor(mtcars$gear)),
             cylinders = list(x = as.matrix(mtcars[, 3:7]), y = factor(mtcars$cyl)))
grid <- cawi_grid(hidden = c(3, 9), activation = c("sigmoid", "radbas"), lambda = 10^(-2:1))
inits <- c("iid", "gaussian", "t", "clayton")
nested <- cawi_benchmark(sets, init = inits, grid = grid)
equal <- cawi_benchmark(sets[2:3], protocol = "equal", draws = 3, init = inits[1:3], grid = grid)

# Mean accuracy in percent: sets down, distributions of the weights across.
plain_accuracies <- function(b, model = "rvfl") {
  rows <- b[b$model == model & b$fold > 0, ]
  100 * unclass(tapply(rows$accuracy, list(rows$set, rows$init), mean))
}
same_color <- function(a, b) {
  expect_identical(unname(grDevices::col2rgb(a)), unname(grDevices::col2rgb(b)))
}

for (baseline in c("iid", "t")) {
  others <- setdiff(inits, baseline)
  table <- plain_accuracies(nested)[, inits]
  gains <- apply(table[, others] - table[, baseline], 2, sort)
  title <- "RVFL, protocol nested, 4 sets"

  test_that(paste("gains are bars from zero, sorted, with their mean:", baseline), {
    picture <- recorded(expect_identical(
      withVisible(plot(nested, "gain", baseline = baseline)), list(value = nested, visible = FALSE)
    ))
    expect_identical(drawn_titles(picture)$main,
                     sprintf("%s: %+.2f", others, colMeans(gains)))
    expect_identical(unique(drawn_titles(picture)$ylab), "gain, points")
    margins <- drawn_margins(picture)
    expect_identical(margins$text[margins$outer], title)
    expect_identical(margins$text[!margins$outer], rep("sets, sorted", 3))
    for (k in 1:3) {
      of_panel <- function(rows) rows[rows$panel == k, ]
      bars <- of_panel(drawn_segments(picture))
      expect_equal(as.double(bars$x0), as.double(1:4))
      expect_identical(bars$x1, bars$x0)
      expect_identical(bars$y0, numeric(4))
      expect_equal(bars$y1, unname(gains[, k]))
      expect_equal(of_panel(drawn_ablines(picture))$h, c(0, mean(gains[, k])))
      window <- of_panel(drawn_windows(picture))
      expect_equal(c(window$low, window$high), range(0, gains))
    }
    # Distributions are told apart by color as well.
    expect_length(unique(drawn_segments(picture)$col), 3)

    skip_if_not_installed("ggplot2")
    picture <- ggplot2::autoplot(nested, "gain", baseline = baseline)
    on_null_device(expect_silent(print(picture)))
    layers <- layers_of(picture)
    expect_geoms(picture, "hline", "segment", "hline")
    expect_identical(facets_of(picture, "init"), others)
    expect_identical(unique(layers[[1]]$yintercept), 0)
    for (k in 1:3) {
      bars <- layers[[2]][layers[[2]]$PANEL == k, ]
      bars <- bars[order(bars$x), ]
      expect_equal(as.double(bars$x), as.double(1:4))
      expect_identical(bars$xend, bars$x)
      expect_equal(bars$y, unname(gains[, k]))
      expect_true(all(bars$yend == 0))
      means <- layers[[3]][layers[[3]]$PANEL == k, ]
      expect_equal(means$yintercept, mean(gains[, k]))
    }
    labels <- labels_of(picture)
    expect_identical(c(labels$title, labels$x, labels$y), c(title, "sets, sorted", "gain, points"))
  })

  test_that(paste("accuracy stands above the baseline's, in a color of its own:", baseline), {
    picture <- recorded(expect_identical(
      withVisible(plot(nested, "accuracy", baseline = baseline)),
      list(value = nested, visible = FALSE)
    ))
    points <- drawn_points(picture)
    # The last three are the legend's.
    keys <- utils::tail(points, 3)
    points <- utils::head(points, -3)
    wanted <- unordered(x = rep(table[, baseline], 3), y = as.vector(table[, others]))
    expect_equal(unordered(points[c("x", "y")]), wanted)
    expect_identical(unlist(drawn_ablines(picture)[c("a", "b")], use.names = FALSE), c(0, 1))
    expect_identical(drawn_text(picture)$text, others)
    for (k in 1:3) {
      key <- as.vector(grDevices::col2rgb(keys$col[k]))
      own <- colSums(abs(grDevices::col2rgb(points$col) - key)) == 0
      expect_equal(unordered(points[own, c("x", "y")]),
                   unordered(x = table[, baseline], y = table[, others[k]]))
    }
    titles <- drawn_titles(picture)
    expect_identical(unlist(titles, use.names = FALSE),
                     c(title, paste0("accuracy, ", baseline, " (%)"), "accuracy, others (%)"))
    window <- drawn_windows(picture)
    expect_equal(c(window$left, window$right), range(table))
    expect_equal(c(window$low, window$high), range(table))

    skip_if_not_installed("ggplot2")
    picture <- ggplot2::autoplot(nested, "accuracy", baseline = baseline)
    on_null_device(expect_silent(print(picture)))
    layers <- layers_of(picture)
    expect_geoms(picture, "abline", "point")
    expect_identical(unlist(layers[[1]][1, c("intercept", "slope")], use.names = FALSE), c(0, 1))
    for (k in 1:3) {
      part <- layers[[2]][layers[[2]]$group == k, ]
      expect_equal(unordered(x = part$x, y = part$y),
                   unordered(x = table[, baseline], y = table[, others[k]]))
      same_color(part$colour[1], keys$col[k])
    }
    labels <- labels_of(picture)
    expect_identical(c(labels$title, labels$x, labels$y), unlist(titles, use.names = FALSE))
  })
}

# Mean ranks, 1 for the best; ties share theirs. Records have twelve digits of each accuracy.
plain_ranks <- function(table) colMeans(t(apply(-round(table, 7), 1, rank)))

for (case in c("four sets", "nested", "paper")) {
  b <- if (case == "four sets") nested else cawi_recorded(case)

  test_that(paste("names stand at their mean ranks, bars join those that do not differ:", case), {
    table <- plain_accuracies(b)
    table <- table[stats::complete.cases(table), ]
    ranks <- sort(plain_ranks(table))
    k <- length(ranks)
    n <- nrow(table)
    difference <- stats::qtukey(0.95, k, Inf) / sqrt(2) * sqrt(k * (k + 1) / (6 * n))
    picture <- recorded(expect_identical(withVisible(plot(b, "ranks")),
                                         list(value = b, visible = FALSE)))
    text <- drawn_text(picture)
    segments <- drawn_segments(picture)
    # The scale.
    ticks <- text[text$text %in% as.character(seq_len(k)), ]
    expect_identical(ticks$text[order(ticks$x)], as.character(seq_len(k)))
    expect_equal(ticks$x, seq_len(k))
    axis <- segments[segments$y0 == 0 & segments$y1 == 0, ]
    expect_identical(c(axis$x0, axis$x1), c(1, k))
    # Each has a line from its rank down to its name and number.
    names <- text[grepl("(", text$text, fixed = TRUE), ]
    expect_setequal(trimws(names$text), sprintf("%s (%.2f)", names(ranks), ranks))
    lines <- split(drawn_lines(picture), drawn_lines(picture)$call)
    expect_length(lines, k)
    for (init in names(ranks)) {
      name <- names[startsWith(trimws(names$text), paste0(init, " (")), ]
      line <- Filter(function(line) {
        abs(line$x[1] - ranks[[init]]) < 1e-9 && line$y[1] == 0 && line$y[3] == name$y
      }, lines)
      expect_length(line, 1)
      expect_identical(line[[1]]$x[3], as.double(name$x))
      expect_identical(line[[1]]$y[2:3], rep(name$y, 2))
      expect_true(name$x == 1 || name$x == k)
    }
    # The better half is at the left.
    left <- trimws(sub("[(].*", "", names$text[names$x == 1]))
    expect_setequal(left, names(ranks)[seq_len(ceiling(k / 2))])
    expect_identical(anyDuplicated(names[c("x", "y")]), 0L)
    # The critical difference.
    ruler <- segments[segments$y0 > 1 & segments$y1 > 1, ]
    expect_equal(ruler$x1 - ruler$x0, difference)
    expect_true(sprintf("critical difference %.2f", difference) %in% text$text)
    # Runs of ranks within it, the longest ones.
    runs <- lapply(seq_len(k), function(i) which(ranks >= ranks[i] & ranks - ranks[i] < difference))
    runs <- Filter(function(run) length(run) > 1, runs)
    runs <- Filter(function(run) {
      !any(vapply(runs, function(o) length(o) > length(run) && all(run %in% o), logical(1)))
    }, runs)
    # Only the paper's protocol tells some apart.
    expect_identical(any(lengths(runs) == k), case != "paper")
    bars <- segments[segments$lwd == 5, ]
    expect_identical(nrow(bars), length(runs))
    expect_equal(bars$x0 + 0.03, unname(vapply(runs, function(run) min(ranks[run]), 0)))
    expect_equal(bars$x1 - 0.03, unname(vapply(runs, function(run) max(ranks[run]), 0)))
    expect_identical(bars$y0, bars$y1)
    expect_identical(anyDuplicated(bars$y0), 0L)
    expect_identical(drawn_titles(picture)$main,
                     sprintf("RVFL, protocol %s, %d sets", b$protocol[1], n))

    skip_if_not_installed("ggplot2")
    picture <- ggplot2::autoplot(b, "ranks")
    on_null_device(expect_silent(print(picture)))
    layers <- layers_of(picture)
    expect_geoms(picture, "linerange", "point")
    # The best above.
    expect_identical(ticks_of(picture, "y"), rev(names(ranks)))
    points <- layers[[2]][order(-layers[[2]]$y), ]
    expect_equal(points$x, unname(ranks))
    bars <- layers[[1]][order(-layers[[1]]$y), ]
    expect_equal(bars$xmin, unname(ranks))
    expect_equal(bars$xmax, unname(ranks) + difference)
    labels <- labels_of(picture)
    expect_identical(labels$title, sprintf("RVFL, protocol %s, %d sets", b$protocol[1], n))
    expect_match(labels$x, "mean rank", fixed = TRUE)
  })
}

test_that("the best accuracy so far is drawn against the number of draws", {
  rows <- equal[equal$fold == 0, ]
  wanted <- 100 * unclass(tapply(rows$accuracy, list(rows$tried, rows$init), mean))[, inits[1:3]]
  expect_identical(dim(wanted), c(3L, 3L))
  picture <- recorded(expect_identical(withVisible(plot(equal, "draws")),
                                       list(value = equal, visible = FALSE)))
  lines <- drawn_lines(picture)
  curves <- split(lines, lines$call)
  expect_length(curves, 3)
  expect_identical(drawn_text(picture)$text, inits[1:3])
  keys <- utils::tail(drawn_points(picture), 3)$col
  expect_identical(anyDuplicated(keys), 0L)
  for (k in 1:3) {
    expect_identical(curves[[k]]$x, as.double(1:3))
    expect_equal(curves[[k]]$y, unname(wanted[, k]))
    expect_identical(unique(curves[[k]]$col), keys[k])
  }
  titles <- drawn_titles(picture)
  expect_identical(c(titles$main, titles$ylab),
                   c("RVFL, protocol equal, 2 sets", "best accuracy on the test folds, %"))
  expect_identical(drawn_margins(picture)[c("text", "side")],
                   data.frame(text = "variants or draws tried", side = 1),
                   ignore_attr = "row.names")
  window <- drawn_windows(picture)
  expect_equal(c(window$low, window$high), range(wanted))

  skip_if_not_installed("ggplot2")
  picture <- ggplot2::autoplot(equal, "draws")
  on_null_device(expect_silent(print(picture)))
  layers <- layers_of(picture)
  expect_geoms(picture, "line", "point")
  for (layer in layers) for (k in 1:3) {
    part <- layer[layer$group == k, ]
    expect_equal(as.double(part$x), as.double(1:3))
    expect_equal(part$y, unname(wanted[, k]))
    same_color(part$colour[1], keys[k])
  }
  labels <- labels_of(picture)
  expect_identical(c(labels$title, labels$x, labels$y),
                   c(titles$main, "variants or draws tried", titles$ylab))
})

test_that("one of several models is shown", {
  several <- cawi_recorded("nested", models = c("drvfl", "edrvfl"))
  table <- plain_accuracies(several, "edrvfl")
  expect_false(isTRUE(all.equal(table, plain_accuracies(several, "drvfl"))))
  picture <- recorded(plot(several, "accuracy", model = "edrvfl"))
  others <- setdiff(unique(several$init), "iid")
  expect_identical(drawn_text(picture)$text, others)
  points <- utils::head(drawn_points(picture), -length(others))
  expect_equal(unordered(points[c("x", "y")]),
               unordered(x = rep(table[, "iid"], length(others)), y = as.vector(table[, others])))
  expect_identical(drawn_titles(picture)$main,
                   sprintf("edRVFL, protocol nested, %d sets", nrow(table)))
})

test_that("pictures leave the graphical parameters and R's generator alone", {
  on_null_device({
    graphics::plot.new()
    graphics::par(mai = c(1, 0.8, 0.6, 0.4))
    old <- c("mfrow", "mar", "mai", "oma", "xpd", "pty", "mgp")
    before <- graphics::par(old)
    expect_generator_untouched({
      for (type in c("gain", "accuracy", "ranks")) plot(nested, type)
      plot(equal, "draws")
    })
    expect_equal(graphics::par(old), before)
  })
})

test_that("ranks that differ by less than the critical difference are joined", {
  expect_identical(rank_groups(c(a = 1, b = 1.5, c = 2.9, d = 3.1), 1), list(1:2, 3:4))
  expect_identical(rank_groups(c(a = 1, b = 2, c = 3), 1.5), list(1:2, 2:3))
  expect_length(rank_groups(c(a = 1, b = 3), 1), 0)
})

few <- nested[nested$set == "cars", ]
test_argument_errors(alist(
  type = plot(few, "draws"),
  type = plot(few, "ranks"),
  baseline = plot(few[few$init != "iid", ], "gain")
))

test_that("names at the left end at the scale, those at the right begin there", {
  picture <- recorded(plot(cawi_recorded("nested"), "ranks"))
  text <- drawn_rows(picture, "text", function(args) {
    data.frame(x = as.double(args[[1]]$x), text = as.character(args[[2]]),
               adj = if (is.null(args[[3]])) 0.5 else as.double(args[[3]])[1])
  })
  names <- text[grepl("(", text$text, fixed = TRUE), ]
  expect_identical(nrow(names), 6L)
  expect_setequal(names$x, c(1, 6))
  expect_identical(names$adj, ifelse(names$x == 1, 1, 0))
})
