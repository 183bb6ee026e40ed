# What a child of the runner does: it changes the package in its own memory and runs test files
# until one fails.

# `failed` gets the name of each test that fails.
failure_reporter <- function(failed) {
  R6::R6Class("Failures", inherit = testthat::Reporter, public = list(
    add_result = function(context, test, result) {
      if (inherits(result, c("expectation_failure", "expectation_error"))) failed(paste0("", test))
    }
  ))$new()
}

run_test_file <- function(path, env, failed) {
  testthat::test_file(path, package = "cawi", load_package = "none", load_helpers = FALSE,
                      env = new.env(parent = env), reporter = failure_reporter(failed),
                      stop_on_failure = FALSE, wrap = TRUE)
}

# Runs one test file; gives the name of the first test that fails, beside those that are known to,
# or NA. A restart passes through all handlers of errors, an error would not.
first_failure <- function(path, env, known = character()) {
  run <- function() {
    run_test_file(path, env, function(test) {
      if (!test %in% known) invokeRestart("first_failure", test)
    })
    NA_character_
  }
  tryCatch(withRestarts(run(), first_failure = function(test) test),
           error = function(e) conditionMessage(e))
}

# The names of all tests of a file that fail.
all_failures <- function(path, env) {
  found <- new.env()
  run_test_file(path, env, function(test) found[[test]] <- TRUE)
  ls(found)
}

# All places where R finds an object of the package: its namespace, the search path and the tables
# of methods, its own and those of the packages that have the generics.
replace_object <- function(name, value, space) {
  put <- function(env) {
    if (!exists(name, envir = env, inherits = FALSE)) return(invisible())
    if (bindingIsLocked(name, env)) unlockBinding(name, env)
    assign(name, value, envir = env)
  }
  if (environmentName(space) != "" && !exists(name, envir = space, inherits = FALSE)) return()
  put(space)
  if ("package:cawi" %in% search()) put(as.environment("package:cawi"))
  homes <- c(list(space), lapply(c("base", loadedNamespaces()), asNamespace))
  for (home in homes) {
    table <- get0(".__S3MethodsTable__.", envir = home, inherits = FALSE)
    if (is.environment(table)) put(table)
  }
}

assigned <- function(code) {
  is_assignment <- is.call(code) && identical(code[[1L]], quote(`<-`)) && is.name(code[[2L]])
  if (is_assignment) as.character(code[[2L]]) else ""
}

is_function_code <- function(code) {
  is.call(code[[3L]]) && identical(code[[3L]][[1L]], quote(`function`))
}

# Puts one changed expression of a file in place, and then everything that is no function of its
# own: it may have been made with it.
put_expression <- function(code, everything, space) {
  name <- assigned(code)
  if (name != "" && is_function_code(code)) {
    replace_object(name, eval(code[[3L]], space), space)
  }
  for (other in everything) {
    if (identical(assigned(other), name)) other <- code
    if (assigned(other) == "" || is_function_code(other)) next
    # What the session fills is kept.
    if (any(c("new.env", "emptyenv") %in% all.names(other))) next
    replace_object(assigned(other), eval(other[[3L]], space), space)
  }
}

mutated_code <- function(mutant) {
  lines <- readLines(mutant$file)
  code <- parse(text = lines, keep.source = TRUE)
  place <- attr(code, "srcref")[[mutant$expression]]
  before <- substr(lines[mutant$line], 1L, mutant$column - 1L)
  after <- substring(lines[mutant$last_line], mutant$last_column + 1L)
  inner <- paste0(before, mutant$to, after)
  first <- place[1L]
  last <- place[3L]
  text <- c(if (mutant$line > first) lines[first:(mutant$line - 1L)], inner,
            if (mutant$last_line < last) lines[(mutant$last_line + 1L):last])
  parse(text = text, keep.source = FALSE)[[1L]]
}

turn_on <- function(mutant, everything) {
  if (mutant$language == "C++") {
    Sys.setenv(CAWI_MUTANT = mutant$id)
    cawi:::choose_mutant_cpp(mutant$id)
  } else {
    put_expression(mutated_code(mutant), everything, asNamespace("cawi"))
  }
}

# Notes which functions of the package are called.
mark_functions <- function(space) {
  seen <- new.env()
  for (name in ls(space, all.names = TRUE)) {
    f <- get(name, envir = space)
    if (!is.function(f) || is.primitive(f)) next
    note <- local({
      key <- name
      function() assign(key, TRUE, envir = seen)
    })
    marked <- f
    body(marked) <- call("{", as.call(list(note)), body(f))
    if (identical(environment(f), space)) replace_object(name, marked, space)
  }
  seen
}
