#' The features that the readout sees
#'
#' The matrix A of a model for given data: the standardized features (with direct links), the hidden
#' nodes of every layer, and the column of ones.
#'
#' @inheritParams predict.cawi_model
#' @param fit A `cawi_model`, or a `cawi_tuned`.
#' @return A matrix with one row per row of `new_data`.
#' @references
#' Akhtar, M., Tanveer, M. and Arshad, M. (2026). CAWI: Copula-aligned weight initialization for
#' randomized neural networks. *AISTATS*.
#' @seealso [cawi_models] for what the readout of each model sees, with the literature.
#' @examples
#' fit <- cawi_rvfl(Species ~ ., iris, hidden = 5, lambda = 1, seed = 1)
#' a <- cawi_features(fit, iris)
#' dim(a)
#' # The coefficients are those of a ridge regression on A.
#' y <- model.matrix(~ Species - 1, iris)
#' by_hand <- solve(crossprod(a) + diag(ncol(a)), crossprod(a, y))
#' all.equal(coef(fit), by_hand, check.attributes = FALSE)
#' @export
cawi_features <- function(fit, new_data, threads = NULL, ...) {
  if (missing(fit)) abort_argument("fit", "{.arg fit} is missing.", environment())
  fit <- single_model(fit, environment())
  new_data <- given_new_data(new_data, rlang::enquos(...), c("fit", "new_data", "threads"))
  fit <- check_model(fit, "fit")
  threads <- resolve_threads(threads)
  sound(fit, "fit", {
    x <- forge_new_data(fit, new_data)$x
    a <- on_complete_rows(x, network_columns(fit$network), function(part) {
      features_cpp(part, fit$network, threads)
    })
    colnames(a) <- feature_labels(fit)
    a
  })
}

# The model of what may be a tuned one; an automatic one has several.
single_model <- function(fit, call) {
  if (inherits(fit, "cawi_auto")) {
    message <- paste("Each member of {.arg fit} has features of its own: give one of",
                     "{.code fit$members}.")
    abort_argument("fit", message, call)
  }
  if (inherits(fit, "cawi_tuned")) check_tuned(fit, "fit", call)$fit else fit
}
