# Weights that the user gives as `init`: a matrix for the first layer, or a function that makes one
# from what a layer reads.

# A matrix that is given before the features are known: one row per feature, one column per node.
check_given_weights <- function(init, call) {
  init <- plain_number(init)
  sound <- is.numeric(init) && length(init) > 0L && all(is.finite(init))
  if (!sound) {
    message <- paste("{.arg init} must be a matrix of finite numbers, one row per feature and one",
                     "column per node.")
    abort_argument("init", message, call)
  }
  storage.mode(init) <- "double"
  bare_matrix_of(unname(init))
}

# The source of given weights: a function of the number of nodes. It stands beside a copula, which
# has nothing to tell.
given_weights <- function(sample, network, spec, layer, run) {
  inputs <- layer_inputs(network, layer, ncol(sample))
  plain <- list(copula = new_cawi_copula("independence", inputs))
  if (!is.function(spec$init) && layer > 1L) return(plain)
  c(plain, list(given = function(count) {
    if (!is.function(spec$init)) return(sized_weights(spec$init, inputs, count, run$call))
    if (is_sparse_rows(sample)) {
      check_filled(nrow(sample) * as.double(inputs), "what the function given as {.arg init} reads",
                   "init", "{.code init = \"iid\"} needs no rows.", run$call)
    }
    input <- layer_input_cpp(sample, network, layer - 1L)
    # Any generator takes a seed of this size.
    seed <- child_seed_cpp(run$seed, 2L * layer) %% .Machine$integer.max
    sized_weights(called_weights(spec$init, input, count, seed, run$call), inputs, count, run$call)
  }))
}

# More nodes of a layer with given weights; NULL where they are drawn.
regrown_weights <- function(sample, object, layer, run) {
  if (!is_given(object$spec$init)) return(NULL)
  if (!is.function(object$spec$init) && layer == 1L) {
    # The first layer of Broad Learning is its windows.
    arg <- if (is.null(object$spec$broad)) "hidden" else "windows"
    message <- paste("{.arg {arg}} cannot grow: the weights were given as a matrix, and there are",
                     "no more of them.")
    abort_argument(arg, message, run$call)
  }
  spec <- object$spec
  spec$init <- settled_code(spec$init)
  given_weights(sample, object$network, spec, layer, run)["given"]
}

sized_weights <- function(w, inputs, count, call) {
  if (nrow(w) == inputs && ncol(w) == count) return(w)
  message <- paste("The weights given as {.arg init} are {nrow(w)} x {ncol(w)}; they must have one",
                   "row per feature ({inputs}) and one column per node ({count}).")
  hint <- if (nrow(w) == inputs) "Is it {.code hidden = {ncol(w)}} that you want?"
  abort_argument("init", c(message, i = hint), call)
}

# A function is called twice, with R's generator in two states: weights must depend on nothing but
# what it is given. The caller's generator stays as it was.
called_weights <- function(fun, x, hidden, seed, call) {
  old <- get0(".Random.seed", envir = globalenv(), inherits = FALSE)
  on.exit(restore_generator(old))
  once <- function(state) {
    set.seed(state)
    tryCatch(fun(x, hidden, seed), error = function(e) {
      message <- c("The function given as {.arg init} failed: {conditionMessage(e)}",
                   i = "It is called as {.code init(x, hidden, seed)}.")
      abort_argument("init", message, call)
    })
  }
  weights <- once(1)
  if (!is.matrix(weights)) {
    message <- paste("The function given as {.arg init} must return a matrix of finite numbers,",
                     "not {.obj_type_friendly {weights}}.")
    abort_argument("init", message, call)
  }
  weights <- check_given_weights(weights, call)
  if (!identical(weights, unname(suppressWarnings(once(2)) + 0))) {
    message <- c("The function given as {.arg init} returns other weights at each call.",
                 i = "Its draws must come from its argument {.arg seed}: {.code set.seed(seed)}.")
    abort_argument("init", message, call)
  }
  weights
}
