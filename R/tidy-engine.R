# What parsnip is told of the engine: how to fit, how to predict, what can be tuned.

# Parameters for dials, with ranges that fit these networks: their nodes are many, and their
# penalties are relative to the number of rows, not to one.
main_parameters <- list(
  architecture = list(pkg = "cawi", fun = "rand_architecture"),
  hidden_units = list(pkg = "dials", fun = "hidden_units", range = c(10L, 400L)),
  penalty = list(pkg = "dials", fun = "penalty", range = c(-6, 4)),
  activation = list(pkg = "dials", fun = "activation", values = activation_names),
  init = list(pkg = "cawi", fun = "rand_init")
)
engine_parameters <- list(
  spread = list(pkg = "cawi", fun = "rand_spread"),
  strength = list(pkg = "dials", fun = "mixture", range = c(0, 1)),
  inputs = list(pkg = "dials", fun = "num_terms", range = c(1L, 5L))
)

# Whichever of the two packages comes second does it.
register_with_parsnip <- function() {
  if (isNamespaceLoaded("parsnip")) return(register_rand_network())
  setHook(packageEvent("parsnip", "onLoad"), function(...) register_rand_network())
}

register_rand_network <- function() {
  if ("rand_network" %in% parsnip::get_from_env("models")) return(invisible())
  parsnip::set_new_model("rand_network")
  for (mode in c("regression", "classification")) {
    parsnip::set_model_mode("rand_network", mode)
    parsnip::set_model_engine("rand_network", mode, "cawi")
    # So that workers load the package, and with it know the engine.
    parsnip::set_dependency("rand_network", "cawi", "cawi", mode)
    register_fit(mode)
  }
  originals <- c(architecture = "architecture", hidden_units = "hidden", penalty = "lambda",
                 activation = "activation", init = "init")
  for (name in names(originals)) {
    parsnip::set_model_arg("rand_network", "cawi", name, originals[[name]],
                           main_parameters[[name]], has_submodel = name == "penalty")
  }
  types <- list(regression = c("numeric", "raw"), classification = c("class", "prob", "raw"))
  for (mode in names(types)) for (type in types[[mode]]) register_prediction(mode, type)
}

register_fit <- function(mode) {
  value <- list(
    interface = "data.frame", protect = c("x", "y", "weights"),
    data = c(x = "x", y = "y", weights = "case_weights"),
    func = c(pkg = "cawi", fun = "cawi_network_fit"), defaults = list()
  )
  parsnip::set_fit("rand_network", mode, "cawi", value)
  options <- list(predictor_indicators = "none", compute_intercept = FALSE,
                  remove_intercept = FALSE, allow_sparse_x = FALSE)
  parsnip::set_encoding("rand_network", mode, "cawi", options)
}

register_prediction <- function(mode, type) {
  asked <- if (type == "raw") "score" else type
  value <- list(
    pre = NULL, post = if (type == "prob") function(result, object) as_predicted(result),
    func = c(fun = "predict"),
    args = list(object = quote(object$fit), new_data = quote(new_data), type = asked)
  )
  parsnip::set_pred("rand_network", mode, "cawi", type, value)
}

# A matrix as a tibble with the same names.
as_predicted <- function(result) tibble::as_tibble(as.data.frame(result, optional = TRUE))

#' Fit a specification of parsnip
#'
#' The function that parsnip calls for the engine `"cawi"` of [rand_network()].
#'
#' @inheritParams cawi_models
#' @param architecture `"rvfl"`, `"elm"`, `"drvfl"`, `"edrvfl"` or `"bls"`.
#' @param hidden Hidden nodes, of one layer or of each; those of the enhancement for `"bls"`; `NULL`
#'   for the default of the model.
#' @param layers Number of layers of a deep network of which `hidden` gives one number.
#' @param keep_data Keep the training data? `NULL` keeps them for classification, and otherwise up
#'   to two million numbers.
#' @param ... Arguments of the model.
#' @return A `cawi_model`.
#' @keywords internal
#' @export
cawi_network_fit <- function(x, y, architecture = "rvfl", hidden = NULL, layers = 3,
                             case_weights = NULL, keep_data = NULL, ...) {
  call <- environment()
  check_given(x, "x", call)
  check_given(y, "y", call)
  architecture <- check_choice(architecture, model_names, "architecture", call)
  arguments <- c(engine_shape(architecture, hidden, layers, call), list(...))
  # Probabilities at other penalties need rows that were left out.
  if (is.null(keep_data) && is.factor(y)) keep_data <- TRUE
  fun <- utils::getFromNamespace(paste0("cawi_", architecture), "cawi")
  do.call(fun, c(list(x = x, y = y, case_weights = case_weights, keep_data = keep_data),
                 arguments), quote = TRUE)
}

engine_shape <- function(architecture, hidden, layers, call) {
  kind <- models[[architecture]]$layers
  if (kind == "deep") layers <- check_count(layers, "layers", call, max = 1000)
  if (is.null(hidden)) {
    if (kind != "deep") return(NULL)
    return(list(hidden = rep(models[[architecture]]$own$hidden[1L], layers)))
  }
  if (kind == "broad") return(list(enhancement = hidden))
  if (kind == "deep" && is.numeric(hidden) && length(hidden) == 1L) hidden <- rep(hidden, layers)
  list(hidden = hidden)
}
