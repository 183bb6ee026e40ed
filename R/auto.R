#' The best model this package can pick
#'
#' One call for practitioners: it compares architectures, laws and scales of the weights, activations,
#' widths and penalties by exact leave-one-out on the training data, and averages a few networks of the
#' best ones. Its result says in words what was done.
#'
#' Three steps share the `budget`:
#' 1. Networks of moderate width are screened on at most 2,000 rows: four activations, four spreads of
#'    the pre-activations, nodes that read all features or only 5, 3, 2 or 1 of them. If `hidden` is 80 or
#'    less, weights from the Gaussian copula are screened as well: in narrow networks they help most.
#' 2. Around the best three, other architectures, all copula families (where a node reads more than one
#'    feature) and the other kind of bias are tried.
#' 3. The best eight are widened on all rows and drawn several times. Those whose averaged scores have
#'    the least leave-one-out squared error, found by adding one after the other, become the members. For numbers a ridge
#'    regression without nodes is a member too, with the share of 20 rows: with few rows the best of many networks by
#'    leave-one-out is mostly the luckiest.
#'
#' All comparisons use the leave-one-out squared error of the scores (of class indicators for
#' classification). The leave-one-out figures of the result are of the averaged members; since they were
#' also used to choose, they are a little optimistic.
#'
#' @param x A numeric matrix or data frame of features, a formula, or a recipe.
#' @param y The response; for a formula or a recipe the data.
#' @param budget Seconds to spend. Small data need less; with less than they need, fewer networks are
#'   tried, and the result depends on the speed of the machine. A model is always returned: a million rows
#'   need some seconds for the least one.
#' @param hidden Largest number of hidden nodes of a member (layered ones have at least one node a layer).
#' @param models Architectures to try.
#' @param init Laws of the weights to try; see [cawi_models].
#' @param draws Number of draws of each member's weights.
#' @param seed A whole number; `NULL` takes one from R's generator.
#' @param threads Number of threads; see [cawi-package].
#' @param ... Further arguments of the models that are the same for all: `weights`, `na_action`,
#'   `standardize`, `marginal`.
#' @return A `cawi_auto`: `members` (models), `weights` (their shares), `table` (the screened
#'   configurations, best first), `choice` (what became members). `predict()` averages the members' scores;
#'   `print()` says what was done, `plot()` shows what mattered.
#' @examples
#' fit <- cawi_auto(iris[, 1:4], iris$Species, budget = 2, hidden = 100, seed = 1)
#' fit
#' predict(fit, iris[c(1, 51, 101), 1:4], type = "prob")
#' @export
cawi_auto <- function(x, y, budget = 30, hidden = 800,
                      models = c("rvfl", "elm", "drvfl", "edrvfl", "bls"),
                      init = c("iid", "gaussian", "t", "clayton", "frank", "gumbel"), draws = 3,
                      seed = NULL, threads = NULL, ...) {
  call <- environment()
  clock <- new_clock(check_number(budget, "budget", min = 0, open = TRUE))
  dots <- rlang::enquos(...)
  check_given_once(dots, x = !missing(x), y = !missing(y), call)
  if (missing(y) && !is.null(dots$data)) y <- rlang::eval_tidy(dots$data)
  if (missing(x) && !is.null(dots$formula)) x <- rlang::eval_tidy(dots$formula)
  dots <- dots[!names(dots) %in% c("formula", "data")]
  check_dots(dots, c("weights", "na_action", "standardize", "marginal"), call)
  fixed <- evaluate_dots(dots, if (!missing(x) && inherits(x, "formula") && !missing(y)) y)
  keep_generator({
    search <- new_search(x, y, hidden, models, init, draws, seed, threads, fixed, call)
    run_search(search, clock, call)
  })
}

run_search <- function(search, clock, call) {
  step <- progress_steps(3L, "Choosing")
  on.exit(step(done = TRUE))
  rethrow_core_errors({
    screened <- screen_candidates(search, clock)
    step()
    screened <- c(screened, try_variants(search, screened, clock))
    step()
    widened <- widen_candidates(search, screened, clock)
    final <- with_linear_member(search, widened, select_members(search, widened))
    step()
    new_cawi_auto(search, screened, final$widened, final$chosen, clock, call)
  }, call)
}

# What stays the same during a search.
new_search <- function(x, y, hidden, models, init, draws, seed, threads, fixed, call) {
  check_dots(fixed, c("weights", "na_action", "standardize", "marginal"), call, names(formals(cawi_auto)))
  input <- any_input(x, y, call)
  if (isFALSE(input$intercept)) {
    abort_argument("formula", "{.fn cawi_auto} always has an intercept; take {.code - 1} out of the formula.", call)
  }
  na_action <- if (is.null(fixed$na_action)) "fail" else check_na_action(fixed$na_action, call)
  data <- usable_data(input, na_action, fixed$weights, NULL, call)
  check_two_rows(data$x, "x", call)
  search <- list(
    x = data$x, targets = scaled_targets(data$targets, TRUE), preprocessor = data$preprocessor,
    hidden = check_count(hidden, "hidden", call, max = 1e5),
    models = check_subset(models, names(model_labels), "models", call),
    inits = check_subset(init, auto_inits, "init", call),
    draws = check_count(draws, "draws", call, max = 1000),
    threads = resolve_threads(threads, call), fixed = fixed[setdiff(names(fixed), "weights")], call = call,
    # Copulas that were fitted already; an environment, because every stage adds to it.
    copulas = new.env()
  )
  search$seed <- resolve_seed(seed, call)
  search$sample <- screening_rows(search)
  search
}

check_subset <- function(values, choices, arg, call) {
  if (!is.character(values) || length(values) == 0L || !all(values %in% choices)) {
    abort_argument(arg, "{.arg {arg}} must be among {.val {choices}}, not {shown(values)}.", call)
  }
  unique(values)
}

# Rows that the screening sees: every class keeps its share.
screening_rows <- function(search) {
  rows <- nrow(search$x)
  if (rows <= screened_rows) return(seq_len(rows))
  y <- if (is.null(search$targets$classes)) search$targets$values[, 1L] else factor(search$targets$classes)
  fold <- cawi_folds(y, ceiling(rows / screened_rows), seed = search$seed)
  which(fold == 1L)
}

screened_rows <- 2000L
screened_width <- 200L
screened_lambdas <- 10^(-4:3)
widened_count <- 8L

# The budget. Costs are guessed in operations; the speed of what ran so far turns them into seconds.
new_clock <- function(budget) {
  clock <- new.env()
  clock$budget <- budget
  clock$start <- proc.time()[["elapsed"]]
  clock$seconds <- 0
  clock$operations <- 0
  clock$skipped <- 0L
  clock
}

elapsed <- function(clock) proc.time()[["elapsed"]] - clock$start

expected_seconds <- function(clock, operations) {
  if (clock$operations == 0) return(0)
  0.002 + 1.2 * operations * clock$seconds / clock$operations
}

# Is there time for it and for what must follow, with a share of the budget kept back?
affordable <- function(clock, operations, reserve) {
  fits <- elapsed(clock) + expected_seconds(clock, operations) <= clock$budget * (1 - reserve)
  if (!fits) clock$skipped <- clock$skipped + 1L
  fits
}

timed <- function(clock, operations, code) {
  before <- elapsed(clock)
  force(code)
  # Older runs count less: early ones are small and pay for warming up.
  clock$seconds <- 0.8 * clock$seconds + elapsed(clock) - before
  clock$operations <- 0.8 * clock$operations + operations
  code
}

# Operations of leave-one-out for one network.
loo_operations <- function(rows, columns, lambdas, outputs) {
  wide <- columns >= rows
  primal <- rows * columns^2 * (1 + lambdas) + lambdas * columns^3 / 3
  dual <- rows^2 * columns + 10 * rows^3 + lambdas * rows^2 * outputs
  ifelse(wide, dual, primal) + 50 * rows * columns
}

# Tau of all pairs, and factors of their matrix.
copula_operations <- function(rows, features) {
  40 * features^2 * min(rows, copula_rows) + 30 * features^3
}

# Fits of all members that there may be.
final_operations <- function(search, widened) {
  sum(vapply(widened, function(result) {
    columns <- result$width + ncol(search$x) + 1
    length(result$draws) * loo_operations(nrow(search$x), columns, 0, search$targets$outputs)
  }, numeric(1)))
}

# Candidates in the order of what worked best on many data sets, so that a short budget sees those
# first.
all_candidates <- function(search) {
  features <- ncol(search$x)
  inputs <- c(2L, 3L, 5L, 1L)
  inputs <- c(inputs[inputs < features], NA)
  grid <- expand.grid(activation = c("radbas", "sine", "sigmoid", "relu"), inputs = inputs,
                      spread = c(1, 2, 4, 0.5), stringsAsFactors = FALSE)
  first <- if ("rvfl" %in% search$models) "rvfl" else search$models[1L]
  law <- if ("iid" %in% search$inits) "iid" else search$inits[1L]
  candidates <- lapply(seq_len(nrow(grid)), function(i) {
    list(model = first, activation = grid$activation[i], spread = grid$spread[i], inputs = grid$inputs[i],
         init = law, bias = "uniform")
  })
  c(candidates, narrow_candidates(search, candidates))
}

# Few nodes that read all of many features: there, and hardly elsewhere, weights that follow the features'
# correlations are worth several points.
narrow_candidates <- function(search, candidates) {
  narrow <- search$hidden <= 80L && ncol(search$x) >= 10L && all(c("iid", "gaussian") %in% search$inits)
  if (!narrow) return(NULL)
  dense <- Filter(function(candidate) is.na(candidate$inputs), candidates)
  lapply(dense, utils::modifyList, list(init = "gaussian"))
}

screen_candidates <- function(search, clock) {
  evaluated <- list()
  for (candidate in all_candidates(search)) {
    result <- evaluate_candidate(search, candidate, "screen", clock, reserve = 0.5, first = length(evaluated) == 0L)
    if (!is.null(result)) evaluated <- c(evaluated, list(result))
  }
  evaluated
}

# Other architectures, laws of the weights and biases around the best candidates.
try_variants <- function(search, screened, clock) {
  evaluated <- list()
  seen <- vapply(screened, function(result) candidate_key(result$candidate), character(1))
  for (result in best_results(screened, 3L)) {
    for (variant in candidate_variants(search, result$candidate)) {
      if (candidate_key(variant) %in% seen) next
      seen <- c(seen, candidate_key(variant))
      fresh <- evaluate_candidate(search, variant, "screen", clock, reserve = 0.4)
      if (!is.null(fresh)) evaluated <- c(evaluated, list(fresh))
    }
  }
  evaluated
}

candidate_key <- function(candidate) paste(unlist(candidate), collapse = " ")

candidate_variants <- function(search, candidate) {
  change <- function(what, values) {
    lapply(setdiff(values, candidate[[what]]), function(value) replace(candidate, what, value))
  }
  # A node that reads one feature has no dependence to follow: another law would only be another draw.
  laws <- if (identical(candidate$inputs, 1L) || ncol(search$x) == 1L) candidate$init else search$inits
  c(change("bias", bias_names), change("init", laws), change("model", search$models))
}

best_results <- function(results, count) {
  error <- vapply(results, function(result) result$error, numeric(1))
  results[order(error)][seq_len(min(count, length(results)))]
}

# The best candidates at several widths on all rows, then further draws at the best width and penalty.
widen_candidates <- function(search, screened, clock) {
  best <- best_results(screened, widened_count)
  widened <- list()
  for (result in best) {
    first <- length(widened) == 0L
    fresh <- evaluate_candidate(search, result$candidate, "widen", clock, reserve = 0.2, first = first,
                                lambdas = sort(unique(as.vector(outer(result$lambda, c(0.1, 1, 10))))),
                                later = final_operations(search, widened))
    if (is.null(fresh)) next
    widened <- c(widened, list(fresh))
    # What is too wide for the first is too wide for the others.
    if (first) search$hidden <- max(fresh$tried)
  }
  for (draw in seq_len(search$draws)[-1L]) {
    for (i in seq_along(widened)) {
      result <- widened[[i]]
      fresh <- evaluate_candidate(search, result$candidate, "widen", clock, reserve = 0.1,
                                  lambdas = matrix(result$lambda, 1L), widths = result$width, draw = draw,
                                  later = final_operations(search, widened))
      if (is.null(fresh)) next
      widened[[i]]$scores <- result$scores + fresh$scores
      widened[[i]]$draws <- c(result$draws, draw)
    }
  }
  widened
}

# Adds to the average, again and again, the candidate that lowers its leave-one-out squared error most.
select_members <- function(search, widened, steps = 20L) {
  y <- target_matrix(search$targets)
  weight <- row_weights(search$targets)
  scores <- lapply(widened, function(result) result$scores / length(result$draws))
  total <- 0
  count <- integer(length(widened))
  for (step in seq_len(steps)) {
    error <- vapply(scores, function(s) sum(weight * (y - (total + s) / step)^2), numeric(1))
    total <- total + scores[[which.min(error)]]
    count[which.min(error)] <- count[which.min(error)] + 1L
  }
  list(share = count / steps, scores = total / steps)
}
