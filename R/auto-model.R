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
  object <- structure(
    list(format = model_format, members = members, weights = weights, task = search$targets$task,
         levels = search$targets$levels, outputs = search$targets$outputs, output_names = search$targets$names,
         nobs = nrow(search$x), features = ncol(search$x), seed = search$seed,
         table = result_table(screened), choice = choice_table(widened[used], chosen$share[used]),
         loo = loo_summary(chosen$scores, search$targets, sampled = FALSE),
         seconds = elapsed(clock), budget = clock$budget, skipped = clock$skipped),
    class = "cawi_auto"
  )
  if (object$task == "classification") {
    weight <- if (is.null(search$targets$weights)) rep(1, object$nobs) else search$targets$weights
    object$temperature <- best_temperature_cpp(chosen$scores, search$targets$classes, weight)
  }
  object$seconds <- elapsed(clock)
  object
}

# Members predict; they are not updated. What only updates need would fill the memory.
fit_member <- function(search, result, draw, call) {
  spec <- candidate_spec(search, result$candidate, result$width, result$lambda)
  spec$init <- search_copula(search, result$candidate$init, screening = FALSE)
  member <- fit_targets(search$x, search$targets, spec, search$molded$preprocessor, draw_seed(search, draw),
                        search$threads, keep = FALSE, call)
  member$readouts <- lapply(member$readouts, function(readout) {
    readout[c("statistics", "loo")] <- list(NULL)
    readout
  })
  member
}

result_table <- function(results) {
  table <- do.call(rbind, lapply(results, function(result) {
    data.frame(result$candidate, width = result$width, lambda = result$lambda, rmse = sqrt(result$error),
               accuracy = result$accuracy)
  }))
  table <- table[order(table$rmse), ]
  rownames(table) <- NULL
  if (all(is.na(table$accuracy))) table$accuracy <- NULL
  table
}

choice_table <- function(results, share) {
  table <- do.call(rbind, lapply(results, function(result) {
    data.frame(result$candidate, width = result$width, lambda = result$lambda, draws = length(result$draws))
  }))
  table$share <- share
  rownames(table) <- NULL
  table
}

#' @export
print.cawi_auto <- function(x, ...) {
  cat(sprintf("<cawi_auto> %s, %d rows, %s\n", task_text(x), x$nobs, counted(x$features, "feature")))
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
}

counted <- function(count, noun) sprintf("%d %s%s", count, noun, if (count == 1L) "" else "s")

short_of_time <- function(x) {
  if (x$skipped == 0L) return("")
  sprintf(" (%d more had no time)", x$skipped)
}

candidate_text <- function(choice) {
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
  check_auto(object)
  type <- check_predict_type(object, type)
  if (missing(new_data)) abort_argument("new_data", "{.arg new_data} is missing.", environment())
  threads <- resolve_threads(threads)
  x <- forge_new_data(object$members[[1L]], new_data)$x
  scores <- 0
  for (i in seq_along(object$members)) {
    scores <- scores + object$weights[i] * complete_scores(object$members[[i]], x, threads)
  }
  as_prediction(object, scores, type)
}

check_auto <- function(object, call = caller_env()) {
  sound <- is.list(object) && identical(object$format, model_format) && is.list(object$members) &&
    length(object$members) > 0L && is_finite_vector(object$weights, length(object$members)) &&
    is.null(output_problem(object))
  if (!isTRUE(sound)) abort_argument("object", "{.arg object} is damaged or not a model of this version.", call)
  for (member in object$members) {
    check_model(member, call = call)
    same <- identical(member$outputs, object$outputs) && identical(member$levels, object$levels)
    if (!same) abort_argument("object", "{.arg object} is damaged: its members do not fit together.", call)
  }
}

#' @export
tidy.cawi_auto <- function(x, ...) x$table

#' @export
glance.cawi_auto <- function(x, ...) {
  data.frame(members = length(x$members), tried = nrow(x$table), nobs = x$nobs, metric = x$loo$name,
             loo = x$loo$value, seconds = x$seconds)
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
  plot_profile(auto_profile(x))
  invisible(x)
}

#' @rdname plot.cawi_auto
#' @exportS3Method ggplot2::autoplot
autoplot.cawi_auto <- function(object, ...) autoplot.cawi_tuned(auto_profile(object), "profile")

# The table of the screening as a tuned grid shows it.
auto_profile <- function(x) {
  axes <- c("model", "activation", "inputs", "spread", "bias", "init")
  table <- x$table
  best <- x$choice[1L, ]
  named <- function(inputs) ifelse(is.na(inputs), "all", as.character(inputs))
  table$inputs <- named(table$inputs)
  best$inputs <- named(best$inputs)
  table$mean <- table$rmse
  table$se <- NA_real_
  list(results = table, best = best, grid = lapply(table[axes], unique), maximize = FALSE, metric = "rmse")
}
