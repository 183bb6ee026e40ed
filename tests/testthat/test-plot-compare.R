comparison <- function(shift) {
  base <- lehmer(20, 7) / 2147483647
  cawi_compare(cbind(old = base, new = base + shift + lehmer(20, 9) / 2147483647 / 10, newer = base - shift))
}

# The text of a picture, as the file has it.
drawn <- function(code) {
  file <- tempfile(fileext = ".pdf")
  on.exit(unlink(file))
  grDevices::pdf(file, compress = FALSE, useKerning = FALSE)
  force(code)
  grDevices::dev.off()
  readLines(file, warn = FALSE)
}

test_that("methods and, where there are several, comparisons are named", {
  first <- comparison(0.1)
  alone <- drawn(expect_identical(plot(first), first))
  both <- drawn(plot(first, other = comparison(0.3), name = "one"))
  shows <- function(text, lines) any(grepl(paste0("(", text), lines, fixed = TRUE, useBytes = TRUE))
  for (method in c("new)", "newer)", "Gain over old)")) expect_true(shows(method, alone) && shows(method, both))
  for (name in c("one  )", "other  )")) {
    expect_true(shows(name, both))
    expect_false(shows(name, alone))
  }
})

test_that("plots of comparisons leave the device as it was", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  before <- graphics::par("mai", "las", "xpd")
  plot(comparison(0.1))
  expect_identical(graphics::par("mai", "las", "xpd"), before)
})

test_that("further arguments must be named comparisons", {
  expect_error(plot(comparison(0.1), comparison(0.2)), class = "cawi_error_dots")
  expect_error(plot(comparison(0.1), other = 1), class = "cawi_error_dots")
})
