frame <- mixed_frame()[c("north", "east", "group", "number")]
collected <- function(source) {
  seen <- new.env()
  seen$all <- list()
  for (shard in source$shards) {
    each_chunk(shard, source$chunk, function(chunk) seen$all <- c(seen$all, list(chunk)))
  }
  seen$all
}
sizes <- function(chunks) vapply(chunks, nrow, 0L)
joined <- function(chunks) {
  whole <- as.data.frame(do.call(rbind, chunks))
  rownames(whole) <- NULL
  whole
}

test_that("data frames are cut, and never joined", {
  chunks <- collected(cawi_source(list(frame[1:25, ], frame[26:90, ]), chunk = 30))
  expect_identical(sizes(chunks), c(25L, 30L, 30L, 5L))
  expect_identical(joined(chunks), frame)
})

test_that("a function gives chunks until NULL, and starts again", {
  source <- cawi_source(chunks_of(list(frame[1:3, ], frame[4:90, ])))
  expect_identical(sizes(collected(source)), c(3L, 87L))
  expect_identical(joined(collected(source)), frame)
  whole <- cawi_elm(number ~ ., frame, hidden = 4, lambda = 1, seed = 1)
  fit <- cawi_elm(number ~ ., source, hidden = 4, lambda = 1, seed = 1)
  expect_equal(predict(fit, frame), predict(whole, frame), tolerance = 1e-10)
})

test_that("files are read in chunks, plain or compressed, one or many", {
  skip_if_not_installed("readr")
  files <- file.path(tempfile("csv"), c("a.csv", "b.csv.gz"))
  dir.create(dirname(files[1]))
  utils::write.csv(frame[1:50, ], files[1], row.names = FALSE)
  con <- gzfile(files[2], "wt")
  utils::write.csv(frame[51:90, ], con, row.names = FALSE)
  close(con)
  chunks <- collected(cawi_source(files, chunk = 30))
  expect_identical(sizes(chunks), c(30L, 20L, 30L, 10L))
  expect_equal(joined(chunks), frame, ignore_attr = TRUE)
  whole <- cawi_elm(number ~ ., frame, hidden = 4, lambda = 1, seed = 1)
  fit <- cawi_elm(number ~ ., cawi_source(files, chunk = 30), hidden = 4, lambda = 1, seed = 1)
  expect_equal(predict(fit, frame), predict(whole, frame), tolerance = 1e-10)
})

test_that("a file whose types change is an error with column and row", {
  skip_if_not_installed("readr")
  file <- tempfile(fileext = ".csv")
  writeLines(c("a,b", rep("1,2", 1500), "x,3"), file)
  expect_error(cawi_elm(b ~ a, cawi_source(file, chunk = 1000), hidden = 3),
               "Chunk 2.*found 'x'", class = "cawi_error_source")
  writeLines(c("a,b", "1,2", "2,1,5"), file)
  expect_error(suppressWarnings(cawi_elm(b ~ a, cawi_source(file), hidden = 3)),
               class = "cawi_error_source")
  # What the user says of the columns holds.
  writeLines(c("a,b", rep("1,2", 1500), "x,3"), file)
  chunks <- collected(cawi_source(file, col_types = "cd"))
  expect_identical(chunks[[1]]$a[1501], "x")
})

test_that("queries are fetched in chunks", {
  with_sqlite(list(rows = frame), function(con) {
    source <- cawi_source(con, "rows", chunk = 40)
    expect_identical(sizes(collected(source)), c(40L, 40L, 10L))
    fit <- cawi_elm(number ~ ., source, hidden = 4, lambda = 1, seed = 1)
    whole <- cawi_elm(number ~ ., frame, hidden = 4, lambda = 1, seed = 1)
    expect_equal(predict(fit, frame), predict(whole, frame), tolerance = 1e-10)
    part <- cawi_source(con, "SELECT north, number FROM rows WHERE \"group\" = 'a'", chunk = 7)
    expect_identical(sum(sizes(collected(part))), sum(frame$group == "a"))
    # Exactly as many rows as chunks hold.
    expect_identical(sizes(collected(cawi_source(con, "rows", chunk = 45))), c(45L, 45L))
  })
})

test_that("a failing query, an empty result, NULLs and a closed connection are told", {
  holes <- frame
  holes$east[30] <- NA
  with_sqlite(list(rows = frame, holes = holes), function(con) {
    fit <- function(...) cawi_elm(number ~ ., cawi_source(con, ..., chunk = 20), hidden = 3)
    expect_error(fit("SELECT nothing FROM rows"), "Chunk 1 \\(query\\) cannot be read",
                 class = "cawi_error_source")
    expect_error(fit("no_such_table"), class = "cawi_error_source")
    expect_error(fit("SELECT * FROM rows WHERE 0"), "no rows", class = "cawi_error_source")
    expect_error(fit("holes"), "Chunk 2 \\(table `holes`\\).*east", class = "cawi_error_source")
    # The connection is still good.
    expect_s3_class(fit("rows"), "cawi_elm")
    source <- cawi_source(con, "rows")
    other <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
    closed <- cawi_source(other, "rows")
    DBI::dbDisconnect(other)
    expect_error(cawi_elm(number ~ ., closed), "connection is closed", class = "cawi_error_source")
  })
})

test_that("text that SQLite would read as zero is refused", {
  with_sqlite(list(), function(con) {
    DBI::dbExecute(con, "CREATE TABLE mixed (a, y REAL)")
    DBI::dbExecute(con, "INSERT INTO mixed VALUES (1, 1.5), (2, 2.5), ('none', 1)")
    expect_error(cawi_elm(y ~ a, cawi_source(con, "mixed"), hidden = 3), "mixed type",
                 class = "cawi_error_source")
  })
})

test_that("what a shard opens it closes", {
  skip_if_not_installed("RSQLite")
  file <- tempfile(fileext = ".sqlite")
  con <- DBI::dbConnect(RSQLite::SQLite(), file)
  DBI::dbWriteTable(con, "rows", frame)
  DBI::dbDisconnect(con)
  opened <- new.env()
  opened$all <- list()
  open <- function() {
    con <- DBI::dbConnect(RSQLite::SQLite(), file)
    opened$all <- c(opened$all, con)
    cawi_source(con, "rows")
  }
  fit <- cawi_elm(number ~ ., cawi_source(open, chunk = 40), hidden = 4, lambda = 1, seed = 1)
  expect_identical(fit$nobs, 90)
  expect_length(opened$all, 2)
  expect_false(any(vapply(opened$all, DBI::dbIsValid, NA)))
  # A data frame can be opened, too.
  expect_identical(sizes(collected(cawi_source(function() frame, chunk = 50))), c(50L, 40L))
})
