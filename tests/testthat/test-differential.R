# A few problems of every routine that `make differential` compares with a slow one. The attacks are
# in the source tree alone.

attacks <- normalizePath(file.path("..", "attacks", "differential"), mustWork = FALSE)
skip_if_not(dir.exists(attacks), "the source tree")

tools <- new.env()
sys.source(file.path(attacks, "tools.R"), tools)
routines <- tools$read_rooms(attacks)$routines
# The others take long, or a compiler.
routines <- Filter(function(routine) routine$kind %in% c("plain", "fits"), routines)

test_that("numeric routines agree with slow ones on random problems", {
  for (name in names(routines)) {
    routine <- routines[[name]]
    errors <- vapply(seq_len(15), function(p) tools$one_error(routine, 20261118L, p), numeric(1))
    expect_lte(max(errors), routine$tolerance, label = paste("error of", name))
  }
})

test_that("a wrong routine is found", {
  wrong <- tools$routine("itself", 1e-12, "one", function() tools$gap(1 + 1e-9, 1))
  expect_gt(tools$one_error(wrong, 1L, 1L), wrong$tolerance)
  stops <- tools$routine("itself", 1e-12, "one", function() stop("no"))
  expect_identical(as.double(tools$one_error(stops, 1L, 1L)), Inf)
  expect_identical(tools$gap(c(1, NaN), c(1, 2)), Inf)
  expect_identical(tools$gap(1:2, 1), Inf)
})
