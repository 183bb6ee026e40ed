x <- small_x()
y <- small_y("regression", x)
fit <- cawi_rvfl(x, y, hidden = 5, lambda = 0.3, seed = 1)

test_that("training rows are predicted by the model without them, by refits", {
  a <- cawi_features(fit, x)
  penalty <- diag(c(rep(0.3, ncol(a) - 1), 0))
  without <- lapply(1:40, function(i) {
    solve(crossprod(a[-i, ]) + penalty, crossprod(a[-i, ], y[-i]))
  })
  errors <- function(x) {
    new <- cawi_features(fit, x)
    vapply(1:40, function(i) (y[i] - sum(new[i, ] * without[[i]]))^2, 0)
  }
  gain <- vapply(1:4, function(j) {
    after <- lapply(1:3, function(k) {
      shuffled <- x
      shuffled[, j] <- x[permutation_cpp(child_seed_cpp(9, 1000 * j + k), 40), j]
      errors(shuffled)
    })
    mean(Reduce(`+`, after) / 3 - errors(x)) / mean((y - mean(y))^2)
  }, 0)
  found <- cawi_importance(fit, method = "permutation", repeats = 3, seed = 9)
  expect_equal(found$importance[match(colnames(x), found$feature)], gain, tolerance = 1e-6)
  expect_identical(attr(found, "method"), "permutation")
})

test_that("seeds govern the shuffles, and R's generator gives one", {
  first <- cawi_importance(fit, method = "permutation", seed = 1)
  expect_identical(cawi_importance(fit, method = "permutation", seed = 1), first)
  set.seed(1)
  one <- cawi_importance(fit, method = "permutation")
  set.seed(1)
  expect_identical(cawi_importance(fit, method = "permutation"), one)
})

test_that("fresh rows are judged by the model as it is", {
  data <- data.frame(x, y = y)
  by_formula <- cawi_rvfl(y ~ ., data, hidden = 5, lambda = 0.3, seed = 1)
  found <- cawi_importance(by_formula, data, method = "permutation", repeats = 1, seed = 2)
  first <- x
  first[, 1] <- x[permutation_cpp(child_seed_cpp(2, 1001), 40), 1]
  gain <- mean((y - predict(by_formula, data.frame(first)))^2) - mean((y - predict(fit, x))^2)
  expect_equal(found$importance[found$feature == "north"], gain / mean((y - mean(y))^2),
               tolerance = 1e-6)
  expect_equal(cawi_importance(fit, x, y, method = "permutation", repeats = 1, seed = 2)$importance,
               found$importance)
})

test_that("classes have the log-loss of their probabilities", {
  classes <- small_y("classification", x)
  model <- cawi_rvfl(x, classes, hidden = 5, seed = 1)
  prob <- predict(model, x, type = "prob")
  losses <- prediction_losses(model, part_scores(model, x, 1L), model$data$targets)
  expect_equal(losses, -log(prob[cbind(1:40, as.integer(classes))]))
})

classes <- cawi_rvfl(x, small_y("classification", x), hidden = 5, seed = 1)
test_argument_errors(alist(
  y = cawi_importance(fit, x, method = "permutation"),
  y = cawi_importance(fit, y = y, method = "permutation"),
  y = cawi_importance(fit, x, y[1:3], method = "permutation"),
  y = cawi_importance(classes, x, rep("none", 40), method = "permutation")
))

test_that("a response of another kind than the model's is refused", {
  x <- as.matrix(iris[1:60, 1:3])
  answers <- list(number = iris$Petal.Width[1:60], classes = factor(iris$Species[21:80]),
                  outputs = cbind(a = iris$Petal.Width[1:60], b = iris$Petal.Length[1:60]))
  for (own in names(answers)) {
    fit <- cawi_elm(x, answers[[own]], hidden = 3, seed = 1)
    for (given in names(answers)) {
      importance <- quote(cawi_importance(fit, x, answers[[given]], "permutation", repeats = 1))
      if (given == own) {
        expect_s3_class(eval(importance), "cawi_importance")
      } else {
        expect_error(eval(importance), class = "cawi_error_y")
      }
    }
  }
  fit <- cawi_elm(x, answers$classes, hidden = 3, seed = 1)
  expect_error(cawi_importance(fit, x, rep("other", 60), "permutation"), class = "cawi_error_y")
})
