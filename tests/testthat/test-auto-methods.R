x <- small_x()
fits <- lapply(stats::setNames(tasks, tasks), function(task) {
  # Ample time and few nodes: the result does not depend on the machine.
  cawi_auto(x, small_y(task, x), budget = 1e6, hidden = 20, draws = 1, seed = 1,
            models = c("elm", "rvfl"), init = c("iid", "gaussian", "frank"))
})

for (task in tasks) {
  test_that(paste("a panel per argument has the best error of each value, and the mark:", task), {
    fit <- fits[[task]]
    results <- fit$results
    # What was tried, without its figures.
    figures <- c("metric", "mean", "se", "rmse", "accuracy")
    axes <- setdiff(names(results), c("hidden", "lambda", figures))
    results$mean <- results$rmse
    results$se <- NA_real_
    results$inputs <- ifelse(is.na(results$inputs), "all", as.character(results$inputs))
    axes <- axes[vapply(axes, function(axis) length(unique(results[[axis]])) > 1, logical(1))]
    expect_true(all(c("model", "activation", "init") %in% axes))
    # The largest member that has nodes is marked.
    largest <- fit$chosen[which.max(ifelse(fit$chosen$hidden > 0, fit$chosen$share, 0)), ]
    largest$inputs <- if (is.na(largest$inputs)) "all" else as.character(largest$inputs)
    picture <- recorded({
      before <- graphics::par(c("mfrow", "mar"))
      expect_silent(shown <- withVisible(plot(fit, "profile")))
      expect_identical(graphics::par(c("mfrow", "mar")), before)
    })
    expect_identical(shown, list(value = fit, visible = FALSE))
    titles <- drawn_titles(picture)$main
    expect_setequal(titles, axes)
    expect_profiles(picture, results, titles, FALSE, largest, "RMSE")
    skip_if_not_installed("ggplot2")
    picture <- ggplot2::autoplot(fit, "profile")
    on_null_device(expect_silent(print(picture)))
    expect_ggplot_profiles(picture, results, titles, FALSE, largest, "RMSE")
  })
}

test_that("one configuration leaves nothing to show", {
  fit <- fits$regression
  fit$results <- fit$results[1, ]
  expect_error(on_null_device(plot(fit, "profile")), class = "cawi_error_x")
})

test_that("the error of several outputs is told to be in standard deviations", {
  title <- function(task) comparison_table(fits[[task]])$title
  expect_identical(title("regression"), "leave-one-out RMSE")
  expect_identical(title("classification"), "leave-one-out accuracy, %")
  expect_identical(title("outputs"), "leave-one-out RMSE in standard deviations")
  two <- replace(fits$outputs, "outputs", 2L)
  expect_identical(comparison_table(two)$title, "leave-one-out RMSE in standard deviations")
})

test_that("all features come after any number of them", {
  profile <- auto_profile(fits$regression)
  inputs <- fits$regression$results$inputs
  expect_true(anyNA(inputs) && !all(is.na(inputs)))
  expect_identical(profile$results$inputs, ifelse(is.na(inputs), Inf, as.numeric(inputs)))
  expect_false(anyNA(profile$chosen$inputs))
})
