frame <- mixed_frame()
fit <- cawi_rvfl(class ~ north + east + group, frame, hidden = 6, seed = 1)
numbers <- cawi_rvfl(cbind(number, second) ~ north + east, frame, hidden = 6, seed = 1)
source <- cawi_source(frame, chunk = 13)

test_that("predictions of a source are those of its rows, in order", {
  for (type in c("class", "prob", "score")) {
    expect_equal(predict(fit, source, type = type), predict(fit, frame, type = type))
  }
  expect_equal(predict(numbers, source), predict(numbers, frame))
  one <- cawi_rvfl(number ~ north, frame, hidden = 3, seed = 1)
  expect_equal(predict(one, source), predict(one, frame))
  shards <- cawi_source(list(cawi_source(frame[1:30, ]), cawi_source(frame[31:90, ])), chunk = 7)
  expect_equal(predict(one, shards), predict(one, frame))
  tuned <- cawi_tune(number ~ north, frame, grid = cawi_grid(hidden = 3), seed = 1)
  expect_equal(predict(tuned, source), predict(tuned, frame))
  auto <- cawi_auto(number ~ north, frame, budget = 1, hidden = 5, seed = 1)
  expect_equal(predict(auto, source), predict(auto, frame))
})

test_that("predictions go to a file, whole or not at all", {
  folder <- tempfile("out")
  dir.create(folder)
  for (name in c("a.csv", "a.csv.gz")) {
    file <- file.path(folder, name)
    expect_identical(predict(fit, source, type = "prob", to = file), 90)
    expect_equal(as.matrix(utils::read.csv(file, check.names = FALSE)),
                 predict(fit, frame, type = "prob"), ignore_attr = TRUE)
  }
  predict(fit, source, to = file.path(folder, "b.csv"))
  expect_identical(utils::read.csv(file.path(folder, "b.csv"))$.pred_class,
                   as.character(predict(fit, frame)))
  predict(numbers, source, to = file.path(folder, "c.csv"))
  expect_named(utils::read.csv(file.path(folder, "c.csv")), c(".pred_number", ".pred_second"))
  bad <- cawi_source(list(frame, frame["north"]))
  before <- list.files(folder)
  expect_error(predict(fit, bad, to = file.path(folder, "d.csv")), "Chunk 2",
               class = "cawi_error_source")
  expect_identical(list.files(folder), before)
  expect_error(predict(fit, source, to = folder), class = "cawi_error_to")
  expect_error(predict(fit, source, to = file.path(folder, "no", "e.csv")), class = "cawi_error_to")
  expect_error(predict(fit, source, to = 3), class = "cawi_error_to")
  expect_error(predict(fit, frame, to = "x.csv"), class = "cawi_error_to")
})

test_that("what is asked for is looked at before a row is read", {
  unread <- cawi_source(function(reset) stop("it was read"))
  expect_error(predict(fit, unread, type = "numeric"), class = "cawi_error_type")
  expect_error(predict(numbers, unread, type = "interval", level = 2), class = "cawi_error_level")
  file <- tempfile(fileext = ".csv")
  expect_error(predict(fit, cawi_source(frame[0, ]), to = file), class = "cawi_error_source")
  expect_false(file.exists(file))
})

test_that("predictions go to a new table", {
  with_sqlite(list(rows = frame["north"]), function(con) {
    expect_identical(predict(numbers, source, to = list(con, "out")), 90)
    expect_equal(as.matrix(DBI::dbReadTable(con, "out")), predict(numbers, frame),
                 ignore_attr = TRUE)
    expect_error(predict(numbers, source, to = list(con, "out")), class = "cawi_error_to")
    from <- cawi_source(con, "rows")
    expect_error(predict(numbers, from, to = list(con, "more")), "of its own",
                 class = "cawi_error_to")
    expect_error(predict(numbers, source, to = list(con, 3)), class = "cawi_error_to")
    bad <- cawi_source(list(frame, frame["north"]))
    expect_error(predict(numbers, bad, to = list(con, "half")), class = "cawi_error_source")
    expect_false(DBI::dbExistsTable(con, "half"))
  })
})
