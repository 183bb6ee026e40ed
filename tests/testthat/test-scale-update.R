frame <- mixed_frame()

for (model in model_names) {
  test_that(paste("a source is learned and forgotten by", model, "like its rows"), {
    fit <- fit_formula(model, mixed_formulas$classification, frame[1:50, ], lambda = 0.3, seed = 5)
    rest <- cawi_source(frame[51:90, ], chunk = 7)
    learned <- update(fit, new_x = rest)
    expect_equal(raw_scores(learned, frame), raw_scores(update(fit, new_x = frame[51:90, ]), frame),
                 tolerance = 1e-9)
    expect_identical(learned$nobs, 90)
    forgotten <- update(learned, forget_x = rest)
    expect_equal(raw_scores(forgotten, frame), raw_scores(fit, frame), tolerance = 1e-7)
  })
}

test_that("new classes, case weights and named responses", {
  two <- droplevels(frame[frame$class != "mid", ])
  fit <- cawi_rvfl(class ~ north + east, two, hidden = 6, seed = 1, lambda = 0.1)
  source <- cawi_source(frame, chunk = 20)
  expect_error(update(fit, new_x = source), class = "cawi_error_source")
  wider <- update(fit, new_x = source, new_classes = TRUE)
  expect_equal(raw_scores(wider, frame),
               raw_scores(update(fit, new_x = frame, new_classes = TRUE), frame),
               tolerance = 1e-9)
  weighted <- update(fit, new_x = cawi_source(two, chunk = 9), case_weights = times)
  expect_equal(raw_scores(weighted, frame),
               raw_scores(update(fit, new_x = two, case_weights = two$times), frame),
               tolerance = 1e-9)
  plain <- cawi_rvfl(frame[c("north", "east")], frame$number, hidden = 4, seed = 1, lambda = 1)
  more <- update(plain, new_x = cawi_source(frame[c("north", "east", "number")]), new_y = "number")
  expect_equal(predict(more, frame),
               predict(update(plain, new_x = frame[c("north", "east")], new_y = frame$number),
                       frame), tolerance = 1e-9)
  expect_error(update(plain, new_x = source), class = "cawi_error_y")
  expect_error(update(fit, forget_x = source), class = "cawi_error")
})
