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

# The core reports a broken precondition as "argument: message". Memory that cannot be had is an error of its own;
# `needed` are the bytes that the caller expects to need.
rethrow_core_errors <- function(expr, call = caller_env(), needed = NULL, labels = NULL) {
  tryCatch(expr, `cawi::DomainError` = function(e) {
    arg <- sub(":.*", "", conditionMessage(e))
    text <- sub("^[^:]*: ", "", conditionMessage(e))
    if (arg == "overflow") abort_overflow(as.integer(text), labels, call)
    abort_argument(arg, "{.arg {arg}}: {text}", call)
  }, error = function(e) {
    if (!is_memory_error(e)) stop(e)
    abort_memory(needed, conditionMessage(e), call)
  })
}

# The core tells the number of a column that the readout sees.
abort_overflow <- function(column, labels, call) {
  name <- if (is.null(labels)) paste("number", column) else dQuote(labels[column], FALSE)
  abort_argument(
    "overflow",
    c("Column {name} of the features that the readout sees has squares beyond the range of numbers.",
      i = "{.code standardize = TRUE}, a smaller {.arg scale} or smaller weights keep them in range."), call
  )
}

# R's own message, the C++ library's and Armadillo's (whose size is beyond what an index holds).
is_memory_error <- function(e) {
  inherits(e, "std::bad_alloc") ||
    grepl("cannot allocate|bad_alloc|out of memory|requested size is too large", conditionMessage(e))
}

abort_memory <- function(needed, text, call) {
  size <- if (!is.null(needed)) paste("about", bytes_text(needed)) else memory_size(text)
  abort_argument("memory", "There is not enough memory for this: {size} would be needed.", call)
}

# "cannot allocate vector of size 74.5 Gb" has the size; other messages do not.
memory_size <- function(text) {
  size <- regmatches(text, regexpr("[0-9.]+ [KMGT]b", text))
  if (length(size) == 0L) "more than there is" else size
}

bytes_text <- function(bytes) {
  unit <- min(4, max(0, floor(log(max(bytes, 1), 1024))))
  paste(signif(bytes / 1024^unit, 3), c("bytes", "KB", "MB", "GB", "TB")[unit + 1])
}
