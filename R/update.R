#' Exact incremental learning
#'
#' Adds or forgets rows, or adds nodes, without starting again. The result is that of fitting from
#' scratch with the same frozen weights, standardisation and `lambda`. Rows change only the normal
#' equations, so their cost does not depend on the rows already seen; new nodes need the training
#' data, which is in the model (`keep_data`) or given as `x` and `y`.
#'
#' @param object A `cawi_model`.
#' @param new_x,new_y Rows to learn. New classes in `new_y` are added.
#' @param weights Case weights of the new rows, or of `x` where nodes are added.
#' @param forget_x,forget_y Rows to forget, as they were given before (with `forget_weights`).
#' @param forget_weights Case weights that the forgotten rows had.
#' @param hidden New number of nodes of the last layer (of the only one for ELM and RVFL).
#' @param windows,enhancement For Broad Learning: new number of feature windows, and of nodes in each
#'   enhancement window. Enhancement nodes that exist do not read new windows.
#' @param x,y The training data, for new nodes where the model does not have them.
#' @param lambda A new penalty; by default it stays.
#' @param threads Number of threads; see [cawi-package].
#' @param ... Not used.
#' @return The updated model. Leave-one-out errors are not carried along; the calibration of the
#'   probabilities is, unless classes were added: then it is made anew from the exact leave-one-out scores of the
#'   rows in the model (`keep_data`) or, without them, of the new rows if there are at least 50, of two classes or
#'   more.
#' @examples
#' rows <- c(1:40, 51:90)
#' fit <- cawi_rvfl(iris[rows, 1:4], iris$Species[rows], hidden = 20, lambda = 0.1, seed = 1)
#' fit <- update(fit, new_x = iris[-rows, 1:4], new_y = iris$Species[-rows]) # a third class appears
#' fit
#' update(fit, hidden = 30)
#' @export
update.cawi_model <- function(object, new_x = NULL, new_y = NULL, weights = NULL, forget_x = NULL,
                              forget_y = NULL, forget_weights = NULL, hidden = NULL, windows = NULL,
                              enhancement = NULL, x = NULL, y = NULL, lambda = NULL, threads = NULL,
                              ...) {
  check_model(object)
  check_statistics(object, environment())
  check_dots(list(...), NULL)
  threads <- resolve_threads(threads)
  call <- environment()
  if (is.null(new_x) != is.null(new_y)) {
    abort_argument("new_y", "{.arg new_x} and {.arg new_y} come together.", call)
  }
  if (is.null(forget_x) != is.null(forget_y)) {
    abort_argument("forget_y", "{.arg forget_x} and {.arg forget_y} come together.", call)
  }
  lambda <- if (is.null(lambda)) NULL else check_number(lambda, "lambda", call, min = 0, max = 1e100)
  shape <- grown_shape(object, hidden, windows, enhancement, call)
  if (!is.null(shape)) {
    data <- training_data(object, x, y, if (is.null(new_x)) weights, call)
    object <- grow_nodes(object, shape, data, threads)
  }
  if (!is.null(new_x)) {
    known <- length(object$levels)
    object <- change_rows(object, new_x, new_y, weights, 1, threads, call)
    if (length(object$levels) > known) {
      object <- recalibrate(resolve_readouts(object, lambda, call), new_x, new_y, weights, threads, call)
    }
  }
  if (!is.null(forget_x)) {
    object <- change_rows(object, forget_x, forget_y, forget_weights, -1, threads, call)
  }
  resolve_readouts(object, lambda, call)
}

# A temperature of fewer classes says little about more of them. Leave-one-out scores are exact for any row
# that the statistics have seen; a few rows, or rows of one class, would not tell one.
recalibrate <- function(object, new_x, new_y, weights, threads, call) {
  data <- object$data
  if (is.null(data)) {
    x <- forge_new_data(object, new_x, "new_x", call)$x
    weights <- check_weights(weights, nrow(x), call)
    data <- list(x = x, targets = row_targets(object, new_y, nrow(x), weights, "new_y", call))
    if (nrow(x) < 50L || length(unique(data$targets$classes)) < 2L) return(object)
  }
  probe <- object
  probe$readouts <- lapply(object$readouts, function(readout) {
    readout$loo <- sampled_loo(data$x, object$network, readout$columns, data$targets, readout$statistics,
                               readout$coefficients, readout$lambda, threads)
    readout
  })
  object$temperature <- calibrate(probe, data$targets)
  object
}

# Solves every readout again from its statistics.
resolve_readouts <- function(object, lambda, call) {
  object$readouts <- lapply(object$readouts, function(readout) {
    if (!is.null(lambda)) readout$lambda <- readout$lambda_path <- lambda
    readout$coefficients <- solve_readout(readout$statistics, readout$lambda, call)
    readout$loo <- NULL
    readout
  })
  object
}

# Rows in the dual form become a Gram matrix: from here on they only add up.
as_gram <- function(statistics) {
  if (statistics$kind == "gram") return(statistics)
  list(kind = "gram", aa = crossprod(statistics$aa), ay = crossprod(statistics$aa, statistics$ay))
}

change_rows <- function(object, x, y, weights, sign, threads, call) {
  arg <- if (sign > 0) "new_x" else "forget_x"
  x <- forge_new_data(object, x, arg, call)$x
  check_finite(x, arg, call)
  weights <- check_weights(weights, nrow(x), call, if (sign > 0) "weights" else "forget_weights")
  targets <- row_targets(object, y, nrow(x), weights, if (sign > 0) "new_y" else "forget_y", call)
  if (sign < 0 && nrow(x) >= object$nobs) {
    abort_argument("forget_x", "{.arg forget_x} has {nrow(x)} rows, and the model has seen {object$nobs}.", call)
  }
  object <- add_classes(object, targets$levels)
  object$readouts <- lapply(object$readouts, function(readout) {
    change <- gram_cpp(x, object$network, readout$columns, targets, threads)
    statistics <- as_gram(readout$statistics)
    statistics$aa <- statistics$aa + sign * change$aa
    statistics$ay <- statistics$ay + sign * change$ay
    readout$statistics <- statistics
    readout
  })
  object$nobs <- object$nobs + as.integer(sign) * nrow(x)
  object$weighted <- object$weighted || !is.null(weights)
  object$data <- if (sign > 0) append_data(object$data, x, targets)
  object
}

row_targets <- function(object, y, rows, weights, arg, call) {
  if (object$task == "regression") {
    targets <- new_targets(y, rows, weights, arg = arg, call = call)
    if (targets$task != "regression" || targets$outputs != object$outputs) {
      abort_argument(arg, "{.arg {arg}} must be numeric with {object$outputs} output{?s}.", call)
    }
    return(targets)
  }
  if (is.data.frame(y) && ncol(y) == 1L) y <- y[[1L]]
  if (!is.factor(y) && !is.character(y) && !is.logical(y)) {
    abort_argument(arg, "{.arg {arg}} must be classes, not {.obj_type_friendly {y}}.", call)
  }
  y <- as.character(y)
  if (anyNA(y)) abort_argument(arg, "{.arg {arg}} must not have missing values.", call)
  levels <- c(object$levels, setdiff(unique(y), object$levels))
  if (arg == "forget_y" && length(levels) > length(object$levels)) {
    abort_argument(arg, "{.arg {arg}} has classes that the model does not know.", call)
  }
  new_targets(factor(y, levels), rows, weights, levels, arg, call)
}

# A class not seen before was zero in every row so far.
add_classes <- function(object, levels) {
  more <- length(levels) - length(object$levels)
  if (object$task != "classification" || more == 0L) return(object)
  object$readouts <- lapply(object$readouts, function(readout) {
    statistics <- readout$statistics
    statistics$ay <- cbind(statistics$ay, matrix(0, nrow(statistics$ay), more))
    readout$statistics <- statistics
    readout
  })
  object$levels <- object$output_names <- levels
  object$outputs <- length(levels)
  if (!is.null(object$data)) {
    object$data$targets$levels <- object$data$targets$names <- levels
    object$data$targets$outputs <- length(levels)
  }
  object
}

append_data <- function(data, x, targets) {
  if (is.null(data)) return(NULL)
  old <- data$targets
  weight <- function(t) if (is.null(t$weights)) rep(1, t$rows) else t$weights
  joined <- targets
  joined$rows <- old$rows + targets$rows
  joined$classes <- c(old$classes, targets$classes)
  if (!is.null(old$values)) joined$values <- rbind(old$values, targets$values)
  if (!is.null(old$weights) || !is.null(targets$weights)) joined$weights <- c(weight(old), weight(targets))
  list(x = rbind(data$x, x), targets = joined)
}

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
  if (sum(wanted) > 1e5) {
    abort_argument(arg, "{.arg {arg}} would give {sum(wanted)} nodes; the most is 1e5.", call)
  }
  if (any(wanted < now)) {
    abort_argument(arg, "{.arg {arg}} can only grow: the model has {now} nodes, not {wanted}.", call)
  }
}

grow_nodes <- function(object, shape, data, threads) {
  old <- object$network
  network <- grown_network(object, shape, data$x, threads)
  object$spec$hidden <- shape$hidden
  object$spec$broad <- shape$broad
  columns <- readout_columns(network)
  object$readouts <- lapply(seq_along(object$readouts), function(k) {
    readout <- object$readouts[[k]]
    fresh <- grown_columns(old, network, k)
    if (length(fresh$new) > 0L) {
      readout$statistics <- border_statistics(as_gram(readout$statistics), fresh, data, network,
                                              columns[[k]], threads)
    }
    readout["columns"] <- list(columns[[k]])
    readout
  })
  object$network <- network
  object
}

training_data <- function(object, x, y, weights, call) {
  if (is.null(x)) {
    if (!is.null(object$data)) return(object$data)
    abort_argument("x", "New nodes need the training data: give {.arg x} and {.arg y}.", call)
  }
  x <- forge_new_data(object, x, "x", call)$x
  check_finite(x, "x", call)
  if (nrow(x) != object$nobs) {
    abort_argument("x", "{.arg x} must be the {object$nobs} rows the model has seen, not {nrow(x)}.", call)
  }
  if (object$weighted && is.null(weights)) {
    abort_argument("weights", "The model was fitted with {.arg weights}: give those of {.arg x}.", call)
  }
  weights <- check_weights(weights, nrow(x), call)
  targets <- row_targets(object, y, nrow(x), weights, "y", call)
  if (targets$outputs != object$outputs) {
    abort_argument("y", "{.arg y} has classes that the model has not seen.", call)
  }
  list(x = x, targets = targets)
}

# More draws from the same streams extend a layer; a deeper layer reads only what it read before.
grown_network <- function(object, shape, x, threads) {
  network <- object$network
  sample <- network_sample(x)
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
