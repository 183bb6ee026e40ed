# standardize = "ranks": mean ranks by hand and by rank(), and models that see nothing else.

# A network that gives its ranks back.
through_ranks <- function(scales, x) {
  count <- length(scales)
  network <- list(center = numeric(count), sd = rep(1, count), ranks = scales, layers = list(),
                  wiring = "stacked", direct = TRUE, intercept = TRUE)
  cawi:::layer_input_cpp(x, network, 0L)
}

# Mean ranks among training values, straight lines between them, in plain R. With whole case weights
# a row comes as often as its weight says.
plain_ranks <- function(train, x = train, case_weights = rep(1, nrow(train))) {
  train <- train[rep(seq_len(nrow(train)), case_weights), , drop = FALSE]
  ranked <- vapply(seq_len(ncol(train)), function(j) {
    level <- (rank(train[, j]) - 0.5) / nrow(train)
    if (length(unique(level)) == 1L) return(rep(level[1L], nrow(x)))
    stats::approx(train[, j], level, x[, j], rule = 2, ties = "mean")$y
  }, numeric(nrow(x)))
  matrix(ranked, nrow(x), dimnames = list(NULL, colnames(train)))
}

x <- function(m = 40) small_x(m)
y <- function(task = "regression", m = 40) small_y(task, small_x(m))

fit_ranks <- function(model, ..., x = small_x(), y = small_y("regression", x),
                      standardize = "ranks") {
  fit_named(model, x, y, lambda = 0.1, seed = 1, standardize = standardize, ...)
}

test_that("ranks by hand, with ties and case weights", {
  values <- c(3, 1, 3, 10)
  # 1 has half a row of four below, 3 has one and two halves, 10 three and a half.
  expect_identical(cawi:::rank_scale(values, rep(1, 4)),
                   list(values = c(1, 3, 10), levels = c(0.125, 0.5, 0.875)))
  # 1 of 8, 2 + 1 of 8 and 4 + 2 of 8.
  expect_identical(cawi:::rank_scale(values, c(1, 2, 1, 4)),
                   list(values = c(1, 3, 10), levels = c(0.125, 0.375, 0.75)))
  expect_identical(cawi:::rank_scale(c(7, 7), c(1, 5)), list(values = 7, levels = 0.5))
  scales <- list(cawi:::rank_scale(values, rep(1, 4)))
  # Training values, halves between them, and what lies beyond the ends.
  new <- c(1, 3, 10, 2, 6.5, -5, 11, -1e308, 1e308)
  levels <- c(0.125, 0.5, 0.875, 0.3125, 0.6875, 0.125, 0.875, 0.125, 0.875)
  expect_identical(through_ranks(scales, matrix(new))[, 1], levels)
  expect_identical(through_ranks(scales, matrix(c(Inf, -Inf)))[, 1], c(0.875, 0.125))
  expect_true(is.na(through_ranks(scales, matrix(NaN))))
})

test_that("the core refuses ranks of fewer features than it sees", {
  network <- list(center = numeric(3), sd = rep(1, 3), layers = list(), wiring = "stacked",
                  ranks = list(cawi:::rank_scale(c(1, 2), c(1, 1))), direct = TRUE,
                  intercept = TRUE)
  expect_error(cawi:::layer_input_cpp(matrix(1, 2, 3), network, 0L), "ranks for every feature",
               class = "cawi::DomainError")
})

test_that("ranks are those of rank(), and straight between training values", {
  train <- tied_data(90)
  new <- rbind(tied_data(70, start = 5), train[1:5, ] + 0.25, 1e12, -1e12)
  scales <- cawi:::rank_scales(train, NULL)
  expect_equal(through_ranks(scales, train), unname(plain_ranks(train)), tolerance = 1e-14)
  expect_equal(through_ranks(scales, new), unname(plain_ranks(train, new)), tolerance = 1e-13)
  # A row with case weight three is three rows.
  case_weights <- rep(1:3, 30)
  weighted <- cawi:::rank_scales(train, case_weights)
  expect_equal(weighted, cawi:::rank_scales(train[rep(1:90, case_weights), ], NULL),
               tolerance = 1e-14)
  expect_equal(through_ranks(weighted, new),
               unname(plain_ranks(train, new, case_weights)), tolerance = 1e-13)
  # Weights in other units are the same ones.
  expect_equal(cawi:::rank_scales(train, case_weights / 7), weighted, tolerance = 1e-14)
})

test_that("case weights that vanish beside others leave ranks that increase", {
  scale <- cawi:::rank_scale(1:6 + 0, c(1, 1e-300, 1e-300, 1, 1e-300, 1e-300))
  expect_true(cawi:::sound_ranks(list(scale), 1L))
  expect_identical(scale$levels, c(0.25, 0.5, 0.75, 1))
})

test_that("gaps of all sizes between values are straight lines", {
  tiny <- 2^-1074
  for (values in list(c(0, tiny), c(3, 5) * tiny, c(-1e308, 1e308), c(1, 1 + 2^-52))) {
    scale <- cawi:::rank_scale(values, c(1, 1))
    expect_identical(through_ranks(list(scale), matrix(values))[, 1], c(0.25, 0.75))
  }
  scale <- cawi:::rank_scale(c(3, 5) * tiny, c(1, 1))
  expect_identical(through_ranks(list(scale), matrix(4 * tiny))[, 1], 0.5)
  scale <- cawi:::rank_scale(c(-1e308, 1e308), c(1, 1))
  expect_identical(through_ranks(list(scale), matrix(5e307))[, 1], 0.625)
})

test_that("many distinct values are known at some of them", {
  values <- cbind(bell(4000), exp(bell(4000, start = 3) / 2147483647))
  # Half of the rows are ties of one value.
  tied <- replace(values[, 2], 1:2000, values[1, 2])
  values <- cbind(values, tied)
  scales <- cawi:::rank_scales(values, NULL)
  expect_true(cawi:::sound_ranks(scales, 3L))
  for (j in 1:3) {
    expect_lte(length(scales[[j]]$values), 504L)
    expect_identical(range(scales[[j]]$values), range(values[, j]))
    expect_true(all(scales[[j]]$values %in% values[, j]))
  }
  found <- through_ranks(scales, values)
  expect_lt(max(abs(found - plain_ranks(values))), 1 / 250)
  # The order stays: an increasing function of the values.
  expect_identical(apply(found, 2, rank), apply(unname(values), 2, rank))
  # Up to 500 values all are known.
  expect_length(cawi:::rank_scale(bell(500), rep(1, 500))$values, 500L)
})

for (model in model_names) {
  test_that(paste("a model of ranks is the model of features that are ranks:", model), {
    new <- small_x(25, start = 9)
    ranked <- plain_ranks(x())
    for (init in list("iid", "gaussian", "clayton")) {
      for (task in c("regression", "classification")) {
        own <- list(model, y = y(task), init = init, spread = 1, bias = "data")
        fit <- suppressWarnings(do.call(fit_ranks, own))
        peer <- suppressWarnings(do.call(fit_ranks, c(own, list(x = ranked, standardize = TRUE))))
        expect_lt(relative_gap(predict(fit, new, type = "score"),
                               predict(peer, plain_ranks(x(), new), type = "score")), 1e-7)
        expect_equal(loo_scores(fit), loo_scores(peer), tolerance = 1e-7)
      }
    }
  })

  test_that(paste("increasing functions of the features change nothing:", model), {
    bent <- function(x) {
      x[, 1] <- exp(x[, 1])
      x[, 2] <- x[, 2]^3
      x[, 3] <- 1000 * x[, 3] - 7
      x
    }
    for (init in c("iid", "gaussian")) {
      plain <- fit_ranks(model, y = y("classification"), init = init)
      other <- fit_ranks(model, x = bent(x()), y = y("classification"), init = init)
      expect_identical(predict(other, bent(x()), type = "score"),
                       predict(plain, x(), type = "score"))
      expect_identical(other$readouts[[1]]$coefficients, plain$readouts[[1]]$coefficients)
      # An outlier is the largest value, however large.
      far <- replace(x(), which.max(x()[, 4]) + 120, 1e9)
      expect_identical(predict(fit_ranks(model, x = far, y = y("classification"), init = init),
                               far[1:9, ], type = "score"),
                       predict(plain, x()[1:9, ], type = "score"))
    }
  })
}

test_that("between training values functions of the features change little", {
  train <- x(300)
  new <- small_x(200, start = 9)
  fit <- fit_ranks("rvfl", x = train)
  bent <- fit_ranks("rvfl", x = exp(train), y = small_y("regression", train))
  # A value moves between two neighbors, whose ranks are 1 / 300 apart.
  z <- cawi:::layer_input_cpp(new, fit$network, 0L) * fit$network$sd[1]
  moved <- cawi:::layer_input_cpp(exp(new), bent$network, 0L) * bent$network$sd[1]
  expect_lt(max(abs(z - moved)), 1 / 300 + 1e-12)
  found <- predict(fit, new)
  expect_lt(max(abs(found - predict(bent, exp(new)))), 0.05 * stats::sd(found))
})

test_that("case weights count rows", {
  twice <- rep(1:40, rep(1:2, 20))
  for (model in model_names) {
    counted <- fit_ranks(model, y = y("classification"), case_weights = rep(1:2, 20))
    doubled <- fit_ranks(model, x = x()[twice, ], y = y("classification")[twice])
    expect_equal(counted$network[c("center", "sd", "ranks")],
                 doubled$network[c("center", "sd", "ranks")], tolerance = 1e-12)
    expect_lt(relative_gap(predict(counted, x(), type = "score"),
                           predict(doubled, x(), type = "score")), 1e-7)
  }
  # Rows without weight are not there.
  none <- fit_ranks("rvfl", case_weights = rep(0:1, 20))
  half <- fit_ranks("rvfl", x = x()[c(FALSE, TRUE), ], y = y()[c(FALSE, TRUE)])
  expect_equal(none$network$ranks, half$network$ranks)
})

test_that("two values are what they are without ranks", {
  two <- matrix((lehmer(160) > 1e9) + 0, 40)
  plain <- fit_ranks("rvfl", x = two, y = y(), standardize = TRUE)
  ranked <- fit_ranks("rvfl", x = two, y = y())
  expect_equal(predict(ranked, two), predict(plain, two), tolerance = 1e-10)
})

test_that("a feature that does not vary tells nothing", {
  constant <- cbind(x()[, 1:2], south = 4)
  expect_warning(fit <- fit_ranks("rvfl", x = constant, y = y()), class = "cawi_warning_constant")
  expect_identical(fit$network$sd[3], Inf)
  moved <- replace(constant, 81:120, c(-9, 9))
  expect_identical(predict(fit, moved), predict(fit, constant))
  expect_warning(fit_ranks("elm", x = constant[, c(3, 3)], y = y()),
                 class = "cawi_warning_constant")
})

test_that("missing values are an error, left out or put in", {
  holes <- replace(x(), c(3, 50), NA)
  expect_error(fit_ranks("rvfl", x = holes, y = y()), class = "cawi_error_x")
  fit <- fit_ranks("rvfl", x = holes, y = y(), na_action = "omit")
  lacks <- c(3L, 10L)
  whole <- fit_ranks("rvfl", x = x()[-lacks, ], y = y()[-lacks])
  expect_identical(fit$network$ranks, whole$network$ranks)
  expect_identical(which(is.na(predict(fit, holes))), lacks)
  expect_identical(predict(fit, holes)[-lacks], predict(whole, x()[-lacks, ]))
  fit <- fit_ranks("rvfl", x = holes, y = y(), na_action = "impute")
  filled <- holes
  filled[3, 1] <- stats::median(holes[, 1], na.rm = TRUE)
  filled[10, 2] <- stats::median(holes[, 2], na.rm = TRUE)
  expect_identical(predict(fit, holes), predict(fit_ranks("rvfl", x = filled, y = y()), filled))
})

test_that("formulas and data frames with factors work", {
  data <- data.frame(x(), kind = factor(rep(c("a", "b", "c"), length.out = 40)),
                     step = factor(rep(1:4, 10), ordered = TRUE), y = y("classification"))
  formula <- cawi_rvfl(y ~ . + north:east, data, hidden = 9, lambda = 0.1, seed = 1,
                       standardize = "ranks")
  expect_length(formula$network$ranks, 11L)
  data$north <- exp(data$north)
  bent <- cawi_rvfl(y ~ . - north + log(north) + log(north):east, data, hidden = 9, lambda = 0.1,
                    seed = 1, standardize = "ranks")
  expect_length(bent$network$ranks, 11L)
  frame <- cawi_rvfl(data[1:6], data$y, hidden = 9, lambda = 0.1, seed = 1, standardize = "ranks")
  straight <- cawi_rvfl(replace(data[1:6], "north", log(data$north)), data$y, hidden = 9,
                        lambda = 0.1, seed = 1, standardize = "ranks")
  expect_identical(predict(frame, data, type = "prob"),
                   predict(straight, replace(data, "north", log(data$north)), type = "prob"))
})

test_that("copulas of ranks are those of the features", {
  for (family in c("gaussian", "t", "frank")) {
    ranked <- suppressWarnings(fit_ranks("rvfl", init = family))$network$layers[[1]]$copula
    plain <- suppressWarnings(fit_ranks("rvfl", init = family, standardize = TRUE))
    expect_equal(ranked, plain$network$layers[[1]]$copula, tolerance = 1e-10)
  }
  # Beyond 500 values too: what is straight between ranks keeps their order.
  many <- x(900)
  ranked <- fit_ranks("rvfl", x = many, init = "gaussian")
  plain <- fit_ranks("rvfl", x = many, init = "gaussian", standardize = TRUE)
  expect_equal(ranked$network$layers[[1]]$copula, plain$network$layers[[1]]$copula)
})

test_that("weights from gradients are learned on ranks", {
  for (model in c("rvfl", "edrvfl")) {
    own <- list(model, y = y("classification"), init = "gradient", rounds = 2)
    fit <- do.call(fit_ranks, own)
    peer <- do.call(fit_ranks, c(own, list(x = plain_ranks(x()), standardize = TRUE)))
    expect_equal(fit$network$layers[[1]]$relevance, peer$network$layers[[1]]$relevance,
                 tolerance = 1e-8)
    expect_equal(predict(fit, x(), type = "score"),
                 predict(peer, plain_ranks(x()), type = "score"), tolerance = 1e-7)
  }
})

test_that("infinitely many nodes compare ranks", {
  own <- list(hidden = Inf, activation = "sine", bias = "phase", marginal = "cauchy", spread = 1,
              lambda = 0.1, seed = 1)
  fit <- do.call(cawi_rvfl, c(list(x(), y(), standardize = "ranks"), own))
  peer <- do.call(cawi_rvfl, c(list(plain_ranks(x()), y()), own))
  new <- small_x(15, start = 9)
  expect_equal(predict(fit, new), predict(peer, plain_ranks(x(), new)), tolerance = 1e-8)
  more <- update(fit, new_x = new, new_y = small_y("regression", new))
  expect_identical(more$network$ranks, fit$network$ranks)
  expect_identical(length(more$network$layers[[1]]$bias), 55L)
})

test_that("grids have ranks beside other values", {
  grid <- cawi_grid(standardize = list(TRUE, FALSE, "ranks"), hidden = 9, lambda = c(0.1, 1))
  expect_output(print(grid), "standardize: TRUE, FALSE, ranks")
  expect_identical(as.data.frame(grid)$standardize, rep(c("TRUE", "FALSE", "ranks"), each = 2))
  tuned <- cawi_tune(x(), y(), "rvfl", grid, seed = 1)
  expect_identical(nrow(tuned$results), 6L)
  for (value in list(TRUE, FALSE, "ranks")) {
    alone <- cawi_rvfl(x(), y(), hidden = 9, lambda = c(0.1, 1), seed = 1, standardize = value)
    of_value <- tuned$results[tuned$results$standardize == as.character(value), ]
    expect_equal(of_value$mean[order(of_value$lambda)], alone$readouts[[1]]$loo$rmse[, 1],
                 tolerance = 1e-8)
  }
  # Held-out rows have ranks among the training rows of their part.
  folds <- rep(1:4, 10)
  tuned <- cawi_tune(x(), y(), "rvfl", cawi_grid(standardize = "ranks", hidden = 9, lambda = 0.1),
                     folds, seed = 1)
  held <- vapply(1:4, function(fold) {
    train <- folds != fold
    fit <- fit_ranks("rvfl", x = x()[train, ], y = y()[train])
    sqrt(mean((predict(fit, x()[!train, ]) - y()[!train])^2))
  }, numeric(1))
  expect_equal(tuned$parts$mean, held, tolerance = 1e-8)
  expect_identical(tuned$fit$spec$standardize, "ranks")
  fixed <- cawi_tune(x(), y(), "rvfl", cawi_grid(hidden = 9, lambda = 0.1), folds, seed = 1,
                     standardize = "ranks")
  expect_identical(fixed$parts$mean, tuned$parts$mean)
})

test_that("updates, files and threads keep the ranks", {
  new <- small_x(15, start = 9)
  new_y <- small_y("classification")[1:15]
  for (model in model_names) {
    fit <- fit_ranks(model, y = y("classification"))
    file <- tempfile(fileext = ".rds")
    saveRDS(fit, file)
    expect_identical(predict(readRDS(file), new, type = "prob"), predict(fit, new, type = "prob"))
    unlink(file)
    threads <- fit_ranks(model, y = y("classification"), threads = 2)
    expect_identical(timeless(threads), timeless(fit_ranks(model, y = y("classification"),
                                                           threads = 1)))
    expect_identical(predict(fit, new, type = "score", threads = 2),
                     predict(fit, new, type = "score", threads = 1))
    more <- update(fit, new_x = new, new_y = new_y)
    expect_identical(more$network, fit$network)
    a <- seen_features(fit, rbind(x(), new))
    expect_ridge(more, a, rbind(indicators(y("classification")),
                                outer(as.character(new_y), levels(new_y), `==`) + 0))
    less <- update(more, forget_x = new, forget_y = new_y)
    expect_lt(relative_gap(predict(less, x(), type = "score"), predict(fit, x(), type = "score")),
              1e-7)
  }
  grown <- update(fit_ranks("rvfl", init = "gaussian"), hidden = 12)
  wider <- cawi_rvfl(x(), y(), hidden = 12, lambda = 0.1, seed = 1, standardize = "ranks",
                     init = "gaussian")
  expect_equal(predict(grown, new), predict(wider, new), tolerance = 1e-8)
})

test_that("the matrix A has ranks in units of their deviations", {
  fit <- fit_ranks("rvfl")
  direct <- unname(cawi_features(fit, x())[, 1:4])
  ranked <- unname(plain_ranks(x()))
  expect_equal(direct, (ranked - 0.5) / sample_sd(ranked[, 1]) + 0, tolerance = 1e-12)
})

ranks <- function(value, ...) {
  cawi_rvfl(small_x(), small_y("regression"), hidden = 3, standardize = value, ...)
}

test_argument_errors(alist(
  standardize = ranks("rank"),
  standardize = ranks("TRUE"),
  standardize = ranks(c("ranks", "ranks")),
  standardize = ranks(character()),
  standardize = ranks(NA_character_),
  standardize = ranks(NA),
  standardize = ranks(NULL),
  standardize = ranks(2),
  standardize = ranks(list("ranks")),
  standardize = ranks(factor("ranks")),
  standardize = cawi_grid(standardize = "rank"),
  standardize = cawi_grid(standardize = c(TRUE, "ranks")),
  standardize = cawi_tune(small_x(), small_y("regression"), grid = cawi_grid(lambda = 1),
                          standardize = "rank")
))

test_that("the error of mixed values says how a grid has them", {
  expect_error(cawi_grid(standardize = c(TRUE, "ranks")), "list\\(TRUE, \"ranks\"\\)",
               class = "cawi_error_standardize")
})

test_that("damaged ranks are found before a prediction", {
  fit <- fit_ranks("rvfl")
  edit <- function(...) {
    fit$network$ranks[[2]] <- utils::modifyList(fit$network$ranks[[2]], list(...))
    fit
  }
  known <- fit$network$ranks[[2]]
  without <- fit
  without$network$ranks <- NULL
  few <- fit
  few$network$ranks <- few$network$ranks[-1]
  plain <- fit_ranks("rvfl", standardize = TRUE)
  plain$network$ranks <- fit$network$ranks
  broken <- list(
    without, few, plain, edit(values = NULL), edit(levels = NULL), edit(values = rev(known$values)),
    edit(levels = rev(known$levels)), edit(levels = known$levels[-1]),
    edit(levels = known$levels + 1), edit(levels = -known$levels),
    edit(values = replace(known$values, 2, NA)), edit(values = numeric(), levels = numeric()),
    edit(values = as.character(known$values)), edit(levels = replace(known$levels, 2, NaN)),
    replace(fit, "network", list(replace(fit$network, "ranks", list(list(1, 2, 3, 4))))),
    replace(fit, "network", list(replace(fit$network, "ranks", "ranks")))
  )
  for (model in broken) {
    expect_error(predict(model, x()), class = "cawi_error_object")
    expect_error(print(model), class = "cawi_error_x")
    expect_error(update(model, new_x = x(), new_y = y()), class = "cawi_error_object")
  }
  # The core does not read where there is nothing.
  nothing <- list(values = numeric(), levels = numeric())
  expect_error(through_ranks(list(nothing), matrix(1)), class = "cawi::DomainError")
  expect_error(through_ranks(list(list(values = 1:2, levels = 0.5)), matrix(1)),
               class = "cawi::DomainError")
})
