#' Effective rank and conditioning of the hidden matrix
#'
#' Compares the hidden matrix H of a model with the hidden matrices of networks of the same shape
#' and scale whose weights are i.i.d. Do weights that follow the dependence of the features give
#' more varied hidden nodes?
#'
#' Three figures are computed:
#' * the effective rank, `exp(entropy)` of the singular values divided by their sum (Roy and
#'   Vetterli, 2007);
#' * the condition number of H, its largest over its smallest singular value;
#' * the ridge condition number, that of `H'H + lambda I`.
#'
#' Several networks of each kind are drawn, because the figures differ from draw to draw. Weights of
#' your own keep their size; those given as a matrix differ from draw to draw in their biases alone.
#'
#' @param fit A `cawi_model` that keeps its training data, or a `cawi_tuned`.
#' @param draws Number of networks of each kind.
#' @param seed A whole number; `NULL` takes one from R's generator.
#' @param threads Number of threads; see [cawi-package].
#' @param ... Not used.
#' @return A data frame of class `cawi_diagnosis` with one line per network: `weights` (the
#'   distribution of the weights of the model, or i.i.d.), `draw`, `effective_rank`, `condition` and
#'   `ridge_condition`. `print`, `plot` and `autoplot` summarize it.
#' @references
#' Akhtar, M., Tanveer, M. and Arshad, M. (2026). CAWI: Copula-aligned weight initialization for
#' randomized neural networks. *AISTATS*.
#'
#' Roy, O. and Vetterli, M. (2007). The effective rank: a measure of effective dimensionality.
#' *EUSIPCO*.
#' @examples
#' fit <- cawi_rvfl(Species ~ ., iris, hidden = 30, init = "gaussian", seed = 1)
#' d <- cawi_diagnose(fit, draws = 5, seed = 1)
#' d
#' plot(d)
#' @export
cawi_diagnose <- function(fit, draws = 20, seed = NULL, threads = NULL, ...) {
  check_dots(rlang::enquos(...))
  if (missing(fit)) abort_argument("fit", "{.arg fit} is missing.", environment())
  fit <- single_model(fit, environment())
  fit <- check_model(fit, "fit")
  if (is_infinite(fit$spec)) {
    message <- paste("{.arg fit} has infinitely many nodes: there are no draws of its weights to",
                     "compare.")
    abort_argument("fit", message, environment())
  }
  draws <- check_count(draws, "draws", max = 1e5)
  data <- kept_data(fit, "fit")
  run <- new_run(seed, threads, environment())
  sound(fit, "fit", {
    structure(diagnosed_draws(fit, data, draws, run), class = c("cawi_diagnosis", "data.frame"))
  })
}

# Draws with i.i.d. weights and, unless the model's own weights are i.i.d., draws of its own kind.
diagnosed_draws <- function(fit, data, draws, run) {
  spec <- fit$spec
  spec["direct"] <- spec["intercept"] <- FALSE
  if (is.function(spec$init)) spec$init <- settled_code(spec$init)
  plain <- spec
  plain$init <- "iid"
  # What the model has learned, with the strength that it has.
  if (is_gradient(spec)) {
    first <- fit$network$layers[[1L]]
    spec$init <- new_metric(first$copula, first$relevance)
    plain$strength <- spec$strength <- 1
  }
  lambda <- mean(fit$lambda)
  aligned <- follows_data(fit) || is_given(spec$init)
  step <- progress_steps(draws * (1 + aligned), "Diagnosing")
  on.exit(step(done = TRUE))
  one <- function(draw, spec, label) {
    own <- replace(run, "seed", child_seed_cpp(run$seed, draw))
    network <- draw_network(data$x, data$targets$case_weights, spec, own)
    figures <- hidden_condition(data$x, network, lambda, run$threads)
    step()
    data.frame(weights = label, draw = draw, figures)
  }
  rows <- lapply(seq_len(draws), function(draw) one(draw, plain, "i.i.d."))
  if (aligned) {
    own <- init_text(fit)
    rows <- c(lapply(seq_len(draws), function(draw) one(draw, spec, own)), rows)
  }
  do.call(rbind, rows)
}

hidden_condition <- function(x, network, lambda, threads) {
  squares <- if (network_columns(network) < nrow(x)) {
    eigen(feature_gram_cpp(x, network, threads), symmetric = TRUE, only.values = TRUE)$values
  } else {
    svd(features_cpp(x, network, threads), nu = 0L, nv = 0L)$d^2
  }
  # More nodes than rows: H'H has eigenvalues of zero that the singular values do not show.
  lowest <- if (network_columns(network) > nrow(x)) 0 else max(min(squares), 0)
  singular <- sqrt(pmax(squares, 0))
  ridge_condition <- if (lowest + lambda > 0) (max(squares) + lambda) / (lowest + lambda) else Inf
  # Nodes that are zero for all rows.
  if (max(singular) == 0) {
    return(data.frame(effective_rank = 0, condition = Inf, ridge_condition = ridge_condition))
  }
  share <- singular[singular > 0] / sum(singular)
  # Below rounding of the Gram matrix a singular value is only known to be small.
  least <- max(min(singular), max(singular) * 1e-8)
  data.frame(effective_rank = exp(-sum(share * log(share))), condition = max(singular) / least,
             ridge_condition = ridge_condition)
}

check_diagnosis <- function(x, call = caller_env(), arg = "x") {
  check_data_only(x, arg, call)
  least <- c(effective_rank = 0, condition = 1, ridge_condition = 1)
  possible <- function(figure) {
    v <- x[[figure]]
    is.numeric(v) && !anyNA(v) && all(v >= least[[figure]])
  }
  sound <- is_sound_frame(x, c("weights", "draw", names(least))) && is.character(x$weights) &&
    !anyNA(x$weights) && is_whole_column(x$draw) &&
    all(vapply(names(least), possible, logical(1))) && all(is.finite(x$effective_rank))
  if (!sound) {
    message <- "{.arg {arg}} is damaged: it must be the result of {.fn cawi_diagnose}."
    abort_argument(arg, message, call)
  }
}

#' @export
print.cawi_diagnosis <- function(x, ...) {
  check_dots(rlang::enquos(...))
  check_diagnosis(x)
  plain <- structure(x, class = "data.frame")
  means <- stats::aggregate(cbind(effective_rank, condition, ridge_condition) ~ weights, plain,
                            stats::median)
  cat(sprintf("Hidden matrix, medians of %d draws:\n", length(unique(plain$draw))))
  print(means, digits = 4, row.names = FALSE)
  invisible(x)
}

#' @export
plot.cawi_diagnosis <- function(x, ...) {
  check_dots(rlang::enquos(...))
  check_diagnosis(x)
  check_conditions(x)
  kind <- weight_labels(x)
  beside <- draws_beside(kind)
  old <- graphics::par(mfrow = c(1L, 2L), mar = c(4.5, 4.5, 3, 1))
  on.exit(graphics::par(old))
  strip <- function(value, title, log) {
    graphics::boxplot(value ~ kind, col = grDevices::adjustcolor(point_color, 0.25), log = log,
                      outline = FALSE, ylim = range(value), xlab = "", ylab = "", main = title,
                      las = 1, xaxt = "n")
    graphics::axis(1, seq_len(nlevels(kind)), levels(kind), tick = FALSE, padj = 1,
                   mgp = c(3, 0.3, 0))
    graphics::points(as.integer(kind) + beside, value, pch = 16,
                     col = grDevices::adjustcolor(point_color, 0.6))
  }
  strip(x$effective_rank, "effective rank", "")
  strip(x$condition, "condition number", "y")
  invisible(x)
}

check_conditions <- function(x, arg = "x", call = caller_env()) {
  if (all(is.finite(x$condition))) return(invisible())
  message <- "{.arg {arg}} has hidden matrices of zeros, which have no condition number to draw."
  abort_argument(arg, message, call)
}

# Two labels side by side have room for a few words per line; R drops labels that do not fit.
weight_labels <- function(x) {
  lines <- vapply(x$weights,
                  function(text) paste(strwrap(text, 12L), collapse = "\n"), character(1))
  factor(lines, unique(lines))
}

# Evenly spread, so that neither R's generator nor the picture changes from call to call.
draws_beside <- function(kind) 0.1 * (2 * ((seq_along(kind) * 0.618) %% 1) - 1)

#' @exportS3Method ggplot2::autoplot
autoplot.cawi_diagnosis <- function(object, ...) {
  check_dots(rlang::enquos(...))
  check_diagnosis(object, arg = "object")
  check_conditions(object, "object")
  kind <- weight_labels(object)
  # Panels have no axis in common, and ggplot2 has one kind of axis for all: logarithms are numbers.
  panels <- c("effective rank", "condition number, log10")
  table <- data.frame(
    kind = rep(kind, 2L), place = as.integer(kind) + draws_beside(kind),
    figure = factor(rep(panels, each = length(kind)), panels),
    value = c(object$effective_rank, log10(object$condition))
  )
  ggplot2::ggplot(table, ggplot2::aes(.data$kind)) +
    ggplot2::geom_boxplot(ggplot2::aes(
      ymin = .data$low, lower = .data$lower, middle = .data$middle, upper = .data$upper,
      ymax = .data$high
    ), diagnosis_boxes(object, kind, panels), stat = "identity", fill = point_color, alpha = 0.25) +
    ggplot2::geom_point(ggplot2::aes(.data$place, .data$value), colour = point_color, alpha = 0.6) +
    ggplot2::facet_wrap("figure", scales = "free_y") +
    ggplot2::labs(x = NULL, y = NULL) +
    ggplot2::theme_minimal()
}

# The boxes that boxplot() draws.
diagnosis_boxes <- function(object, kind, panels) {
  boxes <- lapply(c("effective_rank", "condition"), function(figure) {
    stats <- vapply(split(object[[figure]], kind), function(value) {
      grDevices::boxplot.stats(value)$stats
    }, numeric(5))
    if (figure == "condition") t(log10(stats)) else t(stats)
  })
  table <- as.data.frame(do.call(rbind, boxes))
  names(table) <- c("low", "lower", "middle", "upper", "high")
  data.frame(table, kind = rep(factor(levels(kind), levels(kind)), 2L),
             figure = factor(rep(panels, each = nlevels(kind)), panels), row.names = NULL)
}
