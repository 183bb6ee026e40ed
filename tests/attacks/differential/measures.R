# Measures of predictions and tests of comparisons beside their definitions.

# Over all pairs of a row that has the class and one that has not.
pairwise_area <- function(score, positive, weight) {
  total <- won <- 0
  for (i in which(positive)) {
    for (j in which(!positive)) {
      w <- weight[i] * weight[j]
      total <- total + w
      won <- won + w * ((score[i] > score[j]) + (score[i] == score[j]) / 2)
    }
  }
  won / total
}

slow_area <- function(truth, prob, weight) {
  present <- which(tabulate(truth, nlevels(truth)) > 0L)
  if (length(present) < 2L) return(NA_real_)
  if (nlevels(truth) == 2L) return(pairwise_area(prob[, 2L], as.integer(truth) == 2L, weight))
  areas <- c()
  for (a in present) {
    for (b in present[present > a]) {
      rows <- as.integer(truth) %in% c(a, b)
      one <- function(k) pairwise_area(prob[rows, k], as.integer(truth)[rows] == k, weight[rows])
      areas <- c(areas, (one(a) + one(b)) / 2)
    }
  }
  mean(areas)
}

# The two-sided p-value of all signs of the ranks.
enumerated_p <- function(gain) {
  gain <- gain[gain != 0]
  n <- length(gain)
  if (n == 0L) return(1)
  ranks <- rank(abs(gain))
  signs <- as.matrix(expand.grid(rep(list(0:1), n)))
  sums <- drop(signs %*% ranks)
  w <- sum(ranks[gain > 0])
  min(1, 2 * min(mean(sums <= w + 1e-9), mean(sums >= w - 1e-9)))
}

any_gain <- function(n) {
  gain <- stats::rnorm(n, stats::rnorm(1L, 0, 0.5))
  if (chance(0.5)) gain <- round(gain, 1L)
  if (chance(0.3)) gain[sample.int(n, 1L)] <- 0
  gain
}

measures_routines <- list(
  area_under_curve = routine(
    "all pairs of rows", 1e-14, "sums of products of weights",
    function() {
      n <- whole_between(2L, 15L)
      k <- whole_between(2L, 4L)
      truth <- factor(sample.int(k, n, TRUE), seq_len(k))
      prob <- matrix(stats::runif(n * k), n)
      if (chance(0.5)) prob <- round(prob, 1L)
      prob <- if (k == 2L) cbind(1 - prob[, 2L], prob[, 2L]) else prob
      weight <- any_weights(n)
      weight <- if (is.null(weight)) rep(1, n) else weight
      gap(area_under_curve(truth, prob, weight), slow_area(truth, prob, weight))
    }
  ),
  metric_values = routine(
    "weighted means and their standard errors", 1e-9,
    "the variance is a difference of two sums: half the digits where it is next to nothing",
    function() {
      n <- whole_between(2L, 30L)
      loss <- stats::rexp(n)
      weight <- any_weights(n)
      weight <- if (is.null(weight)) rep(1, n) else weight
      name <- one_of(c("rmse", "brier"))
      metric <- list(name = name, loss = if (name == "rmse") "squared" else name)
      losses <- list(sum = list(), square = list())
      losses$sum[[metric$loss]] <- sum(weight * loss)
      losses$square[[metric$loss]] <- sum(weight * loss^2)
      found <- metric_values(metric, losses, sum(weight), n)
      mean <- stats::weighted.mean(loss, weight)
      se <- sqrt(stats::weighted.mean((loss - mean)^2, weight) / max(n - 1, 1))
      wanted <- if (metric$name == "rmse") c(sqrt(mean), se / 2 / sqrt(mean)) else c(mean, se)
      gap(c(found$mean, found$se), wanted, max(wanted))
    }
  ),
  group_error = routine(
    "the deviation of a ratio of sums over groups", 1e-9, "as metric_values",
    function() {
      groups <- whole_between(2L, 8L)
      weight <- stats::rexp(groups) + 0.1
      sums <- stats::rexp(groups)
      mean <- sum(sums) / sum(weight)
      wanted <- sqrt(sum((sums - mean * weight)^2) * groups / (groups - 1)) / sum(weight)
      gap(group_error(mean, sum(sums^2), sum(sums * weight), weight), wanted, max(wanted, mean))
    }
  ),
  signed_rank_enumerated = routine(
    "all signs of the ranks", 1e-13, "sums of halves",
    function() {
      gain <- any_gain(whole_between(1L, 9L))
      gap(signed_rank_test(gain)$p, enumerated_p(gain))
    }
  ),
  signed_rank_peer = routine(
    "wilcox.test()", 1e-12, "sums of at most fifty halves; equal formulas from fifty gains on",
    function() {
      gain <- stats::rnorm(whole_between(1L, 60L), 0.2)
      peer <- suppressWarnings(stats::wilcox.test(gain, exact = length(gain) < 50L))
      found <- signed_rank_test(gain)
      max(gap(found$p, peer$p.value), gap(found$w, unname(peer$statistic), 1))
    }
  ),
  hodges_lehmann = routine(
    "all pairwise means, sorted", 1e-15, "a mean of two numbers",
    function() {
      gain <- any_gain(whole_between(1L, 25L))
      n <- length(gain)
      level <- stats::runif(1L, 0.5, 0.99)
      means <- outer(gain, gain, `+`) / 2
      means <- sort(means[lower.tri(means, diag = TRUE)])
      half <- stats::qnorm((1 + level) / 2) * sqrt(n * (n + 1) * (2 * n + 1) / 24)
      first <- max(1, floor(n * (n + 1) / 4 - half))
      wanted <- c(stats::median(means), means[first], rev(means)[first])
      gap(hodges_lehmann(gain, level), wanted, max(abs(gain), 1))
    }
  ),
  pairwise_mean_split = routine(
    "all pairwise means, sorted", 1e-15, "a mean of two numbers",
    function() {
      gain <- any_gain(whole_between(1L, 25L))
      values <- distinct_gains(gain)
      means <- outer(gain, gain, `+`) / 2
      means <- sort(means[lower.tri(means, diag = TRUE)])
      place <- whole_between(1L, length(means))
      gap(pairwise_mean(values, place, most = whole_between(1L, 20L)), means[place],
          max(abs(gain), 1))
    }
  ),
  means_below = routine(
    "counts of all pairs", 0, "comparisons",
    function() {
      z <- sort(any_gain(whole_between(1L, 20L)))
      limit <- if (chance(0.5)) (one_of(z) + one_of(z)) / 2 else stats::rnorm(1L)
      strict <- chance(0.5)
      wanted <- vapply(z, function(a) {
        sum(if (strict) (a + z) / 2 < limit else (a + z) / 2 <= limit)
      }, numeric(1))
      gap(means_below_cpp(z, limit, strict), wanted, 1)
    }
  ),
  friedman = routine(
    "ranks and sums of squares", 1e-12, "a ratio of sums; F in units of its condition",
    function() {
      n <- whole_between(2L, 12L)
      k <- whole_between(2L, 6L)
      table <- normal_matrix(n, k)
      if (chance(0.5)) table <- round(table)
      ranks <- t(apply(-table, 1L, rank))
      mean <- (k + 1) / 2
      between <- n * sum((colMeans(ranks) - mean)^2)
      within <- sum((ranks - mean)^2) / (n * (k - 1))
      chi <- if (within > 0) between / within else 0
      found <- friedman_test(table)
      left <- n * (k - 1) - chi
      f <- if (left > 1e-9) (n - 1) * chi / left
      max(gap(found$ranks, colMeans(ranks), k), gap(found$chi_squared, chi, max(chi, 1)),
          gap(found$p, stats::pchisq(chi, k - 1, lower.tail = FALSE), 1),
          if (!is.null(f)) gap(found$f, f, max(f, 1) * (1 + n * (k - 1) / left)))
    }
  ),
  nemenyi = routine(
    "the studentized range, inverted", 1e-6,
    "ptukey() is good to some ten digits, qtukey() to fewer: six digits of the probability",
    function() {
      k <- whole_between(2L, 10L)
      n <- whole_between(2L, 100L)
      level <- one_of(c(0.9, 0.95, 0.99))
      difference <- nemenyi_difference(k, n, level)
      q <- difference * sqrt(2) / sqrt(k * (k + 1) / (6 * n))
      gap(stats::ptukey(q, k, Inf), level)
    }
  ),
  bootstrap_mean = routine(
    "moments of Dirichlet weights", 8, "digits of the chance of such a mean",
    function() {
      gain <- any_gain(whole_between(2L, 20L))
      means <- bootstrap_means_cpp(gain, 4000L, whole_between(1L, 1e6L), 1L)
      n <- length(gain)
      spread <- sqrt(mean((gain - mean(gain))^2) / (n + 1))
      if (spread == 0) return(if (max(abs(means - mean(gain))) < 1e-12) 0 else Inf)
      z <- (mean(means) - mean(gain)) / (spread / sqrt(4000))
      variance <- (stats::var(means) / spread^2 - 1) / sqrt(8 / 4000)
      holds(means >= min(gain) - 1e-12, means <= max(gain) + 1e-12) +
        as_digits(2 * stats::pnorm(-abs(c(z, variance / 2))))
    }, "draws"
  ),
  signed_rank_shares = routine(
    "counts that sum to one, by the shares of the gains", 1e-14, "sums of products of shares",
    function() {
      gain <- c(0, any_gain(whole_between(1L, 12L)))
      rope <- stats::runif(1L, 0, 0.5)
      shares <- signed_rank_shares_cpp(gain, rope, 5L, whole_between(1L, 1e6L), 1L)
      mirror <- signed_rank_shares_cpp(-gain, rope, 5L, 3, 1L)
      straight <- signed_rank_shares_cpp(gain, rope, 5L, 3, 1L)
      # Without a rope half the weight of ties at zero is on neither side.
      max(gap(colSums(shares), rep(1, 5L), 1), -min(shares, 0), gap(mirror, straight[3:1, ], 1))
    }
  )
)
