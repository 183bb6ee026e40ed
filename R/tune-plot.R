#' Plot a tuned grid
#'
#' * `"profile"`: one panel per argument that has several values. It shows, for each value, the best
#'   result among all combinations with that value.
#' * `"surface"`: the result by penalty and number of columns of the readout, at the chosen values
#'   of all other arguments.
#'
#' The chosen combination is marked.
#'
#' @param x,object A `cawi_tuned` from [cawi_tune()].
#' @param type Which picture.
#' @param ... Not used.
#' @return `plot` returns its argument, invisibly; `autoplot` a ggplot.
#' @examples
#' grid <- cawi_grid(hidden = c(5, 10, 20, 40), spread = c(0.5, 1, 2), lambda = 10^(-4:2))
#' tuned <- cawi_tune(Species ~ ., iris, grid = grid, metric = "log_loss", seed = 1)
#' plot(tuned)
#' plot(tuned, type = "surface")
#' @export
plot.cawi_tuned <- function(x, type = c("profile", "surface"), ...) {
  check_dots(rlang::enquos(...))
  x <- check_tuned(x, "x")
  type <- check_choice(type, c("profile", "surface"), "type")
  if (type == "profile") plot_profile(x) else plot_surface(x)
  invisible(x)
}

# For every value of every axis the best result among the combinations that have it.
profile_table <- function(x) {
  axes <- names(x$grid)[lengths(x$grid) > 1L]
  if (length(axes) == 0L) {
    abort_argument("x", "{.arg x} has only one combination: there is nothing to plot.",
                   caller_env())
  }
  sign <- if (x$maximize) -1 else 1
  do.call(rbind, lapply(axes, function(axis) {
    values <- shown_values(x$grid[[axis]])
    best <- vapply(values, function(value) {
      rows <- which(x$results[[axis]] %in% value)
      rows[which.min(sign * x$results$mean[rows])]
    }, integer(1))
    # Numbers in their order, names from best to worst.
    order <- if (is.numeric(values)) order(values) else order(sign * x$results$mean[best])
    data.frame(axis = axis, value = tick_text(values[order]), place = seq_along(values),
               mean = x$results$mean[best[order]], se = x$results$se[best[order]],
               chosen = values[order] %in% x$chosen[[axis]])
  }))
}

tick_text <- function(values) {
  text <- if (is.numeric(values)) {
    format(signif(values, 3), trim = TRUE, drop0trailing = TRUE)
  } else {
    as.character(values)
  }
  # No number of inputs, or no end to it, means all of them.
  ifelse(is.na(values) | values %in% Inf, "all", text)
}

plot_profile <- function(x) {
  table <- profile_table(x)
  axes <- unique(table$axis)
  columns <- min(3L, length(axes))
  # Many panels shrink lines of text: margins come first, to be known, and put back, in old lines.
  old <- graphics::par(mar = c(6, 5.2, 2.5, 1), mfrow = c(ceiling(length(axes) / columns), columns))
  on.exit(graphics::par(old))
  limits <- range(table$mean + table$se, table$mean - table$se, table$mean, na.rm = TRUE)
  for (axis in axes) {
    part <- table[table$axis == axis, ]
    graphics::plot(part$place, part$mean, type = "n", ylim = limits,
                   xlim = c(0.7, nrow(part) + 0.3), xaxt = "n", las = 1, xlab = "",
                   ylab = "", main = axis)
    graphics::title(ylab = metric_label(x$metric), line = 4)
    graphics::axis(1, part$place, part$value, las = 2,
                   cex.axis = if (nrow(part) > 9L) 0.75 else 0.9)
    if (!anyNA(part$se)) {
      graphics::segments(part$place, part$mean - part$se, part$place, part$mean + part$se,
                         col = "grey70")
    }
    graphics::lines(part$place, part$mean, col = point_color)
    graphics::points(part$place, part$mean, pch = 16, col = point_color)
    graphics::points(part$place[part$chosen], part$mean[part$chosen], cex = 2.2, lwd = 2)
  }
}

# Results at the chosen values of everything but penalty and size.
surface_table <- function(x) {
  sizes <- c("hidden", "windows", "nodes", "enhancement", "enhancement_windows")
  fixed <- setdiff(names(x$grid), c("lambda", sizes))
  keep <- rep(TRUE, nrow(x$results))
  for (axis in fixed) keep <- keep & x$results[[axis]] %in% x$chosen[[axis]]
  table <- x$results[keep, ]
  if (length(unique(table$columns)) < 2L || length(unique(table$lambda)) < 2L) {
    abort_argument("type", "{.arg type} {.val surface} needs several penalties and several sizes.",
                   caller_env())
  }
  # Shapes with the same number of columns: the better one is shown.
  sign <- if (x$maximize) -1 else 1
  table$chosen <- table$combination == x$chosen$combination
  table <- table[order(sign * table$mean, !table$chosen), ]
  table <- table[!duplicated(table[c("lambda", "columns")]), ]
  table[order(table$columns, table$lambda), ]
}

plot_surface <- function(x) {
  table <- surface_table(x)
  lambdas <- sort(unique(table$lambda))
  columns <- sort(unique(table$columns))
  z <- matrix(NA_real_, length(lambdas), length(columns))
  place <- cbind(match(table$lambda, lambdas), match(table$columns, columns))
  z[place] <- table$mean
  old <- graphics::par(mar = c(5, 5, 3, 1))
  on.exit(graphics::par(old))
  graphics::image(seq_along(lambdas), seq_along(columns), z, axes = FALSE, xlab = "lambda",
                  ylab = "columns of the readout", col = surface_colors(x$maximize),
                  main = paste(metric_label(x$metric), "by", x$resampling))
  graphics::axis(1, seq_along(lambdas), tick_text(lambdas), tick = FALSE)
  graphics::axis(2, seq_along(columns), columns, las = 1, tick = FALSE)
  if (length(z) <= 200L) {
    share <- (z - min(z, na.rm = TRUE)) / max(diff(range(z, na.rm = TRUE)), 1e-300)
    dark <- if (x$maximize) share > 0.6 else share < 0.4
    graphics::text(place[, 1L], place[, 2L], format(signif(table$mean, 3)), cex = 0.7,
                   col = ifelse(dark[place], "white", "grey15"))
  }
  best <- place[table$chosen, , drop = FALSE]
  graphics::rect(best[, 1L] - 0.5, best[, 2L] - 0.5, best[, 1L] + 0.5, best[, 2L] + 0.5, lwd = 4,
                 border = mark_color)
}

mark_color <- "#E69F00"

# Dark is good.
surface_colors <- function(maximize) grDevices::hcl.colors(100, "Blues 3", rev = maximize)

#' @rdname plot.cawi_tuned
#' @exportS3Method ggplot2::autoplot
autoplot.cawi_tuned <- function(object, type = c("profile", "surface"), ...) {
  check_dots(rlang::enquos(...))
  object <- check_tuned(object)
  type <- check_choice(type, c("profile", "surface"), "type")
  if (type == "surface") autoplot_surface(object) else autoplot_profile(object)
}

autoplot_profile <- function(object) {
  table <- profile_table(object)
  table$axis <- factor(table$axis, unique(table$axis))
  # Values of different axes may have the same text; each keeps its own place.
  table$label <- factor(paste(table$axis, table$value), unique(paste(table$axis, table$value)))
  ggplot2::ggplot(table, ggplot2::aes(.data$label, .data$mean, group = .data$axis)) +
    ggplot2::geom_linerange(ggplot2::aes(ymin = .data$mean - .data$se,
                                         ymax = .data$mean + .data$se),
                            colour = "grey70", na.rm = TRUE) +
    ggplot2::geom_line(colour = point_color) +
    ggplot2::geom_point(colour = point_color) +
    ggplot2::geom_point(data = table[table$chosen, ], size = 4, shape = 1) +
    ggplot2::facet_wrap("axis", scales = "free_x") +
    ggplot2::scale_x_discrete(labels = function(label) sub("^[^ ]+ ", "", label)) +
    ggplot2::labs(x = NULL, y = metric_label(object$metric)) +
    ggplot2::theme_minimal() +
    ggplot2::theme(axis.text.x = ggplot2::element_text(angle = 45, hjust = 1))
}

autoplot_surface <- function(object) {
  table <- surface_table(object)
  table$size <- factor(table$columns)
  table$penalty <- factor(table$lambda, labels = tick_text(sort(unique(table$lambda))))
  ggplot2::ggplot(table, ggplot2::aes(.data$penalty, .data$size, fill = .data$mean)) +
    ggplot2::geom_tile() +
    ggplot2::geom_tile(data = table[table$chosen, ], fill = NA, colour = mark_color,
                       linewidth = 1.2) +
    ggplot2::scale_fill_gradientn(colours = surface_colors(object$maximize)) +
    ggplot2::labs(x = "lambda", y = "columns of the readout", fill = metric_label(object$metric)) +
    ggplot2::theme_minimal() +
    ggplot2::theme(panel.grid = ggplot2::element_blank())
}
