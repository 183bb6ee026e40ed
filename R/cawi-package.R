#' Copula-aligned randomized neural networks
#'
#' A randomized network draws its input weights once, freezes them and solves its output layer by
#' one ridge regression. `cawi` draws those weights from a copula fitted to the ranks of the
#' training features, so that the weights follow the features' dependence.
#'
#' The data path, one function per step:
#' [cawi_pseudo_obs()], [cawi_kendall()], [cawi_nearest_cor()], [cawi_copula()] (or
#' [cawi_copula_from()]), [cawi_select()], [cawi_density()], [simulate()][simulate.cawi_copula],
#' [cawi_weights()]; then the models [cawi_elm()], [cawi_rvfl()], [cawi_drvfl()], [cawi_edrvfl()],
#' [cawi_bls()] with [predict()][predict.cawi_model], [update()][update.cawi_model],
#' [cawi_features()] and [cawi_diagnose()].
#'
#' [cawi_tune()] with [cawi_grid()] tunes a model over a grid, and [cawi_auto()] picks and averages
#' the best models. [cawi_benchmark()] compares distributions of the weights over data sets, and
#' [cawi_compare()] tests the differences. [cawi_datasets()] has the figures of the paper;
#' [cawi_read_dataset()] and [cawi_read_table()] read data.
#'
#' @section Threads:
#' Every parallel function takes `threads`; without it the environment variable
#' `CAWI_NUM_THREADS`, then `options(cawi.threads = )`, then at most two threads are used. Results
#' never depend on the number of threads.
#'
#' @section Random numbers:
#' `set.seed()` governs every draw. An argument `seed` overrides it and leaves the state of R's
#' generator untouched. Draws come from counter-based streams, one per draw, so the first `n` draws
#' of a longer sample are the sample of size `n`.
#'
#' @section Conditions:
#' Errors have a class `cawi_error_<argument>` and warnings `cawi_warning_<topic>`, besides the
#' common `cawi_error` and `cawi_warning`.
#'
#' @section What a file can do:
#' `readRDS()` is as safe as R is: before R 4.4.0 a file made for it could run code there. After
#' that, `print()`, `summary()`, `plot()` and all that tells figures of a model, copula, statistics
#' object or benchmark run nothing from the file, and neither does a checkpoint: whatever is no data
#' of the package's own classes is an error. Only methods of classes that the object itself claims,
#' in packages that are loaded, come before those of `cawi`, as everywhere in R.
#'
#' Predictions run the terms of the formula or the steps of the recipe that the model has. `print()`
#' shows them as they are stored, with the functions that they call: those of \pkg{base} and
#' \pkg{stats} are looked up there and nowhere else, those of other packages by `package::name`,
#' and the user's own are in the model. What these find where they were made is shown after "with":
#' functions, also in lists and environments, and quoted code. All of it runs from the expressions
#' that are shown, not from compiled code of the file. `update()` with more nodes and
#' [cawi_diagnose()] call a function that was given as `init`, which `print()` shows too; a report
#' does not.
#'
#' What code makes while it runs cannot be shown: text that it parses, names that it puts together,
#' methods that its objects have in packages, and what a step of a recipe does with data of its own.
#' To save a model again is a matter of R, not of `print()`: `saveRDS()` asks environments whether
#' they are namespaces. So look at a model from others before it predicts or is saved, and go on
#' only if you know what you see.
#'
#' @references
#' Akhtar, M., Tanveer, M. and Arshad, M. (2026). CAWI: Copula-aligned weight initialization for
#' randomized neural networks. *AISTATS*.
#'
#' @keywords internal
#' @useDynLib cawi, .registration = TRUE
#' @importFrom Rcpp evalCpp
#' @importFrom RcppParallel RcppParallelLibs
#' @importFrom cli cli_abort cli_warn
#' @importFrom rlang .data %||% caller_env
#' @importFrom stats AIC BIC coef logLik predict simulate
"_PACKAGE"

.onLoad <- function(libname, pkgname) {
  register_with_parsnip()
}

# A decomposition that nobody waits for any more may still run code of the library.
.onUnload <- function(libpath) {
  wait_for_abandoned_cpp()
  library.dynam.unload("cawi", libpath)
}
