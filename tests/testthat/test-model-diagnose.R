x <- small_x()
y <- small_y("classification", x)

# By singular values of the hidden part of A, drawn as the diagnosis draws it.
plain_diagnosis <- function(fit, init, draw, seed = 1) {
  spec <- fit$spec
  spec$init <- init
  network <- draw_network(x, NULL, spec, new_run(child_seed_cpp(seed, draw), 1, NULL))
  drawn <- fit
  drawn$network <- network
  a <- plain_features(drawn, x)$all
  hidden <- seq(to = ncol(a) - 1, length.out = sum(fit$spec$hidden))
  d <- svd(a[, hidden])$d
  share <- d / sum(d)
  share <- share[share > 0]
  lambda <- mean(unlist(readout_lambdas(fit)))
  smallest <- if (length(hidden) > nrow(x)) 0 else min(d)^2
  c(effective_rank = exp(-sum(share * log(share))), condition = min(max(d) / min(d), 1e8),
    ridge_condition = (max(d)^2 + lambda) / (smallest + lambda))
}

for (model in model_names) {
  test_that(paste("rank and conditions are those of the singular values of H:", model), {
    fit <- fit_named(model, x, y, init = "gaussian", activation = "tribas", scale = 2,
                     lambda = 0.1, seed = 1)
    found <- cawi_diagnose(fit, draws = 3, seed = 1)
    expect_s3_class(found, c("cawi_diagnosis", "data.frame"), exact = TRUE)
    expect_identical(nrow(found), 6L)
    expect_identical(unique(found$weights), c("gaussian copula (uniform)", "i.i.d."))
    for (i in 1:6) {
      init <- if (found$weights[i] == "i.i.d.") "iid" else "gaussian"
      wanted <- plain_diagnosis(fit, init, found$draw[i])
      expect_equal(unlist(found[i, names(wanted)]), wanted, tolerance = 1e-4)
    }
  })
}

test_that("with more nodes than rows the singular values are those of the rows", {
  fit <- cawi_rvfl(x, y, hidden = 60, activation = "radbas", lambda = 0.1, seed = 1)
  found <- cawi_diagnose(fit, draws = 2, seed = 1)
  wanted <- plain_diagnosis(fit, "iid", 1)
  expect_equal(found$effective_rank[1], wanted[["effective_rank"]], tolerance = 1e-6)
  expect_equal(found$condition[1], wanted[["condition"]], tolerance = 1e-6)
  # H'H has more columns than rank: its smallest eigenvalue is zero.
  expect_equal(found$ridge_condition[1], wanted[["ridge_condition"]], tolerance = 1e-6)
})

test_that("i.i.d. models are compared with nothing else, and draws repeat", {
  fit <- cawi_elm(x, y, hidden = 5, seed = 1)
  found <- cawi_diagnose(fit, draws = 4, seed = 2)
  expect_identical(found$weights, rep("i.i.d.", 4))
  expect_identical(found$draw, 1:4)
  expect_identical(cawi_diagnose(fit, draws = 4, seed = 2, threads = 1), found)
  expect_false(identical(cawi_diagnose(fit, draws = 4, seed = 3)$condition, found$condition))
  expect_true(all(found$effective_rank >= 1 & found$effective_rank <= 5))
})

test_that("a diagnosis is printed with its medians", {
  found <- cawi_diagnose(cawi_rvfl(x, y, hidden = 5, init = "t", seed = 1), draws = 3, seed = 1)
  expect_output(print(found), "medians of 3 draws")
  said <- utils::capture.output(print(found))
  for (kind in c("t copula (uniform)", "i.i.d.")) {
    line <- said[grep(kind, said, fixed = TRUE)]
    medians <- vapply(found[found$weights == kind, c("effective_rank", "condition")],
                      stats::median, numeric(1))
    values <- as.double(strsplit(trimws(sub(kind, "", line, fixed = TRUE)), " +")[[1]])
    expect_equal(values[1:2], unname(medians), tolerance = 1e-3)
  }
})

test_that("a diagnosis is drawn: every draw over its kind of weights, with boxes", {
  found <- cawi_diagnose(cawi_rvfl(x, y, hidden = 5, init = "t", seed = 1), draws = 7, seed = 1)
  picture <- recorded(expect_identical(withVisible(plot(found)),
                                       list(value = found, visible = FALSE)))
  titles <- drawn_titles(picture)
  expect_identical(titles$main, c("effective rank", "condition number"))
  windows <- drawn_windows(picture)
  expect_identical(windows$log, c("", "y"))
  for (k in 1:2) {
    values <- found[[c("effective_rank", "condition")[k]]]
    of_panel <- function(rows) rows[rows$panel == k, ]
    ticks <- of_panel(drawn_axis(picture, 1))
    expect_identical(gsub("\n", " ", ticks$label), c("t copula (uniform)", "i.i.d."))
    expect_identical(ticks$at, 1:2)
    points <- of_panel(drawn_points(picture))
    bars <- of_panel(drawn_segments(picture))
    boxes <- of_panel(drawn_boxes(picture))
    for (kind in 1:2) {
      own <- values[found$weights == gsub("\n", " ", ticks$label[kind])]
      drawn <- points[abs(points$x - ticks$at[kind]) < 0.4, ]
      expect_equal(sort(drawn$y), sort(own))
      # The box from quartile to quartile, and its thick line.
      box <- boxes[boxes$x0 < kind & boxes$x1 > kind, ]
      expect_equal(c(box$y0, box$y1), grDevices::boxplot.stats(own)$stats[c(2, 4)])
      middle <- bars[bars$lwd == max(bars$lwd) & bars$x0 < kind & bars$x1 > kind, ]
      expect_equal(unique(c(middle$y0, middle$y1)), stats::median(own))
    }
    expect_identical(nrow(points), length(values))
    expect_equal(c(windows$low[k], windows$high[k]), range(values))
  }
})

test_that("a diagnosis of i.i.d. weights has one box", {
  found <- cawi_diagnose(cawi_elm(x, y, hidden = 5, seed = 1), draws = 4, seed = 1)
  picture <- recorded(plot(found))
  points <- drawn_points(picture)
  expect_equal(sort(points$y[points$panel == 1]), sort(found$effective_rank))
  expect_equal(sort(points$y[points$panel == 2]), sort(found$condition))
  expect_true(all(abs(points$x - 1) < 0.4))
  expect_identical(drawn_axis(picture, 1)$label, c("i.i.d.", "i.i.d."))
})

test_that("data are needed", {
  error <- expect_error(cawi_diagnose(cawi_rvfl(x, y, hidden = 5, keep_data = FALSE)),
                        class = "cawi_error")
  expect_match(conditionMessage(error), "keep_data")
})

test_that("the picture of a diagnosis is always the same and leaves R's generator alone", {
  found <- cawi_diagnose(cawi_elm(x, y, hidden = 5, seed = 1), draws = 4, seed = 1)
  expect_generator_untouched(on_null_device(plot(found)))
  expect_identical(drawn_points(recorded(plot(found))), drawn_points(recorded(plot(found))))
})

test_that("nodes that are zero for all rows have no rank", {
  fit <- cawi_elm(small_x(), small_y("regression"), hidden = 5, activation = "tribas", scale = 1e8,
                  lambda = 1, seed = 1)
  found <- cawi_diagnose(fit, draws = 2, seed = 1)
  expect_identical(found$effective_rank, c(0, 0))
  expect_identical(found$condition, c(Inf, Inf))
  expect_identical(found$ridge_condition, c(1, 1))
  expect_output(print(found), "medians of 2 draws")
  expect_error(on_null_device(plot(found)), "zeros", class = "cawi_error_x")
  endless <- found
  endless$effective_rank <- Inf
  expect_error(print(endless), class = "cawi_error_x")
})

test_that("weights of one's own stand beside i.i.d. ones", {
  signs <- function(x, hidden, seed) {
    set.seed(seed)
    matrix(sample(c(-1, 1), ncol(x) * hidden, replace = TRUE), ncol(x))
  }
  for (init in list(signs, signs(x, 5, 1))) {
    found <- cawi_diagnose(cawi_elm(x, y, hidden = 5, init = init, seed = 1), draws = 3, seed = 2)
    expect_identical(found$weights, rep(c("given", "i.i.d."), each = 3))
    expect_false(anyDuplicated(found$condition) > 0)
  }
})

test_that("autoplot of a diagnosis shows the same draws", {
  skip_if_not_installed("ggplot2")
  fit <- cawi_elm(x, y, hidden = 5, init = "gaussian", seed = 1)
  found <- cawi_diagnose(fit, draws = 4, seed = 1)
  built <- ggplot2::ggplot_build(ggplot2::autoplot(found))
  drawn <- drawn_points(recorded(plot(found)))
  for (panel in 1:2) {
    own <- built$data[[2]][built$data[[2]]$PANEL == panel, ]
    shown <- drawn[drawn$panel == panel, ]
    expect_equal(if (panel == 1) own$y else 10^own$y, shown$y)
    expect_equal(as.double(own$x), shown$x)
    boxes <- built$data[[1]][built$data[[1]]$PANEL == panel, ]
    figure <- c("effective_rank", "condition")[panel]
    wanted <- lapply(split(found[[figure]], factor(found$weights, unique(found$weights))),
                     function(value) grDevices::boxplot.stats(value)$stats)
    stats <- as.matrix(boxes[c("ymin", "lower", "middle", "upper", "ymax")])
    expect_equal(unname(if (panel == 1) stats else 10^stats), unname(do.call(rbind, wanted)))
  }
  found$condition[1] <- Inf
  expect_error(ggplot2::autoplot(found), "zeros", class = "cawi_error_object")
  found$weights <- NULL
  expect_error(ggplot2::autoplot(found), class = "cawi_error_object")
})
