set.seed(4)
data <- data.frame(
  number = rnorm(30), level = factor(sample(c("a", "b", "c"), 30, TRUE)),
  step = factor(sample(c("low", "mid", "high"), 30, TRUE), c("low", "mid", "high"), ordered = TRUE),
  flag = rep(c(TRUE, FALSE), 15), text = sample(c("x", "y"), 30, TRUE),
  day = as.Date("2020-01-01") + 1:30
)
data$y <- data$number + as.integer(data$level)

# Changing a feature in the rows of the model is changing it in the data.
expect_varied <- function(fit, new_data = NULL, wanted = setdiff(names(data), "y")) {
  varied <- varied_rows(fit, new_data, NULL)
  expect_identical(names(varied$features), wanted)
  for (feature in varied$features) {
    values <- rev(feature$values)
    changed <- data
    changed[[feature$name]] <- rev(data[[feature$name]])
    expect_equal(varied$vary(feature, values), forge_new_data(fit, changed)$x)
    expect_equal(varied$vary(feature, values[3:4], 3:4), forge_new_data(fit, changed)$x[3:4, ])
  }
}

test_that("features are changed under their names, each of them alone", {
  expect_varied(cawi_rvfl(y ~ ., data, hidden = 5, seed = 1))
  expect_varied(cawi_rvfl(y ~ . - 1, data, hidden = 5, seed = 1))
  expect_varied(cawi_rvfl(data[names(data) != "y"], data$y, hidden = 5, seed = 1))
  matrix <- as.matrix(data.frame(a = data$number, b = rnorm(30)))
  varied <- varied_rows(cawi_rvfl(matrix, data$y, hidden = 5, seed = 1), NULL, NULL)
  expect_identical(names(varied$features), c("a", "b"))
  varied <- varied_rows(cawi_rvfl(unname(matrix), data$y, hidden = 5, seed = 1), NULL, NULL)
  expect_identical(names(varied$features), c("x1", "x2"))
})

test_that("columns that join features are computed from the data", {
  fit <- cawi_rvfl(y ~ number:level + poly(number, 2) + step + flag + text + day, data, hidden = 5,
                   seed = 1)
  expect_error(varied_rows(fit, NULL, NULL), class = "cawi_error_new_data")
  names <- names(fit$preprocessor$columns)
  expect_setequal(names, setdiff(names(data), "y"))
  expect_varied(fit, data, names)
})

test_that("recipes with steps need the data", {
  skip_if_not_installed("recipes")
  recipe <- recipes::recipe(y ~ number + level, data)
  expect_varied(cawi_rvfl(recipe, data, hidden = 5, seed = 1), NULL, c("number", "level"))
  recipe <- recipes::step_normalize(recipe, number)
  fit <- cawi_rvfl(recipes::step_dummy(recipe, level), data, hidden = 5, seed = 1)
  expect_error(cawi_importance(fit), class = "cawi_error_new_data")
  expect_varied(fit, data, c("number", "level"))
})

test_that("levels are places, and rows with missing values are left out", {
  fit <- cawi_rvfl(y ~ ., data, hidden = 5, seed = 1, na_action = "omit")
  varied <- varied_rows(fit, NULL, NULL)
  expect_identical(varied$features$level$labels[varied$features$level$values],
                   as.character(data$level))
  expect_identical(varied$features$step$labels[varied$features$step$values],
                   as.character(data$step))
  expect_identical(varied$features$flag$values == 2L, data$flag)
  holes <- data
  holes$number[1:5] <- NA
  expect_identical(nrow(varied_rows(fit, holes, NULL)$x), 25L)
  holes$number <- NA_real_
  expect_error(varied_rows(fit, holes, NULL), class = "cawi_error_new_data")
})

test_that("many rows are sampled", {
  rows <- list(x = matrix(0, 100, 1), targets = NULL)
  expect_length(varied_sample(rows, 30)$kept, 30L)
  expect_identical(varied_sample(rows, 200), list(kept = 1:100, weight = rep(1, 100)))
})

test_that("an automatic model of one member has the features of that member", {
  number <- as.matrix(data["number"])
  member <- cawi_rvfl(number, data$y, hidden = 4, seed = 1)
  auto <- structure(list(members = list(member)), class = "cawi_auto")
  expect_identical(data_source(auto), member)
  expect_identical(data_source(member), member)
})
