# Pictures of an automatic choice.

#' Plot what an automatic choice has compared
#'
#' `"comparison"` shows the leave-one-out figure of the model, of its members alone and of the best
#' of what else was tried: accuracy for classes, RMSE for numbers. Members are filled and have their
#' share beside them; the line is the model. `"profile"` has one panel per argument. It shows, for
#' each value, the least leave-one-out error among all configurations that were tried with that
#' value; the value of the member with the largest share is marked.
#'
#' @param x,object A `cawi_auto` from [cawi_auto()].
#' @param type `"comparison"` or `"profile"`.
#' @param ... Not used.
#' @return `plot` returns its argument, invisibly; `autoplot` a ggplot.
#' @examples
#' plot(cawi_auto(Species ~ ., iris, seed = 1))
#' @export
plot.cawi_auto <- function(x, type = "comparison", ...) {
  check_dots(rlang::enquos(...))
  x <- check_auto(x, "x")
  type <- check_choice(type, auto_pictures, "type")
  sound(x, "x", {
    if (type == "profile") plot_profile(auto_profile(x)) else plot_comparison(comparison_table(x))
  })
  invisible(x)
}

auto_pictures <- c("comparison", "profile")

#' @rdname plot.cawi_auto
#' @exportS3Method ggplot2::autoplot
autoplot.cawi_auto <- function(object, type = "comparison", ...) {
  check_dots(rlang::enquos(...))
  object <- check_auto(object)
  type <- check_choice(type, auto_pictures, "type")
  sound(object, "object", {
    if (type == "profile") {
      autoplot_profile(auto_profile(object))
    } else {
      autoplot_comparison(comparison_table(object))
    }
  })
}

# The table of the screening as a tuned grid shows it.
auto_profile <- function(x) {
  axes <- c("model", "activation", "inputs", "spread", "bias", "init", "marginal", "standardize")
  table <- x$results
  # A ridge regression without nodes has no place on these axes.
  best <- x$chosen[x$chosen$hidden > 0, ][1L, ]
  # All features come after any number of them.
  counted <- function(inputs) ifelse(is.na(inputs), Inf, as.numeric(inputs))
  table$inputs <- counted(table$inputs)
  best$inputs <- counted(best$inputs)
  list(results = table, chosen = best, grid = lapply(table[axes], unique), maximize = FALSE,
       metric = "rmse")
}

# At most this many of what was tried and is no member are shown.
most_others <- 10L

# The model first, then its members, then the best of the others.
comparison_table <- function(x) {
  classes <- x$loo$name == "accuracy"
  unit <- if (classes) 100 else 1
  value <- if (classes) x$results$accuracy else x$results$rmse
  same <- c("model", "activation", "spread", "inputs", "init", "bias", "marginal", "standardize")
  key <- function(table) do.call(paste, c(table[same], list(table$hidden == 0)))
  others <- utils::head(which(!key(x$results) %in% key(x$chosen)), most_others)
  label <- function(table) {
    vapply(seq_len(nrow(table)), function(i) candidate_label(table[i, ]), "")
  }
  table <- data.frame(
    label = c("the model", label(x$chosen), label(x$results[others, ])),
    value = unit * c(x$loo$value, x$chosen$alone, value[others]),
    share = c(NA, x$chosen$share, rep(0, length(others)))
  )
  # The first release did not keep what a member does alone.
  table <- table[!is.na(table$value), ]
  title <- if (classes) "leave-one-out accuracy, %" else "leave-one-out RMSE"
  if (x$outputs > 1L && !classes) title <- paste(title, "in standard deviations")
  list(table = table, title = title)
}

# A few words for a configuration.
candidate_label <- function(row) {
  if (row$hidden == 0) return("linear")
  reads <- if (is.na(row$inputs)) "all features" else counted(row$inputs, "feature")
  if (row$standardize == "ranks") reads <- paste("ranks of", reads)
  if (is.infinite(row$hidden)) {
    return(paste(if (row$marginal == "normal") "smooth infinite," else "infinite,", reads))
  }
  kind <- if (row$init == "iid") "" else paste0(row$init, " ")
  sprintf("%s%s %s, %d nodes, %s", kind, model_acronyms[[row$model]], row$activation, row$hidden,
          reads)
}

plot_comparison <- function(x) {
  table <- x$table
  place <- rev(seq_len(nrow(table)))
  # Labels have at most half of the picture.
  width <- max(graphics::strwidth(table$label, "inches"))
  size <- min(0.85, (0.5 * graphics::par("din")[1L] - 0.3) / width)
  old <- graphics::par(mai = replace(graphics::par("mai"), 2L, size * width + 0.3))
  on.exit(graphics::par(old))
  graphics::plot(table$value, place, type = "n", yaxt = "n", xlab = x$title, ylab = "",
                 ylim = c(0.5, nrow(table) + 0.5),
                 xlim = grDevices::extendrange(table$value, f = 0.08))
  graphics::abline(h = place, col = "grey92")
  graphics::abline(v = table$value[1L], col = mark_color, lty = 2)
  graphics::axis(2, place, table$label, las = 1, tick = FALSE, cex.axis = size)
  member <- is.na(table$share) | table$share > 0
  graphics::points(table$value, place, pch = ifelse(member, 16, 1), cex = 1.3,
                   col = c(mark_color, rep(point_color, nrow(table) - 1L)))
  shared <- which(table$share > 0)
  if (length(shared) == 0L) return(invisible())
  graphics::text(table$value[shared], place[shared], share_text(table$share[shared]), pos = 3,
                 cex = 0.75, offset = 0.35)
}

share_text <- function(share) sprintf("%.0f %%", 100 * share)

autoplot_comparison <- function(x) {
  table <- x$table
  table$kind <- ifelse(is.na(table$share), "model", ifelse(table$share > 0, "member", "other"))
  table$place <- factor(seq_len(nrow(table)), rev(seq_len(nrow(table))))
  shared <- table[table$kind == "member", ]
  shared$text <- share_text(shared$share)
  ggplot2::ggplot(table, ggplot2::aes(.data$value, .data$place)) +
    ggplot2::geom_vline(xintercept = table$value[1L], colour = mark_color, linetype = 2) +
    ggplot2::geom_point(ggplot2::aes(colour = .data$kind, shape = .data$kind), size = 3) +
    ggplot2::geom_text(data = shared, ggplot2::aes(label = .data$text), vjust = -0.8, size = 3) +
    ggplot2::scale_y_discrete(labels = rev(table$label), breaks = rev(table$place)) +
    ggplot2::scale_colour_manual(values = c(model = mark_color, member = point_color,
                                            other = point_color), guide = "none") +
    ggplot2::scale_shape_manual(values = c(model = 16, member = 16, other = 1), guide = "none") +
    ggplot2::labs(x = x$title, y = NULL) +
    ggplot2::theme_minimal()
}
