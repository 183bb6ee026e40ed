frame <- mixed_frame()

moments_of <- function(x, w = NULL) raw_moments_cpp(x, w, 1L)

test_that("moments of parts merge into those of all rows", {
  x <- cbind(small_x(60), big = 1e8 + (1:60) / 7, tiny = (1:60) * 1e-200, huge = (1:60) * 1e200)
  w <- rep_len(c(1, 2.5, 0.5), 60)
  for (weights in list(NULL, w)) {
    whole <- moments_of(x, weights)
    parts <- lapply(split(1:60, c(1, rep(2, 20), rep(3, 39))), function(rows) {
      moments_of(x[rows, , drop = FALSE], weights[rows])
    })
    merged <- Reduce(merge_moments_cpp, parts)
    expect_equal(merged, whole, tolerance = 1e-12)
    # Of one row after the other.
    row <- function(i) moments_of(x[i, , drop = FALSE], weights[i])
    single <- Reduce(merge_moments_cpp, lapply(1:60, row))
    expect_equal(single, whole, tolerance = 1e-10)
  }
  expect_equal(whole$mean[1:4], unname(colSums(w * x[, 1:4]) / sum(w)))
})

test_that("moments worked by hand", {
  # 1, 3 and 8, 8: means 2 and 8, squares 2 and 0; together mean 5, squares 2 + 4 * 9.
  merged <- merge_moments_cpp(moments_of(matrix(c(1, 3))), moments_of(matrix(c(8, 8))))
  expect_identical(merged, list(mean = 5, sd = sqrt(38 / 4), weight = 4, origin = 1, distance = 4))
  expect_identical(moments_of(matrix(c(2, NA, 4)), c(1, 5, 3))[1:3],
                   list(mean = 3.5, sd = sqrt(0.75), weight = 4))
  nothing <- moments_of(matrix(NA_real_))
  expect_identical(merge_moments_cpp(nothing, merged), merged)
  expect_identical(merge_moments_cpp(merged, nothing), merged)
  expect_error(merge_moments_cpp(merged, moments_of(matrix(1, 1, 2))), "columns differ")
})

test_that("a constant column stays constant, whatever its chunks round", {
  x <- matrix(0.1, 1000, 1)
  some <- function(k) moments_of(x[seq_len(5 + k %% 7), , drop = FALSE])
  merged <- Reduce(merge_moments_cpp, lapply(1:100, some))
  expect_identical(variation_cpp(merged)$sd, 0)
  source <- cawi_source(transform(frame, same = 0.1), chunk = 7)
  expect_warning(fit <- cawi_elm(number ~ north + same, source, hidden = 3, seed = 1),
                 class = "cawi_warning_constant")
  expect_identical(fit$network$sd[2], Inf)
})

test_that("terms that a formula computes take one more pass, others do not", {
  count <- new.env()
  counting <- function() {
    count$n <- 0
    read <- chunks_of(list(frame[1:40, ], frame[41:90, ]))
    cawi_source(function(reset) {
      count$n <- count$n + reset
      read(reset)
    })
  }
  cawi_elm(number ~ north + group + step + flag, counting(), hidden = 3, seed = 1)
  expect_identical(count$n, 2)
  formulas <- list(number ~ log(north + 9), number ~ north:group, log(number + 9) ~ north,
                   number ~ poly(north, 2) + offset(east), number ~ group - 1)
  for (formula in formulas) {
    whole <- cawi_rvfl(formula, frame, hidden = 4, seed = 1, lambda = 0.1)
    fit <- cawi_rvfl(formula, counting(), hidden = 4, seed = 1, lambda = 0.1)
    expect_identical(count$n, 3)
    expect_equal(predict(fit, frame), predict(whole, frame), tolerance = 1e-9)
  }
})

test_that("recipes are learned from the sample", {
  skip_if_not_installed("recipes")
  recipe <- recipes::recipe(number ~ north + east + group, frame)
  recipe <- recipes::step_normalize(recipe, recipes::all_numeric_predictors())
  whole <- cawi_rvfl(recipe, frame, hidden = 4, seed = 1, lambda = 0.1)
  fit <- cawi_rvfl(recipe, cawi_source(frame, chunk = 20), hidden = 4, seed = 1, lambda = 0.1)
  expect_equal(predict(fit, frame), predict(whole, frame), tolerance = 1e-9)
})
