#' Benchmark distributions of the weights over data sets
#'
#' Runs every combination of data set, model, distribution of the weights and seed under one of
#' three protocols. Such a combination is a unit. With a `record` every unit is written as soon as
#' it is finished: a run that was stopped or killed goes on where it was when it is called again.
#'
#' | protocol | features | folds | choice |
#' |---|---|---|---|
#' | `"nested"` | training columns standardized | shuffled, stratified | leave-one-out in training |
#' | `"paper"` | rows standardized | contiguous blocks | best accuracy on the test folds |
#' | `"equal"` | as `"paper"` | as `"paper"` | as `"paper"`, with equally many draws per arm |
#'
#' An arm is one distribution of the weights. Under `"paper"` and `"equal"` each row is standardized
#' across its features, and blocks take the rows in the order of the file. The best accuracy is the
#' best of all networks that an arm may try; `"equal"` gives every arm the same number of draws and
#' no variants.
#'
#' `"nested"` is the honest protocol. The figures of the other two are optimistic, because they were
#' chosen on the test folds (Cawley and Talbot, 2010).
#'
#' @section The protocol of the public code:
#' `"paper"` follows the public code of the paper, which tries more networks in some arms than in
#' others: one draw for i.i.d. weights, four shrinkages of the Gaussian correlations, three
#' shrinkages times up to seven degrees of freedom for t, five multiples of the Archimedean
#' parameter. It departs from that code as follows:
#' * Copulas are fitted to ranks by inversion of Kendall's tau, as the text of the paper says, from
#'   at most 5,000 rows. The code maximizes likelihoods (for Archimedean families it takes the
#'   median over pairs), adds a little noise to the ranks, and removes constant and duplicate
#'   columns for Archimedean families.
#' * An Archimedean family whose mean tau is not positive becomes independence, so that its arm
#'   draws i.i.d. weights; the column `family` shows it. The features of a standardized row sum to
#'   zero, so this is the usual case for `"paper"` and `"equal"`. Under `"nested"` such an arm has
#'   the same weights as the i.i.d. arm, a tie.
#' * The fitted degrees of freedom among the variants of t are those of the first fold, rounded.
#' * One draw serves all penalties. Above `nested_above` rows it also serves all numbers of hidden
#'   nodes, because the columns of narrower networks are the leading columns of wider ones.
#' * `seconds` is the time of one fit to the first training part with the chosen values, copula
#'   included.
#'
#' @param datasets Names of data sets for [cawi_read_dataset()], or a named list of lists with `x`
#'   and `y`, or one such list. `y` has the classes: a factor, text or logical values.
#' @param models Models: `"rvfl"`, `"elm"`, `"drvfl"`, `"edrvfl"`, `"bls"`; only the first two have
#'   the protocols `"paper"` and `"equal"`.
#' @param protocol `"nested"`, `"equal"` or `"paper"`.
#' @param seeds Seeds of folds and draws, each for a run of its own. Unlike elsewhere the default is
#'   a number, because a run goes on from its record only if it is called with the same seeds.
#' @param init Distributions of the weights to compare; by default all:
#'   `r quoted_names(distribution_names)`. Under `"nested"` it may also be a named list, whose
#'   entries are anything that `init` of a model can be (a function of your own, say) or lists of
#'   arguments of the models, such as `list(init = "gaussian", strength = 0.5)`.
#' @param grid A [cawi_grid()]; by default the paper's grid for ELM and RVFL, and smaller ones for
#'   the others. For `"paper"` and `"equal"` it has the axes `hidden`, `activation` and `lambda`.
#' @param draws Number of draws per arm for `"equal"`.
#' @param folds Number of folds, at most 99.
#' @param nested_above Number of rows above which one draw serves all numbers of hidden nodes
#'   (`"paper"`, `"equal"`).
#' @param dir Folder of the data sets; see [cawi_read_dataset()].
#' @param record A folder for finished units, made if need be; `NULL` keeps them in memory only. A
#'   unit is run again when its data, its settings or the version of the package changed.
#' @param threads Number of threads; see [cawi-package].
#' @param ... Not used.
#' @return A data frame of class `cawi_benchmark` with one line per fold: `set`, `rows`, `features`,
#'   `model`, `init`, `protocol`, `seed`, `fold`, `accuracy`, what was chosen, the number of
#'   variants or draws `tried`, the `seconds` of one fit with the chosen values, and the `family` of
#'   the copula that the weights came from. Under `"paper"` and `"equal"` there are further lines
#'   with fold 0: the best mean accuracy over the folds after so many variants or draws. `summary()`
#'   compares the distributions of the weights; `plot()` and `autoplot()` show gains, accuracies,
#'   ranks and what more draws give.
#' @references
#' Akhtar, M., Tanveer, M. and Arshad, M. (2026). CAWI: Copula-aligned weight initialization for
#' randomized neural networks. *AISTATS*.
#'
#' Cawley, G. C. and Talbot, N. L. C. (2010). On over-fitting in model selection and subsequent
#' selection bias in performance evaluation. *Journal of Machine Learning Research* 11, 2079-2107.
#' @examples
#' small <- list(iris = list(x = as.matrix(iris[, 1:4]), y = iris$Species))
#' grid <- cawi_grid(hidden = c(5, 20), activation = "sigmoid", lambda = 10^(-2:2))
#' b <- cawi_benchmark(small, init = c("iid", "gaussian"), grid = grid)
#' b
#' # an initialization of one's own
#' signs <- function(x, hidden, seed) {
#'   set.seed(seed)
#'   matrix(sample(c(-1, 1), ncol(x) * hidden, replace = TRUE), ncol(x))
#' }
#' cawi_benchmark(small, init = list(iid = "iid", signs = signs), grid = grid)
#' @export
cawi_benchmark <- function(datasets, models = "rvfl", protocol = c("nested", "equal", "paper"),
                           seeds = 42, init = NULL, grid = NULL, draws = 21, folds = 5,
                           nested_above = 1000, dir = NULL, record = NULL, threads = NULL, ...) {
  check_dots(rlang::enquos(...))
  call <- environment()
  check_given(datasets, "datasets")
  protocol <- check_choice(protocol, c("nested", "equal", "paper"), "protocol")
  models <- check_benchmark_models(models, protocol, call)
  plan <- list(
    protocol = protocol,
    grids = lapply(stats::setNames(models, models), benchmark_grid, grid, protocol, call),
    draws = check_count(draws, "draws", max = 1e4),
    folds = check_count(folds, "folds", min = 2, max = 99),
    nested_above = check_number(nested_above, "nested_above", min = 0)
  )
  plan$arms <- benchmark_arms(init, protocol, call)
  seeds <- check_seeds(seeds, call)
  threads <- resolve_threads(threads)
  sources <- benchmark_sources(datasets, dir, plan, call)
  if (!is.null(record)) record <- open_unit_folder(record, call)
  units <- expand.grid(init = names(plan$arms), model = models, seed = seeds, set = names(sources),
                       KEEP.OUT.ATTRS = FALSE, stringsAsFactors = FALSE)
  tasks <- lapply(seq_len(nrow(units)), function(i) {
    c(as.list(units[i, ]), list(source = sources[[units$set[i]]]))
  })
  done <- run_tasks(tasks, unit_worker(record, plan), "Benchmark", threads, call = call)
  new_cawi_benchmark(do.call(rbind, done))
}

# Workers get this function and their unit. A closure inside cawi_benchmark() would also send them
# the data of all other units.
unit_worker <- function(record, plan) {
  force(record)
  force(plan)
  call <- quote(cawi_benchmark())
  function(unit, threads) {
    recorded_unit(record, unit, plan,
                  function() in_set(unit$set, run_unit(unit, plan, threads, call), call), call)
  }
}

# What the models are told in each arm, by the name of the arm.
benchmark_arms <- function(init, protocol, call) {
  if (!is.list(init) || inherits(init, "cawi_copula")) {
    init <- check_subset(init %||% distribution_names, distribution_names, "init", call)
    return(lapply(stats::setNames(init, init), function(name) list(init = name)))
  }
  if (protocol != "nested") {
    message <- "A list as {.arg init} is for the protocol {.val nested}, not {.val {protocol}}."
    abort_argument("init", message, call)
  }
  named <- length(init) > 0L && all_usable(names(init)) && !anyDuplicated(names(init))
  if (!named) {
    message <- "{.arg init} as a list must have entries with a name each, all different."
    abort_argument("init", message, call)
  }
  lapply(init, function(arm) {
    if (!is.list(arm) || inherits(arm, "cawi_copula")) arm <- list(init = arm)
    check_dots(arm, setdiff(names(common_arguments), c("seed", "threads", "keep_data")), call,
               own = NULL)
    if (!is.null(arm$init)) check_init(arm$init, call)
    arm
  })
}

check_benchmark_models <- function(models, protocol, call) {
  models <- check_subset(models, names(model_labels), "models", call)
  deep <- models[model_layers[models] != "one"]
  if (protocol != "nested" && length(deep) > 0L) {
    abort_argument("models", "{.arg models} {.val {deep}} have only the protocol {.val nested}.",
                   call)
  }
  models
}

check_seeds <- function(seeds, call) {
  if (length(seeds) == 0L) {
    abort_argument("seeds", "{.arg seeds} must have at least one seed.", call)
  }
  unique(vapply(seeds, check_count, numeric(1), arg = "seeds", call = call, min = 0, max = 2^31))
}

# The grid of a model: the one given, or the default.
benchmark_grid <- function(model, grid, protocol, call) {
  if (is.null(grid)) return(benchmark_default_grid(model))
  if (!inherits(grid, "cawi_grid")) {
    abort_argument("grid",
                   "{.arg grid} must be a {.fn cawi_grid}, not {.obj_type_friendly {grid}}.", call)
  }
  check_grid_object(grid, "grid", call)
  axes <- c("hidden", "activation", "lambda")
  # Weights are as they were drawn there, and nodes read all features.
  plain <- (is.null(grid$scale) || identical(as.numeric(grid$scale), 1)) && all(is.na(grid$inputs))
  fits <- setequal(setdiff(names(grid), c("scale", "inputs")), axes) && is.numeric(grid$hidden) &&
    plain
  if (protocol != "nested" && !fits) {
    message <- paste("{.arg grid} must have the axes {.arg {axes}}, and no {.arg scale} but 1, for",
                     "the protocol {.val {protocol}}.")
    abort_argument("grid", message, call)
  }
  # cawi_tune() checks those of the nested protocol.
  if (protocol != "nested") {
    for (hidden in grid$hidden) check_count(hidden, "hidden", call, max = 1e5)
    for (activation in grid$activation) {
      check_choice(activation, activation_names, "activation", call)
    }
  }
  grid
}

benchmark_default_grid <- function(model) {
  some <- c("sigmoid", "sine", "radbas", "relu")
  switch(model,
    elm = , rvfl = cawi_grid_paper(model),
    drvfl = , edrvfl = cawi_grid(lambda = 10^(-6:6), hidden = lapply(1:3, function(n) rep(50L, n)),
                                 activation = some, scale = 1, inputs = NA),
    bls = cawi_grid(lambda = 10^(-6:6), windows = 5L, nodes = 10L,
                    enhancement = c(15L, 35L, 55L, 75L, 95L), activation = some, scale = 1,
                    inputs = NA)
  )
}
