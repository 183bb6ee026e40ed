# Gradients of the scores, and weights that follow them.

# Derivatives by differences, with respect to standardized features: for each output one column per
# feature.
numeric_gradients <- function(fit, x, step = 1e-5) {
  coefficients <- readout_coefficients(fit)
  scores <- function(x) scores_cpp(x, fit$network, coefficients, 1L)
  by_feature <- lapply(seq_len(ncol(x)), function(j) {
    move <- function(sign) {
      x[, j] <- x[, j] + sign * step * fit$network$sd[j]
      x
    }
    (scores(move(1)) - scores(move(-1))) / (2 * step)
  })
  outputs <- seq_len(ncol(coefficients[[1]]))
  do.call(cbind, lapply(outputs, function(k) vapply(by_feature, function(g) g[, k], x[, 1])))
}

# The mean over rows of the sum over outputs of g g', by a loop.
plain_product <- function(gradients, inputs, w = rep(1, nrow(gradients))) {
  sum <- matrix(0, inputs, inputs)
  for (i in seq_len(nrow(gradients))) {
    for (k in seq_len(ncol(gradients) / inputs)) {
      g <- gradients[i, (k - 1) * inputs + seq_len(inputs)]
      sum <- sum + w[i] * outer(g, g)
    }
  }
  sum / sum(w)
}

kinks <- list(relu = 0, tribas = c(-1, 0, 1), selu = 0)

test_that("derivatives of the activations are those of differences", {
  at <- c(seq(-6, 6, by = 0.37), 1e-3, -1e-3, 0.5, 30, -30)
  for (activation in activation_names) {
    x <- at[vapply(at, function(v) all(abs(v - kinks[[activation]]) > 1e-4), logical(1))]
    step <- 1e-5
    value <- function(x) activate_cpp(matrix(x), activation)[, 1]
    found <- activation_slope_cpp(matrix(x), activation)[, 1]
    expect_lt(max(abs(found - (value(x + step) - value(x - step)) / (2 * step))), 1e-8)
  }
})

test_that("derivatives at kinks are zero, and they have their limits at the infinities", {
  slope <- function(x, activation) activation_slope_cpp(matrix(x), activation)[, 1]
  expect_identical(slope(0, "relu"), 0)
  expect_identical(slope(c(-1, 0, 1), "tribas"), c(0, 0, 0))
  expect_identical(slope(c(-0.5, 0.5, 2, -2), "tribas"), c(1, -1, 0, 0))
  far <- c(-Inf, -1e300, 1e300, Inf)
  for (activation in c("sigmoid", "tansig", "radbas", "tribas")) {
    expect_lt(max(abs(slope(far, activation))), 1e-300)
  }
  expect_identical(slope(far, "relu"), c(0, 0, 1, 1))
  expect_equal(slope(far, "selu"), c(0, 0, 1, 1) * 1.0507009873554805)
  for (activation in activation_names) {
    expect_identical(which(is.nan(slope(c(1, NaN, 2, 3, NaN), activation))), c(2L, 5L))
  }
})

for (model in model_names) {
  test_that(paste("gradients are those of differences for every activation:", model), {
    x <- small_x()
    for (activation in activation_names) for (task in tasks) {
      fit <- fit_named(model, x, small_y(task), activation = activation, lambda = 0.01, seed = 3)
      found <- gradients_cpp(x, fit$network, readout_coefficients(fit), 1L)
      wanted <- numeric_gradients(fit, x)
      near <- abs(found - wanted) <= 1e-6 * max(abs(wanted))
      # A step over a kink has no derivative.
      expect_true(if (activation %in% names(kinks)) mean(near) > 0.97 else all(near))
    }
  })
}

test_that("the mean product of gradients is that of a loop, whatever the number of threads", {
  x <- small_x(1500)
  w <- rep_len(c(1, 2, 0.5), 1500)
  for (model in model_names) for (task in tasks) {
    fit <- fit_named(model, x, small_y(task, x), activation = "sine", seed = 1)
    coefficients <- readout_coefficients(fit)
    gradients <- gradients_cpp(x, fit$network, coefficients, 1L)
    product <- function(w, threads) {
      gradient_product_cpp(x, fit$network, coefficients, w, threads)
    }
    expect_lt(relative_gap(product(NULL, 1L), plain_product(gradients, 4)), 1e-12)
    expect_lt(relative_gap(product(w, 1L), plain_product(gradients, 4, w)), 1e-12)
    for (threads in c(2L, 4L)) {
      expect_identical(gradients_cpp(x, fit$network, coefficients, threads), gradients)
      expect_identical(product(w, threads), product(w, 1L))
    }
  }
})

test_that("coefficients that do not fit the network are refused", {
  x <- small_x()
  fit <- cawi_rvfl(x, small_y("regression"), hidden = 5, seed = 1)
  expect_error(gradients_cpp(x, fit$network, list(matrix(0, 3, 1)), 1L), "do not fit")
  twice <- rep(readout_coefficients(fit), 2)
  expect_error(gradients_cpp(x, fit$network, twice, 1L), "every readout")
})

# What a round makes of a product, in plain R: the covariance that weights are drawn with.
shrunk <- function(product, rows) {
  pull <- shrunk_rows * ncol(product)
  share <- max(pull / (pull + rows), 1e-3)
  m <- (1 - share) * product + diag(share * mean(diag(product)), ncol(product))
  m / mean(diag(m))
}

for (task in tasks) {
  test_that(paste("weights have the covariance of the gradients of the fit before:", task), {
    x <- small_x()
    y <- small_y(task)
    for (model in model_names) {
      before <- fit_named(model, x, y, marginal = "normal", inputs = NULL, seed = 4)
      gradients <- gradients_cpp(x, before$network, readout_coefficients(before), 1L)
      # In standard deviations of the outputs.
      unit <- if (is.null(before$outcome$sd)) rep(1, before$outputs) else before$outcome$sd
      wanted <- shrunk(plain_product(sweep(gradients, 2, rep(unit, each = 4), `/`), 4), 40)
      fit <- fit_named(model, x, y, marginal = "normal", init = "gradient", rounds = 1, seed = 4)
      layer <- fit$network$layers[[1]]
      expect_equal(layer$copula$cor, cov2cor(wanted), tolerance = 1e-8, ignore_attr = TRUE)
      expect_equal(layer$relevance, sqrt(diag(wanted)), tolerance = 1e-8, ignore_attr = TRUE)
      drawn <- weights_cpp(layer$copula, ncol(layer$weights), "normal", layer$factor,
                           child_seed_cpp(4, 2L), 1L)
      expect_identical(layer$weights, drawn * layer$relevance)
      for (deeper in fit$network$layers[-1]) {
        expect_identical(deeper$copula$family, "independence")
        expect_null(deeper$relevance)
      }
    }
  })
}

test_that("many draws have the covariance of the metric, and the spread of i.i.d. weights", {
  x <- small_x(200)
  y <- small_y("regression", x)
  spread <- function(fit) {
    sqrt(mean((scale(x, fit$network$center, fit$network$sd) %*% fit$network$layers[[1]]$weights)^2))
  }
  for (marginal in c("normal", "uniform")) {
    fit <- cawi_rvfl(x, y, hidden = 4000, marginal = marginal, init = "gradient", rounds = 1,
                     lambda = 1, seed = 1)
    layer <- fit$network$layers[[1]]
    metric <- outer(layer$relevance, layer$relevance) * layer$copula$cor
    found <- tcrossprod(layer$weights)
    tolerance <- if (marginal == "normal") 0.05 else 0.08
    expect_lt(relative_gap(found / sum(diag(found)), metric / sum(diag(metric))), tolerance)
    plain <- cawi_rvfl(x, y, hidden = 4000, marginal = marginal, lambda = 1, seed = 1)
    expect_equal(spread(fit), spread(plain), tolerance = 0.1)
    wide <- cawi_rvfl(x, y, hidden = 4000, marginal = marginal, init = "gradient", rounds = 1,
                      lambda = 1, spread = 2, seed = 1)
    expect_equal(spread(wide), 2, tolerance = 0.1)
  }
})

test_that("no rounds, and no strength, are i.i.d. weights; half a strength is between", {
  x <- small_x()
  y <- small_y("classification")
  for (model in model_names) {
    plain <- fit_named(model, x, y, inputs = NULL, seed = 2)
    none <- fit_named(model, x, y, init = "gradient", rounds = 0, seed = 2)
    weak <- fit_named(model, x, y, init = "gradient", rounds = 2, strength = 0, seed = 2)
    expect_identical(none$network, plain$network)
    expect_identical(weak$network, plain$network)
    expect_identical(coef(none), coef(plain))
  }
  first_layer <- function(strength) {
    fit <- cawi_rvfl(x, y, init = "gradient", rounds = 1, strength = strength, seed = 2)
    fit$network$layers[[1]]
  }
  full <- first_layer(1)
  half <- first_layer(0.5)
  expect_equal(half$relevance, sqrt(full$relevance) / sqrt(mean(full$relevance)))
  expect_identical(half$copula$cor, temper_copula(full$copula, 0.5)$cor)
})

test_that("a metric per feature has independent weights", {
  x <- small_x()
  y <- small_y("regression")
  both <- lapply(c(FALSE, TRUE), function(per_feature) {
    cawi_rvfl(x, y, init = "gradient", rounds = 1, per_feature = per_feature, seed = 2)
  })
  layers <- lapply(both, function(fit) fit$network$layers[[1]])
  expect_identical(layers[[2]]$relevance, layers[[1]]$relevance)
  expect_identical(layers[[2]]$copula$family, "independence")
  expect_output(print(summary(both[[2]])), "gradient per feature")
})

test_that("origin and unit of a response do not matter, and a case weight of two is two rows", {
  x <- small_x()
  y <- small_y("outputs")
  weights_of <- function(...) {
    cawi_rvfl(..., hidden = 12, init = "gradient", rounds = 2, seed = 1)$network$layers[[1]]$weights
  }
  moved <- sweep(sweep(y, 2, c(1000, 0.01, 1), `*`), 2, c(1e3, 0, -5), `+`)
  expect_equal(weights_of(x, moved), weights_of(x, y), tolerance = 1e-6)
  twice <- rep_len(c(1, 2, 1), 40)
  rows <- rep(1:40, twice)
  # Rows that are left out are others there, so that the penalty is given.
  expect_equal(weights_of(x, y, case_weights = twice, lambda = 0.1),
               weights_of(x[rows, ], y[rows, ], lambda = 0.1), tolerance = 1e-8)
})

test_that("features that the response depends on get large weights, and nodes read them", {
  x <- small_x(400, start = 11)
  x <- cbind(x, noise = bell(400, 5), more = bell(400, 77))
  y <- sin(2 * scale(x)[, 1]) + scale(x)[, 5]^2 / 2
  fit <- cawi_rvfl(x, y, init = "gradient", rounds = 2, seed = 1)
  relevance <- fit$network$layers[[1]]$relevance
  expect_setequal(order(-relevance)[1:2], c(1, 5))
  expect_gt(min(relevance[c(1, 5)]), 3 * max(relevance[-c(1, 5)]))
  few <- cawi_rvfl(x, y, init = "gradient", rounds = 2, inputs = 2, seed = 1)
  read <- few$network$layers[[1]]$weights != 0
  expect_identical(unique(colSums(read)), 2)
  expect_gt(min(rowSums(read)[c(1, 5)]), 3 * max(rowSums(read)[-c(1, 5)]))
  all <- cawi_rvfl(x, y, init = "gradient", rounds = 2, inputs = 6, seed = 1)
  expect_identical(all$network, fit$network)
})

test_that("features are chosen by their shares, and as before where all are equal", {
  w <- matrix(1, 5, 20000)
  even <- keep_inputs_cpp(w, 2, 9)
  expect_identical(keep_inputs_cpp(w, 2, 9, rep(0.3, 5)), even)
  share <- c(4, 2, 1, 1, 0)
  one <- rowMeans(keep_inputs_cpp(w, 1, 9, share))
  expect_equal(one, share / 8, tolerance = 0.03)
  kept <- keep_inputs_cpp(w, 2, 9, share) > 0
  # One after the other: the first by its share, the second by its share of what is left.
  p <- share / 8
  pair <- p[1] * p[2] / (1 - p[1]) + p[2] * p[1] / (1 - p[2])
  expect_equal(mean(kept[1, ] & kept[2, ]), pair, tolerance = 0.03)
  expect_identical(sum(kept[5, ]), 0L)
  expect_identical(unique(colSums(kept)), 2)
  # More places than features with a share: the others come last.
  expect_true(all(keep_inputs_cpp(w, 4, 9, c(1, 1, 0, 0, 0))[1:2, ] == 1))
  expect_identical(keep_inputs_cpp(w[, 1:10], 2, 9, share), keep_inputs_cpp(w, 2, 9, share)[, 1:10])
  expect_error(keep_inputs_cpp(w, 2, 9, 1:2 + 0), "one share per row")
})

test_that("probabilities in proportion to shares add up to the count", {
  expect_equal(chosen_share(c(1, 1, 2), 1), c(0.25, 0.25, 0.5))
  expect_equal(chosen_share(c(1, 1, 8), 2), c(0.5, 0.5, 1))
  expect_equal(chosen_share(c(1, 1, 0), 3), c(1, 1, 0))
  expect_equal(relevance_factor(c(3, 1, 0), NULL), c(3, 1, 0))
  expect_equal(relevance_factor(c(3, 1, 0), 1), c(sqrt(10), sqrt(10), 0))
})

test_that("constant features have no weights", {
  x <- cbind(small_x(), constant = 5)
  expect_warning(
    fit <- cawi_rvfl(x, small_y("regression"), hidden = 8, init = "gradient", rounds = 2, seed = 1),
    class = "cawi_warning_constant"
  )
  layer <- fit$network$layers[[1]]
  expect_identical(layer$relevance[5], 0)
  expect_identical(layer$weights[5, ], numeric(8))
  same <- cawi_rvfl(x[, 1:4], small_y("regression"), hidden = 8, init = "gradient", rounds = 2,
                    seed = 1)
  expect_identical(layer$relevance > 0, c(TRUE, TRUE, TRUE, TRUE, FALSE))
  expect_length(same$network$layers[[1]]$relevance, 4)
  all_constant <- matrix(1, 20, 2)
  fit <- suppressWarnings(cawi_rvfl(all_constant, rep(c(1, 2), 10), hidden = 3, init = "gradient",
                                    rounds = 1, seed = 1))
  expect_null(fit$network$layers[[1]]$relevance)
})

test_that("one feature, one node and a response without a signal have weights", {
  x <- small_x()
  one <- cawi_rvfl(x[, 1, drop = FALSE], small_y("regression"), hidden = 1, init = "gradient",
                   rounds = 3, seed = 1)
  expect_identical(one$network$layers[[1]]$relevance, 1)
  flat <- cawi_rvfl(x, rep(7, 40), hidden = 5, init = "gradient", rounds = 2, seed = 1)
  expect_equal(predict(flat, x), rep(7, 40))
})

test_that("nodes that are added later are those of a wider draw from the same metric", {
  x <- small_x()
  for (inputs in list(NULL, 2)) {
    fit <- cawi_rvfl(x, small_y("regression"), hidden = 9, init = "gradient", rounds = 1,
                     inputs = inputs, marginal = "normal", seed = 2)
    grown <- update(fit, hidden = 15)
    layer <- grown$network$layers[[1]]
    expect_identical(layer$weights[, 1:9], fit$network$layers[[1]]$weights)
    source <- c(list(layer = 1L, seed = 2, threads = 1L, marginal = "normal", inputs = inputs),
                layer[c("copula", "relevance")])
    expect_identical(layer$weights, layer_weights(source, 15, layer$factor))
    expect_length(predict(grown, x), 40)
  }
  rows <- update(fit, new_x = x[1:3, ], new_y = small_y("regression")[1:3])
  expect_identical(rows$network, fit$network)
})

test_that("weights from gradients say so, and survive a file", {
  x <- small_x()
  y <- small_y("classification")
  fit <- cawi_rvfl(x, y, hidden = 100, init = "gradient", rounds = 2, marginal = "normal", seed = 1)
  expect_output(print(fit), "weights: gradient, 2 rounds (normal)", fixed = TRUE)
  expect_output(print(summary(fit)), "100 nodes, sigmoid, gradient", fixed = TRUE)
  expect_identical(glance(fit)$init, "gradient")
  half <- cawi_drvfl(x, y, hidden = c(5, 5), init = "gradient", rounds = 1, strength = 0.5,
                     seed = 1)
  expect_output(print(half), "weights: gradient, 1 round, i.i.d., strength 0.5 (uniform)",
                fixed = TRUE)
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  saveRDS(fit, file)
  expect_identical(predict(readRDS(file), x), predict(fit, x))
  diagnosis <- cawi_diagnose(fit, draws = 2, seed = 1)
  expect_setequal(diagnosis$weights, c("gradient, 2 rounds (normal)", "i.i.d."))
})

test_that("results do not depend on the number of threads, nor do they touch R's generator", {
  x <- small_x(900)
  y <- small_y("outputs", x)
  for (model in model_names) {
    fits <- lapply(c(1, 2, 4), function(threads) {
      timeless(fit_named(model, x, y, init = "gradient", seed = 3, threads = threads))
    })
    expect_identical(fits[[2]], fits[[1]])
    expect_identical(fits[[3]], fits[[1]])
  }
  expect_generator_untouched(cawi_rvfl(x, y, hidden = 5, init = "gradient", seed = 1))
})

test_that("an edited metric is caught", {
  fit <- cawi_rvfl(small_x(), small_y("regression"), hidden = 5, init = "gradient", rounds = 1,
                   seed = 1)
  relevance <- fit$network$layers[[1]]$relevance
  for (bad in list(relevance * 2, -relevance, relevance[-1], "a", rep(NA_real_, 4), numeric(4))) {
    damaged <- fit
    damaged$network$layers[[1]]$relevance <- bad
    expect_error(print(damaged), class = "cawi_error_x")
    expect_error(update(damaged, hidden = 9), class = "cawi_error_object")
  }
  for (bad in list("auto", -1, 11, NULL, "a")) {
    damaged <- fit
    damaged$spec["rounds"] <- list(bad)
    expect_error(print(damaged), class = "cawi_error_x")
  }
})

test_argument_errors(alist(
  rounds = cawi_rvfl(small_x(), small_y("regression"), init = "gradient", rounds = -1),
  rounds = cawi_rvfl(small_x(), small_y("regression"), init = "gradient", rounds = 11),
  rounds = cawi_rvfl(small_x(), small_y("regression"), init = "gradient", rounds = 1.5),
  rounds = cawi_rvfl(small_x(), small_y("regression"), init = "gradient", rounds = "two"),
  rounds = cawi_rvfl(small_x(), small_y("regression"), init = "gradient", rounds = NULL),
  rounds = cawi_rvfl(small_x(), small_y("regression"), init = "gradient", rounds = c(1, 2)),
  rounds = cawi_grid(init = "gradient", rounds = c(1, 99)),
  per_feature = cawi_rvfl(small_x(), small_y("regression"), per_feature = NA),
  per_feature = cawi_bls(small_x(), small_y("regression"), per_feature = "yes"),
  strength = cawi_rvfl(small_x(), small_y("regression"), init = "gradient", strength = -0.5),
  init = cawi_auto(small_x(), small_y("regression"), init = "gradient")
))

test_that("products of gradients are pulled to their mean with five rows per feature, by hand", {
  # Two features weigh as ten rows: with ten rows each has one half.
  expect_equal(shrunk_product(diag(c(2, 4)), c(TRUE, TRUE), 10), diag(c(2.5, 3.5)))
  expect_equal(shrunk_product(diag(c(2, 4)), c(TRUE, FALSE), 5), diag(c(2, 0)))
  expect_equal(shrunk_product(diag(c(2, 4)), c(TRUE, TRUE), 1e9),
               diag(0.999 * c(2, 4) + 0.001 * 3))
})
