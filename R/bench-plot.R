#' Plot a benchmark
#'
#' * `"gain"`: the gain of each distribution of the weights over the baseline on each set, sorted,
#'   with the mean.
#' * `"accuracy"`: accuracy against accuracy of the baseline; points above the line are gains.
#' * `"ranks"`: mean ranks with the critical difference of Nemenyi (Demšar, 2006); a bar joins
#'   distributions that do not differ. (`autoplot()` draws a bar of that length from every rank
#'   instead.)
#' * `"draws"`: the best mean accuracy on the test folds against the number of variants or draws
#'   tried (protocols `"paper"` and `"equal"`). It shows what choosing on the test folds gains from
#'   more tries. A line ends where some set has no more of them.
#'
#' @param x,object A `cawi_benchmark` from [cawi_benchmark()].
#' @param type Which picture.
#' @param model Which model, where there are several.
#' @param baseline Name of the distribution of the weights that the others are compared with
#'   (`"gain"`, `"accuracy"`).
#' @param ... Not used.
#' @return `plot` returns its argument, invisibly; `autoplot` a ggplot.
#' @references
#' Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. *Journal of
#' Machine Learning Research* 7, 1-30.
#' @examples
#' small <- list(iris = list(x = as.matrix(iris[, 1:4]), y = iris$Species),
#'               cars = list(x = as.matrix(mtcars[, 3:7]), y = factor(mtcars$am)),
#'               cylinders = list(x = as.matrix(mtcars[, 3:7]), y = factor(mtcars$cyl)))
#' grid <- cawi_grid(hidden = 10, activation = "sigmoid", lambda = 10^(-2:2))
#' b <- cawi_benchmark(small, init = c("iid", "gaussian", "frank"), grid = grid)
#' plot(b, "gain")
#' plot(b, "ranks")
#' @export
plot.cawi_benchmark <- function(x, type = c("gain", "accuracy", "ranks", "draws"), model = NULL,
                                baseline = "iid", ...) {
  check_dots(rlang::enquos(...))
  type <- check_choice(type, c("gain", "accuracy", "ranks", "draws"), "type")
  data <- benchmark_picture(x, type, model, baseline)
  switch(type, gain = plot_gains(data), accuracy = plot_accuracies(data), ranks = plot_ranks(data),
         draws = plot_draw_paths(data))
  invisible(x)
}

init_colors <- function(inits) {
  colors <- c("grey30", grDevices::hcl.colors(length(init_families), "Dark 3"))
  known <- match(inits, distribution_names)
  # Arms that the user named.
  others <- unique(inits[is.na(known)])
  own <- grDevices::hcl.colors(max(length(others), 2L), "Set 2")
  ifelse(is.na(known), own[match(inits, others)], colors[known])
}

# What a picture shows, for both kinds of graphics.
benchmark_picture <- function(x, type, model, baseline, call = caller_env()) {
  check_one_protocol(x, call)
  if (is.null(model)) model <- x$model[1L]
  model <- check_choice(model, unique(x$model), "model", call)
  table <- benchmark_matrix(x, model)
  title <- sprintf("%s, protocol %s, %s", model_acronyms[[model]], x$protocol[1L],
                   counted(nrow(table), "set"))
  if (nrow(table) == 0L) {
    abort_argument("x", "The distributions of the weights have no set in common.", call)
  }
  if (type == "draws") {
    return(list(data = draw_paths(x[x$set %in% rownames(table), ], model, call), title = title))
  }
  if (ncol(table) < 2L) {
    abort_argument("x", "This picture needs at least two distributions of the weights.", call)
  }
  if (type == "ranks") {
    if (nrow(table) < 3L) {
      abort_argument("type", "{.arg type} {.val ranks} needs at least three sets.", call)
    }
    comparison <- list(ranks = friedman_test(joined_rows(table))$ranks,
                       critical_difference = nemenyi_difference(ncol(table), nrow(table), 0.95))
    return(list(comparison = comparison, title = title))
  }
  baseline <- check_choice(baseline, colnames(table), "baseline", call)
  others <- setdiff(colnames(table), baseline)
  long <- do.call(rbind, lapply(others, function(init) {
    gain <- table[, init] - table[, baseline]
    data.frame(set = rownames(table), init = init, baseline = table[, baseline],
               accuracy = table[, init], gain = gain, place = rank(gain, ties.method = "first"))
  }))
  long$init <- factor(long$init, others)
  list(data = long, title = title, baseline = baseline)
}

draw_paths <- function(x, model, call) {
  rows <- as.data.frame(x)[x$fold == 0L & x$model == model, ]
  if (nrow(rows) == 0L) {
    abort_argument("type",
                   "{.arg type} {.val draws} needs the protocol {.val paper} or {.val equal}.",
                   call)
  }
  means <- stats::aggregate(accuracy ~ init + tried, rows, mean)
  counts <- stats::aggregate(accuracy ~ init + tried, rows, length)
  # Means over fewer sets cannot be compared with the others. A t arm has fewer variants on a set
  # whose fitted degrees of freedom are among the usual ones.
  means <- means[counts$accuracy == stats::ave(counts$accuracy, counts$init, FUN = max), ]
  means$accuracy <- 100 * means$accuracy
  means$init <- factor(means$init, unique(rows$init))
  means[order(means$init, means$tried), ]
}

plot_gains <- function(picture) {
  data <- picture$data
  inits <- levels(data$init)
  columns <- min(3L, length(inits))
  # Many panels shrink lines of text: margins come first, to be known, and put back, in old lines.
  old <- graphics::par(mar = c(3.5, 4.2, 2.2, 1), oma = c(0, 0, 2, 0),
                       mfrow = c(ceiling(length(inits) / columns), columns))
  on.exit(graphics::par(old))
  for (init in inits) {
    part <- data[data$init == init, ]
    part <- part[order(part$place), ]
    graphics::plot(part$place, part$gain, type = "n", ylim = range(0, data$gain), las = 1,
                   xlab = "", xaxt = "n", ylab = "gain, points",
                   main = sprintf("%s: %+.2f", init, mean(part$gain)))
    graphics::axis(1, whole_ticks(part$place))
    graphics::mtext("sets, sorted", 1, line = 2, cex = 0.7)
    graphics::abline(h = 0, col = "grey60")
    graphics::segments(part$place, 0, part$place, part$gain, col = init_colors(init), lwd = 2)
    graphics::abline(h = mean(part$gain), lty = 2)
  }
  graphics::mtext(picture$title, outer = TRUE, font = 2)
}

plot_accuracies <- function(picture) {
  data <- picture$data
  limits <- range(data$baseline, data$accuracy)
  old <- graphics::par(pty = "s", mar = c(4.5, 5, 3, 1), mgp = c(3.2, 0.8, 0))
  on.exit(graphics::par(old))
  graphics::plot(data$baseline, data$accuracy, type = "n", xlim = limits, ylim = limits, las = 1,
                 xlab = paste("accuracy,", picture$baseline, "(%)"), ylab = "accuracy, others (%)",
                 main = picture$title)
  graphics::abline(0, 1, col = "grey60")
  graphics::points(data$baseline, data$accuracy, pch = 16, cex = 0.8,
                   col = grDevices::adjustcolor(init_colors(as.character(data$init)), 0.6))
  graphics::legend("topleft", levels(data$init), pch = 16, col = init_colors(levels(data$init)),
                   bty = "n")
}

# The critical-difference diagram: a scale of ranks, names at its sides, bars that join what does
# not differ.
plot_ranks <- function(picture) {
  ranks <- sort(picture$comparison$ranks)
  k <- length(ranks)
  difference <- picture$comparison$critical_difference
  names <- sprintf(" %s (%.2f) ", names(ranks), ranks)
  rows <- ceiling(k / 2)
  # Margins as wide as the names.
  graphics::plot.new()
  side <- max(graphics::strwidth(names, "inches")) + 0.15
  old <- graphics::par(mai = c(0.1, side, 0.6, side), xpd = NA, new = TRUE)
  on.exit(graphics::par(old))
  graphics::plot(NA, xlim = c(1, k), ylim = c(-rows - 2.5, 2), axes = FALSE, xlab = "", ylab = "",
                 main = picture$title)
  graphics::segments(1, 0, k, 0, lwd = 2)
  graphics::segments(seq_len(k), 0, seq_len(k), 0.15)
  graphics::text(seq_len(k), 0.45, seq_len(k))
  graphics::segments(1, 1.1, 1 + difference, 1.1, lwd = 2)
  graphics::text(1, 1.6, sprintf("critical difference %.2f", difference), adj = 0)
  for (i in seq_len(k)) {
    left <- i <= rows
    height <- -(if (left) i else k - i + 1) - 1.5
    edge <- if (left) 1 else k
    graphics::lines(c(ranks[i], ranks[i], edge), c(0, height, height), col = "grey40")
    graphics::text(edge, height, names[i], adj = if (left) 1 else 0)
  }
  groups <- rank_groups(ranks, difference)
  for (g in seq_along(groups)) {
    height <- -0.3 - 0.3 * (g - 1)
    graphics::segments(ranks[groups[[g]][1L]] - 0.03, height, ranks[groups[[g]][2L]] + 0.03, height,
                       lwd = 5)
  }
}

# Longest runs of sorted ranks that span less than the critical difference.
rank_groups <- function(ranks, difference) {
  ends <- vapply(seq_along(ranks), function(i) max(which(ranks - ranks[i] < difference)),
                 integer(1))
  keep <- ends > seq_along(ranks) & !duplicated(ends)
  Map(c, which(keep), ends[keep])
}

# Counts have no halves.
whole_ticks <- function(x) unique(round(pretty(x)))

plot_draw_paths <- function(picture) {
  data <- picture$data
  inits <- levels(data$init)
  old <- graphics::par(mar = c(4.5, 5, 3, 1), mgp = c(3.6, 0.8, 0))
  on.exit(graphics::par(old))
  graphics::plot(data$tried, data$accuracy, type = "n", las = 1, xaxt = "n", xlab = "",
                 ylab = "best accuracy on the test folds, %", main = picture$title)
  graphics::axis(1, whole_ticks(data$tried))
  graphics::mtext("variants or draws tried", 1, line = 2.8, cex = graphics::par("cex"))
  for (init in inits) {
    part <- data[data$init == init, ]
    graphics::lines(part$tried, part$accuracy, type = "b", pch = 16, col = init_colors(init))
  }
  graphics::legend("bottomright", inits, col = init_colors(inits), lwd = 2, pch = 16, bty = "n")
}

#' @rdname plot.cawi_benchmark
#' @exportS3Method ggplot2::autoplot
autoplot.cawi_benchmark <- function(object, type = c("gain", "accuracy", "ranks", "draws"),
                                    model = NULL, baseline = "iid", ...) {
  check_dots(rlang::enquos(...))
  type <- check_choice(type, c("gain", "accuracy", "ranks", "draws"), "type")
  picture <- benchmark_picture(object, type, model, baseline)
  base <- switch(type,
    gain = autoplot_gains(picture$data),
    accuracy = autoplot_accuracies(picture$data, picture$baseline),
    ranks = autoplot_ranks(picture$comparison),
    draws = autoplot_draw_paths(picture$data)
  )
  base + ggplot2::labs(title = picture$title) + ggplot2::theme_minimal()
}

init_scale <- function(inits) {
  ggplot2::scale_colour_manual(values = stats::setNames(init_colors(inits), inits), name = NULL)
}

autoplot_gains <- function(data) {
  means <- stats::aggregate(gain ~ init, data, mean)
  ggplot2::ggplot(data, ggplot2::aes(.data$place, .data$gain, colour = .data$init)) +
    ggplot2::geom_hline(yintercept = 0, colour = "grey60") +
    ggplot2::geom_segment(ggplot2::aes(xend = .data$place, yend = 0)) +
    ggplot2::geom_hline(data = means, ggplot2::aes(yintercept = .data$gain), linetype = 2) +
    ggplot2::facet_wrap("init") +
    init_scale(levels(data$init)) +
    ggplot2::guides(colour = "none") +
    ggplot2::labs(x = "sets, sorted", y = "gain, points")
}

autoplot_accuracies <- function(data, baseline) {
  ggplot2::ggplot(data, ggplot2::aes(.data$baseline, .data$accuracy, colour = .data$init)) +
    ggplot2::geom_abline(colour = "grey60") +
    ggplot2::geom_point(alpha = 0.7) +
    ggplot2::coord_equal() +
    init_scale(levels(data$init)) +
    ggplot2::labs(x = paste("accuracy,", baseline, "(%)"), y = "accuracy, others (%)")
}

autoplot_ranks <- function(comparison) {
  ranks <- sort(comparison$ranks)
  data <- data.frame(init = factor(names(ranks), rev(names(ranks))), rank = ranks,
                     end = ranks + comparison$critical_difference)
  ggplot2::ggplot(data, ggplot2::aes(.data$rank, .data$init)) +
    ggplot2::geom_linerange(ggplot2::aes(xmin = .data$rank, xmax = .data$end),
                            colour = "grey70", linewidth = 2) +
    ggplot2::geom_point(size = 3) +
    ggplot2::labs(x = "mean rank; bars are one critical difference long", y = NULL)
}

autoplot_draw_paths <- function(data) {
  ggplot2::ggplot(data, ggplot2::aes(.data$tried, .data$accuracy, colour = .data$init)) +
    ggplot2::geom_line() +
    ggplot2::geom_point() +
    init_scale(levels(data$init)) +
    ggplot2::labs(x = "variants or draws tried", y = "best accuracy on the test folds, %")
}
