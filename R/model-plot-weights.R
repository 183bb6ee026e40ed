# The directions of the weights of the first layer beside the rows that it reads.

has_weights <- function(network) length(network$layers) > 0L

# Rows and nodes that a picture can hold.
shown_rows <- 500L
shown_nodes <- 200L

# Both as points of a plane: the two features, or of more features the two directions in which the
# rows vary most. Only directions and relative sizes of weights can be seen, so the weights are
# brought to the size of the rows.
weights_picture <- function(x) {
  layer <- x$network$layers[[1L]]
  z <- layer_input_cpp(x$data$x[evenly(nrow(x$data$x), shown_rows), , drop = FALSE], x$network, 0L)
  w <- t(layer$weights[seq_len(ncol(z)), evenly(ncol(layer$weights), shown_nodes), drop = FALSE])
  names <- x$feature_names %||% paste0("x", seq_len(ncol(z)))
  if (ncol(z) > 2L) {
    plane <- svd(z, nu = 0L, nv = 2L)$v
    # A solver may return either sign.
    plane <- sweep(plane, 2L, ifelse(colSums(plane) < 0, -1, 1), `*`)
    z <- z %*% plane
    w <- w %*% plane
    names <- paste(c("first", "second"), "principal direction")
  } else if (ncol(z) == 1L) {
    z <- cbind(z, 0)
    w <- cbind(w, 0)
    names <- c(names, "")
  }
  far <- function(points) stats::quantile(sqrt(rowSums(points^2)), 0.95, names = FALSE)
  if (far(w) > 0) w <- w * (far(z) / far(w))
  list(rows = data.frame(x = z[, 1L], y = z[, 2L]), nodes = data.frame(x = w[, 1L], y = w[, 2L]),
       labels = names, title = paste0("Weights: ", init_text(x)))
}

plot_weights <- function(x) {
  picture <- weights_picture(x)
  # Of letters a tenth of an inch wide: a title wider than its panel runs into the next one.
  size <- graphics::par("cex") * graphics::par("cex.main")
  title <- strwrap(picture$title, max(15, 10 / size * graphics::par("pin")[1L]))
  # Heavy tails would leave no room for the rest.
  limit <- 1.5 * max(abs(unlist(picture$rows)), 1e-12)
  graphics::plot(picture$rows, pch = 16, cex = 0.6, col = "grey70", asp = 1, las = 1,
                 xlim = c(-limit, limit), ylim = c(-limit, limit), xlab = picture$labels[1L],
                 ylab = picture$labels[2L], main = paste(title, collapse = "\n"))
  graphics::segments(0, 0, picture$nodes$x, picture$nodes$y,
                     col = grDevices::adjustcolor(point_color, 0.45))
  graphics::legend("topleft", c("rows", "weights of a node"), pch = c(16, NA), lty = c(NA, 1),
                   col = c("grey70", point_color), bty = "n", cex = 0.8)
}

autoplot_weights <- function(x) {
  picture <- weights_picture(x)
  limit <- 1.5 * max(abs(unlist(picture$rows)), 1e-12)
  ggplot2::ggplot(picture$rows, ggplot2::aes(.data$x, .data$y)) +
    ggplot2::geom_point(colour = "grey70", size = 1) +
    ggplot2::geom_segment(ggplot2::aes(x = 0, y = 0, xend = .data$x, yend = .data$y),
                          data = picture$nodes, colour = point_color, alpha = 0.45) +
    ggplot2::coord_fixed(xlim = c(-limit, limit), ylim = c(-limit, limit)) +
    ggplot2::labs(x = picture$labels[1L], y = picture$labels[2L], title = picture$title) +
    ggplot2::theme_minimal()
}
