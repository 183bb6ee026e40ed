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
  fit <- cawi_rvfl(x, small_y("regression", x), hidden = 5, lambda = c(0.01, 1), weights = rep_len(c(1, 9), 40), seed = 1)
  table <- lambda_table(fit)
  expect_equal(table$rmse[table$chosen], glance(fit)$loo)
})

test_that("the confusion table counts leave-one-out classes", {
  fit <- pictured_models[["rvfl classification"]]
  y <- small_y("classification", x)
  counts <- confusion(fit)
  expect_identical(unname(rowSums(counts)), as.numeric(table(y)))
  expect_equal(sum(diag(counts)) / 40, glance(fit)$loo)
  expect_identical(as.vector(counts), as.vector(table(y, factor(levels(y)[max.col(loo_scores(fit), "first")], levels(y)))))
})

test_that("many classes, long names, zero in the path and one output fit in", {
  many <- factor(sprintf("a rather long class name %02d", seq_len(40) %% 20))
  fit <- cawi_rvfl(x, many, hidden = 9, seed = 1)
  zero <- cawi_rvfl(x, small_y("regression", x), hidden = 5, lambda = c(0, 0.1, 1), seed = 1)
  on_null_device({
    expect_silent(plot(fit, type = "loo"))
    expect_silent(plot(zero, type = "lambda"))
  })
  expect_identical(sort(lambda_table(zero)$lambda), c(0, 0.1, 1))
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
