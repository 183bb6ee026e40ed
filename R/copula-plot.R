#' Plot a copula
#'
#' * `"tau"`: a heat map of Kendall's tau, the sample's beside the copula's own.
#' * `"draws"`: draws from the copula for pairs of features.
#' * `"contour"`: contours of the density of a bivariate copula over draws of it.
#'
#' @param x,object A `cawi_copula`.
#' @param type Which picture. By default contours in two dimensions and tau otherwise.
#' @param n Number of draws shown.
#' @param features At most six features for `"draws"`, by name or number; by default the first four.
#' @param seed Seed of the draws, for a picture that is the same each time; `NULL` takes one from
#'   R's generator.
#' @param ... Not used.
#' @return `plot` returns the copula, invisibly; `autoplot` a ggplot.
#' @examples
#' fit <- cawi_copula(iris[, 1:4], "gaussian")
#' plot(fit)
#' plot(fit, type = "draws", seed = 1)
#' plot(cawi_copula_from("clayton", dim = 2, theta = 2), seed = 1)
#' @export
plot.cawi_copula <- function(x, type = NULL, n = 1000, features = NULL, seed = NULL, ...) {
  check_dots(rlang::enquos(...))
  check_copula(x, "x")
  type <- check_plot_type(x, type)
  n <- check_count(n, "n", min = 2)
  switch(type,
    tau = plot_tau(x),
    draws = plot_draws(x, n, check_features(x, features), seed),
    contour = plot_contour(x, n, seed)
  )
  invisible(x)
}

check_plot_type <- function(x, type, call = caller_env()) {
  if (is.null(type)) return(if (x$dim == 2L && !is_singular(x)) "contour" else "tau")
  type <- check_choice(type, c("tau", "draws", "contour"), "type", call)
  if (type == "contour" && x$dim != 2L) {
    abort_argument("type", "{.arg type} {.val contour} needs a copula of dimension 2, not {x$dim}.",
                   call)
  }
  if (type == "contour" && is_singular(x)) {
    abort_argument("type",
                   "{.arg type} {.val contour} needs a density, and a singular copula has none.",
                   call)
  }
  if (type == "draws" && x$dim < 2L) {
    abort_argument("type", "{.arg type} {.val draws} needs at least two features.", call)
  }
  type
}

is_singular <- function(x) {
  !is.null(x$cor) && min(eigen(x$cor, symmetric = TRUE, only.values = TRUE)$values) < 1e-12
}

feature_names <- function(x) if (is.null(x$names)) paste0("V", seq_len(x$dim)) else x$names

check_features <- function(x, features, call = caller_env()) {
  all_names <- feature_names(x)
  if (is.null(features)) return(utils::head(seq_len(x$dim), 4L))
  index <- if (is.character(features)) {
    match(features, all_names)
  } else if (is.numeric(features)) {
    match(features, seq_len(x$dim))
  }
  if (anyNA(index) || length(index) < 2L || length(index) > 6L) {
    abort_argument("features", "{.arg features} must be two to six features of the copula.", call)
  }
  index
}

tau_palette <- function(n = 201) grDevices::hcl.colors(n, "Blue-Red 3")
point_color <- "#2c7fb8"

# The panels of the tau picture: the sample's where there is one, then the copula's.
tau_panels <- function(x) {
  panels <- list(model_tau(x))
  names(panels) <- paste0(families[[x$family]]$label, " copula")
  if (is.null(x$tau)) panels else c(list(Data = x$tau), panels)
}

plot_tau <- function(x) {
  panels <- tau_panels(x)
  labels <- shorten(feature_names(x))
  # Long names and many features share the margin; beyond 40 features labels are noise.
  show_labels <- x$dim <= 40L
  size <- max(0.45, min(1, 12 / x$dim))
  old <- graphics::par(no.readonly = TRUE)
  on.exit(graphics::par(old))
  graphics::layout(matrix(seq_len(length(panels) + 1L), nrow = 1L),
                   widths = c(rep(1, length(panels)), 0.28))
  inches <- if (show_labels) max(graphics::strwidth(labels, "inches", cex = size)) + 0.2 else 0.3
  for (name in names(panels)) {
    graphics::par(mai = c(inches, inches, 0.5, 0.1))
    draw_heat_map(panels[[name]], if (show_labels) labels, size, name)
  }
  graphics::par(mai = c(inches, 0.1, 0.5, 0.6))
  draw_color_key()
}

# Names beyond this would leave no room for the picture.
shorten <- function(labels, most = 16L) {
  ifelse(nchar(labels) > most, paste0(substr(labels, 1L, most - 3L), "..."), labels)
}

draw_heat_map <- function(tau, labels, size, title) {
  d <- ncol(tau)
  graphics::image(seq_len(d), seq_len(d), t(tau)[, rev(seq_len(d)), drop = FALSE], zlim = c(-1, 1),
                  col = tau_palette(), axes = FALSE, xlab = "", ylab = "", main = title, asp = 1)
  if (!is.null(labels)) {
    graphics::axis(1, seq_len(d), labels, las = 2, tick = FALSE, line = -0.6, cex.axis = size)
    graphics::axis(2, seq_len(d), rev(labels), las = 1, tick = FALSE, line = -0.6, cex.axis = size)
  }
  if (d <= 12L) {
    cells <- expand.grid(row = seq_len(d), column = seq_len(d))
    value <- tau[as.matrix(cells)]
    graphics::text(cells$column, d + 1 - cells$row, sprintf("%.2f", value), cex = 0.9 * size,
                   col = ifelse(abs(value) > 0.6, "white", "grey15"))
  }
}

draw_color_key <- function() {
  values <- seq(-1, 1, length.out = 201)
  graphics::image(1, values, matrix(values, 1L), zlim = c(-1, 1), col = tau_palette(), axes = FALSE,
                  xlab = "", ylab = "", main = "tau")
  graphics::axis(4, seq(-1, 1, 0.5), las = 1)
}

plot_draws <- function(x, n, features, seed) {
  u <- simulate(x, n, seed = seed)[, features, drop = FALSE]
  panel <- function(a, b, ...) {
    graphics::points(a, b, pch = 16, cex = 0.6, col = grDevices::adjustcolor(point_color, 0.4))
  }
  tau_text <- function(a, b, ...) {
    value <- cawi_kendall(cbind(a, b))[1L, 2L]
    graphics::text(0.5, 0.5, sprintf("tau %.2f", value), cex = 1.3)
  }
  graphics::pairs(u, labels = feature_names(x)[features], lower.panel = panel,
                  upper.panel = tau_text, xlim = c(0, 1), ylim = c(0, 1), gap = 0.4,
                  main = paste(n, "draws from the", families[[x$family]]$label, "copula"))
}

# Normal scores that a contour picture shows: one draw in a thousand leaves them.
contour_range <- c(-3.5, 3.5)

# The density on normal margins: the unit square hides the shape in its corners.
contour_grid <- function(x, size = 93L) {
  z <- seq(contour_range[1L], contour_range[2L], length.out = size)
  u <- stats::pnorm(as.matrix(expand.grid(z, z)))
  margins <- stats::dnorm(stats::qnorm(u))
  value <- cawi_density(x, u) * margins[, 1L] * margins[, 2L]
  list(z = z, density = matrix(value, size))
}

contour_levels <- function(density) {
  signif(max(density[is.finite(density)]) * c(0.02, 0.1, 0.25, 0.45, 0.65, 0.85), 2)
}

plot_contour <- function(x, n, seed) {
  grid <- contour_grid(x)
  labels <- paste(feature_names(x), "(normal scores)")
  draws <- stats::qnorm(simulate(x, n, seed = seed))
  old <- graphics::par(pty = "s")
  on.exit(graphics::par(old))
  graphics::plot(draws, pch = 16, cex = 0.6, col = grDevices::adjustcolor(point_color, 0.35),
                 xlim = contour_range, ylim = contour_range, xlab = labels[1L], ylab = labels[2L],
                 main = paste(families[[x$family]]$label, "copula, tau",
                              format(model_tau(x)[1L, 2L], digits = 2)))
  graphics::contour(grid$z, grid$z, grid$density, add = TRUE, drawlabels = FALSE,
                    levels = contour_levels(grid$density), lwd = 1.5, col = "grey20")
}

# ---- the same pictures with ggplot2 ----

#' @rdname plot.cawi_copula
#' @exportS3Method ggplot2::autoplot
autoplot.cawi_copula <- function(object, type = NULL, n = 1000, features = NULL, seed = NULL,
                                 ...) {
  check_dots(rlang::enquos(...))
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
    ggplot2::scale_colour_manual(values = c("FALSE" = "grey15", "TRUE" = "white"),
                                 guide = "none")
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
    ggplot2::geom_point(size = 0.4, alpha = 0.4, colour = point_color) +
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
    ggplot2::geom_point(size = 0.4, alpha = 0.35, colour = point_color) +
    ggplot2::geom_contour(ggplot2::aes(z = .data$density), data = surface, colour = "grey20",
                          breaks = contour_levels(grid$density)) +
    ggplot2::coord_equal(xlim = contour_range, ylim = contour_range) +
    ggplot2::labs(x = labels[1L], y = labels[2L],
                  title = paste(families[[object$family]]$label, "copula")) +
    ggplot2::theme_minimal()
}
