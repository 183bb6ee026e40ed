# More nodes for a model that exists: more draws of the same streams, and the sums that their columns add.

# The new widths of the layers, or NULL.
grown_shape <- function(object, hidden, windows, enhancement, call) {
  broad <- object$spec$broad
  if (is.null(hidden) && is.null(windows) && is.null(enhancement)) return(NULL)
  unfit <- if (is.null(broad)) c(windows = !is.null(windows), enhancement = !is.null(enhancement)) else
    c(hidden = !is.null(hidden))
  if (any(unfit)) {
    arg <- names(unfit)[unfit][1L]
    abort_argument(arg, "{.arg {arg}} is not an argument of this model.", call)
  }
  now <- object$spec$hidden
  if (is.null(broad)) {
    wanted <- c(now[-length(now)], check_count(hidden, "hidden", call))
    check_growth(wanted, now, "hidden", call)
    return(list(hidden = as.integer(wanted), broad = NULL))
  }
  if (!is.null(windows)) broad$windows <- check_count(windows, "windows", call)
  if (!is.null(enhancement)) broad$enhancement <- check_count(enhancement, "enhancement", call)
  wanted <- c(broad$windows * broad$nodes, broad$enhancement_windows * broad$enhancement)
  check_growth(wanted, now, if (is.null(windows)) "enhancement" else "windows", call)
  list(hidden = as.integer(wanted), broad = broad)
}

check_growth <- function(wanted, now, arg, call) {
  check_node_count(sum(wanted), arg, call)
  if (any(wanted < now)) {
    abort_argument(arg, "{.arg {arg}} can only grow: the model has {now} nodes, not {wanted}.", call)
  }
}

grow_nodes <- function(object, shape, data, threads) {
  old <- object$network
  network <- grown_network(object, shape, data, threads)
  object$spec$hidden <- shape$hidden
  object$spec$broad <- shape$broad
  columns <- readout_columns(network)
  object$readouts <- lapply(seq_along(object$readouts), function(k) {
    readout <- object$readouts[[k]]
    fresh <- grown_columns(old, network, k)
    if (length(fresh$new) > 0L) {
      readout$statistics <- border_statistics(as_gram(readout$statistics), fresh, data, network,
                                              columns[[k]], threads)
      readout$statistics$ones <- free_ones(network, nrow(readout$statistics$aa), object$task)
    }
    readout["columns"] <- list(columns[[k]])
    readout
  })
  object$network <- network
  object
}

# The rows that the model has learned: its own, or those given, without the ones that a fit leaves out. Their sums must
# be those of the model.
training_data <- function(object, x, y, weights, threads, call) {
  if (is.null(x)) {
    if (!is.null(object$data)) return(object$data)
    abort_argument("x", "New nodes need the training data: give {.arg x} and {.arg y}.", call)
  }
  if (object$weighted && is.null(weights)) {
    abort_argument("weights", "The model was fitted with {.arg weights}: give those of {.arg x}.", call)
  }
  data <- forge_new_data(object, x, "x", call)
  weights <- check_weights(weights, nrow(data$x), call)
  learned <- list(x = data$x, y = y, weights = weights, offset = data$offset)
  learned <- subset_molded(learned, usable_rows(learned, object$spec$na_action, call))
  check_finite(learned$x, "x", call)
  rows <- nrow(learned$x)
  if (rows != object$nobs) {
    abort_argument("x", "{.arg x} must be the {object$nobs} rows the model has seen, not {rows}.", call)
  }
  targets <- row_targets(object, learned$y, rows, learned$weights, "y", call, learned$offset)
  if (targets$outputs != object$outputs) {
    abort_argument("y", "{.arg y} has classes that the model has not seen.", call)
  }
  check_same_sums(object, learned$x, targets, threads, call)
  list(x = learned$x, targets = targets)
}

check_same_sums <- function(object, x, targets, threads, call) {
  readout <- object$readouts[[1L]]
  found <- gram_cpp(x, object$network, readout$columns, targets, threads)
  known <- as_gram(readout$statistics)
  same <- function(a, b) max(abs(a - b)) <= 1e-6 * max(abs(b), 1e-300)
  if (!same(diag(found$aa), diag(known$aa))) {
    abort_argument("x", "{.arg x} has other rows than those that the model has seen.", call)
  }
  if (!same(found$ay, known$ay)) {
    abort_argument("y", "{.arg y} is not the response that the rows of {.arg x} had.", call)
  }
}

# More draws from the same streams extend a layer; a deeper layer reads only what it read before.
grown_network <- function(object, shape, data, threads) {
  network <- object$network
  sample <- network_sample(data$x, data$targets$weights)
  spec <- object$spec
  for (layer in seq_along(network$layers)) {
    more <- shape$hidden[layer] - length(network$layers[[layer]]$bias)
    part <- network$layers[[layer]]
    if (more > 0L) {
      extra <- seq(shape$hidden[layer] - more + 1L, shape$hidden[layer])
      input <- function(rows) layer_input_cpp(sample[rows, , drop = FALSE], object$network, layer - 1L)
      drawn <- draw_nodes(part$copula, shape$hidden[layer], spec, part$factor, layer, object$seed, input,
                          nrow(sample), threads)
      w <- drawn$weights
      unread <- matrix(0, nrow(part$weights) - nrow(w), more)
      part$weights <- cbind(part$weights, rbind(w[, extra, drop = FALSE], unread))
      part$bias <- c(part$bias, drawn$bias[extra])
    }
    width <- layer_width(network, layer, length(network$center))
    part$weights <- rbind(part$weights, matrix(0, width - nrow(part$weights), ncol(part$weights)))
    network$layers[[layer]] <- part
  }
  network
}

# Positions, among the columns of readout k after growing, of those it had and of the new ones.
grown_columns <- function(old, network, k) {
  label <- function(net) {
    widths <- vapply(net$layers, function(layer) length(layer$bias), integer(1))
    hidden <- unlist(lapply(seq_along(widths), function(l) paste0("h", l, "_", seq_len(widths[l]))))
    all <- c(if (net$direct) paste0("x", seq_along(net$center)), hidden, if (net$intercept) "1")
    columns <- readout_columns(net)[[k]]
    if (is.null(columns)) all else all[columns]
  }
  before <- label(old)
  after <- label(network)
  list(kept = match(before, after), new = which(!after %in% before))
}

# [A'A, A'N; N'A, N'N]: only the part with new columns N is computed.
border_statistics <- function(statistics, fresh, data, network, columns, threads) {
  border <- border_cpp(data$x, network, columns, fresh$new, data$targets, threads)
  total <- length(fresh$kept) + length(fresh$new)
  aa <- matrix(0, total, total)
  aa[fresh$kept, fresh$kept] <- statistics$aa
  aa[, fresh$new] <- border$an
  aa[fresh$new, ] <- t(border$an)
  ay <- matrix(0, total, ncol(statistics$ay))
  ay[fresh$kept, ] <- statistics$ay
  ay[fresh$new, ] <- border$ny
  list(kind = "gram", aa = aa, ay = ay)
}
