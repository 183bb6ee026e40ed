# Corners of formulas and columns that once gave silent wrong answers.

set.seed(5)
d <- data.frame(g = rep(c(TRUE, FALSE), 20), f = factor(rep(c("u", "v"), each = 20)),
                o = factor(rep(1:4, 10), ordered = TRUE), x = rnorm(40), b = rnorm(40))
d$y <- ifelse(d$g, 1, -5) * d$x + rnorm(40, sd = 0.01)
ranks <- function(formula, data) {
  a <- cawi_features(
    cawi_rvfl(formula, data, hidden = 1, lambda = 1, seed = 1, standardize = FALSE), data
  )
  qr(a[, !grepl("^h1_", colnames(a)), drop = FALSE])$rank
}

test_that("the columns of a formula span what those of lm span", {
  for (formula in list(y ~ g:x, y ~ g / x, y ~ g:f, y ~ g:o, y ~ (x > 0):f, y ~ g * x, y ~ g + g:x,
                       y ~ g - 1, y ~ f - 1,
                       y ~ o - 1, y ~ g + f - 1, y ~ f / g, y ~ g:x - 1)) {
    expect_identical(ranks(formula, d), qr(stats::model.matrix(formula, d))$rank,
                     label = deparse(formula))
  }
  fit <- cawi_rvfl(y ~ g:x, d, hidden = 1, lambda = 1e-6, seed = 1)
  expect_lt(sqrt(mean((predict(fit, d) - d$y)^2)), 0.05)
})

test_that("functions take what they need with them, and nothing of the session of the day", {
  make <- function() {
    cap <- 3
    function(x) {
      r <- sin(x * cap)
      cap <- cap * 2
      r
    }
  }
  ff <- make()
  fit <- cawi_rvfl(y ~ ff(x), d, hidden = 1, lambda = 1, seed = 1)
  expect_equal(fit$network$center, mean(sin(3 * d$x)))
  # A column has to be an argument; a global by another way is not found.
  expect_error(cawi_rvfl(y ~ sapply(x, function(z) z + mean(b)), d), class = "cawi_error_formula")
  assign("cawi_test_power", 2, envir = globalenv())
  on.exit(rm("cawi_test_power", envir = globalenv()))
  hidden_global <- function(x) x^get("cawi_test_power")
  expect_error(cawi_rvfl(y ~ hidden_global(x), d), class = "cawi_error_formula")
  plain_global <- eval(quote(function(x) utils::head(x^cawi_test_power, length(x))), globalenv())
  fit <- cawi_rvfl(y ~ plain_global(x), d, hidden = 1, lambda = 1, seed = 1)
  before <- predict(fit, d)
  assign("cawi_test_power", 5, envir = globalenv())
  expect_identical(predict(fit, d), before)
})

test_that("64-bit integers are numbers wherever numbers are", {
  whole <- function(v) structure(v * 2^-1074, class = "integer64")
  one <- cawi_rvfl(d["x"], d$y, hidden = 3, lambda = 1, seed = 1, case_weights = rep(1:2, 20))
  two <- cawi_rvfl(d["x"], d$y, hidden = whole(3), lambda = whole(1), seed = whole(1),
                   case_weights = whole(rep(1:2, 20)))
  expect_identical(coef(two), coef(one))
  # Rows taken without their class are refused, not read as zero.
  frame <- structure(list(a = whole(1:40), f = d$f), class = "data.frame", row.names = 1:40)
  fit <- cawi_rvfl(frame, d$y, hidden = 3, seed = 1)
  lost <- structure(list(a = unclass(whole(1:3)), f = d$f[1:3]), class = "data.frame",
                    row.names = 1:3)
  expect_error(predict(fit, lost), class = "cawi_error_new_data")
})

test_that("matrix columns go by their names", {
  frame <- d["f"]
  frame$m <- cbind(p = d$x, q = d$b)
  fit <- cawi_rvfl(frame, d$y, hidden = 3, seed = 1)
  turned <- frame
  turned$m <- frame$m[, 2:1]
  expect_identical(predict(fit, turned), predict(fit, frame))
  for (names in list(c("q", "z"), c("u", "v"), c("p", "p"))) {
    colnames(turned$m) <- names
    expect_error(predict(fit, turned), class = "cawi_error_new_data")
  }
  fit <- cawi_rvfl(y ~ cbind(x, log(b^2)), d, hidden = 3, seed = 1)
  expect_length(predict(fit, d), 40)
})

test_that("odd columns and levels have an answer or a class", {
  empty <- ifelse(d$y > 0, "", "b")
  fit <- cawi_rvfl(d["x"], empty, hidden = 3, seed = 1)
  expect_equal(rowSums(predict(fit, d["x"], type = "prob")), rep(1, 40))
  expect_identical(nrow(augment(fit, d["x"])), 40L)
  ragged <- structure(list(x = 1:4, f = c("a", "b")), class = "data.frame", row.names = 1:4)
  expect_error(cawi_rvfl(ragged, 1:4), class = "cawi_error_x")
  expect_error(predict(cawi_rvfl(d[c("x", "f")], d$y, seed = 1), ragged),
               class = "cawi_error_new_data")
  expect_error(cawi_rvfl(data.frame(t = rep(c("a\xff", "b"), 20), x = d$x), d$y),
               class = "cawi_error_x")
  error <- expect_error(cawi_rvfl(y ~ ., transform(d, f = replace(f, 3, NA))),
                        class = "cawi_error_data")
  expect_match(conditionMessage(error), "\"f\"")
  expect_error(cawi_rvfl(y ~ x, d, subset = b > 0), class = "cawi_error_dots")
  names <- data.frame(id = as.character(1:20000), x = rnorm(20000))
  expect_error(cawi_rvfl(names, rnorm(20000)), class = "cawi_error_x")
  fit <- cawi_rvfl(d["x"], d$y, hidden = 3, lambda = 1, seed = 1, case_weights = rep(1e250, 40))
  expect_equal(fit$network$sd, sample_sd(d$x))
})

test_that("many classes share one slope", {
  set.seed(6)
  y <- factor(sample(150, 600, TRUE))
  fit <- cawi_rvfl(matrix(rnorm(1200), 600), y, hidden = 10, lambda = 1, seed = 1)
  expect_identical(length(unique(fit$calibration$parameters[, "slope"])), 1L)
})
