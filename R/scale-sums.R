# The second pass: normal equations of every fold. And what follows from them: errors of penalties
# on held-out folds, the readouts, and scores of sampled rows that their readouts have not seen.

# What a worker gets: the network with its preprocessing, and how rows are read.
new_learner <- function(object, asked, folds, seed) {
  views <- readout_views(object$network, object$task)
  list(object = object, asked = asked, folds = as.integer(folds), seed = seed,
       ones = vapply(views, function(view) as.integer(view$ones), 0L))
}

sums_pass <- function(learner) {
  list(name = "sums", label = "Pass 2: ", start = NULL, add = function(state, frame, place) {
    added <- chunk_statistics(learner, frame, place)
    if (is.null(state)) added else merge_statistics(state, added)
  })
}

# Statistics of a chunk; NULL where no row of it can be learned.
chunk_statistics <- function(learner, frame, place) {
  data <- chunk_data(learner, frame)
  if (nrow(data$x) == 0L) return(NULL)
  object <- learner$object
  fold <- fold_numbers(learner$seed, place$shard, place$rows + data$kept - 1, learner$folds)
  sums <- rethrow_core_errors(naming_columns(
    fold_sums_cpp(data$x, object$network, data$targets, fold, learner$folds, learner$ones,
                  place$threads),
    all_labels(object$network, object$feature_names)
  ), NULL)
  list(sums = sums, levels = data$targets$levels, rows = as.double(nrow(data$x)))
}

# The rows of a chunk as the network reads them, with their targets.
chunk_data <- function(learner, frame) {
  object <- learner$object
  own <- learner$asked$y
  y <- if (is.null(own)) {
    response_of(object$preprocessor, frame, "data", NULL)
  } else {
    joined_outcomes(named_columns(frame, own, "data", NULL))
  }
  weights <- chunk_weights(learner$asked$case_weights, frame)
  if (!is.null(weights) && all(weights == 0)) return(list(x = matrix(0, 0L, 0L)))
  x <- if (is.null(own)) frame else frame[setdiff(names(frame), own)]
  rows <- list(x = x, y = y, case_weights = weights,
               args = list(x = "data", y = "data", weights = "case_weights"))
  data <- forged_rows(object, rows, NULL)
  if (!isTRUE(learner$new_classes) && length(data$targets$levels) > length(object$levels)) {
    check_known_classes(object, y, NULL)
  }
  data
}

# Classes that one of them lacks were zero in all of its rows.
merge_statistics <- function(one, other, sign = 1) {
  if (is.null(one) || is.null(other)) return(if (is.null(one)) other else one)
  levels <- union(one$levels, other$levels)
  one <- with_levels(one, levels)
  other <- with_levels(other, levels)
  one$sums <- Map(function(a, b) Map(merge_sums_cpp, a, b, sign), one$sums, other$sums)
  one$rows <- one$rows + sign * other$rows
  one
}

with_levels <- function(statistics, levels) {
  if (is.null(levels) || identical(statistics$levels, levels)) return(statistics)
  place <- match(levels, statistics$levels)
  known <- !is.na(place)
  statistics$sums <- lapply(statistics$sums, function(readout) {
    lapply(readout, function(part) {
      ay <- matrix(0, nrow(part$ay), length(levels))
      ay[, known] <- part$ay[, place[known]]
      yy <- numeric(length(levels))
      yy[known] <- part$yy[place[known]]
      utils::modifyList(part, list(ay = ay, yy = yy))
    })
  })
  statistics$levels <- levels
  statistics
}

# Of all folds together, one list per readout.
total_sums <- function(statistics) {
  lapply(statistics$sums, function(folds) Reduce(function(a, b) merge_sums_cpp(a, b, 1), folds))
}

# The third pass: leave-one-out errors of every penalty, from the sums of all rows.
loo_pass <- function(learner, total, path) {
  lambdas <- path$values
  list(name = "loo", label = "Pass 3: ", start = NULL, add = function(state, frame, place) {
    data <- chunk_data(learner, frame)
    if (nrow(data$x) == 0L) return(state)
    paths <- rethrow_core_errors(
      ridge_paths_cpp(data$x, learner$object$network, data$targets, total, lambdas, numeric(),
                      place$threads), NULL
    )
    add_errors(state, list(squared = lapply(paths, function(part) part$squared_error),
                           weight = total_weight(data$targets)))
  })
}

add_errors <- function(one, other) {
  if (is.null(one) || is.null(other)) return(if (is.null(one)) other else one)
  list(squared = Map(`+`, one$squared, other$squared), weight = one$weight + other$weight)
}

# Squared errors of every penalty on the folds that its readouts have not seen, summed over folds,
# one matrix (penalties x outputs) per readout; NULL where all rows are in one fold.
fold_errors <- function(statistics, total, lambdas, threads) {
  losses <- Map(function(folds, all) {
    filled <- Filter(function(part) part$rows > 0, folds)
    if (length(filled) < 2L) return(NULL)
    lapply(filled, function(part) held_out_losses_cpp(all, part, lambdas, threads))
  }, statistics$sums, total)
  if (any(vapply(losses, is.null, logical(1)))) return(NULL)
  squared <- lapply(losses, function(folds) {
    Reduce(`+`, lapply(folds, function(fold) fold$squared_error))
  })
  list(squared = squared, weight = total[[1L]]$weight, folds = losses)
}

# The readouts of a network from the sums of all folds. `errors` choose the penalty where there are
# several: those of a third pass, or else those of the folds.
readouts_from_sums <- function(object, statistics, lambda, run, errors = NULL) {
  targets <- object_targets(object)
  path <- lambda_path(lambda, targets, run$call)
  total <- total_sums(statistics)
  if (is.null(errors)) errors <- fold_errors(statistics, total, path$values, run$threads)
  if (is.null(errors) && is.null(path$lambda)) {
    message <- "The rows are too few to choose {.arg lambda} by folds: give one number."
    abort_argument("lambda", message, run$call)
  }
  views <- readout_views(object$network, object$task)
  readouts <- lapply(seq_along(views), function(r) {
    loo <- if (!is.null(errors)) source_errors(errors$squared[[r]], errors$weight, path, targets)
    chosen <- if (is.null(path$lambda)) path$values[loo$best] else path$lambda
    solution <- solve_readout(total[[r]], chosen, run)
    list(columns = views[[r]]$columns,
         coefficients = in_response_units(solution, targets, views[[r]]$ones), lambda = chosen,
         lambda_path = path$values, statistics = total[[r]][c("kind", "aa", "ay", "ones")],
         loo = loo)
  })
  list(readouts = readouts, statistics = statistics, total = total, errors = errors)
}

source_errors <- function(squared, weight, path, targets) {
  classes <- targets$task == "classification"
  error <- if (classes) matrix(rowSums(squared)) else squared
  best <- if (is.null(path$lambda)) {
    apply(error, 2L, last_least)
  } else {
    match(path$lambda, path$values)
  }
  loo <- list(squared_error = squared, best = best)
  path_errors(loo, targets, NULL, weight)
}

# Scores of the sampled rows, each by the readouts that have not seen its fold; NULL where there is
# but one fold.
fold_left_out <- function(solved, data, object, run) {
  folds <- sort(unique(data$fold))
  filled <- vapply(solved$statistics$sums[[1L]], function(part) part$rows > 0, logical(1))
  if (sum(filled) < 2L) return(NULL)
  targets <- data$targets
  coefficients <- lapply(folds, function(k) {
    Map(function(readout, total, parts) {
      train <- merge_sums_cpp(total, parts[[k]], -1)
      solution <- solve_readout_cpp(train, readout$lambda, run$threads)$coefficients
      in_response_units(solution, targets, total$ones)
    }, solved$readouts, solved$total, solved$statistics$sums)
  })
  fold <- match(data$fold, folds)
  scores <- matrix(0, nrow(data$x), targets$outputs)
  for (k in seq_along(folds)) {
    rows <- which(fold == k)
    scores[rows, ] <- scores_cpp(data$x[rows, , drop = FALSE], object$network, coefficients[[k]],
                                 run$threads)
  }
  list(scores = scores, classes = targets$classes, values = targets$values, sd = targets$sd,
       case_weights = row_weights(targets), sampled = TRUE, fold = fold,
       coefficients = coefficients)
}
