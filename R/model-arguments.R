# The arguments of the models: their defaults, once for the signatures, the help and the checks, and
# the validated object that they become.

common_arguments <- list(
  activation = "sigmoid", init = "iid", strength = 1, rounds = "auto",
  per_feature = FALSE, criterion = "likelihood",
  marginal = "uniform", scale = NULL, spread = NULL, inputs = "auto", bias = "uniform",
  lambda = NULL, direct = TRUE, intercept = TRUE, standardize = TRUE, case_weights = NULL,
  class_weights = NULL, na_action = "fail", seed = NULL, threads = NULL, keep_data = NULL,
  checkpoint = NULL
)

model_arguments <- function(model) {
  row <- models[[model]]
  utils::modifyList(c(row$own, common_arguments), row["direct"], keep.null = TRUE)
}

# The function of a model: what comes after `...` has to be named in full.
model_function <- function(model) {
  fun <- function() NULL
  formals(fun) <- c(alist(x = , y = , ... = , formula = , data = ), model_arguments(model))
  body(fun) <- bquote(fit_called(.(model), environment()))
  environment(fun) <- topenv()
  fun
}

# The values of a call's arguments, all but those of its data. `frame` is the call of the function.
called_arguments <- function(model, frame) {
  check_dots(eval(quote(rlang::enquos(...)), frame), NULL, frame,
             c("x", "y", "formula", "data", names(model_arguments(model))))
  given <- model_arguments(model)
  # An argument that the caller was not given either, as in f <- function(x, y, hidden) ..., keeps
  # its default.
  for (name in setdiff(names(given), "case_weights")) {
    if (!is_missing(name, frame)) given[name] <- list(plain_value(frame[[name]]))
  }
  given["given_intercept"] <- list(if (!is_missing("intercept", frame)) given$intercept)
  if (!is.null(given$keep_data)) given$keep_data <- check_flag(given$keep_data, "keep_data", frame)
  given
}

# The same from a list.
complete_arguments <- function(model, arguments, call) {
  defaults <- model_arguments(model)
  check_dots(arguments, names(defaults), call, own = NULL)
  given <- utils::modifyList(defaults, arguments, keep.null = TRUE)
  given["given_intercept"] <- list(arguments$intercept)
  given
}

# The arguments as one validated object. `hidden` and `activation` have one entry per layer; Broad
# Learning is two layers, its feature and its enhancement nodes.
new_spec <- function(model, given, call) {
  choice <- function(arg, choices) check_choice(given[[arg]], choices, arg, call)
  flag <- function(arg) check_flag(given[[arg]], arg, call)
  spec <- c(
    list(model = model),
    model_shape(model, given, call),
    list(init = check_init(given$init, call), criterion = choice("criterion", criteria),
         strength = check_strength(given$strength, given$init, call),
         rounds = check_rounds(given$rounds, call), per_feature = flag("per_feature"),
         marginal = choice("marginal", marginal_names)),
    check_scale(given$scale, given$spread, call),
    list(
      inputs = check_inputs(given$inputs, call, auto_inputs(given)),
      bias = choice("bias", bias_names),
      lambda = check_lambda(given$lambda, call), direct = flag("direct"),
      intercept = flag("intercept"), standardize = check_standardize(given$standardize, call),
      align = if (is.null(given$align)) "all" else choice("align", alignments),
      wiring = models[[model]]$wiring, na_action = check_na_action(given$na_action, call),
      landmarks = check_landmarks(given$landmarks, model, call)
    )
  )
  # Models without them are what they were before there were any.
  spec$class_weights <- check_class_weights(given$class_weights, call)
  if (is_infinite(spec)) check_infinite(spec, call)
  spec
}

# The hidden nodes and activations of the layers that the arguments ask for.
model_shape <- function(model, given, call) {
  broad <- if (models[[model]]$layers == "broad") check_broad(given, call)
  hidden <- if (is.null(broad)) check_hidden(given$hidden, call) else broad_hidden(broad)
  if (models[[model]]$layers == "one" && length(hidden) != 1L) {
    abort_argument(
      "hidden", "{.arg hidden} must be one number for this model, not {length(hidden)}.", call
    )
  }
  if (models[[model]]$layers != "one" && has_infinite(hidden)) refuse_infinite(model, call)
  activation <- check_activation(given$activation, length(hidden), call)
  list(hidden = hidden, activation = activation, broad = broad)
}

check_broad <- function(given, call) {
  count <- function(arg) check_count(given[[arg]], arg, call)
  broad <- list(windows = count("windows"), nodes = count("nodes"),
                enhancement_windows = count("enhancement_windows"),
                enhancement = count("enhancement"))
  check_node_count(broad$windows * broad$nodes, larger_of(broad, c("windows", "nodes")), call)
  total <- broad$windows * broad$nodes + broad$enhancement_windows * broad$enhancement
  check_node_count(total, larger_of(broad, c("enhancement", "enhancement_windows")), call)
  broad
}

larger_of <- function(broad, args) args[which.max(unlist(broad[args]))]

# Windows of equal kind are one layer: their nodes are independent draws.
broad_hidden <- function(broad) {
  as.integer(c(broad$windows * broad$nodes, broad$enhancement_windows * broad$enhancement))
}

# A factor on the weights, or the spread that the pre-activations shall have. Without either it is
# default_spread, but for weights that the user gives.
check_scale <- function(scale, spread, call) {
  if (!is.null(spread)) {
    if (!is.null(scale)) {
      abort_argument(
        "spread", "{.arg spread} and {.arg scale} say the same thing: give one of them.", call
      )
    }
    spread <- check_number(spread, "spread", call, min = 0, max = 1e100, open = TRUE)
  }
  if (is.null(scale) || identical(scale, "auto")) return(list(scale = scale, spread = spread))
  if (identical(scale, "paper")) scale <- 1
  if (is.character(scale)) {
    message <- paste("{.arg scale} must be a positive number, {.val paper} or {.val auto},",
                     "not {shown(scale)}.")
    abort_argument("scale", message, call)
  }
  scale <- check_number(scale, "scale", call, min = 0, max = 1e100, open = TRUE)
  list(scale = scale, spread = spread)
}

# Nodes that read three features each did best for all models in the study of the defaults. Weights
# of the user stay as they are, directions that gradients tell are those of all features, and few
# infinite networks have a closed form for some of them.
auto_inputs <- function(given) {
  all <- is_given(given$init) || identical(given$init, "gradient") || has_infinite(given$hidden)
  if (all) NULL else 3L
}

check_inputs <- function(inputs, call, automatic = NULL) {
  if (identical(inputs, "auto")) return(automatic)
  if (is.null(inputs)) return(NULL)
  single <- is.atomic(inputs) && length(inputs) == 1L
  if (single && is.na(inputs) && !is.nan(inputs)) return(NULL)
  as.integer(check_count(inputs, "inputs", call))
}

check_standardize <- function(standardize, call = caller_env()) {
  if (identical(standardize, "ranks")) return(standardize)
  if (is.character(standardize)) {
    message <- "{.arg standardize} must be TRUE, FALSE or {.val ranks}, not {shown(standardize)}."
    # c(TRUE, "ranks") is text.
    if (any(standardize %in% c("TRUE", "FALSE"))) {
      message <- c(message, i = "A grid with both has {.code list(TRUE, \"ranks\")}.")
    }
    abort_argument("standardize", message, call)
  }
  check_flag(standardize, "standardize", call)
}

check_hidden <- function(hidden, call, arg = "hidden") {
  hidden <- plain_number(hidden)
  if (has_infinite(hidden)) return(as.double(hidden))
  ok <- is.numeric(hidden) && length(hidden) > 0L && all(is.finite(hidden)) &&
    all(hidden == round(hidden)) && all(hidden >= 1)
  if (!ok) {
    message <- paste("{.arg {arg}} must be whole numbers of at least 1, one per layer, not",
                     "{shown(hidden)}.")
    abort_argument(arg, message, call)
  }
  check_node_count(sum(hidden), arg, call)
  as.integer(hidden)
}

check_landmarks <- function(landmarks, model, call) {
  if (is.null(models[[model]]$own$landmarks)) return(NULL)
  if (identical(plain_number(landmarks), Inf)) return(Inf)
  check_count(landmarks, "landmarks", call, max = most_nodes)
}

# More nodes have Gram matrices that no machine of today holds.
most_nodes <- 1e5

check_node_count <- function(nodes, arg, call) {
  if (nodes > most_nodes) {
    count <- format(nodes, big.mark = ",", decimal.mark = ".", scientific = nodes >= 1e15)
    abort_argument(
      arg, "{.arg {arg}} would give {count} hidden nodes; the most is 100,000.", call
    )
  }
}

check_activation <- function(activation, layers, call) {
  ok <- is.character(activation) && length(activation) %in% c(1L, layers) &&
    all(activation %in% activation_names)
  if (!ok) {
    message <- paste("{.arg activation} must be among {.val {activation_names}}, one, or one per",
                     "layer, not {shown(activation)}.")
    abort_argument("activation", message, call)
  }
  rep_len(activation_names[match(activation, activation_names)], layers)
}

check_init <- function(init, call) {
  if (inherits(init, "cawi_copula")) return(check_copula(init, "init", call))
  if (is.function(init)) return(init)
  if (is.matrix(init)) return(check_given_weights(init, call))
  if (identical(init, "independence")) init <- "iid"
  if (is_string(init) && init %in% init_names) return(init_names[match(init, init_names)])
  message <- paste("{.arg init} must be one of {.val {init_names}}, a {.cls cawi_copula}, a matrix",
                   "or a {.code function(x, hidden, seed)}, not {shown(init)}.")
  abort_argument("init", message, call)
}

# A number, or "auto". What the range is depends on the distribution of the weights, which may yet
# have to be chosen: draws look again.
check_strength <- function(strength, init, call) {
  if (identical(strength, "auto")) return(strength)
  if (is.character(strength)) {
    message <- paste("{.arg strength} must be a number from -1 to 1 or {.val auto},",
                     "not {shown(strength)}.")
    abort_argument("strength", message, call)
  }
  strength <- check_number(strength, "strength", call, min = -1, max = 1)
  named <- is.character(init) && init %in% c(family_names, "gradient")
  if (named) check_strength_range(strength, init, call)
  if (inherits(init, "cawi_copula")) check_strength_range(strength, init$family, call)
  strength
}

# More rounds than these cost much and change little.
most_rounds <- 10

check_rounds <- function(rounds, call) {
  if (identical(rounds, "auto")) return(rounds)
  if (is.character(rounds)) {
    message <- paste("{.arg rounds} must be a whole number from 0 to {most_rounds} or {.val auto},",
                     "not {shown(rounds)}.")
    abort_argument("rounds", message, call)
  }
  check_count(rounds, "rounds", call, min = 0, max = most_rounds)
}

# NULL becomes the whole path. A matrix with one row has a penalty per output, none of them to be
# chosen.
check_lambda <- function(lambda, call) {
  if (is.null(lambda)) return(10^(-6:6))
  lambda <- plain_number(lambda)
  ok <- is.numeric(lambda) && length(lambda) > 0L && all(is.finite(lambda)) &&
    all(lambda >= 0 & lambda <= 1e100) &&
    (is.null(dim(lambda)) || (is.matrix(lambda) && nrow(lambda) == 1L))
  if (!ok) {
    message <- paste("{.arg lambda} must be numbers from 0 to 1e100, in a vector or in a matrix",
                     "with one row, or NULL, not {shown(lambda)}.")
    abort_argument("lambda", message, call)
  }
  if (is.matrix(lambda) && ncol(lambda) > 1L) return(matrix(as.double(lambda), 1L))
  sort(unique(as.double(lambda)))
}

check_na_action <- function(na_action, call) check_choice(na_action, na_actions, "na_action", call)

# A formula without intercept is a readout without one.
no_intercept <- function(given, call) {
  if (isTRUE(given)) {
    message <- "{.arg intercept} is TRUE, and the formula takes it out."
    abort_argument("intercept", message, call)
  }
  FALSE
}
