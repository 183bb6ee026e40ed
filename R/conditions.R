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

# The core reports a broken precondition as "argument: message". Memory that cannot be had is an
# error of its own; `needed` are the bytes that the caller expects to need.
rethrow_core_errors <- function(expr, call = caller_env(), needed = NULL) {
  tryCatch(expr, `cawi::DomainError` = function(e) {
    arg <- sub(":.*", "", conditionMessage(e))
    text <- sub("^[^:]*: ", "", conditionMessage(e))
    if (arg == "overflow") abort_overflow(text, call)
    abort_argument(arg, "{.arg {arg}}: {text}", call)
  }, error = function(e) {
    if (!is_memory_error(e)) stop(e)
    abort_memory(needed, conditionMessage(e), call)
  })
}

# The core tells the number of a column that the readout sees, `labels` have its name. They are
# looked at only if something fails.
naming_columns <- function(expr, labels) {
  tryCatch(expr, `cawi::DomainError` = function(e) {
    number <- sub("^overflow: ", "", conditionMessage(e))
    if (number != conditionMessage(e)) e$message <- paste("overflow:", labels[as.integer(number)])
    stop(e)
  })
}

abort_overflow <- function(column, call) {
  message <- paste("Column {.val {column}} of the features that the readout sees has squares",
                   "beyond the range of numbers.")
  hint <- paste("{.code standardize = TRUE}, a smaller {.arg scale} or smaller weights",
                "keep them in range.")
  abort_argument("overflow", c(message, i = hint), call)
}

# R's own message, the C++ library's and Armadillo's (whose size is beyond what an index holds).
is_memory_error <- function(e) {
  inherits(e, "std::bad_alloc") ||
    grepl("cannot allocate|bad_alloc|out of memory|requested size is too large",
          conditionMessage(e))
}

abort_memory <- function(needed, text, call) {
  size <- if (!is.null(needed)) paste("about", bytes_text(needed)) else memory_size(text)
  abort_argument("memory", "There is not enough memory for this: {size} would be needed.", call)
}

# "cannot allocate vector of size 74.5 Gb" has the size; other messages do not. Work that did not
# fit needs more than what is free when it is given up.
memory_size <- function(text) {
  size <- regmatches(text, regexpr("[0-9.]+ [KMGT]b", text))
  if (length(size) > 0L) return(size)
  left <- memory_left()
  if (is.finite(left)) paste("more than the", bytes_text(left), "that are free") else
    "more than there is"
}

# Bytes that this process may still take, where the system tells them: what is free of memory and
# swap space, as other processes keep what they have, or what is left of a limit on the address
# space.
memory_left <- function() {
  figure <- function(file, pattern) {
    lines <- tryCatch(suppressWarnings(readLines(file)), error = function(e) character())
    found <- sub(pattern, "\\1", grep(pattern, lines, value = TRUE))
    if (length(found) == 0L) NA_real_ else as.numeric(found[1L])
  }
  swap <- figure("/proc/meminfo", "^SwapFree: *([0-9]+) kB.*")
  free <- 1024 * (figure("/proc/meminfo", "^MemAvailable: *([0-9]+) kB.*") +
                    max(swap, 0, na.rm = TRUE))
  limit <- figure("/proc/self/limits", "^Max address space +([0-9]+) .*")
  taken <- 1024 * figure("/proc/self/status", "^VmSize:[[:space:]]*([0-9]+) kB.*")
  max(0, min(free, limit - taken, Inf, na.rm = TRUE))
}

bytes_text <- function(bytes) {
  unit <- min(4, max(0, floor(log(max(bytes, 1), 1024))))
  paste(signif(bytes / 1024^unit, 3), c("bytes", "KB", "MB", "GB", "TB")[unit + 1])
}

expression_label <- function(expression) {
  if (is.symbol(expression)) return(as.character(expression))
  label <- paste(trimws(deparse(expression, width.cutoff = 500L)), collapse = " ")
  if (nchar(label) > 200L) paste0(substr(label, 1L, 200L), "...") else label
}

broken_parts <- "its parts are not what they should be"

# What a check of the parts misses shows itself where they are used.
sound <- function(object, arg, code, call = caller_env()) {
  force(call)
  force_arguments(call)
  tryCatch(code, error = function(e) {
    if (inherits(e, "cawi_error")) stop(e)
    if (is_memory_error(e)) abort_memory(NULL, conditionMessage(e), call)
    abort_damaged(arg, broken_parts, object, call)
  })
}

# An argument that cannot be computed says so itself, and not that the object is damaged. Those that
# may be names of columns are looked at where the columns are.
force_arguments <- function(frame) {
  lazy <- rlang::env_binding_are_lazy(frame)
  open <- setdiff(names(lazy)[lazy], c("case_weights", "forget_case_weights"))
  for (name in open) get(name, frame, inherits = FALSE)
}

# Does an object pass a check of its parts? A check that itself fails, or warns, on what was edited
# has found damage too, unless it only had no memory.
holds <- function(check, call = caller_env()) {
  failed <- function(e) {
    is_memory_error(e) && abort_memory(NULL, conditionMessage(e), call)
  }
  isTRUE(tryCatch(check, error = failed, warning = function(w) FALSE))
}

abort_damaged <- function(arg, problem, object, call) {
  version <- if (is.list(object)) unclass(object)$version
  made <- is.character(version) && !is.object(version) && length(version) == 1L &&
    !is.na(version) &&
    version != own_version()
  abort_argument(
    arg,
    c("{.arg {arg}} is damaged or not a model of this version: {problem}.",
      i = if (made) "It was made by release {version}."), call
  )
}
