#' The best model this package can pick
#'
#' Compares architectures, distributions and scales of the weights, activations, numbers of nodes
#' and penalties by exact leave-one-out on the training data, and averages a few of the best
#' networks. The result says in words what was done.
#'
#' @section How it chooses:
#' The `budget` is shared by
#' 1. a network of infinitely many sine nodes with Cauchy weights (see [cawi_models]), unless
#'    `hidden` is a number. Its spread is chosen on at most 500 rows, and it has at most 1,000
#'    landmarks;
#' 2. networks of moderate size, screened on at most 1,000 rows: four activations, three spreads of
#'    the pre-activations, and nodes that read all features or only 1 or 2 of them. If `hidden` is
#'    at most 80 and there are at least 10 features, weights from the Gaussian copula are screened
#'    as well, because they help most in narrow networks on many features;
#' 3. variants of the best one: other architectures, the other kind of bias, and, if a node reads
#'    more than one feature, all copula families;
#' 4. the best four, tried with more nodes on all rows, and drawn several times.
#'
#' Members are then added one after the other: always the candidate that lowers the leave-one-out
#' squared error of the averaged scores most. With few rows the best of many networks is mostly the
#' luckiest: the infinite one has, before any data, the share that 1,000 rows would have.
#'
#' If the response is numeric, a ridge regression without nodes is a member too. Its share is that
#' of 20 rows beside the data, because with few rows the best of many networks by leave-one-out is
#' mostly the luckiest.
#'
#' @section Errors:
#' All comparisons use the leave-one-out squared error of the scores; for classes it is that of the
#' class indicators. The leave-one-out figures of the result are those of the averaged members. They
#' are a little optimistic, because they were also used to choose.
#'
#' @inheritParams cawi_models
#' @param budget Effort, in seconds of a machine with four billion operations per second. It counts
#'   operations, not time: the same seed gives the same model, however fast or busy the machine is.
#'   Small data need less. If there is no room, fewer networks are tried. A model is always returned,
#'   even if the least one takes more.
#' @param hidden Largest number of hidden nodes of a member. Networks with several layers have at
#'   least one node per layer. `Inf` means up to 800, and infinitely many.
#' @param models Architectures to try; `NULL` means all five.
#' @param init Distributions of the weights to try; `NULL` means all, see [cawi_models].
#' @param draws Number of draws of each member's weights.
#' @param time_limit Seconds after which nothing more is tried. It only cuts: where it did, the
#'   model depends on the machine, `$cut` is `TRUE` and `print()` says so.
#' @param ... Not used: arguments after it have to be named in full, and a name that the function
#'   does not have is an error.
#' @return A `cawi_auto`, a list with
#' * `members`: the models;
#' * `share`: the share of each member in the average;
#' * `results`: the configurations of the first two steps, best first, with `metric`, `mean`, `se`
#'   and `rmse` as in [cawi_tune()];
#' * `chosen`: the configurations that became members, with their `share`.
#'
#' `predict()` averages the scores of the members; `print()` says what was done, and `plot()` shows
#' what mattered. `coef()`, `fitted()`, `residuals()`, `summary()`, `tidy()`, `glance()` and
#' `augment()` work as for a model.
#' @references
#' Caruana, R., Niculescu-Mizil, A., Crew, G. and Ksikes, A. (2004). Ensemble selection from
#' libraries of models. *ICML*. (members added one after the other)
#'
#' Allen, D. M. (1974). The relationship between variable selection and data augmentation and a
#' method for prediction. *Technometrics* 16, 125-127. (leave-one-out in closed form)
#'
#' Akhtar, M., Tanveer, M. and Arshad, M. (2026). CAWI: Copula-aligned weight initialization for
#' randomized neural networks. *AISTATS*. (weights from copulas)
#' @examples
#' fit <- cawi_auto(Species ~ ., iris, budget = 2, hidden = 100, seed = 1)
#' fit
#' predict(fit, iris[c(1, 51, 101), ], type = "prob")
#' @export
cawi_auto <- function(x, y, budget = 20, hidden = Inf,
                      models = NULL, init = NULL, draws = 2,
                      seed = NULL, threads = NULL, ..., formula, data, case_weights = NULL,
                      na_action = "fail", standardize = TRUE, marginal = "uniform",
                      time_limit = Inf) {
  check_dots(rlang::enquos(...))
  call <- environment()
  clock <- new_clock(check_number(budget, "budget", min = 0, open = TRUE),
                     check_time_limit(time_limit))
  limit <- identical(hidden, Inf)
  limits <- list(
    hidden = if (limit) widest_member else check_count(hidden, "hidden", max = 1e5),
    limit = limit,
    draws = check_count(draws, "draws", max = 1e3),
    models = check_subset(models %||% searched_models, model_names, "models", call),
    inits = check_subset(init %||% auto_inits, auto_inits, "init", call),
    fixed = list(na_action = check_na_action(na_action, call),
                 standardize = check_flag(standardize, "standardize"),
                 marginal = check_choice(marginal, marginal_names, "marginal"))
  )
  input <- called_input(call)
  keep_generator(rethrow_core_errors({
    search <- new_search(input, limits, new_run(seed, threads, call))
    run_search(search, clock)
  }, call))
}

# Nodes of a member where `hidden` sets no limit.
widest_member <- 800L

check_time_limit <- function(time_limit, call = caller_env()) {
  if (identical(time_limit, Inf)) return(Inf)
  check_number(time_limit, "time_limit", min = 0, open = TRUE, call = call)
}

check_subset <- function(values, choices, arg, call) {
  if (!is.character(values) || length(values) == 0L || !all(values %in% choices)) {
    message <- "{.arg {arg}} must be among {.val {choices}}, not {shown(values)}."
    abort_argument(arg, message, call)
  }
  unique(values)
}

# What stays the same during a search.
new_search <- function(input, limits, run) {
  if (isFALSE(input$intercept)) {
    message <- "{.fn cawi_auto} always has an intercept; take {.code - 1} out of the formula."
    abort_argument("formula", message, run$call)
  }
  data <- usable_data(input, limits$fixed$na_action, TRUE, run$call)
  # Copulas that were fitted already; an environment, because every stage adds to it.
  search <- c(data[c("x", "targets", "preprocessor")], limits, list(run = run, copulas = new.env()))
  search$sample <- screening_rows(search)
  search
}

# Rows that the screening sees: every class keeps its share.
screening_rows <- function(search, most = screened_rows) {
  rows <- nrow(search$x)
  if (rows <= most) return(seq_len(rows))
  targets <- search$targets
  y <- if (is.null(targets$classes)) targets$values[, 1L] else factor(targets$classes)
  fold <- cawi_folds(y, ceiling(rows / most), seed = search$run$seed)
  which(fold == 1L)
}

run_search <- function(search, clock) {
  step <- progress_steps(3L, "Choosing")
  on.exit(step(done = TRUE))
  found <- if (length(limit_candidates(search)) > 0L) {
    infinite_search(search, clock, step)
  } else {
    finite_search(search, clock, step)
  }
  parts <- auto_parts(search, found$tried, found$chosen)
  warn_constant_features(parts$members[[1L]]$network, colnames(search$x), search$run$call)
  new_cawi_auto(parts, search, clock)
}

# What equal shares count for with few rows.
equal_rows <- 30

# Members with infinitely many nodes, and networks with some that add to them.
infinite_search <- function(search, clock, step) {
  members <- limit_results(search, clock)
  if (has_linear(search)) members <- c(members, list(linear_result(search)))
  step()
  trials <- challenger_trials(search, clock)
  step()
  joined <- lapply(admitted(search, members, trials), function(trial) {
    challenger_result(search, trial)
  })
  step()
  list(chosen = select_members(search, c(members, joined), equal_rows), tried = c(members, trials))
}

# A ridge regression without nodes is a member of its own for numbers, and where rows are few.
has_linear <- function(search) {
  few <- nrow(search$x) < 50L
  "rvfl" %in% search$models && (search$targets$task == "regression" || few)
}

# Networks with at most a given number of nodes.
finite_search <- function(search, clock, step) {
  screened <- screen_candidates(search, clock)
  step()
  screened <- c(screened, try_variants(search, screened, clock))
  step()
  widened <- widen_candidates(search, screened, clock)
  step()
  list(chosen = with_linear_member(search, select_members(search, widened)), tried = screened)
}
