cars <- transform(mtcars[c("mpg", "wt", "hp", "cyl")], cyl = factor(cyl, ordered = TRUE),
                  fuel = rep(c("gas", "oil"), 16))

test_that("features have their names, kinds, missing values and ranges", {
  holes <- transform(cars, wt = replace(wt, c(3, 7), NA), fuel = replace(fuel, 5, NA))
  for (action in c("impute", "omit")) {
    fits <- list(cawi_elm(mpg ~ ., holes, hidden = 4, na_action = action, seed = 1),
                 cawi_elm(holes[-1], holes$mpg, hidden = 4, na_action = action, seed = 1))
    for (fit in fits) {
      table <- feature_table(fit, fit$data)
      expect_identical(table$feature, c("wt", "hp", "cyl", "fuel"))
      expect_match(table$kind[3], "ordered factor, 3 levels: 4, 6, 8")
      expect_equal(table$missing, c(2, 0, 0, 1))
      expect_equal(table$largest[2], max(fit$data$x[, "hp"]))
      expect_true(all(is.na(table$median[3:4])))
      facts <- data_facts(new_about(fit, 1L))
      expect_match(facts[["missing values"]], "3 in 2 features")
      expect_identical(is.null(facts[["rows left out"]]), action == "impute")
    }
  }
  matrix <- cawi_elm(as.matrix(mtcars[2:4]), mtcars$mpg, hidden = 4, seed = 1)
  expect_identical(feature_table(matrix, matrix$data)$smallest,
                   unname(apply(as.matrix(mtcars[2:4]), 2, min)))
  expect_null(feature_table(matrix, NULL)$smallest)
})

test_that("missing values of matrices and recipes are counted", {
  x <- as.matrix(mtcars[2:4])
  x[2:4, 2] <- NA
  fit <- cawi_elm(x, mtcars$mpg, hidden = 4, na_action = "omit", seed = 1)
  expect_equal(fit$preprocessor$seen, list(rows = 32L, missing = c(disp = 3)))
  expect_equal(fit$nobs, 29)
  expect_match(data_facts(new_about(fit, 1L))[["rows left out"]], "^3 ")
  skip_if_not_installed("recipes")
  holes <- transform(cars, wt = replace(wt, 3, NA))
  fit <- cawi_elm(recipes::recipe(mpg ~ ., holes), holes, hidden = 4, na_action = "impute",
                  seed = 1)
  expect_equal(fit$preprocessor$seen$missing, c(wt = 1))
})

test_that("many features are not all listed", {
  x <- matrix(lehmer(20 * 80, 3), 20)
  fit <- cawi_elm(x, x[, 1], hidden = 3, seed = 1)
  text <- unclass(tag("div", section_data(new_about(fit, 1L))))
  expect_match(text, "20 more features are not listed")
})

test_that("classes have their counts, numbers their range", {
  fit <- cawi_elm(iris[c(1:50, 51:60), 1:4], iris$Species[c(1:50, 51:60)], hidden = 3, seed = 1)
  text <- unclass(tag("div", response_part(new_about(fit, 1L))))
  expect_match(text, "50  (83 %)", fixed = TRUE)
  expect_match(text, "10  (17 %)", fixed = TRUE)
  # A level without rows is a class with none.
  expect_match(text, "virginica", fixed = TRUE)
  fit <- cawi_elm(mpg ~ wt, mtcars, hidden = 3, seed = 1)
  expect_match(unclass(tag("div", response_part(new_about(fit, 1L)))), "Response: mpg")
})
