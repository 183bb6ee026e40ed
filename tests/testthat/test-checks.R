# Every function that takes a matrix, as a function of it, under the name of the argument.
matrix_takers <- list(
  x = function(x) cawi_pseudo_obs(x),
  x = function(x) cawi_kendall(x),
  y = function(y) cawi_kendall(1:3, y),
  x = function(x) cawi_copula(x, "gaussian"),
  x = function(x) cawi_copula(x),
  x = function(x) cawi_select(x),
  r = function(r) cawi_nearest_cor(r),
  cor = function(cor) cawi_copula_from("gaussian", dim = 3, cor = cor),
  u = function(u) cawi_density(cawi_copula_from("clayton", dim = 2, theta = 2), u)
)

bad_matrices <- list(
  "NULL" = NULL,
  "a list" = list(1, 2, 3),
  "a string" = "a",
  "a function" = sum,
  "an environment" = globalenv(),
  "a symbol" = quote(a),
  "complex numbers" = matrix(1i, 3, 3),
  "a character matrix" = matrix("1", 3, 3),
  "a matrix of lists" = matrix(list(1), 3, 3),
  "a factor" = factor(1:3),
  "dates" = as.Date("2020-01-01") + 0:2,
  "three dimensions" = array(1, c(3, 3, 3)),
  "zero rows" = matrix(0, 0, 3),
  "zero columns" = matrix(0, 3, 0),
  "nothing" = matrix(0, 0, 0),
  "an empty vector" = numeric(),
  "NA" = matrix(c(1, NA, 3, 4, 5, 6, 7, 8, 9), 3),
  "NaN" = matrix(c(1, NaN, 3, 4, 5, 6, 7, 8, 9), 3),
  "Inf" = matrix(c(1, Inf, 3, 4, 5, 6, 7, 8, 9), 3),
  "-Inf" = matrix(c(1, -Inf, 3, 4, 5, 6, 7, 8, 9), 3),
  "infinities that cancel" = matrix(c(Inf, -Inf, 3, 4, 5, 6, 7, 8, 9), 3),
  "NA in several columns" = matrix(NA_real_, 3, 3),
  "logical NA" = matrix(NA, 3, 3),
  "integer NA" = matrix(c(1L, NA, 3L), 3, 3)
)

# The whole list for the first taker of each argument, some of it for the others.
some <- c("NULL", "a character matrix", "zero rows", "zero columns", "NA", "Inf",
          "NA in several columns")

for (i in seq_along(matrix_takers)) {
  arg <- names(matrix_takers)[i]
  take <- matrix_takers[[i]]
  kinds <- if (arg %in% names(matrix_takers)[seq_len(i - 1)]) some else names(bad_matrices)
  # Without `y` tau is that of x alone.
  for (what in setdiff(kinds, if (arg == "y") "NULL")) {
    test_that(paste0("`", arg, "` is blamed by ", deparse(body(take))[1], ": ", what), {
      error <- expect_error(take(bad_matrices[[what]]), class = paste0("cawi_error_", arg))
      expect_s3_class(error, "cawi_error")
      expect_match(conditionMessage(error), paste0("`", arg, "`"), fixed = TRUE)
    })
  }
}

bad_frames <- list(
  letters = data.frame(good = 1:3, letters = c("a", "b", "c")),
  kind = data.frame(good = 1:3, kind = factor(1:3)),
  day = data.frame(good = 1:3, day = as.Date("2020-01-01") + 0:2),
  nested = data.frame(good = 1:3, nested = I(list(1, 2, 3))),
  holes = data.frame(good = 1:3, holes = c(1, NA, 2)),
  wide = data.frame(good = 1:3, wide = c(1, Inf, 2))
)

for (column in names(bad_frames)) {
  test_that(paste("the message names the column", column), {
    for (i in match(c("x", "y"), names(matrix_takers))) {
      error <- expect_error(matrix_takers[[i]](bad_frames[[column]]),
                            class = paste0("cawi_error_", names(matrix_takers)[i]))
      expect_match(conditionMessage(error), paste0("\"", column, "\""), fixed = TRUE)
      expect_no_match(conditionMessage(error), "good")
    }
  })
}

test_that("all offending columns are named, by number where they have no names", {
  x <- matrix(c(1, NA, 1, 2, Inf, 3), 2)
  error <- expect_error(cawi_kendall(x), class = "cawi_error_x")
  expect_match(conditionMessage(error), "columns 1 and 3", fixed = TRUE)
  colnames(x) <- c("a", "b", "c")
  error <- expect_error(cawi_kendall(x), class = "cawi_error_x")
  expect_match(conditionMessage(error), "columns \"a\" and \"c\"", fixed = TRUE)
})

test_that("finite data whose sum overflows are accepted", {
  x <- cbind(c(1e308, 1.1e308, 1.2e308), c(1, 2, 3))
  expect_identical(cawi_kendall(x)[1, 2], 1)
})

test_argument_errors(alist(
  threads = cawi_kendall(1:3, threads = 0),
  threads = cawi_kendall(1:3, threads = -1),
  threads = cawi_kendall(1:3, threads = 1.5),
  threads = cawi_kendall(1:3, threads = NA),
  threads = cawi_kendall(1:3, threads = "two"),
  threads = cawi_kendall(1:3, threads = c(1, 2)),
  threads = cawi_kendall(1:3, threads = 1e6),
  threads = cawi_kendall(1:3, threads = Inf),
  threads = cawi_kendall(1:3, threads = sum),
  CAWI_NUM_THREADS = with_environment_variable("CAWI_NUM_THREADS", "abc", cawi_kendall(1:3)),
  CAWI_NUM_THREADS = with_environment_variable("CAWI_NUM_THREADS", "0", cawi_kendall(1:3)),
  CAWI_NUM_THREADS = with_environment_variable("CAWI_NUM_THREADS", "1.5", cawi_kendall(1:3)),
  cawi.threads = with_option("cawi.threads", "many", cawi_kendall(1:3)),
  cawi.threads = with_option("cawi.threads", 0, cawi_kendall(1:3))
))

clayton <- cawi_copula_from("clayton", dim = 2, theta = 2)

test_argument_errors(alist(
  seed = simulate(clayton, 3, seed = -1),
  seed = simulate(clayton, 3, seed = 1.5),
  seed = simulate(clayton, 3, seed = NA),
  seed = simulate(clayton, 3, seed = NaN),
  seed = simulate(clayton, 3, seed = Inf),
  seed = simulate(clayton, 3, seed = 2^53),
  seed = simulate(clayton, 3, seed = "one"),
  seed = simulate(clayton, 3, seed = c(1, 2)),
  seed = simulate(clayton, 3, seed = list(1)),
  seed = simulate(clayton, 3, seed = sum)
))

test_that("messages of checks", {
  local_reproducible_output()
  expect_snapshot(show_error(cawi_kendall(matrix("a", 2, 2))))
  expect_snapshot(show_error(cawi_kendall(data.frame(a = 1:2, b = c("x", "y"), c = factor(1:2)))))
  expect_snapshot(show_error(cawi_kendall(cbind(a = c(1, NA), b = 1:2))))
  expect_snapshot(show_error(cawi_kendall(matrix(0, 0, 2))))
  expect_snapshot(show_error(simulate(clayton, -1)))
  expect_snapshot(show_error(simulate(clayton, 1, threads = 0)))
  expect_snapshot(show_error(cawi_pseudo_obs(1:3, ties = "max")))
  expect_snapshot(show_error(cawi_copula(iris[, 1:4], reflect = "yes")))
})

test_that("finite numbers are told from others at every place, whatever their size", {
  for (n in c(0, 1, 3, 7, 8, 9, 16, 33)) {
    x <- rep(c(1e308, -1e308, 5e-324, 0), length.out = n)
    expect_true(all_finite_cpp(x))
    for (at in seq_len(n)) for (value in c(NA, NaN, Inf, -Inf)) {
      expect_false(all_finite_cpp(replace(x, at, value)))
    }
  }
})

test_that("messages have the range and the size that was asked for", {
  expect_error(check_number("a", "x"), "one number, finite", class = "cawi_error_x")
  expect_error(check_number(0, "x", min = 1), "at least 1", class = "cawi_error_x")
  expect_error(check_indicators(1001, 1e6, NULL, "y"), "7.46 GB", class = "cawi_error_y")
  expect_null(check_indicators(1000, 1e6, NULL, "y"))
  expect_error(check_result_size(1e12, 1, "n"), "7451 GB", class = "cawi_error_n")
})

test_that("whole numbers are single, finite, not broken and large enough", {
  expect_true(is_whole(2, 2))
  for (other in list("a", c(1, 2), NA_real_, Inf, 2.5, 1, NULL)) expect_false(is_whole(other, 2))
})

test_that("numbers of any kind become doubles", {
  expect_type(as_numeric_matrix(1:3, "x", NULL), "double")
  expect_type(as_numeric_matrix(matrix(c(TRUE, FALSE)), "x", NULL), "double")
  expect_type(as_numeric_matrix(data.frame(a = 1:2), "x", NULL), "double")
})

test_that("words and flags lose dimensions and names", {
  expect_identical(check_choice(array("b", c(1, 1)), c("a", "b"), "arg"), "b")
  expect_identical(check_flag(c(a = TRUE), "arg"), TRUE)
  grid <- cawi_grid(hidden = 3, lambda = c(0.1, 1))
  tune <- function(metric) {
    cawi_tune(small_x(), small_y("classification"), grid = grid, metric = metric, seed = 1)
  }
  expect_identical(tune(array("log_loss", c(1, 1, 1)))$results, tune("log_loss")$results)
})

test_that("a number that is a formal object becomes a plain one", {
  expect_false(isS4(check_number(asS4(0.5), "scale")))
  expect_false(isS4(check_count(asS4(2), "hidden")))
  fit <- cawi_elm(iris[, 1:2], iris$Sepal.Width, hidden = 3, strength = asS4(0), seed = 1)
  expect_length(predict(fit, iris[1:3, 1:2]), 3)
})

test_that("numbers, flags, words and matrices of odd classes and formal objects become plain", {
  expect_identical(check_flag(asS4(FALSE), "arg"), FALSE)
  expect_identical(check_flag(structure(TRUE, class = "odd"), "arg"), TRUE)
  expect_identical(check_case_weights(asS4(c(1, 2)), 2, NULL), c(1, 2))
  expect_identical(check_case_weights(structure(c(1, 2), class = "odd"), 2, NULL), c(1, 2))
  plain <- matrix(c(1, 2, 3, 4), 2, dimnames = list(NULL, c("a", "b")))
  odd <- list(asS4(plain), structure(plain, class = "odd"), structure(plain, more = globalenv()),
              structure(plain, class = c("odd", "matrix", "array")))
  for (x in odd) expect_identical(as_numeric_matrix(x, "x", NULL), plain)
  classed <- methods::setClass("ClassedNumber", contains = "numeric", slots = c(unit = "function"))
  on.exit(methods::removeClass("ClassedNumber"))
  expect_identical(check_number(classed(0.5, unit = sum), "arg"), 0.5)
})

test_that("models from odd classes and formal objects are those from plain values", {
  x <- as.matrix(iris[1:30, 1:3])
  y <- iris$Petal.Width[1:30]
  sound <- cawi_elm(x, y, hidden = 3, seed = 1)
  others <- list(
    cawi_elm(asS4(x), y, hidden = asS4(3L), intercept = asS4(TRUE), standardize = asS4(TRUE),
             seed = 1),
    cawi_elm(structure(x, class = c("odd", class(x))), asS4(y), hidden = 3, seed = 1,
             direct = asS4(FALSE), activation = asS4("sigmoid"), init = c(a = "iid")),
    cawi_elm(structure(x, source = globalenv()), structure(cbind(y)[, 1], source = globalenv()),
             hidden = 3, seed = 1)
  )
  for (other in others) expect_identical(predict(other, x), predict(sound, x))
  weighted <- cawi_elm(x, y, hidden = 3, case_weights = asS4(as.double(1:30)), seed = 1)
  expect_identical(predict(weighted, x),
                   predict(cawi_elm(x, y, hidden = 3, case_weights = 1:30, seed = 1), x))
  automatic <- cawi_auto(asS4(x), y, budget = 2, draws = 1, models = asS4("rvfl"),
                         init = c(a = "gaussian"), hidden = 3, seed = 1)
  expect_length(predict(automatic, x), 30)
})
