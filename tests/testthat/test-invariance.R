# What must not matter does not: every model and task, with weights from a copula too.

new_rows <- small_x(7, start = 11)

# Predictions as numbers: scores for classes.
numbers <- function(fit, new_data) {
  type <- if (fit$task == "classification") "score" else "numeric"
  unname(as.matrix(predict(fit, new_data, type = type)))
}

for_all <- function(code, inits = c("iid", "gaussian")) {
  for (model in model_names) for (task in tasks) for (init in inits) code(model, task, init)
}

# Of each output for numbers, of no one for classes.
on_outputs <- function(y, f) {
  if (is.factor(y)) return(y)
  if (is.matrix(y)) {
    vapply(seq_len(ncol(y)), function(k) f(y[, k], k), numeric(nrow(y)))
  } else {
    f(y, 1)
  }
}

test_that("the origin and the unit of a numeric response do not matter", {
  shift <- c(1e4, -273.15, 3e6)
  unit <- c(1.8, 1e-5, 1e7)
  x <- small_x()
  tasks <- c("regression", "outputs")
  for (model in model_names) for (task in tasks) for (lambda in list(0.1, NULL)) {
    y <- small_y(task)
    moved <- on_outputs(y, function(v, k) v * unit[k] + shift[k])
    plain <- fit_named(model, x, y, lambda = lambda, seed = 4)
    other <- fit_named(model, x, moved, lambda = lambda, seed = 4)
    expect_identical(other$lambda, plain$lambda)
    wanted <- on_outputs(numbers(plain, new_rows), function(v, k) v * unit[k] + shift[k])
    for (k in seq_len(NCOL(wanted))) {
      gap <- numbers(other, new_rows)[, k] - as.matrix(wanted)[, k]
      # The shift has its own rounding: eight digits of the unit, or of the shift where it is
      # much larger.
      expect_lt(max(abs(gap)), 1e-8 * max(unit[k], 1e-6 * abs(shift[k])))
    }
  }
})

test_that("units at the ends of the range of numbers do not matter", {
  x <- small_x()
  y <- small_y("regression")
  plain <- cawi_rvfl(x, y, hidden = 9, seed = 4)
  for (unit in c(1e160, 1e-300)) {
    fit <- cawi_rvfl(x, y * unit, hidden = 9, seed = 4)
    expect_identical(fit$lambda, plain$lambda)
    expect_equal(predict(fit, new_rows) / unit, predict(plain, new_rows), tolerance = 1e-10)
    expect_equal(fit$loo$value / unit, plain$loo$value, tolerance = 1e-10)
    tuned <- cawi_tune(x, y * unit, grid = cawi_grid(hidden = c(5, 9)), resampling = 3, seed = 4)
    expect_identical(
      tuned$best, cawi_tune(x, y, grid = cawi_grid(hidden = c(5, 9)), resampling = 3, seed = 4)$best
    )
  }
})

test_that("without an intercept the unit does not matter, and zero stays zero", {
  x <- small_x()
  y <- small_y("regression") + 3
  plain <- cawi_rvfl(x, y, hidden = 9, intercept = FALSE, lambda = 0.1, seed = 4)
  a <- cawi_features(plain, x)
  expect_equal(unname(coef(plain)[, 1]),
               drop(solve(crossprod(a) + 0.1 * diag(ncol(a)), crossprod(a, y))),
               ignore_attr = TRUE, tolerance = 1e-8)
  other <- cawi_rvfl(x, y * 1e-5, hidden = 9, intercept = FALSE, lambda = 0.1, seed = 4)
  expect_equal(predict(other, new_rows) * 1e5, predict(plain, new_rows), tolerance = 1e-8)
})

test_that("the origin and the unit of features do not matter", {
  shift <- c(100, -3, 0, 1e4)
  unit <- c(1e-3, 1e6, 7, 0.1)
  moved <- function(x) sweep(sweep(x, 2, unit, `*`), 2, shift, `+`)
  for_all(function(model, task, init) {
    y <- small_y(task)
    plain <- fit_named(model, small_x(), y, init = init, lambda = 0.1, seed = 4)
    other <- fit_named(model, moved(small_x()), y, init = init, lambda = 0.1, seed = 4)
    expect_equal(numbers(other, moved(new_rows)), numbers(plain, new_rows), tolerance = 1e-8)
  })
})

test_that("the order of training rows does not matter", {
  order <- rev(seq_len(40))[c(7:40, 1:6)]
  for_all(function(model, task, init) {
    y <- small_y(task)
    permuted <- if (is.matrix(y)) y[order, ] else y[order]
    plain <- fit_named(model, small_x(), y, init = init, lambda = 0.1, seed = 4)
    other <- fit_named(model, small_x()[order, ], permuted, init = init, lambda = 0.1, seed = 4)
    expect_equal(numbers(other, new_rows), numbers(plain, new_rows), tolerance = 1e-8)
  }, c("iid", "gaussian", "t"))
})

test_that("the order of the columns of new data does not matter, nor do names", {
  for_all(function(model, task, init) {
    y <- small_y(task)
    plain <- fit_named(model, small_x(), y, init = init, lambda = 0.1, seed = 4)
    expect_identical(numbers(plain, new_rows[, 4:1]), numbers(plain, new_rows))
    renamed <- function(x) `colnames<-`(x, c("b", "a", "if", "x 1"))
    other <- fit_named(model, renamed(small_x()), y, init = init, lambda = 0.1, seed = 4)
    expect_identical(numbers(other, renamed(new_rows)), numbers(plain, new_rows))
    frame <- function(x) data.frame(renamed(x), check.names = FALSE)
    other <- fit_named(model, frame(small_x()), y, init = init, lambda = 0.1, seed = 4)
    expect_identical(numbers(other, frame(new_rows)), numbers(plain, new_rows))
  })
})

test_that("a case weight of two is the row twice", {
  weights <- rep(c(1, 2, 1, 3), 10)
  twice <- rep(seq_len(40), weights)
  for_all(function(model, task, init) {
    y <- small_y(task)
    repeated <- if (is.matrix(y)) y[twice, ] else y[twice]
    plain <- fit_named(model, small_x(), y, init = init, lambda = 0.1, seed = 4,
                       case_weights = weights)
    other <- fit_named(model, small_x()[twice, ], repeated, init = init, lambda = 0.1, seed = 4)
    expect_equal(numbers(plain, new_rows), numbers(other, new_rows), tolerance = 1e-10)
  }, c("iid", "gaussian", "t", "clayton", "frank", "gumbel"))
})

# Equal rows at different places may differ in the last bit after a layer, and the ranks of the next
# one would see it. A narrow layer leaves the most of them.
test_that("a case weight of two is the row twice for the copulas of hidden layers", {
  cases <- expand.grid(rows = c(8, 21, 40), init = c("gumbel", "gaussian", "frank"),
                       model = c("drvfl", "edrvfl"), start = 1:3, stringsAsFactors = FALSE)
  for (i in seq_len(nrow(cases))) {
    case <- cases[i, ]
    x <- small_x(case$rows, start = case$start)
    y <- x[, 1] * x[, 2] + x[, 3]
    scores <- function(at, ...) {
      fit <- fit_named(case$model, x[at, ], y[at], init = case$init, lambda = 1, seed = i,
                       shape = list(hidden = c(1, 6, 5)), ...)
      predict(fit, x, type = "score")
    }
    weighted <- scores(seq_len(case$rows), case_weights = rep(2:1, c(3, case$rows - 3)))
    expect_equal(weighted, scores(c(seq_len(case$rows), 1:3)), tolerance = 1e-10,
                 label = paste(unlist(case), collapse = " "))
  }
})

test_that(paste("a case weight of two is the row twice when values are imputed,",
                "with spreads and factors"), {
  set.seed(2)
  data <- data.frame(a = c(NA, rnorm(29)), b = factor(sample(c("u", "v", "w", NA), 30, TRUE)),
                     y = rnorm(30))
  weights <- rep(c(1, 2, 3), 10)
  arguments <- list(hidden = 9, lambda = 0.1, na_action = "impute", spread = 2, seed = 3)
  fit <- do.call(cawi_rvfl, c(list(y ~ ., data, case_weights = weights), arguments))
  twice <- do.call(cawi_rvfl, c(list(y ~ ., data[rep(1:30, weights), ]), arguments))
  holes <- data.frame(a = c(NA, 1), b = factor(c("u", NA), levels(data$b)))
  expect_equal(predict(fit, holes), predict(twice, holes), tolerance = 1e-10)
  # Weights do matter.
  unweighted <- do.call(cawi_rvfl, c(list(y ~ ., data), arguments))
  expect_gt(max(abs(predict(fit, holes) - predict(unweighted, holes))), 1e-6)
})

test_that("names of classes and of levels do not matter", {
  set.seed(3)
  data <- data.frame(a = rnorm(60), b = factor(sample(c("u", "v", "w"), 60, TRUE)),
                     c = factor(sample(1:4, 60, TRUE), ordered = TRUE))
  data$y <- factor(ifelse(data$a + as.integer(data$b) > 2, "yes", "no"))
  renamed <- data
  levels(renamed$b) <- c("z z", "3", "a")
  levels(renamed$c) <- c("d", "c", "b", "a")
  levels(renamed$y) <- c("second", "first")
  for (model in model_names) {
    plain <- do.call(paste0("cawi_", model),
                     c(list(y ~ ., data), narrow[[model]], lambda = 0.1, seed = 4))
    other <- do.call(paste0("cawi_", model),
                     c(list(y ~ ., renamed), narrow[[model]], lambda = 0.1, seed = 4))
    expect_equal(numbers(other, renamed[1:9, ]), numbers(plain, data[1:9, ]), tolerance = 1e-12)
    expect_identical(as.integer(predict(other, renamed)), as.integer(predict(plain, data)))
  }
})

test_that("options and the locale do not matter", {
  data <- data.frame(a = c(0.5, 1.5, 2.5, 100000, 1e-5, 7), b = c("b", "A", "a", "B", "a", "b"),
                     c = factor(c(1, 2, 1, 2, 3, 3), ordered = TRUE), y = c(1, 3, 2, 5, 4, 9))
  run <- function() {
    fit <- cawi_rvfl(y ~ a + b + c + factor(a > 1), data, hidden = 5, lambda = 0.1, seed = 1)
    list(coef(fit), predict(fit, data))
  }
  plain <- run()
  changed <- list(contrasts = c("contr.sum", "contr.helmert"), na.action = "na.fail",
                  stringsAsFactors = TRUE, OutDec = ",", digits = 3, scipen = -20)
  for (name in names(changed)) {
    expect_identical(suppressWarnings(with_option(name, changed[[name]], run())), plain)
  }
  old <- Sys.getlocale("LC_COLLATE")
  on.exit(Sys.setlocale("LC_COLLATE", old))
  for (locale in c("C", "en_US.UTF-8", "C.UTF-8")) {
    if (nzchar(suppressWarnings(Sys.setlocale("LC_COLLATE", locale)))) {
      expect_identical(run(), plain)
    }
  }
})

test_that("each of several outputs is fitted as well as alone", {
  x <- small_x()
  y <- cbind(large = 1e6 * small_y("regression"), small = x[, 1] * 1e-3)
  for (model in model_names) {
    together <- fit_named(model, x, y, seed = 4)
    alone <- lapply(1:2, function(k) fit_named(model, x, y[, k], seed = 4))
    for (k in 1:2) {
      expect_equal(predict(together, new_rows)[, k], predict(alone[[k]], new_rows),
                   tolerance = 1e-8)
      lambda <- unname(as.matrix(together$lambda))
      expect_equal(if (model == "edrvfl") lambda[1:2, k] else lambda[k, 1],
                   unname(as.vector(alone[[k]]$lambda)))
    }
  }
  grid <- cawi_grid(hidden = c(5, 9), lambda = 10^(-4:2))
  together <- cawi_tune(x, y, grid = grid, seed = 4, resampling = matrix(rep(1:4, 10)))
  expect_identical(dim(together$best$lambda), c(1L, 2L))
  at <- together$best$hidden
  for (k in 1:2) {
    alone <- cawi_tune(x, y[, k], grid = cawi_grid(hidden = at, lambda = 10^(-4:2)), seed = 4,
                       resampling = matrix(rep(1:4, 10)))
    expect_equal(together$best$lambda[k], alone$best$lambda)
  }
})
