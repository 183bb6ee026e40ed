x <- small_x()
class_fits <- lapply(stats::setNames(model_names, model_names), function(model) {
  fit_named(model, x, small_y("classification", x), seed = 1)
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
  "center cut" = function(m) {
    m$network$center <- m$network$center[-1]
    m
  },
  "NA in center" = function(m) {
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
  "calibration without unit" = function(m) {
    m$calibration$unit <- NULL
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

# Slots of saved objects that were edited: a classed error, or the same answer as before.

x <- small_x()
classes <- small_y("classification")
numbers <- small_y("regression")

refused <- function(object, ...) {
  slots <- list(...)
  for (name in names(slots)) {
    for (value in slots[[name]]) {
      damaged <- object
      path <- strsplit(name, "$", fixed = TRUE)[[1L]]
      whole <- unclass(damaged)
      if (length(path) == 1L) whole[path] <- list(value)
      if (length(path) == 2L) whole[[path[1L]]][path[2L]] <- list(value)
      attributes(whole) <- attributes(object)[c("names", "class")]
      class <- if (inherits(object, "cawi_copula")) "cawi_error_x" else "cawi_error"
      expect_error(print(whole), class = class, label = name)
      expect_error(glance(whole), class = "cawi_error", label = name)
    }
  }
}

test_that("arguments that were edited are refused", {
  fit <- cawi_rvfl(x, classes, hidden = 5, init = "t", scale = "auto", seed = 1)
  refused(
    fit, "spec$hidden" = list(-1, Inf, 6L), "spec$activation" = list(NULL, NA, "a", "relu", list()),
    "spec$spread" = list(NA, numeric(), -1, Inf, matrix(1, 2, 7)), "spec$inputs" = list(-1, "a"),
    "spec$choice" = list(1, list(), data.frame(init = 1)), "spec$direct" = list(FALSE),
    "spec$lambda" = list(-1, "a"), "spec$bias" = list("a"), "spec$init" = list("a", list())
  )
  broad <- cawi_bls(x, classes, windows = 2, nodes = 3, enhancement = 4, seed = 1)
  refused(broad, "spec$broad" = list(NULL, list(), list(windows = 9)))
})

test_that("figures, names and training data that were edited are refused", {
  fit <- cawi_rvfl(x, small_y("outputs", x), hidden = 5, seed = 1)
  refused(
    fit, loo = list(NULL, list()), "loo$text" = list("a"), "loo$outputs" = list(NULL, "a", -Inf),
    output_names = list(NULL, "a"), "data$x" = list(x[1:3, ]), nobs = list(7), lambda = list(1),
    seconds = list(c(1, 2), c(weights = -1, readout = 1)), feature_names = list(1:4)
  )
  damaged <- fit
  damaged$data$targets$classes <- print
  expect_error(plot(damaged, "loo"), class = "cawi_error_x")
  damaged <- fit
  damaged$readouts[[1L]]$loo$rows <- -1
  expect_error(plot(damaged, "loo"), class = "cawi_error_x")
  damaged <- fit
  damaged$readouts[[1L]]["statistics"] <- list(NULL)
  expect_error(summary(damaged), class = "cawi_error_object")
  layers <- cawi_edrvfl(x, classes, hidden = c(3, 4), seed = 1)
  layers$readouts[[2L]]["loo"] <- list(NULL)
  expect_error(plot(layers), class = "cawi_error_x")
  # Without its calibration a model would give other classes.
  refused(cawi_rvfl(x, classes, hidden = 5, seed = 1), output_names = list(c("a", "b", "c"), NULL),
          calibration = list(NULL, list()))
})

test_that("terms of a formula that were edited are refused before their columns are made", {
  fit <- cawi_rvfl(Species ~ Sepal.Length * Sepal.Width, iris, hidden = 3, seed = 1)
  for (term in list(matrix(1, 2, 7), c(1L, 1L), 1.5, "a", integer(), 9L, 2L, NA)) {
    damaged <- fit
    damaged$preprocessor$terms[[1L]] <- term
    expect_error(predict(damaged, iris), class = "cawi_error_object")
    expect_error(update(damaged, new_x = iris), class = "cawi_error_object")
  }
  turned <- fit
  turned$preprocessor$terms <- rev(turned$preprocessor$terms)
  turned$preprocessor$margins <- rev(turned$preprocessor$margins)
  expect_error(predict(turned, iris), class = "cawi_error_object")
  for (margin in list(NULL, 1, NA, c(TRUE, FALSE), "a")) {
    damaged <- fit
    damaged$preprocessor$margins[1L] <- list(margin)
    expect_error(predict(damaged, iris), class = "cawi_error_object")
  }
})

test_that("names and paths that were lost are refused", {
  for (fit in list(cawi_rvfl(x, classes, hidden = 5, seed = 1),
                   cawi_rvfl(Species ~ ., iris, hidden = 5, lambda = 1, seed = 1))) {
    refused(fit, feature_names = list(NULL))
    for (path in list(matrix(1, 2, 7), "a", Inf, -1)) {
      damaged <- fit
      damaged$readouts[[1L]]$lambda_path <- path
      expect_error(summary(damaged), class = "cawi_error_object")
    }
    errors <- fit$readouts[[1L]]$loo$rmse
    for (path in list(errors[, 0L, drop = FALSE], replace(errors, 1L, NA), as.character(errors),
                      matrix("a", nrow(errors)), -errors)) {
      damaged <- fit
      damaged$readouts[[1L]]$loo$rmse <- path
      expect_error(on_null_device(plot(damaged)), class = "cawi_error_x")
    }
  }
  bare <- cawi_rvfl(unname(x), classes, hidden = 5, seed = 1)
  expect_true("x1" %in% tidy(bare)$term)
})

test_that("sums, factors and names that cannot be are refused", {
  fit <- cawi_rvfl(x, small_y("outputs", x), hidden = 5, lambda = 1, seed = 1)
  refused(fit, output_names = list(c("first", "first", "third")))
  uneven <- fit
  uneven$readouts[[1L]]$statistics$aa[2L, 1L] <- 7
  expect_error(update(uneven, lambda = 2), class = "cawi_error_object")
  for (factor in list(-1, 0, Inf, "1", NULL)) {
    damaged <- fit
    damaged$network$layers[[1L]]["factor"] <- list(factor)
    expect_error(update(damaged, hidden = 8), class = "cawi_error_object")
  }
})

test_that("tuned models, automatic ones and copulas that were edited are refused", {
  tuned <- cawi_tune(x, numbers, grid = cawi_grid(hidden = c(3, 5), lambda = 1:2), seed = 1)
  refused(tuned, seconds = list(NULL, -1, "a"), "results$mean" = list("a", NA),
          "chosen$mean" = list(-1, "a"), "chosen$se" = list("a"), model = list("elm"),
          resampling = list(NULL, c("a", "b")), "grid$lambda" = list(-1), seconds = list(Inf),
          "results$hidden" = list(c(3, 3, 7, 7), c(5, 5, 3, 3), "a"))
  auto <- cawi_auto(x, numbers, budget = 1, hidden = 5, seed = 1)
  refused(auto, share = list(-1, 2), nobs = list(7), features = list(1, "a"), skipped = list(NULL),
          loo = list(NULL, list()), lambda = list(NULL, 7), "chosen$draws" = list(100),
          budget = list(-1), seconds = list(NA), "results$hidden" = list("a"),
          "results$se" = list("a"))
  copula <- cawi_copula(x, "frank")
  refused(copula, tau = list(1), loglik = list(Inf))
})

test_that("a recipe that lost its steps is refused", {
  skip_if_not_installed("recipes")
  recipe <- recipes::recipe(Species ~ ., iris)
  recipe <- recipes::step_normalize(recipe, recipes::all_numeric_predictors())
  fit <- cawi_rvfl(recipe, iris, hidden = 5, seed = 1)
  for (steps in list(NULL, list(), rep(fit$preprocessor$recipe$steps, 2))) {
    damaged <- fit
    damaged$preprocessor$recipe["steps"] <- list(steps)
    expect_error(predict(damaged, iris), class = "cawi_error_object")
  }
})

test_that("summaries that were edited are refused", {
  edited <- function(report, ...) {
    slots <- list(...)
    for (name in names(slots)) {
      damaged <- unclass(report)
      damaged[name] <- slots[name]
      class(damaged) <- class(report)
      expect_error(print(damaged), class = "cawi_error_x", label = name)
    }
    expect_output(print(report))
  }
  edited(summary(cawi_rvfl(x, classes, hidden = 5, seed = 1)), model = NULL, freedom = numeric(),
         condition = print, chosen = print, loo = "a")
  edited(summary(cawi_rvfl(x, classes, hidden = 5, seed = 1)), freedom = Sys.time(),
         condition = Sys.Date())
  edited(summary(cawi_auto(x, numbers, budget = 1, hidden = 5, seed = 1)), object = matrix(1),
         chosen = NULL, results = "a")
  edited(summary(cawi_copula(x, "t")), tau = "a", copula = list())
  recorded <- cawi_recorded("nested")
  report <- summary(recorded[recorded$set %in% unique(recorded$set)[1:4], ], seed = 1)
  best <- report[[1L]]$best
  for (best in list(NA, 1, list(), transform(best, wins = "a"), transform(best, ties = -1L),
                    transform(best, losses = 99L))) {
    damaged <- report
    damaged[[1L]]["best"] <- list(best)
    expect_error(print(damaged), class = "cawi_error_x")
  }
  for (edit in list(list(level = Inf), list(level = -1), list(friedman = list(chi_squared = Inf)),
                    list(friedman = list(chi_squared = -1)), list(friedman = list(p = 2)),
                    list(pairs = list(wins = -1)), list(pairs = list(ties = 0.5)))) {
    damaged <- report
    slot <- names(edit)
    inner <- names(edit[[1L]])
    if (is.null(inner)) damaged[[1L]][[slot]] <- edit[[1L]]
    if (!is.null(inner)) damaged[[1L]][[slot]][[inner]] <- edit[[1L]][[1L]]
    expect_error(print(damaged), class = "cawi_error_x", label = paste(slot, inner))
  }
  expect_output(print(report), "wins")
})

test_that("a check that warns on a damaged part has found damage", {
  fit <- cawi_rvfl(small_x(), small_y("regression"), hidden = 4, seed = 1)
  for (task in list(c("regression", "regression"), array("regression", c(1, 1, 2)))) {
    damaged <- replace(fit, "task", list(task))
    class(damaged) <- class(fit)
    expect_warning(expect_error(predict(damaged, small_x()), class = "cawi_error_object"), NA)
    expect_warning(expect_error(update(damaged, lambda = 1), class = "cawi_error_object"), NA)
  }
  grid <- cawi_grid(hidden = 4, lambda = c(0.1, 1))
  tuned <- cawi_tune(small_x(), small_y("regression"), grid = grid, seed = 1)
  tuned$metric <- c("rmse", "rmse")
  expect_warning(expect_error(summary(tuned), class = "cawi_error_object"), NA)
})

test_that("a model that is not given is named", {
  expect_error(cawi_statistics(), class = "cawi_error_fit")
  expect_error(cawi_merge(), class = "cawi_error_fit")
})

test_that("training data of which one part was edited are refused", {
  fit <- cawi_rvfl(x, classes, hidden = 3, lambda = 1, seed = 1)
  expect_null(data_problem(fit$data, fit))
  edits <- list(
    x = x[, -1], x = x[-1, ], x = replace(x, 3, NA), x = as.data.frame(x),
    task = "regression", levels = rev(levels(classes)), levels = NULL, outputs = 7L, rows = 7L,
    classes = rep(99L, nrow(x)), classes = 1:2, values = matrix(0, nrow(x), 1), case_weights = 1:2,
    case_weights = rep(NA_real_, nrow(x)), offset = 1, offset = rep("a", nrow(x))
  )
  for (i in seq_along(edits)) {
    name <- names(edits)[i]
    damaged <- fit
    if (name == "x") damaged$data$x <- edits[[i]] else damaged$data$targets[name] <- edits[i]
    expect_identical(data_problem(damaged$data, damaged), "its training data do not fit",
                     label = paste(name, i))
  }
  damaged <- fit
  damaged$data$targets$levels <- rev(levels(classes))
  expect_error(print(damaged), "training data", class = "cawi_error_x")
})

test_that("predictions look at the model and at what it does with missing values", {
  fit <- cawi_rvfl(x, classes, hidden = 3, lambda = 1, seed = 1)
  for (slot in c("model", "na_action")) for (value in list("other", NA_character_, NULL, 1)) {
    damaged <- fit
    damaged$spec[slot] <- list(value)
    expect_error(predict(damaged, x), "its arguments are unknown", class = "cawi_error_object")
  }
})

test_that("the family of every layer is looked at in a trimmed model", {
  lean <- cawi_trim(aligned_fits$drvfl)
  expect_null(source_problem(lean))
  for (layer in seq_along(lean$network$layers)) {
    damaged <- lean
    damaged$network$layers[[layer]]$copula$family <- "other"
    expect_error(print(damaged), "the copula of a layer", class = "cawi_error_x")
  }
})

test_that("a word of a model that became a factor or an array is damage", {
  fit <- cawi_elm(iris[, 1:2], iris$Species, hidden = 3, seed = 1)
  for (path in list("task", c("spec", "na_action"), c("network", "wiring"),
                    c("preprocessor", "kind"))) {
    for (other in list(factor, array)) {
      edited <- fit
      edited[[path]] <- other(edited[[path]])
      expect_error(predict(edited, iris[1:3, 1:2]), class = "cawi_error_object")
    }
  }
  fit$network$layers[[1L]]$activation <- factor("sigmoid")
  expect_error(predict(fit, iris[1:3, 1:2]), class = "cawi_error_object")
})

test_that("edited parts of statistics, benchmarks, tunings and sources are refused", {
  fit <- cawi_elm(x, numbers, hidden = 3, seed = 1)
  statistics <- cawi_statistics(fit)
  for (edit in list(list(model = list("elm")), list(network = rawToChar(as.raw(c(255, 254)))))) {
    damaged <- replace(statistics, names(edit), edit)
    expect_error(print(damaged), class = "cawi_error_statistics")
  }
  tuned <- cawi_tune(x, numbers, model = "elm", grid = cawi_grid(hidden = 2:3), seed = 1)
  for (metric in list(list("rmse"), data.frame(a = "rmse"), NULL, "other", array("rmse"))) {
    damaged <- tuned
    damaged["metric"] <- list(metric)
    expect_error(plot(damaged), class = "cawi_error_x")
    expect_error(print(damaged), class = "cawi_error_x")
  }
  streamed <- cawi_elm(mpg ~ wt, cawi_source(mtcars), hidden = 3, seed = 1)
  streamed$source <- as.raw(1:3)
  expect_error(update(streamed, new_x = mtcars[1:3, ], new_y = mtcars$mpg[1:3]),
               class = "cawi_error_object")
  recorded <- cawi_recorded("nested")
  recorded$model <- data.frame(model = recorded$model)
  expect_error(print(recorded), class = "cawi_error_x")
})
