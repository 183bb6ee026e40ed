test_that("threads come from the argument, the environment, the option, then at most two", {
  with_option("cawi.threads", 3, {
    with_environment_variable("CAWI_NUM_THREADS", "4", {
      expect_identical(resolve_threads(5), 5L)
      expect_identical(resolve_threads(), 4L)
    })
    with_environment_variable("CAWI_NUM_THREADS", "", expect_identical(resolve_threads(), 3L))
  })
  with_environment_variable("CAWI_NUM_THREADS", "", {
    with_option("cawi.threads", NULL, expect_true(resolve_threads() %in% 1:2))
  })
})

test_that("a source of threads that is not read is not checked", {
  with_environment_variable("CAWI_NUM_THREADS", "abc", {
    expect_identical(cawi_kendall(1:3, threads = 1), matrix(1))
  })
  with_option("cawi.threads", "many", with_environment_variable("CAWI_NUM_THREADS", "1", {
    expect_identical(cawi_kendall(1:3), matrix(1))
  }))
})

test_that("more threads than any machine has are refused, wherever they come from", {
  expect_identical(resolve_threads(1024), 1024L)
  expect_error(resolve_threads(1025), class = "cawi_error_threads")
  with_environment_variable("CAWI_NUM_THREADS", "1025", {
    expect_error(resolve_threads(), class = "cawi_error_CAWI_NUM_THREADS")
  })
  with_environment_variable("CAWI_NUM_THREADS", "", with_option("cawi.threads", 1025, {
    expect_error(resolve_threads(), class = "cawi_error_cawi.threads")
  }))
})

test_that("a seed of R's generator has two draws of 26 bits, and a given one is kept", {
  set.seed(4)
  halves <- floor(stats::runif(2) * 2^26)
  set.seed(4)
  expect_identical(resolve_seed(), halves[1] * 2^26 + halves[2])
  expect_generator_untouched(expect_identical(resolve_seed(2^53 - 1), 2^53 - 1))
  expect_error(resolve_seed(2^53), class = "cawi_error_seed")
  expect_error(resolve_seed(-1), class = "cawi_error_seed")
})

test_that("code that fails leaves the generator where it was, code that works does not", {
  expect_generator_untouched(expect_error(keep_generator({
    stats::runif(1)
    stop("no")
  }), "no"))
  before <- generator_state()
  expect_identical(keep_generator(length(stats::runif(3))), 3L)
  expect_false(identical(generator_state(), before))
  rm(".Random.seed", envir = globalenv())
  expect_error(keep_generator(stop(stats::runif(1))))
  expect_null(generator_state())
  restore_generator(before)
  expect_identical(generator_state(), before)
})

test_that("settings of the session are plain within, and as they were after", {
  old <- options(OutDec = ",", digits = 15L, scipen = 9L, na.action = "na.fail",
                 contrasts = c(unordered = "contr.sum", ordered = "contr.helmert"))
  on.exit(options(old))
  plain <- plainly(options()[c("OutDec", "digits", "scipen", "na.action", "contrasts")])
  expect_identical(plain, list(
    OutDec = ".", digits = 7L, scipen = 0L, na.action = "na.omit",
    contrasts = c(unordered = "contr.treatment", ordered = "contr.poly")
  ))
  expect_identical(options()[c("OutDec", "digits", "scipen")],
                   list(OutDec = ",", digits = 15L, scipen = 9L))
  expect_identical(plainly(Sys.getlocale("LC_COLLATE")), "C")
})

test_that("a limit on memory leaves one thread where the buffers of more do not fit", {
  skip_if_not(nzchar(Sys.which("prlimit")) && file.exists("/proc/self/statm"))
  script <- tempfile(fileext = ".R")
  writeLines(c(
    sprintf(".libPaths(%s)", deparse1(.libPaths())), "library(cawi)",
    "cat(cawi:::resolve_threads(3), '')",
    "taken <- as.numeric(strsplit(readLines('/proc/self/statm'), ' ')[[1]][1]) * 4096",
    "limit <- function(room) {",
    "  system2('prlimit', c('--pid', Sys.getpid(), sprintf('--as=%.0f:', taken + room * 2^20)))",
    "}",
    "limit(400); cat(cawi:::resolve_threads(3), cawi:::resolve_threads(2), '')",
    "limit(100); cat(cawi:::resolve_threads(3), '')"
  ), script)
  out <- system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(script)),
                 stdout = TRUE, stderr = FALSE)
  expect_identical(trimws(paste(out, collapse = "")), "3 3 2 1")
})

test_that("fits and predictions need no connection, and what does tells that it has none", {
  streamed <- cawi_source(mtcars)
  folder <- tempfile("none")
  dir.create(folder)
  open <- list()
  on.exit(for (con in open) close(con))
  # R has room for 128, three of them its own.
  free <- 128L - nrow(showConnections(all = TRUE))
  for (i in seq_len(free)) {
    con <- tryCatch(rawConnection(raw()), error = function(e) NULL)
    if (is.null(con)) break
    open <- c(open, list(con))
  }
  fit <- cawi_elm(as.matrix(mtcars[2:4]), mtcars$mpg, hidden = 3, seed = 1)
  expect_length(predict(fit, as.matrix(mtcars[2:4])), 32L)
  at <- function(name) file.path(folder, name)
  expect_error(cawi_report(fit, at("a.html")), "in use", class = "cawi_error_file")
  expect_error(predict(fit, streamed, to = at("a.csv")), "in use", class = "cawi_error_to")
  expect_error(cawi_elm(mpg ~ ., streamed, hidden = 3, checkpoint = at("a")), "in use",
               class = "cawi_error_checkpoint")
  expect_identical(list.files(folder), character())
})
