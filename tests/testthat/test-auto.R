# Ample time, few nodes: everything is tried and the result does not depend on the machine.
ample <- 1e6
auto <- function(x, y, ..., budget = ample, hidden = 20, draws = 2, seed = 1) {
  cawi_auto(x, y, budget = budget, hidden = hidden, draws = draws, seed = seed, ...)
}
quick <- function(x, y, ..., draws = 1) {
  auto(x, y, ..., draws = draws, models = "rvfl", init = "iid")
}

# An automatic model without its clock.
same_auto <- function(fit) {
  fit$seconds <- NULL
  fit$members <- lapply(fit$members, timeless)
  fit
}

x <- small_x()
fits <- stats::setNames(lapply(tasks, function(task) auto(x, small_y(task, x))), tasks)

# The fit that a row of a table describes.
refit <- function(row, y, seed = 1, lambda = row$lambda, ...) {
  shape <- switch(row$model,
    elm = , rvfl = list(hidden = row$hidden),
    drvfl = list(hidden = rep(max(1, row$hidden %/% 2), 2)),
    edrvfl = list(hidden = rep(max(1, row$hidden %/% 3), 3)),
    bls = list(windows = max(1, min(10, row$hidden %/% 2)), nodes = max(1, row$hidden %/% 20),
               enhancement = max(1, row$hidden %/% 2))
  )
  shape$inputs <- row$inputs
  suppressWarnings(fit_named(row$model, x, y, activation = row$activation, spread = row$spread,
                             init = row$init, bias = row$bias, lambda = lambda, seed = seed, ...,
                             shape = shape))
}

for (task in tasks) {
  test_that(paste("what was tried has the leave-one-out error of separate fits:", task), {
    y <- small_y(task, x)
    table <- fits[[task]]$results
    expect_gt(nrow(table), 40)
    expect_false(is.unsorted(table$rmse))
    expect_identical(
      anyDuplicated(table[c("model", "activation", "spread", "inputs", "init", "bias")]), 0L
    )
    # The best, the worst, and one of every model and distribution.
    rows <- unique(
      c(1, nrow(table), match(model_names, table$model), match(auto_inits, table$init))
    )
    for (i in rows[!is.na(rows)]) {
      fit <- refit(table[i, ], y)
      # The table has the mean of the outputs' penalties; at their own the error is no larger.
      if (task == "outputs") fit <- refit(table[i, ], y, lambda = screened_lambdas)
      losses <- row_losses(loo_scores(fit), fit, y, output_units(y))
      if (task != "outputs" || table$model[i] != "edrvfl") {
        expect_equal(table$rmse[i], sqrt(mean(losses$rmse)), tolerance = 1e-8)
      }
      if (task == "classification") expect_equal(table$accuracy[i], mean(losses$accuracy))
    }
    # Its penalty is the best of those tried.
    path <- refit(table[match("rvfl", table$model), ], y, lambda = screened_lambdas)
    expect_equal(mean(path$readouts[[1]]$lambda), table$lambda[match("rvfl", table$model)])
  })

  test_that(paste(
    "members are the fits that the choice describes, and their average predicts:", task
  ), {
    y <- small_y(task, x)
    fit <- fits[[task]]
    expect_equal(sum(fit$share), 1)
    expect_equal(sum(fit$chosen$share), 1)
    expect_false(is.unsorted(-fit$chosen$share))
    expect_identical(length(fit$members), sum(fit$chosen$draws))
    fresh <- small_x(15, start = 8)
    loo <- score <- 0
    k <- 0
    for (i in seq_len(nrow(fit$chosen))) for (draw in seq_len(fit$chosen$draws[i])) {
      k <- k + 1
      if (fit$chosen$hidden[i] == 0) {
        # The ridge regression without nodes, in plain R.
        member <- fit$members[[k]]
        z <- plain_features(member, x)$all
        b <- plain_ridge(z, indicators(y), fit$lambda[[i]])
        expect_equal(readout_coefficients(member)[[1]], b, tolerance = 1e-8, ignore_attr = TRUE)
        # At most the share of 20 rows.
        expect_lte(fit$share[k], 20 / 60 + 1e-12)
        loo <- loo + fit$share[k] * do.call(cbind, lapply(seq_len(ncol(b)), function(o) {
          refitted_scores(z, indicators(y)[, o], rep_len(fit$lambda[[i]], ncol(b))[o])
        }))
        score <- score + fit$share[k] * predict(member, fresh, type = "score")
        next
      }
      seed <- if (draw == 1) 1 else child_seed_cpp(1, 1000000L + as.integer(draw))
      lambda <- if (task == "outputs") matrix(fit$lambda[[i]], 1) else fit$chosen$lambda[i]
      member <- refit(fit$chosen[i, ], y, seed, lambda = lambda)
      weight <- fit$chosen$share[i] / fit$chosen$draws[i]
      expect_equal(fit$share[k], weight)
      expect_equal(readout_coefficients(fit$members[[k]]), readout_coefficients(member),
                   tolerance = 1e-8)
      loo <- loo + weight * loo_scores(member)
      score <- score + weight * predict(member, fresh, type = "score")
    }
    expect_equal(predict(fit, fresh, type = "score"), score, tolerance = 1e-8)
    # The figure of the result is that of the averaged leave-one-out scores.
    wanted <- if (task == "classification") {
      mean(max.col(loo, "first") == as.integer(y))
    } else {
      sqrt(mean(sweep(as.matrix(loo - y), 2, output_units(y), `/`)^2))
    }
    expect_equal(fit$loo$value, wanted, tolerance = 1e-8)
    expect_identical(fit$loo$name, if (task == "classification") "accuracy" else "rmse")
    if (task == "classification") {
      expect_equal(fit$calibration, fit_calibration(loo, as.integer(y), rep(1, 40)),
                   tolerance = 1e-4)
    }
  })

  test_that(paste("types of predictions:", task), {
    fit <- fits[[task]]
    fresh <- small_x(15, start = 8)
    score <- predict(fit, fresh, type = "score")
    average <- Reduce(`+`,
                      Map(function(member, weight) weight * predict(member, fresh, type = "score"),
                          fit$members, fit$share))
    expect_equal(score, average, tolerance = 1e-12)
    if (task == "classification") {
      prob <- predict(fit, fresh, type = "prob")
      expect_identical(colnames(prob), c("low", "mid", "high"))
      expect_equal(rowSums(prob), rep(1, 15))
      expect_true(all(prob >= 0))
      expect_equal(unname(prob), plain_probabilities(fit$calibration, unname(score)),
                   tolerance = 1e-12)
      class <- predict(fit, fresh)
      expect_identical(class, predict(fit, fresh, type = "class"))
      expect_identical(levels(class), c("low", "mid", "high"))
      expect_identical(as.character(class), colnames(prob)[max.col(prob, "first")])
    } else {
      value <- predict(fit, fresh)
      expect_identical(value, if (task == "outputs") score else unname(score[, 1]))
      if (task == "outputs") expect_identical(colnames(value), c("first", "second", "third"))
    }
    # Rows are predicted one by one: none depends on its neighbors.
    alone <- do.call(
      rbind, lapply(1:15, function(i) predict(fit, fresh[i, , drop = FALSE], type = "score"))
    )
    expect_equal(unname(alone), unname(score), tolerance = 1e-12)
    expect_identical(predict(fit, fresh, threads = 1), predict(fit, fresh, threads = 2))
  })
}

test_that("the same seed gives the same model, for any threads; others differ", {
  y <- small_y("classification", x)
  again <- auto(x, y)
  expect_identical(same_auto(again), same_auto(fits$classification))
  expect_identical(same_auto(auto(x, y, threads = 1)), same_auto(again))
  expect_false(
    identical(predict(auto(x, y, seed = 2), x, type = "score"), predict(again, x, type = "score"))
  )
  expect_generator_untouched(quick(x, y))
  set.seed(4)
  drawn <- quick(x, y, seed = NULL)
  set.seed(4)
  expect_identical(same_auto(quick(x, y, seed = NULL)), same_auto(drawn))
  expect_identical(same_auto(quick(x, y, seed = drawn$seed)), same_auto(drawn))
})

test_that("it learns", {
  m <- 300
  features <- small_x(m)
  y <- sin(2 * features[, 1]) + features[, 2] * features[, 3]
  train <- 1:200
  fit <- quick(features[train, ], y[train], hidden = 100)
  error <- mean((predict(fit, features[-train, ]) - y[-train])^2)
  expect_lt(error, 0.3 * stats::var(y[-train]))
  # Leave-one-out tells the truth about it.
  expect_lt(abs(log(sqrt(error) / fit$loo$value)), log(1.6))
})

test_that("models, distributions and draws are those asked for", {
  y <- small_y("regression", x)
  fit <- auto(x, y, models = c("elm", "bls"), init = c("t", "frank"), draws = 1)
  expect_setequal(unique(fit$results$model), c("elm", "bls"))
  expect_setequal(unique(fit$results$init), c("t", "frank"))
  expect_true(all(fit$chosen$draws == 1))
  choice <- auto(x, y, draws = 3, models = "rvfl", init = "iid")$chosen
  expect_true(all(choice$draws[choice$hidden > 0] == 3))
  one <- quick(x, y)
  expect_identical(unique(one$results$model), "rvfl")
  expect_identical(unique(one$results$init), "iid")
  expect_lte(max(one$chosen$hidden), 20)
  expect_gt(max(quick(x, y, hidden = 60)$results$hidden), 20)
  # Nodes read fewer features than there are, or all.
  expect_setequal(unique(one$results$inputs), c(1, 2, NA))
  normal <- quick(x, y, marginal = "normal", standardize = FALSE)
  expect_identical(normal$members[[1]]$spec$marginal, "normal")
  expect_false(normal$members[[1]]$spec$standardize)
})

test_that("no member has more nodes than were allowed", {
  for (model in model_names) {
    fit <- auto(x[, 1, drop = FALSE], small_y("regression", x), hidden = 5, models = model,
                init = "iid", draws = 1)
    expect_lte(max(vapply(fit$members, function(member) sum(member$spec$hidden), 0)), 5)
  }
})

test_that("a tiny budget still gives a model", {
  for (task in tasks) {
    fit <- auto(x, small_y(task, x), budget = 1e-9, hidden = 800)
    expect_gt(length(fit$members), 0)
    expect_equal(sum(fit$share), 1)
    expect_true(all(is.finite(predict(fit, x, type = "score"))))
    expect_gt(fit$skipped, 0)
    expect_output(print(fit), "had no\\s+room for")
  }
})

test_that("a short budget with many rows gives a model of what there was time for", {
  large <- small_x(3000)
  fit <- auto(large, small_y("classification", large), budget = 0.05, hidden = 400)
  expect_gt(fit$skipped, 0)
  expect_true(all(is.finite(predict(fit, large[1:9, ], type = "prob"))))
})

test_that("screening sees some of many rows, every class with its share", {
  m <- 4500
  rows <- small_x(m)
  y <- factor(ifelse(seq_len(m) %% 50 == 0, "rare", "common"))
  search <- search_of(rows, y, inits = "iid")
  expect_lte(length(search$sample), 1000)
  expect_identical(anyDuplicated(search$sample), 0L)
  expect_identical(sum(y[search$sample] == "rare"), 18L)
  few <- search_of(rows[1:1000, ], y[1:1000], inits = "iid")
  expect_identical(few$sample, 1:1000)
  numbers <- search_of(rows, rows[, 1:2], inits = "iid")
  expect_lte(length(numbers$sample), 1000)
})

test_that("data frames with factors, by columns and by formula", {
  frame <- data.frame(x, group = factor(letters[1:4]), flag = rep_len(c(TRUE, FALSE, FALSE), 40))
  y <- small_y("classification", x)
  by_frame <- quick(frame, y)
  expect_identical(length(predict(by_frame, frame[1:7, ])), 7L)
  expect_identical(by_frame$features, 9L)
  # Columns in any order, and more of them.
  expect_identical(predict(by_frame, cbind(other = "a", rev(frame))), predict(by_frame, frame))
  data <- cbind(frame, y = y)
  by_formula <- quick(y ~ ., data)
  expect_identical(predict(by_formula, data, type = "prob"),
                   predict(by_frame, frame, type = "prob"))
  expect_s3_class(quick(mpg ~ wt + factor(cyl), mtcars), "cawi_auto")
  logical <- quick(x, small_y("regression", x) > 0)
  expect_identical(levels(predict(logical, x)), c("FALSE", "TRUE"))
})

test_that("recipes", {
  skip_if_not_installed("recipes")
  recipe <- recipes::step_normalize(recipes::recipe(mpg ~ wt + hp, mtcars),
                                    recipes::all_numeric_predictors())
  fit <- quick(recipe, mtcars)
  expect_true(all(is.finite(predict(fit, mtcars))))
})

test_that("small and odd data", {
  y <- small_y("classification", x)
  expect_finite <- function(fit, data) {
    expect_true(all(is.finite(predict(fit, data, type = "score"))))
  }
  expect_finite(auto(x[, 1, drop = FALSE], y), x[, 1, drop = FALSE])
  expect_finite(quick(x[1:10, ], y[1:10]), x)
  expect_finite(quick(x[1:6, ], c("a", "b", "c", "a", "b", "c")), x)
  expect_finite(quick(x[1:4, ], c("a", "a", "b", "b")), x)
  expect_finite(quick(x[1:2, ], 1:2), x)
  expect_warning(fit <- auto(cbind(x[, 1], 7, 0), y), class = "cawi_warning_constant")
  expect_finite(fit, cbind(x[, 1], 7, 0))
  expect_warning(fit <- quick(0 * x[, 1:2], y), class = "cawi_warning_constant")
  expect_finite(fit, x[, 1:2])
  expect_finite(quick(x[, 1:2], rep(3, 40)), x[, 1:2])
  expect_finite(quick(matrix(bell(40 * 60), 40), y), matrix(bell(40 * 60), 40))
  expect_finite(auto(matrix(1:80, 40), y, hidden = 1), matrix(1:80, 40))
})

test_that("missing values are left out or filled", {
  y <- small_y("classification", x)
  x <- x[, 1:2]
  holes <- replace(x, c(3, 50, 71), NA)
  complete <- rowSums(is.na(holes)) == 0
  omitted <- quick(holes, y, na_action = "omit")
  expect_equal(omitted$nobs, sum(complete))
  expect_identical(is.na(predict(omitted, holes)), !complete)
  expect_identical(rowSums(is.na(predict(omitted, holes, type = "prob"))) > 0, !complete)
  kept <- quick(x[complete, ], y[complete])
  expect_identical(predict(omitted, x, type = "score"), predict(kept, x, type = "score"))
  imputed <- quick(holes, y, na_action = "impute")
  filled <- x
  filled[is.na(holes)] <- apply(holes, 2, stats::median,
                                na.rm = TRUE)[which(is.na(holes), arr.ind = TRUE)[, 2]]
  expect_equal(predict(imputed, holes, type = "score"),
               predict(quick(filled, y), filled, type = "score"))
  expect_error(predict(quick(x, y), holes), class = "cawi_error_new_data")
})

test_that("case weights count, and rows without weight do not", {
  y <- small_y("classification", x)
  x <- x[, 1:2]
  w <- rep_len(c(0, 1, 3), 40)
  weighted <- quick(x, y, case_weights = w)
  part <- quick(x[w > 0, ], y[w > 0], case_weights = w[w > 0])
  expect_identical(predict(weighted, x, type = "score"), predict(part, x, type = "score"))
  expect_false(
    identical(predict(weighted, x, type = "score"), predict(quick(x, y), x, type = "score"))
  )
  expect_identical(same_auto(quick(x, y, case_weights = rep(1, 40)))$results,
                   same_auto(quick(x, y))$results)
  row <- weighted$results[1, ]
  fit <- cawi_rvfl(x, y, hidden = row$hidden, activation = row$activation, spread = row$spread,
                   bias = row$bias, inputs = if (!is.na(row$inputs)) row$inputs,
                   lambda = row$lambda, case_weights = w, seed = 1)
  losses <- row_losses(loo_scores(fit), fit, y[w > 0])
  expect_equal(row$rmse, sqrt(stats::weighted.mean(losses$rmse, w[w > 0])), tolerance = 1e-8)
})

test_that("a nested estimate of noise stays at chance, whatever is planted in the test rows", {
  m <- 160
  label <- factor(c("a", "b")[1 + lehmer(m, 41) %/% 1024 %% 2])
  noise <- matrix(bell(5 * m, 43), m) / 2147483647
  outer <- cawi_folds(label, 2, seed = 1)[, 1]
  accuracy <- vapply(1:2, function(f) {
    test <- outer == f
    fit <- quick(noise[!test, ], label[!test])
    # The labels as high and low, or as low and high: the training rows cannot know which.
    mean(vapply(c(-1, 1), function(sign) {
      x <- noise
      x[test, 5] <- sign * 3 * (as.integer(label[test]) - 1.5)
      mean(predict(fit, x[test, ]) == label[test])
    }, numeric(1)))
  }, numeric(1))
  expect_lt(abs(mean(accuracy) - 0.5), 3 * 0.5 / sqrt(m))
})

test_that("print says in words what was done", {
  fit <- fits$classification
  # Lines are wrapped; the words are what matters.
  said <- gsub("\\s+", " ", paste(capture.output(print(fit)), collapse = " "))
  expect_match(said, "<cawi_auto> 3 classes, 40 rows, 4 features", fixed = TRUE)
  expect_match(said,
               sprintf("Compared %d configurations by exact leave-one-out in",
                       nrow(fit$results)), fixed = TRUE)
  several <- nrow(fit$chosen) > 1
  predicts <- if (several) "the weighted average of these predicts:" else "this one predicts:"
  expect_match(said, predicts, fixed = TRUE)
  alone <- sprintf("The first alone has accuracy %.4f", fit$chosen$alone[1])
  if (several) expect_match(said, alone, fixed = TRUE)
  expect_match(said, sprintf("leave-one-out accuracy %.4f", fit$loo$value), fixed = TRUE)
  for (i in seq_len(nrow(fit$chosen))) {
    row <- fit$chosen[i, ]
    reads <- if (is.na(row$inputs)) {
      "all features"
    } else {
      paste0(row$inputs, " feature", if (row$inputs > 1) "s")
    }
    expect_match(said,
                 sprintf("%s, %d %s nodes that read %s each", model_labels[[row$model]], row$hidden,
                         row$activation, reads), fixed = TRUE)
    expect_match(said, if (row$init == "iid") "i.i.d. weights" else
      paste("weights from the", families[[row$init]]$label, "copula"), fixed = TRUE)
  }
  expect_match(said, "2 draws", fixed = TRUE)
  expect_output(print(fits$regression), "<cawi_auto> regression.*leave-one-out RMSE")
  expect_output(print(fits$outputs), "<cawi_auto> 3 outputs")
  expect_true(all(nchar(capture.output(print(fit))) <= 80))
  capture.output(shown <- withVisible(print(fit)))
  expect_identical(shown, list(value = fit, visible = FALSE))
})

test_that("tidy and glance", {
  for (fit in fits) {
    expect_identical(tidy(fit), fit$results)
    row <- glance(fit)
    expect_identical(nrow(row), 1L)
    expect_identical(row$members, length(fit$members))
    expect_identical(row$mean, fit$loo$value)
  }
  expect_null(fits$regression$results$accuracy)
})

test_that("a saved model predicts the same, and keeps nothing that only updates need", {
  fit <- fits$classification
  copy <- unserialize(serialize(fit, NULL))
  expect_identical(predict(copy, x, type = "prob"), predict(fit, x, type = "prob"))
  for (member in fit$members) {
    expect_null(member$data)
    expect_null(member$readouts[[1]]$statistics)
  }
  expect_error(update(fit$members[[1]], new_x = x, new_y = small_y("classification", x)),
               class = "cawi_error_object")
})

damage <- function(part, value) `[[<-`(fits$classification, part, value)
y <- small_y("regression", x)
k <- small_y("classification", x)
fit <- fits$classification
few <- function(...) cawi_auto(x, y, budget = 1e-6, hidden = 5, ...)

test_argument_errors(alist(
  object = predict(damage("members", NULL), x),
  object = predict(damage("members", list()), x),
  object = predict(damage("members", list(1, 2)), x),
  object = predict(damage("members", fit$members[-1]), x),
  object = predict(damage("share", NULL), x),
  object = predict(damage("share", rep(NA_real_, length(fit$share))), x),
  object = predict(damage("task", "clustering"), x),
  object = predict(damage("levels", c("low", "mid")), x),
  object = predict(damage("outputs", 7), x),
  object = predict(damage("calibration", -1), x),
  object = predict(damage("format", 99L), x),
  object = predict(damage("members", c(fit$members[-1], list(fits$regression$members[[1]]))), x),
  object = predict(structure(1, class = "cawi_auto"), x),
  object = predict(structure(list(), class = "cawi_auto"), x),
  new_data = predict(fit),
  new_data = predict(fit, x[, 1:3]),
  new_data = predict(fit, replace(x, 3, NA)),
  new_data = predict(fit, "a"),
  type = predict(fit, x, type = "numeric"),
  type = predict(fits$regression, x, type = "prob"),
  type = predict(fit, x, type = NA),
  threads = predict(fit, x, threads = 0),
  x = cawi_auto(NULL, y),
  x = cawi_auto(1:40, y),
  x = cawi_auto(replace(x, 3, NA), y),
  x = cawi_auto(replace(x, 3, Inf), y, na_action = "omit"),
  x = cawi_auto(x[1, , drop = FALSE], y[1]),
  x = cawi_auto(x * NA, y, na_action = "omit"),
  y = cawi_auto(x),
  y = cawi_auto(x, y[-1]),
  y = cawi_auto(x, replace(y, 2, NA)),
  y = cawi_auto(x, rep("one", 40)),
  data = cawi_auto(y ~ north),
  budget = cawi_auto(x, y, budget = 0),
  budget = cawi_auto(x, y, budget = -1),
  budget = cawi_auto(x, y, budget = NA),
  budget = cawi_auto(x, y, budget = "long"),
  budget = cawi_auto(x, y, budget = c(1, 2)),
  budget = cawi_auto(x, y, budget = NULL),
  hidden = cawi_auto(x, y, hidden = 0),
  hidden = cawi_auto(x, y, hidden = 1.5),
  hidden = cawi_auto(x, y, hidden = c(5, 6)),
  hidden = cawi_auto(x, y, hidden = 1e9),
  hidden = cawi_auto(x, y, hidden = NA),
  models = few(models = "svm"),
  models = few(models = character()),
  models = few(models = NA),
  models = few(models = c("rvfl", NA)),
  models = few(models = 1),
  init = few(init = "vine"),
  init = few(init = NA),
  init = few(init = "auto"),
  init = few(init = cawi_copula_from("clayton", dim = 4, theta = 2)),
  draws = few(draws = 0),
  draws = few(draws = 2.5),
  draws = few(draws = NA),
  draws = few(draws = "three"),
  seed = few(seed = -1),
  threads = few(threads = 0),
  case_weights = few(case_weights = 1:3),
  case_weights = few(case_weights = rep(-1, 40)),
  na_action = few(na_action = "guess"),
  marginal = few(marginal = "laplace"),
  standardize = few(standardize = NA)
))

test_that("other arguments of the models are refused", {
  expect_error(few(lambda = 1), class = "cawi_error_dots")
  expect_error(few(activation = "relu"), class = "cawi_error_dots")
  expect_error(few(bogus = 1), class = "cawi_error_dots")
  expect_error(cawi_auto(x, y, 1e-6, 5, "rvfl", "iid", 1, 1, 1, 5), class = "cawi_error_dots")
})

test_that("the model depends on the seed, not on the clock, the load or the threads", {
  rows <- small_x(300)
  y <- small_y("classification", rows)
  fit <- cawi_auto(rows, y, budget = 0.5, seed = 3, threads = 1)
  expect_gt(fit$skipped, 0)
  expect_false(fit$cut)
  burn <- parallel::mcparallel({
    until <- Sys.time() + 4
    while (Sys.time() < until) sqrt(2)
  })
  again <- cawi_auto(rows, y, budget = 0.5, seed = 3, threads = 2)
  parallel::mccollect(burn, wait = FALSE)
  tools::pskill(burn$pid)
  expect_identical(predict(again, rows, type = "prob"), predict(fit, rows, type = "prob"))
  expect_identical(again$chosen, fit$chosen)
})

# A fit of the member that a row of the choice describes.
limit_alone <- function(row, x, y, lambda) {
  standardize <- if (row$standardize == "ranks") "ranks" else as.logical(row$standardize)
  cawi_elm(x, y, hidden = Inf, activation = "sine", bias = "phase", marginal = row$marginal,
           spread = row$spread, inputs = row$inputs, standardize = standardize, lambda = lambda,
           landmarks = Inf, seed = 3)
}

# Scores of a ridge regression with the kernel of a member, whose intercept has no penalty.
kernel_ridge <- function(member, x, y, fresh, lambda) {
  layer <- member$network$layers[[1]]
  z <- layer_input_cpp(x, member$network, 0L)
  other <- layer_input_cpp(fresh, member$network, 0L)
  kernel <- function(a) {
    kernel_cpp(layer$kernel, a, z) + if (member$network$direct) tcrossprod(a, z) else 0
  }
  y <- as.matrix(y)
  vapply(seq_len(ncol(y)), function(j) {
    system <- rbind(cbind(kernel(z) + diag(rep_len(lambda, ncol(y))[j], nrow(z)), 1),
                    c(rep(1, nrow(z)), 0))
    drop(cbind(kernel(other), 1) %*% solve(system, c(y[, j], 0)))
  }, numeric(nrow(fresh)))
}

test_that("infinitely many nodes are members where no number is given", {
  rows <- small_x(60)
  fresh <- small_x(15, start = 8)
  for (task in tasks) {
    y <- small_y(task, rows)
    fit <- cawi_auto(rows, y, seed = 3)
    places <- which(is.infinite(fit$chosen$hidden))
    expect_gt(length(places), 0)
    for (place in places) {
      lambda <- fit$lambda[[place]]
      member <- fit$members[[place]]
      scores <- predict(member, fresh, type = "score")
      if (task == "classification") {
        alone <- limit_alone(fit$chosen[place, ], rows, y, lambda)
        expect_equal(scores, predict(alone, fresh, type = "score"), tolerance = 1e-7)
        expect_equal(fit$chosen$alone[place], alone$loo$value, tolerance = 1e-7)
      } else {
        expect_equal(as.matrix(scores), kernel_ridge(member, rows, y, fresh, lambda),
                     tolerance = 1e-6, ignore_attr = TRUE)
        if (task == "outputs") next
        left <- vapply(1:60, function(i) {
          kernel_ridge(member, rows[-i, ], y[-i], rows[c(i, i), ], lambda)[1]
        }, 0)
        expect_equal(fit$chosen$alone[place], sqrt(mean((y - left)^2)), tolerance = 1e-6)
      }
    }
    expect_output(print(fit), "nfinitely\\s+many")
    expect_true(is.numeric(glance(fit)$hidden))
    expect_false(Inf %in% cawi_auto(rows, y, hidden = 20, seed = 3)$chosen$hidden)
    # A ridge regression without nodes is a member for numbers.
    if (task != "classification") expect_true(0 %in% fit$results$hidden)
  }
})

test_that("many rows are seen by all, or through landmarks, at the penalty of some", {
  rows <- small_x(700)
  y <- small_y("classification", rows)
  fit <- cawi_auto(rows, y, seed = 3)
  places <- which(is.infinite(fit$chosen$hidden))
  for (place in places) {
    alone <- limit_alone(fit$chosen[place, ], rows, y, fit$lambda[[place]])
    expect_equal(predict(fit$members[[place]], rows[1:20, ], type = "score"),
                 predict(alone, rows[1:20, ], type = "score"), tolerance = 1e-6)
  }
  rows <- small_x(2500)
  y <- small_y("regression", rows)
  fit <- cawi_auto(rows, y, seed = 3)
  sizes <- vapply(fit$members, function(member) length(member$network$layers[[1]]$bias), 0)
  expect_true(all(sizes %in% c(200, 600, 2500)))
  expect_identical(predict(cawi_auto(rows, y, seed = 3, threads = 2), rows), predict(fit, rows))
  expect_null(fit$members[[1]]$network$layers[[1]]$root)
})

test_that("near rows matter where rows come twice", {
  set.seed(5)
  half <- matrix(rnorm(4 * 1100), 1100)
  rows <- half[rep(1:1100, 2), ]
  # Nothing but the same row tells the response.
  noise <- rep(rnorm(1100), 2)
  search <- search_of(rows, noise, limit = TRUE)
  near <- near_rows(search)
  expect_true(all(near$judged %in% seq_along(near$rows)))
  # The nearest of a row is its twin.
  drawn <- near$rows[near$judged]
  expect_true(all(ifelse(drawn > 1100, drawn - 1100, drawn + 1100) %in% near$rows))
  trial <- limit_trial(search, limit_candidates(search)[[1]], near)
  expect_true(near_rows_matter(search, trial))
  other <- search_of(matrix(rnorm(4 * 2200), 2200), noise, limit = TRUE)
  trial <- limit_trial(other, limit_candidates(other)[[1]], near_rows(other))
  expect_false(near_rows_matter(other, trial))
})

test_that("challengers join only where they are more than luck", {
  set.seed(6)
  rows <- matrix(rnorm(400), 100)
  search <- search_of(rows, rnorm(100), limit = TRUE)
  y <- target_matrix(search$targets)
  result <- function(scores) list(scores = scores, draws = 1L)
  members <- list(result(y + rnorm(100)))
  better <- result(y + rnorm(100, sd = 0.1))
  worse <- result(y + rnorm(100, sd = 5))
  expect_length(admitted(search, members, list(worse)), 0)
  expect_identical(admitted(search, members, list(worse, better)), list(better))
})

test_that("leave-one-out of gradients is that of rows the metric has not seen", {
  rows <- small_x(80)
  y <- small_y("regression", rows)
  search <- search_of(rows, y, limit = TRUE)
  candidate <- replace(finite_candidate(search), c("init", "marginal"), list("gradient", "normal"))
  trial <- new_trial(candidate, 1, hidden = 20)
  scores <- gradient_trial(search, trial, search[c("x", "targets")], list(values = 1))$scores
  # Another response of one half changes the metric that the other half is judged with, not its own.
  changed <- y
  changed[1] <- changed[1] + 5
  other <- search_of(rows, changed, limit = TRUE)
  other$targets[c("center", "sd")] <- search$targets[c("center", "sd")]
  again <- gradient_trial(other, trial, other[c("x", "targets")], list(values = 1))$scores
  expect_equal(again[1], scores[1], tolerance = 1e-8)
})

test_that("a time limit only cuts, and the model says so", {
  rows <- small_x(100)
  y <- small_y("regression", rows)
  fit <- cawi_auto(rows, y, seed = 3, time_limit = 1e-6)
  expect_true(fit$cut)
  expect_output(print(fit), "time limit cut")
  expect_error(cawi_auto(rows, y, time_limit = 0), class = "cawi_error_time_limit")
  expect_error(cawi_auto(rows, y, time_limit = "long"), class = "cawi_error_time_limit")
})

test_that("with few rows it is near a linear model where that is right", {
  ratio <- vapply(1:5, function(seed) {
    set.seed(seed)
    rows <- matrix(runif(90, -1, 1), 30)
    y <- drop(rows %*% 1:3) + 0.05 * rnorm(30)
    fresh <- matrix(runif(600, -1, 1), 200)
    truth <- drop(fresh %*% 1:3)
    linear <- cbind(1, fresh) %*% stats::lm.fit(cbind(1, rows), y)$coefficients
    fit <- cawi_auto(rows, y, seed = seed)
    sqrt(mean((predict(fit, fresh) - truth)^2) / mean((linear - truth)^2))
  }, 0)
  expect_lt(stats::median(ratio), 2)
})

test_that("with few rows that lie far apart it does not lose to least squares", {
  ratio <- function(seed) {
    error <- vapply(1:4, function(split) {
      set.seed(seed + 100 * split)
      train <- sample(21, 14)
      fit <- cawi_auto(stack.loss ~ ., datasets::stackloss[train, ], seed = seed + split)
      linear <- stats::lm(stack.loss ~ ., datasets::stackloss[train, ])
      fresh <- datasets::stackloss[-train, ]
      vapply(list(fit, linear), function(model) {
        sqrt(mean((predict(model, fresh) - fresh$stack.loss)^2))
      }, 0)
    }, numeric(2))
    mean(error[1, ]) / mean(error[2, ])
  }
  # Splits on which members without direct links, all with the same prior, were above it.
  expect_lt(ratio(49), 1.1)
  expect_lt(ratio(45), 1.1)
})

test_that("errors of all that was tried are in one unit", {
  fit <- cawi_auto(Species ~ ., iris, seed = 1)
  # All networks know these flowers about equally well.
  rmse <- fit$results$rmse[fit$results$hidden > 0]
  expect_lt(max(rmse), 1.5 * min(rmse))
})

test_that("constant responses, large ones, late clocks and small pictures", {
  rows <- small_x(50)
  fit <- cawi_auto(rows, rep(3, 50), seed = 1)
  expect_output(print(fit), "RMSE 0")
  expect_equal(predict(fit, rows[1:3, ]), rep(3, 3))
  huge <- rows[, 1] / max(abs(rows[, 1])) * 1.7e308
  found <- tryCatch(predict(cawi_auto(rows, huge, seed = 1), rows), cawi_error = identity)
  expect_true(inherits(found, "cawi_error") || all(is.finite(found)))
  many <- small_x(2500)
  cut <- cawi_auto(many, many[, 1], seed = 1, time_limit = 0.05)
  expect_true(cut$cut)
  expect_gt(cut$skipped, 0)
  expect_identical(length(cut$members), nrow(cut$chosen))
  picture <- tempfile(fileext = ".png")
  grDevices::png(picture, 250, 250)
  on.exit(unlink(picture))
  expect_silent(plot(fit))
  grDevices::dev.off()
  broken <- fit
  broken$results$model <- "zz"
  expect_error(on_null_device(plot(broken)), class = "cawi_error_x")
})

test_that("the best addition has the least error of the average, by hand", {
  alone <- function(places) replace(numeric(3), places[2], 1)
  added <- function(squares, products) {
    best_addition(list(among = diag(squares), response = products), 1L, alone)
  }
  # Errors are square - 2 product: -1 and -0.8, then -1 and -1.2.
  expect_identical(added(c(1, 1, 3), c(0, 1, 1.9)), 2L)
  expect_identical(added(c(1, 1, 2), c(0, 1, 1.6)), 3L)
})

test_that("rows without weight are not screened, and heavy ones always are", {
  search <- function(weight, classes = NULL) {
    rows <- length(weight)
    list(x = matrix(0, rows, 1), run = list(seed = 1),
         targets = list(case_weights = weight, classes = classes, values = cbind(seq_len(rows))))
  }
  weight <- rep(c(0, 1, 0, 20, 1), 40)
  seen <- screening_rows(search(weight), 60)
  expect_true(all(weight[seen] > 0))
  expect_true(all(which(weight == 20) %in% seen))
  expect_identical(anyDuplicated(seen), 0L)
  expect_lte(length(seen), 60)
})

test_that("a trial of gradients has the scores of its best penalty, and their error", {
  rows <- small_x(80)
  y <- small_y("regression", rows)
  search <- search_of(rows, y, limit = TRUE)
  candidate <- replace(finite_candidate(search), c("init", "marginal"), list("gradient", "normal"))
  tried <- function(lambda) {
    gradient_trial(search, new_trial(candidate, 1, hidden = 20), search[c("x", "targets")],
                   list(values = lambda))
  }
  trial <- tried(c(0.1, 1e4))
  expect_identical(trial[c("hidden", "tried", "lambda", "draws", "rows")],
                   list(hidden = 20, tried = 20, lambda = 0.1, draws = 1L, rows = 80L))
  expect_identical(trial$candidate, candidate)
  gap <- trial$scores - target_matrix(search$targets)
  expect_equal(trial$error, mean(gap^2))
  expect_lt(trial$error, 0.5)
  expect_equal(trial$scores, tried(0.1)$scores, tolerance = 1e-8)
  expect_gt(tried(1e4)$error, trial$error)
})

test_that("one feature is learned by infinitely many nodes", {
  one <- matrix(seq(-2, 2, length.out = 40), dimnames = list(NULL, "a"))
  search <- search_of(one, sin(3 * one[, 1]), limit = TRUE)
  trial <- limit_trial(search, limit_candidates(search)[[1]], NULL)
  expect_lt(trial$error, 0.05)
})
