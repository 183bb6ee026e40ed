# Losses of networks without fitting them one by one. A nest is a set of networks whose columns are
# leading columns of the widest one (wider layers, more layers, more enhancement nodes): it is drawn
# once, at its widest, and every member is a number of leading columns of A = [x | 1 | H1 | ...].

# Groups shapes (nodes per layer) into nests. A nest is a vector of positions in `shapes`, the
# widest member first. A shape is a leading part of a larger one if all its layers but the last are
# the same there, and the layer in the place of its last one is at least as wide.
nested_shapes <- function(shapes, nestable) {
  order <- order(-lengths(shapes), -vapply(shapes, sum, numeric(1)))
  nests <- list()
  for (i in order) {
    home <- Position(function(nest) {
      nestable && is_leading(shapes[[i]], shapes[[nest[1L]]])
    }, nests)
    if (is.na(home)) nests <- c(nests, list(i)) else nests[[home]] <- c(nests[[home]], i)
  }
  nests
}

# Ensembles have one readout per layer, so no shape of theirs is part of another. A function that
# gives weights does not promise the same leading ones, and a metric is learned anew for every
# shape.
is_nestable <- function(spec) {
  spec$wiring != "skip" && !is_given(spec$init) && !is_gradient(spec)
}

# The columns of infinitely many nodes have no other network's among them.
is_leading <- function(shape, larger) {
  last <- length(shape)
  !has_infinite(larger) && last <= length(larger) &&
    all(shape[-last] == larger[seq_len(last - 1L)]) &&
    shape[last] <= larger[last]
}

# How networks are judged: by leave-one-out, or on the rows of `fresh`, a list of x and targets;
# with probabilities (from a temperature that is fitted to a sample of the rows) or without; with
# the scores of every member kept or not.
new_judge <- function(targets, fresh = NULL, probabilities = FALSE, keep = FALSE) {
  sample <- if (probabilities) row_sample(targets$rows, calibration_rows) else integer()
  list(x = fresh$x, targets = fresh$targets, sample = sample,
       sample_targets = subset_targets(targets, sample), keep = keep)
}

# Losses of the members of some nests at all lambdas: for each nest a list with `sum` and `square`
# (of losses by kind, lambdas x members), `temperature` and, if kept, `scores`. `shapes` has the
# members of each nest.
nests_losses <- function(x, targets, networks, shapes, lambdas, judge, threads) {
  cuts <- Map(nest_cuts, networks, shapes)
  # Threads that wake up for a millisecond of work cost more than they give.
  work <- sum(vapply(cuts, function(cut) max(cut$columns)^2, numeric(1)))
  if (nrow(x) * work * length(lambdas) < 2e7) threads <- 1L
  readouts <- lapply(cuts, function(cut) cut$readouts)
  results <- naming_columns(
    readout_grids_cpp(x, networks, readouts, targets, lambdas, judge, threads),
    grid_labels(networks, colnames(x))
  )
  Map(member_losses, results, cuts, targets$outputs, judge$keep)
}

# Losses of one nest by leave-one-out.
nest_losses <- function(x, targets, network, shapes, lambdas, threads, keep = FALSE) {
  judge <- new_judge(targets, keep = keep)
  nests_losses(x, targets, list(network), list(shapes), lambdas, judge, threads)[[1L]]
}

# The number of leading columns of each member, and the numbers at which the readouts are cut.
nest_cuts <- function(network, shapes) {
  if (network$wiring == "skip") {
    columns <- leading_columns(network, as.list(layer_hidden(network)))
    return(list(columns = sum(columns), readouts = as.list(columns), place = 1L))
  }
  columns <- leading_columns(network, shapes)
  distinct <- sort.int(unique(columns), method = "quick")
  list(columns = columns, readouts = list(distinct), place = match(columns, distinct))
}

# The losses in the order of the members.
member_losses <- function(result, cut, outputs, keep) {
  in_order <- function(loss) loss[, cut$place, drop = FALSE]
  result$sum <- lapply(result$sum, in_order)
  result$square <- lapply(result$square, in_order)
  result$cross <- lapply(result$cross, in_order)
  result$temperature <- in_order(result$temperature)
  if (!is.null(result$outputs)) result$outputs <- result$outputs[, cut$place, , drop = FALSE]
  result$columns <- cut$columns
  if (keep) {
    # `lambda` is the position of a penalty, or one position per output.
    result$member_scores <- function(lambda, member) {
      first <- (cut$place[member] - 1L) * outputs
      lambda <- rep_len(lambda, outputs)
      columns <- lapply(seq_len(outputs), function(k) result$scores[, first + k, lambda[k]])
      matrix(unlist(columns, use.names = FALSE), ncol = outputs)
    }
  }
  result
}
