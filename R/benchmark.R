#' Benchmark laws of the weights over data sets
#'
#' Runs every combination of data set, model, law of the weights and seed under one of three protocols, and
#' compares the laws. Each finished unit is written at once; a run that was stopped, or killed, goes on where
#' it was when it is called again with the same record.
#'
#' | protocol | features | folds | choice |
#' |---|---|---|---|
#' | `"nested"` | columns standardised on the training part | shuffled, stratified | exact leave-one-out inside the training part |
#' | `"paper"` | rows standardised across their features | contiguous blocks, as the rows come | best mean accuracy on the test folds, over all variants and draws of an arm |
#' | `"equal"` | as `"paper"` | as `"paper"` | the same, but every arm has the same number of draws and no variants |
#'
#' `"paper"` follows the public code of the paper, which tries more networks for some laws than for others:
#' one draw for i.i.d. weights, four shrinkages of the Gaussian correlations, three shrinkages times up to
#' seven degrees of freedom for t, five multiples of the Archimedean parameter. Copulas are fitted by
#' inversion of Kendall's tau, as the paper's text says. Its figures are optimistic: they were chosen on the
#' test folds. `"nested"` is the honest one.
#'
#' One draw serves all penalties; above `nested_above` rows it serves all widths too, because the columns of
#' narrower networks are leading columns of wider ones.
#'
#' @param datasets Names of data sets for [cawi_read_dataset()], or a named list of lists with `x` and `y`.
#' @param models Models: `"rvfl"`, `"elm"`, `"drvfl"`, `"edrvfl"`, `"bls"`; only the first two have the
#'   protocols `"paper"` and `"equal"`.
#' @param protocol `"nested"`, `"equal"` or `"paper"`.
#' @param seeds Seeds of folds and draws.
#' @param init Laws of the weights to compare.
#' @param grid A [cawi_grid()]; by default the paper's grid for ELM and RVFL, and smaller ones for the others.
#' @param draws Number of draws of an arm for `"equal"`.
#' @param folds Number of folds.
#' @param nested_above Number of rows above which one draw serves all widths (`"paper"`, `"equal"`).
#' @param dir Folder of the data sets; see [cawi_read_dataset()].
#' @param record A folder for finished units, made if need be; `NULL` keeps them in memory only.
#' @param threads Number of threads; see [cawi-package].
#' @return A data frame of class `cawi_benchmark` with a row a fold: `set`, `rows`, `features`, `model`, `init`,
#'   `protocol`, `seed`, `fold`, `accuracy`, what was chosen, the number of networks `tried`, and the `seconds`
#'   of one fit with the chosen values, copula included. `summary()` compares the laws; `plot()` and
#'   `autoplot()` show gains, accuracies, ranks and what more draws give.
#' @examples
#' small <- list(iris = list(x = as.matrix(iris[, 1:4]), y = iris$Species))
#' grid <- cawi_grid(hidden = c(5, 20), activation = "sigmoid", lambda = 10^(-2:2))
#' b <- cawi_benchmark(small, init = c("iid", "gaussian"), grid = grid)
#' b
#' @export
cawi_benchmark <- function(datasets, models = "rvfl", protocol = c("nested", "equal", "paper"), seeds = 42,
                           init = c("iid", "gaussian", "t", "clayton", "frank", "gumbel"), grid = NULL,
                           draws = 21, folds = 5, nested_above = 500, dir = NULL, record = NULL,
                           threads = NULL) {
  call <- environment()
  plan <- list(
    protocol = check_choice(protocol, c("nested", "equal", "paper"), "protocol"), grid = grid,
    draws = check_count(draws, "draws", max = 1e4), folds = check_count(folds, "folds", min = 2, max = 1e4),
    nested_above = check_number(nested_above, "nested_above", min = 0), dir = dir
  )
  models <- check_benchmark_models(models, plan$protocol, call)
  check_benchmark_grid(grid, call)
  init <- check_subset(init, auto_inits, "init", call)
  seeds <- vapply(seeds, check_count, numeric(1), arg = "seeds", call = call, min = 0, max = 2^31)
  sources <- benchmark_sources(datasets, call)
  if (!is.null(record)) open_unit_folder(record, call)
  units <- expand.grid(init = init, model = models, seed = seeds, set = names(sources),
                       KEEP.OUT.ATTRS = FALSE, stringsAsFactors = FALSE)
  tasks <- lapply(seq_len(nrow(units)), function(i) {
    c(as.list(units[i, ]), list(source = sources[[units$set[i]]]))
  })
  done <- run_tasks(tasks, function(unit, threads) {
    recorded_unit(record, unit, plan, function() run_unit(unit, plan, threads, call))
  }, "Benchmark", resolve_threads(threads))
  new_cawi_benchmark(do.call(rbind, done))
}

check_benchmark_models <- function(models, protocol, call) {
  models <- check_subset(models, names(model_labels), "models", call)
  deep <- setdiff(models, c("elm", "rvfl"))
  if (protocol != "nested" && length(deep) > 0L) {
    abort_argument("models", "{.arg models} {.val {deep}} have only the protocol {.val nested}.", call)
  }
  models
}

check_benchmark_grid <- function(grid, call) {
  if (!is.null(grid) && !inherits(grid, "cawi_grid")) {
    abort_argument("grid", "{.arg grid} must be a {.fn cawi_grid}, not {.obj_type_friendly {grid}}.", call)
  }
}

# Names stay names, so that workers read the files themselves.
benchmark_sources <- function(datasets, call) {
  if (is.character(datasets) && length(datasets) > 0L && !anyNA(datasets)) {
    return(stats::setNames(as.list(unique(datasets)), unique(datasets)))
  }
  named <- is.list(datasets) && length(datasets) > 0L && !is.null(names(datasets)) && all(nzchar(names(datasets)))
  sound <- named && all(vapply(datasets, function(set) is.list(set) && all(c("x", "y") %in% names(set)), logical(1)))
  if (!sound) {
    abort_argument("datasets", "{.arg datasets} must be names of data sets or a named list of lists with x and y.", call)
  }
  datasets
}

# ---- the record: one file a unit, whole or not at all ----

open_unit_folder <- function(record, call) {
  made <- is.character(record) && length(record) == 1L && !is.na(record) &&
    (dir.exists(record) || dir.create(record, showWarnings = FALSE, recursive = TRUE))
  if (!made) abort_argument("record", "{.arg record} must be a folder that can be made, not {shown(record)}.", call)
}

# The name of a unit's file says all that its result depends on; other settings are other files.
unit_file <- function(record, unit, plan) {
  data <- if (is.character(unit$source)) unit$source else rlang::hash(unit$source[c("x", "y")])
  settings <- plan[setdiff(names(plan), "dir")]
  if (plan$protocol != "equal") settings$draws <- NULL
  key <- rlang::hash(list(data, unit$init, unit$model, unit$seed, settings))
  file.path(record, sprintf("%s-%s-%s-%s-%s.csv", unit$set, unit$model, unit$init, plan$protocol, substr(key, 1L, 12L)))
}

# A finished unit is read; a new one is written beside its place and moved there, which no kill can halve.
recorded_unit <- function(record, unit, plan, run) {
  if (is.null(record)) return(run())
  file <- unit_file(record, unit, plan)
  if (file.exists(file)) return(read_unit(file))
  result <- run()
  partial <- tempfile("unit-", record, ".part")
  on.exit(unlink(partial))
  # All digits, so that what was read is what was computed.
  doubles <- vapply(result, is.double, logical(1))
  result[doubles] <- lapply(result[doubles], sprintf, fmt = "%.17g")
  utils::write.csv(result, partial, row.names = FALSE, quote = FALSE)
  file.rename(partial, file)
  read_unit(file)
}

read_unit <- function(file) {
  utils::read.csv(file, colClasses = c(set = "character", model = "character", init = "character",
                                       protocol = "character", hidden = "character", activation = "character",
                                       seed = "numeric", accuracy = "numeric", lambda = "numeric"))
}
