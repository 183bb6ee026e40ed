set.seed(1)
cars <- data.frame(mtcars, g = factor(rep(letters[1:4], 8)))
text_of <- function(x) gsub("\\s+", " ", paste(utils::capture.output(print(x)), collapse = " "))
# A term as a file could have it, under the label that the term had before.
evil <- quote(identity({
  options(cawi.sprung = TRUE)
  wt
}))
has_sprung <- function() {
  on.exit(options(cawi.sprung = NULL))
  isTRUE(getOption("cawi.sprung"))
}

test_that("print() shows what predictions compute, and what the functions in it call", {
  helper <- function(v) v^2
  square <- function(x, shift = 1) {
    y <- helper(x)
    y + shift
  }
  fit <- cawi_rvfl(log(mpg) ~ log(wt) + square(hp) + cut(qsec, 3) + poly(disp, 2) +
                     splines::ns(drat, 2) + offset(cyl / 10) + g, cars, hidden = 3, seed = 1)
  text <- text_of(fit)
  for (part in c("log(wt)", "(function(x, shift = 1) { y <- helper(x); y + shift })(hp)",
                 "cut(x = qsec, breaks = <4 numbers>)", "poly(disp, 2, coefs = <list>)",
                 "splines::ns(drat", "offset(cyl/10)", "with helper = function(v) v^2",
                 "response: log(mpg)")) {
    expect_match(text, part, fixed = TRUE)
  }
  plain <- cawi_rvfl(mpg ~ wt + g, cars, hidden = 3, seed = 1)
  expect_false(grepl("computes|response|recipe", text_of(plain)))
})

test_that("tuned and automatic models show it too", {
  tuned <- cawi_tune(mpg ~ log(wt) + hp, cars, grid = cawi_grid(hidden = 2, lambda = 1:2), seed = 1)
  expect_match(text_of(tuned), "computes: log(wt)", fixed = TRUE)
  auto <- cawi_auto(mpg ~ log(wt) + hp, cars, budget = 1, hidden = 5, seed = 1)
  expect_match(text_of(auto), "computes: log(wt)", fixed = TRUE)
})

test_that("an edited term shows itself, whatever its label says, and runs in predictions alone", {
  fit <- cawi_rvfl(mpg ~ log(wt) + hp, cars, hidden = 3, seed = 1)
  fit$preprocessor$variables[[1]] <- evil
  expect_match(text_of(fit), "options(cawi.sprung = TRUE)", fixed = TRUE)
  utils::capture.output(print(summary(fit)))
  for (use in list(coef, tidy, glance, fitted, residuals, cawi_trim, format, plot)) {
    on_null_device(use(fit))
  }
  cawi_report(fit, tempfile(fileext = ".html"))
  expect_false(has_sprung())
  predict(fit, cars)
  expect_true(has_sprung())
  # The same in the response, which predictions do not need.
  fit <- cawi_rvfl(log(mpg) ~ wt, cars, hidden = 3, seed = 1)
  fit$preprocessor$response$call <- evil
  expect_match(text_of(fit), "response: identity({ options(cawi.sprung", fixed = TRUE)
  predict(fit, cars)
  expect_false(has_sprung())
  # In an offset.
  fit <- cawi_rvfl(mpg ~ wt + offset(hp / 100), cars, hidden = 3, seed = 1)
  fit$preprocessor$offsets[[1]] <- evil
  expect_match(text_of(fit), "options(cawi.sprung", fixed = TRUE)
  expect_false(has_sprung())
})

test_that("code behind a function of a term is shown or refused", {
  double <- function(x) twice(x)
  twice <- function(x) 2 * x
  fit <- cawi_rvfl(mpg ~ double(wt), cars, hidden = 3, seed = 1)
  expect_match(text_of(fit), "with twice = function(x) 2 * x", fixed = TRUE)
  place <- environment(fit$preprocessor$variables[[1]][[1]])
  place$twice <- function(x) {
    options(cawi.sprung = TRUE)
    2 * x
  }
  expect_match(text_of(fit), "options(cawi.sprung = TRUE)", fixed = TRUE)
  # Looking at such a name would run its code.
  rm("twice", envir = place)
  makeActiveBinding("twice", function() options(cawi.sprung = TRUE), place)
  expect_error(print(fit), "hides code", class = "cawi_error_x")
  expect_error(predict(fit, cars), "hides code", class = "cawi_error_object")
  rm("twice", envir = place)
  delayedAssign("twice", options(cawi.sprung = TRUE), baseenv(), place)
  expect_error(print(fit), "hides code", class = "cawi_error_x")
  expect_error(predict(fit, cars), "hides code", class = "cawi_error_object")
  expect_false(has_sprung())
})

test_that("functions of packages go by their names only where they are theirs", {
  expect_identical(function_text(stats::median), "stats::median")
  expect_identical(function_text(log), ".Primitive(\"log\")")
  false <- function(x) options(cawi.sprung = TRUE)
  environment(false) <- asNamespace("stats")
  expect_identical(function_text(false), "function(x) options(cawi.sprung = TRUE)")
})

test_that("long texts and objects are told by what they are", {
  long <- call("f", strrep("x", 500), 1:3, list(1), iris, 1.23456789, NULL, NA, "{x}")
  expect_identical(expression_text(long), paste0(
    "f(\"", strrep("x", 60), "...\", <3 numbers>, <list>, <data.frame>, 1.235, NULL, NA, \"{x}\")"
  ))
  # A class of its own is not asked how it looks.
  registerS3method("format", "cawi_shown", function(x, ...) options(cawi.sprung = TRUE),
                   envir = baseenv())
  expect_identical(expression_text(call("f", structure(1, class = "cawi_shown"))),
                   "f(<cawi_shown>)")
  expect_false(has_sprung())
})

test_that("print() shows the steps of a recipe with the code in them", {
  skip_if_not_installed("recipes")
  recipe <- recipes::recipe(mpg ~ ., cars)
  recipe <- recipes::step_mutate(recipe, half = wt / 2)
  recipe <- recipes::step_center(recipe, disp)
  recipe <- recipes::step_dummy(recipe, g)
  fit <- cawi_rvfl(recipe, cars, hidden = 3, seed = 1)
  expect_match(text_of(fit), "recipe: step_mutate(wt/2), step_center, step_dummy", fixed = TRUE)
  fit$preprocessor$recipe$steps[[1]]$inputs[[1]] <- rlang::new_quosure(evil, baseenv())
  expect_match(text_of(fit), "step_mutate(identity({ options(cawi.sprung = TRUE)", fixed = TRUE)
  utils::capture.output(print(summary(fit)))
  cawi_trim(fit)
  expect_false(has_sprung())
  # A recipe that is no list of steps.
  place <- new.env()
  makeActiveBinding("steps", function() options(cawi.sprung = TRUE), place)
  fit$preprocessor$recipe <- structure(place, class = "recipe")
  expect_error(print(fit), class = "cawi_error_x")
  expect_error(predict(fit, cars), class = "cawi_error_object")
  expect_false(has_sprung())
})

# ---- code that is not what it seems --------------------------------------------------------------

# A model whose first term calls a function of its own.
own_function <- function() {
  twice <- function(x) 2 * x
  cawi_rvfl(mpg ~ twice(wt) + hp, mtcars, hidden = 3, seed = 1)
}
place_of <- function(fit) environment(fit$preprocessor$variables[[1]][[1]])
saved <- function(x) unserialize(serialize(x, NULL))
# A file with other bytes.
with_bytes <- function(x, from, to) {
  bytes <- serialize(x, NULL)
  from <- charToRaw(from)
  at <- Filter(function(i) identical(bytes[i + seq_along(from) - 1L], from),
               which(bytes == from[1L]))
  for (i in at) bytes[i + seq_along(from) - 1L] <- charToRaw(to)
  unserialize(bytes)
}
springing <- function(x) {
  options(cawi.sprung = TRUE)
  2 * x
}
environment(springing) <- baseenv()
expect_shown_first <- function(fit, text) {
  expect_match(text_of(fit), text, fixed = TRUE)
  utils::capture.output(print(summary(fit)))
  coef(fit)
  expect_false(has_sprung())
}
expect_hiding <- function(fit) {
  expect_error(print(fit), "hides code", class = "cawi_error_x")
  expect_error(coef(fit), "hides code", class = "cawi_error_object")
  expect_error(predict(fit, mtcars), "hides code", class = "cawi_error_object")
  expect_false(has_sprung())
}

test_that("no place is asked whether it is a namespace", {
  fit <- own_function()
  place <- place_of(fit)
  act <- function() {
    options(cawi.sprung = TRUE)
    NULL
  }
  makeActiveBinding(".__NAMESPACE__.", act, place)
  expect_hiding(fit)
  # One that is gone after it has run.
  fit <- own_function()
  place <- place_of(fit)
  makeActiveBinding(".__NAMESPACE__.", function() {
    options(cawi.sprung = TRUE)
    rm(".__NAMESPACE__.", envir = place)
  }, place)
  expect_hiding(fit)
  fit <- own_function()
  delayedAssign(".__NAMESPACE__.", options(cawi.sprung = TRUE), baseenv(), place_of(fit))
  expect_hiding(fit)
  # Places behind one another in a circle.
  fit <- own_function()
  place <- place_of(fit)
  other <- new.env(parent = place)
  environment(fit$preprocessor$variables[[1]][[1]]) <- other
  parent.env(place) <- other
  expect_hiding(fit)
})

test_that("a place is a package or a namespace only if it is the one of this session", {
  fit <- own_function()
  place <- place_of(fit)
  fit$preprocessor$variables[[1]][[1]] <- `environment<-`(function(x) helper(x), place)
  place$helper <- springing
  attr(place, "name") <- "packagX:x"
  expect_shown_first(with_bytes(fit, "packagX:x", "package:x"), "with helper = function(x) {")
  # A namespace that calls itself stats.
  fit <- own_function()
  place <- new.env(hash = FALSE, parent = baseenv())
  fun <- `environment<-`(springing, place)
  place$sd <- fun
  fit$preprocessor$variables[[1]][[1]] <- fun
  described <- new.env(hash = FALSE, parent = baseenv())
  described$spec <- c(name = "stats", version = "1")
  assign(".__NAMESPACX__.", described, place)
  fit <- with_bytes(fit, ".__NAMESPACX__.", ".__NAMESPACE__.")
  expect_true(isNamespace(place_of(fit)))
  expect_shown_first(fit, "(function(x) { options(cawi.sprung = TRUE)")
  # Where it says what it is by code.
  described <- get(".__NAMESPACE__.", place_of(fit))
  rm("spec", envir = described)
  makeActiveBinding("spec", function() options(cawi.sprung = TRUE), described)
  expect_error(print(fit), "hides code", class = "cawi_error_x")
  # A function of R under the name of another one.
  fit <- own_function()
  fit$preprocessor$variables[[1]][[1]] <- `environment<-`(function(x) sqrt(x), place_of(fit))
  assign("sqrt", system, place_of(fit))
  expect_shown_first(fit, "with sqrt = base::system")
})

# A function whose bytecode is not that of its expression.
with_bytecode <- function(fun, shown, place) {
  internal <- function(code) eval(parse(text = paste0(".Internal(", code, ")")), parent.frame())
  fun <- compiler::cmpfun(fun)
  parts <- internal("disassemble(.Internal(bodyCode(fun)))")
  inner <- function(part) {
    if (!is.list(part) || !identical(part[1L], list(as.name(".Code")))) return(part)
    code <- part[[2L]]
    constants <- lapply(part[[3L]], inner)
    internal("mkCode(code, constants)")
  }
  constants <- lapply(parts[[3L]], inner)
  constants[[1L]] <- shown
  code <- parts[[2L]]
  arguments <- formals(fun)
  internal("bcClose(arguments, .Internal(mkCode(code, constants)), place)")
}

test_that("functions run as print() shows them, whatever their bytecode", {
  made <- tryCatch(with_bytecode(springing, quote(2 * x), baseenv()), error = function(e) NULL)
  skip_if(is.null(made), "bytecode cannot be edited")
  made(1)
  skip_if_not(has_sprung(), "bytecode cannot be edited")
  fit <- own_function()
  wanted <- predict(fit, mtcars)
  fit$preprocessor$variables[[1]][[1]] <- made
  expect_shown_first(saved(fit), "(function(x) 2 * x)(wt)")
  expect_identical(predict(saved(fit), mtcars), wanted)
  expect_false(has_sprung())
  # Where another function finds it: by name, in a list, locked.
  for (call in list(quote(helper(x)), quote(helpers$f(x)))) {
    fit <- own_function()
    place <- place_of(fit)
    fit$preprocessor$variables[[1]][[1]] <- as.function(c(formals(function(x) NULL), call), place)
    place$helper <- made
    place$helpers <- list(f = made)
    lockEnvironment(place, bindings = TRUE)
    expect_identical(predict(saved(fit), mtcars), wanted)
    expect_true(bindingIsLocked("helper", place))
  }
  expect_false(has_sprung())
  # One that passes for a function of a package, which then runs.
  false <- with_bytecode(function(x, na.rm = TRUE) {
    options(cawi.sprung = TRUE)
    x
  }, body(stats::fivenum), asNamespace("stats"))
  expect_identical(function_text(false), "stats::fivenum")
  fit$preprocessor$variables[[1]][[1]] <- false
  try(predict(saved(fit), mtcars), silent = TRUE)
  expect_false(has_sprung())
  # In the response, in the steps of a recipe, and in a function of weights.
  fit <- cawi_rvfl(log(mpg) ~ wt + hp, mtcars, hidden = 3, seed = 1)
  fit$preprocessor$response$call <- as.call(list(made, quote(mpg)))
  update(fit, new_x = mtcars)
  weights <- function(x, hidden, seed) matrix(0.5, ncol(x), hidden)
  given <- cawi_rvfl(mpg ~ wt + hp, mtcars, hidden = 3, init = weights, seed = 1)
  given$spec$init <- with_bytecode(function(x, hidden, seed) {
    options(cawi.sprung = TRUE)
    matrix(0.5, ncol(x), hidden)
  }, body(weights), baseenv())
  update(given, hidden = 5)
  cawi_diagnose(given, draws = 2, seed = 1)
  expect_false(has_sprung())
  skip_if_not_installed("recipes")
  recipe <- recipes::step_mutate_at(recipes::recipe(mpg ~ wt + hp, mtcars), wt,
                                    fn = function(x) 2 * x)
  fit <- cawi_rvfl(recipe, mtcars, hidden = 3, seed = 1)
  wanted <- predict(fit, mtcars)
  fit$preprocessor$recipe$steps[[1]]$fn <- made
  expect_identical(predict(saved(fit), mtcars), wanted)
  expect_false(has_sprung())
})

test_that("code that functions find in lists, as quoted code and in places is shown", {
  ops <- list(f = function(x) 2 * x, k = 1:3)
  code <- quote({
    x / 2
  })
  env <- new.env()
  env$f <- function(x) deeper(x)
  env$deeper <- 1
  deeper <- function(x) x + 1
  tagged <- structure(1, act = function(x) x)
  g1 <- function(x) ops$f(x)
  g2 <- function(x) eval(code)
  g3 <- function(x) env$f(x)
  g4 <- function(x) attr(tagged, "act")(x)
  fit <- cawi_rvfl(mpg ~ g1(wt) + g2(hp) + g3(disp) + g4(qsec), mtcars, hidden = 3, seed = 1)
  for (text in c("with ops$f = function(x) 2 * x", "with code = { x/2 }",
                 "with env$f = function(x) deeper(x)", "with deeper = function(x) x + 1",
                 "with tagged@act = function(x) x")) {
    expect_match(text_of(fit), text, fixed = TRUE)
  }
  expect_identical(text_of(saved(fit)), text_of(fit))
  expect_identical(predict(saved(fit), mtcars), predict(fit, mtcars))
  # Traps there.
  makeActiveBinding("g", function() options(cawi.sprung = TRUE), env)
  expect_hiding(fit)
  rm("g", envir = env)
  delayedAssign("f", options(cawi.sprung = TRUE), baseenv(), env)
  expect_hiding(fit)
})

test_that("code in the constants of a term is shown", {
  fit <- own_function()
  fit$preprocessor$variables[[1]] <- call("eval", as.expression(evil))
  expect_shown_first(fit, "eval(expression(identity({ options(cawi.sprung = TRUE)")
  fit$preprocessor$variables[[1]] <- as.call(list(call("[[", list(springing), 1), quote(wt)))
  expect_shown_first(fit, "list(function(x) { options(cawi.sprung = TRUE); 2 * x })[[1]](wt)")
  fit$preprocessor$variables[[1]] <- call("identity", structure(1, act = springing))
  expect_shown_first(fit, "structure(1, act = function(x) { options(cawi.sprung = TRUE)")
  place <- new.env()
  place$f <- springing
  fit$preprocessor$variables[[1]] <- call("eval", quote(f(1)), place)
  expect_shown_first(fit, "$f = function(x) { options(cawi.sprung = TRUE); 2 * x }")
})

test_that("a promise in a term is refused", {
  # The dots of a call are a list of promises.
  dots <- (function(...) get("..."))(options(cawi.sprung = TRUE))
  fit <- own_function()
  fit$preprocessor$variables[[1]] <- as.call(list(quote(identity), dots))
  expect_error(print(fit), "hides code", class = "cawi_error_x")
  expect_error(predict(fit, mtcars), "hides code", class = "cawi_error_object")
  expect_false(has_sprung())
})

test_that("what the places of a recipe's code define is shown, or refused", {
  skip_if_not_installed("recipes")
  # In the frame of a function, where not all arguments were ever needed.
  fitted_in <- function(data, by, unused = stop("not needed")) {
    halve <- function(v) v / by
    recipe <- recipes::recipe(mpg ~ wt + hp, data)
    recipe <- recipes::step_mutate(recipe, half = halve(wt))
    cawi_rvfl(recipe, data, hidden = 3, seed = 1)
  }
  fit <- fitted_in(mtcars, 2)
  expect_match(text_of(fit), "recipe: step_mutate(halve(wt)), with halve = function(v) v/by",
               fixed = TRUE)
  expect_identical(predict(saved(fit), mtcars), predict(fit, mtcars))
  put <- function(fit, place) {
    fit$preprocessor$recipe$steps[[1]]$inputs[[1]] <- rlang::new_quosure(quote(wt / 2), place)
    fit
  }
  place <- new.env(parent = globalenv())
  assign("/", springing, place)
  expect_shown_first(put(fit, place), "step_mutate(wt/2), with `/` = function(x) {")
  rm("/", envir = place)
  makeActiveBinding("/", function() options(cawi.sprung = TRUE), place)
  expect_hiding(put(fit, place))
  # Methods are found by names that the code does not have.
  place <- new.env(parent = globalenv())
  assign("Ops.numeric_version", springing, place)
  expect_shown_first(put(fit, place), "with Ops.numeric_version = function(x) {")
})
