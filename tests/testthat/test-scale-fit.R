frame <- mixed_frame()

for (model in model_names) {
  for (task in tasks) {
    test_that(paste("a source gives", model, "for", task, "what memory gives, for any chunk"), {
      formula <- mixed_formulas[[task]]
      whole <- fit_formula(model, formula, frame, lambda = 0.3, seed = 5)
      for (chunk in c(1, 7, 1000, nrow(frame))) {
        fit <- fit_formula(model, formula, cawi_source(frame, chunk = chunk), lambda = 0.3,
                           seed = 5)
        expect_equal(raw_scores(fit, frame), raw_scores(whole, frame), tolerance = 1e-10)
        expect_equal(coef(fit), coef(whole), tolerance = 1e-10)
        expect_identical(fit$nobs, 90)
        expect_null(fit$data)
      }
    })
  }
}

test_that("weights that follow the data come from the same rows", {
  for (init in c("gaussian", "t", "clayton", "gradient")) {
    whole <- cawi_rvfl(number ~ north + east + south, frame, hidden = 9, init = init, seed = 2,
                       rounds = 1, lambda = 0.1)
    fit <- cawi_rvfl(number ~ north + east + south, cawi_source(frame, chunk = 20), hidden = 9,
                     init = init, seed = 2, rounds = 1, lambda = 0.1)
    expect_equal(fit$network$layers[[1]]$weights, whole$network$layers[[1]]$weights,
                 tolerance = 1e-10)
    expect_equal(predict(fit, frame), predict(whole, frame), tolerance = 1e-8)
  }
  whole <- cawi_elm(class ~ north + east, frame, hidden = 8, strength = "auto", init = "gaussian",
                    scale = "auto", seed = 2, lambda = 0.1)
  fit <- cawi_elm(class ~ north + east, cawi_source(frame, chunk = 20), hidden = 8,
                  strength = "auto", init = "gaussian", scale = "auto", seed = 2, lambda = 0.1)
  expect_equal(fit$spec$choice, whole$spec$choice, tolerance = 1e-8)
})

test_that("infinitely many nodes are seen through landmarks of the sample", {
  limit <- function(data) {
    cawi_rvfl(number ~ north + east, data, hidden = Inf, activation = "sine", bias = "phase",
              marginal = "cauchy", landmarks = 30, seed = 1, lambda = 0.1)
  }
  fit <- limit(cawi_source(frame, chunk = 25))
  expect_equal(predict(fit, frame), predict(limit(frame), frame), tolerance = 1e-7)
})

test_that("missing values, case weights, ranks and no intercept are as in memory", {
  holes <- frame
  holes$north[c(3, 50)] <- NA
  holes$group[c(8, 61)] <- NA
  formula <- number ~ north + east + group
  for (na_action in c("omit", "impute")) {
    arguments <- list(hidden = 9, lambda = 0.1, seed = 3, na_action = na_action)
    whole <- do.call(cawi_rvfl, c(list(formula, holes), arguments,
                                  list(case_weights = quote(times))))
    fit <- do.call(cawi_rvfl, c(list(formula, cawi_source(holes, chunk = 11)), arguments,
                                list(case_weights = quote(times))))
    expect_equal(predict(fit, holes), predict(whole, holes), tolerance = 1e-10)
    expect_true(fit$weighted)
  }
  expect_identical(fit$nobs, 90)
  for (change in list(list(standardize = "ranks"), list(standardize = FALSE))) {
    arguments <- c(list(hidden = 9, lambda = 0.1, seed = 3), change)
    whole <- do.call(cawi_rvfl, c(list(number ~ north + east, frame), arguments))
    fit <- do.call(cawi_rvfl, c(list(number ~ north + east, cawi_source(frame, chunk = 11)),
                                arguments))
    expect_equal(predict(fit, frame), predict(whole, frame), tolerance = 1e-10)
  }
  whole <- cawi_rvfl(number ~ north + flag - 1, frame, hidden = 9, lambda = 0.1, seed = 3)
  fit <- cawi_rvfl(number ~ north + flag - 1, cawi_source(frame, chunk = 11), hidden = 9,
                   lambda = 0.1, seed = 3)
  expect_equal(predict(fit, frame), predict(whole, frame), tolerance = 1e-10)
  expect_false(fit$spec$intercept)
})

test_that("columns may be named in place of a formula", {
  plain <- frame[c("north", "east", "number", "second")]
  source <- cawi_source(plain, chunk = 13)
  fit <- cawi_elm(source, c("number", "second"), hidden = 9, lambda = 0.1, seed = 4)
  whole <- cawi_elm(plain[1:2], as.matrix(plain[3:4]), hidden = 9, lambda = 0.1, seed = 4)
  expect_equal(predict(fit, plain), predict(whole, plain[1:2]), tolerance = 1e-10)
  expect_identical(same_fit(source |> cawi_elm(formula = number ~ ., hidden = 4, seed = 1)),
                   same_fit(cawi_elm(number ~ ., source, hidden = 4, seed = 1)))
})

test_that("lambda is chosen by folds, or exactly by a third pass", {
  fit <- cawi_rvfl(number ~ north + east, cawi_source(frame, chunk = 20), hidden = 9, seed = 1)
  expect_true(fit$lambda %in% 10^(-6:6))
  expect_match(paste(capture.output(summary(fit)), collapse = " "), "squared error on 5 folds")
  expect_match(capture.output(fit)[4], "held-out RMSE")
  whole <- cawi_rvfl(number ~ north + east, frame, hidden = 9, seed = 1)
  third <- cawi_rvfl(number ~ north + east, cawi_source(frame, chunk = 20, loo = TRUE),
                     hidden = 9, seed = 1)
  expect_identical(third$lambda, whole$lambda)
  expect_equal(third$readouts[[1]]$loo$rmse, whole$readouts[[1]]$loo$rmse, tolerance = 1e-9)
  classes <- cawi_edrvfl(class ~ north + east, cawi_source(frame, chunk = 20, loo = TRUE),
                         hidden = c(6, 5), seed = 1)
  expect_equal(classes$lambda, cawi_edrvfl(class ~ north + east, frame, hidden = c(6, 5),
                                           seed = 1)$lambda)
})

test_that("probabilities are calibrated on rows that their readout has not seen", {
  fit <- cawi_rvfl(class ~ north + east + south + west, cawi_source(frame, chunk = 20),
                   hidden = 9, seed = 1)
  prob <- predict(fit, frame, type = "prob")
  expect_equal(rowSums(prob), rep(1, 90))
  expect_gt(mean(predict(fit, frame) == frame$class), 0.6)
  expect_match(fit$loo$text, "on 90 sampled rows, 5 folds")
})

test_that("intervals and sets come from the sampled rows and their folds", {
  fit <- cawi_rvfl(number ~ north + east, cawi_source(frame, chunk = 20), hidden = 9, seed = 1,
                   lambda = 0.1)
  found <- predict(fit, frame[1:7, ], type = "interval", level = 0.8)
  # CV+ once more: predictions and residuals of readouts without the fold.
  fold <- fold_numbers(1, 1L, 0:89, 5L)
  a <- cawi_features(fit, frame)
  y <- frame$number
  without <- vapply(1:5, function(k) {
    drop(a %*% plain_ridge(a[fold != k, ], cbind(y[fold != k]), 0.1, free = TRUE))
  }, numeric(90))
  size <- abs(y - without[cbind(1:90, fold)])
  wanted <- t(vapply(1:7, function(i) {
    rank <- ceiling(0.8 * 91)
    c(-sort(size - without[i, fold])[rank], sort(size + without[i, fold])[rank])
  }, numeric(2)))
  expect_equal(unname(as.matrix(found[c("lower", "upper")])), wanted, tolerance = 1e-8)
  classes <- cawi_rvfl(class ~ north + east, cawi_source(frame, chunk = 20), hidden = 9, seed = 1)
  sets <- predict(classes, frame, type = "set", level = 0.8)
  truth <- sets[cbind(seq_len(90), match(frame$class, colnames(sets)))]
  expect_gt(mean(truth), 0.75)
  # What an update makes of the folds is not known.
  expect_error(predict(update(fit, new_x = frame), frame, type = "interval"), class = "cawi_error")
  expect_error(predict(cawi_trim(fit), frame, type = "interval"), class = "cawi_error")
  expect_identical(predict(cawi_trim(fit), frame), predict(fit, frame))
})

test_that("class weights of a source are those of memory", {
  rare <- frame[c(which(frame$class == "low")[1:5], which(frame$class != "low")), ]
  for (class_weights in list("balanced", c(low = 4))) {
    arguments <- list(hidden = 9, seed = 1, lambda = 0.1, class_weights = class_weights)
    whole <- do.call(cawi_rvfl, c(list(class ~ north + east, rare), arguments))
    fit <- do.call(cawi_rvfl, c(list(class ~ north + east, cawi_source(rare, chunk = 20)),
                                arguments))
    expect_equal(fit$spec$class_weights, whole$spec$class_weights)
    expect_equal(raw_scores(fit, frame), raw_scores(whole, frame), tolerance = 1e-9)
  }
})

test_that("a model from a source does what models do", {
  source <- cawi_source(frame, chunk = 20)
  fit <- cawi_rvfl(number ~ north + east, source, hidden = 9, seed = 1)
  expect_identical(generics::glance(fit)$resampling, "5 folds")
  expect_error(fitted(fit), class = "cawi_error")
  file <- tempfile(fileext = ".rds")
  saveRDS(fit, file)
  expect_identical(predict(readRDS(file), frame), predict(fit, frame))
  more <- update(fit, new_x = frame[1:10, ])
  expect_identical(more$nobs, 100)
  expect_silent(on_null_device(plot(fit)))
})

test_that("few rows of a source need a given penalty", {
  two <- cawi_source(frame[1:2, ], folds = 2)
  fold <- fold_numbers(8, 1L, 0:1, 2L)
  seed <- Find(function(seed) length(unique(fold_numbers(seed, 1L, 0:1, 2L))) == 1, 1:50)
  expect_error(cawi_elm(number ~ north, two, hidden = 3, seed = seed),
               class = "cawi_error_lambda")
  fit <- cawi_elm(number ~ north, two, hidden = 3, seed = seed, lambda = 1)
  expect_length(predict(fit, frame), 90)
  expect_error(cawi_elm(number ~ north, cawi_source(frame[1, ]), hidden = 3, lambda = 1),
               class = "cawi_error")
})

test_that("a source whose rows have one class is refused", {
  survey <- function(levels, weight = 1) {
    list(response = "class", levels = list(class = list(level = levels, weight = weight)))
  }
  y <- factor(c("a", "b"))
  expect_identical(seen_classes(y, survey(c("b", "a"), c(1, 1)), NULL), c("a", "b"))
  expect_error(seen_classes(y, survey("a"), NULL), class = "cawi_error_y")
  # A class without weight is none.
  expect_error(seen_classes(y, survey(c("a", "b"), c(1, 0)), NULL), class = "cawi_error_y")
})
