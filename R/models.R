#' Randomized neural networks
#'
#' Networks whose hidden weights are drawn once and frozen, and whose output layer is one exact ridge
#' regression. With `init` the weights follow the copula of the features.
#'
#' | model | hidden part | readout sees |
#' |---|---|---|
#' | `cawi_elm` | one layer | `[H, 1]` |
#' | `cawi_rvfl` | one layer | `[X, H, 1]` |
#' | `cawi_drvfl` | a stack of layers | `[X, H1, ..., HL, 1]` |
#' | `cawi_edrvfl` | layers that read `[X, H(l-1)]` | one readout a layer on `[X, Hl, 1]`, averaged |
#' | `cawi_bls` | feature windows Z, enhancement nodes E that read Z | `[Z, E, 1]` |
#'
#' @details
#' A factor, character or logical `y` means classification, a numeric `y` regression, and a numeric
#' matrix several outputs. Factors and characters among the features become indicators, one per level (two
#' levels: one of the second), ordered factors one indicator per step; dates and times are numbers. Formulas mean what they mean in [lm()], with levels, breaks and bases
#' remembered from the training data; `offset()` works for regression, `- 1` is `intercept = FALSE`.
#'
#' A numeric response is centered and scaled inside, each output by itself, and its intercept has no
#' penalty: shifts and units of `y` change nothing, and several outputs are fitted as well as alone, each
#' with a penalty of its own. With `intercept = FALSE` nothing is centered. For classes the intercept is
#' penalized like the other coefficients, as in the paper.
#'
#' A feature that is constant in the training data, and the indicator of a level that no training row has,
#' gets no weights, with a warning of class `cawi_warning_constant`.
#'
#' Without `lambda`, or with several, exact leave-one-out squared errors of all candidates come from
#' one eigendecomposition and the best one is used. The normal equations are accumulated over blocks
#' of rows while the features are computed, so the hidden matrix never exists as a whole; with more
#' columns than rows the dual problem is solved instead.
#'
#' Copulas are fitted to at most 5,000 rows (degrees of freedom to 500), the same ones each time. With
#' one given `lambda` leave-one-out scores are computed for at most 500 rows. In deeper layers they are fitted
#' to the layer's input (`align = "all"`).
#'
#' @param x A formula such as `y ~ .` (it may be named `formula`), a data frame or numeric matrix of
#'   features, or a recipe.
#' @param y The response, where `x` is a data frame or matrix.
#' @param data A data frame, for a formula or recipe.
#' @param ... The arguments of the models, by name; see below.
#' @section Arguments of the models:
#' * `hidden`: Number of hidden nodes, 100; for deep networks one number a layer, `c(100, 100, 100)`.
#' * `activation`: `"sigmoid"` (the default), `"sine"`, `"tribas"`, `"radbas"`, `"tansig"`, `"relu"` or `"selu"`;
#'   one, or one a layer.
#' * `init`: Law of the weights: `"iid"` (the default), a copula family fitted to the features (`"gaussian"`,
#'   `"t"`, `"clayton"`, `"frank"`, `"gumbel"`, or `"auto"` to choose one), or a `cawi_copula`.
#' * `criterion`: How `init = "auto"` chooses: by the held-out `"likelihood"` of the features (the
#'   default, [cawi_select()]) or by the model's own leave-one-out squared error, `"loo"`.
#' * `marginal`: Marginal law of a weight: `"uniform"` on `[-1, 1]` (the default) or standard `"normal"`.
#' * `scale`: A factor on the weights, 1; or `"auto"`: the spreads 1/4, 1/2, 1, 2 and 4 are tried, and the
#'   one of least leave-one-out squared error is used.
#' * `spread`: In place of `scale`: the weights are multiplied so that the pre-activations of the training
#'   data (without bias) have this root mean square, in the mean over the law of the weights. For
#'   standardised features that is their standard deviation.
#' * `inputs`: Number of features that each node reads, chosen at random; `NULL` (the default) or `NA` for all.
#'   Nodes that read a few features suit tables whose columns mean different things.
#' * `bias`: `"uniform"` on (0, 1) (the default), or `"data"`: each node is centred at a training row
#'   chosen at random, so that steep nodes bend where there are data.
#' * `lambda`: Ridge penalty: a number, several to choose from, or `NULL` (the default) for `10^(-6:6)`. For
#'   several numeric outputs each chooses its own; a matrix with one row gives one penalty per output. What was
#'   chosen is `$lambda` of the model.
#' * `direct`: Does the readout see the features themselves? By default in all but ELM and BLS.
#' * `intercept`: Does the readout have a column of ones? It is penalized for classes, and free for numbers.
#' * `standardize`: Center the features and divide them by their standard deviations (of the sample: squares are
#'   divided by the number of rows, or the sum of the weights) first?
#' * `weights`: Case weights, one per row; with a formula a column of the data. A weight of two is the row twice in
#'   every step: standardization, imputation, copula, readout, calibration. Where a step takes a sample of rows, weights
#'   are their probabilities. They are not normalized. Leave-one-out leaves the whole case out, whatever its weight.
#' * `na_action`: Missing values: `"fail"`, `"omit"` their rows, also those without response (predictions are then
#'   `NA`), or `"impute"` the median (of a logical, the mean of the middle ones) or the most frequent level of the
#'   training data, also for levels that it did not have.
#' * `align`: Draw the weights of `"all"` layers from the copula of their input, or only of the
#'   `"first"`?
#' * `windows`, `nodes`: Number of feature windows and of nodes in each (Broad Learning), 10 and 10.
#' * `enhancement_windows`, `enhancement`: Number of enhancement windows and of nodes in each, 1 and 100.
#' * `seed`: A whole number; `NULL` takes one from R's generator.
#' * `threads`: Number of threads; see [cawi-package]. Results do not depend on it.
#' * `keep_data`: Keep the training data in the model, for `fitted()`, `residuals()`, `update()`
#'   with more nodes and [cawi_diagnose()]? By default up to two million numbers.
#'
#' @return A `cawi_model`. See [predict.cawi_model()], [update.cawi_model()], [cawi_features()],
#'   [cawi_diagnose()]; `print`, `summary`, `coef`, `fitted`, `residuals`, `plot`, `autoplot`,
#'   `tidy`, `glance` and `augment` work as usual.
#' @examples
#' fit <- cawi_rvfl(Species ~ ., iris, hidden = 50, init = "gaussian", seed = 1)
#' fit
#' predict(fit, iris[c(1, 51, 101), ])
#' predict(fit, iris[c(1, 51, 101), ], type = "prob")
#'
#' cawi_drvfl(iris[, 1:4], iris$Species, hidden = c(30, 30), seed = 1)
#' cawi_bls(mpg ~ ., mtcars, windows = 4, nodes = 5, enhancement = 20, seed = 1)
#' @name cawi_models
NULL

#' @rdname cawi_models
#' @export
cawi_elm <- function(x, ...) {
  if (missing(x)) return(formula_by_name("elm", rlang::enquos(...)))
  UseMethod("cawi_elm")
}
#' @rdname cawi_models
#' @export
cawi_rvfl <- function(x, ...) {
  if (missing(x)) return(formula_by_name("rvfl", rlang::enquos(...)))
  UseMethod("cawi_rvfl")
}
#' @rdname cawi_models
#' @export
cawi_drvfl <- function(x, ...) {
  if (missing(x)) return(formula_by_name("drvfl", rlang::enquos(...)))
  UseMethod("cawi_drvfl")
}
#' @rdname cawi_models
#' @export
cawi_edrvfl <- function(x, ...) {
  if (missing(x)) return(formula_by_name("edrvfl", rlang::enquos(...)))
  UseMethod("cawi_edrvfl")
}
#' @rdname cawi_models
#' @export
cawi_bls <- function(x, ...) {
  if (missing(x)) return(formula_by_name("bls", rlang::enquos(...)))
  UseMethod("cawi_bls")
}

#' @rdname cawi_models
#' @export
cawi_elm.default <- function(x, ...) abort_input(x, environment())
#' @rdname cawi_models
#' @export
cawi_elm.matrix <- function(x, y, ...) model_from_matrix("elm", x, y, list(...))
#' @rdname cawi_models
#' @export
cawi_elm.data.frame <- function(x, y, ...) model_from_frame("elm", x, y, list(...))
#' @rdname cawi_models
#' @export
cawi_elm.formula <- function(x, data, ...) model_from_formula("elm", x, data, rlang::enquos(...))
#' @rdname cawi_models
#' @export
cawi_elm.recipe <- function(x, data, ...) model_from_recipe("elm", x, data, list(...))

#' @rdname cawi_models
#' @export
cawi_rvfl.default <- function(x, ...) abort_input(x, environment())
#' @rdname cawi_models
#' @export
cawi_rvfl.matrix <- function(x, y, ...) model_from_matrix("rvfl", x, y, list(...))
#' @rdname cawi_models
#' @export
cawi_rvfl.data.frame <- function(x, y, ...) model_from_frame("rvfl", x, y, list(...))
#' @rdname cawi_models
#' @export
cawi_rvfl.formula <- function(x, data, ...) model_from_formula("rvfl", x, data, rlang::enquos(...))
#' @rdname cawi_models
#' @export
cawi_rvfl.recipe <- function(x, data, ...) model_from_recipe("rvfl", x, data, list(...))

#' @rdname cawi_models
#' @export
cawi_drvfl.default <- function(x, ...) abort_input(x, environment())
#' @rdname cawi_models
#' @export
cawi_drvfl.matrix <- function(x, y, ...) model_from_matrix("drvfl", x, y, list(...))
#' @rdname cawi_models
#' @export
cawi_drvfl.data.frame <- function(x, y, ...) model_from_frame("drvfl", x, y, list(...))
#' @rdname cawi_models
#' @export
cawi_drvfl.formula <- function(x, data, ...) model_from_formula("drvfl", x, data, rlang::enquos(...))
#' @rdname cawi_models
#' @export
cawi_drvfl.recipe <- function(x, data, ...) model_from_recipe("drvfl", x, data, list(...))

#' @rdname cawi_models
#' @export
cawi_edrvfl.default <- function(x, ...) abort_input(x, environment())
#' @rdname cawi_models
#' @export
cawi_edrvfl.matrix <- function(x, y, ...) model_from_matrix("edrvfl", x, y, list(...))
#' @rdname cawi_models
#' @export
cawi_edrvfl.data.frame <- function(x, y, ...) model_from_frame("edrvfl", x, y, list(...))
#' @rdname cawi_models
#' @export
cawi_edrvfl.formula <- function(x, data, ...) model_from_formula("edrvfl", x, data, rlang::enquos(...))
#' @rdname cawi_models
#' @export
cawi_edrvfl.recipe <- function(x, data, ...) model_from_recipe("edrvfl", x, data, list(...))

#' @rdname cawi_models
#' @export
cawi_bls.default <- function(x, ...) abort_input(x, environment())
#' @rdname cawi_models
#' @export
cawi_bls.matrix <- function(x, y, ...) model_from_matrix("bls", x, y, list(...))
#' @rdname cawi_models
#' @export
cawi_bls.data.frame <- function(x, y, ...) model_from_frame("bls", x, y, list(...))
#' @rdname cawi_models
#' @export
cawi_bls.formula <- function(x, data, ...) model_from_formula("bls", x, data, rlang::enquos(...))
#' @rdname cawi_models
#' @export
cawi_bls.recipe <- function(x, data, ...) model_from_recipe("bls", x, data, list(...))
