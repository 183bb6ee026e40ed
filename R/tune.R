#' Tune a model over a grid
#'
#' Evaluates every combination of a grid, by exact leave-one-out or on held-out folds, chooses one and
#' fits it to all rows. One Gram matrix serves all penalties and all nested numbers of nodes, so a
#' grid of a thousand models costs about as much as a few dozen fits.
#'
#' Classes in the grid are those of the largest score, and probabilities come from one temperature per
#' combination; the chosen model is then calibrated as [predict.cawi_model()] says. With several numeric
#' outputs errors are in standard deviations of each output, and each output has a penalty of its own.
#'
#' Preprocessing, standardisation, copula and weights are made anew from each training part, with the
#' same `seed`: the result for a fold is that of the model fitted to the other folds with that seed.
#' (Probabilities are calibrated on at most 500 rows; a model with more columns than rows uses all of
#' its rows for that.) Rows that a recipe takes out of all rows are neither learned nor judged.
#'
#' Equally good combinations are told apart by their squared error, then the one with fewer columns
#' and then the one with the larger penalty wins. The standard error is that of the mean over rows
#' for leave-one-out and of the mean over parts otherwise.
#'
#' The work runs over the workers of [future::plan()] where one is set, and reports its progress
#' through progressr. The table is the same for any plan and any number of threads.
#'
#' @param x A numeric matrix or data frame of features, a formula (it may be named `formula`), or a recipe.
#' @param y The response; for a formula or a recipe the data (it may be named `data`).
#' @param model `"rvfl"`, `"elm"`, `"drvfl"`, `"edrvfl"` or `"bls"`.
#' @param grid A [cawi_grid()]; `NULL` tries four activations, five spreads and several widths.
#' @param resampling `"loo"` for exact leave-one-out; a number of folds, shuffled and stratified; or
#'   whole fold numbers, one per row, in a vector or in a matrix with one column per repeat.
#' @param repeats How often a number of folds is drawn anew.
#' @param metric `"accuracy"` (the default for classes), `"log_loss"`, `"brier"`, `"rmse"` (the default
#'   for numbers), or a function of the truth and the predicted numbers or class probabilities (zero for
#'   a class that the training part lacks).
#' @param maximize For a function as `metric`: is a larger value better? It must be said.
#' @param one_se Choose the simplest combination within one standard error of the best?
#' @param seed A whole number; `NULL` takes one from R's generator.
#' @param threads Number of threads; see [cawi-package].
#' @param ... Arguments of the model that stay fixed. `init = "auto"` tries i.i.d. weights and all
#'   families (with `criterion = "likelihood"` the one that the features' likelihood chooses);
#'   `scale = "auto"` tries five spreads.
#' @return A `cawi_tuned`: `results` (every combination with the `mean` of the metric, its standard error `se` and the
#'   `rmse` of the scores), `parts` (the same for every held-out part), `chosen` (the chosen row of `results`), `best`
#'   (the chosen arguments, as a list that the model takes: `do.call(cawi_rvfl, c(list(x, y), tuned$best))`), `folds`
#'   (the fold of every row, one column per repeat; those of `cawi_folds(y, folds, seed = seed)`) and `fit` (the model).
#'   `predict()` works on it; `plot()` and `autoplot()` show the grid.
#' @examples
#' grid <- cawi_grid(hidden = c(10, 20, 40), activation = c("sigmoid", "radbas"), lambda = 10^(-3:2))
#' tuned <- cawi_tune(iris[, 1:4], iris$Species, "rvfl", grid, seed = 1)
#' tuned
#' plot(tuned)
#' predict(tuned, iris[c(1, 51, 101), 1:4])
#' @export
cawi_tune <- function(x, y, model = c("rvfl", "elm", "drvfl", "edrvfl", "bls"), grid = NULL,
                      resampling = "loo", repeats = 1, metric = NULL, maximize = NULL, one_se = FALSE,
                      seed = NULL, threads = NULL, ...) {
  call <- environment()
  model <- check_choice(model, c("rvfl", "elm", "drvfl", "edrvfl", "bls"), "model")
  check_flag(one_se, "one_se")
  threads <- resolve_threads(threads)
  if (!is.null(seed)) resolve_seed(seed)
  dots <- rlang::enquos(...)
  check_given_once(dots, x = !missing(x), y = !missing(y), call)
  if (missing(y) && !is.null(dots$data)) y <- rlang::eval_tidy(dots$data)
  if (missing(x) && !is.null(dots$formula)) x <- rlang::eval_tidy(dots$formula)
  dots <- dots[!names(dots) %in% c("formula", "data")]
  check_dots(dots, names(model_defaults(model)), call)
  fixed <- evaluate_dots(dots, if (!missing(x) && inherits(x, "formula") && !missing(y)) y)
  problem <- tuning_problem(x, y, model, grid, fixed, call)
  problem$metric <- check_metric(metric, problem$data$targets$task, maximize, call)
  repeats <- check_count(repeats, "repeats")
  keep_generator({
    seed <- resolve_seed(seed)
    parts <- resampling_parts(resampling, problem$input$y, problem$input$rows, repeats, seed, call)
    check_parts(parts, problem$data$ids, call)
    rethrow_core_errors(tune_problem(problem, parts, resampling, one_se, seed, threads, call), call)
  })
}

tune_problem <- function(problem, parts, resampling, one_se, seed, threads, call) {
  clock <- proc.time()[["elapsed"]]
  tasks <- tuning_tasks(problem$networks, parts)
  done <- run_tasks(tasks, tuning_worker(problem, seed), "Tuning", threads, carried(problem$metric$compute, problem$input$packages))
  table <- as.data.frame(do.call(rbind, done))
  results <- combine_parts(problem$table, table, problem$unit)
  best <- choose_best(results, problem$metric, one_se)
  lambda <- if (!one_se) output_penalties(problem, table)
  if (!is.null(lambda)) best <- lambda$row
  chosen <- chosen_arguments(problem, results$row[best], lambda$lambda)
  arguments <- c(chosen, problem$fixed["weights"], list(seed = seed, threads = threads))
  fit <- fit_arguments(problem$model, problem$input, arguments[!vapply(arguments, is.null, NA)], call)
  new_cawi_tuned(problem, results, table, parts, best, chosen, fit, resampling, one_se, seed,
                 proc.time()[["elapsed"]] - clock)
}

# What workers get: the calling frame has the data several times.
tuning_worker <- function(problem, seed) {
  force(problem)
  force(seed)
  function(task, threads) evaluate_networks(problem, task, seed, threads, quote(cawi_tune()))
}

# Every part needs rows to be judged by.
check_parts <- function(parts, usable, call) {
  empty <- vapply(parts, function(part) !any(part$test %in% usable), logical(1))
  if (any(empty)) {
    fold <- parts[[which(empty)[1L]]]$fold
    abort_argument(
      "resampling", "Fold {fold} of {.arg resampling} has no complete row with positive weight.", call
    )
  }
}

# Everything that does not depend on the resampling: the input, its usable rows, the combinations, and the networks
# that serve them.
tuning_problem <- function(x, y, model, grid, fixed, call) {
  own <- intersect(names(fixed), c("seed", "threads", "keep_data"))
  if (length(own) > 0L) abort_argument("dots", "{.arg {own}} cannot be a fixed argument here.", call)
  check_dots(fixed, names(model_defaults(model)), call, names(formals(cawi_tune)))
  input <- any_input(x, y, call)
  fixed <- with_formula_intercept(fixed, input, call)
  grid <- complete_grid(grid, model, fixed, call)
  # "auto" is in the grid now.
  if (identical(fixed$scale, "auto")) fixed$scale <- NULL
  problem <- list(model = model, grid = grid, fixed = fixed[setdiff(names(fixed), names(grid))], input = input)
  problem$na_action <- if (is.null(fixed$na_action)) "fail" else check_na_action(fixed$na_action, call)
  problem$table <- as.data.frame(grid)
  problem$networks <- grid_networks(problem, call)
  problem$data <- usable_data(input, problem$na_action, fixed$weights, NULL, call)
  check_two_rows(problem$data$x, "x", call)
  problem$intercept <- all(vapply(problem$networks, function(network) network$spec$intercept, logical(1)))
  problem$data$targets <- scaled_targets(problem$data$targets, problem$intercept)
  problem$unit <- error_unit(problem$data$targets)
  problem
}

# Errors are computed in standard deviations of the response. A single one is shown in its own units; several have no
# unit in common.
error_unit <- function(targets) if (targets$task == "regression" && targets$outputs == 1L) targets$sd else 1

# The grid with "auto" spelled out. An argument is either in the grid or fixed.
complete_grid <- function(grid, model, fixed, call) {
  if (is.null(grid)) grid <- default_grid(model, fixed)
  if (inherits(grid, "cawi_grid")) check_grid_object(grid, "grid", call)
  if (!inherits(grid, "cawi_grid")) {
    abort_argument("grid", "{.arg grid} must be a {.fn cawi_grid}, not {.obj_type_friendly {grid}}.", call)
  }
  unfit <- setdiff(names(grid), names(model_defaults(model)))
  if (length(unfit) > 0L) {
    abort_argument("grid", "{.arg grid} has {.arg {unfit}}, which the model {.val {model}} does not.", call)
  }
  twice <- intersect(attr(grid, "given"), names(fixed))
  if (length(twice) > 0L) {
    abort_argument(twice[1L], "{.arg {twice[1L]}} is in {.arg grid} and fixed: give it once.", call)
  }
  axes <- unclass(grid)
  if (is.matrix(fixed$lambda)) abort_argument("lambda", "{.arg lambda} must be a vector of values to try.", call)
  if (!is.null(fixed$lambda)) axes$lambda <- check_lambda(fixed$lambda, call)
  do.call(cawi_grid, automatic_axes(axes, fixed))
}

# init = "auto" tries every law, unless the likelihood of the features is to choose; scale = "auto" tries
# spreads.
automatic_axes <- function(axes, fixed) {
  likelihood <- identical(fixed$criterion, "likelihood")
  asked <- identical(fixed$init, "auto") || any(vapply(axes$init, identical, logical(1), "auto"))
  if (asked && !likelihood) axes$init <- unique(c(as.list(auto_inits), Filter(function(i) !is.character(i), axes$init)))
  if (asked && !likelihood && all(vapply(axes$init, is.character, logical(1)))) axes$init <- unlist(axes$init)
  if (identical(axes$scale, "auto") || identical(fixed$scale, "auto")) {
    axes$scale <- NULL
    if (is.null(axes$spread)) axes$spread <- auto_spreads
  }
  axes
}

# Combinations that share a network but for its width and penalty, in families of nested shapes.
grid_networks <- function(problem, call) {
  grid <- unclass(problem$grid)
  others <- grid[names(grid) != "lambda"]
  index <- expand.grid(lapply(others, seq_along), KEEP.OUT.ATTRS = FALSE)
  if (length(others) == 0L) index <- data.frame(row.names = 1L)
  # Combinations that differ in shape alone are checked, and told from the others, once.
  shape <- names(index) %in% c("hidden", "windows", "nodes", "enhancement_windows", "enhancement")
  same <- do.call(paste, c(list(rep("spec", nrow(index))), index[!shape]))
  specs <- grid_specs(problem, others, index, shape, same, call)
  first <- match(same, same)
  key <- vapply(specs[unique(first)], network_key, character(1))[match(first, unique(first))]
  init <- vapply(specs[unique(first)], function(spec) rlang::hash(spec$init), character(1))[match(first, unique(first))]
  networks <- lapply(split(seq_along(specs), paste(init, key)), function(group) {
    shapes <- lapply(specs[group], function(spec) spec$hidden)
    lapply(nested_shapes(shapes, specs[[group[1L]]]$wiring), function(family) {
      list(spec = specs[[group[family[1L]]]], shapes = shapes[family], rows = group[family],
           init = init[group[1L]])
    })
  })
  networks <- do.call(c, unname(networks))
  networks[order(vapply(networks, function(network) network$rows[1L], numeric(1)))]
}

# Shape apart, what makes a network: two specs that agree in it are one draw.
network_key <- function(spec) {
  spec[c("hidden", "broad", "init")] <- NULL
  if (length(unique(spec$activation)) == 1L) spec$activation <- spec$activation[1L]
  rlang::hash(spec)
}

# The spec of every combination.
grid_specs <- function(problem, others, index, shape, same, call) {
  values <- function(i, axes) stats::setNames(lapply(axes, function(axis) others[[axis]][[index[[axis]][i]]]), axes)
  known <- new.env()
  lapply(seq_len(nrow(index)), function(i) {
    if (is.null(known[[same[i]]])) {
      arguments <- utils::modifyList(problem$fixed, values(i, names(others)), keep.null = TRUE)
      arguments$lambda <- problem$grid$lambda
      given <- complete_arguments(problem$model, arguments, call)
      assign(same[i], list(given = given, spec = spec_of(problem$model, given, call)), envir = known)
    }
    given <- known[[same[i]]]$given
    given[names(index)[shape]] <- values(i, names(index)[shape])
    with_shape(known[[same[i]]]$spec, given, call)
  })
}

# One task a training part and law of the weights: the copula is fitted once.
tuning_tasks <- function(networks, parts) {
  init <- vapply(networks, function(network) network$init, character(1))
  groups <- unname(split(networks, factor(init, unique(init))))
  if (is.null(parts)) parts <- list(NULL)
  do.call(c, lapply(parts, function(part) lapply(groups, function(group) list(part = part, networks = group))))
}

# All combinations of some networks on one training part. Workers are other processes: this function
# has all it needs in its arguments.
evaluate_networks <- function(problem, task, seed, threads, call) {
  metric <- problem$metric
  data <- in_part(task$part, part_data(problem, task$part, call), call)
  init <- fitted_init(data$x, data$targets$weights, task$networks[[1L]]$spec$init, threads)
  draw <- network_drawer(data$x, data$targets$weights, seed, threads, call)
  # Some networks at a time: threads have enough to do, and memory stays small.
  batches <- split(task$networks, (seq_along(task$networks) - 1L) %/% 16L)
  tables <- lapply(batches, function(networks) {
    drawn <- lapply(networks, function(network) draw(replace(network$spec, "init", list(init))))
    shapes <- lapply(networks, function(network) network$shapes)
    losses <- rethrow_core_errors(
      families_losses(data$x, data$targets, drawn, shapes, networks[[1L]]$spec$lambda, threads, data$fresh,
                      metric$probabilities && data$targets$task == "classification", !is.null(metric$compute)), call
    )
    tables <- Map(function(loss, network) loss_table(loss, network, problem, data, task$part, call), losses, networks)
    do.call(rbind, tables)
  })
  do.call(rbind, tables)
}

# Errors of a part name it.
in_part <- function(part, code, call) {
  if (is.null(part)) return(code)
  refuse <- function(e) {
    text <- conditionMessage(e)
    fold <- part$fold
    abort_argument("resampling", "{.arg resampling}: without fold {fold} there is too little to learn from. {text}", call)
  }
  tryCatch(code, cawi_error_y = refuse, cawi_error_x = refuse)
}

# Training rows and, for a part, the rows held out, seen through the preprocessing of the training
# rows. A class that the training rows lack is number zero.
part_data <- function(problem, part, call) {
  if (is.null(part)) return(c(problem$data, list(truth = problem$data$targets)))
  # All other rows of the data: which of them are learned is for the steps of a recipe, and for weights, to say.
  train <- setdiff(seq_len(problem$input$rows), part$test)
  data <- usable_data(problem$input, problem$na_action, problem$fixed$weights, train, call)
  check_two_rows(data$x, "x", call)
  data$targets <- scaled_targets(data$targets, problem$intercept)
  data$fresh <- held_out_targets(problem, data, part, call)
  data$truth <- truth <- data$fresh$targets
  if (!is.null(truth$classes)) {
    levels <- data$targets$levels
    data$fresh$targets$classes <- match(truth$levels[truth$classes], levels, nomatch = 0L)
    data$fresh$targets$outputs <- length(levels)
  }
  data
}

# The rows of a part through the preprocessing of the others; those that cannot be predicted are left out.
held_out_targets <- function(problem, data, part, call) {
  whole <- problem$data$targets
  fresh <- problem$input$forge(data$preprocessor, problem$na_action, intersect(part$test, problem$data$ids))
  if (is.null(fresh$weights) && !is.null(problem$fixed$weights)) fresh$weights <- problem$fixed$weights[fresh$ids]
  fresh <- subset_molded(fresh, usable_rows(fresh, problem$na_action, call))
  y <- if (whole$task == "classification") factor(as.character(unlist(fresh$y)), whole$levels) else fresh$y
  targets <- new_targets(y, nrow(fresh$x), fresh$weights, whole$levels, call = call, offset = fresh$offset)
  targets[c("center", "sd")] <- data$targets[c("center", "sd")]
  list(x = fresh$x, targets = targets)
}

# Each part has units of its own, which its held-out rows do not know; errors are compared in those of all rows.
in_common_units <- function(losses, ratio) {
  if (length(ratio) == 0L || all(ratio == 1)) return(losses)
  if (length(ratio) == 1L) {
    losses$sum$squared <- losses$sum$squared * ratio^2
    losses$square$squared <- losses$square$squared * ratio^4
    return(losses)
  }
  losses$outputs <- sweep(losses$outputs, 3L, ratio^2, `*`)
  losses$sum$squared[] <- apply(losses$outputs, 1:2, mean)
  losses
}

# One row per combination: `row` is its place in the table of the grid, where lambda varies fastest.
loss_table <- function(losses, network, problem, data, part, call) {
  metric <- problem$metric
  lambdas <- length(network$spec$lambda)
  members <- length(network$shapes)
  weight <- total_weight(data$truth)
  losses <- in_common_units(losses, data$targets$sd / problem$data$targets$sd)
  value <- if (is.null(metric$compute)) {
    metric_values(metric, losses, weight, data$truth$rows, problem$unit)
  } else {
    list(mean = function_values(metric, losses, lambdas, members, data, call),
         se = matrix(NA_real_, lambdas, members))
  }
  table <- cbind(
    row = as.vector(outer(seq_len(lambdas), (network$rows - 1L) * lambdas, `+`)),
    rep = if (is.null(part)) NA_real_ else part$rep, fold = if (is.null(part)) NA_real_ else part$fold,
    mean = as.vector(value$mean), se = as.vector(value$se),
    squared = as.vector(losses$sum$squared) / weight,
    columns = rep(rep_len(losses$columns, members), each = lambdas)
  )
  if (is.null(losses$outputs)) return(table)
  errors <- matrix(losses$outputs, ncol = dim(losses$outputs)[3L]) / weight
  cbind(table, matrix(errors, nrow(errors), dimnames = list(NULL, paste0("output_", seq_len(ncol(errors))))))
}

# Means over the parts. A single part has the standard error of its rows.
combine_parts <- function(table, parts, unit) {
  count <- as.vector(rowsum(rep(1, nrow(parts)), parts$row))
  mean_of <- function(value) as.vector(rowsum(value, parts$row)) / count
  mean <- mean_of(parts$mean)
  table$row <- seq_len(nrow(table))
  table$columns <- as.integer(mean_of(parts$columns))
  table$mean <- mean
  spread <- sqrt(pmax(mean_of((parts$mean - mean[parts$row])^2), 0) * count / pmax(count - 1, 1))
  table$se <- if (max(count) == 1) parts$se[order(parts$row)] else spread / sqrt(count)
  table$rmse <- sqrt(mean_of(parts$squared)) * unit
  table
}

# Best first by the metric, squared error, fewer columns, larger penalty.
choose_best <- function(results, metric, one_se) {
  loss <- if (metric$maximize) -results$mean else results$mean
  order <- order(loss, results$rmse, results$columns, -results$lambda)
  best <- order[1L]
  if (is.na(loss[best])) abort_argument("grid", "No combination of {.arg grid} has a figure: all are NaN.", caller_env())
  if (!one_se || is.na(results$se[best])) return(best)
  near <- which(loss <= loss[best] + results$se[best])
  near[order(results$columns[near], -results$lambda[near], loss[near])][1L]
}

# Several numeric outputs have a penalty each: the combination, penalties apart, with the least mean of the outputs'
# least errors. NULL where there is one output, or where a function judges all outputs together.
output_penalties <- function(problem, parts) {
  columns <- grep("^output_", names(parts))
  if (length(columns) == 0L || !is.null(problem$metric$compute)) return(NULL)
  count <- as.vector(rowsum(rep(1, nrow(parts)), parts$row))
  errors <- rowsum(as.matrix(parts[columns]), parts$row) / count
  lambdas <- problem$grid$lambda
  groups <- split(seq_len(nrow(errors)), (seq_len(nrow(errors)) - 1L) %/% length(lambdas))
  least <- vapply(groups, function(rows) mean(apply(errors[rows, , drop = FALSE], 2L, min)), numeric(1))
  rows <- groups[[which.min(least)]]
  at <- apply(errors[rows, , drop = FALSE], 2L, last_least)
  # The row of the table that is nearest: the best common penalty.
  list(row = rows[last_least(rowMeans(errors[rows, , drop = FALSE]))], lambda = matrix(lambdas[at], 1L))
}

# What can be given to the model again.
chosen_arguments <- function(problem, row, lambda) {
  grid <- unclass(problem$grid)
  place <- arrayInd(row, lengths(grid))
  values <- lapply(seq_along(grid), function(axis) grid[[axis]][[place[axis]]])
  fixed <- problem$fixed[names(problem$fixed) != "weights"]
  arguments <- utils::modifyList(fixed, stats::setNames(values, names(grid)), keep.null = TRUE)
  if (!is.null(lambda)) arguments$lambda <- lambda
  arguments
}

new_cawi_tuned <- function(problem, results, table, parts, best, chosen, fit, resampling, one_se, seed, seconds) {
  table <- table[order(table$row), c("row", "rep", "fold", "mean")]
  names(table)[4L] <- problem$metric$name
  rownames(table) <- NULL
  structure(
    list(model = problem$model, results = results, parts = if (!is.null(parts)) table, chosen = results[best, ],
         best = chosen, fit = fit, grid = problem$grid, metric = problem$metric$name,
         maximize = problem$metric$maximize, resampling = resampling_text(resampling, table),
         folds = fold_matrix(parts, problem$input$rows), one_se = one_se, seed = seed, seconds = seconds),
    class = "cawi_tuned"
  )
}

# The fold of each row of the data, one column per repeat, as cawi_folds() gives it.
fold_matrix <- function(parts, rows) {
  if (is.null(parts)) return(NULL)
  fold <- matrix(NA_integer_, rows, max(vapply(parts, function(part) part$rep, numeric(1))))
  for (part in parts) fold[part$test, part$rep] <- as.integer(part$fold)
  fold
}

resampling_text <- function(resampling, parts) {
  if (identical(resampling, "loo")) return("exact leave-one-out")
  folds <- length(unique(parts$fold))
  repeats <- length(unique(parts$rep))
  kind <- if (length(resampling) == 1L) "stratified folds" else "given folds"
  paste0(folds, " ", kind, if (repeats > 1L) paste(", repeated", repeats, "times"))
}
