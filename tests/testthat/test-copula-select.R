all_families <- c("independence", "gaussian", "t", "clayton", "frank", "gumbel")

# The right family in at least 45 of 50 samples of 1,000 rows.
for (family in all_families) {
  test_that(paste("the family of simulated data is found:", family), {
    skip_on_cran()
    truth <- switch(family,
      independence = cawi_copula_from("independence", dim = 5),
      t = cawi_copula_from("t", dim = 5, tau = 0.4, df = 4),
      cawi_copula_from(family, dim = 5, tau = 0.4)
    )
    chosen <- vapply(seq_len(50), function(seed) {
      cawi_select(simulate(truth, 1000, seed = seed), threads = 1)$family[1]
    }, "")
    expect_gte(sum(chosen == family), 45)
  })
}

test_that("the table has one row per family, best first", {
  x <- heavy_data(300, 3)
  table <- cawi_select(x)
  expect_s3_class(table, c("cawi_selection", "data.frame"), exact = TRUE)
  expect_named(table, c("family", "xv", "se", "parameters"))
  expect_setequal(table$family, all_families)
  expect_identical(rownames(table), as.character(1:6))
  # Only the first place may be given for parsimony.
  expect_false(is.unsorted(-table$xv[-1]))
  expect_true(all(is.finite(table$se) & table$se >= 0))
  expect_equal(table$parameters[match(all_families, table$family)], c(0, 3, 4, 1, 1, 1))
  independence <- table[table$family == "independence", ]
  expect_equal(c(independence$xv, independence$se), c(0, 0))
})

test_that("information criteria are those of the fits, smallest first", {
  x <- heavy_data(200, 3)
  for (criterion in c("aic", "bic")) {
    table <- cawi_select(x, criterion = criterion)
    expect_named(table, c("family", criterion, "loglik", "parameters"))
    expect_false(is.unsorted(table[[criterion]]))
    information <- if (criterion == "aic") AIC else BIC
    expected <- vapply(table$family, function(family) information(cawi_copula(x, family)),
                       numeric(1))
    plain <- !table$family %in% c("gaussian", "t")
    expect_equal(table[[criterion]][plain], unname(expected)[plain])
    # Elliptical families are compared at the shrinkage of highest Gaussian likelihood.
    expect_lte(table[[criterion]][table$family == "gaussian"], expected[["gaussian"]] + 1e-8)
  }
  mpl <- cawi_select(x, criterion = "aic", method = "mpl")
  expect_equal(mpl$loglik[mpl$family == "clayton"],
               as.numeric(logLik(cawi_copula(x, "clayton", method = "mpl"))))
})

test_that("the held-out score of the true family is its mean log-density", {
  x <- simulate(cawi_copula_from("clayton", dim = 2, theta = 3), 400, seed = 1)
  table <- cawi_select(x, families = c("independence", "clayton"), folds = 2)
  # The gain over independence is about the integral of c log c.
  truth <- cawi_copula_from("clayton", dim = 2, theta = 3)
  expected <- integrate_density(truth, function(c) c * log(c))
  expect_lt(abs(table$xv[table$family == "clayton"] - expected),
            4 * table$se[table$family == "clayton"])
})

test_that("a richer family must be clearly better than one it contains", {
  # t contains the Gaussian copula: on Gaussian data it may win by a hair but not come first.
  x <- simulate(cawi_copula_from("gaussian", dim = 3, cor = 0.5), 1000, seed = 3)
  expect_identical(cawi_select(x, families = c("t", "gaussian"))$family[1], "gaussian")
  x <- simulate(cawi_copula_from("independence", dim = 3), 1000, seed = 4)
  for (family in all_families[-1]) {
    expect_identical(cawi_select(x, families = c(family, "independence"))$family[1], "independence")
  }
})

test_that("a subset of families in any order gives the same scores", {
  x <- heavy_data(200, 3)
  whole <- cawi_select(x)
  few <- cawi_select(x, families = c("gumbel", "clayton", "gumbel"))
  expect_identical(nrow(few), 2L)
  expect_equal(few$xv, whole$xv[match(few$family, whole$family)])
})

test_that("the choice depends on the data alone", {
  x <- heavy_data(300, 3)
  table <- cawi_select(x)
  set.seed(99)
  expect_identical(cawi_select(x), table)
  expect_identical(cawi_select(x, threads = 1), cawi_select(x, threads = 4))
  expect_generator_untouched(cawi_select(x))
  expect_generator_untouched(cawi_select(x, criterion = "bic"))
})

test_that("max_rows limits the rows that are read", {
  x <- heavy_data(300, 3)
  expect_false(identical(cawi_select(x, max_rows = 100), cawi_select(x)))
  expect_identical(cawi_select(x, max_rows = 300), cawi_select(x))
})

test_that("small, negative and degenerate data are compared", {
  for (x in list(factor_data(4, 2), factor_data(5, 10), factor_data(30, 1),
                 -factor_data(40, 2) * c(1, -1))) {
    table <- suppressWarnings(cawi_select(x), classes = "cawi_warning")
    expect_setequal(table$family, all_families)
    expect_false(anyNA(table$xv))
  }
  # A family that does not apply scores as the independence copula it becomes.
  x <- factor_data(100, 2)
  x[, 2] <- -x[, 2]
  table <- cawi_select(x)
  expect_equal(table$xv[table$family == "clayton"], 0)
  expect_true(table$family[1] %in% c("gaussian", "t"))
  reflected <- cawi_select(x, reflect = TRUE)
  expect_gt(reflected$xv[reflected$family == "frank"], 0)
})

test_that("a constant column does not change the comparison", {
  x <- heavy_data(200, 3)
  expect_equal(cawi_select(cbind(x, 1))$xv, cawi_select(x)$xv)
})

test_that("prints of selections", {
  local_reproducible_output()
  expect_snapshot(print(cawi_select(iris[, 1:4], criterion = "bic")))
  expect_snapshot(print(cawi_select(iris[, 1:4], families = c("independence", "gaussian")),
                        digits = 3))
})

test_argument_errors(alist(
  x = cawi_select(factor_data(3, 2)),
  families = cawi_select(iris[, 1:4], families = "joe"),
  families = cawi_select(iris[, 1:4], families = c("frank", "auto")),
  families = cawi_select(iris[, 1:4], families = character()),
  families = cawi_select(iris[, 1:4], families = list()),
  families = cawi_select(iris[, 1:4], families = NA),
  families = cawi_select(iris[, 1:4], families = 1),
  criterion = cawi_select(iris[, 1:4], criterion = "loo"),
  criterion = cawi_select(iris[, 1:4], criterion = NULL),
  method = cawi_select(iris[, 1:4], method = "ml"),
  reflect = cawi_select(iris[, 1:4], reflect = 1),
  folds = cawi_select(iris[, 1:4], folds = 1),
  folds = cawi_select(iris[, 1:4], folds = 2.5),
  folds = cawi_select(iris[, 1:4], folds = "five"),
  max_rows = cawi_select(iris[, 1:4], max_rows = 5),
  max_rows = cawi_select(iris[, 1:4], max_rows = NA),
  threads = cawi_select(iris[, 1:4], threads = 0)
))

test_that("families that do not apply are left out of a likelihood comparison", {
  x <- factor_data(8, 10)
  expect_warning(table <- cawi_select(x, method = "mpl"), class = "cawi_warning_method")
  expect_false(any(c("gaussian", "t") %in% table$family))
})

test_that("nearly singular tau matrices of real data do not rule out elliptical families", {
  skip_if_not_installed("mlbench")
  data("Vehicle", "Sonar", package = "mlbench", envir = environment())
  for (x in list(Vehicle[, 1:18], Sonar[, 1:60])) {
    table <- cawi_select(x)
    expect_true(table$family[1] %in% c("gaussian", "t"))
    expect_gt(table$xv[1], 5 * max(table$xv[table$family %in% c("clayton", "frank", "gumbel")]))
  }
})

test_that("a family stands before those it contains only if it earns it", {
  first <- function(...) {
    total <- c(...)
    scores <- matrix(0, 4, length(total), dimnames = list(NULL, names(total)))
    scores[1, ] <- total
    colnames(scores)[cawi:::parsimonious_order(scores)]
  }
  expect_identical(first(independence = 0, gaussian = 1, t = 2.5, frank = 2.4)[1], "frank")
  expect_identical(first(independence = 0, gaussian = 8.5, t = 10, frank = 9.9)[1:2],
                   c("frank", "gaussian"))
  expect_identical(first(independence = 0, gaussian = 8, t = 10.1)[1], "t")
  expect_identical(first(independence = 0, clayton = 1.9)[1], "independence")
})

test_that("a selection with a table as a column is refused", {
  selection <- cawi_select(as.matrix(iris[1:30, 1:2]), c("gaussian", "frank"))
  selection$parameters <- data.frame(value = c(1, 1))
  expect_error(print(selection), class = "cawi_error_x")
})
