frame <- mixed_frame()
rows <- seq(1, 90, 3)

for (model in model_names) {
  for (task in tasks) {
    test_that(paste("sums of places merge into", model, "of all rows for", task), {
      fit <- fit_formula(model, mixed_formulas[[task]], frame, lambda = 0.3, seed = 5)
      parts <- list(cawi_statistics(fit, frame[1:20, ]),
                    cawi_statistics(fit, cawi_source(frame[21:70, ], chunk = 9)),
                    cawi_statistics(fit, frame[71:90, ]))
      merged <- cawi_merge(fit, parts)
      expect_equal(raw_scores(merged, frame), raw_scores(fit, frame), tolerance = 1e-9)
      expect_identical(merged$nobs, 90)
      own <- cawi_merge(fit, cawi_statistics(fit))
      expect_equal(raw_scores(own, frame), raw_scores(fit, frame), tolerance = 1e-9)
    })
  }
}

test_that("rows that drew the network do not count twice", {
  fit <- cawi_rvfl(number ~ north + east, frame[rows, ], hidden = 6, seed = 1, lambda = 0.1)
  merged <- cawi_merge(fit, cawi_statistics(fit, frame))
  updated <- update(fit, new_x = frame[-rows, ])
  expect_equal(predict(merged, frame), predict(updated, frame), tolerance = 1e-9)
  both <- cawi_merge(fit, cawi_statistics(fit), cawi_statistics(fit, frame[-rows, ]))
  expect_equal(predict(both, frame), predict(updated, frame), tolerance = 1e-9)
  bare <- cawi_rvfl(number ~ north + east, frame[rows, ], hidden = 6, seed = 1, lambda = 0.1,
                    keep_data = FALSE)
  both <- cawi_merge(bare, cawi_statistics(bare), cawi_statistics(bare, frame[-rows, ]))
  expect_equal(predict(both, frame), predict(updated, frame), tolerance = 1e-9)
})

test_that("lambda is kept, given or chosen by folds", {
  fit <- cawi_rvfl(number ~ north + east, frame, hidden = 6, seed = 1, lambda = 10)
  statistics <- cawi_statistics(fit, frame, folds = 4)
  expect_identical(cawi_merge(fit, statistics)$lambda, 10)
  expect_equal(predict(cawi_merge(fit, statistics, lambda = 0.5), frame),
               predict(update(fit, lambda = 0.5), frame), tolerance = 1e-9)
  chosen <- cawi_merge(fit, statistics, lambda = 10^(-4:4))
  expect_true(chosen$lambda %in% 10^(-4:4))
  bare <- cawi_rvfl(number ~ north + east, frame, hidden = 6, seed = 1, keep_data = FALSE)
  expect_error(cawi_merge(bare, cawi_statistics(bare), lambda = 1:3), class = "cawi_error_lambda")
  # Places may have different numbers of folds.
  two <- cawi_merge(fit, cawi_statistics(fit, frame[1:45, ], folds = 2),
                    cawi_statistics(fit, frame[46:90, ], folds = 5), lambda = 10^(-4:4))
  expect_true(two$lambda %in% 10^(-4:4))
})

test_that("statistics of another network cannot be added", {
  fit <- cawi_rvfl(number ~ north + east, frame, hidden = 6, seed = 1)
  other <- cawi_rvfl(number ~ north + east, frame, hidden = 6, seed = 2)
  shifted <- cawi_rvfl(I(number * 2) ~ north + east, frame, hidden = 6, seed = 1)
  expect_error(cawi_merge(fit, cawi_statistics(other)), "another network",
               class = "cawi_error_statistics")
  expect_error(cawi_merge(fit, cawi_statistics(shifted)), class = "cawi_error_statistics")
  file <- tempfile()
  saveRDS(list(fit, cawi_statistics(fit)), file)
  again <- readRDS(file)
  expect_s3_class(cawi_merge(fit, again[[2]]), "cawi_rvfl")
  expect_s3_class(cawi_merge(again[[1]], cawi_statistics(fit)), "cawi_rvfl")
})

test_that("classes of places join", {
  two <- droplevels(frame[frame$class != "mid", ])
  fit <- cawi_rvfl(class ~ north + east, two, hidden = 6, seed = 1, lambda = 0.1)
  expect_error(cawi_statistics(fit, frame), "mid", class = "cawi_error")
  more <- cawi_statistics(fit, frame, new_classes = TRUE)
  merged <- cawi_merge(fit, cawi_statistics(fit, two[1:9, ]), more)
  expect_setequal(merged$levels, c("low", "high", "mid"))
  expect_equal(rowSums(predict(merged, frame, type = "prob")), rep(1, 90))
  wide <- cawi_merge(fit, more)
  expect_equal(raw_scores(wide, frame)[, "mid"],
               raw_scores(update(fit, new_x = frame, new_classes = TRUE, forget_x = two),
                          frame)[, "mid"], tolerance = 1e-8)
})

test_that("models without a formula take the response beside the rows", {
  x <- small_x(60)
  y <- small_y("regression", x)
  for (given in list(x, unname(x), data.frame(x))) {
    fit <- cawi_rvfl(given, y, hidden = 6, seed = 1, lambda = 0.1)
    parts <- list(cawi_statistics(fit, given[1:20, ], y[1:20]),
                  cawi_statistics(fit, given[21:60, ], y[21:60]))
    expect_equal(predict(cawi_merge(fit, parts), given), predict(fit, given), tolerance = 1e-9)
  }
  expect_error(cawi_statistics(fit, given), class = "cawi_error_y")
  expect_error(cawi_statistics(fit, given, y[1:3]), class = "cawi_error_y")
  named <- cawi_source(cbind(data.frame(x), target = y), chunk = 7)
  expect_equal(predict(cawi_merge(fit, cawi_statistics(fit, named, "target")), given),
               predict(fit, given), tolerance = 1e-9)
  formula <- cawi_rvfl(number ~ north, frame, hidden = 3)
  expect_error(cawi_statistics(formula, frame, frame$number), class = "cawi_error_y")
})

test_that("columns that were named as the response may be named again", {
  source <- cawi_source(frame[c("north", "east", "number")], chunk = 20)
  fit <- cawi_elm(source, "number", hidden = 4, lambda = 1, seed = 1)
  merged <- cawi_merge(fit, cawi_statistics(fit, source, "number"))
  expect_equal(predict(merged, frame), predict(fit, frame), tolerance = 1e-9)
  expect_error(cawi_statistics(fit, source, "east"), class = "cawi_error_y")
})

test_that("case weights are a column", {
  fit <- cawi_rvfl(number ~ north, frame, hidden = 3, seed = 1, lambda = 1, case_weights = times)
  merged <- cawi_merge(fit, cawi_statistics(fit, frame, case_weights = times))
  expect_equal(predict(merged, frame), predict(fit, frame), tolerance = 1e-9)
})

test_that("results of a tuning or an automatic choice are refused with what to give", {
  tuned <- cawi_tune(iris[1:4], iris$Species, grid = cawi_grid(hidden = 3:4), seed = 1)
  auto <- cawi_auto(iris[1:4], iris$Species, budget = 0.1, hidden = 5, draws = 1, models = "rvfl",
                    seed = 1)
  sums <- cawi_statistics(tuned$fit)
  expect_error(cawi_statistics(tuned), "cawi_tune.*fit[$]fit", class = "cawi_error_fit")
  expect_error(cawi_merge(tuned, sums), "cawi_tune.*fit[$]fit", class = "cawi_error_fit")
  expect_error(cawi_statistics(auto), "cawi_auto.*fit[$]members", class = "cawi_error_fit")
  expect_error(cawi_merge(auto, sums), "cawi_auto.*fit[$]members", class = "cawi_error_fit")
  # What the messages tell works.
  expect_identical(cawi_merge(tuned$fit, sums)$nobs, 150)
  expect_s3_class(cawi_statistics(auto$members[[1]], iris, iris$Species), "cawi_statistics")
  expect_error(cawi_statistics(), "missing", class = "cawi_error_fit")
})

test_that("damaged statistics and other objects are refused", {
  fit <- cawi_rvfl(number ~ north, frame, hidden = 3, seed = 1)
  good <- cawi_statistics(fit)
  expect_output(print(good), "of 90 rows")
  columns <- nrow(good$sums[[1]][[1]]$aa)
  expect_output(print(good), sprintf("%d columns, %d fold%s, network", columns, good$folds,
                                     if (good$folds == 1) "" else "s"))
  expect_error(cawi_merge(fit), class = "cawi_error_statistics")
  expect_error(cawi_merge(fit, 1), class = "cawi_error_statistics")
  for (slot in names(good)) {
    for (value in list(NULL, NA, "x", list())) {
      bad <- unclass(good)
      bad[slot] <- list(value)
      class(bad) <- "cawi_statistics"
      result <- tryCatch(cawi_merge(fit, bad), error = identity)
      expect_true(inherits(result, c("cawi_error", "cawi_model")))
    }
  }
  expect_error(cawi_statistics(1), class = "cawi_error_fit")
  expect_error(cawi_statistics(fit, 1:3), class = "cawi_error_data")
  expect_error(cawi_statistics(fit, frame[0, ]), class = "cawi_error")
})

test_that("statistics that lost their number of folds are refused", {
  fit <- cawi_elm(small_x(), small_y("regression"), hidden = 3, seed = 1)
  statistics <- cawi_statistics(fit)
  statistics$folds <- NULL
  expect_error(print(statistics), class = "cawi_error_statistics")
  expect_error(cawi_merge(fit, statistics), class = "cawi_error_statistics")
})

test_that("one fold is one, two are two", {
  fit <- cawi_elm(mpg ~ wt, mtcars, hidden = 3, lambda = 1, seed = 1)
  expect_output(print(cawi_statistics(fit, mtcars, folds = 1)), " columns, 1 fold, network ")
  expect_output(print(cawi_statistics(fit, mtcars, folds = 2)), " columns, 2 folds, network ")
})

test_that("what has a class and is a list is no list of statistics", {
  fit <- cawi_elm(iris[1:60, 1:3], iris$Petal.Width[1:60], hidden = 3, seed = 1)
  own <- cawi_statistics(fit)
  for (other in list(numeric_version("1.0"), data.frame(a = 1))) {
    expect_error(cawi_merge(fit, other, list(own, own)), class = "cawi_error_statistics")
  }
})

test_that("rows in a matrix of a class of its own are rows", {
  x <- as.matrix(iris[1:60, 1:3])
  y <- iris$Petal.Width[1:60]
  fit <- cawi_elm(x, y, hidden = 3, seed = 1)
  expect_identical(cawi_statistics(fit, structure(x, class = "odd"), y)$sums,
                   cawi_statistics(fit, x, y)$sums)
})
