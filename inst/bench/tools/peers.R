# Models that the studies compare cawi with, each with its own way to choose its arguments inside
# the training part. Sourced, not run; study-tools.R comes first.
# A peer takes training features, a response (a factor or numbers), fresh features and a seed, and
# returns what study-tools.R calls a prediction: for classes a list of `class` and `prob`, for
# numbers a vector.

# Arguments are chosen on at most this many rows, so that a study ends on the same day, and the
# chosen model is then fitted to at most `fit_rows`. Sets with at most 6,000 rows have at most 4,800
# in a training part, so that no fit lacks any there; tables of larger sets have to say so.
choice_rows <- c(svm = 2000, svm_numbers = 1000, ranger = 2000, lightgbm = 3000)
fit_rows <- c(svm = 5000, lightgbm = Inf, glmnet = 5000)

# Forests that are compared have fewer trees than the 500 of the last one: the number of rows limits
# the precision of their out-of-bag errors, not that of trees.
choice_trees <- 200

# At most `most` rows, drawn within classes, each with at least one row.
stratified_rows <- function(y, most, seed) {
  if (length(y) <= most) return(seq_along(y))
  set.seed(seed)
  shuffled <- sample(length(y))
  strata <- if (is.factor(y)) as.integer(y[shuffled]) else rep(1L, length(y))
  place <- stats::ave(seq_along(y), strata, FUN = function(i) (seq_along(i) - 1) / length(i))
  sort(shuffled[order(place)[seq_len(most)]])
}

some_rows <- function(x, y, most, seed) {
  rows <- stratified_rows(y, most, seed)
  list(x = x[rows, , drop = FALSE], y = y[rows])
}

# Errors of classes, squares of numbers.
loss_of <- function(y, predicted) {
  if (is.factor(y)) sum(as.character(predicted) != as.character(y)) else sum((predicted - y)^2)
}

# ---- random forests: ranger ----

# Probabilities come from a forest of their own, whose time is not counted: a forest that votes and
# one of probabilities are different models, and the first is ranger's default for classes.
forest_prediction <- function(fit, x, y, fresh, seed, ...) {
  predicted <- predict(fit, fresh, num.threads = 1L)$predictions
  if (!is.factor(y)) return(predicted)
  list(class = predicted, prob = function() {
    forest <- ranger::ranger(x = x, y = y, seed = seed, num.threads = 1L, probability = TRUE, ...)
    predict(forest, fresh, num.threads = 1L)$predictions[, levels(y), drop = FALSE]
  })
}

peer_ranger <- function(x, y, fresh, seed) {
  fit <- ranger::ranger(x = x, y = y, seed = seed, num.threads = 1L)
  forest_prediction(fit, x, y, fresh, seed)
}

# Number of features per split and size of nodes by the out-of-bag error. The forest of
# probabilities has the chosen number of features and ranger's own size of nodes.
peer_ranger_tuned <- function(x, y, fresh, seed) {
  d <- ncol(x)
  grid <- expand.grid(mtry = unique(pmax(1, round(c(1, sqrt(d), d / 3, d)))), node = c(1, 5, 10))
  part <- some_rows(x, y, choice_rows[["ranger"]], seed)
  part$y <- if (is.factor(y)) droplevels(part$y) else part$y
  error <- vapply(seq_len(nrow(grid)), function(g) {
    ranger::ranger(x = part$x, y = part$y, seed = seed, num.threads = 1L, mtry = grid$mtry[g],
                   min.node.size = grid$node[g], num.trees = choice_trees,
                   write.forest = FALSE)$prediction.error
  }, numeric(1))
  best <- grid[which.min(error), ]
  fit <- ranger::ranger(x = x, y = y, seed = seed, num.threads = 1L, mtry = best$mtry,
                        min.node.size = best$node)
  forest_prediction(fit, x, y, fresh, seed, mtry = best$mtry)
}

# ---- support vector machine with a radial kernel: e1071 ----

# Cost 10^(-1..3) and five gammas around 1/d by inner three-fold cross-validation.
peer_svm <- function(x, y, fresh, seed) {
  x <- as.matrix(x)
  fresh <- as.matrix(fresh)
  train <- function(x, y, setting, ...) {
    if (is.factor(y)) y <- droplevels(y)
    # Constant columns of a part cannot be scaled; the warning says no more.
    suppressWarnings(e1071::svm(x, y, cost = setting$cost, gamma = setting$gamma, cachesize = 500,
                                ...))
  }
  grid <- expand.grid(cost = 10^(-1:3), gamma = 4^(-2:2) / ncol(x))
  part <- some_rows(x, y, choice_rows[[if (is.factor(y)) "svm" else "svm_numbers"]], seed)
  inner <- cawi::cawi_folds(part$y, 3, seed = seed)[, 1L]
  loss <- vapply(seq_len(nrow(grid)), function(g) {
    sum(vapply(1:3, function(f) {
      keep <- inner != f
      fit <- train(part$x[keep, , drop = FALSE], part$y[keep], grid[g, ])
      loss_of(part$y[!keep], predict(fit, part$x[!keep, , drop = FALSE]))
    }, numeric(1)))
  }, numeric(1))
  part <- some_rows(x, y, fit_rows[["svm"]], seed)
  best <- grid[which.min(loss), ]
  if (!is.factor(y)) return(as.numeric(predict(train(part$x, part$y, best), fresh)))
  # libsvm's probabilities come from inner folds drawn at random.
  set.seed(seed)
  fit <- train(part$x, part$y, best, probability = TRUE)
  prob <- attr(predict(fit, fresh, probability = TRUE), "probabilities")
  list(class = predict(fit, fresh), prob = prob[, levels(y), drop = FALSE])
}

# ---- gradient boosting: lightgbm ----

# Learning rate, leaves and rounds (at most 300) by the log-loss, or the squared error, of inner
# three-fold cross-validation.
peer_lightgbm <- function(x, y, fresh, seed) {
  # Names of dummy variables may come twice, which it does not accept.
  x <- unname(as.matrix(x))
  part <- some_rows(x, y, choice_rows[["lightgbm"]], seed)
  folds <- unname(split(seq_along(part$y), cawi::cawi_folds(part$y, 3, seed = seed)[, 1L]))
  task <- boosting_task(y)
  grid <- expand.grid(learning_rate = c(0.05, 0.1), num_leaves = c(7L, 31L))
  settings <- function(g, rows) {
    c(task, as.list(grid[g, ]),
      list(min_data_in_leaf = as.integer(max(1, min(20, rows %/% 30))), num_threads = 1L,
           verbose = -1L, seed = seed, deterministic = TRUE, force_col_wise = TRUE))
  }
  data <- function(part, params) {
    label <- if (is.factor(y)) as.integer(part$y) - 1L else part$y
    lightgbm::lgb.Dataset(part$x, label = label, params = params[-seq_along(task)])
  }
  curves <- lapply(seq_len(nrow(grid)), function(g) {
    params <- settings(g, length(part$y))
    cv <- lightgbm::lgb.cv(params, data(part, params), nrounds = 300L, folds = folds,
                           early_stopping_rounds = 20L, verbose = -1L)
    unlist(cv$record_evals$valid[[task$metric]]$eval)
  })
  best <- which.min(vapply(curves, min, numeric(1)))
  part <- some_rows(x, y, fit_rows[["lightgbm"]], seed)
  params <- settings(best, length(part$y))
  fit <- lightgbm::lgb.train(params, data(part, params), nrounds = which.min(curves[[best]]),
                             verbose = -1L)
  predicted <- predict(fit, unname(as.matrix(fresh)))
  if (!is.factor(y)) return(predicted)
  if (nlevels(y) == 2L) predicted <- cbind(1 - predicted, predicted)
  prob <- matrix(predicted, ncol = nlevels(y), dimnames = list(NULL, levels(y)))
  list(class = most_likely(prob), prob = prob)
}

boosting_task <- function(y) {
  if (!is.factor(y)) return(list(objective = "regression", metric = "l2"))
  if (nlevels(y) == 2L) return(list(objective = "binary", metric = "binary_logloss"))
  list(objective = "multiclass", metric = "multi_logloss", num_class = nlevels(y))
}

# ---- lasso: glmnet ----

# The penalty by five inner folds. glmnet refuses classes with one row in any fit: the row of such a
# class is doubled, and classes with one or two rows are never left out. Where it fails all the same
# the prediction is that of the frequencies, and the record says so in a comment.
peer_glmnet <- function(x, y, fresh, seed) {
  part <- some_rows(as.matrix(x), y, fit_rows[["glmnet"]], seed)
  fresh <- as.matrix(fresh)
  inner <- cawi::cawi_folds(part$y, 5, seed = seed)[, 1L]
  if (ncol(fresh) == 1L) {
    # It wants two columns.
    part$x <- cbind(part$x, 0)
    fresh <- cbind(fresh, 0)
  }
  if (!is.factor(y)) {
    fit <- glmnet::cv.glmnet(part$x, part$y, foldid = inner)
    return(drop(predict(fit, fresh, s = "lambda.min")))
  }
  count <- table(part$y)
  inner[count[part$y] <= 2L] <- 0L
  rows <- c(seq_along(part$y), which(count[part$y] == 1L))
  family <- if (nlevels(y) == 2L) "binomial" else "multinomial"
  fitted <- tryCatch({
    fit <- suppressWarnings(glmnet::cv.glmnet(part$x[rows, , drop = FALSE], part$y[rows],
                                              family = family, foldid = inner[rows],
                                              grouped = all(inner > 0L)))
    link <- predict(fit, fresh, s = "lambda.min", type = "link")
    # Of its own it overflows on rows far out.
    softmax(cbind(if (nlevels(y) == 2L) 0, matrix(link, nrow(fresh))))
  }, error = identity)
  note <- NULL
  if (inherits(fitted, "error")) {
    note <- paste("glmnet: frequencies in place of:", conditionMessage(fitted))
    fitted <- matrix(prop.table(table(y)), nrow(fresh), nlevels(y), byrow = TRUE)
  }
  prob <- matrix(fitted, nrow(fresh), dimnames = list(NULL, levels(y)))
  list(class = most_likely(prob), prob = prob, note = note)
}

softmax <- function(link) {
  exponential <- exp(link - apply(link, 1L, max))
  exponential / rowSums(exponential)
}

# ---- random Fourier features with a ridge readout ----

# The bandwidth is the median distance times one of three factors, and it and the penalty have the
# least leave-one-out squared error. The scores of classes are no probabilities: for the log-loss
# they are clipped and divided by their sum.
peer_rff <- function(nodes) {
  function(x, y, fresh, seed) fourier_prediction(x, y, fresh, seed, nodes)
}

fourier_prediction <- function(x, y, fresh, seed, nodes) {
  x <- as.matrix(x)
  center <- colMeans(x)
  sd <- apply(x, 2L, stats::sd)
  sd[sd == 0] <- 1
  x <- scale(x, center, sd)
  fresh <- scale(as.matrix(fresh), center, sd)
  set.seed(seed)
  distance <- stats::median(stats::dist(x[sample(nrow(x), min(nrow(x), 1000L)), , drop = FALSE]))
  weights <- matrix(stats::rnorm(ncol(x) * nodes), ncol(x))
  phase <- stats::runif(nodes, 0, 2 * pi)
  cosines <- function(x, factor) {
    cos(sweep(x %*% weights / (factor * max(distance, 1e-6)), 2L, phase, `+`))
  }
  targets <- if (is.factor(y)) outer(as.character(y), levels(y), `==`) + 0 else cbind(y)
  factors <- c(0.5, 1, 2)
  readouts <- lapply(factors, function(f) ridge_loo(cosines(x, f), targets))
  best <- which.min(vapply(readouts, function(r) r$error, numeric(1)))
  readout <- readouts[[best]]
  z <- sweep(cosines(fresh, factors[best]), 2L, readout$center)
  score <- sweep(z %*% readout$beta, 2L, readout$mean, `+`)
  if (!is.factor(y)) return(drop(score))
  colnames(score) <- levels(y)
  list(class = most_likely(score), prob = score)
}

# Ridge regression on centered columns with the penalty of least leave-one-out squared error.
ridge_loo <- function(z, targets, lambda = 10^(-6:6)) {
  center <- colMeans(z)
  mean <- colMeans(targets)
  s <- svd(sweep(z, 2L, center))
  keep <- s$d > 1e-10 * s$d[1L]
  u <- s$u[, keep, drop = FALSE]
  d <- s$d[keep]
  centered <- sweep(targets, 2L, mean)
  projected <- crossprod(u, centered)
  error <- vapply(lambda, function(l) {
    shrink <- d^2 / (d^2 + l)
    left <- 1 - 1 / nrow(z) - drop(u^2 %*% shrink)
    sum(((centered - u %*% (shrink * projected)) / pmax(left, 1e-8))^2)
  }, numeric(1))
  best <- which.min(error)
  beta <- s$v[, keep, drop = FALSE] %*% (d / (d^2 + lambda[best]) * projected)
  list(beta = beta, center = center, mean = mean, error = error[best])
}
