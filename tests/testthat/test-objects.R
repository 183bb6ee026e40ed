# Traps in objects, as a file could have them: whatever is printed, summarized, drawn or asked for
# figures, none of them springs. A trap that springs sets an option, because any code can do that.
any_arguments <- formals(function(...) NULL)
springs <- quote(options(cawi.sprung = TRUE))
has_sprung <- function() isTRUE(getOption("cawi.sprung"))

# A place whose every name runs code when it is looked at.
trapped_place <- function(names, lazy) {
  place <- new.env(parent = baseenv())
  for (name in setdiff(unique(names), c("", NA))) {
    if (lazy) {
      do.call(delayedAssign, list(name, springs, baseenv(), place))
    } else {
      makeActiveBinding(name, eval(call("function", NULL, springs), baseenv()), place)
    }
  }
  place
}

# Methods of a class that only its own objects meet. In life they are those of the packages that a
# session has loaded; a file brings none.
trap_generics <- c(
  "print", "format", "length", "[", "[[", "$", "as.character", "dim", "names", "levels", "as.list",
  "as.double", "as.vector", "is.na", "anyNA", "unique", "rep", "c", "summary", "xtfrm", "Ops",
  "Math", "Summary", "t", "dimnames", "as.data.frame", "unlist", "is.matrix", "is.numeric",
  "toString"
)
for (generic in trap_generics) {
  registerS3method(generic, "cawi_trap", eval(call("function", any_arguments, springs),
                                              baseenv()), envir = baseenv())
}

# One trap of every kind in place of a value.
traps_for <- function(value) {
  if (is.symbol(value) || is.null(value)) value <- list()
  names <- c(names(value), "print", "length")
  classed <- function(place) {
    # R itself lets no place pass for a factor.
    oldClass(place) <- setdiff(oldClass(value), "factor")
    place
  }
  act <- eval(call("function", any_arguments, springs), baseenv())
  list(
    fun = act, code = springs, expression = as.expression(springs),
    formula = eval(call("~", springs), baseenv()),
    active = classed(trapped_place(names, FALSE)), lazy = classed(trapped_place(names, TRUE)),
    glue = "{options(cawi.sprung = TRUE)}",
    class = structure(value, class = c("cawi_trap", oldClass(value))),
    attribute = structure(value, hidden = act),
    method = structure(list(print = act, format = act), class = c("R6", "cawi_trap"))
  )
}

# Paths of all parts of a list, by position.
part_paths <- function(x, depth = 0L) {
  if (typeof(x) != "list" || depth > 6L) return(list())
  parts <- unclass(x)
  # Of many that are alike the first ones do.
  unlist(lapply(utils::head(seq_along(parts), 30L), function(i) {
    c(list(i), lapply(part_paths(parts[[i]], depth + 1L), function(path) c(i, path)))
  }), recursive = FALSE)
}
part_at <- function(x, path) Reduce(function(x, i) unclass(x)[[i]], path, x)
with_part <- function(x, path, value) {
  kept <- attributes(x)
  x <- unclass(x)
  x[path[1L]] <- list(if (length(path) == 1L) value else with_part(x[[path[1L]]], path[-1L], value))
  attributes(x) <- kept
  x
}
path_names <- function(x, path) {
  paste(vapply(seq_along(path), function(k) {
    rlang::names2(part_at(x, path[seq_len(k - 1L)]))[path[k]]
  }, ""), collapse = "$")
}

# Runs code; gives the class of its error, "fine", or "sprung".
outcome_of <- function(code) {
  options(cawi.sprung = NULL)
  on.exit(options(cawi.sprung = NULL))
  result <- tryCatch({
    suppressWarnings(force(code))
    "fine"
  }, cawi_error = function(e) "cawi_error", error = function(e) conditionMessage(e))
  if (has_sprung()) "sprung" else result
}

# Parts of an object in turn are replaced by a trap, another kind for every part, and functions in
# `uses` are called, two of them in turn. All parts with all uses take minutes: CAWI_ATTACK=all.
expect_no_trap_springs <- function(object, uses, shift = 0L) {
  all <- identical(Sys.getenv("CAWI_ATTACK"), "all")
  paths <- c(list(integer()), part_paths(object))
  if (!all) paths <- paths[unique(round(seq(1, length(paths), length.out = 40)))]
  bad <- character()
  sink(nullfile())
  grDevices::pdf(NULL)
  device <- grDevices::dev.cur()
  on.exit({
    sink()
    grDevices::dev.off(device)
  })
  for (k in seq_along(paths)) {
    path <- paths[[k]]
    value <- part_at(object, path)
    traps <- traps_for(value)
    trap <- traps[(k + shift) %% length(traps) + 1L]
    # The whole object is met by the methods of its class as long as it has it.
    edited <- if (length(path) > 0L) with_part(object, path, trap[[1L]]) else trap[[1L]]
    if (length(path) == 0L) {
      if (typeof(edited) %in% c("symbol", "language", "expression", "character")) next
      if (names(trap) == "class") edited <- structure(object, class = c(class(object), "cawi_trap"))
      if (names(trap) != "class") class(edited) <- class(object)
    }
    for (use in if (all) names(uses) else names(uses)[unique((k + 0:1) %% length(uses) + 1L)]) {
      outcome <- outcome_of(uses[[use]](edited))
      if (outcome %in% c("fine", "cawi_error")) next
      place <- if (length(path) > 0L) path_names(object, path) else "the whole"
      bad <- c(bad, sprintf("%s of %s with %s at %s: %s", use, class(object)[1L], names(trap),
                            place, outcome))
    }
  }
  expect_identical(bad, character())
}

# Every part meets several kinds of traps where there are few parts.
shifts <- if (identical(Sys.getenv("CAWI_ATTACK"), "all")) 0:9 else c(0L, 4L, 5L)
set.seed(1)
rows <- data.frame(a = rnorm(40), b = rexp(40), g = factor(rep(c("u", "v"), 20)))
rows$y <- rows$a + log(rows$b)
rows$class <- factor(ifelse(rows$a > 0, "yes", "no"))
shown <- list(print = print, summary = function(x) print(summary(x)))
figures <- c(shown, list(plot = plot, tidy = tidy, glance = glance, coef = coef))
fits <- c(figures, list(
  trim = cawi_trim, fitted = fitted, residuals = residuals, report = function(x) {
    cawi_report(x, file.path(tempdir(), "trapped.html"))
  }
))
predicting <- list(
  predict = function(x) predict(x, rows), augment = function(x) augment(x, rows),
  update = function(x) update(x, new_x = rows[1:2, c("a", "b", "g")], new_y = rows$y[1:2]),
  features = function(x) cawi_features(x, rows), statistics = function(x) cawi_statistics(x)
)

test_that("the traps work", {
  traps <- traps_for(list(a = 1))
  expect_identical(outcome_of(traps$fun()), "sprung")
  expect_identical(outcome_of(eval(traps$code)), "sprung")
  expect_identical(outcome_of(eval(traps$expression)), "sprung")
  expect_identical(outcome_of(eval(traps$formula[[2]])), "sprung")
  expect_identical(outcome_of(traps$active$a), "sprung")
  expect_identical(outcome_of(traps$lazy$a), "sprung")
  expect_identical(outcome_of(cli::format_inline(traps$glue)), "sprung")
  for (use in list(length, print, names, function(x) x[["a"]], function(x) x$a)) {
    expect_identical(outcome_of(use(traps$class)), "sprung")
  }
  expect_identical(outcome_of(stop("no class")), "no class")
  # A part of a part is reached.
  object <- structure(list(a = 1, b = list(2, c = structure(list(3), class = "x"))), class = "y")
  expect_identical(part_paths(object), list(1L, 2L, c(2L, 1L), c(2L, 2L), c(2L, 2L, 1L)))
  expect_identical(part_at(with_part(object, c(2L, 2L, 1L), 9), c(2L, 2L)),
                   structure(list(9), class = "x"))
})

test_that("no trap springs in a model that reads columns", {
  numbers <- cawi_rvfl(y ~ a + b + g, rows, hidden = 3, init = "gaussian", seed = 1)
  expect_no_trap_springs(numbers, c(fits, predicting))
  classes <- cawi_rvfl(as.matrix(rows[c("a", "b")]), rows$class, hidden = 3, seed = 1)
  expect_no_trap_springs(classes, c(figures, predicting["predict"]), shift = 4L)
})

test_that("no trap springs in tuned and automatic models", {
  given <- function(x, hidden, seed) matrix(0.5, ncol(x), hidden)
  grid <- cawi_grid(hidden = c(2, 3), lambda = c(0.1, 1), init = list("iid", given))
  tuned <- cawi_tune(y ~ a + b, rows, grid = grid, seed = 1)
  expect_no_trap_springs(tuned, c(figures, predicting["predict"]), shift = 1L)
  auto <- cawi_auto(y ~ a + b, rows, budget = 1, hidden = 5, seed = 1)
  expect_no_trap_springs(auto, c(figures, predicting["predict"]), shift = 2L)
})

test_that("no trap springs in what is told of models", {
  fit <- cawi_rvfl(class ~ a + b, rows, hidden = 3, seed = 1)
  auto <- cawi_auto(y ~ a + b, rows, budget = 1, hidden = 5, seed = 1)
  expect_no_trap_springs(summary(fit), shown["print"], shift = 3L)
  expect_no_trap_springs(summary(auto), shown["print"], shift = 5L)
  drawn <- list(print = print, plot = plot, frame = as.data.frame)
  importance <- cawi_importance(fit, seed = 1)
  effects <- cawi_effects(fit)
  diagnosis <- cawi_diagnose(fit, draws = 2, seed = 1)
  for (shift in shifts) {
    expect_no_trap_springs(importance, drawn, shift)
    expect_no_trap_springs(effects, drawn, shift)
    expect_no_trap_springs(diagnosis, drawn[1:2], shift)
  }
})

test_that("no trap springs in copulas, grids, statistics and tables", {
  copula <- cawi_copula(rows[c("a", "b")], "auto", likelihood = TRUE)
  merged <- function(x) cawi_merge(fit, x)
  fit <- cawi_rvfl(class ~ a + b, rows, hidden = 3, seed = 1)
  statistics <- cawi_statistics(fit)
  selection <- cawi_select(rows[c("a", "b")])
  for (shift in shifts) {
    expect_no_trap_springs(copula, c(shown, list(
      coef = coef, tidy = tidy, glance = glance, logLik = logLik, plot = plot,
      draws = function(x) simulate(x, 2, seed = 1),
      density = function(x) cawi_density(x, cbind(0.5, 0.2)),
      draw = function(x) cawi_weights(x, 2, seed = 1)
    )), shift)
    expect_no_trap_springs(summary(copula), shown["print"], shift)
    expect_no_trap_springs(statistics, list(print = print, merge = merged), shift)
    expect_no_trap_springs(cawi_grid(hidden = 1:2, init = list("iid", diag(2))),
                           list(print = print, frame = as.data.frame), shift)
    expect_no_trap_springs(selection, shown["print"], shift)
  }
  set <- structure(list(x = as.matrix(rows[1:2]), y = rows$g, name = "n", source = "s"),
                   class = "cawi_dataset")
  for (shift in shifts) expect_no_trap_springs(set, list(print = print), shift)
})

test_that("no trap springs in benchmarks and comparisons", {
  nested <- cawi_recorded("nested")
  nested <- nested[nested$set %in% unique(nested$set)[1:4] & nested$seed == 42, ]
  compared <- cawi_compare(matrix(c(1:9, 9:1) + 0.1, ncol = 2, dimnames = list(NULL, c("p", "q"))),
                           seed = 1)
  told <- summary(nested, seed = 1)
  for (shift in shifts) {
    expect_no_trap_springs(nested, list(print = print, summary = summary, plot = plot), shift)
    expect_no_trap_springs(told, list(print = print), shift)
    expect_no_trap_springs(compared, list(print = print, plot = plot), shift)
  }
})
