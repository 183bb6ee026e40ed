test_that("i.i.d. weights are uniform on [-1, 1] and biases on (0, 1)", {
  fit <- cawi_elm(small_x(), small_y("regression"), hidden = 3000, scale = "paper", inputs = NULL,
                  lambda = 1, seed = 1)
  layer <- fit$network$layers[[1]]
  expect_identical(dim(layer$weights), c(4L, 3000L))
  expect_true(all(abs(layer$weights) <= 1) && all(layer$bias > 0 & layer$bias < 1))
  expect_gt(stats::ks.test(as.vector(layer$weights), "punif", -1, 1)$p.value, 1e-4)
  expect_gt(stats::ks.test(layer$bias, "punif")$p.value, 1e-4)
  # Biases and weights have streams of their own.
  expect_lt(max(abs(stats::cor(layer$bias, t(layer$weights)))), 0.1)
})

test_that("aligned weights have the dependence of the features", {
  x <- factor_data(400, 3) %*% diag(c(1, -1, 1))
  weights_of <- function(init) {
    fit <- cawi_rvfl(x, x[, 1], hidden = 4000, init = init, lambda = 1, seed = 1)
    expect_identical(fit$network$layers[[1]]$copula$family,
                     if (init == "iid") "independence" else init)
    t(fit$network$layers[[1]]$weights)
  }
  for (init in c("gaussian", "t")) {
    expect_lt(max(abs(cawi_kendall(weights_of(init)) - cawi_kendall(x))), 0.06)
  }
  expect_lt(max(abs(cawi_kendall(weights_of("iid")) - diag(3))), 0.06)
})

test_that("weights are those of cawi_weights() for the copula of the layer, times scale", {
  x <- small_x()
  for (marginal in c("uniform", "normal")) {
    fit <- cawi_rvfl(x, small_y("regression", x), hidden = 20, init = "gaussian",
                     marginal = marginal, scale = 3, inputs = NULL, seed = 8, lambda = 1)
    layer <- fit$network$layers[[1]]
    wanted <- cawi_weights(cawi_copula(x, "gaussian"), 20, marginal, scale = 3,
                           seed = child_seed_cpp(8, 2L))
    expect_equal(unname(layer$weights), unname(wanted))
  }
})

test_that("a copula can be given", {
  x <- small_x()
  copula <- cawi_copula_from("clayton", dim = 4, theta = 2)
  for (model in model_names) {
    fit <- fit_named(model, x, small_y("classification", x), init = copula, seed = 1)
    expect_identical(fit$network$layers[[1]]$copula, copula)
  }
  # Families of deeper layers follow; a copula of independence stays independence.
  deep <- cawi_drvfl(x, small_y("regression", x), hidden = c(5, 5),
                     init = cawi_copula(x, "gaussian"), seed = 1)
  expect_identical(layer_families(deep), c("gaussian", "gaussian"))
  deep <- cawi_drvfl(x, small_y("regression", x), hidden = c(5, 5),
                     init = cawi_copula_from("independence", dim = 4), seed = 1)
  expect_identical(layer_families(deep), c("independence", "independence"))
})

test_that("align says which layers follow the copula of their input", {
  x <- small_x()
  for (model in c("drvfl", "edrvfl", "bls")) {
    all <- fit_named(model, x, small_y("regression", x), init = "gaussian", seed = 1)
    first <- fit_named(model, x, small_y("regression", x), init = "gaussian",
                       align = "first", seed = 1)
    expect_identical(layer_families(all), c("gaussian", "gaussian"))
    expect_identical(layer_families(first), c("gaussian", "independence"))
    expect_identical(all$network$layers[[1]], first$network$layers[[1]])
    input <- plain_features(all, x)$all
    input <- switch(model, drvfl = input[, 5:10], edrvfl = input[, 1:10], bls = input[, 1:6])
    expect_equal(coef(all$network$layers[[2]]$copula), coef(cawi_copula(input, "gaussian")),
                 tolerance = 1e-8)
  }
})

# What a layer reads, from the frozen weights of the layers before it, in plain R.
plain_layer_input <- function(fit, x, layer) {
  z <- scale(x, colMeans(x), apply(x, 2, sample_sd))
  input <- z
  for (l in seq_len(layer - 1)) {
    before <- fit$network$layers[[l]]
    sums <- sweep(input %*% before$weights, 2, before$bias, `+`)
    hidden <- plain_activations[[before$activation]](sums)
    # To 30 bits, so that equal rows are ties.
    shifted <- hidden * (2^22 + 1)
    hidden <- shifted - (shifted - hidden)
    input <- if (inherits(fit, "cawi_edrvfl")) cbind(z, hidden) else hidden
  }
  matrix(input, nrow(x))
}

for (model in c("drvfl", "edrvfl", "bls")) for (init in c("gaussian", "t", "clayton", "frank")) {
  test_that(paste("weights of every layer follow the copula of its own input:", model, init), {
    x <- small_x(55, start = 11)
    y <- small_y("regression", x)
    shape <- if (model == "bls") list(windows = 2, nodes = 3, enhancement = 5) else
      list(hidden = c(6, 5, 7))
    # A smooth activation leaves no ties.
    fit <- suppressWarnings(fit_named(model, x, y, init = init, activation = "tansig",
                                      inputs = NULL, lambda = 1, seed = 4, shape = shape))
    layers <- fit$network$layers
    inputs <- lapply(seq_along(layers), function(l) plain_layer_input(fit, x, l))
    dependent <- 0
    for (l in seq_along(layers)) {
      wanted <- suppressWarnings(cawi_copula(inputs[[l]], init, method = "itau"))
      found <- layers[[l]]$copula
      expect_identical(found$family, wanted$family)
      expect_identical(found$dim, ncol(inputs[[l]]))
      # Degrees of freedom are searched for less closely than a fit of its own does.
      if (init != "t") expect_equal(coef(found), coef(wanted), tolerance = 1e-8)
      expect_equal(found$cor, wanted$cor, tolerance = 1e-8, ignore_attr = TRUE)
      expect_equal(found$theta, wanted$theta, tolerance = 1e-8)
      dependent <- dependent + (found$family != "independence")
      # Drawn from that copula, not only said to be.
      drawn <- cawi_weights(found, ncol(layers[[l]]$weights), fit$spec$marginal,
                            scale = layers[[l]]$factor, seed = child_seed_cpp(4, 2L * l))
      expect_equal(unname(layers[[l]]$weights), unname(drawn))
    }
    if (init %in% c("gaussian", "t")) expect_equal(dependent, length(layers))
    # Inputs of different layers have different copulas: none stands in for another.
    if (init == "gaussian" && model == "drvfl") {
      expect_gt(max(abs(cawi_kendall(inputs[[2]][, 1:5]) - cawi_kendall(inputs[[3]]))), 0.1)
    }
  })
}

test_that("a deeper layer of many nodes has the dependence of its input, unless align is first", {
  x <- small_x(200)
  y <- small_y("regression", x)
  tau_gap <- function(align) {
    fit <- cawi_drvfl(x, y, hidden = c(4, 4000), init = "gaussian", align = align,
                      inputs = NULL, lambda = 1, seed = 2)
    input <- plain_layer_input(fit, x, 2)
    max(abs(cawi_kendall(t(fit$network$layers[[2]]$weights)) - cawi_kendall(input)))
  }
  expect_lt(tau_gap("all"), 0.06)
  expect_gt(tau_gap("first"), 0.2)
})

# A layer that forgets its activation doubles its outputs when its input doubles.
for (activation in names(plain_activations)) {
  test_that(paste("every layer of every model is nonlinear:", activation), {
    x <- small_x()
    for (model in model_names) {
      fit <- fit_named(model, x, small_y("regression", x), activation = activation, lambda = 1,
                       standardize = FALSE, seed = 3)
      hidden <- function(x) {
        a <- cawi_features(fit, x)
        a[, grepl("^h[0-9]", colnames(a))]
      }
      layer <- sub("_.*", "", colnames(hidden(x)))
      # Three points on a line: an affine layer has its middle value in the middle.
      bent <- apply(abs(hidden(x) + hidden(-x) - 2 * hidden(0 * x)), 2, max)
      doubled <- apply(abs(hidden(2 * x) - 2 * hidden(x)), 2, max)
      for (l in unique(layer)) {
        expect_gt(max(bent[layer == l]), 0.005)
        expect_gt(max(doubled[layer == l]), 0.05)
      }
    }
  })
}

test_that("layers may have activations of their own", {
  x <- small_x()
  for (model in c("drvfl", "edrvfl", "bls")) {
    fit <- fit_named(model, x, small_y("regression", x), activation = c("relu", "sine"),
                     lambda = 1, seed = 3)
    expect_identical(vapply(fit$network$layers, `[[`, "", "activation"), c("relu", "sine"))
    expect_lt(max(abs(unname(cawi_features(fit, x)) - plain_features(fit, x)$all)), 1e-12)
  }
})

test_that("a wider layer keeps its leading nodes and the other layers", {
  x <- small_x()
  y <- small_y("regression", x)
  narrow_fit <- cawi_drvfl(x, y, hidden = c(6, 5), init = "frank", lambda = 1, seed = 9)
  wide_fit <- cawi_drvfl(x, y, hidden = c(6, 50), init = "frank", lambda = 1, seed = 9)
  expect_identical(wide_fit$network$layers[[1]], narrow_fit$network$layers[[1]])
  expect_identical(wide_fit$network$layers[[2]]$weights[, 1:5],
                   narrow_fit$network$layers[[2]]$weights)
  expect_identical(wide_fit$network$layers[[2]]$bias[1:5], narrow_fit$network$layers[[2]]$bias)
})

test_that("moments are those of R, and constant columns are zero whatever comes", {
  x <- cbind(small_x(), fixed = 7, far = 1e8 + small_x()[, 1])
  expect_warning(fit <- cawi_rvfl(x, small_y("regression", x), hidden = 5, lambda = 1, seed = 1),
                 "fixed", class = "cawi_warning_constant")
  expect_equal(fit$network$center, unname(colMeans(x)), tolerance = 1e-14)
  expect_equal(fit$network$sd, unname(c(apply(x[, 1:4], 2, sample_sd), Inf, sample_sd(x[, 6]))),
               tolerance = 1e-10)
  expect_identical(unname(cawi_features(fit, x)[, "fixed"]), numeric(40))
  moved <- x
  moved[, "fixed"] <- -1e6
  expect_identical(predict(fit, moved), predict(fit, x))
})

# Squares of such numbers leave the range of doubles, the numbers themselves do not.
for (size in c(1e-200, 1e-8, 1e8, 1e200)) {
  test_that(paste("the unit of the features does not matter:", size), {
    x <- small_x()
    y <- small_y("regression", x)
    plain <- cawi_rvfl(x, y, hidden = 9, lambda = 0.1, seed = 1)
    scaled <- cawi_rvfl(x * size, y, hidden = 9, lambda = 0.1, seed = 1)
    expect_equal(predict(scaled, x * size), predict(plain, x), tolerance = 1e-8)
  })
}

test_that("copulas are fitted to the same rows of many", {
  x <- small_x(5100)
  y <- small_y("regression", x)
  first <- cawi_rvfl(x, y, hidden = 5, init = "gaussian", lambda = 1, seed = 1)
  second <- cawi_rvfl(x, y, hidden = 5, init = "gaussian", lambda = 1, seed = 2)
  expect_identical(first$network$layers[[1]]$copula, second$network$layers[[1]]$copula)
})

# Pre-activations of a layer on the training rows, without the bias.
pre_activations <- function(fit, x, layer = 1) {
  layer_input_cpp(x, fit$network, as.integer(layer - 1)) %*% fit$network$layers[[layer]]$weights
}

test_that("spread is the root mean square of the pre-activations", {
  x <- factor_data(300, 6, common = 2) / 2147483647
  y <- x[, 1]
  inits <- c("iid", "gaussian", "clayton")
  for (init in inits) for (marginal in c("uniform", "normal")) for (spread in c(0.3, 4)) {
    fit <- cawi_elm(x, y, hidden = 4000, init = init, marginal = marginal, spread = spread,
                    lambda = 1, seed = 2)
    found <- sqrt(mean(pre_activations(fit, x)^2))
    # In the mean over the distribution.
    expect_lt(abs(log(found / spread)), 0.03)
  }
  # Whatever the scale of the features, and with few inputs a node.
  raw <- cawi_elm(1e3 * x, y, hidden = 200, spread = 2, standardize = FALSE, lambda = 1, seed = 2)
  expect_equal(sqrt(mean(pre_activations(raw, 1e3 * x)^2)), 2, tolerance = 0.05)
  few <- cawi_elm(x, y, hidden = 200, spread = 2, inputs = 1, lambda = 1, seed = 2)
  expect_equal(sqrt(mean(pre_activations(few, x)^2)), 2, tolerance = 0.05)
})

test_that("every layer has the spread, on its own input", {
  x <- small_x()
  y <- small_y("regression", x)
  for (model in c("drvfl", "edrvfl", "bls")) for (init in c("iid", "frank")) {
    shape <- if (model == "bls") {
      list(windows = 20, nodes = 10, enhancement = 200)
    } else {
      list(hidden = c(200, 200))
    }
    fit <- fit_named(model, x, y, spread = 0.7, init = init, lambda = 1, seed = 2, shape = shape)
    for (layer in 1:2) {
      expect_equal(sqrt(mean(pre_activations(fit, x, layer)^2)), 0.7, tolerance = 0.1)
    }
  }
})

test_that("spread is a factor on the weights of the same draw", {
  x <- small_x()
  y <- small_y("regression", x)
  plain <- cawi_rvfl(x, y, hidden = 9, init = "t", scale = "paper", inputs = NULL, lambda = 1,
                     seed = 4)$network$layers[[1]]
  spread <- cawi_rvfl(x, y, hidden = 9, init = "t", spread = 3, inputs = NULL, lambda = 1,
                      seed = 4)$network$layers[[1]]
  ratio <- spread$weights / plain$weights
  expect_equal(range(ratio), rep(spread$factor, 2), tolerance = 1e-12)
  expect_identical(spread$bias, plain$bias)
  expect_identical(plain$factor, 1)
  scaled <- cawi_rvfl(x, y, hidden = 9, init = "t", scale = spread$factor, inputs = NULL,
                      lambda = 1, seed = 4)$network$layers[[1]]
  expect_equal(scaled$weights, spread$weights, tolerance = 1e-14)
})

test_that("more rows than are looked at for the spread, and data without any", {
  x <- small_x(3000)
  fit <- cawi_elm(x, x[, 1], hidden = 200, spread = 1, lambda = 1, seed = 1)
  expect_lt(abs(log(sqrt(mean(pre_activations(fit, x)^2)))), 0.1)
  constant <- cawi_elm(0 * x[1:9, ], 1:9, hidden = 5, spread = 2, lambda = 1, seed = 1)
  expect_true(all(is.finite(constant$network$layers[[1]]$weights)))
})

test_that("inputs leaves every node exactly that many weights", {
  x <- cbind(small_x(), small_x(40, start = 9))
  y <- small_y("regression", x)
  for (inputs in c(1, 3, 7, 8, 20)) {
    fit <- cawi_rvfl(x, y, hidden = 300, inputs = inputs, init = "gaussian", scale = 1, lambda = 1,
                     seed = 5)
    all <- cawi_rvfl(x, y, hidden = 300, inputs = NULL, init = "gaussian", scale = 1, lambda = 1,
                     seed = 5)$network$layers[[1]]
    w <- fit$network$layers[[1]]$weights
    expect_identical(unique(colSums(w != 0)), min(inputs, 8))
    # Those that stay are as they were, and so are the biases.
    expect_identical(w[w != 0], all$weights[w != 0])
    expect_identical(fit$network$layers[[1]]$bias, all$bias)
    # Every feature is read about equally often.
    expect_gt(stats::chisq.test(rowSums(w != 0))$p.value, 1e-4)
  }
})

test_that("inputs counts the input of every layer", {
  x <- small_x()
  for (model in c("drvfl", "edrvfl", "bls")) {
    fit <- fit_named(model, x, small_y("regression", x), inputs = 3, lambda = 1, seed = 5)
    for (layer in fit$network$layers) expect_true(all(colSums(layer$weights != 0) == 3))
  }
})

test_that("bias at data: every node is zero at a training row", {
  x <- small_x()
  y <- small_y("regression", x)
  for (model in model_names) for (inputs in list(NULL, 2)) {
    fit <- fit_named(model, x, y, bias = "data", spread = 2, inputs = inputs, lambda = 1, seed = 6)
    for (layer in seq_along(fit$network$layers)) {
      bias <- fit$network$layers[[layer]]$bias
      sums <- pre_activations(fit, x, layer) + matrix(bias, 40, length(bias), byrow = TRUE)
      expect_lt(max(apply(abs(sums), 2, min)), 1e-12)
    }
  }
  # The weights are those of uniform biases, and rows are drawn evenly.
  data <- cawi_elm(x, y, hidden = 2000, bias = "data", lambda = 1, seed = 6)
  uniform <- cawi_elm(x, y, hidden = 2000, lambda = 1, seed = 6)
  expect_identical(data$network$layers[[1]]$weights, uniform$network$layers[[1]]$weights)
  sums <- pre_activations(data, x) + matrix(data$network$layers[[1]]$bias, 40, 2000, byrow = TRUE)
  rows <- tabulate(apply(abs(sums), 2, which.min), 40)
  expect_gt(stats::chisq.test(rows)$p.value, 1e-4)
})

test_that("steep nodes bend where there are data", {
  # Far from the origin a uniform bias leaves nothing that bends.
  x <- matrix(seq(-3, 3, length.out = 200))
  y <- sin(4 * x[, 1])
  error <- function(bias) {
    glance(cawi_elm(x, y, hidden = 60, spread = 6, bias = bias, seed = 1))$mean
  }
  expect_lt(error("data"), 0.2 * error("uniform"))
})

for (init in c("iid", "gaussian", "frank")) {
  test_that(paste("a wider layer keeps its leading nodes with spread, inputs and bias:", init), {
    x <- small_x()
    y <- small_y("regression", x)
    layers <- function(hidden) {
      fit <- cawi_drvfl(x, y, hidden = hidden, init = init, spread = 2, inputs = 2, bias = "data",
                        lambda = 1, seed = 9)
      fit$network$layers
    }
    leading <- function(wide, narrow) {
      count <- length(narrow$bias)
      expect_identical(wide$weights[, seq_len(count)], narrow$weights)
      expect_identical(wide$bias[seq_len(count)], narrow$bias)
      expect_identical(wide$factor, narrow$factor)
    }
    narrow_layers <- layers(c(6, 5))
    leading(layers(c(300, 5))[[1]], narrow_layers[[1]])
    wide_layers <- layers(c(6, 300))
    leading(wide_layers[[1]], narrow_layers[[1]])
    leading(wide_layers[[2]], narrow_layers[[2]])
  })
}

test_that("features with spread, inputs and bias are those of plain R", {
  x <- small_x()
  for (model in model_names) {
    fit <- fit_named(model, x, small_y("classification", x), spread = 2, inputs = 2, bias = "data",
                     init = "gaussian", seed = 3)
    a <- plain_features(fit, x)
    expect_lt(max(abs(unname(cawi_features(fit, x)) - a$all)), 1e-12)
    expect_ridge(fit, a$readouts, indicators(small_y("classification", x)))
  }
})

# Aligned weights differ from i.i.d. ones in their directions, not in their size.
test_that("without scale or spread, aligned weights have the spread of i.i.d. ones", {
  x <- small_x()
  x[, 2] <- x[, 1] + 0.1 * x[, 2]
  x[, 3] <- x[, 1] - 0.1 * x[, 3]
  y <- small_y("regression", x)
  for (marginal in c("uniform", "normal", "cauchy")) for (inputs in list(NULL, 2)) {
    size <- function(init, ...) {
      fit <- cawi_elm(x, y, hidden = 4000, init = init, marginal = marginal, inputs = inputs,
                      lambda = 1, seed = 2, ...)
      pre <- pre_activations(fit, x)
      if (marginal == "cauchy") median(abs(pre)) else sqrt(mean(pre^2))
    }
    plain <- size("iid")
    for (init in c("gaussian", "clayton")) {
      expect_equal(size(init) / plain, 1, tolerance = 0.15)
    }
    # As in the paper: positively dependent weights on positively dependent features are large.
    if (is.null(inputs) && marginal != "cauchy") {
      expect_gt(size("gaussian", scale = "paper") / plain, 1.2)
    }
  }
})

test_that("phases are uniform on a turn, and bias may be none", {
  x <- small_x()
  y <- small_y("regression", x)
  of <- function(bias) {
    cawi_elm(x, y, hidden = 500, bias = bias, lambda = 1, seed = 2)$network$layers[[1L]]$bias
  }
  expect_equal(of("phase"), 2 * pi * of("uniform"), tolerance = 1e-14)
  expect_identical(of("none"), numeric(500))
})

test_that("Cauchy weights have the quantiles of the Cauchy distribution", {
  plain <- cawi_weights(cawi_copula_from("independence", 2), 400, seed = 3)
  heavy <- cawi_weights(cawi_copula_from("independence", 2), 400, marginal = "cauchy", seed = 3)
  expect_equal(heavy, stats::qcauchy((plain + 1) / 2), tolerance = 1e-9)
})

test_that("specs that differ in their activation share a draw, each with its own activation", {
  x <- small_x()
  spec <- cawi_elm(x, x[, 1], hidden = 3, activation = "sine", lambda = 1, seed = 1)$spec
  draw <- network_drawer(x, list(case_weights = NULL), new_run(1, 1, NULL))
  first <- draw(spec)$layers[[1]]
  second <- draw(replace(spec, "activation", "relu"))$layers[[1]]
  expect_identical(c(first$activation, second$activation), c("sine", "relu"))
  expect_identical(second$weights, first$weights)
})

test_that("hidden nodes that another layer reads have 31 bits, so that equal rows are ties", {
  x <- small_x()
  network <- cawi_drvfl(x, small_y("regression", x), hidden = c(6, 5), activation = "relu",
                        seed = 1)$network
  exact <- features_cpp(x, network, 1L)[, 1:6 + 4]
  found <- layer_input_cpp(x, network, 1L)
  expect_lt(max(abs(found / exact - 1), na.rm = TRUE), 2^-30)
  unit <- 2^(floor(log2(found)) - 30)
  expect_identical((found / unit)[found > 0] %% 1, numeric(sum(found > 0)))
  # Numbers that leave no room for the rounding stay what they are.
  network$layers[[1]]$weights[] <- 1e305
  far <- layer_input_cpp(x, network, 1L)
  expect_gt(max(far), 1e304)
  expect_identical(far, features_cpp(x, network, 1L)[, 1:6 + 4])
})
