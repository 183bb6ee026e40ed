#' Exact incremental learning
#'
#' Adds or forgets rows, or adds nodes, without starting again. The result is that of fitting from
#' scratch with the same frozen weights, standardisation and `lambda`. Rows change only the normal
#' equations, so their cost does not depend on the rows already seen; new nodes need the training
#' data, which is in the model (`keep_data`) or given as `x` and `y`.
#'
#' @param object A `cawi_model`.
#' @param new_x,new_y Rows to learn. Where the response of the formula is more than a column, as in
#'   `log(y) ~ .`, `new_x` has the columns of the response too and `new_y` is not given.
#' @param weights Case weights of the new rows, or of `x` where nodes are added.
#' @param new_classes May `new_y` have classes that the model does not know? They are added then; otherwise they are
#'   an error, since most of them are misspelt.
#' @param forget_x,forget_y Rows to forget, as they were given before (with `forget_weights`). A row that
#'   the model has never seen is an error where the model keeps its data. Without them it can only be
#'   told when the sums are no longer those of any rows (a matrix that is not positive semidefinite, a
#'   class with fewer rows than none): some rows that were never learned are forgotten without notice.
#' @param forget_weights Case weights that the forgotten rows had.
#' @param hidden New number of nodes of the last layer (of the only one for ELM and RVFL).
#' @param windows,enhancement For Broad Learning: new number of feature windows, and of nodes in each
#'   enhancement window. Enhancement nodes that exist do not read new windows.
#' @param x,y The training data, for new nodes where the model does not have them: the rows that it has learned, with their
#'   `weights`. Rows that the fit left out (incomplete ones under `na_action = "omit"`, those without weight) may be among
#'   them.
#' @param lambda A new penalty, or one per numeric output; by default it stays.
#' @param threads Number of threads; see [cawi-package].
#' @param ... Not used; a misspelt argument is an error.
#' @return The updated model. Leave-one-out errors are not carried along; the calibration of the
#'   probabilities is, unless classes were added: then it is made anew from the exact leave-one-out scores of the
#'   rows in the model (`keep_data`) or, without them, of the new rows if there are at least 50, of two classes or
#'   more.
#' @examples
#' rows <- c(1:40, 51:90)
#' fit <- cawi_rvfl(iris[rows, 1:4], iris$Species[rows], hidden = 20, lambda = 0.1, seed = 1)
#' # a third class appears
#' fit <- update(fit, new_x = iris[-rows, 1:4], new_y = iris$Species[-rows], new_classes = TRUE)
#' fit
#' update(fit, hidden = 30)
#' @export
update.cawi_model <- function(object, new_x = NULL, new_y = NULL, weights = NULL, forget_x = NULL,
                              forget_y = NULL, forget_weights = NULL, hidden = NULL, windows = NULL,
                              enhancement = NULL, x = NULL, y = NULL, lambda = NULL, new_classes = FALSE,
                              threads = NULL, ...) {
  check_dots(list(...))
  check_model(object)
  call <- environment()
  check_statistics(object, call)
  check_flag(new_classes, "new_classes")
  grows <- !is.null(hidden) || !is.null(windows) || !is.null(enhancement)
  check_companions(list(weights = weights, forget_weights = forget_weights, x = x, y = y),
                   c(weights = !is.null(new_x) || !is.null(x), forget_weights = !is.null(forget_x), x = grows, y = grows),
                   call)
  sound(object, "object", {
    update_model(object, new_x, new_y, weights, forget_x, forget_y, forget_weights,
                 grown_shape(object, hidden, windows, enhancement, call), x, y, lambda, new_classes, threads, call)
  })
}

# Arguments that say nothing without others.
check_companions <- function(given, useful, call) {
  others <- c(weights = "new_x", forget_weights = "forget_x", x = "hidden", y = "hidden")
  alone <- names(given)[!vapply(given, is.null, NA) & !useful]
  if (length(alone) == 0L) return(invisible())
  arg <- alone[1L]
  abort_argument(arg, "{.arg {arg}} has no use without {.arg {others[[arg]]}}.", call)
}

update_model <- function(object, new_x, new_y, weights, forget_x, forget_y, forget_weights, shape, x, y, lambda,
                         new_classes, threads, call) {
  threads <- resolve_threads(threads)
  new_y <- given_response(object, new_x, new_y, c("new_x", "new_y"), call)
  forget_y <- given_response(object, forget_x, forget_y, c("forget_x", "forget_y"), call)
  y <- given_response(object, x, y, c("x", "y"), call)
  lambda <- check_new_lambda(lambda, object, call)
  if (!is.null(shape)) {
    check_memory(40 * (sum(shape$hidden) + length(object$network$center) + 1)^2, call)
    data <- training_data(object, x, y, if (is.null(new_x)) weights, threads, call)
    object <- rethrow_core_errors(grow_nodes(object, shape, data, threads), call)
  }
  if (!is.null(new_x)) object <- learn_rows(object, new_x, new_y, weights, lambda, new_classes, threads, call)
  if (!is.null(forget_x)) {
    object <- change_rows(object, forget_x, forget_y, forget_weights, -1, threads, call)
    check_forgotten(object, call)
  }
  resolve_readouts(object, lambda, call)
}

# The response of rows comes beside them, or is computed from them as the formula says.
given_response <- function(object, x, y, args, call) {
  response <- object$preprocessor$response
  computed <- !is.null(response) && !isTRUE(response$plain)
  if (is.null(x) && is.null(y)) return(NULL)
  if (computed && !is.null(y)) {
    text <- rlang::as_label(response$call)
    abort_argument(
      args[2L],
      c("The response of the model is {.code {text}}, not {.arg {args[2L]}}: leave it out.",
        i = "{.arg {args[1L]}} has the columns that it is computed from."), call
    )
  }
  if (is.null(x)) abort_argument(args[1L], "{.arg {args[1L]}} and {.arg {args[2L]}} come together.", call)
  if (is.null(y) && !is.null(response)) y <- response_of(object$preprocessor, x, args[1L], call)
  if (is.null(y)) abort_argument(args[2L], "{.arg {args[1L]}} and {.arg {args[2L]}} come together.", call)
  y
}

check_new_lambda <- function(lambda, object, call) {
  if (is.null(lambda)) return(NULL)
  outputs <- if (object$task == "regression") object$outputs else 1L
  if (length(lambda) != outputs || outputs == 1L) {
    return(rep(check_number(lambda, "lambda", call, min = 0, max = 1e100), outputs))
  }
  vapply(as.list(lambda), check_number, numeric(1), arg = "lambda", call = call, min = 0, max = 1e100)
}

learn_rows <- function(object, new_x, new_y, weights, lambda, new_classes, threads, call) {
  if (!new_classes) check_known_classes(object, new_y, call)
  known <- length(object$levels)
  object <- change_rows(object, new_x, new_y, weights, 1, threads, call)
  if (length(object$levels) == known) return(object)
  recalibrate(resolve_readouts(object, lambda, call), new_x, new_y, weights, threads, call)
}

check_known_classes <- function(object, new_y, call) {
  if (object$task != "classification") return(invisible())
  if (is.data.frame(new_y) && ncol(new_y) == 1L) new_y <- new_y[[1L]]
  if (!is.factor(new_y) && !is.character(new_y) && !is.logical(new_y)) return(invisible())
  strange <- setdiff(as.character(new_y[!is.na(new_y)]), object$levels)
  if (length(strange) == 0L) return(invisible())
  near <- nearest_name(strange[1L], object$levels)
  abort_argument(
    "new_y",
    c("{.arg new_y} has {cli::qty(length(strange))}class{?es} {.val {strange}} that the model does not know.",
      i = if (!is.null(near)) "Did you mean {.val {near}}?",
      i = "{.code new_classes = TRUE} adds {cli::qty(length(strange))}{?it/them}."), call
  )
}

# Sums that no rows can have show that rows were forgotten that had never been learned.
check_forgotten <- function(object, call) {
  if (!is.null(object$data)) return(invisible())
  for (readout in object$readouts) {
    s <- readout$statistics
    size <- max(abs(diag(s$aa)), 1e-300)
    sound <- all(diag(s$aa) >= -1e-9 * size) &&
      factorizes(s$aa + diag(1e-9 * size, nrow(s$aa))) && counts_left(object, s)
    if (!sound) {
      abort_argument(
        "forget_x", "{.arg forget_x} has rows that the model has not seen: what is left are not the sums of any rows.",
        call
      )
    }
  }
}

factorizes <- function(s) !inherits(try(chol(s), silent = TRUE), "try-error")

# Weights of the classes, where the column of ones tells them.
counts_left <- function(object, statistics) {
  if (object$task != "classification" || !object$network$intercept) return(TRUE)
  all(statistics$ay[nrow(statistics$ay), ] > -1e-9 * sum(abs(statistics$ay[nrow(statistics$ay), ])))
}

# A temperature of fewer classes says little about more of them. Leave-one-out scores are exact for any row
# that the statistics have seen; a few rows, or rows of one class, would not tell one.
recalibrate <- function(object, new_x, new_y, weights, threads, call) {
  data <- object$data
  if (is.null(data)) {
    x <- forge_new_data(object, new_x, "new_x", call)$x
    weights <- check_weights(weights, nrow(x), call)
    data <- list(x = x, targets = row_targets(object, new_y, nrow(x), weights, "new_y", call))
    if (nrow(x) < 50L || length(unique(data$targets$classes)) < 2L) return(object)
  }
  probe <- object
  probe$readouts <- lapply(object$readouts, function(readout) {
    readout$loo <- sampled_loo(data$x, object$network, readout$columns, data$targets, readout$statistics,
                               readout$coefficients, readout$lambda, threads)
    readout
  })
  object$calibration <- calibrate(probe, data$targets)
  object
}

# Solves every readout again from its statistics.
resolve_readouts <- function(object, lambda, call) {
  units <- if (object$task == "regression") object$outcome
  object$readouts <- lapply(object$readouts, function(readout) {
    if (!is.null(lambda)) {
      readout$lambda <- lambda
      readout$lambda_path <- sort(unique(lambda))
    }
    solution <- solve_readout(readout$statistics, readout$lambda, call)
    readout$coefficients <- in_response_units(solution, units, readout$statistics$ones)
    readout$loo <- NULL
    readout
  })
  object$lambda <- chosen_lambda(object$readouts)
  object["loo"] <- list(NULL)
  object
}

# Rows in the dual form become a Gram matrix: from here on they only add up.
as_gram <- function(statistics) {
  if (statistics$kind == "gram") return(statistics)
  check_memory(24 * as.double(ncol(statistics$aa))^2)
  list(kind = "gram", aa = crossprod(statistics$aa), ay = crossprod(statistics$aa, statistics$ay),
       ones = statistics$ones)
}

change_rows <- function(object, x, y, weights, sign, threads, call) {
  arg <- if (sign > 0) "new_x" else "forget_x"
  data <- forge_new_data(object, x, arg, call)
  x <- data$x
  check_finite(x, arg, call)
  if (nrow(x) == 0L) return(object)
  weights <- check_weights(weights, nrow(x), call, if (sign > 0) "weights" else "forget_weights")
  targets <- row_targets(object, y, nrow(x), weights, if (sign > 0) "new_y" else "forget_y", call, data$offset)
  # A row without weight is no row, as in fits.
  if (any(weights == 0)) {
    x <- x[weights > 0, , drop = FALSE]
    targets <- subset_targets(targets, which(weights > 0))
  }
  if (sign < 0 && nrow(x) >= object$nobs) {
    abort_argument("forget_x", "{.arg forget_x} has {nrow(x)} rows, and the model has seen {object$nobs}.", call)
  }
  object <- add_classes(object, targets$levels)
  object$data <- if (sign > 0) append_data(object$data, x, targets) else remove_data(object$data, x, targets, call)
  object$readouts <- lapply(object$readouts, function(readout) {
    change <- rethrow_core_errors(gram_cpp(x, object$network, readout$columns, targets, threads), call)
    statistics <- as_gram(readout$statistics)
    statistics$aa <- statistics$aa + sign * change$aa
    statistics$ay <- statistics$ay + sign * change$ay
    readout$statistics <- statistics
    readout
  })
  object$nobs <- object$nobs + sign * nrow(x)
  object$weighted <- object$weighted || !is.null(weights)
  object
}

# The kept data without the given rows, each of which must be there with its response and weight.
remove_data <- function(data, x, targets, call) {
  if (is.null(data)) return(NULL)
  have <- row_keys(data$x, data$targets)
  want <- row_keys(x, targets)
  # Equal rows are told apart by their count.
  have <- paste(have, stats::ave(seq_along(have), have, FUN = seq_along))
  want <- paste(want, stats::ave(seq_along(want), want, FUN = seq_along))
  place <- match(want, have)
  if (anyNA(place)) {
    lost <- which(is.na(place))[1L]
    abort_argument("forget_x", "Row {lost} of {.arg forget_x} is not among the rows that the model has seen.", call)
  }
  kept <- setdiff(seq_len(nrow(data$x)), place)
  list(x = data$x[kept, , drop = FALSE], targets = subset_targets(data$targets, kept))
}

# All bits of a row, as text.
row_keys <- function(x, targets) {
  bits <- function(value) sprintf("%a", value)
  response <- if (is.null(targets$classes)) lapply(seq_len(targets$outputs), function(k) bits(targets$values[, k])) else
    list(targets$levels[targets$classes])
  columns <- lapply(seq_len(ncol(x)), function(j) bits(x[, j]))
  do.call(paste, c(columns, response, list(bits(row_weights(targets)))))
}

row_targets <- function(object, y, rows, weights, arg, call, offset = NULL) {
  if (object$task == "regression") {
    if (is.character(y) || is.factor(y)) abort_argument(arg, "{.arg {arg}} must be numeric, not classes.", call)
    targets <- new_targets(y, rows, weights, arg = arg, call = call, offset = offset)
    if (targets$task != "regression" || targets$outputs != object$outputs) {
      abort_argument(arg, "{.arg {arg}} must be numeric with {object$outputs} output{?s}.", call)
    }
    targets[c("center", "sd")] <- object$outcome[c("center", "sd")]
    return(targets)
  }
  if (is.data.frame(y) && ncol(y) == 1L) y <- y[[1L]]
  if (!is.factor(y) && !is.character(y) && !is.logical(y)) {
    abort_argument(arg, "{.arg {arg}} must be classes, not {.obj_type_friendly {y}}.", call)
  }
  y <- as.character(y)
  if (anyNA(y)) abort_argument(arg, "{.arg {arg}} must not have missing values.", call)
  levels <- c(object$levels, setdiff(unique(y), object$levels))
  if (arg == "forget_y" && length(levels) > length(object$levels)) {
    abort_argument(arg, "{.arg {arg}} has classes that the model does not know.", call)
  }
  new_targets(factor(y, levels), rows, weights, levels, arg, call)
}

# A class not seen before was zero in every row so far.
add_classes <- function(object, levels) {
  more <- length(levels) - length(object$levels)
  if (object$task != "classification" || more == 0L) return(object)
  object$readouts <- lapply(object$readouts, function(readout) {
    statistics <- readout$statistics
    statistics$ay <- cbind(statistics$ay, matrix(0, nrow(statistics$ay), more))
    readout$statistics <- statistics
    readout
  })
  object$levels <- object$output_names <- levels
  object$outcome$levels <- c(object$outcome$levels, setdiff(levels, object$outcome$levels))
  object$outputs <- length(levels)
  if (!is.null(object$calibration)) {
    object$calibration <- extend_calibration(object$calibration, more)
  }
  if (!is.null(object$data)) {
    object$data$targets$levels <- object$data$targets$names <- levels
    object$data$targets$outputs <- length(levels)
  }
  object
}

append_data <- function(data, x, targets) {
  if (is.null(data)) return(NULL)
  old <- data$targets
  weight <- function(t) if (is.null(t$weights)) rep(1, t$rows) else t$weights
  joined <- targets
  joined$rows <- old$rows + targets$rows
  joined$classes <- c(old$classes, targets$classes)
  if (!is.null(old$values)) joined$values <- rbind(old$values, targets$values)
  joined$offset <- c(old$offset, targets$offset)
  if (!is.null(old$weights) || !is.null(targets$weights)) joined$weights <- c(weight(old), weight(targets))
  list(x = rbind(data$x, x), targets = joined)
}
