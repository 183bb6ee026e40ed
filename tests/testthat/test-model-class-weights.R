set.seed(2)
x <- matrix(rnorm(400), 200)
y <- factor(ifelse(x[, 1] + rnorm(200) > 1.5, "yes", "no"))

test_that("class weights are case weights", {
  weight <- ifelse(y == "yes", 4, 1)
  own <- runif(200) + 0.5
  fit <- cawi_rvfl(x, y, hidden = 10, class_weights = c(yes = 4), seed = 1)
  expect_equal(coef(fit), coef(cawi_rvfl(x, y, hidden = 10, case_weights = weight, seed = 1)))
  fit <- cawi_rvfl(x, y, hidden = 10, class_weights = c(no = 1, yes = 4), case_weights = own,
                   seed = 1)
  by_hand <- cawi_rvfl(x, y, hidden = 10, case_weights = weight * own, seed = 1)
  expect_equal(coef(fit), coef(by_hand))
  expect_equal(predict(fit, x, type = "prob"), predict(by_hand, x, type = "prob"))
})

test_that("balanced ones give each class the same weight", {
  targets <- class_targets(factor(rep(c("a", "b", "c"), c(6, 3, 1))), NULL, NULL)
  # Ten rows, three classes.
  expect_equal(resolve_class_weights("balanced", targets, NULL),
               c(a = 10 / 18, b = 10 / 9, c = 10 / 3))
  weighed <- weigh_classes(targets, resolve_class_weights("balanced", targets, NULL))
  expect_equal(as.vector(rowsum(weighed$case_weights, targets$classes)), rep(10 / 3, 3))
  fit <- cawi_rvfl(x, y, hidden = 10, class_weights = "balanced", seed = 1)
  expect_equal(fit$spec$class_weights, c(no = 100 / sum(y == "no"), yes = 100 / sum(y == "yes")))
  plain <- cawi_rvfl(x, y, hidden = 10, seed = 1)
  expect_gt(sum(predict(fit, x) == "yes"), sum(predict(plain, x) == "yes"))
  expect_output(print(fit), "class weights: no 0.[0-9]+, yes ")
  expect_null(plain$spec$class_weights)
})

test_that("tuned and automatic models know them", {
  grid <- cawi_grid(hidden = c(5, 10), lambda = c(0.1, 1))
  weight <- ifelse(y == "yes", 4, 1)
  for (resampling in list("loo", 3)) {
    tuned <- cawi_tune(x, y, grid = grid, class_weights = c(yes = 4), resampling = resampling,
                       seed = 1)
    by_hand <- cawi_tune(x, y, grid = grid, case_weights = weight, resampling = resampling,
                         seed = 1)
    expect_equal(tuned$results, by_hand$results)
    expect_equal(coef(tuned), coef(by_hand))
  }
  auto <- cawi_auto(x, y, class_weights = c(yes = 4), hidden = 20, budget = 1, seed = 1)
  same <- cawi_auto(x, y, case_weights = weight, hidden = 20, budget = 1, seed = 1)
  expect_equal(predict(auto, x, type = "score"), predict(same, x, type = "score"))
})

test_that("new rows are weighed as the others", {
  first <- cawi_rvfl(x[1:150, ], y[1:150], hidden = 10, lambda = 1, class_weights = c(yes = 4),
                     seed = 1)
  by_hand <- cawi_rvfl(x[1:150, ], y[1:150], hidden = 10, lambda = 1, seed = 1,
                       case_weights = ifelse(y == "yes", 4, 1)[1:150])
  grown <- update(first, new_x = x[151:200, ], new_y = y[151:200])
  expect_equal(coef(grown), coef(update(by_hand, new_x = x[151:200, ], new_y = y[151:200],
                                        case_weights = ifelse(y == "yes", 4, 1)[151:200])))
})

test_argument_errors(alist(
  class_weights = cawi_rvfl(x, y, class_weights = "equal"),
  class_weights = cawi_rvfl(x, y, class_weights = c(1, 2)),
  class_weights = cawi_rvfl(x, y, class_weights = c(no = 1, yes = -1)),
  class_weights = cawi_rvfl(x, y, class_weights = c(no = 1, maybe = 2)),
  class_weights = cawi_rvfl(x, x[, 1], class_weights = "balanced"),
  class_weights = cawi_auto(x, y, class_weights = c(maybe = 2)),
  class_weights = cawi_tune(x, y, class_weights = TRUE)
))
