shown <- list(
  independence = cawi_copula_from("independence", dim = 3),
  gaussian = cawi_copula_from("gaussian", dim = 3, cor = 0.25),
  t = cawi_copula_from("t", dim = 2, cor = 0.5, df = 4),
  clayton = cawi_copula_from("clayton", dim = 1, theta = 2),
  frank = cawi_copula_from("frank", dim = 263, tau = 0.4),
  gumbel = cawi_copula_from("gumbel", dim = 2, theta = 2)
)

test_that("prints of given copulas", {
  local_reproducible_output()
  for (copula in shown) expect_snapshot(print(copula))
})

test_that("prints of fits", {
  local_reproducible_output()
  x <- iris[, 1:4]
  expect_snapshot(print(cawi_copula(x, "gaussian")))
  expect_snapshot(print(cawi_copula(x, "clayton", method = "mpl", reflect = TRUE)))
  expect_snapshot(print(suppressWarnings(cawi_copula(x[, 1:2], "gumbel"))))
  expect_snapshot(summary(cawi_copula(x, "frank", reflect = TRUE)))
  expect_snapshot(summary(shown$t))
})

test_that("a summary of auto shows the table of families", {
  fit <- cawi_copula(iris[, 1:4])
  lines <- utils::capture.output(print(summary(fit)))
  expect_match(lines, "family chosen automatically", fixed = TRUE, all = FALSE)
  expect_match(lines, "Choice of the family", fixed = TRUE, all = FALSE)
  for (family in fit$selection$family) {
    expect_match(lines, paste0("\\b", family, "\\b"), all = FALSE)
  }
  plain <- utils::capture.output(print(summary(cawi_copula(iris[, 1:4], "gaussian"))))
  expect_false(any(grepl("Choice of the family", plain, fixed = TRUE)))
})

test_that("print and summary return their argument invisibly", {
  for (copula in shown) {
    utils::capture.output(printed <- withVisible(print(copula)))
    expect_identical(printed, list(value = copula, visible = FALSE))
    utils::capture.output(printed <- withVisible(print(summary(copula))))
    expect_identical(printed, list(value = summary(copula), visible = FALSE))
  }
})

test_that("nothing else prints", {
  expect_silent({
    fit <- cawi_copula(iris[, 1:4])
    simulate(fit, 2, seed = 1)
    cawi_weights(fit, 2, seed = 1)
    cawi_density(fit, rep(0.5, 4))
    summary(fit)
  })
})

test_that("many flipped features are shortened", {
  x <- factor_data(100, 30)
  x[, 1:12] <- -x[, 1:12]
  lines <- utils::capture.output(print(cawi_copula(x, "clayton", reflect = TRUE)))
  expect_match(lines, "flipped: 1, 2, 3, 4, 5, 6, 7, 8, ... (12)", fixed = TRUE, all = FALSE)
})

test_that("coefficients have names and an order", {
  expect_identical(coef(shown$independence), stats::setNames(numeric(), character()))
  expect_identical(coef(shown$clayton), c(theta = 2))
  r <- matrix(c(1, 0.1, 0.2, 0.1, 1, 0.3, 0.2, 0.3, 1), 3)
  pairs <- c("cor[2,1]" = 0.1, "cor[3,1]" = 0.2, "cor[3,2]" = 0.3)
  expect_identical(coef(cawi_copula_from("gaussian", cor = r)), pairs)
  expect_identical(coef(cawi_copula_from("t", cor = r, df = 7)), c(pairs, df = 7))
  dimnames(r) <- list(letters[1:3], letters[1:3])
  expect_identical(unname(coef(cawi_copula_from("gaussian", cor = r))), unname(pairs))
})

test_that("logLik, AIC and BIC count the parameters of each family", {
  x <- heavy_data(100, 4)
  count <- c(independence = 0, gaussian = 6, t = 7, clayton = 1, frank = 1, gumbel = 1)
  for (family in names(count)) {
    fit <- cawi_copula(x, family)
    value <- logLik(fit)
    k <- count[[family]]
    expect_s3_class(value, "logLik")
    expect_equal(attr(value, "df"), k)
    expect_equal(attr(value, "nobs"), 100)
    expect_equal(length(coef(fit)), k)
    expect_equal(AIC(fit), 2 * k - 2 * as.numeric(value))
    expect_equal(BIC(fit), log(100) * k - 2 * as.numeric(value))
  }
  expect_equal(as.numeric(logLik(cawi_copula(x, "independence"))), 0)
})

test_that("a summary compares the sample's tau with the copula's", {
  x <- factor_data(200, 4)
  tau <- cawi_kendall(x)
  tau <- tau[lower.tri(tau)]
  table <- summary(cawi_copula(x, "gaussian"))$tau
  expect_equal(table["sample", ], c(min = min(tau), mean = mean(tau), max = max(tau)))
  # Gaussian by inversion keeps every tau, an Archimedean family their mean.
  expect_equal(table["model", ], table["sample", ])
  expect_equal(summary(cawi_copula(x, "frank"))$tau["model", ],
               c(min = 1, mean = 1, max = 1) * mean(tau))
  expect_identical(rownames(summary(shown$gumbel)$tau), "model")
  expect_equal(summary(shown$gumbel)$tau[1, "mean"], 0.5)
  expect_null(summary(shown$clayton)$tau)
})

test_argument_errors(alist(
  object = logLik(shown$clayton),
  object = AIC(shown$gaussian),
  object = BIC(shown$t)
))

test_that("tidy has the coefficients, one row per parameter", {
  for (copula in shown) {
    table <- tidy(copula)
    expect_named(table, c("term", "estimate"))
    expect_identical(stats::setNames(table$estimate, table$term), coef(copula))
  }
  expect_identical(dim(tidy(shown$independence)), c(0L, 2L))
  expect_identical(tidy(shown$t), data.frame(term = c("cor[2,1]", "df"), estimate = c(0.5, 4)))
  expect_identical(tidy(shown$gumbel), data.frame(term = "theta", estimate = 2))
})

test_that("glance has one row, with the likelihood of a fit", {
  fit <- cawi_copula(iris[, 1:4], "t")
  row <- glance(fit)
  expect_identical(row, data.frame(
    family = "t", dim = 4L, parameters = 7, nobs = 150L, method = "itau",
    logLik = as.numeric(logLik(fit)), AIC = AIC(fit), BIC = BIC(fit)
  ))
  expect_identical(glance(cawi_copula(iris[, 1:4], "frank", "mpl"))$method, "mpl")
  # A constant column has no dependence to estimate.
  constant <- suppressWarnings(cawi_copula(cbind(iris[, 1:3], 1), "gaussian"))
  expect_identical(glance(constant)$parameters, 3)
})

test_that("glance of a copula without likelihood has NA in its place", {
  for (copula in shown) {
    row <- glance(copula)
    expect_identical(nrow(row), 1L)
    expect_identical(row$method, "given")
    expect_true(is.na(row$nobs) && is.na(row$logLik) && is.na(row$AIC) && is.na(row$BIC))
    expect_identical(row$dim, copula$dim)
  }
  expect_identical(vapply(shown, function(copula) glance(copula)$parameters, 0),
                   c(independence = 0, gaussian = 3, t = 2, clayton = 1, frank = 1, gumbel = 1))
  plain <- glance(cawi_copula(iris[, 1:4], "clayton", reflect = TRUE, likelihood = FALSE))
  expect_identical(plain$nobs, 150L)
  expect_true(is.na(plain$logLik) && is.na(plain$AIC) && is.na(plain$BIC))
})

test_that("tidy and glance refuse damaged copulas and unknown arguments", {
  damaged <- shown$gumbel
  damaged$active <- NULL
  for (method in list(tidy, glance)) {
    expect_error(method(damaged), class = "cawi_error_x")
    expect_error(method(shown$t, digits = 3), class = "cawi_error_dots")
  }
})
