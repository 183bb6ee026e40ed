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

  test_that(paste("results have one entry a row, in order:", model), {
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

# A model as a careless editor or half a file leaves it.
edits <- list(
  "no class" = function(m) unclass(m),
  "another format" = function(m) utils::modifyList(m, list(format = 99L)),
  "no format" = function(m) `[[<-`(m, "format", NULL),
  "no network" = function(m) `[[<-`(m, "network", NULL),
  "no layers" = function(m) {
    m$network$layers <- list()
    m
  },
  "a layer less" = function(m) {
    m$network$layers <- m$network$layers[-1]
    m
  },
  "a layer that is not one" = function(m) {
    m$network$layers[[1]] <- 1
    m
  },
  "weights cut" = function(m) {
    m$network$layers[[1]]$weights <- m$network$layers[[1]]$weights[-1, ]
    m
  },
  "weights narrowed" = function(m) {
    m$network$layers[[2]]$weights <- m$network$layers[[2]]$weights[, -1]
    m
  },
  "NA in weights" = function(m) {
    m$network$layers[[1]]$weights[2] <- NA
    m
  },
  "Inf in weights" = function(m) {
    m$network$layers[[1]]$weights[2] <- Inf
    m
  },
  "text as weights" = function(m) {
    storage.mode(m$network$layers[[1]]$weights) <- "character"
    m
  },
  "bias cut" = function(m) {
    m$network$layers[[1]]$bias <- m$network$layers[[1]]$bias[-1]
    m
  },
  "no bias" = function(m) {
    m$network$layers[[1]]$bias <- NULL
    m
  },
  "an unknown activation" = function(m) {
    m$network$layers[[1]]$activation <- "cube"
    m
  },
  "no activation" = function(m) {
    m$network$layers[[2]]$activation <- NULL
    m
  },
  "centre cut" = function(m) {
    m$network$center <- m$network$center[-1]
    m
  },
  "NA in centre" = function(m) {
    m$network$center[1] <- NA
    m
  },
  "scale cut" = function(m) {
    m$network$sd <- m$network$sd[-1]
    m
  },
  "zero scale" = function(m) {
    m$network$sd[1] <- 0
    m
  },
  "unknown wiring" = function(m) {
    m$network$wiring <- "star"
    m
  },
  "no wiring" = function(m) {
    m$network$wiring <- NULL
    m
  },
  "direct NA" = function(m) {
    m$network$direct <- NA
    m
  },
  "direct turned" = function(m) {
    m$network$direct <- !m$network$direct
    m
  },
  "no intercept flag" = function(m) {
    m$network$intercept <- NULL
    m
  },
  "no readouts" = function(m) {
    m$readouts <- NULL
    m
  },
  "an empty readout" = function(m) {
    m$readouts[[1]] <- list()
    m
  },
  "no coefficients" = function(m) {
    m$readouts[[1]]$coefficients <- NULL
    m
  },
  "coefficients cut" = function(m) {
    m$readouts[[1]]$coefficients <- m$readouts[[1]]$coefficients[-1, ]
    m
  },
  "an output less" = function(m) {
    m$readouts[[1]]$coefficients <- m$readouts[[1]]$coefficients[, -1]
    m
  },
  "NaN in coefficients" = function(m) {
    m$readouts[[1]]$coefficients[1] <- NaN
    m
  },
  "columns out of range" = function(m) {
    m$readouts[[1]]$columns <- 1:1000
    m
  },
  "no task" = function(m) {
    m$task <- NULL
    m
  },
  "unknown task" = function(m) {
    m$task <- "poetry"
    m
  },
  "levels cut" = function(m) {
    m$levels <- m$levels[-1]
    m
  },
  "no levels" = function(m) {
    m$levels <- NULL
    m
  },
  "outputs changed" = function(m) {
    m$outputs <- 7L
    m
  },
  "no outputs" = function(m) {
    m$outputs <- NULL
    m
  },
  "output names cut" = function(m) {
    m$output_names <- m$output_names[-1]
    m
  },
  "no preprocessor" = function(m) {
    m$preprocessor <- NULL
    m
  },
  "an empty preprocessor" = function(m) {
    m$preprocessor <- list()
    m
  },
  "preprocessor of other columns" = function(m) {
    m$preprocessor$names <- c("north", "east")
    m
  },
  "no specification" = function(m) {
    m$spec <- NULL
    m
  },
  "calibration NA" = function(m) {
    m$calibration$parameters[2] <- NA_real_
    m
  },
  "calibration as text" = function(m) {
    m$calibration <- "hot"
    m
  }
)

# Copulas of layers that something else than their own check must not have to find.
copula_edits <- list(
  "no copula" = function(copula) NULL,
  "a number as copula" = function(copula) 1,
  "an unknown family" = function(copula) replace(copula, "family", "joe"),
  "no family" = function(copula) replace(copula, "family", list(NULL)),
  "no dimension" = function(copula) replace(copula, "dim", list(NULL)),
  "a dimension of zero" = function(copula) replace(copula, "dim", 0L),
  "no correlations" = function(copula) replace(copula, "cor", list(NULL)),
  "a correlation above one" = function(copula) {
    copula$cor[1, 2] <- copula$cor[2, 1] <- 2
    copula
  },
  "correlations cut" = function(copula) replace(copula, "cor", list(copula$cor[-1, -1])),
  "a parameter of another family" = function(copula) replace(copula, "theta", 3)
)
aligned_fits <- lapply(c(drvfl = "drvfl", edrvfl = "edrvfl"), function(model) {
  fit_named(model, x, small_y("classification", x), init = "gaussian", seed = 1)
})

for (what in names(copula_edits)) {
  test_that(paste("a damaged copula of any layer is found by its check:", what), {
    for (model in names(aligned_fits)) for (layer in 1:2) {
      broken <- aligned_fits[[model]]
      copula <- broken$network$layers[[layer]]$copula
      expect_null(layer_copula_problem(broken$network))
      broken$network$layers[[layer]]["copula"] <- list(copula_edits[[what]](copula))
      expect_identical(layer_copula_problem(broken$network), "the copula of a layer is damaged")
      # Predictions do not read it.
      expect_identical(predict(broken, x), predict(aligned_fits[[model]], x))
      for (use in list(
        summary, print, function(m) update(m, lambda = 1), function(m) cawi_features(m, x)
      )) {
        error <- expect_error(use(broken), class = "cawi_error")
        expect_match(conditionMessage(error), "the copula of a layer is damaged", fixed = TRUE)
      }
    }
  })
}

for (what in names(edits)) {
  test_that(paste("a damaged model is refused before the core sees it:", what), {
    for (model in c("drvfl", "edrvfl")) {
      broken <- edits[[what]](class_fits[[model]])
      # Without its class predict() would not know whom to ask.
      expect_error(predict.cawi_model(broken, x, type = "prob"), class = "cawi_error_object")
    }
  })
}

test_that("other functions refuse such models too", {
  broken <- class_fits$rvfl
  broken$network$layers[[1]]$weights <- broken$network$layers[[1]]$weights[-1, ]
  expect_error(cawi_features(broken, x), class = "cawi_error")
  expect_error(update(broken, lambda = 1), class = "cawi_error")
  expect_error(cawi_diagnose(broken), class = "cawi_error")
  expect_error(on_null_device(plot(broken)), class = "cawi_error")
  expect_error(fitted(broken), class = "cawi_error")
  expect_error(cawi_features(1, x), class = "cawi_error")
  expect_error(cawi_diagnose(list()), class = "cawi_error")
})

cut_sums <- list(
  "no sums" = function(s) NULL,
  "A'A cut" = function(s) utils::modifyList(s, list(aa = s$aa[-1, -1])),
  "A'Y cut" = function(s) utils::modifyList(s, list(ay = s$ay[-1, ])),
  "NA in A'A" = function(s) utils::modifyList(s, list(aa = s$aa * NA)),
  "unknown kind" = function(s) utils::modifyList(s, list(kind = "other"))
)

for (what in names(cut_sums)) {
  test_that(paste("an update of a model is refused with", what), {
    broken <- class_fits$rvfl
    broken$readouts[[1]]["statistics"] <- list(cut_sums[[what]](broken$readouts[[1]]$statistics))
    expect_error(update(broken, new_x = x, new_y = small_y("classification", x)),
                 class = "cawi_error_object")
    expect_error(update(broken, lambda = 1), class = "cawi_error_object")
  })
}

test_that("a misspelt argument is an error that suggests the nearest name; newdata is understood", {
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

test_that("a layer has no more inputs in its copula than it reads", {
  fit <- cawi_rvfl(small_x(), small_y("regression"), hidden = 5, init = "gaussian", seed = 1)
  fit$network$layers[[1]]$copula <- cawi_copula_from("frank", 9, theta = 2)
  expect_error(print(fit), "copula of a layer", class = "cawi_error_x")
})

test_that("a number that is not finite is found wherever predictions read it", {
  places <- list(
    c("network", "center"), c("network", "sd"), c("readouts", 1, "coefficients"),
    c("network", "layers", 1, "weights"), c("network", "layers", 2, "weights"),
    c("network", "layers", 2, "bias")
  )
  fit <- cawi_drvfl(x, small_y("regression", x), hidden = c(30, 20), lambda = 1, seed = 1)
  for (place in places) for (value in c(NA, NaN, -Inf)) for (at in c("first", "last")) {
    path <- lapply(place, function(p) if (p %in% c("1", "2")) as.integer(p) else p)
    numbers <- Reduce(`[[`, path, unclass(fit))
    broken <- fit
    numbers[if (at == "first") 1 else length(numbers)] <- value
    code <- Reduce(function(a, b) call("[[", a, b), path, quote(broken))
    eval(call("<-", code, numbers))
    expect_error(predict(broken, x), class = "cawi_error_object", label = paste(place, value, at))
  }
})

test_that("weights that are not doubles, or no matrix, never reach the core", {
  fit <- class_fits$rvfl
  for (edit in list(function(w) matrix(1L, nrow(w), ncol(w)), as.vector, t,
                    function(w) array(w, c(dim(w), 1)), as.data.frame, function(w) NULL)) {
    broken <- fit
    broken$network$layers[[1]]["weights"] <- list(edit(fit$network$layers[[1]]$weights))
    expect_error(predict(broken, x), class = "cawi_error_object")
  }
})
