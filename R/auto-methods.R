# What people do with an automatic model.

#' @export
print.cawi_auto <- function(x, ...) {
  check_dots(rlang::enquos(...))
  x <- check_auto(x, "x")
  sound(x, "x", {
    features <- counted(x$features, "feature")
    cat(sprintf("<cawi_auto> %s, %.0f rows, %s\n", task_text(x), x$nobs, features))
    many <- nrow(x$chosen) > 1L
    what <- if (many) "the weighted average of these predicts" else "this one predicts"
    cat_wrapped(sprintf("Compared %s by exact leave-one-out in %s seconds%s; %s:",
                        counted(nrow(x$results), "configuration"), number_text(x$seconds, 2),
                        short_of_time(x), what), 2)
    for (i in seq_len(nrow(x$chosen))) {
      text <- paste0(round(100 * x$chosen$share[i]), " %: ", candidate_text(x$chosen[i, ]))
      cat_wrapped(text, 7)
    }
    cat(sprintf("  leave-one-out %s\n", x$loo$text))
    if (many && !is.na(x$chosen$alone[1L])) cat_wrapped(alone_text(x), 2)
    cat_code(x$members[[1L]])
    cat_trimmed(x)
    invisible(x)
  })
}

cat_wrapped <- function(text, exdent) {
  cat(strwrap(text, exdent = exdent, prefix = "  "), sep = "\n")
}

counted <- function(count, noun) sprintf("%d %s%s", count, noun, if (count == 1L) "" else "s")

# What the first member would do alone, and what dropping the others would cost. Members are chosen
# by squared errors; accuracy may differ.
alone_text <- function(x) {
  alone <- x$chosen$alone[1L]
  if (x$loo$name == "accuracy") {
    gap <- 100 * (alone - x$loo$value)
    unit <- if (abs(gap) == 1) "point" else "points"
    text <- sprintf("The first alone has accuracy %.4f, %s.", alone, change_text(gap, unit))
    return(paste(text, "Shares are chosen by squared errors of the scores, not by accuracy."))
  }
  unit <- if (x$outputs > 1L) " standard deviations, all outputs together" else ""
  text <- sprintf("The first alone has RMSE %s%s", number_text(alone, 4), unit)
  if (x$loo$value == 0) return(paste0(text, "."))
  sprintf("%s, %s.", text, change_text(100 * (alone / x$loo$value - 1), "%"))
}

change_text <- function(gap, unit) {
  if (abs(gap) < 0.005) return("the same")
  sprintf("%s %s %s", number_text(abs(gap), 2), unit, if (gap < 0) "less" else "more")
}

short_of_time <- function(x) {
  if (x$skipped == 0L) return("")
  what <- if (isTRUE(x$cut)) "the time limit cut" else "the budget had no room for"
  sprintf(" (%s %d more)", what, x$skipped)
}

candidate_text <- function(chosen) {
  lambda <- number_text(chosen$lambda)
  if (chosen$hidden == 0) return(sprintf("Ridge regression without nodes, lambda %s", lambda))
  if (is.infinite(chosen$hidden)) return(limit_text(chosen))
  reads <- if (is.na(chosen$inputs)) "all features" else counted(chosen$inputs, "feature")
  family <- families[[chosen$init]]$label
  iid <- chosen$init == "iid"
  weights <- if (iid) "i.i.d. weights" else paste("weights from the", family, "copula")
  if (chosen$init == "gradient") weights <- "weights that follow gradients"
  sprintf("%s, %d %s nodes that read %s each, %s, spread %s, %slambda %s%s",
          model_labels[[chosen$model]], chosen$hidden, chosen$activation, reads, weights,
          number_text(chosen$spread), if (chosen$bias == "data") "centered at data, " else "",
          lambda,
          if (chosen$draws > 1L) sprintf(", %d draws", chosen$draws) else "")
}

limit_text <- function(chosen) {
  reads <- if (is.na(chosen$inputs)) "all features" else "two features each"
  if (chosen$standardize == "ranks") reads <- paste("the ranks of", reads)
  sprintf("Infinitely many %s nodes that read %s, %s weights, spread %s, lambda %s",
          chosen$activation, reads, c(cauchy = "Cauchy", normal = "normal")[[chosen$marginal]],
          number_text(chosen$spread), number_text(chosen$lambda))
}

#' Predictions of an automatic model
#'
#' The scores of the members are averaged by their shares. Probabilities are calibrated by the
#' leave-one-out scores of that average.
#'
#' @param object A `cawi_auto` from [cawi_auto()].
#' @param new_data,type,threads,level,to As for [predict.cawi_model()].
#' @param ... Not used.
#' @return As for [predict.cawi_model()].
#' @examples
#' fit <- cawi_auto(mpg ~ ., mtcars, budget = 2, hidden = 50, seed = 1)
#' predict(fit, mtcars[1:3, ])
#' @export
predict.cawi_auto <- function(object, new_data, type = NULL, threads = NULL, level = 0.9,
                              to = NULL, ...) {
  new_data <- given_new_data(new_data, rlang::enquos(...))
  object <- check_auto(object)
  if (is_source(new_data)) {
    asked <- list(type = type, threads = threads, level = level)
    return(predict_source(object, new_data, asked, to, environment()))
  }
  check_no_target(to)
  sound(object, "object", {
    type <- check_predict_type(object, type)
    threads <- resolve_threads(threads)
    data <- forge_new_data(object$members[[1L]], new_data)
    scores <- average_scores(object, data$x, threads)
    if (type %in% conformal_types) return(conformal(object, data, scores, type, level, threads))
    as_prediction(object, scores, type, data)
  })
}

average_scores <- function(object, x, threads, call = caller_env()) {
  scores <- 0
  for (i in seq_along(object$members)) {
    scores <- scores + object$share[i] * complete_scores(object$members[[i]], x, threads, call)
  }
  scores
}

check_auto <- function(object, arg = "object", call = caller_env()) {
  check_data_only(object, arg, call)
  object <- migrated(object, "auto")
  if (!holds(is_auto(object))) abort_damaged(arg, broken_parts, object, call)
  for (member in object$members) check_model(member, arg, call = call)
  alike <- vapply(object$members, function(member) {
    common <- c("task", "outputs", "levels", "output_names", "outcome", "nobs")
    identical(unclass(member)[common], unclass(object)[common]) &&
      length(member$network$center) == object$features
  }, logical(1))
  if (!all(alike)) abort_damaged(arg, "its members do not fit together", object, call)
  invisible(object)
}

is_auto <- function(object) {
  count <- length(object$members)
  figures <- is_whole(object$features, 1) && is_whole(object$skipped, 0) &&
    is_count(object$nobs) && is_count(object$seconds) && is_figure(object$budget) &&
    object$budget > 0 && is_flag(object$cut)
  shares <- count > 0L && is_finite_vector(object$share, count) && all(object$share > 0) &&
    abs(sum(object$share) - 1) < 1e-8
  identical(object$format, model_format) && is.list(object$members) && figures && shares &&
    is.null(output_problem(object)) && sound_loo(object) &&
    is.null(data_problem(object$data, object, object$features)) && sound_trimmed(object) &&
    has_auto_tables(object)
}

has_auto_tables <- function(object) {
  axes <- c("model", "activation", "inputs", "spread", "bias", "init", "marginal", "standardize")
  chosen <- object$chosen
  lambda <- vapply(object$lambda, mean, numeric(1))
  is_sound_frame(object$results, axes) &&
    is_number_frame(object$results, c("hidden", "lambda", "mean", "rmse")) &&
    is.numeric(object$results$se) &&
    is_sound_frame(chosen, axes) &&
    is_number_frame(chosen, c("hidden", "lambda", "share", "draws")) && is.numeric(chosen$alone) &&
    identical(lambda, chosen$lambda) && sum(chosen$draws) == length(object$members) &&
    isTRUE(all.equal(rep(chosen$share / chosen$draws, chosen$draws), object$share))
}

#' @export
summary.cawi_auto <- function(object, ...) {
  check_dots(rlang::enquos(...))
  object <- check_auto(object)
  structure(list(object = object, chosen = object$chosen, results = object$results),
            class = "summary.cawi_auto")
}

#' @export
print.summary.cawi_auto <- function(x, n = 10, ...) {
  check_dots(rlang::enquos(...))
  n <- check_count(n, "n", min = 0)
  check_data_only(x, "x")
  x$object <- check_auto(x$object, "x")
  tables <- c("chosen", "results")
  if (!identical(unclass(x)[tables], unclass(x$object)[tables])) {
    abort_damaged("x", broken_parts, x$object, environment())
  }
  print(x$object)
  cat("\nMembers:\n")
  print(x$chosen, row.names = FALSE, digits = 4)
  cat("\nBest configurations of the screening:\n")
  print(utils::head(x$results, n), row.names = FALSE, digits = 4)
  invisible(x)
}

#' @export
coef.cawi_auto <- function(object, ...) {
  check_dots(rlang::enquos(...))
  object <- check_auto(object)
  lapply(object$members, coef)
}

#' @export
fitted.cawi_auto <- function(object, ...) {
  check_dots(rlang::enquos(...))
  object <- check_auto(object)
  sound(object, "object", {
    data <- kept_data(object)
    scores <- average_scores(object, data$x, resolve_threads())
    as_prediction(object, scores, NULL, list(offset = data$targets$offset))
  })
}

#' @export
residuals.cawi_auto <- function(object, ...) {
  check_dots(rlang::enquos(...))
  object <- check_auto(object)
  sound(object, "object", {
    data <- kept_data(object)
    score_gap(data$targets, average_scores(object, data$x, resolve_threads()))
  })
}

#' @export
update.cawi_auto <- function(object, ...) {
  message <- paste("A model of {.fn cawi_auto} is not updated: which networks it averages was",
                   "chosen for the rows it saw.")
  hint <- "Call {.fn cawi_auto} again, or update a model of {.fn cawi_rvfl}."
  abort_argument("object", c(message, i = hint), environment())
}

#' @rdname tidy.cawi_model
#' @export
tidy.cawi_auto <- function(x, ...) {
  check_dots(rlang::enquos(...))
  x <- check_auto(x, "x")
  x$results
}

#' @rdname tidy.cawi_model
#' @export
glance.cawi_auto <- function(x, ...) {
  check_dots(rlang::enquos(...))
  x <- check_auto(x, "x")
  sound(x, "x", {
    first <- x$chosen[1L, ]
    glance_row(
      "auto", x, features = x$features, hidden = sum(x$chosen$hidden * x$chosen$draws),
      init = first$init, resampling = "exact leave-one-out", metric = x$loo$name,
      mean = x$loo$value, seconds = x$seconds, combinations = nrow(x$results),
      lambda = common_penalty(x$lambda), members = length(x$members)
    )
  })
}
