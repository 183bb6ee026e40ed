#' Plot a comparison
#'
#' The mean gain of every method over the baseline with its interval. Further comparisons, of the same methods under
#' other conditions say, are drawn beside the first.
#'
#' @param x A `cawi_comparison` from [cawi_compare()], or from [summary()][summary.cawi_benchmark()] of a benchmark.
#' @param ... Further comparisons with the same baseline, named.
#' @param name What the first is called in the legend.
#' @param main A title.
#' @return Its argument, invisibly.
#' @examples
#' nested <- summary(cawi_recorded("nested"))$rvfl
#' plot(nested, equal = summary(cawi_recorded("equal"))$rvfl, name = "nested")
#' @export
plot.cawi_comparison <- function(x, ..., name = "", main = paste("Gain over", x$baseline)) {
  call <- environment()
  check_comparison(x)
  others <- list(...)
  named <- length(others) == 0L || (!is.null(names(others)) && all(nzchar(names(others))))
  if (!named) {
    abort_argument("dots", "Further arguments must be named results of {.fn cawi_compare}.", call)
  }
  check_dots(others[!vapply(others, inherits, logical(1), "cawi_comparison")])
  for (other in names(others)) check_comparison(others[[other]], other)
  if (!is.null(main) && !is.character(main) && !is.expression(main)) {
    abort_argument("main", "{.arg main} must be a title, not {shown(main)}.", call)
  }
  if (!is_string(name)) abort_argument("name", "{.arg name} must be one text, not {shown(name)}.", call)
  if (!all(vapply(others, function(comparison) comparison$baseline == x$baseline, logical(1)))) {
    abort_argument("dots", "All comparisons must have the baseline {.val {x$baseline}}.", call = environment())
  }
  all <- c(stats::setNames(list(x), name), others)
  methods <- unique(unlist(lapply(all, function(comparison) comparison$pairs$method)))
  colours <- grDevices::hcl.colors(max(3L, length(all)), "Dark 2")[seq_along(all)]
  bounds <- range(0, unlist(lapply(all, function(comparison) comparison$pairs[c("low", "high")])))
  graphics::plot.new()
  side <- max(graphics::strwidth(methods, "inches")) + 0.5
  old <- graphics::par(mai = c(0.9, side, 0.6, 0.2), las = 1, new = TRUE)
  on.exit(graphics::par(old))
  keys <- paste0(names(all), "  ")
  fitting <- floor(graphics::par("pin")[1L] / (max(graphics::strwidth(keys, "inches")) + 0.6))
  columns <- max(1L, min(length(all), fitting))
  above <- if (length(all) > 1L) legend_room(ceiling(length(all) / columns), length(methods)) else 0
  graphics::plot(NA, xlim = bounds, ylim = c(length(methods) + 0.5, 0.5 - above), yaxt = "n",
                 xlab = "gain, with interval", ylab = "", main = main)
  graphics::segments(0, 0.4, 0, length(methods) + 1, col = "grey60") # below the legend
  graphics::axis(2, seq_along(methods), methods, tick = FALSE)
  step <- 0.7 / length(all)
  for (k in seq_along(all)) draw_gains(all[[k]]$pairs, methods, (k - (length(all) + 1) / 2) * step, colours[k])
  if (length(all) > 1L) graphics::legend("top", keys, col = colours, pch = 16, lwd = 2, bty = "n", ncol = columns)
  invisible(x)
}

# Lines of a legend above some rows of a picture, in rows.
legend_room <- function(lines, rows) {
  legend <- min(1.4 * (lines + 0.5) * graphics::par("cin")[2L], 0.6 * graphics::par("pin")[2L])
  rows * legend / (graphics::par("pin")[2L] - legend)
}

draw_gains <- function(pairs, methods, shift, colour) {
  at <- match(pairs$method, methods) + shift
  graphics::segments(pairs$low, at, pairs$high, at, lwd = 2, col = colour)
  graphics::points(pairs$gain, at, pch = 16, cex = 1.2, col = colour)
}
