# Pictures and prints of importance and effects.

#' @export
print.cawi_importance <- function(x, n = 20, ...) {
  check_dots(rlang::enquos(...))
  n <- check_count(n, "n", min = 0)
  check_importance(x)
  cat(sprintf("<cawi_importance> %s, %s\n", counted(nrow(x), "feature"),
              importance_label(attr(x, "method"))))
  print(utils::head(as.data.frame(x), n), row.names = FALSE, digits = 3)
  if (nrow(x) > n) cat(sprintf("... and %d more\n", nrow(x) - n))
  invisible(x)
}

importance_label <- function(method) {
  c(gradient = "root mean square slope per standard deviation",
    permutation = "loss by permutation")[[method]]
}

# Rows that were taken out or added leave it whole.
check_importance <- function(x, call = caller_env()) {
  check_data_only(x, "x", call)
  # One row has no standard error.
  fits <- holds(
    is_number_frame(x, "importance") && is_sound_frame(x, c("feature", "se")) &&
      is.character(x$feature) && !anyNA(x$feature) && is.numeric(x$se) &&
      all(is.finite(x$importance)) && !any(is.infinite(x$se)) &&
      is_word(attr(x, "method"), c("gradient", "permutation"))
  )
  if (!fits) abort_argument("x", "{.arg x} is not a whole {.cls cawi_importance}.", call)
}

#' @export
as.data.frame.cawi_importance <- function(x, ...) plain_frame(x)

#' @export
as.data.frame.cawi_effects <- function(x, ...) plain_frame(x)

plain_frame <- function(x) {
  class(x) <- "data.frame"
  attributes(x) <- attributes(x)[c("names", "row.names", "class")]
  x
}

#' Plot importance and effects
#'
#' Importance is shown with two standard errors to both sides. Effects have one panel per feature;
#' lines are numbers and points are levels of factors, with one color per class or output. Ticks
#' below are values of the feature.
#'
#' @param x,object A `cawi_importance` or `cawi_effects`.
#' @param n The number of features that are shown.
#' @param ... Not used.
#' @return `plot` returns its argument, invisibly; `autoplot` a ggplot.
#' @examples
#' fit <- cawi_rvfl(Species ~ ., iris, seed = 1)
#' plot(cawi_importance(fit))
#' plot(cawi_effects(fit, c("Petal.Length", "Petal.Width")))
#' @name plot.cawi_importance
#' @export
plot.cawi_importance <- function(x, n = 20, ...) {
  check_dots(rlang::enquos(...))
  check_importance(x)
  table <- utils::head(x, check_count(n, "n"))
  place <- rev(seq_len(nrow(table)))
  # Labels have at most half of the picture.
  width <- max(graphics::strwidth(table$feature, "inches"))
  size <- min(0.85, (0.5 * graphics::par("din")[1L] - 0.3) / width)
  old <- graphics::par(mai = replace(graphics::par("mai"), 2L, size * width + 0.3))
  on.exit(graphics::par(old))
  ends <- importance_ends(table)
  graphics::plot(table$importance, place, type = "n", yaxt = "n", ylab = "",
                 xlab = importance_label(attr(x, "method")), ylim = c(0.5, nrow(table) + 0.5),
                 xlim = grDevices::extendrange(c(0, ends$low, ends$high), f = 0.02))
  graphics::abline(h = place, col = "grey92")
  graphics::abline(v = 0, col = "grey60")
  graphics::axis(2, place, table$feature, las = 1, tick = FALSE, cex.axis = size)
  graphics::segments(ends$low, place, ends$high, place, col = point_color, lwd = 2)
  graphics::points(table$importance, place, pch = 16, cex = 1.2, col = point_color)
  invisible(x)
}

importance_ends <- function(table) {
  middle <- unname(table$importance)
  margin <- 2 * unname(table$se)
  data.frame(low = middle - margin, high = middle + margin)
}

#' @rdname plot.cawi_importance
#' @exportS3Method ggplot2::autoplot
autoplot.cawi_importance <- function(object, n = 20, ...) {
  check_dots(rlang::enquos(...))
  check_importance(object)
  table <- utils::head(plain_frame(object), check_count(n, "n"))
  table <- cbind(table, importance_ends(table))
  # Two tables in one have a feature twice.
  table$feature <- factor(table$feature, rev(unique(table$feature)))
  ggplot2::ggplot(table, ggplot2::aes(.data$importance, .data$feature)) +
    ggplot2::geom_vline(xintercept = 0, colour = "grey60") +
    ggplot2::geom_segment(ggplot2::aes(x = .data$low, xend = .data$high, yend = .data$feature),
                          colour = point_color) +
    ggplot2::geom_point(colour = point_color, size = 2) +
    ggplot2::labs(x = importance_label(attr(object, "method")), y = NULL) +
    ggplot2::theme_minimal()
}

#' @export
print.cawi_effects <- function(x, n = 6, ...) {
  check_dots(rlang::enquos(...))
  n <- check_count(n, "n", min = 0)
  check_effects(x)
  cat(sprintf("<cawi_effects> %s of %s\n", effects_label(attr(x, "method")),
              counted(length(unique(x$feature)), "feature")))
  for (name in unique(x$feature)) {
    wide <- wide_effects(x[x$feature == name, ])
    cat(sprintf("\n%s\n", name))
    shown <- if (is.character(wide[[1L]])) seq_len(nrow(wide)) else evenly(nrow(wide), max(n, 1))
    print(wide[shown, , drop = FALSE], row.names = FALSE, digits = 3)
    if (length(shown) < nrow(wide)) cat(sprintf("(%d of %d values)\n", length(shown), nrow(wide)))
  }
  invisible(x)
}

effects_label <- function(method) {
  c(ale = "accumulated local effects", pdp = "partial dependence")[[method]]
}

check_effects <- function(x, call = caller_env()) {
  check_data_only(x, "x", call)
  names <- c("feature", "output")
  fits <- holds(
    is_sound_frame(x, c(names, "value", "level", "effect")) &&
      all(vapply(unclass(x)[names], function(v) is.character(v) && !anyNA(v), logical(1))) &&
      is.numeric(x$effect) && all(is.finite(x$effect)) && is.numeric(x$value) &&
      !any(is.infinite(x$value)) && is.character(x$level) &&
      all(is.na(x$level) != is.na(x$value)) && has_even_effects(x) &&
      is_word(attr(x, "method"), c("ale", "pdp")) && is_flag(attr(x, "classes"))
  )
  if (!fits) abort_argument("x", "{.arg x} is not a whole {.cls cawi_effects}.", call)
}

# Every feature has the same values for all outputs, and either numbers or levels.
has_even_effects <- function(x) {
  all(vapply(split(seq_along(x$feature), x$feature), function(rows) {
    values <- split(paste(x$value, x$level)[rows], x$output[rows])
    length(unique(values)) == 1L && length(unique(is.na(x$level[rows]))) == 1L
  }, logical(1)))
}

# One column per output.
wide_effects <- function(part) {
  outputs <- unique(part$output)
  own <- part[part$output == outputs[1L], ]
  effects <- matrix(part$effect, ncol = length(outputs), dimnames = list(NULL, outputs))
  value <- unname(if (all(is.na(own$level))) own$value else own$level)
  if (length(outputs) == 1L) colnames(effects) <- "effect"
  data.frame(value = value, effects, check.names = FALSE)
}

#' @rdname plot.cawi_importance
#' @export
plot.cawi_effects <- function(x, ...) {
  check_dots(rlang::enquos(...))
  check_effects(x)
  names <- unique(x$feature)
  many <- length(unique(x$output)) > 1L
  layout <- grDevices::n2mfrow(length(names))
  old <- graphics::par(mar = c(4.2, 4.2, if (many) 3.4 else 1, 1), mfrow = layout)
  on.exit(graphics::par(old))
  for (name in names) plot_effect(x, name)
  invisible(x)
}

effect_axis <- function(x) {
  what <- if (attr(x, "classes")) "probability" else "prediction"
  if (attr(x, "method") == "ale") paste("effect on the", what) else paste("mean", what)
}

plot_effect <- function(x, name) {
  part <- wide_effects(x[x$feature == name, ])
  outputs <- unique(x$output)
  levels <- is.character(part$value)
  at <- if (levels) seq_len(nrow(part)) else part$value
  colors <- output_colors(length(outputs))
  # Effects of all features have one scale: what matters little looks flat.
  graphics::plot(range(at) + if (levels) c(-0.3, 0.3) else 0, range(x$effect), type = "n",
                 xlab = name, ylab = effect_axis(x), xaxt = if (levels) "n" else "s", las = 1)
  if (attr(x, "method") == "ale") graphics::abline(h = 0, col = "grey80")
  if (levels) graphics::axis(1, at, part$value, tick = FALSE) else graphics::rug(at, col = "grey50")
  for (k in seq_along(outputs)) {
    graphics::lines(at, part[[k + 1L]], type = if (levels) "p" else "l", col = colors[k], lwd = 2,
                    pch = 16, cex = 1.3)
  }
  if (length(outputs) == 1L || length(outputs) > 8L) return(invisible())
  graphics::legend("bottom", legend = outputs, col = colors, lwd = 2, bty = "n", xpd = NA,
                   horiz = TRUE, inset = c(0, 1.02), cex = 0.8)
}

output_colors <- function(count) {
  if (count == 1L) point_color else grDevices::hcl.colors(count, "Dark 3")
}

#' @rdname plot.cawi_importance
#' @exportS3Method ggplot2::autoplot
autoplot.cawi_effects <- function(object, ...) {
  check_dots(rlang::enquos(...))
  check_effects(object)
  outputs <- unique(object$output)
  table <- placed_effects(plain_frame(object))
  effect_picture(table, outputs) +
    ggplot2::facet_wrap("feature", scales = "free_x") +
    effect_scale(table) +
    ggplot2::scale_colour_manual(values = stats::setNames(output_colors(length(outputs)), outputs),
                                 guide = if (length(outputs) == 1L) "none" else "legend",
                                 name = NULL) +
    ggplot2::labs(x = NULL, y = effect_axis(object)) +
    ggplot2::theme_minimal()
}

# All panels share a scale of numbers: levels have places beyond all values, ten apart from feature
# to feature, and the scale has their names.
placed_effects <- function(table) {
  beyond <- 10 * (1 + max(abs(table$value), 0, na.rm = TRUE))
  table$at <- table$value
  for (name in unique(table$feature[!is.na(table$level)])) {
    own <- table$feature == name
    place <- match(table$level[own], unique(table$level[own]))
    table$at[own] <- beyond + place
    beyond <- beyond + max(place) + 10
  }
  table
}

effect_scale <- function(table) {
  named <- table[!is.na(table$level) & !duplicated(table$at), ]
  ggplot2::scale_x_continuous(
    breaks = function(limits) {
      own <- named$at[named$at >= limits[1L] & named$at <= limits[2L]]
      if (length(own) > 0L) own else pretty(limits)
    },
    labels = function(breaks) {
      at <- match(breaks, named$at)
      ifelse(is.na(at), format(breaks), named$level[at])
    }
  )
}

effect_picture <- function(table, outputs) {
  table$output <- factor(table$output, outputs)
  table$feature <- factor(table$feature, unique(table$feature))
  levels <- !is.na(table$level)
  picture <- ggplot2::ggplot(table, ggplot2::aes(.data$at, .data$effect, colour = .data$output))
  if (any(!levels)) {
    first <- table$output == outputs[1L]
    picture <- picture + ggplot2::geom_line(data = table[!levels, ]) +
      ggplot2::geom_rug(data = table[!levels & first, ], sides = "b", colour = "grey50")
  }
  if (any(levels)) picture <- picture + ggplot2::geom_point(data = table[levels, ], size = 2)
  picture
}
