# What a model would predict for any row without one of its training rows. Penalty, scaling and
# weights stay as they are, so a readout is a linear smoother: its score at x is sum_i S_i(x) y_i,
# and without row i it is
#   score(x) - S_i(x) r_i,   r_i = (y_i - score(x_i)) / (1 - S_i(x_i)),
# where r_i is the leave-one-out residual. S(x) = base + a(x)' F with one column of F per row, so a
# prediction without each of c rows costs one product. Averages of readouts, and of members, are
# averages of these.

# Rows that stand for all where there are more.
jackknife_rows <- 2000L

# `kept` are the rows that are left out, one by one, with their `weight`; `parts` have F, base and r
# of each readout of each member, with its share in the average.
new_jackknife <- function(object, data, threads, call, sample = jackknife_sample(data$targets)) {
  members <- if (inherits(object, "cawi_auto")) object$members else list(object)
  shares <- if (inherits(object, "cawi_auto")) object$share else 1
  parts <- rethrow_core_errors(Map(function(member, share) {
    readout_smoothers(member, data, sample$kept, share, threads)
  }, members, shares), call)
  c(sample, list(parts = do.call(c, parts), outputs = object$outputs))
}

# Where rows were drawn by their case weights, their counts stand for them.
jackknife_sample <- function(targets) {
  weight <- targets$case_weights
  if (targets$rows <= jackknife_rows) {
    return(list(kept = seq_len(targets$rows), weight = row_weights(targets)))
  }
  drawn <- row_sample(targets$rows, jackknife_rows, weight)
  list(kept = unique(drawn), weight = tabulate(match(drawn, unique(drawn))) + 0)
}

# One smoother per readout.
readout_smoothers <- function(member, data, rows, share, threads) {
  network <- member$network
  views <- readout_views(network, member$task)
  kernel <- keeps_all_rows(member)
  a <- features_cpp(data$x[rows, , drop = FALSE], network, threads)
  known <- lapply(member$readouts, function(readout) readout$statistics)
  if (!kernel && any(vapply(known, is.null, logical(1)))) {
    known <- readout_statistics(data$x, network, views, data$targets, threads)
  }
  lapply(seq_along(views), function(r) {
    view <- views[[r]]
    readout <- member$readouts[[r]]
    seen <- if (is.null(view$columns)) a else a[, view$columns, drop = FALSE]
    system_at <- function(lambda) {
      if (kernel) return(kernel_smoother(member, data, rows, lambda, threads))
      ridge_smoother(known[[r]], seen, rows, data$targets, lambda, threads)
    }
    penalties <- unique(readout$lambda)
    part <- list(network = network, columns = view$columns, share = share / length(views),
                 systems = lapply(penalties, system_at),
                 system = rep_len(match(readout$lambda, penalties), member$outputs))
    gap <- own_units(data$targets, rows) - seen %*% readout$coefficients
    part$residual <- gap / pmax(1 - own_influence(part, a), 1e-12)
    part
  })
}

# The response of some rows, or the indicators of its classes.
own_units <- function(targets, rows) {
  if (!is.null(targets$values)) return(targets$values[rows, , drop = FALSE])
  target_matrix(subset_targets(targets, rows))
}

# Members of automatic models with infinitely many nodes have coefficients of the kernel itself.
# With all rows as landmarks the kernel of the rows says all.
keeps_all_rows <- function(member) {
  is_infinite(member$spec) && is.null(member$network$layers[[1L]]$root) &&
    ncol(member$network$layers[[1L]]$weights) == member$nobs
}

# F and base from sums, or from the weighted rows where columns are more than rows. Where the
# intercept has no penalty the columns are centered, as the core does.
ridge_smoother <- function(statistics, a, rows, targets, lambda, threads) {
  weight <- row_weights(targets)
  ones <- statistics$ones
  mean <- numeric(ncol(a))
  base <- numeric(length(rows))
  if (ones > 0L) {
    mean <- if (statistics$kind == "gram") {
      statistics$aa[ones, ] / statistics$aa[ones, ones]
    } else {
      colSums(sqrt(weight) * statistics$aa) / sum(weight)
    }
    base <- weight[rows] / sum(weight)
  }
  factor <- if (statistics$kind == "gram") {
    gram <- statistics$aa
    if (ones > 0L) gram <- centered_gram(gram, mean, ones)
    right <- (t(a) - mean) * rep(weight[rows], each = ncol(a))
    solve_positive_cpp(gram + diag(lambda, ncol(a)), right, threads)
  } else {
    b <- statistics$aa - outer(sqrt(weight), mean)
    right <- diagonal_columns(sqrt(weight), rows)
    crossprod(b, solve_positive_cpp(tcrossprod(b) + diag(lambda, nrow(b)), right, threads))
  }
  list(factor = factor, base = base - drop(mean %*% factor))
}

# Some columns of a diagonal matrix.
diagonal_columns <- function(diagonal, columns) {
  result <- matrix(0, length(diagonal), length(columns))
  result[cbind(columns, seq_along(columns))] <- diagonal[columns]
  result
}

# The ones become a problem of their own. What rounding leaves of a column that does not vary is no
# variance.
centered_gram <- function(gram, mean, ones) {
  centered <- gram - gram[ones, ones] * tcrossprod(mean)
  flat <- diag(centered) <= 1e-13 * diag(gram)
  flat[ones] <- TRUE
  centered[flat, ] <- centered[, flat] <- 0
  centered[cbind(which(flat), which(flat))] <- 1
  centered
}

# The same where the features are k(x, Z) with all rows Z, after those of direct links. Products of
# centered features are k(x, z) less its means over rows.
kernel_smoother <- function(member, data, rows, lambda, threads) {
  network <- member$network
  weight <- row_weights(data$targets)
  layer <- network$layers[[1L]]
  z <- t(layer$weights)
  k <- kernel_cpp(layer$kernel, z, z)
  if (network$direct) k <- k + tcrossprod(z)
  centered <- readout_views(network, member$task)[[1L]]$ones > 0L
  share <- weight / sum(weight)
  means <- drop(k %*% share)
  mean <- sum(share * means)
  if (centered) k <- k - outer(means, means, `+`) + mean
  if (!centered && network$intercept) k <- k + 1
  root <- sqrt(weight)
  right <- diagonal_columns(root, rows)
  solved <- root * solve_positive_cpp(k * outer(root, root) + diag(lambda, nrow(k)), right, threads)
  base <- numeric(length(rows))
  if (centered) {
    base <- share[rows] - drop((means - mean) %*% solved)
    solved <- solved - outer(share, colSums(solved))
  }
  factor <- rbind(if (network$direct) crossprod(z, solved), solved,
                  if (network$intercept) if (centered) 0 * base else colSums(solved))
  list(factor = factor, base = base)
}

# S(x): one row per row of the features `a` of the network, one column per row that is left out.
influence <- function(part, a, output) {
  system <- part$systems[[part$system[output]]]
  if (!is.null(part$columns)) a <- a[, part$columns, drop = FALSE]
  a %*% system$factor + rep(system$base, each = nrow(a))
}

# S_i of one row per row that is left out, for every output: that of the row itself, or of what
# stands in its place.
own_influence <- function(part, a) {
  if (!is.null(part$columns)) a <- a[, part$columns, drop = FALSE]
  own <- lapply(part$systems, function(system) rowSums(a * t(system$factor)) + system$base)
  do.call(cbind, own)[, part$system, drop = FALSE]
}

# How far the prediction of one output falls for each row of x where each of the rows is left out.
left_out_shift <- function(jackknife, x, output, threads) {
  shift <- 0
  for (part in jackknife$parts) {
    a <- features_cpp(x, part$network, threads)
    own <- influence(part, a, output) * rep(part$residual[, output], each = nrow(x))
    shift <- shift + part$share * own
  }
  shift
}

# The same for one row of x per row that is left out, which stands in its place: all outputs.
own_shift <- function(jackknife, x, threads) {
  shift <- 0
  for (part in jackknife$parts) {
    a <- features_cpp(x, part$network, threads)
    shift <- shift + part$share * own_influence(part, a) * part$residual
  }
  shift
}
