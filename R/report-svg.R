# Pictures of a report: drawings in SVG with text that can be read and selected, in the colors of
# the page, light or dark. They need no graphics device.

# A panel with axes: the ranges of x and y, whether they are logarithmic, and room for the labels.
new_panel <- function(x, y, x_label, y_label, log = "", ticks = NULL) {
  panel <- list(width = 440, height = 300, right = 14, top = 12, bottom = 46,
                x = new_scale(x, grepl("x", log, fixed = TRUE), ticks),
                y = new_scale(y, grepl("y", log, fixed = TRUE)),
                x_label = shorten(x_label, 40L), y_label = shorten(y_label, 30L))
  panel$left <- 30 + 7 * max(nchar(panel$y$labels))
  panel
}

# Ticks within a range of values that is a little wider than the values.
new_scale <- function(values, log = FALSE, ticks = NULL) {
  values <- values[is.finite(values)]
  if (log) values <- log10(values[values > 0])
  if (length(values) == 0L) values <- 0
  if (!is.null(ticks)) {
    return(list(range = c(0.5, length(ticks) + 0.5), at = seq_along(ticks), labels = ticks,
                log = FALSE))
  }
  range <- grDevices::extendrange(values, f = 0.04)
  if (diff(range) == 0) range <- range + c(-0.5, 0.5) * max(abs(range[1L]), 1e-8)
  at <- if (log) log_ticks(range) else pretty(range, 5L)
  at <- at[at >= range[1L] & at <= range[2L]]
  labels <- if (log) format_each(10^at) else format(signif(at, 8), trim = TRUE, digits = 5)
  list(range = range, at = at, labels = labels, log = log)
}

# Powers of ten, or round numbers where there are fewer than two of them.
log_ticks <- function(range) {
  powers <- unique(round(pretty(range, 5L)))
  if (sum(powers >= range[1L] & powers <= range[2L]) >= 2L) return(powers)
  round_numbers <- pretty(10^range, 5L)
  log10(round_numbers[round_numbers > 0])
}

format_each <- function(values) vapply(values, function(v) format(v, digits = 3), "")

# Places on the drawing.
at_x <- function(panel, x) {
  scale <- panel$x
  if (scale$log) x <- log10(x)
  share <- (x - scale$range[1L]) / diff(scale$range)
  panel$left + share * (panel$width - panel$left - panel$right)
}
at_y <- function(panel, y) {
  scale <- panel$y
  if (scale$log) y <- log10(y)
  share <- (y - scale$range[1L]) / diff(scale$range)
  panel$height - panel$bottom - share * (panel$height - panel$top - panel$bottom)
}

pixels <- function(v) sprintf("%.1f", v)

svg_line <- function(panel, x, y, class) {
  points <- paste(pixels(at_x(panel, x)), pixels(at_y(panel, y)), sep = ",", collapse = " ")
  html(sprintf("<polyline class=\"%s\" points=\"%s\"/>", class, points))
}

svg_points <- function(panel, x, y, class, radius = 3.5) {
  html(sprintf("<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"%s\"/>", class,
               pixels(at_x(panel, x)), pixels(at_y(panel, y)), format(radius)))
}

# Upright bars from `low` to `high`.
svg_ranges <- function(panel, x, low, high, class) {
  html(sprintf("<line class=\"%s\" x1=\"%s\" x2=\"%s\" y1=\"%s\" y2=\"%s\"/>", class,
               pixels(at_x(panel, x)), pixels(at_x(panel, x)), pixels(at_y(panel, low)),
               pixels(at_y(panel, high))))
}

svg_boxes <- function(panel, x0, x1, y0, y1, class) {
  left <- at_x(panel, x0)
  top <- at_y(panel, y1)
  html(sprintf("<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>", class,
               pixels(left), pixels(top), pixels(pmax(at_x(panel, x1) - left - 1, 0.5)),
               pixels(pmax(at_y(panel, y0) - top, 0))))
}

svg_text <- function(x, y, text, class = "tick", anchor = "middle", turn = NULL) {
  turned <- turned_text(x, y, turn)
  html(sprintf("<text class=\"%s\" x=\"%s\" y=\"%s\" text-anchor=\"%s\"%s>%s</text>", class,
               pixels(x), pixels(y), anchor, turned, escaped(text)))
}

turned_text <- function(x, y, turn) {
  if (is.null(turn)) return("")
  sprintf(" transform=\"rotate(%s %s %s)\"", turn, pixels(x), pixels(y))
}

# Grid lines with their labels, and the names of the axes.
svg_axes <- function(panel) {
  bottom <- panel$height - panel$bottom
  x <- at_x(panel, if (panel$x$log) 10^panel$x$at else panel$x$at)
  y <- at_y(panel, if (panel$y$log) 10^panel$y$at else panel$y$at)
  shown <- evenly_labeled(panel$x$labels, panel$width - panel$left - panel$right)
  grid <- c(
    sprintf("<line class=\"grid\" x1=\"%s\" x2=\"%s\" y1=\"%s\" y2=\"%s\"/>", pixels(x), pixels(x),
            panel$top, bottom),
    sprintf("<line class=\"grid\" x1=\"%s\" x2=\"%s\" y1=\"%s\" y2=\"%s\"/>", pixels(panel$left),
            panel$width - panel$right, pixels(y), pixels(y))
  )
  list(
    html(grid),
    svg_text(x[shown], bottom + 17, panel$x$labels[shown]),
    svg_text(panel$left - 7, y + 4, panel$y$labels, anchor = "end"),
    svg_text((panel$left + panel$width - panel$right) / 2, panel$height - 8, panel$x_label, "axis"),
    svg_text(13, (panel$top + bottom) / 2, panel$y_label, "axis", turn = -90)
  )
}

# Every label, or every second, third, ... one where they would run into each other.
evenly_labeled <- function(labels, room) {
  most <- max(1, floor(room / (6.6 * max(nchar(labels)) + 8)))
  seq(1L, length(labels), by = ceiling(length(labels) / most))
}

# A figure with its caption, which also tells those who cannot see it what is there.
figure <- function(parts, caption, size = c(440, 300)) {
  drawing <- tag("svg", viewBox = sprintf("0 0 %d %d", size[1L], size[2L]), role = "img",
                 `aria-label` = caption, xmlns = "http://www.w3.org/2000/svg", parts)
  tag("figure", drawing, tag("figcaption", caption))
}

panel_figure <- function(panel, parts, caption) {
  figure(list(svg_axes(panel), parts), caption, c(panel$width, panel$height))
}

figures <- function(...) tag("div", class = "figures", ...)

# A matrix of numbers from -1 to 1 as colors.
heat_map <- function(values, labels, caption) {
  d <- ncol(values)
  room <- if (d <= 40L) 16 + 6 * max(nchar(labels)) else 8
  cell <- (440 - room - 4) / d
  size <- max(5, min(12, 0.8 * cell))
  place <- expand.grid(row = seq_len(d), column = seq_len(d))
  value <- values[as.matrix(place)]
  colors <- tau_palette()[1 + round(100 * (pmin(pmax(value, -1), 1) + 1))]
  left <- room + (place$column - 1) * cell
  top <- 4 + (place$row - 1) * cell
  cells <- sprintf("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>", left,
                   top, cell, cell, colors)
  ink <- ifelse(abs(value) > 0.6, "on-dark", "on-light")
  texts <- if (d <= 8L) {
    svg_text(left + cell / 2, top + cell / 2 + 4, sprintf("%.2f", value), ink)
  }
  names <- if (d <= 40L) {
    middle <- (seq_len(d) - 0.5) * cell
    list(svg_sized(room - 6, 4 + middle + size / 3, labels, size, NULL),
         svg_sized(room + middle + size / 3, 440 - room + 6, labels, size, -90))
  }
  figure(list(html(cells), texts, names), caption, c(440, 440))
}

# Labels that end at a place, in a size of their own.
svg_sized <- function(x, y, text, size, turn) {
  turned <- turned_text(x, y, turn)
  head <- "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\""
  html(sprintf(paste0(head, " style=\"font-size:%.1fpx\"%s>%s</text>"), x, y, size, turned,
               escaped(text)))
}
