# One candidate of cawi_auto(): its networks, drawn and judged by leave-one-out.

# Width zero is the ridge regression on the features alone.
candidate_spec <- function(search, candidate, width, lambda) {
  if (width == 0) {
    spec <- candidate_spec(search, candidate, 1, lambda)
    spec[c("hidden", "activation")] <- list(integer(), character())
    return(spec)
  }
  shape <- switch(candidate$model,
    elm = , rvfl = list(hidden = width),
    drvfl = list(hidden = rep(max(1, width %/% 2), 2L)),
    edrvfl = list(hidden = rep(max(1, width %/% 3), 3L)),
    bls = list(windows = max(1, min(10, width %/% 2)), nodes = max(1, width %/% 20), enhancement = max(1, width %/% 2))
  )
  arguments <- c(shape, candidate[c("activation", "spread", "bias", "init")], list(lambda = lambda), search$fixed)
  if (is.na(candidate$spread)) arguments[c("spread", "activation")] <- NULL
  if (!is.na(candidate$inputs)) arguments$inputs <- candidate$inputs
  spec_of(candidate$model, complete_arguments(candidate$model, arguments, search$call), search$call)
}

# NULL where there is no time for it and for the operations that come later. Screening sees some rows and
# one width; widening sees all rows and, unless they are given, several widths.
evaluate_candidate <- function(search, candidate, stage, clock, reserve, first = FALSE,
                               lambdas = screened_lambdas, widths = NULL, draw = 1L, later = 0) {
  screening <- stage == "screen"
  rows <- if (screening) length(search$sample) else nrow(search$x)
  if (is.null(widths)) {
    widths <- if (screening) min(screened_width, search$hidden) else widened_widths(search, candidate)
  }
  if (first && !screening) widths <- affordable_widths(search, widths, length(lambdas), clock)
  cost <- nested_operations(search, rows, widths, length(lambdas))
  if (is.null(known_copula(search, candidate$init, screening))) cost <- cost + copula_operations(rows, ncol(search$x))
  if (!first && !affordable(clock, cost + later, reserve)) return(NULL)
  timed(clock, cost, candidate_losses(search, candidate, screening, widths, lambdas, draw))
}

# One factor serves all widths below the number of rows; each one above has a spectrum of its own.
nested_operations <- function(search, rows, widths, lambdas) {
  cost <- loo_operations(rows, widths + ncol(search$x) + 1, lambdas, search$targets$outputs)
  dual <- widths + ncol(search$x) + 1 >= rows
  sum(cost[dual]) + max(0, cost[!dual])
}

# Widths tried on all rows. Scores of every width are kept for a moment: not too many of them.
widened_widths <- function(search, candidate) {
  largest <- as.integer(search$hidden)
  if (!candidate$model %in% c("elm", "rvfl")) return(largest)
  widths <- sort(unique(c(pmin(c(50L, 100L, 200L, 400L), largest), largest)))
  affordable <- max(1, 1e8 / (3 * nrow(search$x) * search$targets$outputs))
  utils::tail(widths, max(1L, min(length(widths), floor(affordable))))
}

# The first network that is widened must exist: it is as wide as a third of the time left allows.
affordable_widths <- function(search, widths, lambdas, clock) {
  left <- 0.35 * (clock$budget - elapsed(clock))
  cost <- loo_operations(nrow(search$x), widths + ncol(search$x) + 1, lambdas, search$targets$outputs)
  fits <- vapply(cost, function(operations) expected_seconds(clock, operations), numeric(1)) <= left
  if (any(fits)) widths[fits] else min(widths, 50L)
}

# `lambdas` are tried, or, in a matrix with one row, given.
candidate_losses <- function(search, candidate, screening, widths, lambdas, draw) {
  x <- if (screening) search$x[search$sample, , drop = FALSE] else search$x
  targets <- if (screening) subset_targets(search$targets, search$sample) else search$targets
  path <- if (length(lambdas) == 1L) list(values = as.vector(lambdas)) else lambda_path(lambdas, targets, search$call)
  specs <- lapply(rev(widths), function(width) candidate_spec(search, candidate, width, path$values))
  spec <- specs[[1L]]
  spec$init <- search_copula(search, candidate$init, screening)
  network <- draw_network(x, targets$weights, spec, draw_seed(search, draw), search$threads, search$call)
  losses <- family_losses(x, targets, network, lapply(specs, function(spec) spec$hidden), path$values,
                          search$threads, keep = !screening)
  weight <- total_weight(targets)
  members <- lapply(seq_along(specs), function(member) best_penalty(losses, member, weight, path))
  at <- which.min(vapply(members, function(member) member$error, numeric(1)))
  best <- members[[at]]
  list(candidate = candidate, width = rev(widths)[at], tried = widths, lambda = best$lambda, draws = draw,
       error = best$error, rows = nrow(x),
       accuracy = if (targets$task == "classification") losses$sum$hit[best$at, at] / weight else NA_real_,
       scores = if (!screening) losses$member_scores(best$at, at))
}

# With few rows the best of many networks by leave-one-out is mostly the luckiest. A ridge regression without nodes has
# the share that `linear_rows` rows would have beside the data; chosen on 35 other sets of 16 to 1,000 rows.
linear_rows <- 20

with_linear_member <- function(search, widened, chosen) {
  if (search$targets$task != "regression" || !"rvfl" %in% search$models) {
    return(list(widened = widened, chosen = chosen))
  }
  candidate <- list(model = "rvfl", activation = NA_character_, spread = NA_real_, inputs = NA_integer_, init = "iid",
                    bias = "uniform")
  plain <- replace(candidate, c("activation", "spread"), list("sigmoid", 1))
  linear <- candidate_losses(search, plain, screening = FALSE, 0, check_lambda(NULL, search$call), 1L)
  linear$candidate <- candidate
  share <- linear_rows / (linear_rows + total_weight(search$targets))
  list(
    widened = c(widened, list(linear)),
    chosen = list(share = c((1 - share) * chosen$share, share),
                  scores = (1 - share) * chosen$scores + share * linear$scores)
  )
}

draw_seed <- function(search, draw) if (draw == 1L) search$seed else child_seed_cpp(search$seed, 1000000L + draw)

# Each copula is fitted once to the screened rows and once to all.
search_copula <- function(search, init, screening) {
  copula <- known_copula(search, init, screening)
  if (is.null(copula)) {
    x <- if (screening) search$x[search$sample, , drop = FALSE] else search$x
    weights <- if (screening) search$targets$weights[search$sample] else search$targets$weights
    copula <- fitted_init(x, weights, init, search$threads)
    assign(copula_key(search, init, screening), copula, envir = search$copulas)
  }
  copula
}

known_copula <- function(search, init, screening) {
  if (init == "iid") init else search$copulas[[copula_key(search, init, screening)]]
}

copula_key <- function(search, init, screening) paste(init, screening && length(search$sample) < nrow(search$x))
