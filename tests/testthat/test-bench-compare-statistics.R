test_that("signed-rank probabilities are exact for few gains and those of stats for many", {
  gain <- c(-1.3, 0.4, 2.2, 3.7, 1.9, -0.6, 5.1, 2.8, 0.9, 1.4, 4.4, -2.1)
  expect_equal(signed_rank_test(gain)$p, stats::wilcox.test(gain, exact = TRUE)$p.value)
  # Five equal gains: one of 32 signs on each side.
  expect_equal(signed_rank_test(rep(1, 5))$p, 2 / 32)
  expect_equal(signed_rank_test(c(1, 2, 3))$p, 2 / 8)
  expect_equal(signed_rank_test(c(0, 0, 1, -1))$p, 1)
  many <- sin(1:80) + 0.1
  expect_equal(signed_rank_test(many)[["p"]], stats::wilcox.test(many, exact = FALSE)$p.value)
})

test_that("the Hodges-Lehmann estimate is that of stats", {
  gain <- c(-1.3, 0.4, 2.2, 3.7, 1.9, -0.6, 5.1, 2.8, 0.9, 1.4, 4.4, -2.1)
  peer <- suppressWarnings(stats::wilcox.test(gain, conf.int = TRUE, exact = TRUE))
  found <- hodges_lehmann(gain, 0.95)
  expect_equal(found[["estimate"]], unname(peer$estimate))
  expect_equal(unname(found[c("low", "high")]), as.numeric(peer$conf.int), tolerance = 0.15)
})

# The figures from the list of all pairs and from all shares at once, as matrices.
slow_hodges_lehmann <- function(gain, level) {
  means <- outer(gain, gain, `+`) / 2
  means <- sort(means[lower.tri(means, diag = TRUE)])
  n <- length(gain)
  half <- stats::qnorm((1 + level) / 2) * sqrt(n * (n + 1) * (2 * n + 1) / 24)
  first <- max(1, floor(n * (n + 1) / 4 - half))
  c(estimate = stats::median(means), low = means[first], high = means[length(means) + 1 - first])
}

slow_shares <- function(count, draws, seed, first = 1) {
  u <- simulate(cawi_copula_from("independence", count), draws, seed = seed)
  g <- -log(u)
  if (first != 1) g[, 1L] <- stats::qgamma(u[, 1L], first)
  g / rowSums(g)
}

slow_signed_rank <- function(gain, rope, seed) {
  z <- c(0, gain)
  sums <- outer(z, z, `+`)
  shares <- slow_shares(length(z), 4000, seed, first = 0.5)
  share <- function(region) rowSums((shares %*% region) * shares)
  theta <- cbind(below = share(sums < -2 * rope), above = share(sums > 2 * rope))
  theta <- cbind(theta, within = 1 - rowSums(theta))
  winner <- max.col(theta, "first")
  c(below = mean(winner == 1L), within = mean(winner == 3L), above = mean(winner == 2L))
}

some_gains <- list(
  few = c(-1, 2, 5), one = c(0, 0, 0, 3), zeros = numeric(9),
  tied = rep(c(-0.2, 0.1, 0.1, 0.3), 12),
  plain = bell(101) / 2^33, coarse = round(bell(80, 3) / 2^32, 1),
  far = c(bell(30, 5) / 2^33, 1e300, -1e-300)
)

for (name in names(some_gains)) {
  test_that(paste("figures are those of the list of all pairs:", name), {
    gain <- some_gains[[name]]
    for (level in c(0.5, 0.95, 0.999)) {
      expect_identical(hodges_lehmann(gain, level), slow_hodges_lehmann(gain, level))
    }
    for (rope in c(0, 0.1, 1)) {
      expect_equal(bayesian_signed_rank(gain, rope, 3), slow_signed_rank(gain, rope, 3),
                   tolerance = 1e-12)
    }
    shares <- slow_shares(length(gain), 4000, 3)
    expect_equal(bootstrap_mean(gain, 0.9, 3),
                 stats::quantile(shares %*% gain, c(0.05, 0.95), names = FALSE),
                 tolerance = 1e-12)
  })

  test_that(paste("means of pairs are found without their list:", name), {
    gain <- some_gains[[name]]
    means <- outer(gain, gain, `+`) / 2
    means <- sort(means[lower.tri(means, diag = TRUE)])
    values <- distinct_gains(gain)
    for (place in unique(round(seq(1, length(means), length.out = 40)))) {
      expect_identical(pairwise_mean(values, place, most = 3), means[place])
    }
  })
}

test_that("losses are as rare as gains", {
  # All seven, five or three signs are below zero: one of 2^n on each side.
  for (n in c(3, 5, 7)) expect_equal(signed_rank_test(-seq_len(n))$p, 2 / 2^n)
  gain <- c(-1.3, 0.4, -2.2, -3.7, -1.9, 0.6, -5.1)
  expect_equal(signed_rank_test(gain)$p, stats::wilcox.test(gain, exact = TRUE)$p.value)
  expect_equal(signed_rank_test(gain)$p, signed_rank_test(-gain)$p)
})
