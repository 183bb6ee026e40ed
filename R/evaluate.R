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

# Losses of the members of a family and all lambdas: a list with `sum` and `square` (of losses by
# kind, lambdas x members), `temperature` and, if kept, `scores`. Leave-one-out, or on the rows of
# `fresh`, a list of x and targets.
family_losses <- function(x, targets, network, shapes, lambdas, threads, fresh = NULL,
                          probabilities = FALSE, keep = FALSE) {
  columns <- leading_columns(network)
  cuts <- if (network$wiring == "skip") {
    lengths(columns)
  } else {
    length(columns[[1L]]) - sum(shapes[[1L]]) + vapply(shapes, sum, numeric(1))
  }
  distinct <- sort(unique(cuts))
  # Threads that wake up for a millisecond of work cost more than they give.
  if (nrow(x) * max(cuts)^2 * length(lambdas) < 2e7) threads <- 1L
  sample <- if (probabilities) calibration_sample(nrow(x)) else integer()
  result <- readout_grid_cpp(
    x, network, columns, if (network$wiring == "skip") as.list(cuts) else list(distinct), targets,
    lambdas, fresh$x, fresh$targets, sample, subset_targets(targets, sample), keep, threads
  )
  place <- if (network$wiring == "skip") 1L else match(cuts, distinct)
  result$sum <- lapply(result$sum, function(loss) loss[, place, drop = FALSE])
  result$square <- lapply(result$square, function(loss) loss[, place, drop = FALSE])
  result$temperature <- result$temperature[, place, drop = FALSE]
  result$columns <- if (network$wiring == "skip") sum(cuts) else cuts
  if (keep) {
    result$member_scores <- function(lambda, member) {
      first <- (place[member] - 1L) * targets$outputs
      matrix(result$scores[, first + seq_len(targets$outputs), lambda], ncol = targets$outputs)
    }
  }
  result
}

# The columns of each readout with the ones before the hidden nodes.
leading_columns <- function(network) {
  all <- readout_columns(network)
  if (is.null(all[[1L]])) all <- list(seq_len(network_columns(network)))
  inputs <- if (network$direct) length(network$center) else 0L
  lapply(all, function(columns) {
    if (!network$intercept) return(columns)
    last <- length(columns)
    columns[c(seq_len(inputs), last, seq(inputs + 1L, last - 1L))]
  })
}

calibration_sample <- function(rows) {
  if (rows <= calibration_rows) return(seq_len(rows))
  sort(permutation_cpp(0, rows)[seq_len(calibration_rows)])
}
