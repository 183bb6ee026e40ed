#' @rdname plot.cawi_copula
#' @exportS3Method ggplot2::autoplot
autoplot.cawi_copula <- function(object, type = NULL, n = 1000, features = NULL, seed = 1, ...) {
  check_dots(list(...))
  check_copula(object, "object")
  type <- check_plot_type(object, type)
  n <- check_count(n, "n")
  switch(type,
    tau = autoplot_tau(object),
    draws = autoplot_draws(object, n, check_features(object, features), seed),
    contour = autoplot_contour(object, n, seed)
  )
}

autoplot_tau <- function(object) {
  check_memory(64 * as.numeric(object$dim)^2)
  labels <- feature_names(object)
  cells <- do.call(rbind, lapply(names(tau_panels(object)), function(name) {
    tau <- tau_panels(object)[[name]]
    index <- seq_along(labels)
    data.frame(panel = name, expand.grid(row = index, column = index), tau = as.vector(tau))
  }))
  cells$panel <- factor(cells$panel, unique(cells$panel))
  # Numbers as levels: names may repeat.
  cells$row <- factor(cells$row, rev(seq_along(labels)))
  cells$column <- factor(cells$column)
  picture <- ggplot2::ggplot(cells, ggplot2::aes(.data$column, .data$row, fill = .data$tau)) +
    ggplot2::geom_tile() +
    ggplot2::facet_wrap("panel") +
    ggplot2::scale_fill_gradientn(colours = tau_palette(), limits = c(-1, 1)) +
    ggplot2::scale_x_discrete(labels = labels) +
    ggplot2::scale_y_discrete(labels = rev(labels)) +
    ggplot2::coord_equal() +
    ggplot2::labs(x = NULL, y = NULL, fill = "tau") +
    ggplot2::theme_minimal() +
    ggplot2::theme(panel.grid = ggplot2::element_blank(),
                   axis.text.x = ggplot2::element_text(angle = 90, hjust = 1, vjust = 0.5))
  if (object$dim > 40L) {
    return(picture + ggplot2::theme(axis.text = ggplot2::element_blank()))
  }
  if (object$dim > 12L) return(picture)
  picture +
    ggplot2::geom_text(ggplot2::aes(label = sprintf("%.2f", .data$tau),
                                    colour = abs(.data$tau) > 0.6), size = 3) +
    ggplot2::scale_colour_manual(values = c("grey15", "white"), guide = "none")
}

autoplot_draws <- function(object, n, features, seed) {
  u <- simulate(object, n, seed = seed)
  labels <- feature_names(object)
  pairs <- utils::combn(features, 2L)
  draws <- do.call(rbind, lapply(seq_len(ncol(pairs)), function(k) {
    data.frame(pair = paste(labels[pairs[1L, k]], "and", labels[pairs[2L, k]]),
               first = u[, pairs[1L, k]], second = u[, pairs[2L, k]])
  }))
  draws$pair <- factor(draws$pair, unique(draws$pair))
  ggplot2::ggplot(draws, ggplot2::aes(.data$first, .data$second)) +
    ggplot2::geom_point(size = 0.4, alpha = 0.4, colour = point_colour) +
    ggplot2::facet_wrap("pair") +
    ggplot2::scale_x_continuous(breaks = c(0, 0.5, 1)) +
    ggplot2::scale_y_continuous(breaks = c(0, 0.5, 1)) +
    ggplot2::coord_equal(xlim = c(0, 1), ylim = c(0, 1)) +
    ggplot2::labs(x = NULL, y = NULL,
                  title = paste(n, "draws from the", families[[object$family]]$label, "copula")) +
    ggplot2::theme_minimal()
}

autoplot_contour <- function(object, n, seed) {
  grid <- contour_grid(object)
  surface <- data.frame(expand.grid(first = grid$z, second = grid$z),
                        density = as.vector(grid$density))
  draws <- as.data.frame(stats::qnorm(simulate(object, n, seed = seed)))
  names(draws) <- c("first", "second")
  labels <- paste(feature_names(object), "(normal scores)")
  ggplot2::ggplot(draws, ggplot2::aes(.data$first, .data$second)) +
    ggplot2::geom_point(size = 0.4, alpha = 0.35, colour = point_colour) +
    ggplot2::geom_contour(ggplot2::aes(z = .data$density), data = surface, colour = "grey20",
                          breaks = contour_levels(grid$density)) +
    ggplot2::coord_equal(xlim = contour_range, ylim = contour_range) +
    ggplot2::labs(x = labels[1L], y = labels[2L],
                  title = paste(families[[object$family]]$label, "copula")) +
    ggplot2::theme_minimal()
}
