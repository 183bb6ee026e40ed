# What a fit at a penalty predicts: the weights do not depend on it.
refitted <- function(model, task, lambda, type, ...) {
  fit <- fit_named(model, small_x(), small_y(task), lambda = lambda, seed = 5, ...)
  predict(fit, small_x(9, 11), type)
}

penalties <- c(3, 1e-3, 0.5, 1e4)

test_that("one fit predicts what fits at other penalties do", {
  for (model in model_names) for (task in tasks) for (shape in list(narrow, wide)) {
    fit <- fit_named(model, small_x(), small_y(task), lambda = 1, seed = 5, shape = shape[[model]])
    types <- if (task == "classification") c("class", "prob", "score") else "numeric"
    for (type in types) {
      found <- predict_penalties(fit, small_x(9, 11), penalties, type)
      for (l in seq_along(penalties)) {
        wanted <- refitted(model, task, penalties[l], type, shape = shape[[model]])
        expect_equal(found[[l]], wanted, tolerance = 1e-6, label = paste(model, task, type, l))
      }
    }
  }
})
