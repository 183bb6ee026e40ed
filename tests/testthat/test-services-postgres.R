# Streams of rows from a real server.
skip_without_service("CAWI_TEST_POSTGRES")

test_that("RPostgres streams: rows that were not asked for are not in memory", {
  con <- postgres_connection()
  on.exit(DBI::dbDisconnect(con))
  result <- DBI::dbSendQuery(con, "SELECT i, i::float8 AS x FROM generate_series(1, 5000000) i")
  DBI::dbFetch(result, n = 1000)
  before <- peak_memory()
  rows <- DBI::dbFetch(result, n = 1000)
  expect_identical(rows$i, 1001:2000)
  while (nrow(DBI::dbFetch(result, n = 50000)) > 0) next
  expect_lt(peak_memory() - before, 50)
  expect_true(DBI::dbHasCompleted(result))
  DBI::dbClearResult(result)
})
