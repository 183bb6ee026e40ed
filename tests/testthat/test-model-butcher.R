test_that("butcher() is cawi_trim(), part by part", {
  skip_if_not_installed("butcher")
  fits <- list(
    cawi_rvfl(Species ~ ., iris, hidden = 9, init = "gaussian", seed = 1),
    cawi_tune(Species ~ ., iris, grid = cawi_grid(hidden = 3:4), resampling = 3, seed = 1),
    cawi_auto(iris[1:4], iris$Species, budget = 0.5, hidden = 9, draws = 1, seed = 1)
  )
  for (fit in fits) {
    expect_identical(butcher::butcher(fit), cawi_trim(fit))
    expect_identical(butcher::axe_call(fit), butcher::axe_ctrl(fit))
    for (axe in list(butcher::axe_call, butcher::axe_ctrl, butcher::axe_data, butcher::axe_env,
                     butcher::axe_fitted)) {
      part <- axe(fit)
      expect_identical(predict(part, iris, type = "prob"), predict(fit, iris, type = "prob"))
      expect_output(print(part))
    }
  }
  fit <- fits[[1]]
  expect_null(butcher::axe_data(fit)$data)
  expect_error(fitted(butcher::axe_data(fit)), "trimmed", class = "cawi_error_object")
  # Each leaves what the others take.
  expect_identical(fitted(butcher::axe_env(fit)), fitted(fit))
  expect_identical(fitted(butcher::axe_fitted(fit)), fitted(fit))
  expect_no_error(update(butcher::axe_fitted(fit), new_x = iris[1:3, ],
                         new_y = iris$Species[1:3]))
  saved <- utils::object.size(fit) - utils::object.size(butcher::axe_data(fit))
  expect_message(butcher::axe_data(fit, verbose = TRUE),
                 paste0("Memory released: ", bytes_text(as.numeric(saved))), fixed = TRUE)
})

test_that("the methods refuse what is no model", {
  damaged <- cawi_rvfl(Species ~ ., iris, hidden = 5, seed = 1)
  damaged$network <- NULL
  expect_error(axe_data.cawi_model(damaged), class = "cawi_error_x")
})

test_that("an edited choice of a tuning is damage where it is trimmed", {
  skip_if_not_installed("butcher")
  tuned <- cawi_tune(iris[, 1:2], iris$Species, model = "elm", seed = 1,
                     grid = cawi_grid(hidden = 3, spread = c(1, 2)))
  tuned$best <- "auto"
  expect_error(butcher::axe_env(tuned), class = "cawi_error_x")
  expect_error(cawi_trim(tuned), class = "cawi_error_fit")
})
