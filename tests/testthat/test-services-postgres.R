# Rows of a real PostgreSQL server.
skip_without_service("CAWI_TEST_POSTGRES")

# For all tests; the end of the file closes it.
con <- postgres_connection()

# Columns of the kinds that a table has; the key gives the order.
rows <- local({
  set.seed(1)
  n <- 1200
  rows <- data.frame(id = seq_len(n), a = rnorm(n), b = rexp(n), whole = sample(9L, n, TRUE),
                     flag = rep_len(c(TRUE, FALSE, FALSE), n), group = rep_len(letters[1:4], n))
  rows$y <- sin(rows$a) + rows$b * (rows$group == "c") + rows$whole / 9 + rnorm(n)
  rows$class <- ifelse(rows$y > 1, "high", "low")
  rows
})
DBI::dbWriteTable(con, "observed", rows)
# The offset keeps the server from computing anything more before it sorts.
ordered <- "(SELECT * FROM observed ORDER BY id OFFSET 0) AS ordered"
features <- c("a", "b", "whole", "flag", "group")

fit_elm <- function(data, response = "y", ...) {
  cawi_elm(reformulate(features, response), data, hidden = 15, lambda = 0.5, seed = 1, ...)
}

test_that("RPostgres streams: rows that were not asked for are not in memory", {
  before <- peak_memory()
  # All of them would take 270 MB.
  result <- DBI::dbSendQuery(con, "SELECT i, i::float8 AS x FROM generate_series(1, 5000000) i")
  seen <- 0
  while (nrow(chunk <- DBI::dbFetch(result, n = 50000)) > 0) seen <- seen + sum(chunk$x)
  DBI::dbClearResult(result)
  expect_identical(seen, sum(as.double(1:5000000)))
  expect_lt(peak_memory() - before, 100)
})

test_that("a fit to a table or a query is the fit in memory with the same weights", {
  query <- "SELECT * FROM observed ORDER BY id"
  for (response in c("y", "class")) {
    here <- fit_elm(rows, response)
    for (what in list("observed", query, DBI::Id(schema = "public", table = "observed"))) {
      for (chunk in c(7, 1000, 5000)) {
        there <- fit_elm(cawi_source(con, what, chunk = chunk), response)
        expect_equal(predict(there, rows, type = "score"), predict(here, rows, type = "score"),
                     tolerance = 1e-10)
      }
    }
  }
})

test_that("the rows of a table can be predicted and learned later", {
  first <- cawi_source(con, "SELECT * FROM observed WHERE id <= 800 ORDER BY id", chunk = 300)
  rest <- cawi_source(con, "SELECT * FROM observed WHERE id > 800 ORDER BY id", chunk = 300)
  fit <- fit_elm(first)
  expect_equal(as.vector(predict(fit, rest)), as.vector(predict(fit, rows[801:1200, ])),
               tolerance = 1e-10)
  expect_equal(predict(update(fit, rest), rows), predict(update(fit, rows[801:1200, ]), rows),
               tolerance = 1e-8)
})

test_that("numbers of every type of PostgreSQL are the same numbers", {
  here <- fit_elm(rows)
  for (type in c("bigint", "smallint", "numeric", "real", "double precision")) {
    query <- sprintf("SELECT id, a, b, whole::%s AS whole, flag, \"group\", y FROM observed", type)
    there <- fit_elm(cawi_source(con, paste(query, "ORDER BY id"), chunk = 500))
    expect_equal(predict(there, rows), predict(here, rows), tolerance = 1e-10, label = type)
  }
})

test_that("NULL is a missing value", {
  query <- paste("SELECT id, CASE WHEN whole = 3 THEN NULL ELSE a END AS a, b, whole, flag,",
                 "CASE WHEN whole = 5 THEN NULL ELSE \"group\" END AS \"group\", y",
                 "FROM observed ORDER BY id")
  holes <- rows
  holes$a[holes$whole == 3] <- NA
  holes$group[holes$whole == 5] <- NA
  source <- cawi_source(con, query, chunk = 100)
  for (action in c("omit", "impute")) {
    expect_equal(predict(fit_elm(source, na_action = action), rows),
                 predict(fit_elm(holes, na_action = action), rows), tolerance = 1e-10)
  }
  expect_error(fit_elm(source), "^Chunk 1 ", class = "cawi_error_source")
})

test_that("results that are empty, fail or change say where", {
  fit <- function(query, chunk = 100) fit_elm(cawi_source(con, query, chunk = chunk))
  expect_error(fit("SELECT * FROM observed WHERE id < 0"), "no rows", class = "cawi_error_source")
  expect_error(fit("SELECT nothing FROM observed"), "^Chunk 1 .query. cannot be read",
               class = "cawi_error_source")
  expect_error(fit("nowhere"), "^Chunk 1 .table .nowhere.. cannot be read.*does not exist",
               class = "cawi_error_source")
  # The server computes rows as they are asked for, so this one fails late.
  expect_error(fit(paste("SELECT *, 1 / (950 - id) AS more FROM", ordered)),
               "^Chunk 10 .query. cannot be read.*division by zero", class = "cawi_error_source")
  expect_error(fit("SELECT * FROM observed ORDER BY random()"), "^Chunk 1 .query. has changed",
               class = "cawi_error_source")
  # The connection can still be used.
  expect_s3_class(fit("observed"), "cawi_elm")
})

# A query whose server ends the connection at the given one of the rows that it reads, all passes
# counted; rows that are read later come.
dropping_query <- function(name, at) {
  DBI::dbExecute(con, sprintf("CREATE SEQUENCE %s", name))
  sprintf("SELECT * FROM %s WHERE nextval('%s') <> %d OR pg_terminate_backend(pg_backend_pid())",
          ordered, name, at)
}

test_that("a connection that drops is an error with the chunk, in every pass", {
  for (pass in 1:2) {
    lost <- postgres_connection()
    query <- dropping_query(paste0("drop_", pass), at = 650 + (pass - 1) * 1200)
    expect_error(fit_elm(cawi_source(lost, query, chunk = 100)),
                 "^Chunk 7 .query. cannot be read", class = "cawi_error_source")
    # RPostgres connects anew for the next query.
    expect_s3_class(fit_elm(cawi_source(lost, query, chunk = 100)), "cawi_elm")
    DBI::dbDisconnect(lost)
  }
})

test_that("a fit goes on from its checkpoint when the connection is back", {
  old <- options(cawi.checkpoint_seconds = 0)
  on.exit(options(old))
  file <- file.path(new_folder(), "state")
  query <- dropping_query("drop_later", at = 1200 + 650)
  whole <- fit_elm(cawi_source(con, "SELECT * FROM observed ORDER BY id", chunk = 100))
  lost <- postgres_connection()
  expect_error(fit_elm(cawi_source(lost, query, chunk = 100), checkpoint = file),
               "^Chunk 7 ", class = "cawi_error_source")
  suppressWarnings(DBI::dbDisconnect(lost))
  expect_true(file.exists(file))
  fit <- fit_elm(cawi_source(con, query, chunk = 100), checkpoint = file)
  expect_identical(coef(fit), coef(whole))
  expect_false(file.exists(file))
})

test_that("RPostgreSQL, which reads whole results, is read through a cursor", {
  skip_if_not_installed("RPostgreSQL")
  other <- DBI::dbConnect(getExportedValue("RPostgreSQL", "PostgreSQL")())
  on.exit(DBI::dbDisconnect(other))
  here <- fit_elm(rows)
  for (chunk in c(7, 5000)) {
    there <- fit_elm(cawi_source(other, "SELECT * FROM observed ORDER BY id", chunk = chunk))
    expect_equal(predict(there, rows), predict(here, rows), tolerance = 1e-10)
  }
  expect_error(fit_elm(cawi_source(other, "nowhere")), "^Chunk 1 ", class = "cawi_error_source")
  expect_error(fit_elm(cawi_source(other, "SELECT * FROM observed WHERE id < 0")), "no rows",
               class = "cawi_error_source")
  expect_error(fit_elm(cawi_source(other, paste("SELECT *, 1 / (950 - id) AS more FROM", ordered),
                                   chunk = 100)),
               "^Chunk 10 .query. cannot be read.*division by zero", class = "cawi_error_source")
  # A failed query leaves no transaction open.
  expect_identical(nrow(DBI::dbGetQuery(other, "SELECT * FROM observed")), 1200L)

  # Once R's heap has grown to what chunks need, more rows need no more; 2e6 would take 110 MB.
  learn <- function(rows) {
    query <- "SELECT i::float8 AS a, (i %% 7)::float8 AS y FROM generate_series(1, %d) i"
    cawi_elm(y ~ a, cawi_source(other, sprintf(query, rows), chunk = 1e4), hidden = 5, seed = 1)
  }
  learn(300000L)
  before <- peak_memory()
  learn(2000000L)
  expect_lt(peak_memory() - before, 30)

  lost <- DBI::dbConnect(getExportedValue("RPostgreSQL", "PostgreSQL")())
  on.exit(DBI::dbDisconnect(lost), add = TRUE)
  expect_error(fit_elm(cawi_source(lost, dropping_query("drop_cursor", 650), chunk = 100)),
               "^Chunk 7 .query. cannot be read", class = "cawi_error_source")
})

DBI::dbDisconnect(con)
