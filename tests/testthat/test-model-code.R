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
