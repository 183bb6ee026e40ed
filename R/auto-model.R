# The result of cawi_auto(): members fitted to all rows, and what was tried.
new_cawi_auto <- function(search, screened, widened, chosen, clock, call) {
  used <- which(chosen$share > 0)
  used <- used[order(-chosen$share[used])]
  members <- list()
  weights <- numeric()
  for (i in used) {
    for (draw in widened[[i]]$draws) {
      members <- c(members, list(fit_member(search, widened[[i]], draw, call)))
      weights <- c(weights, chosen$share[i] / length(widened[[i]]$draws))
    }
  }
  scores <- as_response(chosen$scores, search$targets)
  targets <- search$targets
  object <- structure(
    list(format = model_format, version = as.character(utils::packageVersion("cawi")), members = members,
         weights = weights, task = targets$task, levels = targets$levels, outputs = targets$outputs,
         output_names = targets$names, outcome = outcome_of(targets), nobs = as.double(nrow(search$x)),
         features = ncol(search$x), seed = search$seed, table = result_table(screened, error_unit(targets)),
         choice = choice_table(widened[used], chosen$share[used]),
         lambda = lapply(widened[used], function(result) result$lambda),
         loo = loo_summary(scores, targets, sampled = FALSE),
         data = if (keep_x(search$x, NULL)) list(x = search$x, targets = targets),
         seconds = elapsed(clock), budget = clock$budget, skipped = clock$skipped),
    class = "cawi_auto"
  )
  if (object$task == "classification") {
    object$calibration <- fit_calibration(scores, targets$classes, row_weights(targets))
  }
  object$seconds <- elapsed(clock)
  warn_constant_features(members[[1L]]$network, colnames(search$x), call)
  object
}

# Members predict; they are not updated. What only updates need would fill the memory.
fit_member <- function(search, result, draw, call) {
  lambda <- if (length(result$lambda) > 1L) matrix(result$lambda, 1L) else result$lambda
  spec <- candidate_spec(search, result$candidate, result$width, lambda)
  spec$init <- search_copula(search, result$candidate$init, screening = FALSE)
  member <- withCallingHandlers(
    fit_targets(search$x, search$targets, spec, search$preprocessor, draw_seed(search, draw),
                search$threads, keep = FALSE, call),
    # Said once, for all members.
    cawi_warning_constant = function(w) rlang::cnd_muffle(w)
  )
  member$readouts <- lapply(member$readouts, function(readout) {
    readout[c("statistics", "loo")] <- list(NULL)
    readout
  })
  member
}

result_table <- function(results, unit) {
  table <- do.call(rbind, lapply(results, function(result) {
    data.frame(result$candidate, width = result$width, lambda = mean(result$lambda), rmse = sqrt(result$error) * unit,
               accuracy = result$accuracy)
  }))
  table <- table[order(table$rmse), ]
  rownames(table) <- NULL
  if (all(is.na(table$accuracy))) table$accuracy <- NULL
  table
}

choice_table <- function(results, share) {
  table <- do.call(rbind, lapply(results, function(result) {
    data.frame(result$candidate, width = result$width, lambda = mean(result$lambda), draws = length(result$draws))
  }))
  table$share <- share
  rownames(table) <- NULL
  table
}

#' @export
print.cawi_auto <- function(x, ...) {
  check_dots(list(...))
  check_auto(x, "x")
  sound(x, "x", {
    cat(sprintf("<cawi_auto> %s, %.0f rows, %s\n", task_text(x), x$nobs, counted(x$features, "feature")))
    members <- length(x$members)
    cat(strwrap(sprintf(
      "Compared %s by exact leave-one-out in %s of %s seconds%s; %s:", counted(nrow(x$table), "configuration"),
      number_text(x$seconds, 2), number_text(x$budget), short_of_time(x),
      if (members == 1L) "this network predicts" else sprintf("the average of %d networks predicts", members)
    ), exdent = 2, prefix = "  "), sep = "\n")
    for (i in seq_len(nrow(x$choice))) {
      cat(strwrap(paste0(round(100 * x$choice$share[i]), " %: ", candidate_text(x$choice[i, ])), exdent = 7,
                  prefix = "  "), sep = "\n")
    }
    cat(sprintf("  leave-one-out %s\n", x$loo$text))
    invisible(x)
  })
}

counted <- function(count, noun) sprintf("%d %s%s", count, noun, if (count == 1L) "" else "s")

short_of_time <- function(x) {
  if (x$skipped == 0L) return("")
  sprintf(" (%d more had no time)", x$skipped)
}

candidate_text <- function(choice) {
  if (choice$width == 0) return(sprintf("Ridge regression without nodes, lambda %s", number_text(choice$lambda)))
  reads <- if (is.na(choice$inputs)) "all features" else counted(choice$inputs, "feature")
  family <- families[[choice$init]]$label
  law <- if (choice$init == "iid") "i.i.d. weights" else paste("weights from the", family, "copula")
  sprintf("%s, %d %s nodes that read %s each, %s, spread %s, %slambda %s%s", model_labels[[choice$model]],
          choice$width, choice$activation, reads, law, number_text(choice$spread),
          if (choice$bias == "data") "centred at data, " else "", number_text(choice$lambda),
          if (choice$draws > 1L) sprintf(", %d draws", choice$draws) else "")
}

#' Predictions of an automatic model
#'
#' The scores of the members are averaged with their shares; probabilities are calibrated from the
#' leave-one-out scores of that average.
#'
#' @param object A `cawi_auto` from [cawi_auto()].
#' @param new_data,type,threads As for [predict.cawi_model()].
#' @param ... Not used.
#' @return As for [predict.cawi_model()].
#' @examples
#' fit <- cawi_auto(mpg ~ ., mtcars, budget = 2, hidden = 50, seed = 1)
#' predict(fit, mtcars[1:3, ])
#' @export
predict.cawi_auto <- function(object, new_data, type = NULL, threads = NULL, ...) {
  new_data <- given_new_data(new_data, list(...))
  check_auto(object)
  sound(object, "object", {
    type <- check_predict_type(object, type)
    threads <- resolve_threads(threads)
    data <- forge_new_data(object$members[[1L]], new_data)
    as_prediction(object, average_scores(object, data$x, threads), type, data)
  })
}

average_scores <- function(object, x, threads, call = caller_env()) {
  scores <- 0
  for (i in seq_along(object$members)) {
    scores <- scores + object$weights[i] * complete_scores(object$members[[i]], x, threads, call)
  }
  scores
}

check_auto <- function(object, arg = "object", call = caller_env()) {
  sound <- tryCatch(
    is.list(object) && identical(object$format, model_format) && is.list(object$members) &&
      length(object$members) > 0L && is_finite_vector(object$weights, length(object$members)) &&
      is.null(output_problem(object)) && is.data.frame(object$table) && is.data.frame(object$choice) &&
      all(c("model", "width", "lambda", "share", "draws") %in% names(object$choice)),
    error = function(e) FALSE
  )
  if (!isTRUE(sound)) abort_damaged(arg, "its parts are not what they should be", object, call)
  for (member in object$members) {
    check_model(member, arg, call = call)
    same <- identical(member$outputs, object$outputs) && identical(member$levels, object$levels)
    if (!same) abort_damaged(arg, "its members do not fit together", object, call)
  }
  invisible(object)
}

#' @export
summary.cawi_auto <- function(object, ...) {
  check_dots(list(...))
  check_auto(object)
  structure(list(object = object, members = object$choice, tried = object$table), class = "summary.cawi_auto")
}

#' @export
print.summary.cawi_auto <- function(x, n = 10, ...) {
  check_dots(list(...))
  n <- check_count(n, "n", min = 0)
  print(x$object)
  cat("\nMembers:\n")
  print(x$members, row.names = FALSE, digits = 4)
  cat("\nBest configurations of the screening:\n")
  print(utils::head(x$tried, n), row.names = FALSE, digits = 4)
  invisible(x)
}

#' @export
coef.cawi_auto <- function(object, ...) {
  check_dots(list(...))
  check_auto(object)
  lapply(object$members, coef)
}

#' @export
fitted.cawi_auto <- function(object, ...) {
  check_dots(list(...))
  check_auto(object)
  sound(object, "object", {
    data <- kept_data(object)
    as_prediction(object, average_scores(object, data$x, resolve_threads()), NULL, list(offset = data$targets$offset))
  })
}

#' @export
residuals.cawi_auto <- function(object, ...) {
  check_dots(list(...))
  check_auto(object)
  sound(object, "object", {
    data <- kept_data(object)
    score_gap(data$targets, average_scores(object, data$x, resolve_threads()))
  })
}

#' @export
update.cawi_auto <- function(object, ...) {
  abort_argument(
    "object",
    c("A model of {.fn cawi_auto} is not updated: which networks it averages was chosen for the rows it saw.",
      i = "Call {.fn cawi_auto} again, or update a model of {.fn cawi_rvfl}."), environment()
  )
}

#' @export
tidy.cawi_auto <- function(x, ...) {
  check_dots(list(...))
  check_auto(x, "x")
  x$table
}

#' @export
glance.cawi_auto <- function(x, ...) {
  check_dots(list(...))
  check_auto(x, "x")
  sound(x, "x", {
    data.frame(members = length(x$members), tried = nrow(x$table), nobs = x$nobs, metric = x$loo$name,
               loo = x$loo$value, seconds = x$seconds)
  })
}

#' Plot what mattered in an automatic choice
#'
#' One panel for every argument: the best leave-one-out error that each of its values reached in the
#' screening, whatever the others were. The value of the largest member is marked.
#'
#' @param x,object A `cawi_auto` from [cawi_auto()].
#' @param ... Not used.
#' @return `plot` returns its argument, invisibly; `autoplot` a ggplot.
#' @examples
#' plot(cawi_auto(iris[, 1:4], iris$Species, budget = 2, hidden = 50, seed = 1))
#' @export
plot.cawi_auto <- function(x, ...) {
  check_dots(list(...))
  check_auto(x, "x")
  plot_profile(auto_profile(x))
  invisible(x)
}

#' @rdname plot.cawi_auto
#' @exportS3Method ggplot2::autoplot
autoplot.cawi_auto <- function(object, ...) {
  check_dots(list(...))
  check_auto(object)
  autoplot_profile(auto_profile(object))
}

# The table of the screening as a tuned grid shows it.
auto_profile <- function(x) {
  axes <- c("model", "activation", "inputs", "spread", "bias", "init")
  table <- x$table
  # A ridge regression without nodes has no place on these axes.
  best <- x$choice[x$choice$width > 0, ][1L, ]
  named <- function(inputs) ifelse(is.na(inputs), "all", as.character(inputs))
  table$inputs <- named(table$inputs)
  best$inputs <- named(best$inputs)
  table$mean <- table$rmse
  table$se <- NA_real_
  list(results = table, chosen = best, grid = lapply(table[axes], unique), maximize = FALSE, metric = "rmse")
}
