# How good the model is: figures and pictures of exact leave-one-out.

section_quality <- function(about) {
  whole <- about$whole
  if (is.null(whole$loo)) {
    return(note("The model has no leave-one-out figures: it was updated, or its problem is",
                " singular."))
  }
  head <- paragraph("Every figure is of rows that were left out: each row is predicted by the",
                    " model that was fitted to all others, which is computed exactly, without",
                    " fits.")
  if (is.null(about$left_out)) {
    figure <- paragraph(tag("strong", "Leave-one-out ", whole$loo$text, "."))
    return(list(head, figure, note("The model does not keep its training data and the scores of",
                                   " left-out rows, so there are no pictures of them.")))
  }
  sampled <- if (about$left_out$sampled) {
    rows <- figure_text(nrow(about$left_out$scores))
    note(sprintf("These figures are of %s rows, a sample.", rows))
  }
  gradient <- if (follows_gradient(about)) {
    note("The weights follow gradients that have seen the rows that are left out, so these figures",
         " are optimistic.")
  }
  classes <- whole$task == "classification"
  list(head, sampled, gradient, if (classes) class_part(about) else number_part(about))
}

follows_gradient <- function(about) about$kind != "auto" && is_gradient(about$model$spec)

# ---- Classes ----

class_part <- function(about) {
  left_out <- about$left_out
  whole <- about$whole
  prob <- apply_calibration(whole$calibration, left_out$scores)
  counts <- confusion_counts(prob, left_out, whole$levels)
  list(
    html_table(class_figures(prob, left_out)),
    tag("h3", "Observed and predicted classes"),
    paragraph("One line per observed class, one column per predicted class; darker is a larger",
              " share of the line."),
    confusion_part(counts),
    tag("h3", "Do the probabilities hold?"),
    paragraph("Among rows with a predicted probability of 70 %, about 70 % should have the class.",
              " The curves of the probabilities were fitted to these scores."),
    figures(calibration_figure(prob, left_out), confidence_figure(prob, left_out))
  )
}

# Sums of case weights by observed and most probable class.
confusion_counts <- function(prob, left_out, levels) {
  observed <- factor(levels[left_out$classes], levels)
  predicted <- factor(levels[best_class(prob)], levels)
  counts <- tapply(left_out$case_weights, list(observed, predicted), sum, default = 0)
  matrix(counts, length(levels), dimnames = list(levels, levels))
}

class_figures <- function(prob, left_out) {
  weight <- left_out$case_weights
  truth <- left_out$classes
  mean_of <- function(v) sum(weight * v) / sum(weight)
  own <- prob[cbind(seq_along(truth), truth)]
  indicator <- outer(truth, seq_len(ncol(prob)), `==`)
  common <- max(rowsum(weight, truth)) / sum(weight)
  data.frame(
    figure = c("accuracy of the most probable class", "accuracy of the largest score",
               "accuracy of always the largest class", "log-loss", "Brier score",
               if (ncol(prob) == 2L) "area under the ROC curve" else
                 "area under the ROC curve, mean over pairs of classes"),
    value = c(mean_of(best_class(prob) == truth), mean_of(best_class(left_out$scores) == truth),
              common, mean_of(-log(pmax(own, 1e-15))),
              mean_of(rowSums((prob - indicator)^2)),
              area_under_curve(factor(truth, seq_len(ncol(prob))), prob, weight))
  )
}

# Larger tables of classes cannot be read.
most_classes <- 15L

confusion_part <- function(counts) {
  if (nrow(counts) > most_classes) return(class_table(counts))
  share <- counts / pmax(rowSums(counts), 1e-300)
  levels <- rownames(counts)
  line <- function(i) {
    cells <- lapply(seq_along(levels), function(j) {
      tag("td", style = shade(share[i, j]), figure_text(counts[i, j]))
    })
    tag("tr", tag("th", class = "row", scope = "row", levels[i]), cells)
  }
  head <- tag("tr", tag("th", ""),
              lapply(levels, function(level) tag("th", scope = "col", level)))
  list(tag("div", class = "scroll matrix", tabindex = "0",
           tag("table", tag("thead", head), tag("tbody", lapply(seq_along(levels), line)))),
       class_table(counts))
}

# Darker for a larger share of the observed class.
shade <- function(share) {
  color <- grDevices::hcl.colors(101, "Blues 3", rev = TRUE)[1 + round(100 * min(1, share))]
  sprintf("background:%s;color:%s", color, if (share > 0.5) "#ffffff" else "#1d2733")
}

class_table <- function(counts) {
  right <- diag(counts)
  html_table(data.frame(
    class = rownames(counts), rows = rowSums(counts),
    "found (recall)" = percent_text(right / pmax(rowSums(counts), 1e-300)),
    "right when predicted (precision)" = ifelse(
      colSums(counts) > 0, percent_text(right / pmax(colSums(counts), 1e-300)), "never predicted"
    ), check.names = FALSE, row.names = NULL
  ))
}

# Pairs of a row and a class, in bins of about equal numbers; of two classes the second.
calibration_bins <- function(prob, left_out, bins = 10L) {
  columns <- if (ncol(prob) == 2L) 2L else seq_len(ncol(prob))
  p <- as.vector(prob[, columns])
  is <- as.vector(outer(left_out$classes, columns, `==`))
  weight <- rep(left_out$case_weights, length(columns))
  breaks <- unique(stats::quantile(p, seq(0, 1, length.out = bins + 1L), names = FALSE))
  bin <- rep(1L, length(p))
  if (length(breaks) > 1L) {
    bin <- findInterval(p, breaks, rightmost.closed = TRUE, all.inside = TRUE)
  }
  sums <- rowsum(cbind(weight, weight * p, weight * is, weight^2), bin)
  share <- sums[, 3L] / sums[, 1L]
  # Case weights make rows count for fewer.
  count <- sums[, 1L]^2 / sums[, 4L]
  data.frame(predicted = sums[, 2L] / sums[, 1L], observed = share,
             se = sqrt(pmax(share * (1 - share), 0) / count), count = count)
}

calibration_figure <- function(prob, left_out) {
  table <- calibration_bins(prob, left_out)
  panel <- new_panel(c(0, 1), c(0, 1), "predicted probability", "observed share")
  low <- pmax(table$observed - 1.96 * table$se, 0)
  high <- pmin(table$observed + 1.96 * table$se, 1)
  panel_figure(panel, list(
    svg_line(panel, c(0, 1), c(0, 1), "guide"),
    svg_ranges(panel, table$predicted, low, high, "range"),
    svg_line(panel, table$predicted, table$observed, "curve"),
    svg_points(panel, table$predicted, table$observed, "point", 4)
  ), paste("Observed share of a class by its predicted probability, in ten bins with 95 %",
           "intervals; the dashed line is perfect."))
}

# How sure the model is.
confidence_figure <- function(prob, left_out) {
  largest <- apply(prob, 1L, max)
  breaks <- seq(0, 1, by = 0.1)
  bin <- findInterval(largest, breaks, rightmost.closed = TRUE, all.inside = TRUE)
  share <- tapply(left_out$case_weights, factor(bin, 1:10), sum, default = 0) /
    sum(left_out$case_weights)
  panel <- new_panel(c(0, 1), c(0, share), "probability of the predicted class", "share of rows")
  panel_figure(panel, svg_boxes(panel, breaks[1:10], breaks[2:11], rep(0, 10), as.vector(share),
                                "column"),
               "How sure the model is of the class that it predicts.")
}

# ---- Numbers ----

number_part <- function(about) {
  left_out <- about$left_out
  labels <- response_labels(about)
  figures_of <- vapply(seq_along(labels), function(k) {
    number_figures(left_out$values[, k], left_out$scores[, k], left_out$case_weights)
  }, numeric(5))
  table <- data.frame(response = labels, t(figures_of))
  names(table)[-1L] <- c("RMSE", "mean absolute error", "R squared", "90 % of errors are below",
                         "largest error")
  parts <- lapply(seq_len(min(length(labels), 6L)), function(k) {
    residual_figures(left_out$values[, k], left_out$scores[, k],
                     if (length(labels) > 1L) labels[k])
  })
  list(html_table(table), figures(unlist(parts, FALSE)))
}

number_figures <- function(value, score, weight) {
  error <- value - score
  mean_of <- function(v) sum(weight * v) / sum(weight)
  spread <- mean_of((value - mean_of(value))^2)
  c(sqrt(mean_of(error^2)), mean_of(abs(error)),
    if (spread > 0) 1 - mean_of(error^2) / spread else NA_real_,
    stats::quantile(abs(error), 0.9, names = FALSE), max(abs(error)))
}

# Points that a page can hold.
shown_points <- 1200L

residual_figures <- function(value, score, label) {
  of <- if (is.null(label)) "" else paste0(" of ", label)
  rows <- evenly(length(value), shown_points)
  panel <- new_panel(score[rows], value[rows], "predicted, leave-one-out", "observed")
  ends <- c(max(panel$x$range[1L], panel$y$range[1L]), min(panel$x$range[2L], panel$y$range[2L]))
  scatter <- panel_figure(panel, list(
    svg_points(panel, score[rows], value[rows], "faint", 3),
    if (ends[1L] < ends[2L]) svg_line(panel, ends, ends, "guide")
  ), sprintf("Observed and predicted values%s; on the dashed line they agree.", of))
  list(scatter, histogram_figure(value - score, of))
}

histogram_figure <- function(error, of) {
  counted <- graphics::hist(error, breaks = min(30L, grDevices::nclass.Sturges(error) + 4L),
                            plot = FALSE)
  panel <- new_panel(counted$breaks, c(0, counted$counts), "observed minus predicted", "rows")
  panel_figure(panel, list(
    svg_boxes(panel, utils::head(counted$breaks, -1L), counted$breaks[-1L],
              rep(0, length(counted$counts)), counted$counts, "column"),
    svg_line(panel, c(0, 0), panel$y$range, "guide")
  ), sprintf("Errors%s of left-out rows.", of))
}
