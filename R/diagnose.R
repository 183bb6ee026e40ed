#' Effective rank and conditioning of the hidden matrix
#'
#' Compares the hidden matrix of a model with that of networks of the same shape and scale whose
#' weights are i.i.d.: does alignment with the features' dependence give more varied hidden nodes?
#'
#' The effective rank is `exp(entropy)` of the singular values divided by their sum (Roy and
#' Vetterli, 2007); the condition number is the largest over the smallest singular value; the ridge
#' condition number is that of `H'H + lambda I`. `draws` networks of each kind are drawn, so that
#' luck can be told from effect.
#'
#' @param fit A `cawi_model` with its training data.
#' @param draws Number of networks of each kind.
#' @param seed Seed of the draws.
#' @param threads Number of threads; see [cawi-package].
#' @param ... Not used.
#' @return A data frame of class `cawi_diagnosis`: `weights` (the model's law or i.i.d.), `draw`,
#'   `effective_rank`, `condition`, `ridge_condition`. `print` and `plot` summarise it.
#' @references Roy, O. and Vetterli, M. (2007). The effective rank: a measure of effective
#'   dimensionality. *EUSIPCO*.
#' @examples
#' fit <- cawi_rvfl(Species ~ ., iris, hidden = 30, init = "gaussian", seed = 1)
#' d <- cawi_diagnose(fit, draws = 5)
#' d
#' plot(d)
#' @export
cawi_diagnose <- function(fit, draws = 20, seed = 1, threads = NULL, ...) {
  check_dots(list(...))
  if (missing(fit)) abort_argument("fit", "{.arg fit} is missing.", environment())
  if (inherits(fit, "cawi_tuned")) fit <- check_tuned(fit, "fit")$fit
  check_model(fit, "fit")
  draws <- check_count(draws, "draws", max = 1e5)
  threads <- resolve_threads(threads)
  data <- kept_data(fit, "fit")
  seed <- resolve_seed(seed)
  call <- environment()
  spec <- fit$spec
  spec["direct"] <- spec["intercept"] <- FALSE
  lambda <- mean(fit$lambda)
  one <- function(draw, spec, label) {
    network <- draw_network(data$x, data$targets$weights, spec, child_seed_cpp(seed, draw), threads, call)
    data.frame(weights = label, draw = draw, hidden_condition(data$x, network, lambda, threads))
  }
  own <- init_text(fit)
  plain <- spec
  plain$init <- "iid"
  rows <- lapply(seq_len(draws), function(draw) one(draw, plain, "i.i.d."))
  if (any(layer_families(fit) != "independence")) {
    rows <- c(lapply(seq_len(draws), function(draw) one(draw, spec, own)), rows)
  }
  structure(do.call(rbind, rows), class = c("cawi_diagnosis", "data.frame"))
}

hidden_condition <- function(x, network, lambda, threads) {
  squares <- if (network_columns(network) < nrow(x)) {
    targets <- list(outputs = 1L, classes = NULL, values = matrix(0, nrow(x), 1L), weights = NULL)
    eigen(gram_cpp(x, network, NULL, targets, threads)$aa, symmetric = TRUE, only.values = TRUE)$values
  } else {
    svd(features_cpp(x, network, NULL, threads), nu = 0L, nv = 0L)$d^2
  }
  # More nodes than rows: H'H has eigenvalues of zero that the singular values do not show.
  lowest <- if (network_columns(network) > nrow(x)) 0 else max(min(squares), 0)
  singular <- sqrt(pmax(squares, 0))
  share <- singular[singular > 0] / sum(singular)
  # Below rounding of the Gram matrix a singular value is only known to be small.
  least <- max(min(singular), max(singular) * 1e-8)
  data.frame(effective_rank = exp(-sum(share * log(share))), condition = max(singular) / least,
             ridge_condition = (max(squares) + lambda) / (lowest + lambda))
}

check_diagnosis <- function(x, call = caller_env()) {
  figures <- c("effective_rank", "condition", "ridge_condition")
  positive <- function(v) is.numeric(v) && !anyNA(v) && all(v > 0)
  sound <- is_sound_frame(x, c("weights", "draw", figures)) && is.character(x$weights) && !anyNA(x$weights) &&
    is_whole_column(x$draw) && all(vapply(unclass(x)[figures], positive, logical(1)))
  if (!sound) abort_argument("x", "{.arg x} is damaged: it must be the result of {.fn cawi_diagnose}.", call)
}

#' @export
print.cawi_diagnosis <- function(x, ...) {
  check_dots(list(...))
  check_diagnosis(x)
  plain <- structure(x, class = "data.frame")
  means <- stats::aggregate(cbind(effective_rank, condition, ridge_condition) ~ weights, plain, stats::median)
  cat(sprintf("Hidden matrix, medians of %d draws:\n", max(plain$draw)))
  print(means, digits = 4, row.names = FALSE)
  invisible(x)
}

#' @export
plot.cawi_diagnosis <- function(x, ...) {
  check_dots(list(...))
  check_diagnosis(x)
  # Two labels side by side have room for a few words in a line; R drops one that has not.
  lines <- vapply(x$weights, function(text) paste(strwrap(text, 12L), collapse = "\n"), character(1))
  kind <- factor(lines, unique(lines))
  old <- graphics::par(mfrow = c(1L, 2L), mar = c(4.5, 4.5, 3, 1))
  on.exit(graphics::par(old))
  strip <- function(value, title, log) {
    graphics::boxplot(value ~ kind, col = grDevices::adjustcolor(point_colour, 0.25), log = log,
                      outline = FALSE, ylim = range(value), xlab = "", ylab = "", main = title, las = 1, xaxt = "n")
    graphics::axis(1, seq_len(nlevels(kind)), levels(kind), tick = FALSE, padj = 1, mgp = c(3, 0.3, 0))
    graphics::stripchart(value ~ kind, vertical = TRUE, method = "jitter", add = TRUE, pch = 16,
                         col = grDevices::adjustcolor(point_colour, 0.6))
  }
  strip(x$effective_rank, "effective rank", "")
  strip(x$condition, "condition number", "y")
  invisible(x)
}
