#' Plot a randomized network
#'
#' * `"lambda"`: the leave-one-out error along the path of penalties.
#' * `"loo"`: the leave-one-out predictions, observed against predicted for regression, and as a
#'   confusion table for classification.
#' * `"weights"`: the weights of the nodes of the first layer as lines from the center, beside the
#'   rows that they read. More than two features are seen in the two directions in which the rows
#'   vary most.
#'
#' @param x,object A `cawi_model`.
#' @param type Which picture; by default the path of penalties, if the model has one.
#' @param ... Not used.
#' @return `plot` returns the model, invisibly; `autoplot` a ggplot.
#' @examples
#' fit <- cawi_rvfl(Species ~ ., iris, hidden = 50, seed = 1)
#' plot(fit)
#' plot(fit, type = "loo")
#' petals <- cawi_rvfl(Species ~ Petal.Length + Petal.Width, iris, init = "gaussian", seed = 1)
#' plot(petals, type = "weights")
#' @export
plot.cawi_model <- function(x, type = NULL, ...) {
  check_dots(rlang::enquos(...))
  x <- check_model(x, "x")
  type <- check_model_plot(x, type)
  if (type == "lambda") plot_lambda(x)
  if (type == "weights") plot_weights(x)
  if (type == "loo" && x$task == "regression") plot_left_out(x)
  if (type == "loo" && x$task == "classification") plot_confusion(x)
  invisible(x)
}

check_model_plot <- function(x, type, call = caller_env()) {
  path <- x$readouts[[1L]]$loo$rmse
  has_path <- is.matrix(path) && nrow(path) > 1L
  if (is.null(type)) type <- if (has_path) "lambda" else "loo"
  type <- check_choice(type, c("lambda", "loo", "weights"), "type", call)
  if (type == "lambda" && !has_path) {
    abort_argument("type", "{.arg type} {.val lambda} needs a model that chose among several.",
                   call)
  }
  lost <- list(loo = c("data", "scores"), weights = "data")[[type]]
  check_untrimmed(x, lost, "x", call)
  if (type == "weights" && (is.null(x$data) || !has_weights(x$network))) {
    message <- "{.arg type} {.val weights} needs a layer with weights and the training data."
    abort_argument("type", message, call)
  }
  if (type == "loo" && (is.null(x$data) || is.null(left_out_rows(x$readouts, x$data$targets)))) {
    message <- "{.arg type} {.val loo} needs leave-one-out scores and the training data."
    abort_argument("type", message, call)
  }
  type
}

# One path per readout and numeric output.
lambda_table <- function(x) {
  do.call(rbind, lapply(seq_along(x$readouts), function(k) {
    readout <- x$readouts[[k]]
    outputs <- seq_len(ncol(readout$loo$rmse))
    do.call(rbind, lapply(outputs, function(j) {
      label <- c(if (length(x$readouts) > 1L) paste("layer", k),
                 if (length(outputs) > 1L) output_labels(x)[j])
      data.frame(path = paste(c(label, if (is.null(label)) "all"), collapse = ", "),
                 lambda = readout$lambda_path, rmse = readout$loo$rmse[, j],
                 chosen = readout$lambda_path == readout$lambda[j])
    }))
  }))
}

# Logarithms have no place for a penalty of zero.
zero_note <- function(table) {
  if (all(table$lambda > 0)) return(NULL)
  chosen <- any(table$chosen & table$lambda == 0)
  paste("lambda = 0", if (chosen) "was chosen;" else "was tried;", "it has no place on this axis")
}

plot_lambda <- function(x) {
  table <- lambda_table(x)
  note <- zero_note(table)
  table <- table[table$lambda > 0, ]
  paths <- unique(table$path)
  colors <- grDevices::hcl.colors(length(paths), "Dark 3")
  positive <- table$rmse[table$rmse > 0]
  # A response without variation has no error to show on this scale.
  limits <- if (length(positive) > 0L) range(positive) else c(0.5, 2)
  # Room for the legend above the curves.
  if (length(paths) > 1L) {
    limits[2L] <- limits[2L] * (limits[2L] / limits[1L])^(0.15 * ceiling(length(paths) / 2))
  }
  graphics::plot(table$lambda, table$rmse, log = "xy", type = "n", xlab = "lambda", ylim = limits,
                 ylab = paste(held_out_text(x), "RMSE"), las = 1,
                 main = paste("Penalty of the", model_acronyms[[x$spec$model]]))
  for (k in seq_along(paths)) {
    part <- table[table$path == paths[k], ]
    graphics::lines(part$lambda, part$rmse, type = "b", pch = 16, col = colors[k])
    best <- part[part$chosen, ]
    graphics::points(best$lambda, best$rmse, cex = 2, lwd = 2, col = colors[k])
  }
  if (!is.null(note)) graphics::mtext(note, 3, line = 0.2, cex = 0.8)
  # More curves than this have no legend that could be read.
  if (length(paths) > 1L && length(paths) <= 8L) {
    graphics::legend("topleft", legend = paths, col = colors, lty = 1, pch = 16,
                     bty = "n", ncol = 2L)
  }
}

left_out_table <- function(x) {
  left_out <- left_out_rows(x$readouts, x$data$targets)
  data.frame(output = rep(output_labels(x), each = nrow(left_out$scores)),
             observed = as.vector(left_out$values),
             predicted = as.vector(left_out$scores))
}

# One panel per output: outputs have no axis in common.
plot_left_out <- function(x) {
  table <- left_out_table(x)
  outputs <- unique(table$output)
  if (length(outputs) > 1L) {
    # Many panels shrink lines of text: margins come first, to be known, and put back, in old lines.
    old <- graphics::par(mar = c(4.2, 4.2, 2.5, 1), mfrow = grDevices::n2mfrow(length(outputs)))
    on.exit(graphics::par(old))
  }
  titles <- left_out_titles(x)
  for (output in outputs) {
    part <- table[table$output == output, ]
    graphics::plot(part$predicted, part$observed, pch = 16, cex = 0.6, las = 1,
                   col = grDevices::adjustcolor(point_color, 0.5), ylab = "observed",
                   xlab = "predicted, leave-one-out",
                   main = titles[[output]])
    graphics::abline(0, 1, col = "grey40")
  }
}

confusion <- function(x) {
  left_out <- left_out_rows(x$readouts, x$data$targets)
  table(observed = factor(x$levels[left_out$classes], x$levels),
        predicted = factor(x$levels[best_class(left_out$scores)], x$levels))
}

plot_confusion <- function(x) {
  counts <- confusion(x)
  share <- counts / pmax(rowSums(counts), 1)
  k <- nrow(counts)
  size <- max(0.5, min(1, 8 / k))
  inches <- max(graphics::strwidth(x$levels, "inches", cex = size)) + 0.65
  old <- graphics::par(mai = c(inches, inches, 0.7, 0.2))
  on.exit(graphics::par(old))
  graphics::image(seq_len(k), seq_len(k), t(share)[, rev(seq_len(k)), drop = FALSE], zlim = c(0, 1),
                  col = grDevices::hcl.colors(100, "Blues 3", rev = TRUE), axes = FALSE, xlab = "",
                  ylab = "", main = paste("Leave-one-out", x$loo$text))
  graphics::axis(1, seq_len(k), x$levels, las = 2, tick = FALSE, cex.axis = size)
  graphics::axis(2, seq_len(k), rev(x$levels), las = 1, tick = FALSE, cex.axis = size)
  graphics::mtext("predicted", 1, line = par_lines(inches))
  graphics::mtext("observed", 2, line = par_lines(inches))
  if (k <= 15L) {
    cells <- expand.grid(row = seq_len(k), column = seq_len(k))
    graphics::text(cells$column, k + 1 - cells$row, counts[as.matrix(cells)], cex = size,
                   col = ifelse(share[as.matrix(cells)] > 0.5, "white", "grey15"))
  }
}

# The outermost line of a margin of so many inches.
par_lines <- function(inches) inches / graphics::par("csi") - 1.2

#' @rdname plot.cawi_model
#' @exportS3Method ggplot2::autoplot
autoplot.cawi_model <- function(object, type = NULL, ...) {
  check_dots(rlang::enquos(...))
  object <- check_model(object, "x")
  type <- check_model_plot(object, type)
  if (type == "lambda") return(autoplot_lambda(object))
  if (type == "weights") return(autoplot_weights(object))
  if (object$task == "regression") return(autoplot_left_out(object))
  counts <- as.data.frame(confusion(object))
  counts$observed <- factor(counts$observed, rev(object$levels))
  counts$share <- counts$Freq / stats::ave(counts$Freq, counts$observed, FUN = sum)
  ggplot2::ggplot(counts, ggplot2::aes(.data$predicted, .data$observed, fill = .data$share)) +
    ggplot2::geom_tile() +
    ggplot2::geom_text(ggplot2::aes(label = .data$Freq, colour = .data$share > 0.5)) +
    ggplot2::scale_fill_gradientn(colours = grDevices::hcl.colors(100, "Blues 3", rev = TRUE),
                                  limits = c(0, 1)) +
    ggplot2::scale_colour_manual(values = c("FALSE" = "grey15", "TRUE" = "white"),
                                 guide = "none") +
    ggplot2::coord_equal() +
    ggplot2::labs(title = paste("Leave-one-out", object$loo$text), fill = "share of\nthe class") +
    ggplot2::theme_minimal() +
    ggplot2::theme(panel.grid = ggplot2::element_blank())
}

# The error of an output stands above its own panel.
autoplot_left_out <- function(object) {
  table <- left_out_table(object)
  titles <- left_out_titles(object)
  table$title <- factor(titles[table$output], titles)
  picture <- ggplot2::ggplot(table, ggplot2::aes(.data$predicted, .data$observed)) +
    ggplot2::geom_abline(colour = "grey40") +
    ggplot2::geom_point(colour = point_color, alpha = 0.5) +
    ggplot2::labs(x = "predicted, leave-one-out", y = "observed") +
    ggplot2::theme_minimal()
  if (length(titles) == 1L) return(picture + ggplot2::labs(title = titles[[1L]]))
  picture + ggplot2::facet_wrap("title", scales = "free")
}

# One text per output, by its name.
left_out_titles <- function(x) {
  outputs <- output_labels(x)
  if (length(outputs) == 1L) return(stats::setNames(paste("Leave-one-out", x$loo$text), outputs))
  errors <- vapply(x$loo$outputs, number_text, "", digits = 4)
  stats::setNames(sprintf("%s: RMSE %s", outputs, errors), outputs)
}

autoplot_lambda <- function(object) {
  table <- lambda_table(object)
  note <- zero_note(table)
  table <- table[table$lambda > 0, ]
  ggplot2::ggplot(table, ggplot2::aes(.data$lambda, .data$rmse, colour = .data$path)) +
    ggplot2::geom_line() +
    ggplot2::geom_point() +
    ggplot2::geom_point(data = table[table$chosen, ], size = 4, shape = 1) +
    ggplot2::scale_x_log10() +
    ggplot2::scale_y_log10() +
    ggplot2::labs(y = paste(held_out_text(object), "RMSE"), colour = NULL, subtitle = note,
                  title = paste("Penalty of the", model_acronyms[[object$spec$model]])) +
    ggplot2::theme_minimal() +
    ggplot2::theme(legend.position = if (length(unique(table$path)) > 1L) "right" else "none")
}
