# Weights that the user gives.

x <- function() small_x()
y <- function() small_y("regression", small_x())

orthogonal <- function(x, hidden, seed) {
  set.seed(seed)
  draw <- function(i) qr.Q(qr(matrix(rnorm(ncol(x)^2), ncol(x))))
  blocks <- lapply(seq_len(ceiling(hidden / ncol(x))), draw)
  do.call(cbind, blocks)[, seq_len(hidden), drop = FALSE]
}

test_that("a matrix is the weights of the first layer, as it is", {
  w <- matrix(sin(1:24), 4)
  fit <- cawi_rvfl(x(), y(), hidden = 6, init = w, lambda = 1, seed = 1)
  layer <- fit$network$layers[[1L]]
  expect_identical(layer$weights, w)
  expect_identical(layer$factor, 1)
  z <- scale(x(), fit$network$center, fit$network$sd)
  h <- 1 / (1 + exp(-sweep(z %*% w, 2L, layer$bias, `+`)))
  expect_equal(unname(cawi_features(fit, x())[, 5:10]), unname(h), tolerance = 1e-12,
               ignore_attr = TRUE)
  # Deeper layers are drawn.
  deep <- cawi_drvfl(x(), y(), hidden = c(6, 5), init = w, lambda = 1, seed = 1)
  expect_identical(deep$network$layers[[1L]]$weights, w)
  expect_identical(dim(deep$network$layers[[2L]]$weights), c(6L, 5L))
})

test_that("a function gives the weights of every layer from what the layer reads", {
  seen <- new.env()
  fun <- function(x, hidden, seed) {
    seen$x <- x
    orthogonal(x, hidden, seed)
  }
  fit <- cawi_rvfl(x(), y(), hidden = 8, init = fun, lambda = 1, seed = 3)
  w <- fit$network$layers[[1L]]$weights
  expect_equal(crossprod(w[, 1:4]), diag(4), tolerance = 1e-12)
  # It sees the standardized features.
  expect_equal(colMeans(seen$x), numeric(4), tolerance = 1e-12, ignore_attr = TRUE)
  deep <- cawi_drvfl(x(), y(), hidden = c(8, 6), init = orthogonal, lambda = 1, seed = 3)
  second <- deep$network$layers[[2L]]$weights
  expect_equal(crossprod(second), diag(6), tolerance = 1e-12)
  first <- cawi_drvfl(x(), y(), hidden = c(8, 6), init = orthogonal, align = "first", lambda = 1,
                      seed = 3)
  expect_false(isTRUE(all.equal(crossprod(first$network$layers[[2L]]$weights), diag(6))))
})

test_that("spread and scale are factors on given weights", {
  plain <- cawi_elm(x(), y(), hidden = 8, init = orthogonal, lambda = 1, seed = 3)
  twice <- cawi_elm(x(), y(), hidden = 8, init = orthogonal, scale = 2, lambda = 1, seed = 3)
  expect_equal(twice$network$layers[[1L]]$weights, 2 * plain$network$layers[[1L]]$weights)
  spread <- cawi_elm(x(), y(), hidden = 8, init = orthogonal, spread = 3, lambda = 1, seed = 3)
  z <- scale(x(), spread$network$center, spread$network$sd)
  expect_equal(sqrt(mean((z %*% spread$network$layers[[1L]]$weights)^2)), 3, tolerance = 1e-10)
})

test_that("the caller's generator stays where it is", {
  set.seed(5)
  before <- .Random.seed
  cawi_rvfl(x(), y(), hidden = 8, init = orthogonal, lambda = 1, seed = 3)
  expect_identical(.Random.seed, before)
})

test_that("the same seed gives the same weights, another seed others", {
  of <- function(seed) {
    cawi_rvfl(x(), y(), hidden = 8, init = orthogonal, lambda = 1,
              seed = seed)$network$layers[[1L]]$weights
  }
  expect_identical(of(1), of(1))
  expect_false(identical(of(1), of(2)))
})

test_that("models with given weights are saved, printed, updated and tuned", {
  fit <- cawi_rvfl(x(), y(), hidden = 8, init = orthogonal, lambda = 1, seed = 3)
  expect_output(print(fit), "weights: given")
  file <- tempfile(fileext = ".rds")
  saveRDS(fit, file)
  expect_identical(predict(readRDS(file), x()), predict(fit, x()))
  wider <- update(fit, hidden = 11)
  expect_identical(wider$network$layers[[1L]]$weights[, 1:8], fit$network$layers[[1L]]$weights)
  expect_identical(generics::glance(fit)$init, "given")
  grid <- cawi_grid(hidden = c(4, 8), init = list("iid", orthogonal), spread = 1)
  tuned <- cawi_tune(x(), y(), "rvfl", grid, seed = 2)
  expect_setequal(unique(tuned$results$init), c("iid", "given"))
  # What was judged is what is fitted.
  own <- cawi_tune(x(), y(), "rvfl", cawi_grid(hidden = c(4, 8), init = list(orthogonal)), seed = 2)
  expect_equal(own$chosen$mean, own$fit$loo$value, tolerance = 1e-8)
})

test_argument_errors(alist(
  init = cawi_rvfl(x(), y(), hidden = 6, init = matrix(1, 4, 5)),
  init = cawi_rvfl(x(), y(), hidden = 6, init = matrix(1, 3, 6)),
  init = cawi_rvfl(x(), y(), hidden = 6, init = matrix(NA_real_, 4, 6)),
  init = cawi_rvfl(x(), y(), hidden = 6, init = matrix("1", 4, 6)),
  init = cawi_rvfl(x(), y(), hidden = 6, init = matrix(0, 0, 6)),
  init = cawi_rvfl(x(), y(), hidden = 6, init = function(x, hidden, seed) stop("no")),
  init = cawi_rvfl(x(), y(), hidden = 6, init = function(x, hidden) matrix(1, 4, 6)),
  init = cawi_rvfl(x(), y(), hidden = 6, init = function(x, hidden, seed) 1:24),
  init = cawi_rvfl(x(), y(), hidden = 6, init = function(x, hidden, seed) matrix(1, 6, 4)),
  init = cawi_rvfl(x(), y(), hidden = 6, init = function(x, hidden, seed) matrix(Inf, 4, 6)),
  init = cawi_rvfl(x(), y(), hidden = 6, init = function(x, hidden, seed) matrix(rnorm(24), 4)),
  hidden = update(cawi_rvfl(x(), y(), hidden = 6, init = matrix(1, 4, 6)), hidden = 9)
))

test_that("given weights are called what they are", {
  text <- function(fit) cawi:::init_text(fit)
  expect_identical(text(cawi_rvfl(x(), y(), hidden = 8, init = orthogonal, seed = 1)), "given")
  deep <- function(...) cawi_drvfl(x(), y(), hidden = c(8, 5), seed = 1, ...)
  expect_identical(text(deep(init = orthogonal)), "given")
  expect_identical(text(deep(init = orthogonal, align = "first")), "given, i.i.d. (uniform)")
  expect_identical(text(deep(init = matrix(1:32, 4))), "given, i.i.d. (uniform)")
})

test_that("what can be given is said where something else was, and what cannot grow", {
  expect_error(cawi_rvfl(x(), y(), init = as.data.frame(x())), "a matrix",
               class = "cawi_error_init")
  broad <- cawi_bls(x(), y(), windows = 2, nodes = 3, enhancement = 4, seed = 1,
                    init = matrix(1:24, 4))
  expect_error(update(broad, windows = 3), class = "cawi_error_windows")
})

test_that("one number that is not finite spoils given weights", {
  for (bad in list(matrix(c(1, NA), 1), matrix(c(Inf, 1), 1), matrix("a"), numeric())) {
    expect_error(check_given_weights(bad, NULL), class = "cawi_error_init")
  }
  expect_identical(check_given_weights(matrix(1:2, 1, dimnames = list("a", NULL)), NULL),
                   matrix(c(1, 2), 1))
})

test_that("a function of weights is shown, and runs where more weights are asked for alone", {
  drawn <- function(x, hidden, seed) matrix(scale_of(x), ncol(x), hidden)
  scale_of <- function(x) 1 / ncol(x)
  fit <- cawi_rvfl(x(), y(), hidden = 3, init = drawn, seed = 1)
  fit$spec$init <- function(x, hidden, seed) {
    options(cawi.sprung = TRUE)
    scale_of(x)
    matrix(0.5, ncol(x), hidden)
  }
  on.exit(options(cawi.sprung = NULL))
  text <- gsub("\\s+", " ", paste(utils::capture.output(print(fit)), collapse = " "))
  expect_match(text, "given by: function(x, hidden, seed) { options(cawi.sprung = TRUE)",
               fixed = TRUE)
  expect_match(text, "with scale_of = function(x) 1/ncol(x)", fixed = TRUE)
  utils::capture.output(print(summary(fit)))
  file <- tempfile(fileext = ".html")
  cawi_report(fit, file)
  page <- paste(readLines(file, encoding = "UTF-8"), collapse = " ")
  unlink(file)
  expect_match(page, "a report does not run", fixed = TRUE)
  predict(fit, x())
  expect_null(getOption("cawi.sprung"))
  cawi_diagnose(fit, draws = 2, seed = 1)
  expect_true(getOption("cawi.sprung"))
  # What runs when it is looked at is refused.
  options(cawi.sprung = NULL)
  place <- new.env()
  makeActiveBinding("scale_of", function() options(cawi.sprung = TRUE), place)
  environment(fit$spec$init) <- place
  expect_error(print(fit), "hides code", class = "cawi_error_x")
  expect_error(cawi_diagnose(fit, draws = 2), "hides code", class = "cawi_error_fit")
  expect_error(update(fit, hidden = 5), "hides code", class = "cawi_error_object")
  expect_error(cawi_report(fit, file), "hides code", class = "cawi_error_fit")
  expect_null(getOption("cawi.sprung"))
})
