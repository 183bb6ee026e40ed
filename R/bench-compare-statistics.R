# The statistics of a comparison of methods over data sets, and when two figures are equal.

# ---- ties ----

# Sums of the same shares in another order differ in the last digits; ties must stay ties.
rounding <- 1e-10

# Values whose neighbors in order are no further than the tolerance become equal.
joined <- function(x, tolerance) {
  tolerance <- rep_len(tolerance, length(x))
  order <- order(x)
  near <- pmax(tolerance[order][-1L], tolerance[order][-length(x)])
  group <- cumsum(c(TRUE, diff(x[order]) > near))
  x[order] <- stats::ave(x[order], group)
  x
}

# Joins the figures of each row. Most rows have no two figures that are near and stay as they are.
joined_rows <- function(table) {
  sorted <- matrix(table[order(row(table), table)], nrow(table), byrow = TRUE)
  step <- sorted[, -1L, drop = FALSE] - sorted[, -ncol(table), drop = FALSE]
  tolerance <- rounding * do.call(pmax, lapply(seq_len(ncol(table)), function(j) abs(table[, j])))
  for (i in which(rowSums(step > 0 & step <= tolerance) > 0)) {
    table[i, ] <- joined(table[i, ], tolerance[i])
  }
  table
}

# Gains are zero where the figures are equal. Gains whose sizes differ by rounding get one size.
settled_gain <- function(figure, base) {
  gain <- figure - base
  tolerance <- rounding * pmax(abs(figure), abs(base))
  gain[abs(gain) <= tolerance] <- 0
  some <- gain != 0
  if (any(some)) gain[some] <- sign(gain[some]) * joined(abs(gain[some]), tolerance[some])
  gain
}

# ---- one method against another ----

# W is the sum of the ranks of positive gains; zeros are dropped. Exact for fewer than 50, else the
# normal approximation with ties and continuity of stats::wilcox.test().
signed_rank_test <- function(gain) {
  gain <- gain[gain != 0]
  if (length(gain) == 0L) return(list(w = 0, p = 1))
  ranks <- rank(abs(gain))
  w <- sum(ranks[gain > 0])
  if (length(gain) >= 50L) return(list(w = w, p = stats::wilcox.test(gain, exact = FALSE)$p.value))
  # Twice the ranks are whole numbers, with ties too. The probabilities of the values of their sum,
  # where each rank is in it with probability one half, come from adding one rank after the other.
  chance <- 1
  for (r in 2 * ranks) chance <- (c(chance, numeric(r)) + c(numeric(r), chance)) / 2
  at <- 2 * w + 1
  list(w = w, p = min(1, 2 * min(sum(chance[seq_len(at)]), sum(chance[at:length(chance)]))))
}

# Median of the pairwise means, with the interval of the signed-rank test.
hodges_lehmann <- function(gain, level) {
  n <- length(gain)
  count <- n * (n + 1) / 2
  half <- stats::qnorm((1 + level) / 2) * sqrt(n * (n + 1) * (2 * n + 1) / 24)
  first <- max(1, floor(n * (n + 1) / 4 - half))
  middle <- c(floor((count + 1) / 2), ceiling((count + 1) / 2))
  places <- c(middle, first, count + 1 - first)
  values <- distinct_gains(gain)
  means <- vapply(places, function(place) pairwise_mean(values, place), numeric(1))
  c(estimate = mean(means[1:2]), low = means[3L], high = means[4L])
}

# Sorted values with how often each comes, and the counts summed up, zero first.
distinct_gains <- function(gain) {
  z <- sort(unique(gain))
  times <- as.numeric(tabulate(match(gain, z), length(z)))
  list(z = z, times = times, upto = c(0, cumsum(times)))
}

# The k-th smallest mean of two gains, k = `place`, without the list of all such means (Johnson and
# Mizoguchi, 1978). A gain is also paired with itself.
#
# 1. The means of values a <= b form a triangle: one line per a, increasing in b. Candidates of line
#    a are those after `low` and up to `high`.
# 2. While there are many candidates, the median of the middles of the lines, each counted as often
#    as its line has candidates, splits them. At most three quarters remain.
# 3. The remaining candidates are sorted.
pairwise_mean <- function(values, place, most = 1e6) {
  z <- values$z
  low <- seq_along(z) - 1
  high <- rep(length(z), length(z))
  while (sum(high - low) > most) {
    open <- which(high > low)
    middle <- (z[open] + z[(low[open] + high[open] + 1) %/% 2]) / 2
    pivot <- lower_weighted_median(middle, high[open] - low[open])
    within <- pmax(means_below_cpp(z, pivot, FALSE), seq_along(z) - 1)
    below <- pmax(means_below_cpp(z, pivot, TRUE), seq_along(z) - 1)
    if (means_upto(values, below) >= place) {
      high <- pmax(pmin(high, below), low)
    } else if (means_upto(values, within) >= place) {
      return(pivot)
    } else {
      low <- pmin(pmax(low, within), high)
    }
  }
  a <- rep(seq_along(z), high - low)
  b <- sequence(high - low, low + 1)
  means <- (z[a] + z[b]) / 2
  times <- values$times[a] * ifelse(a == b, (values$times[a] + 1) / 2, values$times[b])
  order <- order(means)
  means[order][match(TRUE, means_upto(values, low) + cumsum(times[order]) >= place)]
}

lower_weighted_median <- function(x, count) {
  order <- order(x)
  share <- cumsum(as.numeric(count[order]))
  x[order][match(TRUE, 2 * share >= share[length(share)])]
}

# Number of means of pairs a <= b, where `last` gives the largest b for each a.
means_upto <- function(values, last) {
  a <- which(last >= seq_along(last))
  times <- values$times[a]
  sum(times * (values$upto[last[a] + 1] - values$upto[a + 1]) + times * (times + 1) / 2)
}

# Bayesian bootstrap: the shares of the sets are a Dirichlet draw.
bootstrap_mean <- function(gain, level, seed, draws = 4000L) {
  means <- bootstrap_means_cpp(gain, draws, seed, resolve_threads())
  stats::quantile(means, c(1 - level, 1 + level) / 2, names = FALSE)
}

# Each draw gives the sets random shares (Dirichlet, with one pseudo-observation at zero), and these
# give the probabilities that a pairwise mean of gains lies below, within and above the rope. The
# result is how often each of the three is the most probable.
bayesian_signed_rank <- function(gain, rope, seed, draws = 4000L) {
  theta <- signed_rank_shares_cpp(c(0, gain), rope, draws, seed, resolve_threads())
  winner <- max.col(t(theta[c(1L, 3L, 2L), ]), "first")
  c(below = mean(winner == 1L), within = mean(winner == 3L), above = mean(winner == 2L))
}

# ---- all methods ----

friedman_test <- function(table) {
  n <- nrow(table)
  k <- ncol(table)
  ranks <- t(apply(-table, 1L, rank))
  test <- stats::friedman.test(-table)
  # All methods tied on all sets: nothing speaks against equality.
  if (is.nan(test$statistic)) {
    return(list(ranks = colMeans(ranks), chi_squared = 0, p = 1, f = 0, f_p = 1))
  }
  chi <- unname(test$statistic)
  # Where all sets agree on the order, the denominator is zero: rounding must not make it negative.
  f <- (n - 1) * chi / max(n * (k - 1) - chi, 0)
  list(ranks = colMeans(ranks), chi_squared = chi, p = test$p.value, f = f,
       f_p = stats::pf(f, k - 1, (k - 1) * (n - 1), lower.tail = FALSE))
}

nemenyi_difference <- function(methods, sets, level) {
  stats::qtukey(level, methods, Inf) / sqrt(2) * sqrt(methods * (methods + 1) / (6 * sets))
}
