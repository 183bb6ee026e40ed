# Losses of networks without fitting them one by one. A family of networks whose columns are nested
# (wider layers, more layers, more enhancement nodes) is drawn once, at its largest; every member is
# then a number of leading columns of A = [x | 1 | H1 | H2 | ...].

# Groups shapes (widths of the layers) into families; a family is the numbers of its members, the
# largest first. A shape is a leading part of another that has the same layers but the last, and no
# narrower a layer in the place of its last. Ensembles have one readout a layer: none is part of
# another.
nested_shapes <- function(shapes, wiring) {
  order <- order(-lengths(shapes), -vapply(shapes, sum, numeric(1)))
  families <- list()
  for (i in order) {
    home <- Position(function(family) {
      wiring != "skip" && is_leading(shapes[[i]], shapes[[family[1L]]])
    }, families)
    if (is.na(home)) families <- c(families, list(i)) else families[[home]] <- c(families[[home]], i)
  }
  families
}

is_leading <- function(shape, larger) {
  last <- length(shape)
  last <= length(larger) && all(shape[-last] == larger[seq_len(last - 1L)]) && shape[last] <= larger[last]
}

# Losses of the members of some families and all lambdas: for each family a list with `sum` and `square`
# (of losses by kind, lambdas x members), `temperature` and, if kept, `scores`. Leave-one-out, or on the
# rows of `fresh`, a list of x and targets. `shapes` has the members of each family.
families_losses <- function(x, targets, networks, shapes, lambdas, threads, fresh = NULL,
                            probabilities = FALSE, keep = FALSE) {
  cuts <- Map(family_cuts, networks, shapes)
  # Threads that wake up for a millisecond of work cost more than they give.
  work <- sum(vapply(cuts, function(cut) max(cut$columns)^2, numeric(1)))
  if (nrow(x) * work * length(lambdas) < 2e7) threads <- 1L
  sample <- if (probabilities) calibration_sample(nrow(x)) else integer()
  results <- readout_grids_cpp(x, networks, lapply(cuts, function(cut) cut$readouts), targets, lambdas, fresh$x,
                               fresh$targets, sample, subset_targets(targets, sample), keep, threads)
  Map(member_losses, results, cuts, targets$outputs, keep)
}

family_losses <- function(x, targets, network, shapes, ...) {
  families_losses(x, targets, list(network), list(shapes), ...)[[1L]]
}

# Numbers of leading columns: of each member, and those that the readouts are cut at.
family_cuts <- function(network, shapes) {
  before <- (if (network$direct) length(network$center) else 0L) + as.integer(network$intercept)
  if (network$wiring == "skip") {
    columns <- before + vapply(network$layers, function(layer) length(layer$bias), integer(1))
    return(list(columns = sum(columns), readouts = as.list(columns), place = 1L))
  }
  columns <- before + vapply(shapes, sum, numeric(1))
  distinct <- sort(unique(columns))
  list(columns = columns, readouts = list(distinct), place = match(columns, distinct))
}

# The losses in the order of the members.
member_losses <- function(result, cut, outputs, keep) {
  in_order <- function(loss) loss[, cut$place, drop = FALSE]
  result$sum <- lapply(result$sum, in_order)
  result$square <- lapply(result$square, in_order)
  result$temperature <- in_order(result$temperature)
  if (!is.null(result$outputs)) result$outputs <- result$outputs[, cut$place, , drop = FALSE]
  result$columns <- cut$columns
  if (keep) {
    # `lambda` is the number of a penalty, or one per output.
    result$member_scores <- function(lambda, member) {
      first <- (cut$place[member] - 1L) * outputs
      lambda <- rep_len(lambda, outputs)
      columns <- lapply(seq_len(outputs), function(k) result$scores[, first + k, lambda[k]])
      matrix(unlist(columns, use.names = FALSE), ncol = outputs)
    }
  }
  result
}

calibration_sample <- function(rows) {
  if (rows <= calibration_rows) return(seq_len(rows))
  sort(permutation_cpp(0, rows)[seq_len(calibration_rows)])
}
