set.seed(7)
data <- data.frame(
  a = runif(200), b = rnorm(200), f = factor(sample(c("u", "v", "w"), 200, TRUE)),
  o = factor(sample(1:3, 200, TRUE), ordered = TRUE)
)
data$y <- 3 * data$a - data$b + c(u = 0, v = 1, w = -1)[as.character(data$f)] + as.integer(data$o)
# Weights near zero leave a straight line.
fit <- cawi_rvfl(y ~ ., data, hidden = 1, lambda = 1e-6, scale = 1e-6, seed = 1)

test_that("effects of a straight line are its slope", {
  for (method in c("ale", "pdp")) {
    found <- cawi_effects(fit, c("a", "b", "f", "o"), method = method)
    slope <- function(name) {
      part <- found[found$feature == name, ]
      unique(round(diff(part$effect) / diff(part$value), 3))
    }
    expect_equal(slope("a"), 3)
    expect_equal(slope("b"), -1)
    level <- found[found$feature == "f", ]
    expect_equal(diff(level$effect[match(c("w", "u", "v"), level$level)]), c(1, 1),
                 tolerance = 1e-3)
    step <- found[found$feature == "o", ]
    expect_identical(step$level, c("1", "2", "3"))
    expect_equal(diff(step$effect), c(1, 1), tolerance = 1e-3)
  }
})

test_that("accumulated effects are centered over rows, partial dependence is a mean prediction", {
  found <- cawi_effects(fit, "a", points = 10)
  expect_identical(nrow(found), 10L)
  at <- stats::approx(found$value, found$effect, data$a)$y
  expect_equal(mean(at), 0, tolerance = 1e-8)
  expect_equal(range(found$value), range(data$a))
  found <- cawi_effects(fit, "a", points = 5, method = "pdp")
  by_hand <- vapply(found$value, function(v) mean(predict(fit, replace(data, "a", v))), 0)
  expect_equal(found$effect, by_hand)
  found <- cawi_effects(fit, "f", method = "pdp")
  by_hand <- vapply(found$level, function(v) {
    mean(predict(fit, replace(data, "f", factor(v, levels(data$f)))))
  }, 0)
  expect_equal(found$effect, unname(by_hand))
})

test_that("local effects by hand", {
  # Four rows, three values; f(x) = x^2 is not what a model says, so the prediction is given.
  varied <- with_encoded(list(x = cbind(c(0, 1, 1, 3))), list(list(name = "z", columns = 1L)))
  varied$sample <- varied_sample(varied, 10)
  found <- local_effects(varied$features[[1]], varied, 10, function(x) x^2)
  # Steps 0 to 1 and 1 to 3 change it by 1 and 8; the mean over rows of 0, 1, 1, 9 is 11 / 4.
  expect_identical(found$value, c(0, 1, 3))
  expect_equal(found$effect[, 1], c(0, 1, 9) - 11 / 4)
  expect_identical(feature_points(c(1, 2, 2, 5), 10), c(1, 2, 5))
})

test_that("accumulated effects leave out what another feature does", {
  set.seed(8)
  z <- rnorm(500)
  two <- cbind(a = z + rnorm(500) / 10, b = z)
  varied <- with_encoded(list(x = two), separate_features(list(kind = "matrix", columns = 2L,
                                                              names = c("a", "b"))))
  varied$sample <- varied_sample(varied, 500)
  found <- local_effects(varied$features$a, varied, 20, function(x) cbind(x[, 1] + 2 * x[, 2]))
  expect_equal(unique(round(diff(found$effect[, 1]) / diff(found$value), 6)), 1)
})

test_that("classes have an effect on each probability, and these sum to nothing or one", {
  model <- cawi_rvfl(Species ~ ., iris, hidden = 20, seed = 1)
  local <- cawi_effects(model, "Petal.Length")
  expect_setequal(local$output, levels(iris$Species))
  expect_equal(as.vector(rowsum(local$effect, local$value)), rep(0, nrow(local) / 3))
  partial <- cawi_effects(model, "Petal.Length", method = "pdp")
  expect_equal(as.vector(rowsum(partial$effect, partial$value)), rep(1, nrow(partial) / 3))
})

test_that("the most important features are the default, for tuned and automatic models too", {
  grid <- cawi_grid(hidden = 5, lambda = 1)
  tuned <- cawi_tune(y ~ ., data, grid = grid, seed = 1)
  expect_length(unique(cawi_effects(tuned)$feature), 4L)
  auto <- cawi_auto(mpg ~ ., mtcars, hidden = 20, budget = 1, seed = 1)
  expect_identical(unique(cawi_effects(auto)$feature), head(cawi_importance(auto)$feature, 4))
})

test_that("data of the caller, joined columns, offsets and single values", {
  joined <- cawi_rvfl(y ~ a * b + f, data, hidden = 5, seed = 1)
  expect_error(cawi_effects(joined, "a"), class = "cawi_error_new_data")
  found <- cawi_effects(joined, c("a", "f"), data, method = "pdp")
  by_hand <- mean(predict(joined, replace(data, "a", found$value[1])))
  expect_equal(found$effect[1], by_hand)
  shifted <- cawi_rvfl(y ~ a + f + offset(10 * b), data, hidden = 5, seed = 1)
  value <- cawi_effects(shifted, "a", method = "pdp")
  expect_equal(value$effect[1], mean(predict(shifted, replace(data, "a", value$value[1]))))
  one <- cawi_effects(fit, "f", data[data$f == "u", ])
  expect_identical(one$effect, 0)
})

test_argument_errors(alist(
  fit = cawi_effects(), fit = cawi_effects(1), features = cawi_effects(fit, "none"),
  features = cawi_effects(fit, 1), method = cawi_effects(fit, method = "shap"),
  points = cawi_effects(fit, "a", points = 1), rows = cawi_effects(fit, "a", rows = "all")
))

test_that("three levels are put in a line by their other features", {
  data <- data.frame(f = factor(rep(c("a", "b", "c"), 10)), x = rep(c(0, 2, 1), 10) + 1:30 / 100)
  data$y <- data$x^2
  fit <- cawi_rvfl(y ~ f + x, data, hidden = 5, seed = 1)
  order <- unique(cawi_effects(fit, "f", method = "ale")$level)
  expect_identical(order[2], "c")
})
