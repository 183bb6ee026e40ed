# Small models: what is left of a model where it only has to predict.

#' Trim a model to what predictions need
#'
#' Takes out of a model what only other work needs: the training data, the sums that
#' [update()][update.cawi_model] adds to, the leave-one-out scores of the rows, and the copulas that
#' the weights were drawn from. The trimmed model gives the same predictions, to the last bit, in a
#' fraction of the space, and the training rows cannot be told from it.
#'
#' A trimmed model has [predict()][predict.cawi_model], `print()`, `summary()`, `coef()`, `tidy()`,
#' `glance()`, `augment()` and [cawi_features()]. What it can no longer do (`update()`, `fitted()`,
#' `residuals()`, [cawi_diagnose()], pictures of leave-one-out) is an error that says so. The
#' figures of leave-one-out and the curves of the probabilities stay, and so do the tables of
#' [cawi_tune()] and [cawi_auto()], without folds.
#'
#' The methods of the package butcher do the same in parts: `axe_data()` takes out the training data
#' and the sums, `axe_fitted()` the leave-one-out scores, `axe_env()` the functions, matrices and
#' copulas that weights were drawn from. Models have no call and no controls to axe. So
#' `butcher::butcher(fit)` is `cawi_trim(fit)`.
#'
#' @section What stays of the training data:
#' * Networks with infinitely many nodes (`hidden = Inf`, and most members of [cawi_auto()]) predict
#'   by comparing rows with training rows. These stay, all of them or `landmarks`, and `print()`
#'   says how many.
#' * With `standardize = "ranks"`, up to 500 values of each feature stay, without their rows.
#' * Levels of factors and texts, medians for missing values, and what a formula or a recipe has
#'   learned stay. A text that names every row is a level per row: leave such a column out.
#' * With `bias = "data"` and `inputs = 1`, each node tells the value of one feature in one row.
#'
#' @param fit A `cawi_model`, `cawi_tuned` or `cawi_auto`.
#' @param ... Not used.
#' @return The same, trimmed; `$trimmed` has what was taken out.
#' @seealso `keep_data = FALSE` in [the models][cawi_models], which never keeps rows, but keeps what
#'   `update()` needs.
#' @examples
#' fit <- cawi_rvfl(Species ~ ., iris, init = "gaussian", seed = 1)
#' small <- cawi_trim(fit)
#' small
#' identical(predict(small, iris, type = "prob"), predict(fit, iris, type = "prob"))
#' bytes <- function(object) length(serialize(object, NULL))
#' bytes(small) / bytes(fit)
#' @export
cawi_trim <- function(fit, ...) {
  check_dots(rlang::enquos(...))
  if (missing(fit)) abort_argument("fit", "{.arg fit} is missing.", environment())
  object <- check_fit(fit)
  sound(object, "fit", trim_parts(object, names(trimmable)))
}

# Any of the three kinds of fit, sound and in the current format.
check_fit <- function(fit, arg = "fit", call = caller_env()) {
  if (inherits(fit, "cawi_auto")) return(check_auto(fit, arg, call))
  if (inherits(fit, "cawi_tuned")) return(check_tuned(fit, arg, call))
  if (inherits(fit, "cawi_model")) return(check_model(fit, arg, call))
  message <- paste("{.arg {arg}} must be a model of the package, or a result of {.fn cawi_tune} or",
                   "{.fn cawi_auto}, not {.obj_type_friendly {fit}}.")
  abort_argument(arg, message, call)
}

# What can be taken out, in words for messages.
trimmable <- c(data = "training data", sums = "sums that updates need",
               scores = "leave-one-out scores", sources = "distributions of its weights")

trim_parts <- function(object, parts) {
  if (inherits(object, "cawi_tuned")) {
    object$fit <- trim_parts(object$fit, parts)
    # Folds have one number per row, and their figures one line per fold and combination.
    if ("scores" %in% parts) object[c("folds", "parts")] <- list(NULL)
    if ("sources" %in% parts) object <- trim_grid(object)
  } else if (inherits(object, "cawi_auto")) {
    object$members <- lapply(object$members, trim_parts, parts)
    if ("data" %in% parts) object["data"] <- list(NULL)
  } else {
    for (part in parts) object <- trimmers[[part]](object)
  }
  object$trimmed <- intersect(names(trimmable), c(object$trimmed, parts))
  object
}

trimmers <- list(
  data = function(object) {
    object["data"] <- list(NULL)
    object
  },
  sums = function(object) {
    if (is_infinite(object$spec)) object <- without_root(object)
    object$readouts <- lapply(object$readouts, function(readout) {
      readout["statistics"] <- list(NULL)
      readout
    })
    object
  },
  scores = function(object) {
    object$readouts <- lapply(object$readouts, function(readout) {
      readout["loo"] <- list(if (!is.null(readout$loo$rmse)) readout$loo["rmse"])
      readout
    })
    if (!is.null(object$source)) object$source$held_out <- NULL
    object
  },
  sources = function(object) {
    object$spec$init <- named_init(object$spec$init)
    object$preprocessor <- without_places(object$preprocessor)
    object$network$layers <- lapply(object$network$layers, function(layer) {
      # An elliptical family has a matrix as large as the square of the inputs.
      layer$copula <- unclass(layer$copula)[c("family", "dim", "theta", "df")]
      layer
    })
    object
  }
)

# The root of the landmarks goes into the coefficients, as it does in every prediction.
without_root <- function(object) {
  coefficients <- lapply(object$readouts, function(readout) readout$coefficients)
  coefficients <- rooted_coefficients(object$network, coefficients)
  object$readouts <- Map(function(readout, b) replace(readout, "coefficients", list(b)),
                         object$readouts, coefficients)
  object$network$layers[[1L]]["root"] <- NULL
  object
}

# The selections of a prepared recipe were made. They are kept with the places where they were
# written, and those may hold anything.
without_places <- function(preprocessor) {
  if (preprocessor$kind != "recipe") return(preprocessor)
  bare <- function(term) if (rlang::is_quosure(term)) rlang::quo_set_env(term, baseenv()) else term
  preprocessor$recipe$steps <- lapply(preprocessor$recipe$steps, function(step) {
    if (is.list(step$terms)) step$terms[] <- lapply(step$terms, bare)
    step
  })
  preprocessor
}

# A distribution by its name: functions may hold data, copulas and matrices are large.
named_init <- function(init) {
  if (is_given(init)) "given" else if (is.character(init)) init else init_family(init)
}

# The grid with the names of its distributions, under which its results have them.
trim_grid <- function(object) {
  if (!is.null(object$best$init)) object$best$init <- named_init(object$best$init)
  init <- object$grid$init
  if (is.list(init)) object$grid$init <- shown_values(init)
  object
}

is_trimmed <- function(object, part) part %in% object$trimmed

# A model that was trimmed cannot do what needs one of the parts that were taken out.
check_untrimmed <- function(object, parts, arg = "object", call = caller_env()) {
  lost <- intersect(parts, object$trimmed)
  if (length(lost) == 0L) return(invisible())
  what <- trimmable[[lost[1L]]]
  first <- identical(object$version, "0.1.0") && identical(object$trimmed, "sums")
  if (first) {
    message <- paste("{.arg {arg}} was made by release 0.1.0, which had a penalty on the",
                     "intercept: it predicts, and is not updated.")
    abort_argument(arg, c(message, i = "Fit it anew."), call)
  }
  message <- "{.arg {arg}} is trimmed: it predicts, and no longer has its {what}."
  abort_argument(arg, c(message, i = "Use the model that {.fn cawi_trim} was given."), call)
}

trimmed_text <- function(object) {
  lost <- object$trimmed
  if (length(lost) == 0L) return(NULL)
  if (!all(names(trimmable) %in% lost)) {
    return(paste("without its", paste(trimmable[lost], collapse = ", ")))
  }
  kept <- kept_rows(object)
  if (kept == 0) return("trimmed: it predicts, and keeps no training rows")
  sprintf("trimmed: it predicts, and still keeps %s, which infinitely many nodes need",
          counted(kept, "training row"))
}

cat_trimmed <- function(object) {
  text <- trimmed_text(object)
  if (!is.null(text)) cat_wrapped(text, 2)
}

# Rows that are landmarks, the most that a network has.
kept_rows <- function(object) {
  models <- object$members %||% list(object)
  rows <- vapply(models, function(model) {
    if (is_infinite(model$spec)) length(model$network$layers[[1L]]$bias) else 0L
  }, integer(1))
  max(rows)
}

# Are the parts that are said to be gone among those that can be?
sound_trimmed <- function(object) {
  lost <- object$trimmed
  is.null(lost) || (is.character(lost) && all(lost %in% names(trimmable)) &&
                      (!"data" %in% lost || is.null(object$data)))
}
