# Every condition of the package: one class for the argument or topic, one for the package. Messages
# are cli strings, interpolated where the function is called.
abort_argument <- function(arg, message, call, .envir = parent.frame()) {
  cli_abort(message, class = c(paste0("cawi_error_", arg), "cawi_error"), call = call,
            .envir = .envir)
}

warn_topic <- function(topic, message, call, .envir = parent.frame()) {
  cli_warn(message, class = c(paste0("cawi_warning_", topic), "cawi_warning"), call = call,
           .envir = .envir)
}

# The core reports a broken precondition as "argument: message".
rethrow_core_errors <- function(expr, call = caller_env()) {
  tryCatch(expr, `cawi::DomainError` = function(e) {
    arg <- sub(":.*", "", conditionMessage(e))
    text <- sub("^[^:]*: ", "", conditionMessage(e))
    abort_argument(arg, "{.arg {arg}}: {text}", call)
  }, `std::bad_alloc` = function(e) {
    abort_argument("memory", "There is not enough memory for this.", call)
  }, simpleError = function(e) {
    if (!grepl("cannot allocate", conditionMessage(e), fixed = TRUE)) stop(e)
    abort_argument("memory", "There is not enough memory for this.", call)
  })
}
