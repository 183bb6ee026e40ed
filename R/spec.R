# The arguments of all models as one validated object. `hidden` and `activation` have one entry a
# layer; Broad Learning is two layers, its feature and its enhancement nodes.
new_spec <- function(model, given, hidden, call) {
  hidden <- check_hidden(hidden, call)
  c(
    list(
      model = model,
      hidden = hidden,
      activation = check_activation(given$activation, length(hidden), call),
      init = check_init(given$init, call),
      criterion = check_choice(given$criterion, c("likelihood", "loo"), "criterion", call),
      marginal = check_choice(given$marginal, marginal_names, "marginal", call)
    ),
    check_scale(given$scale, given$spread, call),
    list(
      inputs = check_inputs(given$inputs, call),
      bias = check_choice(given$bias, bias_names, "bias", call),
      lambda = check_lambda(given$lambda, call),
      direct = check_flag(given$direct, "direct", call),
      intercept = check_flag(given$intercept, "intercept", call),
      standardize = check_flag(given$standardize, "standardize", call),
      align = check_choice(given$align, c("all", "first"), "align", call),
      wiring = if (model == "edrvfl") "skip" else "stacked",
      na_action = check_na_action(given$na_action, call)
    )
  )
}

# A factor on the weights, or the spread that the pre-activations shall have.
check_scale <- function(scale, spread, call) {
  if (!is.null(spread)) {
    if (!identical(scale, 1)) {
      abort_argument("spread", "{.arg spread} and {.arg scale} say the same thing: give one of them.", call)
    }
    spread <- check_number(spread, "spread", call, min = 0, max = 1e100, open = TRUE)
  }
  if (identical(scale, "auto")) return(list(scale = scale, spread = NULL))
  if (is.character(scale)) {
    abort_argument("scale", "{.arg scale} must be a positive number or {.val auto}, not {shown(scale)}.", call)
  }
  list(scale = check_number(scale, "scale", call, min = 0, max = 1e100, open = TRUE), spread = spread)
}

check_inputs <- function(inputs, call) {
  if (is.null(inputs) || (is.atomic(inputs) && length(inputs) == 1L && is.na(inputs) && !is.nan(inputs))) return(NULL)
  as.integer(check_count(inputs, "inputs", call))
}

check_hidden <- function(hidden, call, arg = "hidden") {
  hidden <- plain_number(hidden)
  ok <- is.numeric(hidden) && length(hidden) > 0L && all(is.finite(hidden)) &&
    all(hidden == round(hidden)) && all(hidden >= 1)
  if (!ok) {
    abort_argument(
      arg, "{.arg {arg}} must be whole numbers of at least 1, one per layer, not {shown(hidden)}.", call
    )
  }
  check_node_count(sum(hidden), arg, call)
  as.integer(hidden)
}

# More nodes have Gram matrices that no machine of today holds.
most_nodes <- 1e5

check_node_count <- function(nodes, arg, call) {
  if (nodes > most_nodes) {
    count <- format(nodes, big.mark = ",", scientific = nodes >= 1e15)
    abort_argument(arg, "{.arg {arg}} would give {count} hidden nodes; the most is 100,000.", call)
  }
}

check_activation <- function(activation, layers, call) {
  ok <- is.character(activation) && length(activation) %in% c(1L, layers) &&
    all(activation %in% activation_names)
  if (!ok) {
    abort_argument(
      "activation",
      "{.arg activation} must be among {.val {activation_names}}, one, or one per layer, not {shown(activation)}.",
      call
    )
  }
  rep_len(activation, layers)
}

check_init <- function(init, call) {
  if (inherits(init, "cawi_copula")) return(check_copula(init, "init", call))
  if (identical(init, "independence")) init <- "iid"
  check_choice(init, init_names, "init", call)
}

# NULL becomes the whole path. A matrix with one row has a penalty per output, none of them to be chosen.
check_lambda <- function(lambda, call) {
  if (is.null(lambda)) return(10^(-6:6))
  lambda <- plain_number(lambda)
  ok <- is.numeric(lambda) && length(lambda) > 0L && all(is.finite(lambda)) && all(lambda >= 0 & lambda <= 1e100) &&
    (is.null(dim(lambda)) || (is.matrix(lambda) && nrow(lambda) == 1L))
  if (!ok) {
    abort_argument(
      "lambda",
      paste("{.arg lambda} must be numbers from 0 to 1e100, in a vector or in a matrix with one row, or NULL,",
            "not {shown(lambda)}."), call
    )
  }
  if (is.matrix(lambda) && ncol(lambda) > 1L) return(matrix(as.double(lambda), 1L))
  sort(unique(as.double(lambda)))
}

check_na_action <- function(na_action, call) check_choice(na_action, na_actions, "na_action", call)
