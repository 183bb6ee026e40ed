test_that("intervals of cut() reach a thousandth beyond the data, as in base R", {
  expect_equal(equal_breaks(c(0, 4, 10), 2), c(-0.01, 5, 10.01))
  expect_equal(equal_breaks(c(-3, 1), 4), c(-3.004, -2, -1, 0, 1.004))
  expect_equal(equal_breaks(c(5, 5), 2), c(4.995, 5, 5.005))
  for (x in list(mtcars$wt, mtcars$disp, -mtcars$qsec)) for (count in 2:5) {
    expect_identical(cut(x, equal_breaks(x, count)), cut(x, count))
  }
})

test_that("values beyond the intervals of cut() are missing, as they are for the call in print()", {
  data <- data.frame(x = c(0:9, 10), y = sin(0:10))
  fit <- cawi_rvfl(y ~ cut(x, 2), data, hidden = 3, seed = 1, na_action = "omit")
  found <- predict(fit, data.frame(x = c(-0.009, 0, 10, 10.009, 10.02, -0.02, 900)))
  expect_equal(found[1:4], predict(fit, data.frame(x = c(1, 1, 9, 9))))
  expect_true(all(is.na(found[5:7])))
})

test_that("rows that are looked at are some of them, in another order, with gaps, and alone", {
  for (rows in c(1, 2, 3, 10, 499, 500, 501, 2000)) {
    parts <- row_parts(rows)
    for (part in parts) {
      expect_true(all(part %in% seq_len(rows)) && length(part) > 0 && !anyDuplicated(part))
    }
    expect_true(rows < 3 || is.unsorted(parts[[1]]))
    expect_true(rows < 3 || any(diff(sort(parts[[1]])) > 1))
    expect_true(list(rows) %in% parts && list(1L) %in% parts)
  }
})
