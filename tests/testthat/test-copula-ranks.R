test_that("values worked by hand", {
  expect_equal(cawi_pseudo_obs(c(3, 1, 1, 2))[, 1], c(4, 1.5, 1.5, 3) / 5)
  expect_equal(cawi_pseudo_obs(c(3, 1, 1, 2), ties = "first")[, 1], c(4, 1, 2, 3) / 5)
  expect_equal(cawi_pseudo_obs(7)[, 1], 0.5)
})

# 399 to 401 rows: a comparison sort below 400, a radix sort from there on.
for (m in c(2, 3, 50, 399, 400, 401, 5000)) {
  test_that(paste("average and first ranks equal rank() at m =", m), {
    x <- tied_data(m)
    expect_equal(cawi_pseudo_obs(x), apply(x, 2, rank) / (m + 1))
    expect_equal(cawi_pseudo_obs(x, ties = "first"),
                 apply(x, 2, rank, ties.method = "first") / (m + 1))
  })
}

test_that("signs, sizes and last bits of numbers are ordered as numbers", {
  values <- c(-1e308, -2, -1, -5e-324, 0, 5e-324, 1 - 2^-53, 1, 1 + 2^-52, 1e308)
  x <- rep(values, 50)[order(lehmer(500, 2))]
  expect_equal(cawi_pseudo_obs(x)[, 1], rank(x) / 501)
})

test_that("minus zero and zero are tied", {
  expect_equal(cawi_pseudo_obs(c(-0, 0, 1, -1))[, 1], c(2.5, 2.5, 4, 1) / 5)
  many <- rep(c(-0, 0), 300)
  expect_equal(unique(cawi_pseudo_obs(many)[, 1]), 0.5)
})

test_that("values are inside the unit interval and ignore increasing maps", {
  x <- tied_data(300)
  u <- cawi_pseudo_obs(x)
  expect_true(all(u > 0 & u < 1))
  expect_identical(cawi_pseudo_obs(x^3), u)
  # Averages are symmetric: the mean rank is the middle.
  expect_equal(unname(colMeans(u)), rep(0.5, ncol(x)))
  expect_equal(cawi_pseudo_obs(-x), 1 - u)
})

test_that("random ties permute inside the groups of ties", {
  x <- tied_data(200)
  u <- cawi_pseudo_obs(x, ties = "random", seed = 5)
  average <- cawi_pseudo_obs(x)
  for (j in seq_len(ncol(x))) {
    expect_equal(sort(u[, j]), seq_len(200) / 201)
    expect_equal(stats::ave(u[, j], x[, j]), average[, j])
  }
  expect_identical(u[, "continuous"], average[, "continuous"])
})

test_that("random ties are in every order equally often", {
  orders <- vapply(1:600, function(seed) {
    paste(cawi_pseudo_obs(c(1, 1, 1), ties = "random", seed = seed)[, 1] * 4, collapse = "")
  }, "")
  counts <- table(factor(orders, c("123", "132", "213", "231", "312", "321")))
  expect_identical(sum(counts), 600L)
  expect_gt(stats::chisq.test(counts)$p.value, 1e-4)
  # Equal columns are broken differently.
  u <- cawi_pseudo_obs(matrix(1, 50, 2), ties = "random", seed = 1)
  expect_false(identical(u[, 1], u[, 2]))
})

test_that("the seed or set.seed() governs random ties", {
  x <- tied_data(100)
  random <- function(seed = NULL) cawi_pseudo_obs(x, ties = "random", seed = seed)
  expect_identical(random(3), random(3))
  expect_false(identical(random(3), random(4)))
  expect_generator_untouched(random(3))
  set.seed(1)
  first <- random()
  second <- random()
  set.seed(1)
  expect_identical(random(), first)
  expect_false(identical(first, second))
})

test_that("without random ties R's generator stays where it is", {
  expect_generator_untouched(cawi_pseudo_obs(tied_data(50)))
  expect_generator_untouched(cawi_pseudo_obs(tied_data(50), ties = "first"))
})

test_that("the number of threads does not change ranks", {
  x <- tied_data(500)
  for (ties in c("average", "first", "random")) {
    one <- cawi_pseudo_obs(x, ties, seed = 1, threads = 1)
    expect_identical(cawi_pseudo_obs(x, ties, seed = 1, threads = 2), one)
    expect_identical(cawi_pseudo_obs(x, ties, seed = 1, threads = 4), one)
  }
})

test_that("names and data frames come along", {
  expect_identical(cawi_pseudo_obs(iris[, 1:4]), cawi_pseudo_obs(as.matrix(iris[, 1:4])))
  expect_identical(colnames(cawi_pseudo_obs(iris[, 1:4])), names(iris)[1:4])
  x <- matrix(1:4, 2, dimnames = list(c("a", "b"), NULL))
  expect_identical(rownames(cawi_pseudo_obs(x)), c("a", "b"))
})

test_argument_errors(alist(
  ties = cawi_pseudo_obs(1:3, ties = "max"),
  ties = cawi_pseudo_obs(1:3, ties = c("first", "random")),
  ties = cawi_pseudo_obs(1:3, ties = NA),
  ties = cawi_pseudo_obs(1:3, ties = 1),
  seed = cawi_pseudo_obs(1:3, ties = "random", seed = -1),
  threads = cawi_pseudo_obs(1:3, threads = 0)
))
