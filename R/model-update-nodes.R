# More nodes for a model that exists: more draws of the same streams, and the sums that their
# columns add.

# The new numbers of hidden nodes per layer, or NULL.
grown_shape <- function(object, hidden, windows, enhancement, call) {
  broad <- object$spec$broad
  if (is.null(hidden) && is.null(windows) && is.null(enhancement)) return(NULL)
  unfit <- if (is.null(broad)) {
    c(windows = !is.null(windows), enhancement = !is.null(enhancement))
  } else {
    c(hidden = !is.null(hidden))
  }
  if (any(unfit)) {
    arg <- names(unfit)[unfit][1L]
    abort_argument(arg, "{.arg {arg}} is not an argument of this model.", call)
  }
  now <- object$spec$hidden
  if (has_infinite(hidden) || has_infinite(now)) refuse_infinite_growth(hidden, call)
  if (is.null(broad)) {
    wanted <- c(now[-length(now)], check_count(hidden, "hidden", call))
    check_growth(wanted, now, "hidden", call)
    return(list(hidden = as.integer(wanted), broad = NULL))
  }
  if (!is.null(windows)) broad$windows <- check_count(windows, "windows", call)
  if (!is.null(enhancement)) broad$enhancement <- check_count(enhancement, "enhancement", call)
  wanted <- broad_hidden(broad)
  check_growth(wanted, now, if (is.null(windows)) "enhancement" else "windows", call)
  list(hidden = wanted, broad = broad)
}

check_growth <- function(wanted, now, arg, call) {
  check_node_count(sum(wanted), arg, call)
  if (any(wanted < now)) {
    abort_argument(arg, "{.arg {arg}} can only grow: the model has {now} nodes, not {wanted}.",
                   call)
  }
}

# `rows` are the training data, NULL where the model has them.
grow_nodes <- function(object, shape, rows, run) {
  check_memory(40 * (sum(shape$hidden) + length(object$network$center) + 1)^2, run$call)
  data <- training_data(object, rows, run)
  rethrow_core_errors(with_nodes(object, shape, data, run), run$call)
}

with_nodes <- function(object, shape, data, run) {
  old <- object$network
  network <- grown_network(object, shape, data, run)
  object$spec[c("hidden", "broad")] <- shape[c("hidden", "broad")]
  views <- readout_views(network, object$task)
  object$readouts <- lapply(seq_along(object$readouts), function(k) {
    readout <- object$readouts[[k]]
    fresh <- grown_columns(old, network, k)
    if (length(fresh$new) > 0L) {
      border <- border_cpp(data$x, network, k, fresh$new, data$targets, run$threads)
      readout$statistics <- with_border(as_gram(readout$statistics), fresh, border, views[[k]]$ones)
    }
    readout["columns"] <- list(views[[k]]$columns)
    readout
  })
  object$network <- network
  object
}

# The rows that the model has learned: its own, or those given, without the ones that a fit leaves
# out. Their sums must be those of the model.
training_data <- function(object, rows, run) {
  call <- run$call
  if (is.null(rows)) {
    if (!is.null(object$data)) return(object$data)
    abort_argument("x", "New nodes need the training data: give {.arg x} and {.arg y}.", call)
  }
  if (object$weighted && is.null(object$spec$class_weights) && is.null(rows$case_weights)) {
    message <- "The model was fitted with {.arg case_weights}: give those of {.arg x}."
    abort_argument("case_weights", message, call)
  }
  data <- forge_new_data(object, rows$x, "x", call)
  weights <- check_case_weights(rows$case_weights, nrow(data$x), call)
  check_response_rows(rows$y, nrow(data$x), "y", call)
  learned <- list(x = data$x, y = rows$y, case_weights = weights, offset = data$offset)
  learned <- subset_molded(learned, usable_rows(learned, object$spec$na_action, call))
  check_finite(learned$x, "x", call)
  count <- nrow(learned$x)
  if (count != object$nobs) {
    message <- "{.arg x} must be the {object$nobs} rows the model has seen, not {count}."
    abort_argument("x", message, call)
  }
  targets <- row_targets(object, learned, count, "y", call)
  if (targets$outputs != object$outputs) {
    abort_argument("y", "{.arg y} has classes that the model has not seen.", call)
  }
  check_same_sums(object, learned$x, targets, run)
  list(x = learned$x, targets = targets)
}

check_same_sums <- function(object, x, targets, run) {
  found <- statistics_cpp(x, object$network, targets, FALSE, run$threads)[[1L]]
  known <- as_gram(object$readouts[[1L]]$statistics)
  same <- function(a, b) max(abs(a - b)) <= 1e-6 * max(abs(b), 1e-300)
  if (!same(diag(found$aa), diag(known$aa))) {
    abort_argument("x", "{.arg x} has other rows than those that the model has seen.", run$call)
  }
  if (!same(found$ay, known$ay)) {
    abort_argument("y", "{.arg y} is not the response that the rows of {.arg x} had.", run$call)
  }
}

# More draws from the same streams extend a layer; a deeper layer reads only what it read before.
grown_network <- function(object, shape, data, run) {
  network <- object$network
  sample <- network_sample(data$x, data$targets$case_weights)
  run$seed <- object$seed
  for (layer in seq_along(network$layers)) {
    part <- network$layers[[layer]]
    if (shape$hidden[layer] > length(part$bias)) {
      source <- layer_source(sample, object$network, object$spec, layer, run)
      source <- c(source, part[intersect(distribution_parts, names(part))],
                  regrown_weights(sample, object, layer, run))
      part <- wider_layer(part, draw_nodes(source, shape$hidden[layer]))
    }
    inputs <- layer_inputs(network, layer, length(network$center))
    unread <- matrix(0, inputs - nrow(part$weights), ncol(part$weights))
    part$weights <- rbind(part$weights, unread)
    network$layers[[layer]] <- part
  }
  network
}

# The nodes of a layer, then those that were drawn beyond them.
wider_layer <- function(part, drawn) {
  extra <- seq(length(part$bias) + 1L, length(drawn$bias))
  unread <- matrix(0, nrow(part$weights) - nrow(drawn$weights), length(extra))
  part$weights <- cbind(part$weights, rbind(drawn$weights[, extra, drop = FALSE], unread))
  part$bias <- c(part$bias, drawn$bias[extra])
  part
}

# Positions, among the columns of readout k after growing, of those it had and of the new ones.
grown_columns <- function(old, network, k) {
  label <- function(net) seen_labels(readout_labels(net, NULL), readout_columns(net)[[k]])
  before <- label(old)
  after <- label(network)
  list(kept = match(before, after), new = which(!after %in% before))
}

# [A'A, A'N; N'A, N'N]: only the part with new columns N is computed.
with_border <- function(statistics, fresh, border, ones) {
  total <- length(fresh$kept) + length(fresh$new)
  aa <- matrix(0, total, total)
  aa[fresh$kept, fresh$kept] <- statistics$aa
  aa[, fresh$new] <- border$an
  aa[fresh$new, ] <- t(border$an)
  ay <- matrix(0, total, ncol(statistics$ay))
  ay[fresh$kept, ] <- statistics$ay
  ay[fresh$new, ] <- border$ny
  list(kind = "gram", aa = aa, ay = ay, ones = ones)
}
