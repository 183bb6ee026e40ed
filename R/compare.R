#' Compare methods over data sets
#'
#' The tests and estimates that comparisons of methods over many data sets use (Demsar, 2006; Benavoli et al.,
#' 2014), from a table of one figure a set and method.
#'
#' @param table A numeric matrix or data frame, one row a data set, one column a method; more is better.
#' @param baseline Name of the method that the others are compared with; the first column by default.
#' @param rope Differences up to this size count as practically equal in the Bayesian comparison.
#' @param level Level of intervals and of the critical difference.
#' @param seed Seed of the Bayesian draws.
#' @param ... Not used.
#' @return A `cawi_comparison`: `pairs` (each method against the baseline: mean gain with its interval from the Bayesian
#'   bootstrap, wins, ties, losses, the Wilcoxon signed-rank statistic and p value, the Hodges-Lehmann estimate of
#'   the gain with its interval, and `p_below`, `p_rope` and `p_above`, the Bayesian signed-rank probabilities that a
#'   loss, practical equality and a gain, each, is the likeliest of the three on a data set), `ranks` (mean ranks),
#'   `friedman` (chi-squared, the F of Iman and Davenport, p values) and
#'   `critical_difference` (Nemenyi).
#' @section How the figures are computed:
#' The Wilcoxon test drops gains of zero; its p value is exact, with ties too, for fewer than 50 gains, and a normal
#' approximation for more. P values are not adjusted for the number of methods. The Hodges-Lehmann estimate keeps the
#' zeros. With fewer than six sets no interval of it reaches 95 %, and the widest there is is given; intervals of the
#' Bayesian bootstrap are too short with so few sets.
#' Friedman's statistic is corrected for ties, as [stats::friedman.test()] has it.
#' Data sets are taken as independent of each other. Figures of a set that agree to ten digits, and gains that
#' agree to ten digits of the figures, are equal.
#' @references Demsar, J. (2006). Statistical comparisons of classifiers over multiple data sets. *JMLR* 7.
#'
#' Benavoli, A., Mangili, F., Corani, G., Zaffalon, M. and Ruggeri, F. (2014). A Bayesian Wilcoxon signed-rank test
#' based on the Dirichlet process. *ICML*.
#' @examples
#' set.seed(1)
#' table <- data.frame(a = runif(20), b = runif(20))
#' table$c <- table$a + 0.05
#' cawi_compare(table, baseline = "a")
#' @export
cawi_compare <- function(table, baseline = NULL, rope = 0, level = 0.95, seed = 1, ...) {
  check_dots(list(...))
  call <- environment()
  table <- check_matrix(table, "table", call)
  methods <- colnames(table)
  if (ncol(table) < 2L || is.null(methods) || !all(nzchar(methods)) || anyNA(methods) || anyDuplicated(methods)) {
    abort_argument("table", "{.arg table} must have at least two columns with names of their own.", call)
  }
  if (nrow(table) < 3L) abort_argument("table", "{.arg table} must have at least three rows.", call)
  if (max(abs(table)) > .Machine$double.xmax / 4) {
    abort_argument("table", "{.arg table} has figures too large to add: up to {max(abs(table))}.", call)
  }
  if (is.null(baseline)) baseline <- colnames(table)[1L]
  baseline <- check_choice(baseline, colnames(table), "baseline")
  level <- check_number(level, "level", min = 0.5, max = 0.999)
  rope <- check_number(rope, "rope", min = 0, max = .Machine$double.xmax / 2)
  others <- setdiff(colnames(table), baseline)
  seed <- resolve_seed(seed)
  pairs <- lapply(others, function(method) {
    compare_pair(settled_gain(table[, method], table[, baseline]), method, rope, level, seed)
  })
  friedman <- friedman_test(joined_rows(table))
  structure(
    list(pairs = do.call(rbind, pairs), ranks = friedman$ranks, friedman = friedman[c("chi_squared", "p", "f", "f_p")],
         critical_difference = nemenyi_difference(ncol(table), nrow(table), level), baseline = baseline,
         sets = nrow(table), level = level),
    class = "cawi_comparison"
  )
}

# Sums of the same shares in another order differ in the last digits; ties must stay ties.
rounding <- 1e-10

# Values whose neighbours in order are no further than the tolerance become equal.
joined <- function(x, tolerance) {
  tolerance <- rep_len(tolerance, length(x))
  order <- order(x)
  near <- pmax(tolerance[order][-1L], tolerance[order][-length(x)])
  group <- cumsum(c(TRUE, diff(x[order]) > near))
  x[order] <- stats::ave(x[order], group)
  x
}

# Rows whose figures are neither equal nor near stay as they are, which is most of them.
joined_rows <- function(table) {
  sorted <- matrix(table[order(row(table), table)], nrow(table), byrow = TRUE)
  step <- sorted[, -1L, drop = FALSE] - sorted[, -ncol(table), drop = FALSE]
  tolerance <- rounding * do.call(pmax, lapply(seq_len(ncol(table)), function(j) abs(table[, j])))
  for (i in which(rowSums(step > 0 & step <= tolerance) > 0)) table[i, ] <- joined(table[i, ], tolerance[i])
  table
}

# Gains, zero where the figures are equal, and of one size where they differ by rounding alone.
settled_gain <- function(figure, base) {
  gain <- figure - base
  tolerance <- rounding * pmax(abs(figure), abs(base))
  gain[abs(gain) <= tolerance] <- 0
  some <- gain != 0
  if (any(some)) gain[some] <- sign(gain[some]) * joined(abs(gain[some]), tolerance[some])
  gain
}

compare_pair <- function(gain, method, rope, level, seed) {
  wilcoxon <- signed_rank_test(gain)
  centre <- hodges_lehmann(gain, level)
  bounds <- bootstrap_mean(gain, level, seed)
  posterior <- bayesian_signed_rank(gain, rope, seed)
  data.frame(method = method, gain = mean(gain), low = bounds[1L], high = bounds[2L], wins = sum(gain > 0),
             ties = sum(gain == 0), losses = sum(gain < 0), w = wilcoxon$w, p = wilcoxon$p,
             typical = centre[["estimate"]], typical_low = centre[["low"]], typical_high = centre[["high"]],
             p_below = posterior[["below"]], p_rope = posterior[["within"]], p_above = posterior[["above"]])
}

# W is the sum of the ranks of positive gains; zeros are dropped. Exact for fewer than 50, else the normal
# approximation with ties and continuity of stats::wilcox.test().
signed_rank_test <- function(gain) {
  gain <- gain[gain != 0]
  if (length(gain) == 0L) return(list(w = 0, p = 1))
  ranks <- rank(abs(gain))
  w <- sum(ranks[gain > 0])
  if (length(gain) >= 50L) return(list(w = w, p = stats::wilcox.test(gain, exact = FALSE)$p.value))
  # Twice the ranks are whole numbers, ties or not: the law of their random sum, one rank after the other.
  law <- 1
  for (r in 2 * ranks) law <- (c(law, numeric(r)) + c(numeric(r), law)) / 2
  at <- 2 * w + 1
  list(w = w, p = min(1, 2 * min(sum(law[seq_len(at)]), sum(law[at:length(law)]))))
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

# The mean at a place in the order of all means of two gains (a gain and itself among them), without the list of
# them. Values a <= b have their means in the rows of a triangle, increasing in b. As long as the candidates are many,
# the weighted median of the middles of the rows parts them, which leaves at most three quarters (Johnson and
# Mizoguchi, 1978); the rest are sorted.
pairwise_mean <- function(values, place, most = 1e6) {
  z <- values$z
  low <- seq_along(z) - 1
  high <- rep(length(z), length(z))
  while (sum(high - low) > most) {
    rows <- which(high > low)
    middle <- (z[rows] + z[(low[rows] + high[rows] + 1) %/% 2]) / 2
    pivot <- lower_weighted_median(middle, high[rows] - low[rows])
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

lower_weighted_median <- function(x, weights) {
  order <- order(x)
  share <- cumsum(as.numeric(weights[order]))
  x[order][match(TRUE, 2 * share >= share[length(share)])]
}

# Number of means of pairs a <= b with b up to the place given for each a.
means_upto <- function(values, last) {
  a <- which(last >= seq_along(last))
  times <- values$times[a]
  sum(times * (values$upto[last[a] + 1] - values$upto[a + 1]) + times * (times + 1) / 2)
}

# Bayesian bootstrap: Dirichlet weights on the sets.
bootstrap_mean <- function(gain, level, seed, draws = 4000L) {
  means <- bootstrap_means_cpp(gain, draws, seed, resolve_threads())
  stats::quantile(means, c(1 - level, 1 + level) / 2, names = FALSE)
}

# Probabilities that a pairwise mean of gains lies below, within and above the rope, under Dirichlet weights
# with one pseudo-observation at zero: the share of draws in which each is the most probable.
bayesian_signed_rank <- function(gain, rope, seed, draws = 4000L) {
  theta <- signed_rank_shares_cpp(c(0, gain), rope, draws, seed, resolve_threads())
  winner <- max.col(t(theta[c(1L, 3L, 2L), ]), "first")
  c(below = mean(winner == 1L), within = mean(winner == 3L), above = mean(winner == 2L))
}

friedman_test <- function(table) {
  n <- nrow(table)
  k <- ncol(table)
  ranks <- t(apply(-table, 1L, rank))
  test <- stats::friedman.test(-table)
  # All methods tied on all sets: nothing speaks against equality.
  if (is.nan(test$statistic)) return(list(ranks = colMeans(ranks), chi_squared = 0, p = 1, f = 0, f_p = 1))
  chi <- unname(test$statistic)
  # All sets agree: rounding must not turn the sign of nothing.
  f <- (n - 1) * chi / max(n * (k - 1) - chi, 0)
  list(ranks = colMeans(ranks), chi_squared = chi, p = test$p.value, f = f,
       f_p = stats::pf(f, k - 1, (k - 1) * (n - 1), lower.tail = FALSE))
}

check_comparison <- function(x, arg = "x", call = caller_env()) {
  problem <- if (inherits(x, "cawi_comparison")) comparison_problem(unclass(x)) else "it is no {.cls cawi_comparison}"
  if (!is.null(problem)) abort_argument(arg, paste0("{.arg {arg}} is damaged: ", problem, "."), call)
}

comparison_problem <- function(x) {
  if (!is.list(x)) return("it is no list")
  figures <- c("gain", "low", "high", "wins", "ties", "losses", "w", "p", "typical", "p_above")
  if (!is_sound_frame(x$pairs, c("method", figures))) return("its table of pairs is not whole")
  if (!all(vapply(x$pairs[figures], function(v) is.numeric(v) && !anyNA(v), logical(1)))) {
    return("its table of pairs has cells that are no numbers")
  }
  if (any(x$pairs$low > x$pairs$high) || any(x$pairs$p < 0 | x$pairs$p > 1)) return("its table of pairs was edited")
  if (!is_string(x$baseline) || !is_whole(x$sets, 1) || !is_figure(x$level)) return("its settings are not whole")
  ranks <- x$ranks
  known <- is.numeric(ranks) && !anyNA(ranks) && !anyDuplicated(names(ranks)) &&
    setequal(names(ranks), c(x$baseline, x$pairs$method)) && length(ranks) == nrow(x$pairs) + 1L
  if (!known) return("its ranks are not those of its methods")
  if (!is.list(x$friedman)) return("its tests are not whole")
  tests <- c(unclass(x$friedman)[c("chi_squared", "p")], list(x$critical_difference))
  if (!all(vapply(tests, is_figure, logical(1)))) return("its tests are not whole")
  NULL
}

nemenyi_difference <- function(methods, sets, level) {
  stats::qtukey(level, methods, Inf) / sqrt(2) * sqrt(methods * (methods + 1) / (6 * sets))
}

#' @export
print.cawi_comparison <- function(x, ...) {
  check_dots(list(...))
  check_comparison(x)
  cat(sprintf("<cawi_comparison> %d methods over %.0f data sets, against %s\n", length(x$ranks), x$sets, x$baseline))
  shown <- x$pairs[c("method", "gain", "low", "high", "wins", "ties", "losses", "w", "p", "typical", "p_above")]
  print(shown, row.names = FALSE, digits = 3)
  cat(sprintf("gain: mean, with %g %% interval; typical: Hodges-Lehmann; p_above: Bayesian signed-rank\n",
              100 * x$level))
  cat("\nMean ranks: ", paste(sprintf("%s %.2f", names(sort(x$ranks)), sort(x$ranks)), collapse = ", "), "\n", sep = "")
  cat(sprintf("Friedman chi-squared %.2f (p = %s), critical difference of ranks %.2f\n", x$friedman$chi_squared,
              format.pval(x$friedman$p, 2), x$critical_difference))
  invisible(x)
}
