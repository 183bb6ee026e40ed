x <- small_x()
class_fits <- lapply(stats::setNames(model_names, model_names), function(model) {
  fit_named(model, x, small_y("classification", x), seed = 1)
})
number_fits <- lapply(stats::setNames(model_names, model_names), function(model) {
  fit_named(model, x, small_y("regression", x), seed = 1)
})

for (model in model_names) {
  test_that(paste("types of prediction of classes agree:", model), {
    fit <- class_fits[[model]]
    class <- predict(fit, x)
    score <- predict(fit, x, type = "score")
    prob <- predict(fit, x, type = "prob")
    expect_identical(predict(fit, x, type = "class"), class)
    expect_identical(levels(class), c("low", "mid", "high"))
    expect_identical(dimnames(score), list(NULL, c("low", "mid", "high")))
    expect_identical(dimnames(prob), list(NULL, c("low", "mid", "high")))
    # The mean over readouts of A times its coefficients.
    a <- plain_features(fit, x)$readouts
    parts <- Map(`%*%`, a, readout_coefficients(fit))
    expect_equal(unname(score), Reduce(`+`, parts) / length(parts), tolerance = 1e-10)
    expect_identical(max.col(prob, "first"), as.integer(class))
    expect_equal(rowSums(prob), rep(1, 40), tolerance = 1e-14)
    expect_true(all(prob >= 0 & prob <= 1))
    expect_equal(unname(prob), unname(plain_probabilities(fit$calibration, score)),
                 tolerance = 1e-12)
  })

  test_that(paste("types of prediction of numbers agree:", model), {
    fit <- number_fits[[model]]
    value <- predict(fit, x)
    expect_null(dim(value))
    expect_identical(predict(fit, x, type = "numeric"), value)
    expect_identical(as.vector(predict(fit, x, type = "score")), value)
    a <- plain_features(fit, x)$readouts
    parts <- Map(`%*%`, a, readout_coefficients(fit))
    expect_equal(value, as.vector(Reduce(`+`, parts) / length(parts)), tolerance = 1e-10)
  })

  test_that(paste("results have one entry per row, in order:", model), {
    order <- c(40:1, 7, 7)
    expect_equal(predict(class_fits[[model]], x[order, ], type = "prob"),
                 predict(class_fits[[model]], x, type = "prob")[order, ], tolerance = 1e-10)
    expect_equal(predict(number_fits[[model]], x[order, ]), predict(number_fits[[model]], x)[order],
                 tolerance = 1e-10)
    nothing <- x[0, ]
    expect_identical(predict(class_fits[[model]], nothing),
                     factor(character(), c("low", "mid", "high")))
    expect_identical(dim(predict(class_fits[[model]], nothing, type = "prob")), c(0L, 3L))
    expect_identical(dim(predict(class_fits[[model]], nothing, type = "score")), c(0L, 3L))
    expect_identical(predict(number_fits[[model]], nothing), numeric())
    expect_identical(nrow(cawi_features(number_fits[[model]], nothing)), 0L)
  })
}

# A fixed half of the rows trains, the other half tests.
tables <- function() {
  from <- function(name, class, drop = NULL, rows = Inf) {
    env <- new.env()
    utils::data(list = name, package = "mlbench", envir = env)
    data <- stats::na.omit(env[[name]])
    data <- data[round(seq(1, nrow(data), length.out = min(rows, nrow(data)))), ]
    list(x = data[setdiff(names(data), c(class, drop))], y = factor(as.character(data[[class]])))
  }
  list(
    iris = list(x = iris[, 1:4], y = iris$Species), Sonar = from("Sonar", "Class"),
    Glass = from("Glass", "Type"), Vehicle = from("Vehicle", "Class"),
    Ionosphere = from("Ionosphere", "Class", c("V1", "V2")),
    PimaIndiansDiabetes = from("PimaIndiansDiabetes", "diabetes"),
    BreastCancer = from("BreastCancer", "Class", "Id"), Vowel = from("Vowel", "Class"),
    Satellite = from("Satellite", "classes", rows = 1000), Zoo = from("Zoo", "type"),
    DNA = from("DNA", "Class", rows = 600)
  )
}

test_that("calibrated probabilities beat softmax of the scores on other rows", {
  skip_if_not_installed("mlbench")
  better <- vapply(tables(), function(table) {
    train <- lehmer(length(table$y), 9) %% 2 == 0
    # Every class must be known.
    test <- !train & table$y %in% table$y[train]
    fit <- cawi_rvfl(table$x[train, ], table$y[train], hidden = 100, na_action = "impute", seed = 1)
    y <- table$y[test]
    raw <- softmax(predict(fit, table$x[test, ], type = "score"))
    log_loss(predict(fit, table$x[test, ], type = "prob"), y) < log_loss(raw, y)
  }, logical(1))
  expect_gte(length(better), 10)
  expect_gte(mean(better), 0.8)
})

test_that("probabilities of a singular problem without penalty are refused, classes are not", {
  twin <- cbind(x, x)
  fit <- suppressWarnings(
    cawi_rvfl(unname(twin), small_y("classification", x), hidden = 5, lambda = 0, seed = 1)
  )
  expect_true(all(is.finite(predict(fit, unname(twin), type = "score"))))
  if (is.null(fit$calibration)) {
    expect_error(predict(fit, unname(twin), type = "prob"), class = "cawi_error_type")
  } else {
    expect_equal(rowSums(predict(fit, unname(twin), type = "prob")), rep(1, 40))
  }
})

test_that("a misspelled argument is an error that suggests the nearest; newdata is understood", {
  fit <- class_fits$rvfl
  error <- expect_error(predict(fit, x, tpye = "prob"), class = "cawi_error_dots")
  expect_match(conditionMessage(error), "type", fixed = TRUE)
  expect_identical(predict(fit, newdata = x), predict(fit, x))
  expect_error(predict(fit, x, newdata = x), class = "cawi_error_new_data")
  expect_error(predict(fit), class = "cawi_error_new_data")
  tuned <- cawi_tune(x, small_y("classification", x),
                     grid = cawi_grid(hidden = 3, lambda = 1), seed = 1)
  expect_error(predict(tuned, x, treads = 1), class = "cawi_error_dots")
  expect_identical(predict(tuned, newdata = x), predict(tuned, x))
})

test_that("features far from the training data give probabilities or an error, never NaN", {
  for (fit in class_fits) for (size in c(1e3, 1e100, 1e200, 1e300)) {
    far <- x[1:3, ] * size
    result <- tryCatch(predict(fit, far, type = "prob"), cawi_error_new_data = function(e) NULL)
    if (is.null(result)) next
    expect_true(all(is.finite(result)))
    expect_equal(rowSums(result), rep(1, 3))
  }
  for (fit in number_fits) {
    result <- tryCatch(predict(fit, x[1:3, ] * 1e300), cawi_error_new_data = function(e) NULL)
    expect_true(all(is.finite(result)))
  }
})

test_that("ordered classes come back ordered", {
  y <- factor(small_y("classification", x), ordered = TRUE)
  fit <- cawi_rvfl(x, y, hidden = 9, seed = 1)
  expect_s3_class(predict(fit, x), "ordered")
  expect_identical(levels(predict(fit, x)), levels(y))
  expect_true(is.logical(predict(fit, x) == y))
  auto <- cawi_auto(x, y, budget = 1, hidden = 10, draws = 1, models = "rvfl",
                    init = "iid", seed = 1)
  expect_s3_class(predict(auto, x), "ordered")
})

test_that("an offset is as in lm", {
  data <- data.frame(x, y = small_y("regression", x))
  fit <- cawi_rvfl(y ~ north + east + offset(2 * south), data, hidden = 5, lambda = 0.1, seed = 1)
  plain <- cawi_rvfl(y ~ north + east, transform(data, y = y - 2 * south), hidden = 5,
                     lambda = 0.1, seed = 1)
  expect_equal(predict(fit, data), predict(plain, data) + 2 * data$south)
  expect_equal(fitted(fit) + residuals(fit), data$y)
  expect_equal(fit$loo$value, plain$loo$value)
  tuned <- cawi_tune(y ~ north + east + offset(2 * south), data,
                     grid = cawi_grid(hidden = 5, lambda = 0.1), resampling = 4, seed = 1)
  peer <- cawi_tune(y ~ north + east, transform(data, y = y - 2 * south),
                    grid = cawi_grid(hidden = 5, lambda = 0.1), resampling = tuned$folds, seed = 1)
  expect_equal(tuned$results$mean, peer$results$mean)
  by_function <- cawi_tune(y ~ north + east + offset(2 * south), data,
                           grid = cawi_grid(hidden = 5, lambda = 0.1), resampling = 4, seed = 1,
                           metric = function(truth, value) sqrt(mean((truth - value)^2)),
                           maximize = FALSE)
  expect_equal(by_function$results$mean, tuned$results$mean)
  more <- update(fit, new_x = data[1:5, ], new_y = data$y[1:5])
  expect_equal(coef(more),
               coef(update(plain, new_x = data[1:5, ], new_y = data$y[1:5] - 2 * data$south[1:5])))
  auto <- cawi_auto(y ~ north + east + offset(2 * south), data, budget = 1, hidden = 10, draws = 1,
                    models = "rvfl", init = "iid", seed = 1)
  shift <- transform(data, south = south + 1)
  expect_equal(predict(auto, shift), predict(auto, data) + 2)
  expect_error(cawi_rvfl(Species ~ . + offset(Sepal.Width), iris), class = "cawi_error_offset")
})
