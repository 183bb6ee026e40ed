# The call of a report, run again: `x`, `y` and `data` are those of the fit.
refitted <- function(fit, x = NULL, y = NULL, data = NULL) {
  text <- call_text(new_about(fit, 1L))
  env <- list2env(list(x = x, y = y, data = data), parent = globalenv())
  for (name in grep("^cawi_", getNamespaceExports("cawi"), value = TRUE)) {
    assign(name, getExportedValue("cawi", name), envir = env)
  }
  eval(str2lang(sub("^fit <- ", "", text)), env)
}

test_that("the call of the report gives the same model", {
  cars <- transform(mtcars[c("mpg", "wt", "hp", "cyl")], cyl = factor(cyl))
  x <- iris[1:4]
  y <- iris$Species
  same <- function(fit, x, y) {
    expect_identical(predict(refitted(fit, x, y), x), predict(fit, x))
  }
  same(cawi_rvfl(x, y, seed = 1), x, y)
  same(cawi_rvfl(x, y, hidden = 12, activation = "relu", init = "clayton", lambda = c(0.1, 1),
                 inputs = NULL, scale = 2, seed = 7), x, y)
  same(cawi_elm(x, y, hidden = 30, scale = "auto", seed = 3), x, y)
  same(cawi_edrvfl(x, y, hidden = c(6, 5), activation = c("sine", "relu"), seed = 3), x, y)
  same(cawi_bls(x, y, windows = 3, nodes = 4, enhancement = 9, direct = TRUE, seed = 3), x, y)
  same(cawi_rvfl(x, y, hidden = Inf, activation = "sine", bias = "phase", marginal = "cauchy",
                 landmarks = 50, standardize = "ranks", seed = 3), x, y)
  formula <- cawi_elm(log(mpg) ~ wt + hp:cyl + poly(wt, 2), cars, hidden = 5, seed = 1)
  expect_identical(fitted(refitted(formula, data = cars)), fitted(formula))
  formula <- cawi_elm(mpg ~ wt + offset(hp) - 1, cars, hidden = 5, seed = 1)
  expect_identical(fitted(refitted(formula, data = cars)), fitted(formula))
  grid <- cawi_grid(hidden = 3:5, activation = c("sine", "relu"))
  tuned <- cawi_tune(x, y, model = "elm", grid = grid, resampling = 3, repeats = 2, inputs = 2,
                     one_se = TRUE, seed = 5)
  same(tuned, x, y)
  same(cawi_tune(x, y, grid = cawi_grid(hidden = 3:5, lambda = 1:2), seed = 5), x, y)
  auto <- cawi_auto(x, y, budget = 0.5, hidden = 9, models = c("rvfl", "elm"), draws = 1, seed = 5)
  same(auto, x, y)
})

test_that("what cannot be written is named", {
  x <- small_x()
  fit <- cawi_rvfl(x, small_y("classification"), hidden = 3, init = matrix(1:12 / 7, 4),
                   case_weights = rep(1:2, 20), seed = 1)
  text <- call_text(new_about(fit, 1L))
  expect_match(text, "init = <weights of your own>", fixed = TRUE)
  expect_match(text, "case_weights = case_weights", fixed = TRUE)
  fit <- cawi_rvfl(x, small_y("classification"), hidden = 3, init = cawi_copula(x, "gaussian"),
                   seed = 1)
  expect_match(call_text(new_about(fit, 1L)), "<a gaussian copula>", fixed = TRUE)
})
