# Ten sets and three methods with figures that are easy to follow by hand.
table <- cbind(base = c(70, 71, 72, 73, 74, 75, 76, 77, 78, 79),
               same = c(70, 71, 72, 73, 74, 75, 76, 77, 78, 79),
               better = c(71, 73, 75, 77, 79, 81, 83, 85, 87, 78))

test_that("the signed-rank test is that of stats", {
  gain <- table[, "better"] - table[, "base"]
  pair <- cawi_compare(table, "base")$pairs[2, ]
  # Ranks of |1, 2, ..., 9, -1|: the two ones share 1.5, so W = 55 - 1.5.
  expect_equal(pair$w, 53.5)
  # Exact: all 2^10 signs of the ranks.
  ranks <- rank(abs(gain))
  sums <- as.matrix(expand.grid(rep(list(0:1), 10))) %*% ranks
  expect_equal(pair$p, 2 * mean(sums >= 53.5))
  expect_equal(c(pair$wins, pair$ties, pair$losses), c(9, 0, 1))
  expect_equal(pair$gain, 4.4)
})

test_that("methods that are tied on all sets have no Friedman statistic against them", {
  tied <- cawi_compare(cbind(a = c(1, 2, 3, 4), b = c(1, 2, 3, 4)))
  expect_identical(tied$friedman[c("chi_squared", "p", "f_p")],
                   list(chi_squared = 0, p = 1, f_p = 1))
})

test_that("no difference at all is no evidence", {
  pair <- cawi_compare(table, "base")$pairs[1, ]
  expect_equal(c(pair$gain, pair$low, pair$high, pair$w, pair$p, pair$ties), c(0, 0, 0, 0, 1, 10))
  expect_equal(c(pair$p_below, pair$p_rope, pair$p_above), c(0, 1, 0))
})

test_that("Friedman and Nemenyi have the values of Demsar (2006)", {
  # Table 6 there: four versions of a learner on fourteen sets.
  auc <- rbind(c(.763, .768, .771, .798), c(.599, .591, .590, .569), c(.954, .971, .968, .967),
               c(.628, .661, .654, .657), c(.882, .888, .886, .898), c(.936, .931, .916, .931),
               c(.661, .668, .609, .685), c(.583, .583, .563, .625), c(.775, .838, .866, .875),
               c(1, 1, 1, 1), c(.940, .962, .965, .962), c(.619, .666, .614, .669),
               c(.972, .981, .9751, .975), c(.957, .978, .946, .970))
  colnames(auc) <- c("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")
  result <- cawi_compare(auc)
  expect_equal(unname(result$ranks), c(3.143, 2.000, 2.893, 1.964), tolerance = 1e-3)
  # The paper's statistic is without the correction for ties.
  plain <- 12 * 14 / (4 * 5) * (sum(result$ranks^2) - 4 * 25 / 4)
  expect_equal(plain, 9.28, tolerance = 1e-3)
  expect_equal(result$friedman$chi_squared, unname(stats::friedman.test(auc)$statistic))
  expect_equal(result$critical_difference, 2.569 * sqrt(4 * 5 / (6 * 14)), tolerance = 1e-3)
  expect_equal(nemenyi_difference(4, 14, 0.9), 1.12, tolerance = 5e-3)
})

test_that("a clear gain is certain, a rope that holds it is too", {
  gain <- rep(c(1, 1.2, 0.8), 10)
  expect_equal(bayesian_signed_rank(gain, 0, 1)[["above"]], 1)
  expect_equal(bayesian_signed_rank(gain, 3, 1)[["within"]], 1)
  expect_equal(bayesian_signed_rank(-gain, 0, 1)[["below"]], 1)
  fair <- bayesian_signed_rank(c(-3:-1, 1:3), 0, 1)
  expect_equal(fair[["above"]], 0.5, tolerance = 0.1)
  expect_equal(sum(fair), 1)
})

test_that("the bootstrap interval is that of the mean", {
  gain <- sin(1:200)
  bounds <- bootstrap_mean(gain, 0.95, 1)
  half <- stats::qnorm(0.975) * stats::sd(gain) / sqrt(200)
  expect_equal(bounds, mean(gain) + c(-half, half), tolerance = 0.1)
  expect_identical(bounds, bootstrap_mean(gain, 0.95, 1))
})

test_that("many rows are compared, whatever the number of threads", {
  skip_on_cran()
  # The list of all pairs would be 3 GB.
  n <- 2e4
  noise <- matrix(lehmer(2 * n) / 2^31, n)
  table <- cbind(a = noise[, 1], b = noise[, 1] + noise[, 2] - 0.49, c = round(noise[, 2], 2))
  found <- cawi_compare(table)
  # Uniform gains around 0.01: mean, median of pairs and their intervals are all near it.
  expect_lt(abs(found$pairs$gain[1] - 0.01), 0.01)
  expect_lt(abs(found$pairs$typical[1] - 0.01), 0.01)
  expect_true(found$pairs$typical_low[1] < 0.01 && found$pairs$typical_high[1] > 0.01)
  few <- table[1:500, ]
  expect_identical(with_option("cawi.threads", 1, cawi_compare(few, seed = 1)),
                   with_option("cawi.threads", 2, cawi_compare(few, seed = 1)))
})

test_that("a seed gives the same and leaves R's generator alone; without one set.seed() governs", {
  expect_generator_untouched(cawi_compare(table, seed = 3))
  expect_identical(cawi_compare(table, seed = 3), cawi_compare(table, seed = 3))
  set.seed(5)
  first <- cawi_compare(table)
  expect_false(identical(cawi_compare(table), first))
  set.seed(5)
  expect_identical(cawi_compare(table), first)
})

test_that("a comparison prints its figures", {
  expect_output(print(cawi_compare(table, "base")), "3 methods over 10 data sets, against base")
  expect_output(print(cawi_compare(table, "base")), "critical difference")
})

test_argument_errors(alist(
  table = cawi_compare(table[1:2, ]),
  table = cawi_compare(table[, 1, drop = FALSE]),
  table = cawi_compare(unname(table)),
  table = cawi_compare(matrix(NA_real_, 5, 2, dimnames = list(NULL, c("a", "b")))),
  baseline = cawi_compare(table, "none"),
  level = cawi_compare(table, level = 2),
  rope = cawi_compare(table, rope = -1)
))

test_that("gains that differ by rounding are ties", {
  # One row more or less of 150: four gains of one size share the rank 2.5, and three of them are
  # positive.
  hits <- cbind(iid = c(110, 120, 130, 140), g = c(111, 119, 131, 141))
  for (table in list(100 * hits / 150, hits / 150, 1e-5 * hits / 150, 1e9 * hits / 150)) {
    pair <- cawi_compare(table)$pairs
    expect_identical(pair$w, 7.5)
    expect_equal(pair$p, 2 * (1 + 4) / 16)
  }
  # Sums in another order.
  expect_identical(cawi_compare(cbind(a = c(0.3, 1, 2), b = c(0.1 + 0.2, 1, 2)))$pairs$ties, 3L)
})

test_that("sets that all agree have an infinite F", {
  table <- matrix(rep(c(4, 4, 2, 2, 4, 4), each = 21), 21, dimnames = list(NULL, letters[1:6]))
  found <- cawi_compare(table)$friedman
  expect_identical(found$f, Inf)
  expect_identical(found$f_p, 0)
})

test_that("tables that are none are refused", {
  expect_error(cawi_compare(), class = "cawi_error_table")
  expect_error(cawi_compare(NULL), class = "cawi_error")
  for (names in list(c("a", ""), c("a", NA), c("a", "a"), NULL)) {
    expect_error(cawi_compare(matrix(1:6, 3, dimnames = list(NULL, names))),
                 class = "cawi_error_table")
  }
})

test_that("ties are told by the size of their own set, not of others", {
  # The second method is better on all seven sets.
  m <- cbind(a = -c(2e6, .5, .3, .2, .8, .7, .6),
             b = -c(1.9e6, .4999, .2999, .1999, .7999, .6999, .5999))
  found <- cawi_compare(m)
  expect_identical(found$pairs$wins, 7L)
  # The six small gains are one size.
  expect_equal(found$pairs$p, 2 / 2^7)
  expect_equal(found$friedman$p, stats::friedman.test(m)$p.value)
  tiny <- cbind(a = c(1, 2, 3) * 1e-305, b = c(2, 3, 4) * 1e-305)
  expect_identical(cawi_compare(tiny)$pairs$wins, 3L)
})

test_that("figures on both sides of a rounded number are ties", {
  a <- c(100, 50.09765625, 70.09765625, 33.30078125, 80.5)
  found <- cawi_compare(cbind(a = a, b = a + c(0, 2e-14, 2e-14, 2e-14, 0)))
  expect_identical(found$pairs$ties, 5L)
  expect_equal(unname(found$ranks), c(1.5, 1.5))
  expect_identical(joined(c(3, 1, 1 + 1e-12, 2), 1e-10)[c(1, 4)], c(3, 2))
})

test_that("the statistic of Iman and Davenport has the distribution that Demsar gives it", {
  # Ranks of three methods on four sets: 1 2 3, 1 3 2, 2 1 3, 1 2 3.
  ranks <- rbind(1:3, c(1, 3, 2), c(2, 1, 3), 1:3)
  found <- cawi_compare(structure(-ranks, dimnames = list(NULL, c("a", "b", "c"))))$friedman
  chi <- 12 * 4 / (3 * 4) * (sum(colMeans(ranks)^2) - 3 * 4^2 / 4)
  expect_equal(found$chi_squared, chi)
  expect_equal(found$f, 3 * chi / (4 * 2 - chi))
  # F with 2 and 6 degrees of freedom: 1 - P = (1 + f / 3)^-3.
  expect_equal(found$f_p, (1 + found$f / 3)^-3)
})

test_that("a comparison with one pair of figures that cannot be is refused", {
  whole <- cawi_compare(table, "base")
  for (edit in list(
    list("low", 1e9), list("typical_low", 1e9), list("typical_high", -1e9), list("p", 1.5),
    list("p", -0.5), list("p_above", 2), list("w", -1), list("w", 56), list("wins", 99)
  )) for (row in 1:2) {
    damaged <- whole
    damaged$pairs[row, edit[[1]]] <- edit[[2]]
    expect_error(print(damaged), class = "cawi_error", label = paste(edit[[1]], row))
  }
  expect_output(print(whole))
})

test_that("a comparison whose number of sets has dimensions or names is refused", {
  comparison <- cawi_compare(cbind(a = c(1, 2, 4, 3), b = c(2, 1, 5, 9)), seed = 1)
  for (part in list(array(4, 1), c(n = 4))) {
    edited <- comparison
    edited$sets <- part
    expect_error(print(edited), class = "cawi_error_x")
  }
  comparison$level <- c(a = 0.95)
  expect_error(print(comparison), class = "cawi_error_x")
})
