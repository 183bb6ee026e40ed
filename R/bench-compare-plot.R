#' Plot a comparison
#'
#' The mean gain of every method over the baseline with its interval. Further comparisons, for
#' instance of the same methods under other conditions, are drawn beside the first.
#'
#' @param x,object A `cawi_comparison` from [cawi_compare()], or from
#'   [summary()][summary.cawi_benchmark()] of a benchmark.
#' @param ... Further comparisons with the same baseline, named.
#' @param name Name of the first comparison in the legend.
#' @param main A title.
#' @return `plot` returns its argument, invisibly; `autoplot` a ggplot.
#' @examples
#' nested <- summary(cawi_recorded("nested"), seed = 1)$rvfl
#' equal <- summary(cawi_recorded("equal"), seed = 1)$rvfl
#' plot(nested, equal = equal, name = "nested")
#' @export
plot.cawi_comparison <- function(x, ..., name = "", main = paste("Gain over", x$baseline)) {
  check_comparison(x)
  draw_comparisons(checked_comparisons(x, list(...), name, main, environment()), main)
  invisible(x)
}

# The first and the others, by their names.
checked_comparisons <- function(x, others, name, main, call) {
  others <- check_other_comparisons(others, x$baseline, call)
  if (!is.null(main) && !is.character(main) && !is.expression(main)) {
    abort_argument("main", "{.arg main} must be a title, not {shown(main)}.", call)
  }
  if (!is_string(name)) {
    abort_argument("name", "{.arg name} must be one text, not {shown(name)}.", call)
  }
  c(stats::setNames(list(x), name), others)
}

check_other_comparisons <- function(others, baseline, call) {
  if (length(others) > 0L && !all(nzchar(rlang::names2(others)))) {
    abort_argument("dots", "Further arguments must be named results of {.fn cawi_compare}.", call)
  }
  own <- c("x", "object", "name", "main")
  foreign <- !vapply(others, inherits, logical(1), "cawi_comparison")
  check_dots(others[foreign], call = call, own = own)
  for (other in names(others)) check_comparison(others[[other]], other, call)
  if (!all(vapply(others, function(other) other$baseline == baseline, logical(1)))) {
    abort_argument("dots", "All comparisons must have the baseline {.val {baseline}}.", call)
  }
  others
}

draw_comparisons <- function(comparisons, main) {
  several <- length(comparisons) > 1L
  pairs <- lapply(comparisons, function(comparison) comparison$pairs)
  methods <- unique(unlist(lapply(pairs, function(pair) pair$method)))
  colors <- comparison_colors(length(pairs))
  graphics::plot.new()
  side <- max(graphics::strwidth(methods, "inches")) + 0.5
  old <- graphics::par(mai = c(0.9, side, 0.6, 0.2), las = 1, new = TRUE)
  on.exit(graphics::par(old))
  keys <- paste0(names(comparisons), "  ")
  fitting <- floor(graphics::par("pin")[1L] / (max(graphics::strwidth(keys, "inches")) + 0.6))
  columns <- max(1L, min(length(pairs), fitting))
  above <- if (several) legend_room(ceiling(length(pairs) / columns), length(methods)) else 0
  bounds <- range(0, unlist(lapply(pairs, function(pair) pair[c("low", "high")])))
  graphics::plot(NA, xlim = bounds, ylim = c(length(methods) + 0.5, 0.5 - above), yaxt = "n",
                 xlab = "gain, with interval", ylab = "", main = main)
  graphics::segments(0, 0.4, 0, length(methods) + 1, col = "grey60") # below the legend
  graphics::axis(2, seq_along(methods), methods, tick = FALSE)
  shift <- comparison_shifts(length(pairs))
  for (k in seq_along(pairs)) draw_gains(pairs[[k]], methods, shift[k], colors[k])
  if (several) {
    graphics::legend("top", keys, col = colors, pch = 16, lwd = 2, bty = "n", ncol = columns)
  }
}

comparison_colors <- function(count) {
  grDevices::hcl.colors(max(3L, count), "Dark 2")[seq_len(count)]
}

# The height of a legend with so many lines, in units of the methods below it.
legend_room <- function(lines, methods) {
  legend <- min(1.4 * (lines + 0.5) * graphics::par("cin")[2L], 0.6 * graphics::par("pin")[2L])
  methods * legend / (graphics::par("pin")[2L] - legend)
}

draw_gains <- function(pairs, methods, shift, color) {
  at <- match(pairs$method, methods) + shift
  graphics::segments(pairs$low, at, pairs$high, at, lwd = 2, col = color)
  graphics::points(pairs$gain, at, pch = 16, cex = 1.2, col = color)
}

#' @rdname plot.cawi_comparison
#' @exportS3Method ggplot2::autoplot
autoplot.cawi_comparison <- function(object, ..., name = "",
                                     main = paste("Gain over", object$baseline)) {
  check_comparison(object, "object")
  comparisons <- checked_comparisons(object, list(...), name, main, environment())
  table <- gain_table(comparisons)
  methods <- unique(table$method)
  several <- length(comparisons) > 1L
  ggplot2::ggplot(table, ggplot2::aes(.data$gain, .data$place, colour = .data$comparison)) +
    ggplot2::geom_vline(xintercept = 0, colour = "grey60") +
    ggplot2::geom_linerange(ggplot2::aes(xmin = .data$low, xmax = .data$high)) +
    ggplot2::geom_point(size = 2) +
    ggplot2::scale_y_reverse(breaks = seq_along(methods), labels = methods, minor_breaks = NULL) +
    ggplot2::scale_colour_manual(values = comparison_colors(length(comparisons))) +
    ggplot2::labs(x = "gain, with interval", y = NULL, title = main, colour = NULL) +
    ggplot2::theme_minimal() +
    ggplot2::theme(legend.position = if (several) "top" else "none")
}

# One line per method and comparison; comparisons stand below each other at each method.
gain_table <- function(comparisons) {
  labels <- make.unique(names(comparisons))
  table <- do.call(rbind, Map(function(comparison, label) {
    data.frame(comparison[["pairs"]][c("method", "gain", "low", "high")], comparison = label)
  }, comparisons, labels))
  shift <- comparison_shifts(length(comparisons))[match(table$comparison, labels)]
  table$place <- match(table$method, unique(table$method)) + shift
  table$comparison <- factor(table$comparison, labels)
  rownames(table) <- NULL
  table
}

comparison_shifts <- function(count) (seq_len(count) - (count + 1) / 2) * 0.7 / count
