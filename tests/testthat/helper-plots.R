# Copulas of every shape that pictures meet.
pictured <- list(
  fitted = cawi_copula(iris[, 1:4], "gaussian"),
  reflected = cawi_copula(iris[, 1:4], "clayton", reflect = TRUE),
  pair = cawi_copula_from("gumbel", dim = 2, theta = 2),
  fitted_pair = cawi_copula(iris[, 3:4], "frank"),
  # Not the same with its features exchanged.
  turned_pair = cawi_copula(cbind(up = iris[, 3], down = -iris[, 4]^2), "clayton", reflect = TRUE),
  single = cawi_copula_from("independence", dim = 1),
  singular = cawi_copula_from("t", dim = 2, cor = 1, df = 3),
  labeled_less = cawi_copula_from("clayton", dim = 20, theta = 1),
  wide = cawi_copula_from("gaussian", dim = 60, cor = 0.3)
)

# The pictures that make sense for each of them.
picture_types <- function(copula) {
  c("tau", if (copula$dim >= 2L) "draws", if (copula$dim == 2L && copula$family != "t") "contour")
}

tau_colors <- grDevices::hcl.colors(201, "Blue-Red 3")

# Tau of a copula by the formulas of its family.
tau_of <- function(copula) {
  tau <- switch(copula$family,
    gaussian = , t = 2 / pi * asin(copula$cor),
    matrix(slow_family_tau(copula$family, copula$theta), copula$dim, copula$dim)
  )
  signs <- if (is.null(copula$flipped)) rep(1, copula$dim) else ifelse(copula$flipped, -1, 1)
  tau <- tau * outer(signs, signs)
  diag(tau) <- 1
  labels <- if (is.null(copula$names)) paste0("V", seq_len(copula$dim)) else copula$names
  dimnames(tau) <- list(labels, labels)
  tau
}

# Runs code on a device that writes nothing.
on_null_device <- function(code) {
  grDevices::pdf(NULL)
  device <- grDevices::dev.cur()
  on.exit(grDevices::dev.off(device))
  force(code)
}

# The graphics calls of code with the values of their arguments, in order, as the device lists them
# for another page: `name` without its C_, `panel` counts calls of plot.new().
recorded <- function(code) {
  grDevices::pdf(NULL)
  device <- grDevices::dev.cur()
  on.exit(grDevices::dev.off(device))
  grDevices::dev.control("enable")
  force(code)
  calls <- lapply(as.list(grDevices::recordPlot()[[1]]), `[[`, 2L)
  symbol <- function(call) if (is.list(call[[1]])) sub("^C_", "", call[[1]]$name) else ""
  names <- vapply(calls, symbol, character(1))
  Map(function(call, name, panel) list(name = name, panel = panel, args = as.list(call)[-1]),
      calls, names, cumsum(names == "plot_new"))
}

# What `row` makes of the arguments of each call of a name, below each other. `call` tells which
# rows were drawn together, `panel` where.
drawn_rows <- function(picture, name, row) {
  chosen <- which(vapply(picture, function(call) call$name == name, logical(1)))
  do.call(rbind, lapply(chosen, function(i) {
    rows <- row(picture[[i]]$args)
    if (is.null(rows) || nrow(rows) == 0L) return(NULL)
    cbind(panel = picture[[i]]$panel, call = i, rows)
  }))
}

# Points and vertices of lines: plot(), points() and lines() are the same call.
drawn_points <- function(picture) drawn_vertices(picture, c("p", "b", "o"))
drawn_lines <- function(picture) drawn_vertices(picture, c("l", "b", "o"))

drawn_vertices <- function(picture, types) {
  rows <- drawn_rows(picture, "plotXY", function(args) {
    if (!args[[2]] %in% types) return(NULL)
    data.frame(x = as.double(args[[1]]$x), y = as.double(args[[1]]$y), pch = args[[3]],
               col = as.character(args[[5]]), cex = args[[7]])
  })
  # Symbols and places that are NA show nothing.
  if ("p" %in% types) rows[!is.na(rows$pch) & !is.na(rows$x) & !is.na(rows$y), ] else rows
}

drawn_text <- function(picture) {
  drawn_rows(picture, "text", function(args) {
    color <- if (is.null(args[[8]])) "black" else as.character(args[[8]])
    data.frame(x = as.double(args[[1]]$x), y = as.double(args[[1]]$y),
               text = as.character(args[[2]]), col = color)
  })
}

drawn_segments <- function(picture) {
  drawn_rows(picture, "segments", function(args) {
    # Lines without ink are none.
    if (all(args$lty %in% c("0", "blank"))) return(NULL)
    data.frame(x0 = args[[1]], y0 = args[[2]], x1 = args[[3]], y1 = args[[4]],
               col = as.character(args$col), lwd = args$lwd)
  })
}

drawn_rectangles <- function(picture) {
  drawn_rows(picture, "rect", function(args) {
    data.frame(x0 = args[[1]], y0 = args[[2]], x1 = args[[3]], y1 = args[[4]],
               border = as.character(args$border))
  })
}

# Outlines of polygons by their ends; those without a border are only areas.
drawn_boxes <- function(picture) {
  drawn_rows(picture, "polygon", function(args) {
    if (is.null(args[[4]]) || is.na(args[[4]])) return(NULL)
    data.frame(x0 = min(args[[1]]), y0 = min(args[[2]]), x1 = max(args[[1]]), y1 = max(args[[2]]))
  })
}

# Ticks that the picture chose itself, with their labels; R's own choices are not listed.
drawn_axis <- function(picture, side) {
  drawn_rows(picture, "axis", function(args) {
    off <- identical(if (side %% 2 == 1) args$xaxt else args$yaxt, "n")
    if (args[[1]] != side || off || is.null(args[[3]]) || is.logical(args[[3]])) return(NULL)
    data.frame(at = args[[2]], label = as.character(args[[3]]))
  })
}

# Lines through the panel: intercept and slope, or a height.
drawn_ablines <- function(picture) {
  value <- function(number) if (is.null(number)) NA_real_ else as.double(number)
  drawn_rows(picture, "abline", function(args) {
    data.frame(a = value(args[[1]]), b = value(args[[2]]), h = value(args[[3]]),
               v = value(args[[4]]))
  })
}

# One row per panel; titles that were not given are empty.
drawn_titles <- function(picture) {
  text <- function(label) if (is.null(label)) "" else as.character(label)
  rows <- drawn_rows(picture, "title", function(args) {
    data.frame(main = text(args[[1]]), xlab = text(args[[3]]), ylab = text(args[[4]]))
  })
  parts <- split(rows[c("main", "xlab", "ylab")], rows$panel)
  do.call(rbind, lapply(parts, function(part) as.data.frame(lapply(part, paste, collapse = ""))))
}

drawn_margins <- function(picture) {
  drawn_rows(picture, "mtext", function(args) {
    data.frame(text = as.character(args[[1]]), side = args[[2]], outer = args[[4]])
  })
}

drawn_windows <- function(picture) {
  drawn_rows(picture, "plot_window", function(args) {
    data.frame(left = args[[1]][1], right = args[[1]][2], low = args[[2]][1], high = args[[2]][2],
               log = args[[3]])
  })
}

# Cells of heat maps: their middles and colors.
drawn_cells <- function(picture) {
  middles <- function(edges) (edges[-1] + edges[-length(edges)]) / 2
  drawn_rows(picture, "image", function(args) {
    cells <- expand.grid(x = middles(args[[1]]), y = middles(args[[2]]))
    # Colors are counted from zero, row by row of the matrix, whose rows go along x.
    data.frame(cells, color = args[[4]][as.vector(args[[3]]) + 1])
  })
}

drawn_contours <- function(picture) {
  calls <- Filter(function(call) call$name == "contour", picture)
  lapply(calls, function(call) stats::setNames(call$args[1:4], c("x", "y", "z", "levels")))
}

# The values in the cells of a heat map by the labels at its axes, left and below: what a reader
# sees. `palette` runs from one end of `limits` to the other.
read_heat_map <- function(picture, panel, palette, limits) {
  of_panel <- function(rows) rows[rows$panel == panel, ]
  cells <- of_panel(drawn_cells(picture))
  as_labeled(cells, read_color(cells$color, palette, limits), of_panel(drawn_axis(picture, 1)),
              of_panel(drawn_axis(picture, 2)))
}

# The texts in the cells, likewise.
read_cell_text <- function(picture, panel) {
  of_panel <- function(rows) rows[rows$panel == panel, ]
  text <- of_panel(drawn_text(picture))
  as_labeled(text, text$text, of_panel(drawn_axis(picture, 1)), of_panel(drawn_axis(picture, 2)))
}

# A matrix with a row for each label at the left and a column for each below, both in alphabetical
# order.
as_labeled <- function(places, values, below, left) {
  column <- below$label[match(places$x, below$at)]
  row <- left$label[match(places$y, left$at)]
  stopifnot(!anyNA(row), !anyNA(column), !anyDuplicated(paste(row, column)))
  labels <- list(sort(unique(row)), sort(unique(column)))
  result <- matrix(values[NA_integer_], length(labels[[1]]), length(labels[[2]]), dimnames = labels)
  result[cbind(row, column)] <- values
  result
}

by_label <- function(table) table[sort(rownames(table)), sort(colnames(table)), drop = FALSE]

# The value that a color stands for: that of the nearest color of the palette.
read_color <- function(color, palette, limits) {
  shades <- grDevices::col2rgb(palette)
  nearest <- vapply(color, function(one) {
    which.min(colSums((shades - as.vector(grDevices::col2rgb(one)))^2))
  }, integer(1), USE.NAMES = FALSE)
  limits[1] + (nearest - 0.5) / length(palette) * diff(limits)
}

# Rows of a table without their order or their names.
unordered <- function(...) {
  table <- data.frame(...)
  table <- table[do.call(order, unname(as.list(table))), , drop = FALSE]
  rownames(table) <- NULL
  table
}

# A ggplot's layers as they are drawn, in old and new versions of the package.
layers_of <- function(picture) lapply(ggplot2::ggplot_build(picture)$data, as.data.frame)

# Expects layers of these kinds, in order: what a layer has is not what it draws.
expect_geoms <- function(picture, ...) {
  kinds <- vapply(picture$layers, function(layer) class(layer$geom)[1], "", USE.NAMES = FALSE)
  expect_identical(tolower(sub("^Geom", "", kinds)), c(...))
}

labels_of <- function(picture) {
  if ("get_labs" %in% getNamespaceExports("ggplot2")) return(ggplot2::get_labs(picture))
  picture$labels
}

# The labels at the ticks of an axis ("x" or "y") of a panel.
ticks_of <- function(picture, axis, panel = 1) {
  view <- ggplot2::ggplot_build(picture)$layout$panel_params[[panel]][[axis]]
  labels <- view$get_labels()
  labels[!is.na(labels)]
}

# The names of the facets.
facets_of <- function(picture, variable) {
  as.character(ggplot2::ggplot_build(picture)$layout$layout[[variable]])
}

# What a profile must show of an axis of a table of results, by the label of each value: the best
# mean, and the standard errors of the rows that reach it.
plain_profile <- function(results, axis, maximize) {
  best <- if (maximize) max else min
  values <- results[[axis]]
  parts <- split(results, factor(ifelse(is.na(values), "all", as.character(values))))
  lapply(parts, function(part) {
    list(mean = best(part$mean), se = part$se[part$mean == best(part$mean)])
  })
}

# Expects that points, bars and the mark of one panel are those of the table. All have the place of
# their value; `labels` are those at places 1, 2, ...
expect_profile <- function(results, axis, maximize, chosen, labels, points, bars, mark) {
  wanted <- plain_profile(results, axis, maximize)
  # Numbers may be written in several ways.
  numeric <- is.numeric(results[[axis]]) && !anyNA(results[[axis]])
  as_value <- function(label) if (numeric) as.double(label) else as.character(label)
  place <- match(as_value(names(wanted)), as_value(labels))
  expect_setequal(place, seq_along(labels))
  means <- vapply(wanted, `[[`, numeric(1), "mean")
  expect_identical(points$x, as.double(seq_along(labels)))
  expect_equal(points$y[place], means, ignore_attr = TRUE)
  expect_identical(mark$x, as.double(match(as_value(if (is.na(chosen)) "all" else chosen),
                                           as_value(labels))))
  expect_equal(mark$y, points$y[mark$x])
  if (numeric) expect_false(is.unsorted(as.double(labels)))
  # Numbers of inputs are in their order, and "all" comes last; names go from best to worst.
  if (axis == "inputs") {
    expect_false(is.unsorted(as.double(sub("all", "Inf", labels))))
  } else if (!is.numeric(results[[axis]])) {
    expect_false(is.unsorted(if (maximize) -points$y else points$y))
  }
  if (anyNA(unlist(lapply(wanted, `[[`, "se")))) {
    return(expect_true(is.null(bars) || all(is.na(bars$low))))
  }
  expect_identical(bars$x, points$x)
  expect_equal((bars$low + bars$high) / 2, points$y)
  for (i in seq_along(place)) {
    half <- (bars$high - bars$low)[place[i]] / 2
    expect_lt(min(abs(half - wanted[[i]]$se)), 1e-12)
  }
}

# The same of a recorded picture with one panel per axis, and of a ggplot.
expect_profiles <- function(picture, results, axes, maximize, chosen, label) {
  titles <- drawn_titles(picture)
  expect_identical(titles$main, axes)
  expect_identical(unique(titles$ylab), label)
  for (k in seq_along(axes)) {
    of_panel <- function(rows) if (!is.null(rows)) rows[rows$panel == k, ]
    points <- of_panel(drawn_points(picture))
    bars <- of_panel(drawn_segments(picture))
    if (!is.null(bars)) {
      expect_identical(bars$x0, bars$x1)
      bars <- data.frame(x = as.double(bars$x0), low = bars$y0, high = bars$y1)
    }
    ticks <- of_panel(drawn_axis(picture, 1))
    expect_identical(as.double(ticks$at), as.double(seq_len(nrow(ticks))))
    filled <- points[points$pch == 16, ]
    expect_profile(results, axes[k], maximize, chosen[[axes[k]]], ticks$label, filled, bars,
                   points[points$pch != 16 & points$cex > 2, ])
    # A line joins the points, and the panel holds them all.
    expect_identical(of_panel(drawn_lines(picture))[c("x", "y")], filled[c("x", "y")],
                     ignore_attr = "row.names")
    window <- of_panel(drawn_windows(picture))
    expect_true(window$left < 1 && window$right > nrow(ticks))
    expect_true(window$low <= min(points$y) && window$high >= max(points$y))
  }
}

expect_ggplot_profiles <- function(picture, results, axes, maximize, chosen, label) {
  layers <- layers_of(picture)
  expect_geoms(picture, "linerange", "line", "point", "point")
  expect_identical(facets_of(picture, "axis"), axes)
  expect_identical(labels_of(picture)$y, label)
  for (k in seq_along(axes)) {
    part <- lapply(layers, function(layer) {
      layer <- layer[layer$PANEL == k, ]
      layer$x <- as.double(layer$x)
      layer[order(layer$x), ]
    })
    bars <- data.frame(x = part[[1]]$x, low = part[[1]]$ymin, high = part[[1]]$ymax)
    expect_identical(unique(part[[4]]$shape), 1)
    expect_identical(part[[2]][c("x", "y")], part[[3]][c("x", "y")], ignore_attr = "row.names")
    expect_profile(results, axes[k], maximize, chosen[[axes[k]]], ticks_of(picture, "x", k),
                   part[[3]], bars, part[[4]])
  }
}
