test_that("features of incomplete rows are missing: no number is made of a hole", {
  x <- small_x()
  x[3, 2] <- NA
  for (activation in names(plain_activations)) {
    fit <- cawi_drvfl(x, small_y("regression"), hidden = c(4, 3), activation = activation,
                      na_action = "omit", seed = 1)
    a <- cawi_features(fit, x)
    expect_true(all(is.na(a[3, grepl("^h[0-9]", colnames(a))])))
    expect_true(all(is.finite(a[-3, ])))
  }
})
