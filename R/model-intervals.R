# predict(type = "interval"): jackknife+ (Barber, Candes, Ramdas and Tibshirani, 2021) from exact
# leave-one-out, and CV+ for many rows. The interval of x is from a low quantile of
# mu_{-i}(x) - R_i to a high one of mu_{-i}(x) + R_i, over training rows i with absolute
# leave-one-out residuals R_i.

# Above this many rows folds are left out in place of rows.
cross_rows <- 20000L
cross_folds <- 10L

# Automatic models up to this many rows compare all rows with all others, so that what each member
# says without a row is known.
joint_rows <- 2000L

interval_frame <- function(object, data, scores, level, threads, call) {
  level <- check_level(level, call)
  # A source leaves what its sampled rows say.
  kept <- if (is.null(object$source$held_out)) kept_data(object, call = call)
  known <- !is.na(scores[, 1L])
  bounds <- array(NA_real_, c(nrow(scores), ncol(scores), 2L))
  if (any(known)) {
    x <- data$x[known, , drop = FALSE]
    bounds[known, , ] <- rethrow_core_errors(
      interval_bounds(object, kept, x, scores[known, , drop = FALSE], level, threads, call), call
    )
  }
  offset <- if (is.null(data$offset)) 0 else data$offset
  as_interval_frame(scores + offset, bounds + offset, object$output_names)
}

check_level <- function(level, call) {
  ok <- is.numeric(level) && length(level) == 1L && is.finite(level) && level > 0 && level < 1
  if (ok) return(as.double(level))
  abort_argument("level", "{.arg level} must be one number between 0 and 1, not {shown(level)}.",
                 call)
}

# One line per row; where there are several outputs, one per row and output, the outputs of a row
# one below the other.
as_interval_frame <- function(fit, bounds, names) {
  long <- function(x) as.vector(t(x))
  frame <- data.frame(fit = long(fit), lower = long(bounds[, , 1L, drop = TRUE]),
                      upper = long(bounds[, , 2L, drop = TRUE]))
  if (ncol(fit) == 1L) return(frame)
  cbind(data.frame(output = rep(names, nrow(fit))), frame)
}

# Rows x outputs x (lower, upper), without offset.
interval_bounds <- function(object, kept, x, scores, level, threads, call) {
  auto <- inherits(object, "cawi_auto")
  rows <- kept$targets$rows
  left_out <- if (!is.null(object$source$held_out)) {
    without_source_folds(object, x, threads)
  } else if (auto && rows > joint_rows) {
    around_fit(object, kept, scores, call)
  } else if (!auto && rows > cross_rows) {
    without_folds(object, kept, x, threads, call)
  } else {
    without_rows_one_by_one(object, kept, x, scores, threads, call)
  }
  bounds <- vapply(seq_len(ncol(scores)), function(k) {
    size <- abs(left_out$residual[, k])
    # Some rows at a time: each has a prediction per training row.
    blocks <- split(seq_len(nrow(x)), (seq_len(nrow(x)) - 1L) %/% 1000L)
    do.call(rbind, unname(lapply(blocks, function(block) {
      without <- left_out$predictions(block, k)
      size <- rep(size, each = length(block))
      ordered_ends(-upper_quantile(size - without, left_out$weight, level),
                   upper_quantile(size + without, left_out$weight, level))
    })))
  }, matrix(0, nrow(x), 2L))
  aperm(array(bounds, c(nrow(x), 2L, ncol(scores))), c(1L, 3L, 2L))
}

# At a small level the quantiles may cross: the interval is empty, and the point between them is the
# least that holds it.
ordered_ends <- function(lower, upper) {
  crossed <- lower > upper
  lower[crossed] <- upper[crossed] <- (lower[crossed] + upper[crossed]) / 2
  cbind(lower, upper, deparse.level = 0)
}

# The least value of each row that has `level` of the weight of all values and of one more, which
# is infinite: that of the row to come. Its weight is the mean of the others.
upper_quantile <- function(values, weight, level) {
  count <- ncol(values)
  # Rounding makes no row of nothing.
  wanted <- level * (count + 1) - 1e-9
  if (wanted > count) return(rep(Inf, nrow(values)))
  if (all(weight == weight[1L])) {
    place <- max(1, ceiling(wanted))
    return(apply(values, 1L, function(v) sort.int(v, partial = place)[place]))
  }
  part <- cumulated(weight, count)
  apply(values, 1L, function(v) {
    order <- order(v)
    v[order][which(cumsum(part[order]) >= wanted)[1L]]
  })
}

# Weights that sum to their number, so that neither their unit nor how many there are matters.
cumulated <- function(weight, count) weight / sum(weight) * count

# Exactly: every row of a sample, or all.
without_rows_one_by_one <- function(object, kept, x, scores, threads, call) {
  jackknife <- new_jackknife(object, kept, threads, call)
  rows <- jackknife$kept
  residual <- if (is.null(kept$left_out)) {
    fitted <- part_scores(object, kept$x[rows, , drop = FALSE], threads)
    own <- own_shift(jackknife, kept$x[rows, , drop = FALSE], threads)
    kept$targets$values[rows, , drop = FALSE] - fitted + own
  } else {
    # Those of members whose weights follow gradients are of rows that the gradients have not seen.
    (kept$targets$values - kept$left_out)[rows, , drop = FALSE]
  }
  predictions <- function(block, output) {
    scores[block, output] - left_out_shift(jackknife, x[block, , drop = FALSE], output, threads)
  }
  list(residual = residual, weight = jackknife$weight, predictions = predictions)
}

part_scores <- function(object, x, threads) {
  if (inherits(object, "cawi_auto")) return(unname(average_scores(object, x, threads)))
  unname(model_scores(object, x, threads))
}

# Around the prediction itself: what one row of many changes is small.
around_fit <- function(object, kept, scores, call) {
  if (is.null(kept$left_out)) abort_no_left_out(call)
  sample <- jackknife_sample(kept$targets)
  residual <- (kept$targets$values - kept$left_out)[sample$kept, , drop = FALSE]
  predictions <- function(block, output) {
    matrix(scores[block, output], length(block), length(sample$kept))
  }
  list(residual = residual, weight = sample$weight, predictions = predictions)
}

abort_no_left_out <- function(call) {
  message <- "{.arg object} has no leave-one-out scores, which {.arg type} needs."
  abort_argument("object", c(message, i = "Fit it again with this release."), call)
}

# Ten folds left out, each by the sums of the others.
without_folds <- function(object, kept, x, threads, call) {
  rows <- kept$targets$rows
  fold <- integer(rows)
  fold[permutation_cpp(1, rows)] <- rep_len(seq_len(cross_folds), rows)
  coefficients <- lapply(seq_len(cross_folds), function(k) {
    fold_coefficients(object, kept, which(fold == k), threads)
  })
  at <- function(x) {
    lapply(coefficients, function(b) scores_cpp(x, object$network, b, threads))
  }
  sample <- jackknife_sample(kept$targets)
  own <- at(kept$x[sample$kept, , drop = FALSE])
  fold <- fold[sample$kept]
  left_out <- Reduce(`+`, lapply(seq_along(own), function(k) own[[k]] * (fold == k)))
  list(residual = kept$targets$values[sample$kept, , drop = FALSE] - left_out,
       weight = sample$weight, predictions = fold_predictions(at(x), fold))
}

# The folds of a source, whose readouts and sampled rows the model keeps.
without_source_folds <- function(object, x, threads) {
  held_out <- object$source$held_out
  fresh <- lapply(held_out$coefficients, function(b) scores_cpp(x, object$network, b, threads))
  list(residual = held_out$values - held_out$scores, weight = held_out$case_weights,
       predictions = fold_predictions(fresh, held_out$fold))
}

# What the readouts say that have not seen the folds of the rows that are left out: one column per
# such row.
fold_predictions <- function(scores, fold) {
  function(block, output) {
    by_fold <- vapply(scores, function(s) s[block, output], numeric(length(block)))
    matrix(by_fold, length(block))[, fold, drop = FALSE]
  }
}

# One matrix per readout.
fold_coefficients <- function(object, kept, rows, threads) {
  targets <- kept$targets
  own <- statistics_cpp(kept$x[rows, , drop = FALSE], object$network,
                        subset_targets(targets, rows), FALSE, threads)
  Map(function(readout, part) {
    statistics <- as_gram(readout$statistics)
    rest <- list(kind = "gram", aa = statistics$aa - part$aa, ay = statistics$ay - part$ay,
                 ones = statistics$ones)
    solved <- solve_readout_cpp(rest, readout$lambda, threads)
    in_response_units(solved$coefficients, targets, statistics$ones)
  }, object$readouts, own)
}
