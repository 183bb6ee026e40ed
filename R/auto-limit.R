# Members with infinitely many nodes, of four kinds. On the data sets of the study they are better
# alone than networks with some hundred nodes, and each is best somewhere. With few rows the penalty
# is all that is chosen; fixed spreads did as well as chosen ones.

# Up to this many rows everything is exact and chosen on all rows.
limit_sample <- 500L
# Up to this many rows a member compares all rows with all others. Above, rows are seen through
# landmarks, but for the best member where a trial says that near rows matter, up to the second
# number.
full_rows <- 2000L
most_full_rows <- 6000L
limit_landmarks <- c(few = 600L, many = 1000L)
# Rows times landmarks that fit into memory several times, and rows above which too few landmarks
# would be left.
landmark_numbers <- 5e7
most_limit_rows <- 200000L
# Where rows and their nearest ones have less than this share of the error of rows drawn at random,
# near rows matter.
near_gain <- 0.9
# Spreads that Cauchy weights of all features have where there are rows enough to choose: the first,
# unless near rows matter much.
limit_spreads <- c(1, 4)

limit_lambdas <- 10^seq(-4, 2, by = 0.5)

# Sines with a random phase. Cauchy weights: all features by their ranks, all features as they are,
# pairs of features by their ranks. Normal weights: smooth functions of the features as they are.
limit_candidates <- function(search) {
  able <- "elm" %in% search$models && "iid" %in% search$inits && nrow(search$x) <= most_limit_rows
  if (!search$limit || !able) return(list())
  plain <- as.character(search$fixed$standardize)
  ranks <- if (plain == "TRUE") "ranks" else plain
  base <- list(model = "elm", activation = "sine", spread = 1, inputs = NA_integer_, init = "iid",
               bias = "phase", marginal = "cauchy", standardize = ranks)
  raw <- replace(base, c("model", "standardize"), list(raw_model(search), plain))
  kinds <- list(base, raw, replace(base, c("inputs", "spread"), list(2L, 2)),
                replace(raw, c("marginal", "spread"), list("normal", 0.5)))
  if (ncol(search$x) <= 2L) kinds <- kinds[-3L]
  kinds[!duplicated(kinds)]
}

# Numbers often go on in a straight line beyond few rows, where a network without direct links goes
# back to their mean. Beyond many rows there are mostly outliers.
raw_model <- function(search) {
  straight <- few_numbers(search) && "rvfl" %in% search$models
  if (straight) "rvfl" else "elm"
}

few_numbers <- function(search) {
  search$targets$task == "regression" && nrow(search$x) <= limit_sample
}

# The members for which there is room; the first must be made.
limit_results <- function(search, clock) {
  near <- if (nrow(search$x) > limit_sample) near_rows(search)
  trials <- list()
  for (candidate in limit_candidates(search)) {
    cost <- limit_operations(search)
    if (length(trials) > 0L && !affordable(clock, cost, 0.1)) next
    trials <- c(trials, list(counted_trial(clock, cost, limit_trial(search, candidate, near))))
  }
  if (is.null(near)) return(lapply(trials, function(trial) limit_member(search, trial)))
  error <- vapply(trials, function(trial) trial$error, numeric(1))
  order <- order(error)
  full <- nrow(search$x) <= full_rows
  found <- lapply(seq_along(order), function(k) {
    if (k > 1L && late(clock)) return(NULL)
    trial <- trials[[order[k]]]
    all <- full || (k == 1L && nrow(search$x) <= most_full_rows && near_rows_matter(search, trial))
    limit_member(search, limit_fit(search, trial, all))
  })
  Filter(Negate(is.null), found)
}

# Products of matrices are done eight at a time.
limit_operations <- function(search) {
  rows <- nrow(search$x)
  some <- min(rows, limit_sample)
  count <- landmark_count(rows)
  all <- if (rows <= limit_sample) 0 else min(rows^3, 3 * rows * count^2)
  15 * some^3 + all / 8 + rows * min(rows, count) * ncol(search$x)
}

landmark_count <- function(rows) {
  if (rows <= most_full_rows) return(limit_landmarks[["few"]])
  min(limit_landmarks[["many"]], landmark_numbers %/% rows)
}

# Some rows, each with its two nearest ones by ranks: among them a row has neighbors as near as
# among all rows. Those first drawn are judged.
near_rows <- function(search) {
  drawn <- screening_rows(search, limit_sample %/% 3L)
  spec <- candidate_spec(search, limit_candidates(search)[[1L]], Inf, 1)
  network <- limit_network(search, spec)
  # A kernel falls with the distance.
  likeness <- row_likeness(search$x, network, drawn)
  place <- seq_along(drawn)
  likeness[cbind(place, drawn)] <- -1
  first <- max.col(likeness, "first")
  likeness[cbind(place, first)] <- -1
  second <- max.col(likeness, "first")
  list(rows = unique(c(drawn, first, second)), judged = place)
}

# The kernel of some rows, one line each, with all rows; sparse ones come in blocks of numbers.
row_likeness <- function(x, network, drawn, together = block_numbers) {
  kernel <- network$layers[[1L]]$kernel
  among <- standardized_rows(x, drawn, network)
  rows <- seq_len(nrow(x))
  size <- if (is_sparse_rows(x)) max(1, together %/% ncol(x)) else length(rows)
  parts <- lapply(split(rows, (rows - 1) %/% size), function(part) {
    t(kernel_cpp(kernel, standardized_rows(x, part, network), among))
  })
  if (length(parts) == 1L) parts[[1L]] else do.call(cbind, parts)
}

# One kind of member on all rows or on some: its spread, its penalty, and its leave-one-out scores.
limit_trial <- function(search, candidate, near) {
  rows <- if (is.null(near)) seq_len(nrow(search$x)) else near$rows
  free <- !is.null(near) && candidate$marginal == "cauchy" && is.na(candidate$inputs)
  spreads <- if (free) candidate$spread * limit_spreads else candidate$spread
  trials <- lapply(spreads, function(spread) {
    candidate$spread <- spread
    spec <- candidate_spec(search, candidate, Inf, limit_lambdas)
    network <- limit_network(search, spec)
    z <- layer_input_cpp(search$x[rows, , drop = FALSE], network, 0L)
    judge <- list(rows = as.integer(near$judged), given = FALSE)
    fit <- kernel_fit(search, spec, network, z, rows, limit_lambdas, judge)
    c(fit, list(candidate = candidate, spec = spec, frozen = network))
  })
  error <- vapply(trials, function(trial) trial$error, numeric(1))
  if (!any(is.finite(error))) abort_too_large(search)
  trials[[which.min(error)]]
}

abort_too_large <- function(search) {
  message <- c("The features or the response are too large for infinitely many nodes.",
               i = "Divide {.arg y} by its largest value, or leave {.code standardize = TRUE}.")
  abort_argument("y", message, search$run$call)
}

# The member on all rows, at the spread and the penalty of its trial.
limit_fit <- function(search, trial, all) {
  spec <- trial$spec
  spec$lambda <- trial$lambda
  fit <- if (all) {
    z <- layer_input_cpp(search$x, trial$frozen, 0L)
    judge <- list(rows = integer(), given = TRUE)
    kernel_fit(search, spec, trial$frozen, z, seq_len(nrow(z)), trial$lambda, judge)
  } else {
    landmark_fit(search, spec, trial$frozen, landmark_count(nrow(search$x)))
  }
  c(fit, trial[c("candidate", "spec")])
}

# Do rows that are near tell more than rows drawn at random, as many of them?
near_rows_matter <- function(search, trial) {
  rows <- screening_rows(search, limit_sample)
  z <- layer_input_cpp(search$x[rows, , drop = FALSE], trial$frozen, 0L)
  judge <- list(rows = integer(), given = FALSE)
  drawn <- kernel_fit(search, trial$spec, trial$frozen, z, rows, limit_lambdas, judge)
  trial$error < near_gain * drawn$error
}

# Standardization and kernel, without landmarks yet.
limit_network <- function(search, spec) {
  network <- empty_network(search$x, search$targets$case_weights, spec, search$run)
  sample <- network_sample(search$x, search$targets$case_weights)
  network$layers[[1L]] <- draw_layer(sample, network, spec, 1L, search$run)
  with_relevance(network, search$relevance, spec)
}

# All rows `z`, which are some rows of the search, are landmarks.
kernel_fit <- function(search, spec, network, z, rows, lambdas, judge) {
  targets <- subset_targets(search$targets, rows)
  fit_at <- function(lambdas, given) {
    kernel_fit_cpp(network$layers[[1L]]$kernel, z, spec$direct, spec$intercept, targets,
                   list(rows = judge$rows, given = given, lambdas = lambdas), search$run$threads)
  }
  fit <- fit_at(lambdas, judge$given)
  lambda <- if (judge$given) lambdas else lambdas[fit$best]
  if (spec$direct && !judge$given) {
    cautious <- cautious_penalty(fit$squared_error, lambdas, total_weight(targets))
    if (!identical(cautious, lambda)) fit <- fit_at(cautious, TRUE)
    lambda <- cautious
  }
  judged <- if (length(judge$rows) == 0L) seq_along(rows) else judge$rows
  list(network = with_row_landmarks(network, z), lambda = lambda, scores = fit$scores,
       error = score_error(fit$scores[judged, , drop = FALSE], subset_targets(targets, judged)),
       coefficients = list(fit$coefficients))
}

# Of a line with too small a penalty leave-one-out of few rows may say nothing, and one row that is
# far from the others shows it. A penalty that is c times as large may have c^(2 / rows) times the
# squared error: what a prior density of the penalty in proportion to it would count. Chosen on
# seeds 45 to 50 of the small sets of the study of regression, which has other seeds.
cautious_penalty <- function(squared_error, lambdas, rows) {
  error <- as.matrix(squared_error) * lambdas^(-2 / rows)
  error[!is.finite(error)] <- Inf
  lambdas[apply(error, 2L, last_least)]
}

# All rows are seen through some of them.
landmark_fit <- function(search, spec, network, landmarks) {
  x <- search$x
  chosen <- unique(row_sample(nrow(x), landmarks, search$targets$case_weights))
  layer <- more_landmarks(network$layers[[1L]], standardized_rows(x, chosen, network), landmarks,
                          search$run$threads)
  some <- standardized_rows(x, evenly(nrow(x), 200L), network)
  layer$kernel$error <- landmark_error_cpp(layer, some)
  network$layers[[1L]] <- layer
  fit <- exact_fits_cpp(search$x, network, search$targets, spec$lambda, search$run$threads)[[1L]]
  # A member is not updated: coefficients of k(x, Z) itself need no root.
  hidden <- column_blocks(network)[["x"]] + seq_along(layer$bias)
  fit$coefficients[hidden, ] <- backsolve(layer$root, fit$coefficients[hidden, , drop = FALSE])
  network$layers[[1L]]$root <- NULL
  list(network = network, lambda = spec$lambda, scores = fit$scores,
       coefficients = list(fit$coefficients))
}

with_row_landmarks <- function(network, z) {
  network$layers[[1L]]$weights <- t(z)
  network$layers[[1L]]$bias <- numeric(nrow(z))
  network
}

# Mean squared error of scores in the units of the core, as trials have it.
score_error <- function(scores, targets) {
  error <- sum(row_weights(targets) * (target_matrix(targets) - scores)^2)
  error / total_weight(targets) / targets$outputs
}

limit_member <- function(search, fit) {
  targets <- search$targets
  if (!all(is.finite(as_response(fit$scores, targets)))) abort_too_large(search)
  spec <- fit$spec
  spec$lambda <- given_lambda(fit)
  list(
    candidate = fit$candidate, hidden = Inf, tried = Inf, lambda = fit$lambda, draws = 1L,
    error = score_error(fit$scores, targets), rows = targets$rows,
    accuracy = score_accuracy(fit$scores, targets), scores = fit$scores,
    members = list(searched_model(search, spec, fit))
  )
}

score_accuracy <- function(scores, targets) {
  if (targets$task != "classification") return(NA_real_)
  hit <- max.col(scores, "first") == targets$classes
  sum(row_weights(targets) * hit) / total_weight(targets)
}

# A fitted model from what a search knows of it: network, coefficients of each readout and
# leave-one-out scores.
searched_model <- function(search, spec, fit) {
  targets <- search$targets
  readouts <- Map(function(view, coefficients) {
    list(columns = view$columns,
         coefficients = in_response_units(coefficients, targets, view$ones),
         lambda = fit$lambda, lambda_path = sort(unique(fit$lambda)), statistics = NULL,
         loo = NULL)
  }, readout_views(fit$network, targets$task), fit$coefficients)
  left_out <- average_left_out(targets, fit$scores)
  new_cawi_model(list(
    spec = spec, network = fit$network, preprocessor = search$preprocessor, seed = search$run$seed,
    readouts = readouts, feature_names = colnames(search$x), data = NULL,
    seconds = c(weights = 0, readout = 0), loo = loo_summary(left_out),
    calibration = calibrate(left_out)
  ), targets)
}
