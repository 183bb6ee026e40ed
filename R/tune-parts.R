# Losses of the networks on one part of the data: learned from the other rows, judged on those held
# out, or all rows by leave-one-out.

# One task per training part and distribution of the weights: the copula is fitted once.
tuning_tasks <- function(networks, parts) {
  init <- vapply(networks, function(network) network$init, character(1))
  groups <- unname(split(networks, factor(init, unique(init))))
  if (is.null(parts)) parts <- list(NULL)
  do.call(c, lapply(parts, function(part) {
    lapply(groups, function(group) list(part = part, networks = group))
  }))
}

# All combinations of some networks on one training part. Workers are other processes: this function
# has all it needs in its arguments.
evaluate_networks <- function(problem, task, run) {
  data <- in_part(task$part, part_data(problem, task$part, run$call), run$call)
  probabilities <- problem$metric$probabilities && data$targets$task == "classification"
  judge <- new_judge(data$targets, data$fresh, probabilities,
                     keep = !is.null(problem$metric$compute))
  case_weights <- data$targets$case_weights
  init <- fitted_init(data$x, case_weights, task$networks[[1L]]$spec$init, run$threads)
  draw <- network_drawer(data$x, data$targets, run)
  # Some networks at a time: threads have enough to do, and memory stays small. Scores that a
  # function measures are those of all lambdas and numbers of nodes, so networks come one by one.
  together <- if (judge$keep) 1L else 16L
  batches <- split(task$networks, (seq_along(task$networks) - 1L) %/% together)
  tables <- lapply(batches, function(networks) {
    drawn <- lapply(networks, function(network) draw(replace(network$spec, "init", list(init))))
    shapes <- lapply(networks, function(network) network$shapes)
    losses <- rethrow_core_errors(
      nests_losses(data$x, data$targets, drawn, shapes, networks[[1L]]$spec$lambda, judge,
                   run$threads),
      run$call
    )
    tables <- Map(function(loss, network) {
      loss_table(loss, network, problem, data, task$part, run$call)
    }, losses, networks)
    do.call(rbind, tables)
  })
  do.call(rbind, tables)
}

# Adds the name of the part to its errors.
in_part <- function(part, code, call) {
  if (is.null(part)) return(code)
  refuse <- function(e) {
    text <- conditionMessage(e)
    fold <- part$fold
    message <- paste("{.arg resampling}: without fold {fold} there is too little to learn from.",
                     "{text}")
    abort_argument("resampling", message, call)
  }
  tryCatch(code, cawi_error_y = refuse, cawi_error_x = refuse)
}

# Training rows and, for a part, the rows held out, seen through the preprocessing of the training
# rows. A class that the training rows lack is number zero.
part_data <- function(problem, part, call) {
  if (is.null(part)) return(c(problem$data, list(truth = problem$data$targets)))
  # All other rows of the data: which of them are learned is for the steps of a recipe, and for case
  # weights, to say.
  train <- setdiff(seq_len(problem$input$rows), part$test)
  data <- usable_data(problem$input, problem$na_action, problem$intercept, call, train)
  data$targets <- weigh_classes(data$targets, problem$fixed$class_weights)
  data$fresh <- held_out_targets(problem, data, part, call)
  data$truth <- truth <- data$fresh$targets
  if (!is.null(truth$classes)) {
    levels <- data$targets$levels
    data$fresh$targets$classes <- match(truth$levels[truth$classes], levels, nomatch = 0L)
    data$fresh$targets$outputs <- length(levels)
  }
  data
}

# The rows of a part through the preprocessing of the others; those that cannot be predicted are
# left out.
held_out_targets <- function(problem, data, part, call) {
  whole <- problem$data$targets
  rows <- intersect(part$test, problem$data$ids)
  fresh <- problem$input$forge(data$preprocessor, problem$na_action, rows)
  fresh <- subset_molded(fresh, usable_rows(fresh, problem$na_action, call))
  if (whole$task == "classification") {
    fresh$y <- factor(as.character(unlist(fresh$y)), whole$levels)
  }
  targets <- new_targets(fresh, nrow(fresh$x), call, whole$levels)
  targets <- weigh_classes(targets, problem$fixed$class_weights)
  targets[c("center", "sd")] <- data$targets[c("center", "sd")]
  list(x = fresh$x, targets = targets)
}

# Each part has units of its own, which its held-out rows do not know; errors are compared in those
# of all rows.
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

# One line per combination: `combination` is its place in the table of the grid, where lambda varies
# fastest.
loss_table <- function(losses, network, problem, data, part, call) {
  metric <- problem$metric
  lambdas <- length(network$spec$lambda)
  members <- length(network$shapes)
  losses <- in_common_units(losses, data$targets$sd / problem$data$targets$sd)
  weight <- total_weight(data$truth)
  value <- if (is.null(metric$compute)) {
    metric_values(metric, losses, weight, data$truth$rows, problem$unit)
  } else {
    list(mean = function_values(metric, losses, lambdas, members, data, call),
         se = matrix(NA_real_, lambdas, members))
  }
  table <- cbind(
    combination = as.vector(outer(seq_len(lambdas), (network$places - 1L) * lambdas, `+`)),
    rep = if (is.null(part)) NA_real_ else part$rep,
    fold = if (is.null(part)) NA_real_ else part$fold,
    mean = as.vector(value$mean), se = as.vector(value$se),
    squared = as.vector(losses$sum$squared) / weight,
    columns = rep(rep_len(losses$columns, members), each = lambdas)
  )
  if (is.null(losses$outputs)) return(table)
  errors <- matrix(losses$outputs, ncol = dim(losses$outputs)[3L]) / weight
  colnames(errors) <- paste0("output_", seq_len(ncol(errors)))
  cbind(table, errors)
}

# What workers get: the calling frame has the data several times.
tuning_worker <- function(problem, seed) {
  force(problem)
  force(seed)
  function(task, threads) {
    evaluate_networks(problem, task, new_run(seed, threads, quote(cawi_tune())))
  }
}
