#' Sufficient statistics of rows, and models from several of them
#'
#' `cawi_statistics()` sums what the readouts of a model need to know of some rows: A'A, A'Y, the
#' squares of the response and the number of rows, per fold. `cawi_merge()` adds such sums, from any
#' number of places, and solves the readouts once: the result is the model that one fit with the
#' same weights to all rows would give. Rows never leave their place, and sums tell no row.
#'
#' Statistics know the network that they were made with, and sums of different networks cannot be
#' added. Rows of a model that is merged count only if its own statistics are among those given:
#' `cawi_merge(fit, cawi_statistics(fit), more)`. So the rows that a network was drawn from do not
#' count twice where they are also among those of the places.
#'
#' A model that keeps no data, such as one of a [cawi_source()], has no sums per fold any more: with
#' its own statistics `lambda` must be given or stay.
#'
#' Classes are joined: a class that a place does not have is zero in all of its rows. Classes that
#' the model does not know are an error unless `new_classes` is `TRUE`.
#'
#' @param fit A `cawi_model`.
#' @param data Rows: a data frame, a matrix or a [cawi_source()]. Without it the statistics are
#'   those of the rows that the model has learned.
#' @param y The response of `data`, where the model was fitted without a formula: its values, or,
#'   for a source, the names of its columns.
#' @param case_weights Case weights, if any: a column of `data`.
#' @param folds Number of folds that rows are dealt to, for a choice of `lambda` by `cawi_merge()`;
#'   by default that of the source, or 5.
#' @param new_classes May the rows have classes that the model does not know?
#' @param checkpoint As for the models: a file to go on from after a run was killed.
#' @param threads Number of threads; see [cawi-package].
#' @param ... For `cawi_statistics()` not used; for `cawi_merge()` statistics, or lists of them.
#' @param lambda For `cawi_merge()`: a penalty, several to choose from by the exact squared error on
#'   the folds, or `NULL`, which keeps the penalty of the model.
#' @return `cawi_statistics()` a `cawi_statistics`; `cawi_merge()` a `cawi_model`.
#' @examples
#' # A network from a few rows, then sums from two places
#' fit <- cawi_rvfl(Species ~ ., iris[seq(1, 150, 5), ], hidden = 20, seed = 1)
#' here <- cawi_statistics(fit, iris[1:75, ])
#' there <- cawi_statistics(fit, iris[76:150, ])
#' here
#' merged <- cawi_merge(fit, here, there, lambda = 10^(-3:3))
#' merged
#' @export
cawi_statistics <- function(fit, data = NULL, y = NULL, case_weights = NULL, folds = NULL,
                            new_classes = FALSE, checkpoint = NULL, threads = NULL, ...) {
  check_dots(rlang::enquos(...))
  call <- environment()
  fit <- summed_model(fit, call)
  new_classes <- check_flag(new_classes, "new_classes")
  if (!is.null(folds)) folds <- check_count(folds, "folds", max = 1000)
  run <- list(threads = resolve_threads(threads), seed = fit$seed, call = call)
  sound(fit, "fit", {
    if (is.null(data)) return(new_statistics(fit, own_statistics(fit, folds %||% 5, run)))
    weights <- rlang::enquo(case_weights)
    asked <- list(case_weights = weights_expression(weights, call),
                  y = response_names(fit, y, data, call))
    source <- statistics_source(fit, data, y, call)
    source$folds <- folds %||% source$folds
    learner <- new_learner(without_readouts(fit), asked, source$folds, fit$seed)
    learner$new_classes <- new_classes
    signature <- rlang::hash(list(network_hash(fit), asked, source$chunk, source$folds))
    marks <- new_checkpoint(checkpoint, signature, run$seed, length(source$shards), call)
    result <- rethrow_core_errors(source_statistics(learner, source, marks, run), call)
    remove_checkpoint(marks)
    new_statistics(fit, result)
  })
}

# A single model in the current format: a tuned one is that of its choice, and members of an
# automatic one have networks of their own.
summed_model <- function(fit, call) {
  check_given(fit, "fit", call)
  automatic <- inherits(fit, "cawi_auto")
  if (!automatic && !inherits(fit, "cawi_tuned")) return(check_model(fit, "fit", call))
  message <- paste("{.arg fit} must be a single model, as of {.fn cawi_rvfl}, not a result of",
                   if (automatic) "{.fn cawi_auto}." else "{.fn cawi_tune}.")
  hint <- if (automatic) "Give one of {.code fit$members}." else "Give {.code fit$fit}."
  abort_argument("fit", c(message, i = hint), call)
}

# What goes to the workers: the network and its preprocessing.
without_readouts <- function(object) {
  object["readouts"] <- object["data"] <- object["loo"] <- object["calibration"] <- list(NULL)
  object
}

# Data frames are sources of one chunk, with the response beside the features where no formula knows
# it.
statistics_source <- function(fit, data, y, call) {
  if (is_source(data)) {
    check_whole_source(data, "data", call)
    return(data)
  }
  if (is.matrix(data)) data <- as.data.frame(plain_value(data))
  if (!is.data.frame(data)) {
    message <- paste("{.arg data} must be a data frame, a matrix or a {.cls cawi_source}, not",
                     "{.obj_type_friendly {data}}.")
    abort_argument("data", message, call)
  }
  one_chunk(data, y, call)
}

one_chunk <- function(frame, y, call) {
  if (!is.null(y)) {
    check_response_rows(y, nrow(frame), "y", call)
    frame[[given_column]] <- y
  }
  cawi_source(frame, chunk = max(nrow(frame), 1))
}

# The column of a response that came beside the rows.
given_column <- ".cawi_response"

# Names of the columns of the response; NULL where a formula or a recipe knows it.
response_names <- function(fit, y, data, call) {
  knows <- !is.null(fit$preprocessor$response) || fit$preprocessor$kind == "recipe"
  # Columns of a source may have been named in place of a formula.
  same <- is_source(data) && is.character(y) && setequal(y, fit$preprocessor$response$columns)
  if (knows && !is.null(y) && !same) {
    message <- "The formula of the model has the response: leave {.arg y} out."
    abort_argument("y", message, call)
  }
  if (knows) return(NULL)
  if (is.null(y)) abort_argument("y", "{.arg y} is missing.", call)
  if (!is_source(data)) return(given_column)
  if (!is.character(y) || anyNA(y)) {
    abort_argument("y", "{.arg y} must be the names of columns of the source.", call)
  }
  y
}

source_statistics <- function(learner, source, marks, run) {
  shards <- read_pass(source, sums_pass(learner), run, NULL, marks)
  result <- Reduce(merge_statistics, lapply(shards, function(shard) shard$state))
  if (is.null(result)) abort_argument("data", "{.arg data} has no row to learn from.", run$call)
  result
}

# The sums of a model. Without its rows they are one fold, and the squares of its response are not
# known.
own_statistics <- function(fit, folds, run) {
  if (!is.null(fit$data)) return(kept_statistics(fit, folds, run))
  check_statistics(fit, run$call, "fit")
  sums <- lapply(fit$readouts, function(readout) {
    part <- as_gram(readout$statistics)
    last <- nrow(part$aa)
    weight <- if (fit$network$intercept) part$aa[last, last] else fit$nobs
    list(c(part, list(yy = rep(NA_real_, ncol(part$ay)), rows = fit$nobs, weight = weight)))
  })
  list(sums = sums, levels = fit$levels, rows = fit$nobs)
}

kept_statistics <- function(fit, folds, run) {
  learner <- new_learner(fit, NULL, folds, fit$seed)
  rows <- nrow(fit$data$x)
  fold <- fold_numbers(fit$seed, 1L, seq_len(rows) - 1, learner$folds)
  sums <- fold_sums_cpp(fit$data$x, fit$network, fit$data$targets, fold, learner$folds,
                        learner$ones, run$threads)
  list(sums = sums, levels = fit$levels, rows = as.double(rows))
}

new_statistics <- function(fit, result) {
  structure(
    list(format = 1L, network = network_hash(fit), model = fit$spec$model, task = fit$task,
         levels = result$levels, rows = result$rows, folds = length(result$sums[[1L]]),
         sums = result$sums),
    class = "cawi_statistics"
  )
}

# All that shapes a row of A and of Y: weights, scaling, encoding, and the units of the response.
network_hash <- function(fit) {
  layers <- lapply(fit$network$layers, function(layer) {
    layer[intersect(names(layer), c("weights", "bias", "activation", "kernel", "root"))]
  })
  frozen <- fit$network[c("center", "sd", "ranks", "wiring", "direct", "intercept")]
  units <- if (fit$task == "regression") fit$outcome[c("center", "sd")]
  rlang::hash(list(layers, frozen, fit$feature_names, units, fit$outputs * is.null(fit$levels)))
}

#' @export
print.cawi_statistics <- function(x, ...) {
  check_dots(rlang::enquos(...))
  check_statistics_object(x, "x", environment())
  columns <- nrow(x$sums[[1L]][[1L]]$aa)
  cat(sprintf("<cawi_statistics> of %s rows under a %s\n",
              format(x$rows, big.mark = ",", decimal.mark = ".", scientific = FALSE),
              model_labels[[x$model]]))
  cat(sprintf("  %d column%s, %d fold%s, network %s\n", columns, if (columns == 1L) "" else "s",
              x$folds, if (x$folds == 1L) "" else "s", substr(x$network, 1L, 8L)))
  if (!is.null(x$levels)) cat(sprintf("  classes %s\n", paste(x$levels, collapse = ", ")))
  invisible(x)
}

check_statistics_object <- function(x, arg, call) {
  check_data_only(x, arg, call, "statistics")
  if (holds(is_statistics(x))) return(invisible(x))
  message <- "{.arg {arg}} must be {.cls cawi_statistics}, and undamaged."
  abort_argument("statistics", message, call)
}

is_hash <- function(x) is_string(x) && grepl("^[0-9a-f]{32}$", x, useBytes = TRUE)

is_statistics <- function(x) {
  is_part <- function(part) {
    size <- nrow(part$aa)
    is_finite_matrix(part$aa, size) && ncol(part$aa) == size && is_finite_matrix(part$ay, size) &&
      length(part$yy) == ncol(part$ay) && is_count(part$rows) && is_figure(part$weight) &&
      identical(part$kind, "gram") && part$ones %in% c(0L, size) &&
      (is.null(x$levels) || ncol(part$ay) == length(x$levels))
  }
  inherits(x, "cawi_statistics") && identical(x$format, 1L) && is_hash(x$network) &&
    is_word(x$model, model_names) && is_count(x$rows) && length(x$sums) > 0L &&
    (is.null(x$levels) || (is.character(x$levels) && !anyDuplicated(x$levels))) &&
    is_whole(x$folds, 1) && all(lengths(x$sums) == x$folds) &&
    all(vapply(x$sums, function(folds) all(vapply(folds, is_part, logical(1))), logical(1)))
}

#' @rdname cawi_statistics
#' @export
cawi_merge <- function(fit, ..., lambda = NULL, threads = NULL) {
  call <- environment()
  fit <- summed_model(fit, call)
  given <- flat_statistics(rlang::list2(...), call)
  run <- list(threads = resolve_threads(threads), seed = fit$seed, call = call)
  if (!is.null(lambda)) lambda <- check_lambda(lambda, call)
  for (statistics in given) {
    if (identical(statistics$network, network_hash(fit))) next
    message <- "Statistics of another network cannot be added: weights or preprocessing differ."
    abort_argument("statistics", message, call)
  }
  sound(fit, "fit", {
    merged <- Reduce(merge_statistics, lapply(given, one_fold_more, most_folds(given)))
    object <- fit
    # The sums of the model itself do not count.
    object$readouts <- lapply(object$readouts, function(readout) {
      readout$statistics <- list(ay = 0 * readout$coefficients)
      readout
    })
    object <- add_classes(object, union(fit$levels, merged$levels))
    merged <- with_levels(merged, object$levels)
    object$nobs <- merged$rows
    object["data"] <- object["loo"] <- list(NULL)
    if (!is.null(object$source)) object$source$held_out <- NULL
    solved <- rethrow_core_errors(merged_readouts(object, merged, lambda, run), call)
    object$readouts <- lapply(solved, function(readout) replace(readout, "loo", list(NULL)))
    object$lambda <- chosen_lambda(object$readouts)
    object
  })
}

# Without a new penalty each readout keeps its own.
merged_readouts <- function(object, merged, lambda, run) {
  total <- total_sums(merged)
  if (length(lambda) > 1L && anyNA(total[[1L]]$yy)) {
    message <- "A model that keeps no data has no sums to choose {.arg lambda} by: give one number."
    abort_argument("lambda", message, run$call)
  }
  if (!is.null(lambda)) return(readouts_from_sums(object, merged, lambda, run)$readouts)
  targets <- object_targets(object)
  Map(function(readout, total) {
    solution <- solve_readout(total, readout$lambda, run)
    readout$coefficients <- in_response_units(solution, targets, total$ones)
    readout$statistics <- total[c("kind", "aa", "ay", "ones")]
    readout
  }, object$readouts, total)
}

flat_statistics <- function(given, call) {
  # Only a list without a class of its own is one of statistics.
  plain <- function(x) is.object(x) || !is.list(x)
  given <- do.call(c, lapply(given, function(x) if (plain(x)) list(x) else x))
  if (length(given) == 0L) {
    abort_argument("statistics", "There are no statistics to merge.", call)
  }
  for (x in given) check_statistics_object(x, "...", call)
  given
}

# Folds are only a way to deal rows: sums with fewer of them have empty ones more.
most_folds <- function(given) max(vapply(given, function(x) x$folds, 0L))

one_fold_more <- function(statistics, folds) {
  empty <- function(part) {
    zero <- lapply(part[c("aa", "ay", "yy")], function(values) replace(values, TRUE, 0))
    utils::modifyList(part, c(zero, list(rows = 0, weight = 0)))
  }
  statistics$sums <- lapply(statistics$sums, function(parts) {
    c(parts, rep(list(empty(parts[[1L]])), folds - length(parts)))
  })
  unclass(statistics)
}
