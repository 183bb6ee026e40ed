# One candidate of cawi_auto(): its networks, drawn and judged by leave-one-out.

candidate_spec <- function(search, candidate, width, lambda) {
  shape <- switch(candidate$model,
    elm = , rvfl = list(hidden = width),
    drvfl = list(hidden = rep(max(1, width %/% 2), 2L)),
    edrvfl = list(hidden = rep(max(1, width %/% 3), 3L)),
    bls = list(windows = max(1, min(10, width %/% 2)), nodes = max(1, width %/% 20), enhancement = max(1, width %/% 2))
  )
  arguments <- c(shape, candidate[c("activation", "spread", "bias", "init")], list(lambda = lambda), search$fixed)
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

candidate_losses <- function(search, candidate, screening, widths, lambdas, draw) {
  x <- if (screening) search$x[search$sample, , drop = FALSE] else search$x
  targets <- if (screening) subset_targets(search$targets, search$sample) else search$targets
  specs <- lapply(rev(widths), function(width) candidate_spec(search, candidate, width, lambdas))
  spec <- specs[[1L]]
  spec$init <- search_copula(search, candidate$init, screening)
  network <- draw_network(x, spec, draw_seed(search, draw), search$threads, search$call)
  losses <- family_losses(x, targets, network, lapply(specs, function(spec) spec$hidden), lambdas,
                          search$threads, keep = !screening)
  weight <- if (is.null(targets$weights)) nrow(x) else sum(targets$weights)
  best <- arrayInd(which.min(losses$sum$squared), dim(losses$sum$squared))
  list(candidate = candidate, width = rev(widths)[best[2L]], tried = widths, lambda = lambdas[best[1L]], draws = draw,
       error = losses$sum$squared[best] / weight, rows = nrow(x),
       accuracy = if (targets$task == "classification") losses$sum$hit[best] / weight else NA_real_,
       scores = if (!screening) as.matrix(losses$member_scores(best[1L], best[2L])))
}

draw_seed <- function(search, draw) if (draw == 1L) search$seed else child_seed_cpp(search$seed, 1000000L + draw)

# Each copula is fitted once to the screened rows and once to all.
search_copula <- function(search, init, screening) {
  copula <- known_copula(search, init, screening)
  if (is.null(copula)) {
    x <- if (screening) search$x[search$sample, , drop = FALSE] else search$x
    copula <- fitted_init(x, init, search$threads)
    assign(copula_key(search, init, screening), copula, envir = search$copulas)
  }
  copula
}

known_copula <- function(search, init, screening) {
  if (init == "iid") init else search$copulas[[copula_key(search, init, screening)]]
}

copula_key <- function(search, init, screening) paste(init, screening && length(search$sample) < nrow(search$x))
