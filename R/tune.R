#' Tune a model over a grid
#'
#' Judges every combination of a grid by exact leave-one-out or on held-out folds, chooses one, and
#' fits it to all rows. One Gram matrix serves all penalties and all nested numbers of nodes, so a
#' grid of a thousand models costs about as much as a few dozen fits.
#'
#' @section How combinations are judged:
#' Every training part learns its own preprocessing, standardization, copula and weights, with the
#' same `seed`. So the result for a fold is the result of the model that is fitted to the other
#' folds with that seed. Rows that a recipe drops are neither learned nor judged.
#'
#' In the grid, the predicted class is the one with the largest score. Probabilities, for metrics
#' that need them, come from one temperature per combination, fitted to at most 500 rows. The
#' chosen model is then calibrated as [predict.cawi_model()] describes.
#'
#' With `init = "gradient"` the gradients are those of the training part of every fold, at the
#' penalty of least leave-one-out error in the grid. By leave-one-out (`resampling = "loo"`) they
#' have seen the rows that are left out, so these figures are optimistic: compare `"gradient"` with
#' other distributions on folds.
#'
#' With several numeric outputs, errors are in standard deviations of each output, and each output
#' has its own penalty.
#'
#' Leaving out whole groups (`group` with `resampling = "loo"`) is exact in closed form, as leaving
#' out rows is: the readout is solved without the rows of the group, at every penalty, while
#' standardization, copula and weights are those of all rows. Standard errors are then those of a
#' mean over groups.
#'
#' @section How one is chosen:
#' The best mean of the metric wins. Among equals the least squared error wins, then the fewest
#' columns, then the largest penalty. With `one_se = TRUE` the simplest combination wins whose mean
#' is within one standard error of the best (Breiman et al., 1984). For leave-one-out this is the
#' standard error of the mean over rows, for folds that of the mean over folds.
#'
#' @section Parallel work:
#' The work runs over the workers of [future::plan()] if a plan is set, and reports its progress
#' through progressr. The results are the same for any plan and any number of threads.
#'
#' @inheritParams cawi_models
#' @param model `"rvfl"`, `"elm"`, `"drvfl"`, `"edrvfl"` or `"bls"`.
#' @param grid A [cawi_grid()]; `NULL` tries four activations, five spreads and several numbers of
#'   nodes.
#' @param resampling `"loo"` for exact leave-one-out; a number of folds, shuffled and stratified;
#'   whole fold numbers, one per row, in a vector or in a matrix with one column per repeat; the
#'   folds of [cawi_folds()]; or a set of rsample, such as `rsample::vfold_cv(data)`, of the same
#'   rows.
#' @param repeats How many times a given number of folds is drawn.
#' @param metric `"accuracy"` (the default for classes), `"log_loss"`, `"brier"`, `"auc"` (the area
#'   under the ROC curve; with more than two classes the mean over pairs of Hand and Till, 2001),
#'   `"rmse"` (the default for numbers), a function of the truth and of the predicted numbers or
#'   class probabilities, or a metric of yardstick such as `yardstick::mae` or `yardstick::roc_auc`.
#'   A class that the training part lacks has probability zero.
#' @param maximize Is a larger value of the metric better? Needed if `metric` is a function, and
#'   only then.
#' @param one_se Choose the simplest combination within one standard error of the best?
#' @param seed A whole number; `NULL` takes one from R's generator.
#' @param threads Number of threads; see [cawi-package]. Results do not depend on it.
#' @param case_weights Case weights, one per row; with a formula a column of the data.
#' @param keep_data Keep the training data in the chosen model, as [the models][cawi_models] do?
#' @param group A group for each row, or with a formula a column of the data. With
#'   `resampling = "loo"` all rows of a group are left out together, exactly and without a fit per
#'   group; with a number of folds no group is in two folds.
#' @param time A time, date or number for each row, or with a formula a column of the data. With a
#'   number of folds, each fold is later than the rows that its model learned from; see
#'   [cawi_folds()].
#' @param ... Arguments of the model that stay fixed, by name. `init = "auto"` tries i.i.d. weights
#'   and all families. If `criterion = "likelihood"` is given as well, only the family with the
#'   highest held-out likelihood of the features is tried. `scale = "auto"` tries five spreads.
#' @return A `cawi_tuned`, a list with
#' * `results`: one line per combination with its values, its number `combination`, the `columns` of
#'   the readout, the `metric` with its `mean` and standard error `se`, and the `rmse` of the
#'   scores;
#' * `parts`: the `mean` of the metric per `combination`, repeat `rep` and `fold`; `NULL` for
#'   leave-one-out;
#' * `chosen`: the chosen line of `results`;
#' * `best`: the chosen arguments, ready for the model:
#'   `do.call(cawi_rvfl, c(list(x, y), tuned$best))`;
#' * `folds`: the fold of every row, one column per repeat, as from
#'   `cawi_folds(y, folds, seed = seed)`;
#' * `fit`: the chosen model, fitted to all rows.
#'
#' `predict()`, `coef()`, `fitted()`, `residuals()`, `update()` and `augment()` use that model.
#' `summary()` and `tidy()` give `results`, best first; `plot()` and `autoplot()` show the grid.
#' @references
#' Allen, D. M. (1974). The relationship between variable selection and data augmentation and a
#' method for prediction. *Technometrics* 16, 125-127. (leave-one-out in closed form)
#'
#' Breiman, L., Friedman, J. H., Olshen, R. A. and Stone, C. J. (1984). *Classification and
#' Regression Trees*. Wadsworth. (one standard error)
#'
#' Guo, C., Pleiss, G., Sun, Y. and Weinberger, K. Q. (2017). On calibration of modern neural
#' networks. *ICML*, 1321-1330. (temperatures)
#'
#' Hand, D. J. and Till, R. J. (2001). A simple generalisation of the area under the ROC curve for
#' multiple class classification problems. *Machine Learning* 45, 171-186. (AUC)
#'
#' Kohavi, R. (1995). A study of cross-validation and bootstrap for accuracy estimation and model
#' selection. *IJCAI*, 1137-1143. (stratified folds)
#' @examples
#' grid <- cawi_grid(hidden = c(10, 20, 40), activation = c("sigmoid", "radbas"))
#' tuned <- cawi_tune(Species ~ ., iris, model = "rvfl", grid = grid, seed = 1)
#' tuned
#' plot(tuned)
#' predict(tuned, iris[c(1, 51, 101), ])
#' @export
cawi_tune <- function(x, y, model = "rvfl", grid = NULL,
                      resampling = "loo", repeats = 1, metric = NULL, maximize = NULL,
                      one_se = FALSE, seed = NULL, threads = NULL, ..., formula, data,
                      case_weights = NULL, group = NULL, time = NULL, keep_data = NULL) {
  call <- environment()
  model <- check_choice(model, searched_models, "model")
  one_se <- check_flag(one_se, "one_se")
  if (!is.null(keep_data)) keep_data <- check_flag(keep_data, "keep_data")
  repeats <- check_count(repeats, "repeats", max = 1e4)
  if (!is.null(seed)) resolve_seed(seed)
  threads <- resolve_threads(threads)
  fixed <- fixed_arguments(model, rlang::enquos(...), call)
  asked <- called_source(call)
  if (!is.null(asked)) {
    tuning <- list(resampling = resampling, metric = metric, one_se = one_se, seed = seed,
                   threads = threads)
    return(tune_source(asked, model, grid, fixed, tuning, call))
  }
  input <- called_input(call)
  given <- list(group = row_argument("group", input$rows, call),
                time = row_argument("time", input$rows, call))
  problem <- tuning_problem(input, model, grid, fixed, call)
  problem$metric <- check_metric(metric, problem$data$targets$task, maximize, call)
  keep_generator(rethrow_core_errors({
    run <- new_run(seed, threads, call)
    problem$parts <- resampling_parts(resampling, problem$input, repeats, run, given)
    if (is.null(problem$parts)) problem$group <- given$group
    check_parts(problem$parts, problem$data$ids, call)
    problem$resampling <- resampling
    problem["keep_data"] <- list(keep_data)
    tune_problem(problem, one_se, run)
  }, call))
}

# Values of the rows that may be a column of the data.
row_argument <- function(name, rows, frame) {
  quosure <- eval(call("enquo", as.name(name)), list(enquo = rlang::enquo), frame)
  tables <- lapply(c("data", "y", "x"), function(arg) if (!is_missing(arg, frame)) frame[[arg]])
  columns <- as.list(Find(is.data.frame, tables))
  value <- masked_value(quosure, columns[usable_names(names(columns))], frame, name)
  if (!is.null(value)) check_row_values(value, rows, name, frame)
}

# Names are checked before values are looked for.
fixed_arguments <- function(model, dots, call) {
  check_dots(dots, names(model_arguments(model)), call, names(formals(cawi_tune)))
  own <- intersect(names(dots), c("seed", "threads", "case_weights"))
  if (length(own) > 0L) {
    abort_argument("dots", "{.arg {own}} cannot be a fixed argument here.", call)
  }
  lapply(dots, function(dot) plain_value(rlang::eval_tidy(dot)))
}

tune_problem <- function(problem, one_se, run) {
  clock <- clock_seconds()
  tasks <- tuning_tasks(problem$networks, problem$parts)
  needs <- carried(problem$metric$compute, problem$input$packages)
  done <- run_tasks(tasks, tuning_worker(problem, run$seed), "Tuning", run$threads, needs,
                    run$call)
  losses <- as.data.frame(do.call(rbind, done))
  results <- combine_parts(problem$table, losses, problem$unit, problem$metric$name)
  best <- choose_best(results, problem$metric, one_se, run$call)
  lambda <- if (!one_se) output_penalties(problem, losses)
  if (!is.null(lambda)) best <- lambda$combination
  chosen <- chosen_arguments(problem, results$combination[best], lambda$lambda)
  fit <- fit_chosen(problem, chosen, run)
  new_cawi_tuned(problem, list(
    results = results, parts = part_table(problem, losses), chosen = results[best, ],
    best = chosen, fit = fit, one_se = one_se, seed = run$seed,
    seconds = clock_seconds() - clock
  ))
}

# The metric in every held-out part.
part_table <- function(problem, losses) {
  if (is.null(problem$parts)) return(NULL)
  table <- losses[order(losses$combination), c("combination", "rep", "fold", "mean")]
  table$metric <- problem$metric$name
  rownames(table) <- NULL
  table
}

new_cawi_tuned <- function(problem, outcome) {
  structure(
    c(
      list(format = model_format, version = own_version(),
           model = problem$model),
      outcome[c("results", "parts", "chosen", "best", "fit")],
      list(grid = problem$grid, metric = problem$metric$name, maximize = problem$metric$maximize,
           resampling = resampling_text(problem$resampling, problem$parts, problem$group),
           folds = fold_matrix(problem$parts, problem$input$rows)),
      outcome[c("one_se", "seed", "seconds")]
    ),
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

resampling_text <- function(resampling, parts, group = NULL) {
  if (is.null(parts) && !is.null(group)) {
    return(sprintf("exact leave-one-out of %d groups", length(unique(group))))
  }
  if (is.null(parts)) return("exact leave-one-out")
  if (inherits(resampling, c("rset", "rsplit"))) {
    return(sprintf("%d splits of rsample (%s)", length(parts), class(resampling)[1L]))
  }
  folds <- length(unique(vapply(parts, function(part) part$fold, numeric(1))))
  repeats <- length(unique(vapply(parts, function(part) part$rep, numeric(1))))
  kind <- if (length(resampling) == 1L) "stratified folds" else "given folds"
  paste0(folds, " ", kind, if (repeats > 1L) paste(", repeated", repeats, "times"))
}
