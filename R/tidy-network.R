#' Randomized networks for parsnip
#'
#' `rand_network()` specifies a randomized network for the packages of tidymodels, with the engine
#' `"cawi"`. It works with workflows, recipes and tuning.
#'
#' | `rand_network()` | `cawi_*()` |
#' |---|---|
#' | `architecture` | the model: `"rvfl"` (the default), `"elm"`, `"drvfl"`, `"edrvfl"` or `"bls"` |
#' | `hidden_units` | `hidden`; per layer for deep networks; `enhancement` for `"bls"` |
#' | `penalty` | `lambda` |
#' | `activation` | `activation` |
#' | `init` | `init` |
#'
#' An argument that is not given has the default of the model. Without `penalty` it is chosen by
#' exact leave-one-out.
#'
#' All other arguments of [the models][cawi_models] go through `set_engine()`, such as
#' `set_engine("cawi", threads = 1, spread = 2, seed = 1)`. One number of `hidden_units` is that of
#' each layer of a deep network; its number of layers is the argument `layers` of the engine, 3 if
#' it is not given. `hidden_units = c(100, 50)` are two layers. Features that are factors are
#' encoded by the model, and features are standardized by it: a recipe need not do either.
#'
#' Case weights of hardhat are case weights of the model. `predict()` has the types of parsnip, and
#' `"raw"` for scores.
#'
#' @section Many penalties from one fit:
#' `multi_predict(fit, new_data, type = , penalty = )` predicts what fits with these penalties and
#' the same seed would, from one decomposition of the sums that the model has: a tibble with one row
#' per row of `new_data`, whose column `.pred` has a tibble with one row per penalty. `tune_grid()`
#' uses it: all penalties of a grid cost about one fit. Classes and probabilities need the training
#' rows, which this engine keeps for classification unless `set_engine("cawi", keep_data = FALSE)`
#' says otherwise. Without them, probabilities are those of the fit's own penalty, and classes at
#' other penalties those of the largest score.
#'
#' Each fit takes its seed from R's generator. With `set_engine("cawi", seed = 1)` all fits of a
#' grid have the same one, so that their differences are those of the arguments.
#'
#' @section Tuning:
#' The five arguments can be marked by `tune()`, and so can `spread`, `strength` and `inputs` of the
#' engine. `rand_architecture()`, `rand_init()` and `rand_spread()` are their parameters for dials;
#' the others are those of dials with ranges that fit these networks.
#'
#' @param mode `"regression"` or `"classification"`.
#' @param engine `"cawi"`.
#' @param architecture,hidden_units,penalty,activation,init Arguments of the network, or
#'   `tune()`; see the table.
#' @param object A `rand_network()`.
#' @param parameters A data frame with one row, or a list, of arguments to change.
#' @param fresh Forget the arguments that are not given?
#' @param values Values to try.
#' @param range Limits of the values, in powers of two.
#' @param ... For `update()`: arguments of the engine that the specification has already. Otherwise
#'   not used.
#' @return A specification of parsnip; parameters of dials for the functions that name one.
#' @examplesIf rlang::is_installed("parsnip")
#' spec <- rand_network("classification", hidden_units = 50, penalty = 0.1)
#' spec <- parsnip::set_engine(spec, "cawi", seed = 1, threads = 1)
#' fit <- parsnip::fit(spec, Species ~ ., iris)
#' predict(fit, iris[c(1, 51, 101), ], type = "prob")
#' many <- parsnip::multi_predict(fit, iris[c(1, 51, 101), ], penalty = 10^(-2:2))
#' many$.pred[[1]]
#' update(spec, penalty = 1)
#' @export
rand_network <- function(mode = "unknown", engine = "cawi", architecture = NULL,
                         hidden_units = NULL, penalty = NULL, activation = NULL, init = NULL) {
  rlang::check_installed("parsnip", "for `rand_network()`.")
  register_rand_network()
  parsnip::new_model_spec(
    "rand_network",
    args = list(
      architecture = rlang::enquo(architecture), hidden_units = rlang::enquo(hidden_units),
      penalty = rlang::enquo(penalty), activation = rlang::enquo(activation),
      init = rlang::enquo(init)
    ),
    eng_args = NULL, mode = mode, user_specified_mode = !missing(mode), method = NULL,
    engine = engine, user_specified_engine = !missing(engine)
  )
}

#' @rdname rand_network
#' @export
update.rand_network <- function(object, parameters = NULL, architecture = NULL,
                                hidden_units = NULL, penalty = NULL, activation = NULL,
                                init = NULL, fresh = FALSE, ...) {
  given <- list(
    architecture = rlang::enquo(architecture), hidden_units = rlang::enquo(hidden_units),
    penalty = rlang::enquo(penalty), activation = rlang::enquo(activation),
    init = rlang::enquo(init)
  )
  parsnip::update_spec(object = object, parameters = parameters, args_enquo_list = given,
                       fresh = fresh, cls = "rand_network", ...)
}

# Arguments of the engine have parameters too.
#' @exportS3Method generics::tunable
tunable.rand_network <- function(x, ...) {
  found <- NextMethod()
  for (name in intersect(names(engine_parameters), found$name)) {
    found$call_info[found$name == name] <- list(engine_parameters[[name]])
  }
  found
}

# All penalties of a grid come from one fit.
#' @exportS3Method generics::min_grid
min_grid.rand_network <- function(x, grid, ...) tune::fit_max_value(x, grid, ...)

#' @rdname rand_network
#' @export
rand_architecture <- function(values = c("rvfl", "elm", "drvfl", "edrvfl", "bls")) {
  new_choice(values, model_names, c(architecture = "Architecture"))
}

#' @rdname rand_network
#' @export
rand_init <- function(values = c("iid", "gaussian", "t", "clayton", "frank", "gumbel")) {
  new_choice(values, init_names, c(init = "Distribution of the Weights"))
}

#' @rdname rand_network
#' @export
rand_spread <- function(range = c(-2, 2)) {
  rlang::check_installed(c("dials", "scales"), "for parameters that are tuned.")
  dials::new_quant_param(type = "double", range = range, inclusive = c(TRUE, TRUE),
                         trans = scales::log2_trans(),
                         label = c(spread = "Spread of the Pre-activations"))
}

new_choice <- function(values, known, label, call = caller_env()) {
  rlang::check_installed("dials", "for parameters that are tuned.")
  for (value in values) check_choice(value, known, "values", call)
  dials::new_qual_param(type = "character", values = values, label = label)
}
