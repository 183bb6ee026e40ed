x <- small_x()
y <- small_y("classification")
fit <- cawi_rvfl(x, y, hidden = 9, seed = 1)

test_that("the table of classes counts left-out rows by their most probable class", {
  about <- new_about(fit, 1L)
  prob <- apply_calibration(fit$calibration, loo_scores(fit))
  counts <- confusion_counts(prob, about$left_out, fit$levels)
  wanted <- table(y, factor(levels(y)[max.col(prob, "first")], levels(y)))
  expect_equal(as.vector(counts), as.vector(wanted))
  figures <- class_figures(prob, about$left_out)
  expect_equal(figures$value[1], sum(diag(counts)) / sum(counts))
  expect_equal(figures$value[2], fit$loo$value)
  expect_equal(figures$value[4], log_loss(`colnames<-`(prob, fit$levels), y))
  expect_equal(figures$value[5], mean(rowSums((prob - indicators(y))^2)))
  expect_equal(figures$value[6], area_under_curve(y, prob, rep(1, 40)))
})

test_that("bins of the calibration have all pairs, and their mean probabilities", {
  prob <- matrix(lehmer(2000, 5) / 2147483647, 1000)
  prob <- prob / rowSums(prob)
  left_out <- list(classes = 1 + (prob[, 2] > lehmer(1000, 9) / 2147483647),
                   case_weights = rep(1, 1000))
  bins <- calibration_bins(prob, left_out)
  expect_identical(nrow(bins), 10L)
  expect_equal(sum(bins$count), 1000)
  expect_equal(sum(bins$count * bins$predicted), sum(prob[, 2]))
  expect_equal(sum(bins$count * bins$observed), sum(left_out$classes == 2))
  # Classes that were drawn with these probabilities are within their intervals, nearly all.
  expect_gte(sum(abs(bins$observed - bins$predicted) < 2.6 * bins$se), 9)
  # One probability for all is one bin.
  flat <- matrix(0.5, 20, 2)
  expect_identical(nrow(calibration_bins(flat, list(classes = rep(1:2, 10),
                                                    case_weights = rep(1, 20)))), 1L)
})

test_that("figures of numbers are those of the left-out rows", {
  numbers <- small_y("regression")
  fit <- cawi_rvfl(x, numbers, hidden = 9, seed = 1)
  left_out <- new_about(fit, 1L)$left_out
  found <- number_figures(left_out$values[, 1], left_out$scores[, 1], left_out$case_weights)
  error <- numbers - loo_scores(fit)[, 1]
  expect_equal(found[1:3], c(fit$loo$value, mean(abs(error)),
                             1 - sum(error^2) / sum((numbers - mean(numbers))^2)))
  expect_equal(found[5], max(abs(error)))
  expect_true(is.na(number_figures(c(1, 1), c(0, 2), c(1, 1))[3]))
})

test_that("offsets are in what is shown", {
  data <- data.frame(x, y = small_y("regression"), o = x[, 2])
  fit <- cawi_rvfl(y ~ north + south + offset(o), data, hidden = 9, seed = 1)
  left_out <- new_about(fit, 1L)$left_out
  expect_equal(left_out$values[, 1], data$y)
})

test_that("an automatic model keeps the scores of its average for the report", {
  auto <- cawi_auto(x, y, budget = 0.5, hidden = 9, seed = 1)
  left_out <- new_about(auto, 1L)$left_out
  expect_equal(mean(max.col(left_out$scores, "first") == as.integer(y)), auto$loo$value)
  expect_null(new_about(cawi_trim(auto), 1L)$left_out)
})

test_that("the dashed line is where both axes have the same values", {
  value <- c(0, 4, 10)
  score <- c(2, 3, 6)
  text <- unclass(residual_figures(value, score, NULL)[[1]])
  panel <- new_panel(score, value, "", "")
  ends <- panel$x$range
  expect_match(text, unclass(svg_line(panel, ends, ends, "guide")), fixed = TRUE)
  panel <- new_panel(value, score, "", "")
  ends <- panel$y$range
  text <- unclass(residual_figures(score, value, NULL)[[1]])
  expect_match(text, unclass(svg_line(panel, ends, ends, "guide")), fixed = TRUE)
})

test_that("errors have a line at zero, and shares of rows begin there", {
  error <- c(-2, -1, 0, 1, 1, 3)
  counted <- graphics::hist(error, breaks = grDevices::nclass.Sturges(error) + 4, plot = FALSE)
  panel <- new_panel(counted$breaks, c(0, counted$counts), "", "")
  expect_match(unclass(histogram_figure(error, "")),
               unclass(svg_line(panel, c(0, 0), panel$y$range, "guide")), fixed = TRUE)
  largest <- c(0.95, 0.85, 0.85, 0.55)
  text <- unclass(confidence_figure(cbind(largest, 1 - largest), list(case_weights = rep(1, 4))))
  share <- c(0, 0, 0, 0, 0, 0.25, 0, 0, 0.5, 0.25)
  panel <- new_panel(c(0, 1), c(0, 0.5), "", "")
  boxes <- svg_boxes(panel, 0:9 / 10, 1:10 / 10, rep(0, 10), share, "column")
  expect_match(text, paste(unclass(boxes), collapse = ""), fixed = TRUE)
})
