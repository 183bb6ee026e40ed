# What must not matter, or must matter in a known way, through the functions that users call.

metamorphic_why <- "in units of the condition of the ridge regression and of the largest prediction"
# Sums in another order move the means of the features by a rounding, which Cauchy weights magnify
# by their size, a thousand and more.
moments_why <- paste0(metamorphic_why, "; Cauchy weights magnify the rounding of means")

# How far predictions of two models at the same rows may differ by rounding.
prediction_unit <- function(fit, x, values) {
  center <- fit$task == "regression" && fit$network$intercept
  a <- slow_readouts(x, fit$network)
  conditions <- vapply(a, condition, numeric(1), rep(1, nrow(x)), fit$spec$lambda, center)
  max(conditions) * max(1, abs(values))
}

prediction_gap <- function(one, other, x, fresh, fresh_other = fresh) {
  values <- raw(one, fresh)
  gap(raw(other, fresh_other), values, prediction_unit(one, x, values))
}

# A random problem with new rows, and a fit.
any_case <- function() {
  case <- any_data()
  case$fresh <- fresh_rows(case$x)
  case$model <- any_model()
  case$fit <- fit_model(case$model, case$x, case$y)
  case
}

relation <- function(judge, tolerance, problem, kind = "fits", why = metamorphic_why) {
  routine(judge, tolerance, why, problem, kind)
}

one_layer <- c("elm", "rvfl")

metamorphic_routines <- list(
  rows_permuted = relation(
    "the rows in another order", 1e-12, why = moments_why,
    function() {
      case <- any_case()
      order <- sample.int(nrow(case$x))
      other <- fit_model(case$model, case$x[order, , drop = FALSE], y_rows(case$y, order))
      prediction_gap(case$fit, other, case$x, case$fresh)
    }
  ),
  rows_permuted_choice = relation(
    "the rows in another order, where lambda is chosen", 1e-7,
    why = "the least squared errors: at small penalties the condition takes seven digits",
    function() {
      case <- any_data()
      model <- any_model()
      model$arguments$lambda <- NULL
      order <- sample.int(nrow(case$x))
      one <- fit_model(model, case$x, case$y)
      other <- fit_model(model, case$x[order, , drop = FALSE], y_rows(case$y, order))
      least <- function(fit) {
        vapply(fit$readouts, function(readout) {
          sum(apply(as.matrix(readout$loo$squared_error), 2L, min))
        }, numeric(1))
      }
      gap(least(other), least(one), max(1, least(one)))
    }
  ),
  columns_permuted = relation(
    "features and given weights in another order", 2e-15,
    function() {
      case <- any_data(columns = 3L)
      model <- any_model(one_layer)
      w <- normal_matrix(3L, model$arguments$hidden)
      order <- sample.int(3L)
      one <- fit_model(model, case$x, case$y, init = w)
      other <- fit_model(model, case$x[, order], case$y, init = w[order, , drop = FALSE])
      fresh <- fresh_rows(case$x)
      prediction_gap(one, other, case$x, fresh, fresh[, order])
    }
  ),
  columns_scaled = relation(
    "features in other units and from other origins", 1e-11,
    why = "as rows_permuted, times the size of a shift in standard deviations, at most a thousand",
    function() {
      case <- any_case()
      unit <- 10^stats::runif(ncol(case$x), -6, 6)
      # In standard deviations of the feature.
      spread <- apply(case$x, 2L, function(v) max(v) - min(v))
      shift <- stats::rnorm(ncol(case$x)) * unit * 30 * ifelse(spread > 0, spread, 1)
      moved <- function(x) t(t(x) * unit + shift)
      other <- fit_model(case$model, moved(case$x), case$y)
      prediction_gap(case$fit, other, case$x, case$fresh, moved(case$fresh))
    }
  ),
  response_scaled = relation(
    "a response in other units and from another origin", 1e-13,
    why = "as rows_permuted, times the size of the shift in standard deviations, at most a hundred",
    function() {
      case <- any_case()
      if (is.factor(case$y)) return(0)
      unit <- 10^stats::runif(1L, -6, 6)
      shift <- stats::rnorm(1L) * unit * 30 * case$model$arguments$intercept
      other <- fit_model(case$model, case$x, case$y * unit + shift)
      values <- raw(case$fit, case$fresh)
      gap((raw(other, case$fresh) - shift) / unit, values,
          prediction_unit(case$fit, case$x, values))
    }
  ),
  rows_duplicated = relation(
    "case weights that are whole numbers", 1e-12, why = moments_why,
    function() {
      case <- any_data()
      model <- any_model()
      w <- sample.int(3L, nrow(case$x), TRUE)
      rows <- rep(seq_len(nrow(case$x)), w)
      one <- fit_model(model, case$x, case$y, case_weights = as.double(w))
      other <- fit_model(model, case$x[rows, , drop = FALSE], y_rows(case$y, rows))
      prediction_gap(one, other, case$x[rows, , drop = FALSE],
                     fresh_rows(case$x))
    }
  ),
  rows_without_weight = relation(
    "rows that are not there", 0, why = "a row of weight zero is left out before any work",
    function() {
      case <- any_data(12L)
      model <- any_model()
      out <- sample.int(9L, 3L) + 3L
      w <- stats::rexp(12L) + 0.1
      w[out] <- 0
      one <- fit_model(model, case$x, case$y, case_weights = w)
      other <- fit_model(model, case$x[-out, , drop = FALSE], y_rows(case$y, -out),
                         case_weights = w[-out])
      fresh <- fresh_rows(case$x)
      gap(raw(one, fresh), raw(other, fresh))
    }
  ),
  weights_scaled = relation(
    "case weights and lambda in another unit", 1e-12, why = moments_why,
    function() {
      case <- any_data()
      model <- any_model()
      model$arguments$init <- "iid"
      w <- stats::rexp(nrow(case$x)) + 0.1
      unit <- log_between(1e-3, 1e3)
      one <- fit_model(model, case$x, case$y, case_weights = w)
      other <- fit_model(model, case$x, case$y, case_weights = w * unit,
                         lambda = model$arguments$lambda * unit)
      prediction_gap(one, other, case$x, fresh_rows(case$x))
    }
  ),
  class_weights = relation(
    "the same weights for all rows of a class", 2e-15,
    function() {
      case <- any_data()
      if (!is.factor(case$y)) return(0)
      case$x <- normal_matrix(nrow(case$x), ncol(case$x))
      model <- any_model()
      model$arguments$init <- "iid"
      w <- stats::setNames(stats::rexp(3L) + 0.1, levels(case$y))
      # Standardization sees case weights, and not those of classes.
      model$arguments$standardize <- FALSE
      model$arguments$scale <- 1
      one <- fit_model(model, case$x, case$y, class_weights = w)
      other <- fit_model(model, case$x, case$y, case_weights = unname(w[case$y]))
      prediction_gap(one, other, case$x, fresh_rows(case$x))
    }
  ),
  outputs_apart = relation(
    "one model per output", 2e-15,
    function() {
      case <- any_data()
      model <- any_model()
      y <- normal_matrix(nrow(case$x), 2L)
      fresh <- fresh_rows(case$x)
      one <- fit_model(model, case$x, y)
      apart <- cbind(raw(fit_model(model, case$x, y[, 1L]), fresh),
                     raw(fit_model(model, case$x, y[, 2L]), fresh))
      gap(raw(one, fresh), apart, prediction_unit(one, case$x, apart))
    }
  ),
  levels_reordered = relation(
    "the classes in another order", 2e-15,
    function() {
      case <- any_data()
      if (!is.factor(case$y)) return(0)
      model <- any_model()
      order <- sample.int(3L)
      one <- fit_model(model, case$x, case$y)
      other <- fit_model(model, case$x, factor(case$y, levels(case$y)[order]))
      fresh <- fresh_rows(case$x)
      values <- raw(one, fresh)[, order]
      gap(raw(other, fresh), values, prediction_unit(one, case$x, values))
    }
  ),
  probabilities_reordered = relation(
    "the classes in another order", 1e-7,
    why = "curves are fitted until a step gains less than 1e-7 of the log-loss",
    function() {
      case <- any_data()
      if (!is.factor(case$y)) return(0)
      model <- any_model()
      order <- sample.int(3L)
      fresh <- fresh_rows(case$x)
      prob <- function(y) stats::predict(fit_model(model, case$x, y), fresh, type = "prob")
      one <- unname(as.matrix(prob(case$y)))
      other <- unname(as.matrix(prob(factor(case$y, levels(case$y)[order]))))
      max(gap(other, one[, order], 1), gap(rowSums(one), rep(1, 3L), 1) * 1e6)
    }
  ),
  levels_relabeled = relation(
    "classes of other names", 0, why = "names do not enter",
    function() {
      case <- any_data()
      if (!is.factor(case$y)) return(0)
      model <- any_model()
      names <- sample(c("no", "yes", "z z", "0", "-", "NA "), 3L)
      other_y <- factor(names[as.integer(case$y)], names)
      one <- fit_model(model, case$x, case$y)
      other <- fit_model(model, case$x, other_y)
      fresh <- fresh_rows(case$x)
      classes <- function(fit) as.character(stats::predict(fit, fresh, type = "class"))
      gap(raw(other, fresh), raw(one, fresh)) +
        holds(identical(classes(other), names[match(classes(one), levels(case$y))]))
    }
  ),
  constant_added = relation(
    "the same features without one that is constant", 2e-15,
    function() {
      case <- any_data()
      model <- any_model(one_layer)
      w <- normal_matrix(ncol(case$x), model$arguments$hidden)
      place <- whole_between(0L, ncol(case$x))
      value <- stats::rnorm(1L) * log_between(1e-3, 1e3)
      wider <- function(x, fill) {
        cbind(x[, seq_len(place), drop = FALSE], fill, x[, seq_len(ncol(x)) > place, drop = FALSE])
      }
      one <- fit_model(model, case$x, case$y, init = w)
      above <- seq_len(nrow(w)) <= place
      more <- rbind(w[above, , drop = FALSE], 7, w[!above, , drop = FALSE])
      other <- fit_model(model, unname(wider(case$x, value)), case$y, init = more)
      fresh <- fresh_rows(case$x)
      prediction_gap(one, other, case$x, fresh, unname(wider(fresh, stats::rnorm(3L))))
    }
  ),
  ranks_monotone = relation(
    "features after increasing functions, with ranks", 0, why = "ranks are the same numbers",
    function() {
      case <- any_data()
      case$x <- round(normal_matrix(nrow(case$x), ncol(case$x)), one_of(c(0L, 1L, 9L)))
      model <- any_model()
      f <- one_of(list(exp, function(v) v^3, function(v) atan(v), function(v) 5 * v - 3))
      one <- fit_model(model, case$x, case$y, standardize = "ranks")
      other <- fit_model(model, f(case$x), case$y, standardize = "ranks")
      gap(raw(other, f(case$x)), raw(one, case$x))
    }
  ),
  sparse = relation(
    "the same rows as a sparse matrix", 1e-12, why = moments_why,
    function() {
      case <- any_data()
      case$x[stats::runif(length(case$x)) < 0.5] <- 0
      model <- any_model()
      model$arguments$init <- "iid"
      one <- fit_model(model, case$x, case$y)
      # Matrix() takes what is nearly symmetric for symmetric.
      sparse <- function(x) {
        at <- which(x != 0, arr.ind = TRUE)
        Matrix::sparseMatrix(at[, 1L], at[, 2L], x = x[at], dims = dim(x))
      }
      other <- fit_model(model, sparse(case$x), case$y)
      fresh <- fresh_rows(case$x)
      fresh[1L, ] <- 0
      prediction_gap(one, other, case$x, fresh, sparse(fresh))
    }, "sources"
  ),
  frames = relation(
    "the same numbers as a data frame, or by a formula", 0, why = "the same operations",
    function() {
      case <- any_data()
      model <- any_model()
      colnames(case$x) <- c("if", "a b", "x1")[seq_len(ncol(case$x))]
      frame <- data.frame(case$x, check.names = FALSE)
      if (is.matrix(case$y)) case$y <- case$y[, 1L]
      one <- fit_model(model, case$x, case$y)
      other <- fit_model(model, frame, case$y)
      frame$response <- case$y
      arguments <- c(list(response ~ ., frame), model$arguments)
      third <- suppressWarnings(do.call(paste0("cawi_", model$model), arguments))
      max(gap(raw(other, frame), raw(one, case$x)), gap(raw(third, frame), raw(one, case$x)))
    }, "sources"
  ),
  widths_nested = relation(
    "the leading weights of a wider network", 0, why = "draws depend on seed and number alone",
    function() {
      case <- any_data()
      model <- any_model(one_layer)
      wide <- fit_model(model, case$x, case$y, hidden = 12L)
      some <- whole_between(1L, 11L)
      narrow <- fit_model(model, case$x, case$y, hidden = some)
      holds(identical(narrow$network$layers[[1L]]$weights,
                      wide$network$layers[[1L]]$weights[, seq_len(some), drop = FALSE]),
            identical(narrow$network$layers[[1L]]$bias,
                      wide$network$layers[[1L]]$bias[seq_len(some)]))
    }
  ),
  threads = relation(
    "one thread", 0, why = "blocks and their order are fixed",
    function() {
      case <- any_case()
      other <- fit_model(case$model, case$x, case$y, threads = 2L)
      holds(identical(raw(other, case$fresh), raw(case$fit, case$fresh)))
    }
  ),
  chunks = relation(
    "all rows at once", 1e-12,
    why = "as rows_permuted; moments of chunks merge, and sums are added in another order",
    function() {
      case <- any_data(12L)
      model <- any_model()
      model$arguments$init <- "iid"
      if (is.matrix(case$y)) case$y <- case$y[, 1L]
      frame <- data.frame(case$x, response = case$y)
      fit <- function(data) {
        arguments <- c(list(response ~ ., data), model$arguments)
        suppressWarnings(do.call(paste0("cawi_", model$model), arguments))
      }
      one <- fit(frame)
      other <- fit(cawi_source(frame, chunk = one_of(c(1, 3, 12))))
      prediction_gap(one, other, case$x, frame)
    }, "sources"
  ),
  copula_monotone = relation(
    "features after increasing functions", 0, why = "ranks are the same numbers", "plain",
    problem = function() {
      x <- normal_matrix(whole_between(5L, 30L), whole_between(2L, 4L))
      f <- one_of(list(exp, function(v) v^3, atan))
      coefficients <- function(x, family) {
        suppressWarnings(stats::coef(cawi_copula(x, family, threads = 1L)))
      }
      family <- one_of(c("gaussian", "clayton", "frank", "gumbel"))
      gap(coefficients(f(x), family), coefficients(x, family))
    }
  ),
  kendall_symmetries = relation(
    "columns turned round, in another order, rows in another order", 0, why = "counts", "plain",
    problem = function() {
      x <- small_shape()
      tau <- kendall_cpp(x, 1L)
      rows <- sample.int(nrow(x))
      columns <- sample.int(ncol(x))
      turned <- x
      turned[, 1L] <- -turned[, 1L]
      wanted <- tau
      wanted[1L, -1L] <- -wanted[1L, -1L]
      wanted[-1L, 1L] <- -wanted[-1L, 1L]
      max(gap(kendall_cpp(x[rows, , drop = FALSE], 1L), tau, 1),
          gap(kendall_cpp(x[, columns, drop = FALSE], 1L), tau[columns, columns], 1),
          gap(kendall_cpp(turned, 1L), wanted, 1))
    }
  )
)
