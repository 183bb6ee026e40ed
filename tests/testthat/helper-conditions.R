# Runs each call of a table and expects an error of the class of the argument that its name gives,
# with that argument in the message. `calls` comes from alist(), so nothing runs before its test.
test_argument_errors <- function(calls, env = parent.frame()) {
  for (i in seq_along(calls)) {
    call <- calls[[i]]
    arg <- names(calls)[i]
    text <- paste(deparse(call, nlines = 2L), collapse = " ")
    test_that(paste0("`", arg, "` is blamed by ", text), {
      error <- expect_error(eval(call, env), class = paste0("cawi_error_", arg))
      expect_s3_class(error, "cawi_error")
      # Either `arg` or `arg = value`.
      expect_match(conditionMessage(error), paste0("`", arg, "\\b"))
    })
  }
}

# The text of an error for a snapshot: the same whatever the version of testthat.
show_error <- function(code) {
  message <- tryCatch({
    force(code)
    "no error"
  }, cawi_error = conditionMessage)
  cat(cli::ansi_strip(message), sep = "\n")
}

with_environment_variable <- function(name, value, code) {
  old <- Sys.getenv(name, unset = NA)
  on.exit(
    if (is.na(old)) Sys.unsetenv(name) else do.call(Sys.setenv, stats::setNames(list(old), name))
  )
  do.call(Sys.setenv, stats::setNames(list(value), name))
  force(code)
}

with_option <- function(name, value, code) {
  old <- options(stats::setNames(list(value), name))
  on.exit(options(old))
  force(code)
}

# The state of R's generator, NULL where it was never used.
generator_state <- function() get0(".Random.seed", envir = globalenv(), inherits = FALSE)

# Evaluates code and expects R's generator to be where it was.
expect_generator_untouched <- function(code) {
  stats::runif(1)
  before <- generator_state()
  force(code)
  expect_identical(generator_state(), before)
}
