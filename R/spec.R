# The arguments of all models as one validated object. `hidden` and `activation` have one entry a
# layer; Broad Learning is two layers, its feature and its enhancement nodes.
new_spec <- function(model, hidden, activation, init, marginal, scale, lambda, direct, intercept,
                     standardize, align, na_action, call) {
  hidden <- check_hidden(hidden, call)
  activation <- check_activation(activation, length(hidden), call)
  list(
    model = model,
    hidden = hidden,
    activation = activation,
    init = check_init(init, call),
    marginal = check_choice(marginal, marginal_names, "marginal", call),
    scale = check_number(scale, "scale", call, min = 0, max = 1e100, open = TRUE),
    lambda = check_lambda(lambda, call),
    direct = check_flag(direct, "direct", call),
    intercept = check_flag(intercept, "intercept", call),
    standardize = check_flag(standardize, "standardize", call),
    align = check_choice(align, c("all", "first"), "align", call),
    wiring = if (model == "edrvfl") "skip" else "stacked",
    na_action = check_choice(na_action, c("fail", "omit", "impute"), "na_action", call)
  )
}

check_hidden <- function(hidden, call, arg = "hidden") {
  ok <- is.numeric(hidden) && length(hidden) > 0L && all(is.finite(hidden)) &&
    all(hidden == round(hidden)) && all(hidden >= 1) && sum(hidden) <= 1e5
  if (!ok) {
    abort_argument(
      arg, "{.arg {arg}} must be whole numbers of at least 1, one a layer, not {shown(hidden)}.", call
    )
  }
  as.integer(hidden)
}

check_activation <- function(activation, layers, call) {
  ok <- is.character(activation) && length(activation) %in% c(1L, layers) &&
    all(activation %in% activation_names)
  if (!ok) {
    abort_argument(
      "activation",
      "{.arg activation} must be among {.val {activation_names}}, one or one a layer, not {shown(activation)}.",
      call
    )
  }
  rep_len(activation, layers)
}

check_init <- function(init, call) {
  if (inherits(init, "cawi_copula")) return(init)
  if (identical(init, "independence")) init <- "iid"
  check_choice(init, init_names, "init", call)
}

# NULL becomes the whole path.
check_lambda <- function(lambda, call) {
  if (is.null(lambda)) return(10^(-6:6))
  ok <- is.numeric(lambda) && length(lambda) > 0L && all(is.finite(lambda)) && all(lambda >= 0 & lambda <= 1e100)
  if (!ok) {
    abort_argument(
      "lambda", "{.arg lambda} must be numbers from 0 to 1e100 or NULL, not {shown(lambda)}.", call
    )
  }
  sort(unique(as.double(lambda)))
}
