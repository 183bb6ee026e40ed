#' Exact incremental learning
#'
#' Learns new rows, forgets rows or adds nodes without starting again. The result is that of a fit
#' from scratch with the same frozen weights, standardization and `lambda`.
#'
#' Rows change only the normal equations, so the cost of an update does not depend on the number of
#' rows already seen. New nodes need the training data: those that the model keeps (`keep_data`), or
#' those given as `x` and `y`.
#'
#' A model with infinitely many nodes (`hidden = Inf`) takes new rows as landmarks as long as it has
#' fewer than its argument `landmarks` says. This is exact, and needs no training data. Then, as in
#' a model that was fitted to more rows than landmarks, new rows are learned through the landmarks
#' that there are, which is exact for that model. Forgotten rows stay landmarks.
#'
#' @section Forgetting:
#' If the model keeps its data, forgetting a row that it has never seen is an error. If it does not,
#' a row that was never learned can be detected only when the sums that remain are impossible: a
#' matrix that is not positive semidefinite, or a class with a negative number of rows. Other rows
#' that were never learned are subtracted without notice.
#'
#' @section Lost digits:
#' Sums keep the rounding errors of all rows that went through them, which matters after rows with
#' huge values were forgotten. The model estimates what its updates have lost. If predictions could
#' be off by more than 1e-7 standard deviations of the response, a model that keeps its data makes
#' the sums again, with a message of class `cawi_message_drift`. A model without its data gives a
#' warning of class `cawi_warning_drift`, or an error of class `cawi_error_drift` where what is left
#' are no sums of squares any more.
#'
#' @section What is not carried along:
#' The leave-one-out errors of the fit are dropped. The calibration of the probabilities stays,
#' unless classes are added. Then it is made anew from exact leave-one-out scores: of the rows that
#' the model keeps or, if it keeps none, of the new rows. New rows are used if there are at least 50
#' of them, of two classes or more.
#'
#' @param object A `cawi_model`, or a `cawi_tuned`, whose chosen model is updated.
#' @param new_x,new_y Rows to learn: a data frame, a matrix, or a [cawi_source()], which is read in
#'   one pass before anything is solved; training data that the model keeps are dropped then. If the
#'   response of the formula is computed, as in `log(y) ~ .`, `new_x` has the columns of the
#'   response too, and `new_y` is not given. Incomplete rows are left out, also of those to forget,
#'   if the model was fitted with `na_action = "omit"`.
#' @param case_weights Case weights of the new rows, or of `x` if nodes are added. After a fit with
#'   a formula they may be a column of these rows.
#' @param new_classes May `new_y` have classes that the model does not know? If `TRUE`, they are
#'   added. Otherwise they are an error, because most unknown classes are misspelled ones.
#' @param forget_x,forget_y Rows to forget, as they were given before.
#' @param forget_case_weights Case weights that the forgotten rows had.
#' @param hidden New number of nodes of the last layer (of the only one for ELM and RVFL). Finite
#'   networks do not grow to infinity, nor infinite ones further.
#' @param windows,enhancement For Broad Learning: new number of feature windows, and of nodes in
#'   each enhancement window. Existing enhancement nodes do not read new windows.
#' @param x,y The training data, for new nodes if the model does not keep them: the rows that it has
#'   learned, with their `case_weights`. Rows that the fit left out may be among them: incomplete
#'   ones under `na_action = "omit"`, and those of weight zero.
#' @param lambda A new penalty, or one per numeric output; by default it stays.
#' @param threads Number of threads; see [cawi-package].
#' @param ... Not used; a misspelled argument is an error.
#' @return The updated model.
#' @references
#' Chen, C. L. P. and Liu, Z. (2018). Broad learning system: an effective and efficient incremental
#' learning system without the need for deep architecture. *IEEE Transactions on Neural Networks and
#' Learning Systems* 29, 10-24. (more nodes and windows)
#'
#' Liang, N.-Y., Huang, G.-B., Saratchandran, P. and Sundararajan, N. (2006). A fast and accurate
#' online sequential learning algorithm for feedforward networks. *IEEE Transactions on Neural
#' Networks* 17, 1411-1423. (more rows, by recursive least squares)
#' @examples
#' rows <- c(1:40, 51:90)
#' fit <- cawi_rvfl(iris[rows, 1:4], iris$Species[rows], hidden = 20, lambda = 0.1, seed = 1)
#' # a third class appears
#' fit <- update(fit, new_x = iris[-rows, 1:4], new_y = iris$Species[-rows], new_classes = TRUE)
#' fit
#' update(fit, hidden = 30)
#' @export
update.cawi_model <- function(object, new_x = NULL, new_y = NULL, case_weights = NULL,
                              forget_x = NULL, forget_y = NULL, forget_case_weights = NULL,
                              hidden = NULL, windows = NULL, enhancement = NULL, x = NULL, y = NULL,
                              lambda = NULL, new_classes = FALSE, threads = NULL, ...) {
  check_dots(rlang::enquos(...))
  object <- check_model(object)
  call <- environment()
  check_statistics(object, call)
  new_classes <- check_flag(new_classes, "new_classes")
  given <- new_x
  if (is.null(new_x)) given <- x
  case_weights <- update_weights(object, rlang::enquo(case_weights), given, "case_weights", call)
  forget_case_weights <- update_weights(object, rlang::enquo(forget_case_weights), forget_x,
                                        "forget_case_weights", call)
  grows <- !is.null(hidden) || !is.null(windows) || !is.null(enhancement)
  check_companion(case_weights, "case_weights", !is.null(new_x) || !is.null(x), "new_x", call)
  check_companion(forget_case_weights, "forget_case_weights", !is.null(forget_x), "forget_x", call)
  check_companion(x, "x", grows, "hidden", call)
  check_companion(y, "y", grows, "hidden", call)
  run <- list(threads = resolve_threads(threads), call = call)
  sound(object, "object", {
    shape <- grown_shape(object, hidden, windows, enhancement, call)
    learn <- some_rows(object, "new", new_x, new_y, case_weights, run)
    forget <- some_rows(object, "forget", forget_x, forget_y, forget_case_weights, run)
    lambda <- check_new_lambda(lambda, object, call)
    if (!is.null(shape)) {
      weights <- if (is.null(new_x)) case_weights
      object <- grow_nodes(object, shape, some_rows(object, "", x, y, weights, run), run)
    }
    if (!is.null(learn)) object <- learn_rows(object, learn, lambda, new_classes, run)
    if (!is.null(forget)) object <- forget_rows(object, forget, run)
    resolve_readouts(object, lambda, run)
  })
}

# As in fits, case weights of a model with a formula may be a column of the rows.
update_weights <- function(object, quosure, rows, arg, call) {
  if (is_source(rows)) return(weights_expression(quosure, call))
  masked <- object$preprocessor$kind == "formula" && is.data.frame(rows)
  columns <- if (masked) as.list(rows)[usable_names(names(rows))] else list()
  masked_value(quosure, columns, call, arg)
}

# An argument that has no meaning without another one.
check_companion <- function(value, arg, useful, other, call) {
  if (is.null(value) || useful) return(invisible())
  abort_argument(arg, "{.arg {arg}} has no use without {.arg {other}}.", call)
}

# Rows to learn, to forget, or of the training data: the features and the response as they were
# given, their case weights, and the names of these arguments. NULL where none are given.
some_rows <- function(object, kind, x, y, case_weights, run) {
  prefix <- if (nzchar(kind)) paste0(kind, "_") else ""
  args <- list(x = paste0(prefix, "x"), y = paste0(prefix, "y"),
               weights = if (kind == "forget") "forget_case_weights" else "case_weights")
  if (!is_source(x)) y <- given_response(object, x, y, c(args$x, args$y), run$call)
  if (is.null(x)) NULL else list(x = x, y = y, case_weights = case_weights, args = args)
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
  together <- "{.arg {args[1L]}} and {.arg {args[2L]}} come together."
  if (is.null(x)) abort_argument(args[1L], together, call)
  if (is.null(y) && !is.null(response)) y <- response_of(object$preprocessor, x, args[1L], call)
  if (is.null(y)) abort_argument(args[2L], together, call)
  y
}

check_new_lambda <- function(lambda, object, call) {
  if (is.null(lambda)) return(NULL)
  outputs <- if (object$task == "regression") object$outputs else 1L
  if (length(lambda) != outputs || outputs == 1L) {
    return(rep(check_number(lambda, "lambda", call, min = 0, max = 1e100), outputs))
  }
  one <- function(value) check_number(value, "lambda", call, min = 0, max = 1e100)
  vapply(as.list(lambda), one, numeric(1))
}

learn_rows <- function(object, rows, lambda, new_classes, run) {
  known <- length(object$levels)
  if (is_source(rows$x)) {
    object <- change_source(object, rows, 1, run, new_classes)
    return(if (length(object$levels) > known) resolve_readouts(object, lambda, run) else object)
  }
  if (!new_classes) check_known_classes(object, rows$y, run$call)
  object <- change_rows(object, rows, 1, run)
  if (length(object$levels) == known) return(object)
  recalibrate(resolve_readouts(object, lambda, run), rows, run)
}

forget_rows <- function(object, rows, run) {
  object <- change_rows(object, rows, -1, run)
  if (!is.null(object$data) && has_lost_digits(object)) {
    tell_repair()
    object <- with_fresh_sums(object, run)
  }
  check_forgotten(object, run$call)
  object
}

check_known_classes <- function(object, new_y, call) {
  if (object$task != "classification") return(invisible())
  if (is.data.frame(new_y) && ncol(new_y) == 1L) new_y <- new_y[[1L]]
  if (!is.factor(new_y) && !is.character(new_y) && !is.logical(new_y)) return(invisible())
  # A level of a factor may be NA.
  new_y <- as.character(new_y)
  strange <- setdiff(new_y[!is.na(new_y)], object$levels)
  if (length(strange) == 0L) return(invisible())
  check_new_text(strange, "new_y", call)
  near <- nearest_name(strange[1L], object$levels)
  message <- paste("{.arg new_y} has {cli::qty(length(strange))}class{?es} {.val {strange}}",
                   "that the model does not know.")
  abort_argument(
    "new_y",
    c(message, i = if (!is.null(near)) "Did you mean {.val {near}}?",
      i = "{.code new_classes = TRUE} adds {cli::qty(length(strange))}{?it/them}."), call
  )
}

# Bytes that are no text have no order, and cannot be shown in a message.
check_new_text <- function(classes, arg, call) {
  if (all(validEnc(classes))) return(invisible())
  abort_argument(arg, "{.arg {arg}} has text that its encoding does not allow.", call)
}

# Impossible sums show that the model was told to forget rows that it had never learned.
check_forgotten <- function(object, call) {
  if (!is.null(object$data)) return(invisible())
  for (readout in object$readouts) {
    s <- readout$statistics
    size <- max(abs(diag(s$aa)), 1e-300)
    sound <- all(diag(s$aa) >= -1e-9 * size) &&
      factorizes(s$aa + diag(1e-9 * size, nrow(s$aa))) && counts_left(object, s)
    if (!sound) {
      if (has_lost_digits(object)) abort_lost_digits(call)
      message <- paste("{.arg forget_x} has rows that the model has not seen: what is left are not",
                       "the sums of any rows.")
      abort_argument("forget_x", message, call)
    }
  }
}

factorizes <- function(s) !inherits(try(chol(s), silent = TRUE), "try-error")

# Has no class a negative sum of case weights? The row of the ones in A'Y has these sums.
counts_left <- function(object, statistics) {
  if (object$task != "classification" || !object$network$intercept) return(TRUE)
  counts <- statistics$ay[nrow(statistics$ay), ]
  all(counts > -1e-9 * sum(abs(counts)))
}

# Curves that were fitted to fewer classes say little about the new ones. Leave-one-out scores are
# exact for any row that the statistics have seen. A few rows, or rows of one class, do not suffice
# for new curves.
recalibrate <- function(object, rows, run) {
  data <- object$data
  if (is.null(data)) {
    data <- forged_rows(object, rows, run$call)
    if (nrow(data$x) < 50L || length(unique(data$targets$classes)) < 2L) return(object)
  }
  slots <- function(name) lapply(object$readouts, function(readout) readout[[name]])
  loo <- sampled_loo(data$x, object$network, data$targets, slots("statistics"),
                     slots("coefficients"), slots("lambda"), run$threads)
  readouts <- Map(function(readout, loo) replace(readout, "loo", list(loo)), object$readouts, loo)
  object$calibration <- calibrate(left_out_rows(readouts, data$targets))
  object
}

# Solves every readout again from its statistics.
resolve_readouts <- function(object, lambda, run) {
  units <- if (object$task == "regression") object$outcome
  if (!is.null(lambda)) object$readouts <- lapply(object$readouts, with_lambda, lambda)
  solutions <- lapply(object$readouts, function(readout) {
    solve_readout(readout$statistics, readout$lambda, run)
  })
  drift <- max(unlist(Map(sums_drift, object$readouts, solutions, object$nobs)))
  if (drift > drift_limit) {
    if (!is.null(object$data)) {
      tell_repair()
      return(resolve_readouts(with_fresh_sums(object, run), NULL, run))
    }
    warn_drift(drift, run$call)
  }
  object$readouts <- Map(function(readout, solution) {
    readout$coefficients <- in_response_units(solution, units, readout$statistics$ones)
    readout$loo <- NULL
    readout
  }, object$readouts, solutions)
  object$lambda <- chosen_lambda(object$readouts)
  object["loo"] <- list(NULL)
  # The folds of a source are not those of the rows that it has now.
  if (!is.null(object$source)) object$source$held_out <- NULL
  object
}

with_lambda <- function(readout, lambda) {
  readout$lambda <- lambda
  readout$lambda_path <- sort(unique(lambda))
  readout
}

# Statistics in the dual form, which are rows, become a Gram matrix, to which rows can be added.
as_gram <- function(statistics) {
  if (statistics$kind == "gram") return(statistics)
  check_memory(24 * as.double(ncol(statistics$aa))^2)
  list(kind = "gram", aa = crossprod(statistics$aa), ay = crossprod(statistics$aa, statistics$ay),
       ones = statistics$ones)
}

# Rows as the model sees them, with their targets. Rows that a fit leaves out are left out here too:
# those without weight and, under na_action = "omit", incomplete ones; `kept` are the others.
forged_rows <- function(object, rows, call) {
  data <- forge_new_data(object, rows$x, rows$args$x, call)
  count <- nrow(data$x)
  if (count == 0L) return(list(x = data$x, targets = NULL, kept = integer()))
  weights <- check_case_weights(rows$case_weights, count, call, rows$args$weights)
  given <- list(x = data$x, y = rows$y, case_weights = weights, offset = data$offset)
  kept <- learnable_rows(given, object$spec$na_action)
  none <- list(x = data$x[kept, , drop = FALSE], targets = NULL, kept = kept)
  if (length(kept) == 0L) return(none)
  if (length(kept) < count && NROW(rows$y) == count) given <- subset_molded(given, kept)
  check_finite(given$x, rows$args$x, call)
  list(x = given$x, targets = row_targets(object, given, nrow(given$x), rows$args$y, call),
       kept = kept)
}

change_rows <- function(object, rows, sign, run) {
  if (is_source(rows$x)) return(change_source(object, rows, sign, run))
  data <- forged_rows(object, rows, run$call)
  count <- nrow(data$x)
  if (count == 0L) return(object)
  if (sign < 0 && count >= object$nobs) {
    message <- "{.arg forget_x} has {count} rows, and the model has seen {object$nobs}."
    abort_argument("forget_x", message, run$call)
  }
  object <- add_classes(object, data$targets$levels)
  object$data <- if (sign > 0) {
    append_data(object$data, data$x, data$targets)
  } else {
    remove_data(object$data, data$x, data$targets, run$call)
  }
  if (sign > 0 && is_infinite(object$spec)) object <- learn_landmarks(object, data$x, run)
  changes <- rethrow_core_errors(naming_columns(
    statistics_cpp(data$x, object$network, data$targets, FALSE, run$threads),
    all_labels(object$network, object$feature_names)
  ), run$call)
  object$readouts <- changed_sums(object$readouts, changes, sign)
  object$nobs <- object$nobs + sign * count
  object$weighted <- object$weighted || !is.null(rows$case_weights)
  object
}

# The kept data without the given rows, each of which must be there with its response and weight.
remove_data <- function(data, x, targets, call) {
  if (is.null(data)) return(NULL)
  x <- if (is_sparse_rows(data$x)) as_sparse_like(x) else as.matrix(x)
  have <- row_keys(data$x, data$targets)
  want <- row_keys(x, targets)
  # Equal rows are told apart by their count.
  have <- paste(have, stats::ave(seq_along(have), have, FUN = seq_along))
  want <- paste(want, stats::ave(seq_along(want), want, FUN = seq_along))
  place <- match(want, have)
  if (anyNA(place)) {
    lost <- which(is.na(place))[1L]
    message <- "Row {lost} of {.arg forget_x} is not among the rows that the model has seen."
    abort_argument("forget_x", message, call)
  }
  kept <- setdiff(seq_len(nrow(data$x)), place)
  list(x = data$x[kept, , drop = FALSE], targets = subset_targets(data$targets, kept))
}

# All bits of a row, as text.
row_keys <- function(x, targets) {
  bits <- function(value) sprintf("%a", value)
  response <- if (is.null(targets$classes)) {
    lapply(seq_len(targets$outputs), function(k) bits(targets$values[, k]))
  } else {
    list(targets$levels[targets$classes])
  }
  columns <- if (is_sparse_rows(x)) {
    list(sparse_row_texts(x))
  } else {
    lapply(seq_len(ncol(x)), function(j) bits(x[, j]))
  }
  do.call(paste, c(columns, response, list(bits(row_weights(targets)))))
}

# `given` has the response, the case weights and the offset of the rows.
row_targets <- function(object, given, rows, arg, call) {
  y <- given$y
  if (object$task == "regression") {
    if (is.character(y) || is.factor(y)) {
      abort_argument(arg, "{.arg {arg}} must be numeric, not classes.", call)
    }
    targets <- new_targets(given, rows, call, arg = arg)
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
  is_text <- !is.factor(y)
  y <- as.character(y)
  if (anyNA(y)) abort_argument(arg, "{.arg {arg}} must not have missing values.", call)
  strange <- setdiff(unique(y), object$levels)
  # As in fits, levels of a factor may be any bytes.
  if (is_text) check_new_text(strange, arg, call)
  levels <- c(object$levels, strange)
  if (arg == "forget_y" && length(levels) > length(object$levels)) {
    abort_argument(arg, "{.arg {arg}} has classes that the model does not know.", call)
  }
  given$y <- factor(y, levels)
  weigh_classes(new_targets(given, rows, call, levels, arg), object$spec$class_weights)
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
  joined <- targets
  joined$rows <- old$rows + targets$rows
  joined$classes <- c(old$classes, targets$classes)
  if (!is.null(old$values)) joined$values <- rbind(old$values, targets$values)
  joined$offset <- c(old$offset, targets$offset)
  if (!is.null(old$case_weights) || !is.null(targets$case_weights)) {
    joined$case_weights <- c(row_weights(old), row_weights(targets))
  }
  list(x = append_rows(data$x, x), targets = joined)
}
