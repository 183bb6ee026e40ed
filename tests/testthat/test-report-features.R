section_text <- function(fit) unclass(tag("div", section_features(new_about(check_fit(fit), 1L))))
cars <- transform(mtcars[c("mpg", "wt", "hp", "cyl")], cyl = factor(cyl))

test_that("features stand by their importance, with the effects of the leading ones", {
  fit <- cawi_rvfl(mpg ~ ., cars, hidden = 9, seed = 1)
  text <- section_text(fit)
  order <- cawi_importance(fit)$feature
  expect_true(all(diff(vapply(order, function(name) regexpr(paste0(">", name, "<"), text), 0)) > 0))
  expect_identical(lengths(regmatches(text, gregexpr("<svg", text))), 3L)
  # A factor is one feature, with one tick per level.
  for (level in c("4", "6", "8")) expect_match(text, paste0(">", level, "<"))
  classes <- cawi_rvfl(Species ~ ., iris, hidden = 9, seed = 1)
  text <- section_text(classes)
  for (k in 1:3) expect_match(text, paste0("line-", k))
  expect_match(text, "probability of each class")
  # One output needs no key, two do.
  expect_no_match(section_text(fit), "line-1")
  two <- cawi_elm(cars[c("wt", "hp")], mtcars[c("mpg", "qsec")], hidden = 5, seed = 1)
  text <- section_text(two)
  for (k in 1:2) expect_match(text, paste0("line-", k))
})

test_that("tuned and automatic models have the section, too", {
  grid <- cawi_grid(hidden = 3:4)
  expect_match(section_text(cawi_tune(mpg ~ ., cars, grid = grid, seed = 1)), "<svg")
  expect_match(section_text(cawi_auto(mpg ~ ., cars, seed = 1)), "<svg")
})

test_that("what cannot be computed is said", {
  fit <- cawi_rvfl(mpg ~ poly(wt, 2) + hp, cars, hidden = 5, seed = 1)
  expect_match(section_text(fit), "could not be computed.*join several features")
  fit <- cawi_rvfl(mpg ~ ., cars, hidden = 5, keep_data = FALSE, seed = 1)
  expect_match(section_text(fit), "could not be computed.*does not keep its training data")
  expect_match(section_text(cawi_trim(fit)), "could not be computed.*trimmed")
})

test_that("many features and many outputs are cut short", {
  x <- matrix(lehmer(30 * 25, 3), 30)
  colnames(x) <- paste0("f", 1:25)
  fit <- cawi_elm(x, x[, 1:8], hidden = 5, seed = 1)
  text <- section_text(fit)
  expect_match(text, "5 more features matter less")
  expect_match(text, "The first 6 of 8 outputs")
})
