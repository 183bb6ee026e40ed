# Ctrl-C is answered within a second, wherever the work is, and the session goes on. Each place runs
# in a process of its own, which says when it begins, when it was interrupted, and that it can still
# fit a model.

interrupted_after <- function(code, wait = 1) {
  folder <- tempfile("interrupt")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  script <- file.path(folder, "script.R")
  said <- file.path(folder, "said")
  writeLines(c(
    sprintf(".libPaths(c(%s))", paste(vapply(.libPaths(), deparse, ""), collapse = ", ")),
    "library(cawi)", "set.seed(1)",
    sprintf("say <- function(...) cat(..., '\\n', file = %s, append = TRUE)", deparse(said)),
    "begin <- function() say('begin', Sys.getpid())",
    sprintf("tryCatch({%s; say('finished')}, interrupt = function(e) {", code),
    "  say('interrupted', format(as.numeric(Sys.time()), digits = 15))", "})",
    "fit <- cawi_rvfl(Species ~ ., iris, hidden = 5, lambda = 1, seed = 1)",
    "if (mean(predict(fit, iris) == iris$Species) > 0.8) say('usable')"
  ), script)
  system2(file.path(R.home("bin"), "Rscript"), shQuote(script), stdout = FALSE, stderr = FALSE,
          wait = FALSE)
  lines <- function() if (file.exists(said)) readLines(said) else character()
  until <- function(word, seconds) {
    end <- Sys.time() + seconds
    while (Sys.time() < end) {
      found <- grep(word, lines(), value = TRUE)
      if (length(found) > 0L) return(strsplit(found[1L], " ")[[1L]])
      Sys.sleep(0.02)
    }
    NULL
  }
  pid <- as.integer(until("begin", 60)[2L])
  Sys.sleep(wait)
  sent <- as.numeric(Sys.time())
  tools::pskill(pid, tools::SIGINT)
  heard <- until("interrupted|finished", 30)
  usable <- until("usable", 60)
  list(seconds = as.numeric(heard[2L]) - sent, interrupted = identical(heard[1L], "interrupted"),
       usable = !is.null(usable))
}

places <- list(
  "an eigendecomposition of 4,000 columns" =
    "x <- matrix(rnorm(5000 * 10), 5000); y <- x[, 1]; begin()
     cawi_elm(x, y, hidden = 4000, seed = 1)",
  "one of 4,000 rows" =
    "x <- matrix(rnorm(4000 * 10), 4000); y <- x[, 1]; begin()
     cawi_elm(x, y, hidden = 4100, seed = 1)",
  "the sums of a wide network" =
    "x <- matrix(rnorm(60000 * 10), 60000); y <- x[, 1]; begin()
     cawi_elm(x, y, hidden = 3000, lambda = 1, seed = 1)",
  "a grid whose first network is small" =
    "x <- matrix(rnorm(6000 * 10), 6000); y <- x[, 1]; begin()
     cawi_tune(x, y, 'drvfl', cawi_grid(hidden = list(5, c(1500, 1500)), lambda = 10^(-6:6)),
               seed = 1)",
  "a copula of 300 features" =
    "x <- matrix(rnorm(20000 * 300), 20000); begin()
     for (i in 1:100) cawi_copula(x, 't')",
  "the nearest correlation matrix" =
    "r <- tcrossprod(matrix(rnorm(1500 * 1500), 1500)) / 1500; r <- cov2cor(r + 0.3); begin()
     r[upper.tri(r)] <- -abs(r[upper.tri(r)]); r <- as.matrix(Matrix::forceSymmetric(r))
     cawi_nearest_cor(r)",
  "an automatic choice" =
    "x <- matrix(rnorm(20000 * 20), 20000); y <- factor(x[, 1] > 0); begin()
     cawi_auto(x, y, budget = 120)",
  "a benchmark" =
    "begin(); cawi_benchmark(list(a = list(x = matrix(rnorm(30000 * 10), 30000),
       y = factor(rep(1:2, 15000)))), protocol = 'nested')"
)

for (place in names(places)) test_that(paste("an interrupt is heard within a second:", place), {
  skip_on_cran()
  skip_on_os("windows")
  outcome <- interrupted_after(places[[place]])
  expect_true(outcome$interrupted)
  expect_lt(outcome$seconds, 1)
  expect_true(outcome$usable)
})
