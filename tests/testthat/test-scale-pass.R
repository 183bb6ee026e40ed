frame <- mixed_frame()

test_that("a second pass with other rows or another order is refused", {
  count <- new.env()
  count$n <- 0
  changing <- function(change) {
    count$n <- 0
    read <- chunks_of(list(frame[1:40, ], frame[41:90, ]))
    function(reset) {
      if (reset) {
        count$n <- count$n + 1
        return(read(TRUE))
      }
      chunk <- read(FALSE)
      if (count$n < 2 || is.null(chunk)) chunk else change(chunk)
    }
  }
  fit <- function(change) {
    cawi_elm(number ~ north + group, cawi_source(changing(change)), hidden = 3, seed = 1)
  }
  expect_s3_class(fit(identity), "cawi_elm")
  expect_error(fit(function(chunk) chunk[rev(seq_len(nrow(chunk))), ]), "Chunk 1.*has changed",
               class = "cawi_error_source")
  expect_error(fit(function(chunk) transform(chunk, number = number + (number > 0) * 1e-9)),
               class = "cawi_error_source")
  expect_error(fit(function(chunk) if (nrow(chunk) == 40) chunk), "Chunk 2.*fewer rows",
               class = "cawi_error_source")
  expect_error(fit(function(chunk) rbind(chunk, chunk)), class = "cawi_error_source")
})

test_that("errors say where the chunk is and keep their class", {
  bad <- frame
  bad$group[5] <- NA
  shards <- cawi_source(list(cawi_source(frame), cawi_source(bad)), chunk = 3)
  error <- expect_error(cawi_elm(number ~ north + group, shards, hidden = 3),
                        class = "cawi_error_source")
  expect_s3_class(error, "cawi_error_data")
  expect_s3_class(error, "cawi_error")
  expect_match(conditionMessage(error), "Chunk 2 of shard 2 (data frame)", fixed = TRUE)
  failing <- function(reset) if (!reset) stop("the line is {dead}")
  expect_error(cawi_elm(number ~ north, cawi_source(failing), hidden = 3),
               "Chunk 1.*cannot be read: the line is \\{dead\\}", class = "cawi_error_source")
  wrong <- function(reset) if (!reset) 1:3
  expect_error(cawi_elm(number ~ north, cawi_source(wrong)), "not a data frame",
               class = "cawi_error_source")
})

test_that("a source without rows is an error, empty chunks are not", {
  empty <- frame[0, ]
  expect_error(cawi_elm(number ~ north, cawi_source(empty)), "no rows", class = "cawi_error_source")
  fit <- cawi_elm(number ~ north, cawi_source(list(empty, frame, empty)), hidden = 3, seed = 1)
  expect_identical(fit$nobs, 90)
  none <- transform(frame, north = NA_real_)
  expect_error(cawi_elm(number ~ north, cawi_source(none), na_action = "omit"),
               "no row to learn from", class = "cawi_error_data")
})

test_that("progress tells rows and speed", {
  skip_if_not_installed("progressr")
  catcher <- new.env()
  catcher$seen <- character()
  withCallingHandlers(
    progressr::with_progress(
      cawi_elm(number ~ north, cawi_source(frame, chunk = 40), hidden = 3, seed = 1),
      handlers = progressr::handler_void(), enable = TRUE
    ),
    progression = function(p) catcher$seen <- c(catcher$seen, conditionMessage(p))
  )
  expect_match(catcher$seen, "Pass 1: +90 rows, .* per second", all = FALSE)
  expect_match(catcher$seen, "Pass 2: +90 rows", all = FALSE)
})

test_that("the checksum of a chunk does not see names of rows", {
  expect_identical(chunk_checksum(frame), chunk_checksum(`rownames<-`(frame, 101:190)))
  expect_false(chunk_checksum(frame) == chunk_checksum(frame[c(2:90, 1), ]))
  expect_false(chunk_checksum(frame) == chunk_checksum(stats::setNames(frame, letters[1:11])))
})

test_that("decimal commas are no reason for a warning", {
  with_option("OutDec", ",", {
    expect_warning(fit <- cawi_elm(Species ~ ., cawi_source(iris), hidden = 3, seed = 1), NA)
    expect_warning(capture.output(print(cawi_source(iris)), print(cawi_grid())), NA)
  })
})
