few <- cawi_grid(hidden = 3, activation = "sigmoid", lambda = 10^(-1:1))
flowers <- list(x = as.matrix(iris[, 1:4]), y = iris$Species)
bench <- function(sets, record, ...) cawi_benchmark(sets, init = "iid", grid = few, record = record, ...)
without_times <- function(x) as.data.frame(x)[names(x) != "seconds"]

test_that("a record reads what was computed, under any name of a set", {
  names <- c("a,b", "a/b", "quote\"d", "NA", "two words", "line\nbreak", strrep("long", 80), "-1")
  sets <- stats::setNames(rep(list(flowers), length(names)), names)
  for (protocol in c("nested", "paper")) {
    record <- new_folder()
    first <- bench(sets, record, protocol = protocol)
    expect_identical(unique(first$set), names)
    again <- bench(sets, record, protocol = protocol)
    expect_identical(again, first)
    expect_equal(without_times(first), without_times(bench(sets, NULL, protocol = protocol)))
  }
})

test_that("another file of the same name is another unit", {
  folders <- c(new_folder(), new_folder())
  record <- new_folder()
  write <- function(folder, y) {
    utils::write.csv(data.frame(flowers$x, class = y), file.path(folder, "iris.csv"), row.names = FALSE)
  }
  write(folders[1], as.integer(flowers$y))
  write(folders[2], rep(1:3, 50))
  accuracy <- vapply(folders, function(folder) mean(bench("iris", record, dir = folder)$accuracy), 0)
  expect_gt(accuracy[[1]], 0.8)
  expect_lt(accuracy[[2]], 0.6)
  expect_length(list.files(record), 2)
})

test_that("settings that do not matter to a protocol do not run it again", {
  record <- new_folder()
  bench(list(a = flowers), record)
  bench(list(a = flowers), record, nested_above = 3, draws = 5)
  expect_length(list.files(record), 1)
  bench(list(a = flowers), record, folds = 4)
  expect_length(list.files(record), 2)
})

test_that("a damaged file of the record is named", {
  record <- new_folder()
  bench(list(a = flowers), record)
  file <- list.files(record, full.names = TRUE)
  whole <- readLines(file)
  for (damage in list(whole[1:3], whole[1], character(), "garbage", sub("iid", "t", whole), sub(",1,", ",x,", whole))) {
    writeLines(damage, file)
    error <- expect_error(bench(list(a = flowers), record), class = "cawi_error_record")
    expect_match(conditionMessage(error), basename(file), fixed = TRUE)
  }
  unlink(file)
  expect_identical(nrow(bench(list(a = flowers), record)), 5L)
})

test_that("a record that cannot be written to is refused at once", {
  file <- tempfile()
  writeLines("", file)
  on.exit(unlink(file))
  expect_error(bench(list(a = flowers), file), class = "cawi_error_record")
  expect_error(bench(list(a = flowers), NA), class = "cawi_error_record")
})
