x <- small_x()

for (model in model_names) for (task in tasks) {
  test_that(paste("methods agree with each other:", model, task), {
    y <- small_y(task, x)
    fit <- fit_named(model, x, y, init = "gaussian", seed = 1)
    outputs <- ncol(indicators(y))

    expect_identical(fitted(fit), predict(fit, x))
    expect_equal(unname(residuals(fit)),
                 drop(indicators(y) - unname(predict(fit, x, type = "score"))))

    b <- coef(fit)
    if (model == "edrvfl") expect_length(b, 2) else b <- list(b)
    labels <- colnames(cawi_features(fit, x))
    for (k in seq_along(b)) {
      columns <- fit$readouts[[k]]$columns
      expect_identical(rownames(b[[k]]), if (is.null(columns)) labels else labels[columns])
      expect_identical(colnames(b[[k]]), if (task == "classification") levels(y) else colnames(y))
      expect_identical(unname(b[[k]]), unname(fit$readouts[[k]]$coefficients))
    }

    table <- tidy(fit)
    expect_named(table, c("readout", "term", "output", "estimate"))
    expect_identical(nrow(table), sum(lengths(b)))
    expect_identical(table$estimate, unlist(lapply(b, as.vector)))
    row <- table[7, ]
    column <- match(row$output, if (is.null(colnames(b[[1]]))) "y" else colnames(b[[1]]))
    expect_identical(row$estimate, b[[row$readout]][row$term, column][[1]])

    line <- glance(fit)
    expect_identical(nrow(line), 1L)
    expect_identical(line$model, model)
    expect_identical(line$nobs, 40)
    expect_identical(line$features, 4L)
    expect_identical(as.integer(line$hidden), sum(fit$spec$hidden))
    expect_identical(line$init, "gaussian")
    expect_identical(line$metric, if (task == "classification") "accuracy" else "rmse")
    loo <- loo_scores(fit)
    expect_equal(line$mean, if (task == "classification") {
      mean(max.col(loo, "first") == as.integer(y))
    } else {
      units <- if (task == "outputs") apply(y, 2, sample_sd) else 1
      sqrt(mean(sweep(indicators(y) - loo, 2, units, `/`)^2))
    })

    data <- data.frame(x)
    more <- augment(fit, data)
    expect_identical(more[1:4], data)
    if (task == "classification") {
      expect_identical(more$.pred_class, predict(fit, data))
      expect_identical(more$.pred_mid, predict(fit, data, type = "prob")[, "mid"])
    } else {
      expect_identical(unname(as.matrix(more[-(1:4)])), unname(as.matrix(predict(fit, data))))
    }
    expect_length(more, 4 + if (task == "classification") 1 + outputs else outputs)
  })

  test_that(paste("print and summary say what the model is:", model, task), {
    fit <- fit_named(model, x, small_y(task, x), init = "clayton", lambda = c(0.1, 1), seed = 1)
    expect_output(print(fit), paste0("<cawi_", model, ">"))
    expect_output(print(fit), "40 rows, 4 features")
    expect_output(print(fit), "clayton copula")
    expect_output(print(fit),
                  paste("leave-one-out", if (task == "classification") "accuracy" else "RMSE"))
    utils::capture.output(expect_invisible(print(fit)))
    report <- summary(fit)
    text <- paste(utils::capture.output(print(report)), collapse = "\n")
    for (word in c(
      "Clayton", "theta", "best of 2 by exact leave-one-out", "degrees of freedom",
      "condition number", "seconds"
    )) {
      expect_match(text, word)
    }
    a <- plain_features(fit, x)$readouts
    lambda <- readout_lambdas(fit)
    freedom <- condition <- numeric()
    for (k in seq_along(a)) {
      free <- task != "classification"
      part <- if (free) scale(a[[k]][, -ncol(a[[k]])], scale = FALSE) else a[[k]]
      values <- eigen(crossprod(part), symmetric = TRUE)$values
      for (l in lambda[[k]]) {
        freedom <- c(freedom, free + sum(values / (values + l)))
        condition <- c(condition, (max(values) + l) / (min(values) + l))
      }
    }
    expect_equal(report$freedom, freedom, tolerance = 1e-8)
    expect_equal(report$condition, condition, tolerance = 1e-6)
  })
}

test_that("summary tells a given lambda from a chosen one", {
  expect_output(print(summary(cawi_rvfl(x, small_y("regression", x), hidden = 5, lambda = 2))),
                "lambda 2: given")
})

test_that("a singular problem has no end of a condition number, and freedom for its rank", {
  y <- small_y("regression", x)
  twice <- cbind(x, again = x[, 1])
  for (data in list(list(x = x, hidden = 60, rank = 40), list(x = twice, hidden = 5, rank = 10),
                    list(x = cbind(rep(1, 40)), hidden = 3, rank = 1))) {
    fit <- suppressWarnings(cawi_rvfl(data$x, y, hidden = data$hidden, lambda = 0, seed = 1))
    report <- summary(fit)
    expect_equal(report$freedom, data$rank)
    expect_identical(report$condition, Inf)
    expect_output(print(report), "condition number")
  }
})

test_that("a summary with impossible figures is refused", {
  report <- summary(cawi_rvfl(x, small_y("regression", x), hidden = 5, lambda = 1, seed = 1))
  for (figure in c("freedom", "condition")) for (value in list(-2, NA_real_, NaN, "1", c(2, 3))) {
    damaged <- report
    damaged[[figure]] <- value
    expect_error(print(damaged), class = "cawi_error_x")
  }
})

test_that("with more columns than rows the condition number counts the null space", {
  fit <- cawi_rvfl(x, small_y("regression", x), hidden = 60, lambda = 0.5, seed = 1)
  a <- plain_features(fit, x)$all
  largest <- svd(scale(a[, -ncol(a)], scale = FALSE))$d[1]^2
  expect_equal(summary(fit)$condition, (largest + 0.5) / 0.5, tolerance = 1e-8)
})

test_that("a model without its data says so", {
  lean <- cawi_rvfl(x, small_y("regression", x), hidden = 5, keep_data = FALSE)
  for (method in list(fitted, residuals)) {
    error <- expect_error(method(lean), class = "cawi_error_object")
    expect_match(conditionMessage(error), "keep_data")
  }
})

test_that("print and summary of a model and of its summary", {
  local_reproducible_output()
  show <- function(fit) {
    fit$seconds[] <- 0
    print(summary(fit))
  }
  expect_snapshot(
    show(cawi_rvfl(Species ~ ., iris, hidden = 10, init = "clayton", lambda = 1, seed = 1))
  )
  expect_snapshot(show(cawi_edrvfl(mpg ~ hp + wt, mtcars, hidden = c(5, 4), lambda = 1, seed = 1)))
})

test_that("a summary tells penalties that were given from those that were chosen", {
  x <- small_x()
  y <- small_y("outputs", x)
  given <- cawi_rvfl(x, y, hidden = 5, lambda = matrix(c(0.1, 1, 0.1), 1), seed = 1)
  path <- cawi_rvfl(x, y, hidden = 5, lambda = c(0.1, 1, 10), seed = 1)
  expect_output(print(summary(given)), "lambda [^:]*: given")
  expect_output(print(summary(path)), "lambda [^:]*: the best of 3")
  penalties <- seq_len(ncol(y))
  for (fit in list(given, path)) {
    expect_output(print(summary(update(fit, lambda = penalties))), "lambda [^:]*: given")
  }
  grown <- update(path, hidden = 8)
  expect_output(print(summary(grown)), "lambda [^:]*: the best of 3")
})

test_that("weights follow the data where those of one layer do", {
  x <- small_x()
  fit <- function(...) cawi_drvfl(x, x[, 1], hidden = c(4, 3), lambda = 1, seed = 1, ...)
  expect_true(follows_data(fit(init = "gaussian", align = "first")))
  expect_true(follows_data(fit(init = "gaussian")))
  expect_false(follows_data(fit()))
})
