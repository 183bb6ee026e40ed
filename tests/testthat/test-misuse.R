# What every function and method of the copulas, the data and the benchmarks does with arguments
# that do not exist, arguments that are not there, and objects that were edited or cut.

square <- diag(3)
clayton <- cawi_copula_from("clayton", dim = 2, theta = 2)
fitted <- cawi_copula(iris[, 1:4])
small_table <- cbind(a = c(1, 2, 3, 4), b = c(2, 2, 4, 5), c = c(0, 3, 3, 4))
comparison <- cawi_compare(small_table)
grid <- cawi_grid(hidden = c(5, 9), lambda = 1)
recorded <- cawi_recorded("equal")
diagnosis <- structure(
  data.frame(weights = rep(c("gaussian", "i.i.d."), each = 2), draw = c(1, 2, 1, 2),
             effective_rank = c(5, 6, 5, 6), condition = c(10, 20, 30, 40),
             ridge_condition = c(3, 4, 5, 6)),
  class = c("cawi_diagnosis", "data.frame")
)

# ---- arguments that do not exist ----

# Each with a misspelled argument, under the one that is meant.
misspelled <- alist(
  ties = cawi_pseudo_obs(iris[, 1:4], tyes = "first"),
  threads = cawi_kendall(iris[, 1:4], treads = 2),
  floor = cawi_nearest_cor(square, flor = 0.1),
  family = cawi_copula(iris[, 1:4], famly = "t"),
  criterion = cawi_copula(iris[, 1:4], critrion = "aic"),
  theta = cawi_copula_from("clayton", dim = 2, teta = 2),
  log = cawi_density(clayton, c(0.5, 0.5), lgo = TRUE),
  families = cawi_select(iris[, 1:4], famillies = "t"),
  marginal = cawi_weights(clayton, 3, margnal = "normal"),
  nsim = simulate(clayton, nsin = 3),
  features = plot(fitted, featurs = 1:2),
  features = ggplot2::autoplot(fitted, featurs = 1:2),
  folds = cawi_folds(1:10, fods = 2),
  baseline = cawi_compare(small_table, basline = "b"),
  name = plot(comparison, nmae = "x"),
  protocol = cawi_benchmark("iris", protocl = "paper"),
  baseline = summary(recorded, basline = "t"),
  baseline = plot(recorded, basline = "t"),
  baseline = ggplot2::autoplot(recorded, basline = "t"),
  models = cawi_recorded("nested", modls = "bls"),
  what = cawi_datasets(wat = "uci"),
  dir = cawi_read_dataset("iris", dri = "."),
  label = cawi_read_table("none.csv", lable = 1),
  hidden = cawi_grid(hiden = 5),
  model = cawi_grid_paper(modle = "elm"),
  draws = cawi_diagnose(1, drwas = 5)
)

for (i in seq_along(misspelled)) {
  test_that(paste("a misspelled argument is told with the nearest:", deparse(misspelled[[i]])[1]), {
    if (any(all.names(misspelled[[i]]) == "ggplot2")) skip_if_not_installed("ggplot2")
    error <- expect_error(eval(misspelled[[i]]), class = "cawi_error_dots")
    expect_match(conditionMessage(error),
                 paste0("Did you mean `", names(misspelled)[i], "`"), fixed = TRUE)
  })
}

test_that("arguments that methods cannot use are refused", {
  for (code in alist(coef(clayton, which = 1), logLik(fitted, which = 1),
                     summary(fitted, which = 1),
                     plot(diagnosis, col = "red"), as.data.frame(grid, which = 1))) {
    expect_error(eval(code), class = "cawi_error_dots")
  }
})

# ---- arguments that are not there ----

test_argument_errors(alist(
  x = cawi_pseudo_obs(), x = cawi_kendall(), r = cawi_nearest_cor(), x = cawi_copula(),
  family = cawi_copula_from(), dim = cawi_copula_from("clayton"),
  theta = cawi_copula_from("clayton", 2), copula = cawi_density(),
  u = cawi_density(clayton), x = cawi_select(), copula = cawi_weights(),
  hidden = cawi_weights(clayton), y = cawi_folds(), table = cawi_compare(),
  datasets = cawi_benchmark(), name = cawi_read_dataset(), file = cawi_read_table(),
  fit = cawi_diagnose()
))

# ---- damaged objects ----

# An object with other values in some slots; NULL takes the slot away.
edited <- function(.object, ...) {
  plain <- unclass(.object)
  for (slot in names(list(...))) plain[[slot]] <- list(...)[[slot]]
  structure(plain, class = class(.object))
}
indefinite <- matrix(c(1, -0.9, -0.9, -0.9, 1, -0.9, -0.9, -0.9, 1), 3)
student <- cawi_copula_from("t", dim = 3, cor = 0.3, df = 4)
entry <- function(r, value) replace(r, c(4, 2), value)

damaged_copulas <- list(
  empty = structure(list(), class = "cawi_copula"),
  number = structure(1, class = "cawi_copula"),
  "NULL slots" = structure(list(family = NULL, dim = NULL), class = "cawi_copula"),
  "no family" = edited(clayton, family = NULL),
  "unknown family" = edited(clayton, family = "x"),
  "NA family" = edited(clayton, family = NA_character_),
  "two families" = edited(clayton, family = c("clayton", "frank")),
  "other kind" = edited(clayton, family = "gaussian"),
  "no dimension" = edited(clayton, dim = 0L),
  "half a dimension" = edited(clayton, dim = 2.5),
  "endless dimension" = edited(clayton, dim = Inf),
  "text as dimension" = edited(clayton, dim = "2"),
  "theta NA" = edited(clayton, theta = NA_real_),
  "theta NULL" = edited(clayton, theta = NULL),
  "theta infinite" = edited(clayton, theta = Inf),
  "theta below" = edited(clayton, theta = -1),
  "theta beyond" = edited(clayton, theta = 1e7),
  "theta text" = edited(clayton, theta = "2"),
  "cor of one cell" = edited(student, cor = replace(student$cor, 4, 5)),
  "cor beyond one" = edited(student, cor = entry(student$cor, 5)),
  "cor NA" = edited(student, cor = entry(student$cor, NA)),
  "cor indefinite" = edited(student, cor = indefinite),
  "cor cut" = edited(student, cor = student$cor[1:2, 1:2]),
  "cor NULL" = edited(student, cor = NULL),
  "cor of whole numbers" = edited(student, cor = diag(3L) == 1),
  "df NA" = edited(student, df = NA_real_),
  "df zero" = edited(student, df = 0),
  "df NULL" = edited(student, df = NULL),
  "flipped cut" = edited(clayton, flipped = TRUE),
  "flipped NA" = edited(clayton, flipped = c(TRUE, NA)),
  "tau cut" = edited(fitted, tau = fitted$tau[1:2, 1:2]),
  "tau text" = edited(fitted, tau = "a"),
  "names cut" = edited(fitted, names = "a"),
  "names numbers" = edited(fitted, names = 1:4),
  "method unknown" = edited(fitted, method = "guess"),
  "method NULL" = edited(fitted, method = NULL),
  "nobs NULL" = edited(fitted, nobs = NULL),
  "nobs negative" = edited(fitted, nobs = -1),
  "loglik text" = edited(fitted, loglik = "high"),
  "loglik NA" = edited(fitted, loglik = NA_real_),
  "active beyond" = edited(fitted, active = 9L),
  "requested unknown" = edited(fitted, requested = "x"),
  "selection cut" = edited(fitted, selection = 1),
  "selection of text" = edited(fitted, selection = transform(fitted$selection, xv = "a"))
)

uses_of_copula <- list(
  print = function(x) print(x), summary = function(x) summary(x), coef = function(x) coef(x),
  logLik = function(x) logLik(x), AIC = function(x) AIC(x), BIC = function(x) BIC(x),
  simulate = function(x) simulate(x, 3), plot = function(x) on_null_device(plot(x)),
  cawi_density = function(x) cawi_density(x, c(0.5, 0.5)),
  cawi_weights = function(x) cawi_weights(x, 3),
  autoplot = function(x) {
    skip_if_not_installed("ggplot2")
    ggplot2::autoplot(x)
  }
)

for (use in names(uses_of_copula)) {
  test_that(paste("damaged copulas are refused by", use), {
    for (damage in names(damaged_copulas)) {
      error <- expect_error(uses_of_copula[[use]](damaged_copulas[[damage]]), class = "cawi_error",
                            label = damage)
      expect_match(conditionMessage(error), "is damaged", fixed = TRUE, label = damage)
    }
  })
}

test_that("correlation matrices that are singular or nearly so are no damage", {
  for (cor in list(1, -0.5, 0.999999)) {
    copula <- cawi_copula_from("gaussian", dim = 3, cor = cor)
    expect_identical(dim(simulate(copula, 5, seed = 1)), c(5L, 3L))
  }
})

test_that("a damaged summary of a copula is refused", {
  expect_error(print(edited(summary(clayton), copula = NULL)), class = "cawi_error_x")
  expect_error(print(structure(list(), class = "summary.cawi_copula")), class = "cawi_error_x")
})

test_that("damaged comparisons are refused", {
  damage <- list(
    structure(list(), class = "cawi_comparison"), structure(1, class = "cawi_comparison"),
    edited(comparison, pairs = NULL), edited(comparison, pairs = comparison$pairs[-1]),
    edited(comparison, pairs = comparison$pairs[0, ]), edited(comparison, ranks = NULL),
    edited(comparison, ranks = comparison$ranks[-1]),
    edited(comparison, ranks = unname(comparison$ranks)), edited(comparison, friedman = NULL),
    edited(comparison, friedman = 1), edited(comparison, baseline = NULL),
    edited(comparison, baseline = "x"), edited(comparison, sets = "many"),
    edited(comparison, level = NA), edited(comparison, critical_difference = NULL),
    edited(comparison, pairs = transform(comparison$pairs, gain = NA_real_)),
    edited(comparison, pairs = transform(comparison$pairs, low = high + 1)),
    edited(comparison, pairs = rbind(comparison$pairs, comparison$pairs)),
    edited(comparison, pairs = transform(comparison$pairs, p_above = Inf)),
    edited(comparison, pairs = transform(comparison$pairs, w = -1)),
    edited(comparison, pairs = transform(comparison$pairs, gain = Inf)),
    edited(comparison, pairs = transform(comparison$pairs, typical = typical_high + 1)),
    edited(comparison, critical_difference = -1), edited(comparison, critical_difference = Inf),
    edited(comparison, critical_difference = 2 * comparison$critical_difference),
    edited(comparison, friedman = replace(comparison$friedman, "p", 0.5)),
    edited(comparison, friedman = replace(comparison$friedman, "chi_squared", 99)),
    edited(comparison, ranks = comparison$ranks + 1)
  )
  for (x in damage) {
    expect_error(print(x), class = "cawi_error_x")
    expect_error(on_null_device(plot(x)), class = "cawi_error_x")
    expect_error(on_null_device(plot(comparison, other = x)), class = "cawi_error_other")
  }
})

test_that("damaged benchmarks are refused", {
  some <- recorded[recorded$set %in% unique(recorded$set)[1:4], ]
  cell <- function(column, value) {
    some[[column]][2] <- value
    some
  }
  damage <- list(
    cell("accuracy", NA), cell("accuracy", 7), cell("accuracy", -1), cell("model", "x"),
    cell("seed", NA), cell("fold", 1.5), cell("set", NA), some[-1, ], rbind(some, some[1, ]),
    rbind(some, some), structure(list(), class = "cawi_benchmark"),
    structure(1, class = c("cawi_benchmark", "data.frame"))
  )
  for (x in damage) {
    expect_error(print(x), class = "cawi_error_x")
    expect_error(summary(x), class = "cawi_error_x")
    expect_error(on_null_device(plot(x)), class = "cawi_error_x")
  }
  for (x in list(some["set"], some[0, ], some[names(some) != "accuracy"])) {
    expect_error(summary(x), class = "cawi_error_x")
    expect_error(on_null_device(plot(x)), class = "cawi_error_x")
    # A part of a table prints as a table.
    expect_output(print(x))
  }
  # Whole folds, distributions, sets and protocols may go.
  expect_output(print(some[some$fold == 1, ]), "cawi_benchmark")
  expect_output(print(some[!(some$set == some$set[1] & some$init == "t"), ]),
                "3 sets with all distributions")
  whole <- summary(some)
  expect_error(print(structure(list(), class = "summary.cawi_benchmark")), class = "cawi_error_x")
  expect_error(print(edited(whole, rvfl = 1)), class = "cawi_error_x")
  turned <- whole
  turned[[1]]$best$low <- turned[[1]]$best$high + 1
  expect_error(print(turned), class = "cawi_error_x")
})

test_that("damaged grids, diagnoses, selections and data sets are refused", {
  for (x in list(structure(list(), class = "cawi_grid"), structure(1, class = "cawi_grid"),
                 edited(grid, lambda = NULL), edited(grid, lambda = "a"),
                 edited(grid, hidden = numeric()), edited(grid, what = 1),
                 structure(unname(unclass(grid)), class = "cawi_grid"),
                 edited(grid, lambda = c(1, NA)), edited(grid, hidden = -1),
                 edited(grid, hidden = "a"), edited(grid, hidden = list(sum)),
                 edited(grid, activation = "a"), edited(grid, spread = Inf),
                 edited(grid, lambda = c(1, 2, 1)), edited(grid, lambda = c(2, 1)),
                 edited(grid, lambda = 1e200), edited(grid, hidden = c(5, 5)))) {
    expect_error(print(x), class = "cawi_error_x")
    expect_error(as.data.frame(x), class = "cawi_error_x")
    expect_error(cawi_tune(iris[1:4], iris$Species, grid = x), class = "cawi_error_grid")
    expect_error(cawi_benchmark("iris", grid = x), class = "cawi_error_grid")
  }
  odd <- diagnosis
  odd$condition[1] <- NA
  for (x in list(diagnosis[0, ], diagnosis[-1], diagnosis[-4], odd,
                 structure(1, class = "cawi_diagnosis"),
                 structure(list(1), class = c("cawi_diagnosis", "data.frame")))) {
    expect_error(print(x), class = "cawi_error_x")
    expect_error(on_null_device(plot(x)), class = "cawi_error_x")
  }
  expect_output(print(diagnosis), "medians of 2 draws")
  expect_output(print(diagnosis[diagnosis$draw == 2, ]), "medians of 1 draws")
  expect_output(print(edited(diagnosis, draw = diagnosis$draw * 1e10)), "medians of 2 draws")
  expect_error(print(structure(1, class = c("cawi_selection", "data.frame"))),
               class = "cawi_error_x")
  data <- cawi_read_dataset("iris")
  for (x in list(edited(data, x = NULL), edited(data, y = 1), edited(data, y = data$y[-1]),
                 edited(data, name = NULL),
                 structure(1, class = "cawi_dataset"))) {
    expect_error(print(x), class = "cawi_error_x")
  }
})

# ---- memory ----

test_that("what no machine can have is refused at once, with its size", {
  wide <- matrix(0, 2, 3e5)
  flat <- cawi_copula_from("independence", dim = 2e6)
  clayton <- cawi_copula_from("clayton", dim = 1e6, theta = 2)
  calls <- alist(
    cawi_kendall(wide), cawi_kendall(wide, wide), cawi_copula(wide, "gaussian"), cawi_copula(wide),
    cawi_select(rbind(wide, wide)), simulate(flat, 49000), cawi_weights(flat, 49000),
    summary(clayton),
    cawi_copula_from("gaussian", dim = 3e5, cor = 0.5), as.data.frame(do.call(cawi_grid, list(
      lambda = 1:1000, hidden = 1:1000, nodes = 1:1000, windows = 1:1000, enhancement = 1:1000)))
  )
  for (code in calls) {
    seconds <-
      system.time(error <- expect_error(eval(code), class = "cawi_error_memory"))[["elapsed"]]
    expect_match(conditionMessage(error), "about [0-9.e+]+ [GT]B would be needed")
    expect_lt(seconds, 20)
  }
})

test_that("memory that runs out in the core is told as such", {
  skip_on_os(c("windows", "mac"))
  skip_if(Sys.which("bash") == "")
  skip_under("asan", "it reserves more addresses than the limit leaves")
  code <- c(
    sprintf(".libPaths(%s)", deparse1(.libPaths())), "library(cawi)",
    "told <- function(code) {",
    "  tryCatch({code; 'no error'}, cawi_error_memory = conditionMessage, error = class)",
    "}",
    "x <- matrix(as.numeric(1:60000), 2)",
    "cat(told(cawi_kendall(x, threads = 1)), '\\n')",
    "cop <- cawi_copula_from('independence', dim = 1000)",
    "cat(told(simulate(cop, 9e5, threads = 1)), '\\n')",
    "cat(told(cawi_weights(cop, 9e5, threads = 1)), '\\n')"
  )
  folder <- new_folder()
  script <- file.path(folder, "run.R")
  shell <- file.path(folder, "run.sh")
  writeLines(code, script)
  # Address space for R and little more.
  writeLines(
    c("ulimit -v 3000000", paste(shQuote(file.path(R.home("bin"), "Rscript")), shQuote(script))),
    shell
  )
  out <- suppressWarnings(system2("bash", shQuote(shell), stdout = TRUE, stderr = FALSE))
  expect_length(grep("not enough memory.*GB would be needed", out), 3)
})

# ---- the generator ----

test_that("a call that fails leaves R's generator where it was", {
  expect_generator_untouched({
    for (code in alist(
      simulate(clayton, -1), simulate(clayton, 1, threads = 0), simulate(clayton, 1, what = 2),
      cawi_weights(clayton, 1e30), cawi_weights(clayton, 2, scale = -1),
      cawi_weights(clayton, 2, threads = "a"), cawi_pseudo_obs(1:3, ties = "random", threads = -1),
      cawi_pseudo_obs("a", ties = "random"), cawi_folds(NULL), cawi_folds(1:3, 9),
      cawi_folds(1:9, 3, repeats = 0), cawi_folds(letters, 2, what = 1),
      cawi_compare(small_table, level = 3, seed = NULL),
      cawi_compare(small_table, "none", seed = NULL), cawi_select("a"), cawi_copula("a"),
      plot(clayton, n = 0, seed = NULL), cawi_benchmark("none")
    )) {
      expect_error(eval(code), class = "cawi_error")
    }
  })
  expect_generator_untouched({
    expect_error(simulate(cawi_copula_from("independence", dim = 2e6), 49000),
                 class = "cawi_error_memory")
  })
})

# ---- names ----

test_that("names that repeat, are empty or missing do not matter", {
  for (names in list(
    c("a", "a", "a"), rep(NA_character_, 3), c("", "b", NA), c("a b", "\u00e9", "c")
  )) {
    x <- factor_data(40, 3)
    colnames(x) <- names
    expect_identical(colnames(cawi_pseudo_obs(x)), names)
    expect_identical(dimnames(cawi_kendall(x)), list(names, names))
    expect_identical(unname(cawi_kendall(x)), cawi_kendall(unname(x)))
    for (family in c("gaussian", "clayton", "auto")) {
      fit <- suppressWarnings(cawi_copula(x, family))
      expect_identical(fit$names, names)
      expect_identical(colnames(simulate(fit, 4, seed = 1)), names)
      expect_identical(rownames(cawi_weights(fit, 4, seed = 1)), names)
      expect_output(print(summary(fit)))
      # Names are drawn as they are; a missing one leaves its place empty.
      labels <- drawn_axis(recorded(plot(fit, type = "tau")), 1)
      expect_identical(labels$label[labels$panel == 1], if (!all(is.na(names))) names)
      drawn <- drawn_text(recorded(plot(fit, type = "draws", n = 5)))$text
      expect_true(all(names[!is.na(names)] %in% drawn))
    }
    r <- stats::cor(unname(x))
    dimnames(r) <- list(names, names)
    expect_identical(dimnames(cawi_nearest_cor(r)), list(names, names))
    x[, 2] <- 1
    expect_warning(cawi_kendall(x), class = "cawi_warning_constant")
  }
  frame <- stats::setNames(data.frame(factor_data(40, 3)), c("a", "a", "b"))
  expect_identical(colnames(cawi_kendall(frame)), c("a", "a", "b"))
})
