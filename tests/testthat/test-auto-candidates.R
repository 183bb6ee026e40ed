x <- small_x()

test_that("nodes that read one feature are not tried with copulas", {
  inits <- c("iid", "gaussian", "frank")
  search <- search_of(x, small_y("regression", x), inits = inits)
  tried <- function(search, inputs) {
    candidate <- list(model = "rvfl", activation = "sine", spread = 1, inputs = inputs,
                      init = "iid", bias = "uniform")
    unique(
      vapply(candidate_variants(search, candidate), function(variant) variant$init, character(1))
    )
  }
  expect_identical(tried(search, 1L), "iid")
  expect_setequal(tried(search, 2L), inits)
  expect_setequal(tried(search, NA), inits)
  alone <- search_of(x[, 1, drop = FALSE], small_y("regression", x), inits = inits)
  expect_identical(tried(alone, NA), "iid")
})
