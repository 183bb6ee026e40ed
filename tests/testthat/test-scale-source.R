frame <- mixed_frame()

test_that("a source says what it is", {
  expect_snapshot(print(cawi_source(frame)))
  shards <- rep(list(cawi_source(frame), function() cawi_source(frame)), 3)
  expect_snapshot(print(cawi_source(shards, chunk = 10, sample = 100, folds = 3, loo = TRUE)))
})

test_that("settings of a source can be changed", {
  source <- cawi_source(cawi_source(frame, chunk = 3), chunk = 7, folds = 9)
  expect_identical(source$chunk, 7)
  expect_identical(source$folds, 9)
  expect_identical(length(source$shards), 1L)
})

test_argument_errors(alist(
  x = cawi_source(),
  x = cawi_source(1:3),
  x = cawi_source(list(1, 2)),
  x = cawi_source(list()),
  x = cawi_source(character()),
  x = cawi_source(function(a, b) NULL),
  chunk = cawi_source(frame, chunk = 0),
  chunk = cawi_source(frame, chunk = 1.5),
  sample = cawi_source(frame, sample = 1),
  folds = cawi_source(frame, folds = 1),
  loo = cawi_source(frame, loo = NA)
))

test_that("arguments without use are refused", {
  expect_error(cawi_source(frame, "table"), class = "cawi_error_dots")
  expect_error(cawi_source(list(cawi_source(frame)), "table"), class = "cawi_error_dots")
})

test_that("files must be there", {
  skip_if_not_installed("readr")
  expect_error(cawi_source("nowhere.csv"), "nowhere.csv", class = "cawi_error_x")
  expect_error(cawi_source(tempdir()), class = "cawi_error_x")
  file <- tempfile(fileext = ".csv")
  writeLines("a,b", file)
  expect_error(cawi_source(file, chunk_size = 3), class = "cawi_error_dots")
  expect_error(cawi_source(file, 3), class = "cawi_error_dots")
})

test_that("a connection has one query or table, quoted", {
  with_sqlite(list(flowers = iris, `odd "name"` = iris), function(con) {
    query <- function(...) cawi_source(con, ...)$shards[[1]]$query
    expect_identical(query("flowers"), "SELECT * FROM `flowers`")
    expect_identical(query("odd \"name\""), "SELECT * FROM `odd \"name\"`")
    expect_identical(query("x; DROP TABLE flowers"), "SELECT * FROM `x; DROP TABLE flowers`")
    expect_identical(query("SELECT 1 AS a"), "SELECT 1 AS a")
    expect_identical(query("  with a as (select 1) select * from a"),
                     "  with a as (select 1) select * from a")
    expect_identical(query("-- all\n( SELECT 1 AS a )"), "-- all\n( SELECT 1 AS a )")
    expect_identical(query(table = "select x"), "SELECT * FROM `select x`")
    expect_identical(query(DBI::SQL("SELECT 1 AS a")), "SELECT 1 AS a")
    expect_error(query(DBI::SQL("flowers")), class = "cawi_error_dots")
    expect_identical(query(DBI::Id(table = "flowers")), "SELECT * FROM `flowers`")
    expect_error(cawi_source(con), class = "cawi_error_dots")
    expect_error(cawi_source(con, "a", "b"), class = "cawi_error_dots")
    expect_error(cawi_source(con, tabel = "a"), class = "cawi_error_dots")
    expect_error(cawi_source(con, 3), class = "cawi_error_dots")
  })
})

test_that("an edited source is refused before it is read", {
  source <- cawi_source(mixed_frame(30), chunk = 9)
  fit <- cawi_elm(number ~ north + east, source, hidden = 3, seed = 1)
  edits <- list(shards = list(), shards = list(1), shards = NULL, chunk = "a", chunk = c(1, 2),
                folds = NA, sample = 0, loo = NULL)
  odd <- structure("text", class = "cawi_source")
  expect_error(cawi_elm(number ~ north, odd, hidden = 3), class = "cawi_error_y")
  expect_error(cawi_statistics(fit, odd), class = "cawi_error_data")
  expect_error(update(fit, new_x = odd), class = "cawi_error_new_x")
  for (k in seq_along(edits)) {
    damaged <- unclass(source)
    damaged[names(edits)[k]] <- edits[k]
    class(damaged) <- "cawi_source"
    expect_error(print(damaged), class = "cawi_error_x")
    expect_error(cawi_source(damaged, chunk = 5), class = "cawi_error_x")
    expect_error(predict(fit, damaged), class = "cawi_error_new_data")
    expect_error(cawi_elm(number ~ north, damaged, hidden = 3), class = "cawi_error_y")
  }
})

test_that("a source with more folds or larger chunks than it may have is refused", {
  source <- cawi_source(mtcars, chunk = 10)
  for (part in c("folds", "chunk", "sample")) {
    edited <- source
    edited[[part]] <- 1e15
    expect_error(print(edited), class = "cawi_error_x")
    expect_error(cawi_elm(mpg ~ wt, edited, hidden = 2), class = "cawi_error")
  }
})

test_that("what does more than read is no query of a source", {
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, "cars", mtcars)
  for (wrong in c("drop table cars", "delete from cars", "", " ", "-- select\n drop table cars")) {
    expect_error(cawi_source(con, query = wrong), class = "cawi_error_dots")
  }
  expect_error(cawi_source(con, ""), class = "cawi_error_dots")
  expect_error(cawi_source(con, DBI::SQL("drop table cars")), class = "cawi_error_dots")
  expect_true(DBI::dbExistsTable(con, "cars"))
  expect_no_error(cawi_source(con, query = "/* all */ (select * from cars)"))
})

test_that("nothing of a source is asked what it is before it is known to be data", {
  on.exit(options(cawi.sprung = NULL))
  springs <- function(...) {
    options(cawi.sprung = TRUE)
    1L
  }
  for (generic in c("length", "is.na", "format", "as.character", "[[", "$")) {
    registerS3method(generic, "cawi_asked", springs, envir = baseenv())
  }
  trapped <- function() {
    place <- new.env()
    for (name in c("kind", "label", "frames", "shards", "chunk", "read")) {
      makeActiveBinding(name, springs, place)
    }
    place
  }
  place <- trapped()
  sound <- cawi_source(mtcars)
  edited <- function(part, value, shard = FALSE) {
    if (shard) sound$shards[[1]][[part]] <- value else sound[[part]] <- value
    sound
  }
  sources <- list(
    edited("shards", list(place)), edited("shards", place),
    structure(trapped(), class = "cawi_source"),
    edited("label", structure("a", class = "cawi_asked"), shard = TRUE),
    edited("kind", structure("frames", class = "cawi_asked"), shard = TRUE),
    edited("chunk", structure(5, class = "cawi_asked")), edited("loo", quote(springs())),
    edited("frames", place, shard = TRUE),
    edited("frames", list(structure(trapped(), class = "data.frame")), shard = TRUE),
    edited("frames", structure(list(mtcars), class = "cawi_asked"), shard = TRUE),
    structure(sound, class = c("cawi_source", "cawi_asked")), structure(sound, hidden = springs)
  )
  for (source in sources) {
    try(print(source), silent = TRUE)
    expect_error(cawi_elm(mpg ~ wt, source, hidden = 2), class = "cawi_error")
    try(cawi_source(source), silent = TRUE)
    expect_null(getOption("cawi.sprung"))
  }
  # Readers are functions, whose names are not looked up.
  environment(springs) <- place
  read <- cawi_source(function(reset) springs())
  expect_output(print(read), "function(reset)", fixed = TRUE)
  expect_null(getOption("cawi.sprung"))
})
