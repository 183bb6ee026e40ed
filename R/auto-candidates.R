# The candidates of a search, from the first screening to those that are widened.

screened_rows <- 1000L
screened_hidden <- 200L
screened_lambdas <- 10^(-4:3)
widened_count <- 4L

# Candidates in the order of what worked best on many data sets, so that a short budget sees those
# first.
all_candidates <- function(search) {
  features <- ncol(search$x)
  inputs <- c(2L, 1L)
  inputs <- c(inputs[inputs < features], NA)
  grid <- expand.grid(activation = c("radbas", "sine", "sigmoid", "relu"), inputs = inputs,
                      spread = c(1, 4, 0.5), stringsAsFactors = FALSE)
  first <- if ("rvfl" %in% search$models) "rvfl" else search$models[1L]
  init <- if ("iid" %in% search$inits) "iid" else search$inits[1L]
  base <- replace(finite_candidate(search), c("model", "init"), list(first, init))
  candidates <- lapply(seq_len(nrow(grid)), function(i) {
    replace(base, c("activation", "spread", "inputs"),
            list(grid$activation[i], grid$spread[i], grid$inputs[i]))
  })
  c(candidates, narrow_candidates(search, candidates))
}

# Few nodes that read all of many features: there, and hardly elsewhere, weights that follow the
# features' correlations are worth several points.
narrow_candidates <- function(search, candidates) {
  narrow <- search$hidden <= 80L && ncol(search$x) >= 10L
  if (!narrow || !all(c("iid", "gaussian") %in% search$inits)) return(NULL)
  dense <- Filter(function(candidate) is.na(candidate$inputs), candidates)
  lapply(dense, utils::modifyList, list(init = "gaussian"))
}

screen_candidates <- function(search, clock) {
  evaluated <- list()
  for (candidate in all_candidates(search)) {
    trial <- new_trial(candidate, screened_lambdas, screening = TRUE)
    result <- evaluate_trial(search, trial, clock, 0.5, first = length(evaluated) == 0L)
    if (!is.null(result)) evaluated <- c(evaluated, list(result))
  }
  evaluated
}

# Other architectures, distributions of the weights and biases around the best candidates.
try_variants <- function(search, screened, clock) {
  evaluated <- list()
  seen <- vapply(screened, function(result) candidate_key(result$candidate), character(1))
  for (result in best_results(screened, 1L)) {
    for (variant in candidate_variants(search, result$candidate)) {
      if (candidate_key(variant) %in% seen) next
      seen <- c(seen, candidate_key(variant))
      trial <- new_trial(variant, screened_lambdas, screening = TRUE)
      fresh <- evaluate_trial(search, trial, clock, 0.4)
      if (!is.null(fresh)) evaluated <- c(evaluated, list(fresh))
    }
  }
  evaluated
}

candidate_key <- function(candidate) paste(unlist(candidate), collapse = " ")

# Biases that a search tries.
auto_biases <- c("uniform", "data")

candidate_variants <- function(search, candidate) {
  change <- function(what, values) {
    lapply(setdiff(values, candidate[[what]]), function(value) replace(candidate, what, value))
  }
  # A node that reads one feature has no dependence to follow: another distribution would only be
  # another draw.
  single <- identical(candidate$inputs, 1L) || ncol(search$x) == 1L
  inits <- if (single) candidate$init else search$inits
  c(change("bias", auto_biases), change("init", inits), change("model", search$models))
}

best_results <- function(results, count) {
  error <- vapply(results, function(result) result$error, numeric(1))
  results[order(error)][seq_len(min(count, length(results)))]
}

# The best candidates at several numbers of nodes on all rows, then further draws at the best number
# and penalty.
widen_candidates <- function(search, screened, clock) {
  widened <- list()
  for (result in best_results(screened, widened_count)) {
    first <- length(widened) == 0L
    near <- sort(unique(as.vector(outer(result$lambda, c(0.1, 1, 10)))))
    trial <- new_trial(result$candidate, near)
    later <- final_operations(search, widened)
    fresh <- evaluate_trial(search, trial, clock, 0.2, first, later)
    if (is.null(fresh)) next
    widened <- c(widened, list(fresh))
    # What is too wide for the first is too wide for the others.
    if (first) search$hidden <- max(fresh$tried)
  }
  draw_again(search, widened, clock)
}

draw_again <- function(search, widened, clock) {
  for (draw in seq_len(search$draws)[-1L]) {
    for (i in seq_along(widened)) {
      result <- widened[[i]]
      trial <- new_trial(result$candidate, matrix(result$lambda, 1L), hidden = result$hidden,
                         draw = draw)
      fresh <- evaluate_trial(search, trial, clock, 0.1, later = final_operations(search, widened))
      if (is.null(fresh)) next
      widened[[i]]$scores <- result$scores + fresh$scores
      widened[[i]]$draws <- c(result$draws, draw)
    }
  }
  widened
}
