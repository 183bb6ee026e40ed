# Methods of the package butcher, which takes objects apart along the same lines for all models.

#' Methods of butcher
#'
#' See [cawi_trim()].
#'
#' @param x A `cawi_model`, `cawi_tuned` or `cawi_auto`.
#' @param verbose Say how much smaller the object has become?
#' @param ... Not used.
#' @return The object without the part.
#' @name cawi_butcher
#' @keywords internal
NULL

axed <- function(x, parts, verbose, call = caller_env()) {
  object <- check_fit(x, "x", call)
  smaller <- sound(object, "x", trim_parts(object, parts), call)
  if (isTRUE(verbose)) {
    saved <- as.numeric(utils::object.size(x)) - as.numeric(utils::object.size(smaller))
    cli::cli_inform("Memory released: {bytes_text(max(saved, 0))}.")
  }
  smaller
}

#' @rdname cawi_butcher
#' @exportS3Method butcher::axe_call
axe_call.cawi_model <- function(x, verbose = FALSE, ...) axed(x, character(), verbose)

#' @rdname cawi_butcher
#' @exportS3Method butcher::axe_call
axe_call.cawi_tuned <- axe_call.cawi_model

#' @rdname cawi_butcher
#' @exportS3Method butcher::axe_call
axe_call.cawi_auto <- axe_call.cawi_model

#' @rdname cawi_butcher
#' @exportS3Method butcher::axe_ctrl
axe_ctrl.cawi_model <- function(x, verbose = FALSE, ...) axed(x, character(), verbose)

#' @rdname cawi_butcher
#' @exportS3Method butcher::axe_ctrl
axe_ctrl.cawi_tuned <- axe_ctrl.cawi_model

#' @rdname cawi_butcher
#' @exportS3Method butcher::axe_ctrl
axe_ctrl.cawi_auto <- axe_ctrl.cawi_model

#' @rdname cawi_butcher
#' @exportS3Method butcher::axe_data
axe_data.cawi_model <- function(x, verbose = FALSE, ...) axed(x, c("data", "sums"), verbose)

#' @rdname cawi_butcher
#' @exportS3Method butcher::axe_data
axe_data.cawi_tuned <- axe_data.cawi_model

#' @rdname cawi_butcher
#' @exportS3Method butcher::axe_data
axe_data.cawi_auto <- axe_data.cawi_model

#' @rdname cawi_butcher
#' @exportS3Method butcher::axe_env
axe_env.cawi_model <- function(x, verbose = FALSE, ...) axed(x, "sources", verbose)

#' @rdname cawi_butcher
#' @exportS3Method butcher::axe_env
axe_env.cawi_tuned <- axe_env.cawi_model

#' @rdname cawi_butcher
#' @exportS3Method butcher::axe_env
axe_env.cawi_auto <- axe_env.cawi_model

#' @rdname cawi_butcher
#' @exportS3Method butcher::axe_fitted
axe_fitted.cawi_model <- function(x, verbose = FALSE, ...) axed(x, "scores", verbose)

#' @rdname cawi_butcher
#' @exportS3Method butcher::axe_fitted
axe_fitted.cawi_tuned <- axe_fitted.cawi_model

#' @rdname cawi_butcher
#' @exportS3Method butcher::axe_fitted
axe_fitted.cawi_auto <- axe_fitted.cawi_model
