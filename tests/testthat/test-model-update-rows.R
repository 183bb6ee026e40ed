# Updates keep the weights and the standardization, so the fit from scratch is the ridge solution on
# the A of the updated model over all rows.
rows_of <- function(y, rows) if (is.matrix(y)) y[rows, , drop = FALSE] else y[rows]

join <- function(...) {
  parts <- list(...)
  if (is.matrix(parts[[1]])) return(do.call(rbind, parts))
  if (is.factor(parts[[1]])) {
    return(factor(unlist(lapply(parts, as.character)), unique(unlist(lapply(parts, levels)))))
  }
  unlist(parts)
}

# Levels in the order of the model, as a matrix.
target_of <- function(fit, y) {
  if (fit$task == "regression") return(unname(as.matrix(y)))
  outer(as.character(y), fit$levels, `==`) + 0
}

starts <- list("primal" = narrow, "dual" = wide)

for (model in model_names) for (start in names(starts)) {
  shape <- starts[[start]][[model]]

  test_that(paste("new rows, forgotten rows and both equal a fit of the rest:", model, start), {
    x <- small_x(70)
    first <- 1:40
    for (task in tasks) {
      y <- small_y(task, x)
      fit <- fit_named(model, x[first, ], rows_of(y, first), lambda = 0.2, seed = 4, shape = shape)
      expect_identical(fit$readouts[[1]]$statistics$kind == "rows", start == "dual")
      check <- function(fit, rows) {
        expect_ridge(fit, seen_features(fit, x[rows, ]), target_of(fit, rows_of(y, rows)))
        expect_equal(fit$nobs, length(rows))
      }
      more <- update(fit, new_x = x[41:70, ], new_y = rows_of(y, 41:70))
      check(more, 1:70)
      expect_lt(
        max(abs(unname(cawi_features(more, x)) - plain_features(more, x, train = x[first, ])$all)),
        1e-12
      )
      check(update(fit, forget_x = x[1:10, ], forget_y = rows_of(y, 1:10)), 11:40)
      check(update(fit, new_x = x[41:70, ], new_y = rows_of(y, 41:70), forget_x = x[6:15, ],
                   forget_y = rows_of(y, 6:15)), c(1:5, 16:70))
      chain <- fit
      for (part in list(41:50, 51, 52:70)) {
        chain <- update(chain, new_x = x[part, , drop = FALSE], new_y = rows_of(y, part))
      }
      chain <- update(chain, forget_x = x[3, , drop = FALSE], forget_y = rows_of(y, 3))
      check(chain, setdiff(1:70, 3))
      there_and_back <- update(more, forget_x = x[41:70, ], forget_y = rows_of(y, 41:70))
      for (k in seq_along(fit$readouts)) {
        expect_lt(relative_gap(readout_coefficients(there_and_back)[[k]],
                               readout_coefficients(fit)[[k]]), 1e-8)
      }
    }
  })

  test_that(paste("case weights of new and forgotten rows count:", model, start), {
    x <- small_x(70)
    w <- rep_len(c(1, 0.5, 3), 70)
    for (task in tasks) {
      y <- small_y(task, x)
      fit <- fit_named(model, x[1:40, ], rows_of(y, 1:40), case_weights = w[1:40], lambda = 0.2,
                       seed = 4, shape = shape)
      fit <- update(fit, new_x = x[41:70, ], new_y = rows_of(y, 41:70), case_weights = w[41:70])
      expect_ridge(fit, seen_features(fit, x), target_of(fit, y), w)
      fit <- update(fit, forget_x = x[1:5, ], forget_y = rows_of(y, 1:5),
                    forget_case_weights = w[1:5])
      expect_ridge(fit, seen_features(fit, x[-(1:5), ]),
                   target_of(fit, rows_of(y, 6:70)), w[-(1:5)])
    }
  })

  test_that(paste("new classes appear in new rows:", model, start), {
    x <- small_x(70)
    y <- as.character(small_y("classification", x))
    y[60:70] <- "a new one"
    y[55] <- "other"
    known <- which(y %in% c("low", "mid"))
    fit <- fit_named(model, x[known, ], y[known], lambda = 0.2, seed = 4, shape = shape)
    expect_identical(fit$levels, c("low", "mid"))
    fit <- update(fit, new_x = x[-known, ], new_y = y[-known], new_classes = TRUE)
    expect_setequal(fit$levels, unique(y))
    expect_identical(fit$levels[1:2], c("low", "mid"))
    all <- c(known, setdiff(1:70, known))
    expect_ridge(fit, seen_features(fit, x[all, ]), target_of(fit, y[all]))
    expect_identical(levels(predict(fit, x)), fit$levels)
    prob <- predict(fit, x, type = "prob")
    expect_identical(colnames(prob), fit$levels)
    expect_equal(rowSums(prob), rep(1, 70))
    expect_identical(fit$levels[max.col(prob, "first")], as.character(predict(fit, x)))
    # The kept data grew too.
    expect_identical(fitted(fit), predict(fit, x[all, ]))
  })

  test_that(paste(
    "new classes are calibrated by leaving rows out of the updated model:", model, start
  ), {
    x <- small_x(70)
    y <- as.character(small_y("classification", x))
    y[60:70] <- "a new one"
    new <- 11:70
    for (keep in c(TRUE, FALSE)) {
      fit <- fit_named(model, x[-new, ], y[-new], lambda = 0.2, seed = 4, shape = shape,
                       keep_data = keep)
      old <- fit$calibration
      first <- fit
      fit <- update(fit, new_x = x[new, ], new_y = y[new], new_classes = TRUE)
      all <- c(setdiff(1:70, new), new)
      target <- target_of(fit, y[all])
      left_out <- function(a) {
        without <- function(i) drop(a[i, ] %*% plain_ridge(a[-i, ], target[-i, ], 0.2))
        t(vapply(1:70, without, target[1, ]))
      }
      scores <- Reduce(`+`, lapply(seen_features(fit, x[all, ]), left_out)) / length(fit$readouts)
      used <- if (keep) 1:70 else 11:70
      wanted <- fit_calibration(scores[used, ], match(y[all], fit$levels)[used],
                                rep(1, length(used)))
      expect_equal(fit$calibration, wanted, tolerance = 1e-4)
      expect_false(isTRUE(all.equal(old$parameters[1, ], wanted$parameters[1, ], tolerance = 1e-3)))
      # Rows that are forgotten in the same call were seen when it was made.
      both <- update(first, new_x = x[new, ], new_y = y[new], new_classes = TRUE,
                     forget_x = x[1, , drop = FALSE], forget_y = y[1])
      expect_equal(both$calibration, wanted, tolerance = 1e-4)
      # A few rows, or rows of one class, tell too little, unless the others are in the model.
      few <- update(first, new_x = x[60:70, ], new_y = y[60:70], new_classes = TRUE)
      expect_identical(identical(few$calibration, extend_calibration(old, 1L)), !keep)
      # Rows of classes that are known leave the calibration as it is.
      expect_identical(update(fit, new_x = x[1:4, ], new_y = y[1:4])$calibration, fit$calibration)
    }
  })

  if (model != "bls") test_that(paste(
    "more hidden nodes equal the wider fit with the same seed:", model, start
  ), {
    x <- small_x()
    w <- rep_len(c(1, 2), 40)
    tasks <- c("classification", "outputs")
    for (task in tasks) for (init in c("iid", "gaussian")) for (weights in list(NULL, w)) {
      y <- small_y(task, x)
      wider <- shape$hidden
      wider[length(wider)] <- wider[length(wider)] + 7
      fit <- fit_named(model, x, y, lambda = 0.2, init = init, case_weights = weights, seed = 4,
                       shape = shape)
      grown <- update(fit, hidden = wider[length(wider)])
      scratch <- fit_named(model, x, y, lambda = 0.2, init = init, case_weights = weights, seed = 4,
                           shape = list(hidden = wider))
      expect_identical(lapply(grown$network$layers, `[`, c("weights", "bias")),
                       lapply(scratch$network$layers, `[`, c("weights", "bias")))
      for (k in seq_along(grown$readouts)) {
        expect_lt(
          relative_gap(readout_coefficients(grown)[[k]], readout_coefficients(scratch)[[k]]), 1e-8
        )
      }
      expect_equal(predict(grown, x, type = "score"), predict(scratch, x, type = "score"),
                   tolerance = 1e-8)
      expect_identical(grown$spec$hidden, scratch$spec$hidden)
    }
  })
}

for (start in names(starts)) {
  test_that(paste("broad learning grows enhancement nodes and windows:", start), {
    x <- small_x()
    shape <- starts[[start]]$bls
    for (task in c("classification", "regression")) for (init in c("iid", "gaussian")) {
      y <- small_y(task, x)
      fit <- fit_named("bls", x, y, lambda = 0.2, init = init, seed = 4, shape = shape)
      check <- function(fit) expect_ridge(fit, list(plain_features(fit, x)$all), target_of(fit, y))
      more <- update(fit, enhancement = shape$enhancement + 4)
      shape_more <- utils::modifyList(shape, list(enhancement = shape$enhancement + 4))
      scratch <- fit_named("bls", x, y, lambda = 0.2, init = init, seed = 4, shape = shape_more)
      expect_lt(relative_gap(coef(more), coef(scratch)), 1e-8)
      check(more)

      windows <- update(fit, windows = shape$windows + 2)
      check(windows)
      z <- shape$windows * shape$nodes
      e <- shape$enhancement
      old <- cawi_features(fit, x)
      now <- cawi_features(windows, x)
      expect_identical(ncol(now), ncol(old) + 2L * as.integer(shape$nodes))
      # Windows and enhancement nodes that existed are as they were.
      expect_equal(unname(now[, seq_len(z)]), unname(old[, seq_len(z)]), tolerance = 1e-14)
      expect_equal(unname(now[, z + 2 * shape$nodes + seq_len(e)]), unname(old[, z + seq_len(e)]),
                   tolerance = 1e-14)
      # New windows are the draws that a broader model would have had.
      broader <- fit_named("bls", x, y, lambda = 0.2, init = init, seed = 4,
                           shape = utils::modifyList(shape, list(windows = shape$windows + 2)))
      expect_identical(windows$network$layers[[1]]$weights, broader$network$layers[[1]]$weights)

      check(update(fit, windows = shape$windows + 1, enhancement = e + 3))
      chain <- update(update(update(fit, windows = shape$windows + 1), enhancement = e + 2),
                      windows = shape$windows + 3)
      check(chain)
      expect_identical(chain$spec$broad$windows, shape$windows + 3)
    }
  })
}

for (model in model_names) {
  test_that(paste("rows, classes, nodes, rows in a chain:", model), {
    x <- small_x(80)
    y <- as.character(small_y("classification", x))
    old <- which(y != "high")[1:30]
    new <- setdiff(1:80, old)
    fit <- fit_named(model, x[old, ], y[old], lambda = 0.2, init = "gaussian", seed = 4)
    grow <- function(fit, by) {
      if (model == "bls") {
        update(fit, windows = fit$spec$broad$windows + by,
               enhancement = fit$spec$broad$enhancement + by)
      } else {
        update(fit, hidden = utils::tail(fit$spec$hidden, 1) + by)
      }
    }
    fit <- update(fit, new_x = x[new[1:25], ], new_y = y[new[1:25]], new_classes = TRUE)
    fit <- grow(fit, 3)
    fit <- update(fit, new_x = x[new[26:50], ], new_y = y[new[26:50]])
    fit <- grow(fit, 2)
    all <- c(old, new)
    a <- plain_features(fit, x[all, ], train = x[old, ])$readouts
    expect_ridge(fit, a, target_of(fit, y[all]))
    fit <- update(fit, forget_x = x[old, ], forget_y = y[old], lambda = 0.7)
    expect_identical(unique(unlist(readout_lambdas(fit))), 0.7)
    a <- plain_features(fit, x[new, ], train = x[old, ])$readouts
    expect_ridge(fit, a, target_of(fit, y[new]))
  })
}

for (model in setdiff(model_names, "bls")) {
  test_that(paste("nodes grow with spread, inputs and bias at data as in the wider fit:", model), {
    x <- small_x()
    y <- small_y("classification", x)
    for (init in c("iid", "gaussian")) for (scale in list(list(spread = 2), list(scale = "auto"))) {
      fit_with <- function(shape) {
        do.call(fit_named,
                c(list(model, x, y, inputs = 2, bias = "data", init = init, lambda = 0.2, seed = 4),
                  scale, list(shape = shape)))
      }
      shape <- narrow[[model]]
      fit <- fit_with(shape)
      last <- length(shape$hidden)
      shape$hidden[last] <- shape$hidden[last] + 7
      grown <- update(fit, hidden = shape$hidden[last])
      # An automatic scale keeps the spread that it chose.
      if (!is.null(scale$scale)) scale <- list(spread = fit$spec$spread)
      scratch <- fit_with(shape)
      expect_identical(lapply(grown$network$layers, `[`, c("weights", "bias")),
                       lapply(scratch$network$layers, `[`, c("weights", "bias")))
      for (k in seq_along(grown$readouts)) {
        expect_lt(
          relative_gap(readout_coefficients(grown)[[k]], readout_coefficients(scratch)[[k]]), 1e-8
        )
      }
    }
  })
}

for (bias in c("uniform", "data")) {
  test_that(paste("windows and enhancement nodes grow one after the other with bias", bias), {
    x <- small_x()
    y <- small_y("regression", x)
    shape <- narrow$bls
    fit <- fit_named("bls", x, y, bias = bias, inputs = 2, spread = 1, lambda = 0.2, seed = 4)
    check <- function(fit) expect_ridge(fit, list(plain_features(fit, x)$all), target_of(fit, y))
    check(update(fit, windows = 5, enhancement = 9))
    check(update(update(fit, enhancement = 9), windows = 5))
    check(update(update(fit, windows = 5), enhancement = 9))
    # Enhancement nodes that existed are as they were.
    chain <- update(update(update(fit, windows = 5), enhancement = 9), windows = 6)
    check(chain)
    expect_equal(chain$network$layers[[2]]$bias[1:5], fit$network$layers[[2]]$bias)
    expect_equal(chain$network$layers[[2]]$weights[1:6, 1:5], fit$network$layers[[2]]$weights)
  })
}

test_that("what is stored for updates does not grow with the rows", {
  x <- small_x(2000)
  y <- small_y("classification", x)
  fit <- cawi_rvfl(x[1:1000, ], y[1:1000], hidden = 9, lambda = 0.2, seed = 1, keep_data = FALSE)
  sizes <- function(fit) lengths(fit$readouts[[1]]$statistics[c("aa", "ay")])
  expect_identical(unname(sizes(fit)), c(14L * 14L, 14L * 3L))
  more <- update(fit, new_x = x[1001:2000, ], new_y = y[1001:2000])
  expect_identical(sizes(more), sizes(fit))
  expect_null(more$data)
  # Rows of a wide start turn into sums, which stay as they are.
  dual <- cawi_rvfl(x[1:10, ], y[1:10], hidden = 20, lambda = 0.2, seed = 1, keep_data = FALSE)
  once <- update(dual, new_x = x[11:20, ], new_y = y[11:20], new_classes = TRUE)
  expect_identical(sizes(update(once, new_x = x[21:2000, ], new_y = y[21:2000])), sizes(once))
})

test_that("nodes grow from data given again", {
  x <- small_x()
  for (task in tasks) {
    y <- small_y(task, x)
    kept <- cawi_drvfl(x, y, hidden = c(5, 4), lambda = 0.2, seed = 1)
    lean <- cawi_drvfl(x, y, hidden = c(5, 4), lambda = 0.2, seed = 1, keep_data = FALSE)
    expect_equal(coef(update(lean, hidden = 9, x = x, y = y)), coef(update(kept, hidden = 9)),
                 tolerance = 1e-12)
  }
})

test_that("nodes of a weighted model do not grow from data without their weights", {
  x <- small_x()
  y <- small_y("regression", x)
  w <- rep_len(c(1, 5), 40)
  lean <- cawi_rvfl(x, y, hidden = 4, case_weights = w, lambda = 0.2, seed = 1, keep_data = FALSE)
  wanted <- coef(cawi_rvfl(x, y, hidden = 9, case_weights = w, lambda = 0.2, seed = 1))
  expect_error(update(lean, hidden = 9, x = x, y = y), class = "cawi_error_case_weights")
  expect_lt(relative_gap(coef(update(lean, hidden = 9, x = x, y = y, case_weights = w)), wanted),
            1e-8)
})

test_that("a new penalty alone", {
  x <- small_x()
  for (hidden in c(9, 60)) {
    fit <- cawi_rvfl(x, small_y("outputs", x), hidden = hidden, seed = 1)
    changed <- update(fit, lambda = 3)
    expect_ridge(changed, seen_features(changed, x), small_y("outputs", x), lambda = 3)
    # What the summary says about the penalty is true.
    expect_false(summary(changed)$chosen)
  }
})

test_that("logical and factor responses are taken as at first", {
  x <- small_x()
  y <- small_y("regression", x) > 0
  fit <- update(cawi_rvfl(x[1:30, ], y[1:30], hidden = 5, lambda = 1, seed = 1), new_x = x[31:40, ],
                new_y = y[31:40])
  expect_identical(fit$levels, c("FALSE", "TRUE"))
  expect_ridge(fit, seen_features(fit, x), target_of(fit, y))
  frame <- transform(iris, kind = letters[1:3])
  fit <- cawi_rvfl(Species ~ ., frame[1:100, ], hidden = 5, lambda = 1, seed = 1)
  fit <- update(fit, new_x = frame[101:150, 6:1], new_y = frame$Species[101:150],
                new_classes = TRUE)
  expect_ridge(fit, seen_features(fit, frame), target_of(fit, iris$Species))
})

test_that("missing values in new rows are imputed where the model imputes", {
  x <- small_x()
  y <- small_y("regression", x)
  fit <- cawi_rvfl(x[1:30, ], y[1:30], hidden = 5, lambda = 1, seed = 1, na_action = "impute")
  holes <- full <- x[31:40, ]
  holes[2, 3] <- NA
  full[2, 3] <- stats::median(x[1:30, 3])
  expect_identical(coef(update(fit, new_x = holes, new_y = y[31:40])),
                   coef(update(fit, new_x = full, new_y = y[31:40])))
})

test_that("updates do not touch the model they start from, and give all of the usual", {
  x <- small_x()
  y <- small_y("classification", x)
  fit <- cawi_edrvfl(x[1:30, ], y[1:30], hidden = c(5, 5), seed = 1)
  copy <- unserialize(serialize(fit, NULL))
  more <- update(fit, new_x = x[31:40, ], new_y = y[31:40])
  expect_identical(fit, copy)
  expect_output(print(more), "40 rows")
  expect_output(print(summary(more)))
  expect_s3_class(glance(more), "data.frame")
  expect_identical(nrow(augment(more, as.data.frame(x))), 40L)
  expect_identical(update(more, new_x = x[0, ], new_y = y[0])$nobs, 40)
})

base_x <- small_x()
classes <- cawi_rvfl(base_x, small_y("classification"), hidden = 5, lambda = 1, seed = 1)
numbers <- cawi_drvfl(base_x, small_y("regression"), hidden = c(5, 5), lambda = 1, seed = 1)
several <- cawi_elm(base_x, small_y("outputs"), hidden = 5, lambda = 1, seed = 1)
broad <- cawi_bls(base_x, small_y("regression"), windows = 2, nodes = 2, enhancement = 4,
                  lambda = 1, seed = 1)
lean <- cawi_rvfl(base_x, small_y("regression"), hidden = 5, lambda = 1, seed = 1,
                  keep_data = FALSE)
lean_classes <- cawi_rvfl(base_x, small_y("classification"), hidden = 5, lambda = 1, seed = 1,
                          keep_data = FALSE)
weighted <- cawi_rvfl(base_x, small_y("regression"), hidden = 5, lambda = 1, case_weights = 1:40,
                      seed = 1, keep_data = FALSE)

test_argument_errors(alist(
  new_y = update(classes, new_x = base_x),
  new_x = update(classes, new_y = small_y("classification")),
  forget_y = update(classes, forget_x = base_x),
  new_x = update(classes, new_x = base_x[, 1:3], new_y = small_y("classification")),
  new_x = update(classes, new_x = "a", new_y = "low"),
  new_x = update(classes, new_x = base_x * NA, new_y = small_y("classification")),
  new_y = update(classes, new_x = base_x, new_y = rep(NA, 40)),
  new_y = update(classes, new_x = base_x, new_y = "low"),
  new_y = update(classes, new_x = base_x, new_y = small_y("regression")),
  new_y = update(numbers, new_x = base_x, new_y = letters[rep(1:4, 10)]),
  new_y = update(numbers, new_x = base_x, new_y = small_y("outputs")),
  new_y = update(numbers, new_x = base_x, new_y = 1:3),
  new_y = update(numbers, new_x = base_x, new_y = rep(NA_real_, 40)),
  new_y = update(several, new_x = base_x, new_y = small_y("regression")),
  forget_y = update(classes, forget_x = base_x[1:3, ], forget_y = c("low", "none", "mid")),
  forget_y = update(numbers, forget_x = base_x[1:3, ], forget_y = 1:2),
  forget_x = update(classes, forget_x = rbind(base_x, base_x),
                    forget_y = rep(small_y("classification"), 2)),
  forget_x = update(classes, forget_x = base_x[1:3, 1:2], forget_y = c("low", "low", "mid")),
  case_weights = update(numbers, new_x = base_x, new_y = small_y("regression"), case_weights = 1:3),
  case_weights = update(numbers, new_x = base_x, new_y = small_y("regression"),
                        case_weights = rep(-1, 40)),
  forget_case_weights = update(numbers, forget_x = base_x[1:3, ], forget_y = 1:3,
                               forget_case_weights = 1:2),
  hidden = update(classes, hidden = 4),
  hidden = update(classes, hidden = 0),
  hidden = update(classes, hidden = "more"),
  hidden = update(classes, hidden = c(6, 7)),
  hidden = update(classes, hidden = 1e9),
  hidden = update(broad, hidden = 10),
  windows = update(classes, windows = 3),
  windows = update(broad, windows = 1),
  windows = update(broad, windows = 1e9),
  enhancement = update(numbers, enhancement = 3),
  enhancement = update(broad, enhancement = 3),
  enhancement = update(broad, enhancement = 1.5),
  lambda = update(classes, lambda = -1),
  lambda = update(classes, lambda = c(1, 2)),
  lambda = update(classes, lambda = NA),
  lambda = update(classes, lambda = Inf),
  x = update(lean, hidden = 9),
  x = update(lean, hidden = 9, x = base_x[1:3, ], y = 1:3),
  y = update(lean, hidden = 9, x = base_x),
  y = update(lean, hidden = 9, x = base_x, y = letters[rep(1:4, 10)]),
  y = update(lean_classes, hidden = 9, x = base_x, y = letters[rep(1:4, 10)]),
  case_weights = update(weighted, hidden = 9, x = base_x, y = small_y("regression"),
                        case_weights = 1:3),
  threads = update(classes, threads = 0)
))

test_that("unknown arguments are an error", {
  expect_error(update(classes, bogus = 1), class = "cawi_error_dots")
})

test_that("a class that the model does not know is most likely misspelled", {
  x <- small_x()
  y <- as.character(small_y("classification", x))
  fit <- cawi_rvfl(x[1:30, ], y[1:30], hidden = 5, lambda = 1, seed = 1)
  error <- expect_error(update(fit, new_x = x[31:32, ], new_y = c("low", "hihg")),
                        class = "cawi_error_new_y")
  expect_match(conditionMessage(error), "high")
  expect_identical(update(fit, new_x = x[31:32, ], new_y = c("low", "hihg"),
                          new_classes = TRUE)$levels,
                   c(fit$levels, "hihg"))
})

test_that("rows that the model has never seen cannot be forgotten", {
  x <- small_x()
  for (task in tasks) {
    y <- small_y(task, x)
    fit <- fit_named("rvfl", x[1:30, ], rows_of(y, 1:30), lambda = 1, seed = 1)
    expect_error(update(fit, forget_x = x[31, , drop = FALSE], forget_y = rows_of(y, 31)),
                 class = "cawi_error_forget_x")
    # A row twice, a row with another response or weight.
    expect_error(update(fit, forget_x = x[c(1, 1), ], forget_y = rows_of(y, c(1, 1))),
                 class = "cawi_error_forget_x")
    other <- if (task == "classification") rev(y)[1] else rows_of(y, 1) + 1
    if (task != "classification" || other != y[1]) {
      expect_error(update(fit, forget_x = x[1, , drop = FALSE], forget_y = other),
                   class = "cawi_error_forget_x")
    }
    expect_error(update(fit, forget_x = x[1, , drop = FALSE], forget_y = rows_of(y, 1),
                        forget_case_weights = 2),
                 class = "cawi_error_forget_x")
    less <- update(fit, forget_x = x[c(5, 2), ], forget_y = rows_of(y, c(5, 2)))
    expect_identical(NROW(fitted(less)), 28L)
    expect_equal(fitted(less), predict(less, x[setdiff(1:30, c(2, 5)), ]))
    lean <- fit_named("rvfl", x[1:30, ], rows_of(y, 1:30), lambda = 1, seed = 1, keep_data = FALSE)
    expect_error(update(lean, forget_x = 5 + x[31:35, ], forget_y = rows_of(y, 31:35)),
                 class = "cawi_error_forget_x")
    expect_equal(coef(update(lean, forget_x = x[1:3, ], forget_y = rows_of(y, 1:3))),
                 coef(update(fit, forget_x = x[1:3, ], forget_y = rows_of(y, 1:3))),
                 tolerance = 1e-8)
  }
})

test_that("a response that the formula computes is computed for new rows", {
  fit <- cawi_rvfl(log(mpg) ~ wt + hp, mtcars[1:20, ], hidden = 5, lambda = 0.1, seed = 1)
  expect_error(update(fit, new_x = mtcars[21:32, ], new_y = mtcars$mpg[21:32]),
               class = "cawi_error_new_y")
  more <- update(fit, new_x = mtcars[21:32, ])
  expect_ridge(more, seen_features(more, mtcars), as.matrix(log(mtcars$mpg)))
  back <- update(more, forget_x = mtcars[21:32, ])
  expect_equal(coef(back), coef(fit), tolerance = 1e-8)
  # A plain column may come either way.
  plain <- cawi_rvfl(mpg ~ wt + hp, mtcars[1:20, ], hidden = 5, lambda = 0.1, seed = 1)
  expect_equal(coef(update(plain, new_x = mtcars[21:32, ])),
               coef(update(plain, new_x = mtcars[21:32, -1], new_y = mtcars$mpg[21:32])))
  expect_error(update(plain, new_x = mtcars[21:32, -1]), class = "cawi_error_new_x")
})

test_that("a penalty of an update is one number, or one per output, from zero on", {
  one <- list(task = "regression", outputs = 1L)
  two <- list(task = "regression", outputs = 2L)
  expect_identical(check_new_lambda(0, one, NULL), 0)
  expect_identical(check_new_lambda(0.5, two, NULL), c(0.5, 0.5))
  expect_identical(check_new_lambda(c(0, 0.5), two, NULL), c(0, 0.5))
  for (bad in list(-1, c(1, -1), c(1, NA), 1:3, "a")) {
    expect_error(check_new_lambda(bad, two, NULL), class = "cawi_error_lambda")
  }
})

test_that("classes are no new rows of a model of numbers", {
  fit <- cawi_rvfl(mtcars[2:4], mtcars$mpg, hidden = 3, lambda = 1, seed = 1)
  for (y in list(letters[1:3], factor(letters[1:3]))) {
    expect_error(update(fit, new_x = mtcars[1:3, 2:4], new_y = y), "numeric, not classes",
                 class = "cawi_error_new_y")
  }
})

test_that("sums that new nodes bring are products of the features, over many blocks of rows", {
  x <- small_x(1500)
  y <- small_y("classification", x)
  fit <- cawi_rvfl(x, y, hidden = 7, lambda = 1, seed = 1)
  a <- unname(cawi_features(fit, x))
  found <- border_cpp(x, fit$network, 1L, c(6, 9), targets_of(y), 1L)
  expect_equal(found$an, crossprod(a, a[, c(6, 9)]), tolerance = 1e-12)
  expect_equal(found$ny, crossprod(a[, c(6, 9)], indicators(y)), tolerance = 1e-12)
})
