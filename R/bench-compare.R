#' Compare methods over data sets
#'
#' The tests and estimates that are usual for comparisons of methods over many data sets (Demšar,
#' 2006; Benavoli et al., 2014, 2017), from a table with one figure per data set and method.
#'
#' @section How the figures are computed:
#' The Wilcoxon test drops gains of zero. For fewer than 50 gains its p value is exact, also with
#' ties; for more it is a normal approximation. P values are not adjusted for the number of methods.
#'
#' The Hodges-Lehmann estimate keeps the zeros. With fewer than six data sets its widest possible
#' interval does not reach 95 %; it is given all the same. With so few data sets intervals of the
#' Bayesian bootstrap are too short.
#'
#' Friedman's statistic is corrected for ties, as in [stats::friedman.test()].
#'
#' Data sets are taken as independent of each other. Two figures of a data set are equal if they
#' agree to ten digits. Two gains have the same size if they agree to ten digits of the figures.
#'
#' @param table A numeric matrix or data frame with one row per data set and one column per method;
#'   more is better.
#' @param baseline Name of the method that the others are compared with; the first column by
#'   default.
#' @param rope Differences up to this size count as practically equal in the Bayesian comparison.
#' @param level Level of intervals and of the critical difference.
#' @param seed Seed of the Bayesian draws; `NULL` takes one from R's generator, so that `set.seed()`
#'   governs the draws.
#' @param ... Not used.
#' @return A `cawi_comparison` with
#' * `pairs`: each method against the baseline. The mean `gain` with its interval from the Bayesian
#'   bootstrap, `low` to `high`; `wins`, `ties` and `losses`; the Wilcoxon signed-rank statistic `w`
#'   and its p value `p`; the Hodges-Lehmann estimate of the gain, `typical`, with its interval; and
#'   three Bayesian signed-rank probabilities: that on a data set the likeliest outcome is a loss
#'   (`p_below`), practical equality (`p_rope`) or a gain (`p_above`).
#' * `ranks`: mean ranks.
#' * `friedman`: chi-squared and the F of Iman and Davenport, with their p values.
#' * `critical_difference`: the difference of mean ranks that Nemenyi's test calls significant.
#' @references
#' Benavoli, A., Corani, G., Demšar, J. and Zaffalon, M. (2017). Time for a change: a tutorial for
#' comparing multiple classifiers through Bayesian analysis. *Journal of Machine Learning Research*
#' 18(77), 1-36.
#'
#' Benavoli, A., Mangili, F., Corani, G., Zaffalon, M. and Ruggeri, F. (2014). A Bayesian Wilcoxon
#' signed-rank test based on the Dirichlet process. *International Conference on Machine Learning*,
#' 1026-1034.
#'
#' Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. *Journal of
#' Machine Learning Research* 7, 1-30.
#'
#' Hodges, J. L. and Lehmann, E. L. (1963). Estimates of location based on rank tests. *Annals of
#' Mathematical Statistics* 34, 598-611.
#'
#' Iman, R. L. and Davenport, J. M. (1980). Approximations of the critical region of the Friedman
#' statistic. *Communications in Statistics - Theory and Methods* 9, 571-595.
#'
#' Rubin, D. B. (1981). The Bayesian bootstrap. *Annals of Statistics* 9, 130-134.
#' @examples
#' set.seed(1)
#' table <- data.frame(a = runif(20), b = runif(20))
#' table$c <- table$a + 0.05
#' cawi_compare(table, baseline = "a", seed = 1)
#' @export
cawi_compare <- function(table, baseline = NULL, rope = 0, level = 0.95, seed = NULL, ...) {
  check_dots(rlang::enquos(...))
  call <- environment()
  table <- check_matrix(table, "table", call)
  methods <- colnames(table)
  if (ncol(table) < 2L || is.null(methods) || !all(nzchar(methods)) || anyNA(methods) ||
      anyDuplicated(methods)) {
    abort_argument("table", "{.arg table} must have at least two columns with names of their own.",
                   call)
  }
  if (nrow(table) < 3L) abort_argument("table", "{.arg table} must have at least three rows.", call)
  if (max(abs(table)) > .Machine$double.xmax / 4) {
    abort_argument("table", "{.arg table} has figures too large to add: up to {max(abs(table))}.",
                   call)
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
    list(pairs = do.call(rbind, pairs), ranks = friedman$ranks,
         friedman = friedman[c("chi_squared", "p", "f", "f_p")],
         critical_difference = nemenyi_difference(ncol(table), nrow(table), level),
         baseline = baseline, sets = nrow(table), level = level),
    class = "cawi_comparison"
  )
}

compare_pair <- function(gain, method, rope, level, seed) {
  wilcoxon <- signed_rank_test(gain)
  center <- hodges_lehmann(gain, level)
  bounds <- bootstrap_mean(gain, level, seed)
  posterior <- bayesian_signed_rank(gain, rope, seed)
  data.frame(method = method, gain = mean(gain), low = bounds[1L], high = bounds[2L],
             wins = sum(gain > 0),
             ties = sum(gain == 0), losses = sum(gain < 0), w = wilcoxon$w, p = wilcoxon$p,
             typical = center[["estimate"]], typical_low = center[["low"]],
             typical_high = center[["high"]],
             p_below = posterior[["below"]], p_rope = posterior[["within"]],
             p_above = posterior[["above"]])
}

check_comparison <- function(x, arg = "x", call = caller_env()) {
  check_data_only(x, arg, call)
  sound <- inherits(x, "cawi_comparison")
  problem <- if (sound) comparison_problem(unclass(x)) else "it is no {.cls cawi_comparison}"
  if (!is.null(problem)) {
    abort_argument(arg, paste0("{.arg {arg}} is damaged: ", problem, "."), call)
  }
}

comparison_problem <- function(x) {
  if (!is.list(x)) return("it is no list")
  figures <- c("gain", "low", "high", "wins", "ties", "losses", "w", "p", "typical", "typical_low",
               "typical_high", "p_above")
  if (!is_sound_frame(x$pairs, c("method", figures))) return("its table of pairs is not whole")
  if (!all(vapply(x$pairs[figures], function(v) is.numeric(v) && all(is.finite(v)), logical(1)))) {
    return("its table of pairs has cells that are no numbers")
  }
  counted <- is_whole(x$sets, 1) && is.null(attributes(x$sets))
  if (!is_string(x$baseline) || !counted || !is_level(x$level)) {
    return("its settings are not whole")
  }
  if (!possible_pairs(x$pairs, x$sets)) return("its table of pairs was edited")
  ranks <- x$ranks
  known <- is.numeric(ranks) && !anyNA(ranks) && !anyDuplicated(names(ranks)) &&
    setequal(names(ranks), c(x$baseline, x$pairs$method)) && length(ranks) == nrow(x$pairs) + 1L
  if (!known) return("its ranks are not those of its methods")
  if (!sound_tests(x)) "its tests are not those of its ranks"
}

# What follows from other figures is compared with them.
sound_tests <- function(x) {
  methods <- length(x$ranks)
  chi <- if (is.list(x$friedman)) unclass(x$friedman)$chi_squared
  figures <- is_figure(chi) && is.finite(chi) && chi >= 0 &&
    abs(sum(x$ranks) - methods * (methods + 1) / 2) < 1e-6
  follows <- function(figure, wanted) is_figure(figure) && isTRUE(all.equal(figure, wanted))
  figures && follows(x$friedman$p, stats::pchisq(chi, methods - 1, lower.tail = FALSE)) &&
    follows(x$critical_difference, nemenyi_difference(methods, x$sets, x$level))
}

is_level <- function(level) {
  is_figure(level) && is.null(attributes(level)) && isTRUE(level >= 0.5 && level <= 0.999)
}

is_share <- function(p) all(p >= 0 & p <= 1)

possible_pairs <- function(pairs, sets) {
  all(pairs$low <= pairs$high) && all(pairs$typical_low <= pairs$typical) &&
    all(pairs$typical <= pairs$typical_high) && is_share(pairs$p) && is_share(pairs$p_above) &&
    all(pairs$w >= 0 & pairs$w <= sets * (sets + 1) / 2) && counts_sets(pairs, sets)
}

# Every set is a win, a tie or a loss.
counts_sets <- function(table, sets) {
  counts <- as.matrix(table[c("wins", "ties", "losses")])
  all(counts >= 0) && all(counts == round(counts)) && all(rowSums(counts) == sets)
}

#' @export
print.cawi_comparison <- function(x, ...) {
  check_dots(rlang::enquos(...))
  check_comparison(x)
  cat(sprintf("<cawi_comparison> %d methods over %.0f data sets, against %s\n", length(x$ranks),
              x$sets, x$baseline))
  shown <- x$pairs[c("method", "gain", "low", "high", "wins", "ties", "losses", "w", "p", "typical",
                     "p_above")]
  print(shown, row.names = FALSE, digits = 3)
  cat(sprintf("gain: mean, with %g %% interval; typical: Hodges-Lehmann; ", 100 * x$level),
      "p_above: Bayesian signed-rank\n", sep = "")
  cat("\nMean ranks: ",
      paste(sprintf("%s %.2f", names(sort(x$ranks)), sort(x$ranks)), collapse = ", "), "\n",
      sep = "")
  cat(sprintf("Friedman chi-squared %.2f (p = %s), critical difference of ranks %.2f\n",
              x$friedman$chi_squared, format.pval(x$friedman$p, 2), x$critical_difference))
  invisible(x)
}
