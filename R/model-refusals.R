# What these models do not have, and why.

#' Covariances and confidence intervals of coefficients
#'
#' Randomized networks have none, and these methods say so. Their coefficients belong to nodes that
#' were drawn at random and are biased by the penalty, so their covariance would say nothing about
#' the features, and intervals from it would not have their level.
#'
#' @param object,parm,level,... As for [stats::vcov()] and [stats::confint()].
#' @return None: an error of class `cawi_error_object` that names what to use instead:
#'   `predict(type = "interval")` for the uncertainty of predictions, and [cawi_importance()] and
#'   [cawi_effects()] for what the features do.
#' @examples
#' fit <- cawi_rvfl(mpg ~ ., mtcars, seed = 1)
#' try(vcov(fit))
#' predict(fit, mtcars[1, ], type = "interval")
#' @name vcov.cawi_model
#' @importFrom stats vcov
#' @export
vcov.cawi_model <- function(object, ...) {
  message <- c(
    paste("A randomized network has no covariance of its coefficients: they belong to nodes that",
          "were drawn at random, and the penalty biases them."),
    i = "{.code predict(type = \"interval\")} tells how uncertain predictions are.",
    i = "{.fn cawi_importance} and {.fn cawi_effects} tell what the features do."
  )
  abort_argument("object", message, environment())
}

#' @rdname vcov.cawi_model
#' @importFrom stats confint
#' @export
confint.cawi_model <- function(object, parm, level = 0.95, ...) {
  message <- c(
    paste("A randomized network has no confidence intervals of its coefficients: they belong to",
          "nodes that were drawn at random, and the penalty biases them."),
    i = "{.code predict(type = \"interval\")} has intervals of new observations."
  )
  abort_argument("object", message, environment())
}

#' @rdname vcov.cawi_model
#' @export
vcov.cawi_tuned <- vcov.cawi_model

#' @rdname vcov.cawi_model
#' @export
vcov.cawi_auto <- vcov.cawi_model

#' @rdname vcov.cawi_model
#' @export
confint.cawi_tuned <- confint.cawi_model

#' @rdname vcov.cawi_model
#' @export
confint.cawi_auto <- confint.cawi_model
