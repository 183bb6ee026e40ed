#' Randomized neural networks
#'
#' Networks whose hidden weights are drawn once and frozen, and whose output layer is one exact
#' ridge regression. With `init` the weights follow the copula of the features.
#'
#' | model | hidden part | readout sees |
#' |---|---|---|
#' | `cawi_elm` | one layer | `[H, 1]` |
#' | `cawi_rvfl` | one layer | `[X, H, 1]` |
#' | `cawi_drvfl` | a stack of layers | `[X, H1, ..., HL, 1]` |
#' | `cawi_edrvfl` | layers that read `[X, H(l-1)]` | per layer `[X, Hl, 1]`; scores are averaged |
#' | `cawi_bls` | feature windows Z, enhancement nodes E that read Z | `[Z, E, 1]` |
#'
#' @details
#' A factor, character or logical `y` means classification, a numeric `y` regression, and a numeric
#' matrix several outputs. Several outputs without names are called `y1`, `y2`, ...
#'
#' Factors and characters among the features become indicators, one per level; a factor with two
#' levels has one indicator, that of the second. Ordered factors become one indicator per step.
#' Dates and times are numbers. Formulas mean what they mean in [lm()], with levels, breaks and
#' bases remembered from the training data; `offset()` works for regression, and `- 1` is
#' `intercept = FALSE`.
#'
#' The defaults are those that did best on half of 77 data sets: sigmoid nodes with spread 1 that
#' read three features each, and 200 of them in models with one layer. Settings of the paper are
#' `scale = "paper"` and `inputs = NULL`.
#'
#' A numeric response is centered and scaled inside, each output by itself, and its intercept has no
#' penalty. So shifts and units of `y` change nothing. Each of several outputs has its own penalty
#' and is fitted as well as alone. With `intercept = FALSE` nothing is centered. For classes
#' the intercept is penalized like the other coefficients, as in the paper.
#'
#' A feature that is constant in the training data gets no weights, with a warning of class
#' `cawi_warning_constant`. The same holds for the indicator of a level that no training row has.
#'
#' If `lambda` is `NULL` or has several values, the exact leave-one-out squared errors of all values
#' come from one eigendecomposition, and the best value is used. The normal equations are summed
#' over blocks of rows while the features are computed, so the hidden matrix never exists as a
#' whole. With more columns than rows the dual problem is solved instead.
#'
#' Copulas are fitted to at most 5,000 rows (degrees of freedom to 500), the same ones each time. In
#' deeper layers they are fitted to the layer's input (`align = "all"`), as precisely as draws can
#' show: Kendall's tau comes from ten rows per input, at least 2,000, each compared with 16 others.
#' In eight examples this moved correlations by 0.006 to 0.031, a tenth to three tenths of the noise
#' of the drawn columns. Degrees of freedom come from 200 rows and 16 columns. If one `lambda` is
#' given, leave-one-out scores are computed for at most 500 rows.
#'
#' With `init = "gradient"` the weights of the first layer follow the directions in which the scores
#' change (Radhakrishnan et al., 2024). Each round fits the model, computes the gradients of all
#' scores with respect to the standardized features, and draws the weights again, with the mean
#' outer product of these gradients as their covariance, up to `scale` and `marginal`. The first
#' round fits i.i.d. weights. If there are few rows for the number of features, the outer product is
#' pulled toward the identity. Layers after the first have i.i.d. weights, and direct links read the
#' features as they are. The leave-one-out figures of such a model are optimistic, because its
#' weights have seen the rows that are left out; so are those of [cawi_tune()] with
#' `resampling = "loo"`. That is why `rounds = "auto"` is chosen on folds.
#'
#' @section Infinitely many nodes:
#' With `hidden = Inf`, `cawi_elm()` and `cawi_rvfl()` are the exact limit of networks with ever
#' more nodes: those that see `[X, H / sqrt(h), 1]` at a fixed `lambda`, for h nodes. No node is
#' drawn, and by default the nodes read all features: the finite networks are those with
#' `inputs = NULL`. Only two things depend on `seed`, as in a finite network: the factor on the
#' weights of a t copula, unless `scale` gives it, and the covariance that `init = "gradient"`
#' learns. The inner products of infinitely many nodes are a kernel, and the readout is kernel ridge
#' regression with the kernel `x'y + E[node(x) node(y)]`. The limit is known for
#'
#' | activation, bias | weights | `E[node(x) node(y)]` with `d = x - y` |
#' |---|---|---|
#' | `"sine"`, `"phase"` | `"normal"`: i.i.d., or Gaussian copula R | `exp(-s^2 d'Rd / 2) / 2` |
#' | | `"cauchy"`: i.i.d. | `exp(-s sum(abs(d))) / 2` |
#' | | `"cauchy"`: t copula R with `df = 1` | `exp(-s sqrt(d'Rd)) / 2` |
#' | | `"uniform"`: i.i.d. | `prod(sin(s d) / (s d)) / 2` |
#' | `"radbas"`, `"none"` | `"normal"`: i.i.d., or Gaussian copula R | `det(I + 2 C)^(-1/2)` |
#' | `"relu"`, `"none"` | the same | `l (sin(t) + (pi - t) cos(t)) / (2 pi)` |
#'
#' where `s` is the factor on the weights, C the 2 x 2 matrix of `s^2 x'Rx`, `s^2 x'Ry` and
#' `s^2 y'Ry`, and for relu l and t are the product of the lengths and the angle of x and y in the
#' metric `s^2 R`.
#'
#' The three kernels of sine nodes with i.i.d. weights are products over the features: half of
#' `prod(f)`, with `f = exp(-(s d)^2 / 2)`, `f = exp(-s abs(d))` or `f = sin(s d) / (s d)`, one
#' factor per feature. These have `inputs` too. With `inputs = k` the kernel is half the mean of
#' `prod(f[some])` over all choices of k features, which is the limit of nodes that each read k
#' features. With `inputs = 1` the model is a sum of functions of one feature each, with
#' `inputs = 2` of pairs of features.
#'
#' With `init = "gradient"` and normal weights, networks of 400 nodes with the same arguments learn
#' the covariance that stands for R, and choose `rounds = "auto"`. Other arguments are an error that
#' lists these. `spread`, `scale = "auto"` and `strength` mean what they mean for finite networks,
#' and leave-one-out is as exact. A t copula has a limit only at the strengths -1, 0 and 1, since
#' others change its degrees of freedom; `"auto"` tries these three. A network with h nodes at
#' `lambda` compares with the limit at `lambda / h`. All sine or radbas nodes together weigh no more
#' than one standardized feature with direct links: where there are many features, `direct = FALSE`
#' gives the nodes more to say.
#'
#' Such a model keeps training rows, its landmarks, also if `keep_data = FALSE`, and each prediction
#' compares a row with all of them. Up to `landmarks` rows all training rows are landmarks, and the
#' limit is exact. If there are more, the best `landmarks` rows of a sample of twice as many are
#' chosen one after the other, and the kernel is approximated by what they reach (Williams and
#' Seeger, 2001). `print()` then shows the share of the kernel, of its trace over 1,000 rows, that
#' they leave out. [update()][update.cawi_model] adds new rows to the landmarks as long as there are
#' fewer than `landmarks`, which is exact. After that, rows are learned through the landmarks that
#' there are.
#'
#' @section Sparse matrices:
#' `x` and new data may be sparse matrices of the package Matrix: a `dgCMatrix`, or what can become
#' one (`dgTMatrix`, `dgRMatrix`, `lgCMatrix`, `ngCMatrix`, `dsCMatrix`, `ddiMatrix`, ...). Numbers
#' that are not stored are zero, not missing. The model is the one that `as.matrix(x)` would have,
#' standardization too, but `x` is never made dense as a whole: centers and deviations are put into
#' the weights, and hidden nodes are computed by what the stored numbers add to them. A model keeps
#' sparse rows as compressed rows, and reads dense and sparse rows alike.
#'
#' Some things make dense numbers of sparse ones: direct links have products of all pairs of
#' features, copulas and gradients have a matrix of all pairs of features, and with `hidden = Inf`
#' landmarks are dense rows. Where one of these would take more than 1 GB, it is an error that says
#' what to do: `direct = FALSE` or `cawi_elm()`, `init = "iid"`, fewer `landmarks`. With many rows
#' that is so from about 11,000 features on.
#'
#' @param x A data frame, numeric matrix or sparse matrix of features, a formula such as `y ~ .`, or
#'   a recipe; or a [cawi_source()] of rows that come in chunks.
#' @param y The response. For a formula or a recipe the second argument is the data frame, or a
#'   [cawi_source()]. If `x` is a source, `y` has the names of the columns of the response.
#' @param formula,data Other names of `x` and `y`, for a formula and its data.
#' @param ... Not used: arguments after it have to be named in full, and a name that the model does
#'   not have is an error.
#' @param hidden Number of hidden nodes; for deep networks one number per layer. `Inf`, for one
#'   layer, is the limit of infinitely many nodes: see the section below.
#' @param landmarks With `hidden = Inf`: the largest number of training rows that the model compares
#'   rows with. `Inf` means all training rows, however many.
#' @param windows,nodes Number of feature windows and of nodes in each (Broad Learning).
#' @param enhancement_windows,enhancement Number of enhancement windows and of nodes in each.
#' @param align Which layers have weights from the copula of their input: `"all"`, or only the
#'   `"first"`?
#' @param activation `"sigmoid"`, `"sine"`, `"tribas"`, `"radbas"`, `"tansig"`, `"relu"` or
#'   `"selu"`; one, or one per layer.
#' @param init Distribution of the weights: `"iid"`, a copula family fitted to the features
#'   (`"gaussian"`, `"t"`, `"clayton"`, `"frank"`, `"gumbel"`, or `"auto"` to choose one), a
#'   `cawi_copula`, `"gradient"` (the weights follow the directions in which the scores change), or
#'   weights of your own. These are a matrix with one row per feature and one column per node, for
#'   the first layer, or a `function(x, hidden, seed)` that returns one. Such a function is called
#'   for each layer with what the layer reads (at most 5,000 standardized rows), the number of nodes
#'   and a seed, and its result may depend on nothing else.
#' @param strength How far the weights follow the copula: 0 is i.i.d., 1 the copula itself.
#'   Between them elliptical families have a power of their correlation matrix, and Archimedean ones
#'   a part of their tau. Negative strengths, down to -1, of elliptical families turn the dependence
#'   round: the weights prefer directions in which the features vary little. `"auto"` tries -1,
#'   -1/2, 0, 1/2 and 1, as far as the family has them, and takes the one with the least
#'   leave-one-out squared error; above 6,000 rows it is chosen on 4,000 of them. With `init =
#'   "gradient"` a strength from 0 to 1 is a power of what the gradients say, chosen as `rounds`
#'   are. It has no effect on i.i.d. weights and on weights of your own.
#' @param rounds Number of times that `init = "gradient"` fits the model and draws its weights
#'   again: a whole number from 0 (i.i.d. weights) to 10, or `"auto"`. Then 0, 1, 2 and 3 rounds are
#'   compared by their squared error on five stratified folds, each with gradients of the other
#'   folds alone. Above 6,000 rows this is done on a sample of 4,000 rows. With `strength = "auto"`
#'   strengths are compared on the same folds.
#' @param per_feature With `init = "gradient"`: learn only how much each feature matters, and let
#'   the weights of different features be independent?
#' @param criterion How `init = "auto"` chooses: by the held-out `"likelihood"` of the features
#'   ([cawi_select()]) or by the model's own leave-one-out squared error, `"loo"`.
#' @param marginal Distribution of a single weight: `"uniform"` on `[-1, 1]`, standard `"normal"` or
#'   standard `"cauchy"`.
#' @param scale A factor on the weights; `"paper"` is 1. With `"auto"` the spreads 1/4, 1/2, 1, 2
#'   and 4 are tried, and the one with the least leave-one-out squared error is used. By default
#'   (neither `scale` nor `spread` given) the spread is 1, whatever the weights follow and however
#'   many features there are; weights of your own have the factor 1.
#' @param spread In place of `scale`: the wanted root mean square of the pre-activations of the
#'   training data, without bias. The factor on the weights is set so that the pre-activations have
#'   it on average over all weights. The root mean square of Cauchy weights is infinite: the median
#'   of the sizes, divided by 0.674, as it is for normal ones, stands for it. Independent weights
#'   have the same factor for every seed.
#' @param inputs Number of features that each node reads, chosen at random; `NULL` or `NA` for all.
#'   Nodes that read a few features suit tables whose columns mean different things: `"auto"` is 3,
#'   but all for weights of your own, for `init = "gradient"` and for `hidden = Inf`. Nodes of
#'   deeper layers read as many of what their layer reads. If `init = "gradient"` is given a number,
#'   features that matter more are chosen more often, in proportion to their mean squared gradients.
#'   With `hidden = Inf` a number is for sine nodes with a phase and i.i.d. weights: all choices of
#'   `inputs` features count alike.
#' @param bias `"uniform"` on (0, 1), or `"data"`: each node is centered at a training row chosen at
#'   random, so that steep nodes bend where there are data. `"phase"` is uniform on (0, 2 pi), for
#'   nodes with `activation = "sine"`, and `"none"` is no bias.
#' @param lambda Ridge penalty: a number, several to choose from, or `NULL` for `10^(-6:6)`. For
#'   several numeric outputs each chooses its own; a matrix with one row gives one penalty per
#'   output. What was chosen is `$lambda` of the model.
#' @param direct Does the readout see the features themselves?
#' @param intercept Does the readout have a column of ones? It is penalized for classes, and free
#'   for numbers.
#' @param standardize Center the features and divide them by their standard deviations first? The
#'   deviations divide by the number of rows, or by the sum of the case weights, not by one less.
#'   With `"ranks"` each feature is first replaced by its rank among the training rows, between 0
#'   and 1, where ties share their mean rank. Outliers, skewed distributions and units, such as a
#'   price or its logarithm, then no longer matter: an increasing function of a feature changes
#'   nothing but what is between training values, and little there. Distances between values do not
#'   matter either. New values have ranks on straight lines between those of training values, and
#'   the rank of the nearest one beyond all of them. Of features with more than 500 distinct values
#'   about 500 are remembered. Copulas are fitted to ranks in any case.
#' @param case_weights Case weights, one per row; with a formula a column of the data. A row of
#'   weight two counts as two rows in every step: standardization, imputation, copula, readout,
#'   calibration. If a step takes a sample of rows, it takes them with probabilities in proportion
#'   to their case weights. Case weights are not normalized. Leave-one-out leaves the whole row out,
#'   whatever its weight.
#' @param class_weights Factors on the case weights of the rows of each class: numbers named after
#'   classes (one for classes that are not named), or `"balanced"`, which gives all classes the same
#'   weight. Everything then is as if classes were as frequent as these weights say: rare classes
#'   are predicted more often, probabilities are those of such data, and leave-one-out figures count
#'   rows by their weights, so that `"balanced"` gives the mean accuracy of the classes. Divide
#'   probabilities by the class weights, which are in `$spec$class_weights`, and then each row by
#'   its sum, to get those of the data as they are. To move a threshold alone, none are needed:
#'   probabilities without class weights are calibrated for rare classes too.
#' @param na_action What to do with missing values. `"fail"` is an error. `"omit"` leaves out rows
#'   that miss a feature or the response; their predictions are `NA`. `"impute"` puts in the median
#'   or the most frequent level of the training data, also for levels that the training data did not
#'   have.
#' @param seed A whole number; `NULL` takes one from R's generator.
#' @param threads Number of threads; see [cawi-package]. Results do not depend on it.
#' @param keep_data Keep the training data in the model, for `fitted()`, `residuals()`, `update()`
#'   with more nodes, intervals, prediction sets, [cawi_importance()], [cawi_effects()] and
#'   [cawi_diagnose()]? By default up to two million numbers; of a sparse matrix those count that
#'   are stored. Rows of a [cawi_source()] are never kept.
#' @param checkpoint For a [cawi_source()]: the name of a file to keep what was summed so far, every
#'   30 seconds (option `cawi.checkpoint_seconds`). The same call after a run that was killed goes
#'   on from there and ends with the same model. The file is removed when the model is made.
#'
#' @return A `cawi_model`. See [predict.cawi_model()], [update.cawi_model()], [cawi_features()],
#'   [cawi_diagnose()]; `print`, `summary`, `coef`, `fitted`, `residuals`, `plot`, `autoplot`,
#'   `tidy`, `glance` and `augment` work as usual.
#' @references
#' Huang, G.-B., Zhu, Q.-Y. and Siew, C.-K. (2006). Extreme learning machine: theory and
#' applications. *Neurocomputing* 70, 489-501. (ELM)
#'
#' Pao, Y.-H., Park, G.-H. and Sobajic, D. J. (1994). Learning and generalization characteristics of
#' the random vector functional-link net. *Neurocomputing* 6, 163-180. (RVFL)
#'
#' Shi, Q., Katuwal, R., Suganthan, P. N. and Tanveer, M. (2021). Random vector functional link
#' neural network based ensemble deep learning. *Pattern Recognition* 117, 107978. (dRVFL, edRVFL)
#'
#' Chen, C. L. P. and Liu, Z. (2018). Broad learning system: an effective and efficient incremental
#' learning system without the need for deep architecture. *IEEE Transactions on Neural Networks and
#' Learning Systems* 29, 10-24. (BLS)
#'
#' Akhtar, M., Tanveer, M. and Arshad, M. (2026). CAWI: Copula-aligned weight initialization for
#' randomized neural networks. *AISTATS*. (weights from copulas)
#'
#' Allen, D. M. (1974). The relationship between variable selection and data augmentation and a
#' method for prediction. *Technometrics* 16, 125-127. (leave-one-out in closed form)
#'
#' Radhakrishnan, A., Beaglehole, D., Pandit, P. and Belkin, M. (2024). Mechanism for feature
#' learning in neural networks and backpropagation-free machine learning models. *Science* 383,
#' 1461-1467. (weights from gradients)
#'
#' Golub, G. H., Heath, M. and Wahba, G. (1979). Generalized cross-validation as a method for
#' choosing a good ridge parameter. *Technometrics* 21, 215-223. (choice of the penalty)
#'
#' Rahimi, A. and Recht, B. (2007). Random features for large-scale kernel machines. *Advances in
#' Neural Information Processing Systems* 20. (infinitely many sines)
#'
#' Cho, Y. and Saul, L. K. (2009). Kernel methods for deep learning. *Advances in Neural Information
#' Processing Systems* 22. (infinitely many relu nodes)
#'
#' Williams, C. K. I. and Seeger, M. (2001). Using the Nystrom method to speed up kernel machines.
#' *Advances in Neural Information Processing Systems* 13. (landmarks)
#' @examples
#' fit <- cawi_rvfl(Species ~ ., iris, hidden = 50, init = "gaussian", seed = 1)
#' fit
#' predict(fit, iris[c(1, 51, 101), ])
#' predict(fit, iris[c(1, 51, 101), ], type = "prob")
#'
#' cawi_drvfl(iris[, 1:4], iris$Species, hidden = c(30, 30), seed = 1)
#' cawi_bls(mpg ~ ., mtcars, windows = 4, nodes = 5, enhancement = 20, seed = 1)
#'
#' # Sparse features
#' if (requireNamespace("Matrix", quietly = TRUE)) {
#'   x <- Matrix::rsparsematrix(200, 1000, 0.01)
#'   y <- as.vector(x[, 1:50] %*% rep(1, 50))
#'   cawi_elm(x, y, hidden = 50, seed = 1)
#' }
#'
#' # Infinitely many nodes
#' cawi_rvfl(Species ~ ., iris, hidden = Inf, activation = "sine", bias = "phase",
#'           marginal = "cauchy", spread = 1, seed = 1)
#' @name cawi_models
NULL

#' @rdname cawi_models
#' @export
cawi_elm <- model_function("elm")

#' @rdname cawi_models
#' @export
cawi_rvfl <- model_function("rvfl")

#' @rdname cawi_models
#' @export
cawi_drvfl <- model_function("drvfl")

#' @rdname cawi_models
#' @export
cawi_edrvfl <- model_function("edrvfl")

#' @rdname cawi_models
#' @export
cawi_bls <- model_function("bls")
