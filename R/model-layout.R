# The column order of A, written down once. A fit has [x | H1 | ... | HL | 1]: the standardized
# features (with direct links), the layers, the ones. A grid has [x | 1 | H1 | ... | HL], so that
# every narrower network of a nest is a number of leading columns.

# Numbers of hidden nodes, one per layer.
layer_hidden <- function(network) {
  vapply(network$layers, function(layer) length(layer$bias), integer(1))
}

# The numbers of nodes that a network was asked to have.
asked_hidden <- function(network) {
  infinite <- vapply(network$layers, function(layer) !is.null(layer$kernel), logical(1))
  if (any(infinite)) ifelse(infinite, Inf, layer_hidden(network)) else layer_hidden(network)
}

# Numbers of columns of the blocks, in the order of a fit.
column_blocks <- function(network) {
  c(x = if (network$direct) length(network$center) else 0L, layer_hidden(network),
    ones = as.integer(network$intercept))
}

network_columns <- function(network) sum(column_blocks(network))

# Columns of A that each readout sees: all, or for an ensemble x, one layer and the ones.
readout_columns <- function(network) {
  if (network$wiring != "skip") return(list(NULL))
  blocks <- column_blocks(network)
  block <- rep(seq_along(blocks), blocks)
  lapply(seq_along(network$layers) + 1L, function(layer) {
    which(block %in% c(1L, layer, length(blocks)))
  })
}

# Numbers of leading columns of a grid: those of the features and the ones, and of each shape.
leading_columns <- function(network, shapes) {
  blocks <- column_blocks(network)
  nodes <- vapply(shapes, sum, numeric(1))
  # The columns of infinitely many nodes are landmarks.
  nodes[is.infinite(nodes)] <- sum(layer_hidden(network))
  blocks[["x"]] + blocks[["ones"]] + nodes
}

# The column of the ones, the last one, where it has no penalty: that of numbers.
free_ones <- function(network, columns, task) {
  if (task == "regression" && network$intercept) as.integer(columns) else 0L
}

# Names of the columns of A.
readout_labels <- function(network, inputs) {
  nodes <- layer_hidden(network)
  if (is.null(inputs)) inputs <- paste0("x", seq_along(network$center))
  hidden <- lapply(seq_along(nodes), function(l) paste0("h", l, "_", seq_len(nodes[l])))
  c(if (network$direct) inputs, unlist(hidden), if (network$intercept) "(Intercept)")
}

# Names of the columns of grids. Networks, and the layers of an ensemble, share places there.
grid_labels <- function(networks, inputs) {
  names <- lapply(networks, function(network) {
    labels <- readout_labels(network, inputs)
    unlist(lapply(readout_columns(network), function(columns) {
      seen <- seen_labels(labels, columns)
      if (!network$intercept) return(seen)
      append(utils::head(seen, -1L), utils::tail(seen, 1L), column_blocks(network)[["x"]])
    }))
  })
  vapply(seq_len(max(lengths(names))), function(j) {
    found <- vapply(names, `[`, character(1), j)
    paste(unique(found[!is.na(found)]), collapse = " or ")
  }, character(1))
}

feature_labels <- function(object) readout_labels(object$network, object$feature_names)

# Names of the columns that one readout sees.
seen_labels <- function(labels, columns) if (is.null(columns)) labels else labels[columns]

# Those of all readouts, one after the other, as the core counts columns that it complains about.
all_labels <- function(network, inputs) {
  labels <- readout_labels(network, inputs)
  unlist(lapply(readout_columns(network), function(columns) seen_labels(labels, columns)))
}

# What each readout sees, one or one per layer: columns of A (NULL: all), their number, and the
# place of the ones that have no penalty (0: there are none).
readout_views <- function(network, task) {
  lapply(readout_columns(network), function(columns) {
    width <- if (is.null(columns)) network_columns(network) else length(columns)
    list(columns = columns, width = width, ones = free_ones(network, width, task))
  })
}
