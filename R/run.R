# What a run carries through every step: the seed of its draws, the number of threads, and the call
# that errors blame. And how the session stays out of results, and results out of the session.

new_run <- function(seed, threads, call) {
  list(threads = resolve_threads(threads, call), seed = resolve_seed(seed, call), call = call)
}

# Results do not depend on the number of threads, so fewer may be used than asked for.
resolve_threads <- function(threads = NULL, call = caller_env()) {
  affordable_threads_cpp(asked_threads(threads, call))
}

# Argument, environment variable, option, then at most two.
asked_threads <- function(threads, call) {
  if (!is.null(threads)) return(as.integer(check_count(threads, "threads", call, max = 1024)))
  variable <- Sys.getenv("CAWI_NUM_THREADS")
  if (nzchar(variable)) {
    value <- suppressWarnings(as.numeric(variable))
    if (is.na(value)) value <- variable
    return(as.integer(check_count(value, "CAWI_NUM_THREADS", call, max = 1024)))
  }
  option <- getOption("cawi.threads")
  if (!is.null(option)) return(as.integer(check_count(option, "cawi.threads", call, max = 1024)))
  min(2L, RcppParallel::defaultNumThreads())
}

# Seconds on a clock that is never set. R's own elapsed time jumps with the clock of the machine.
clock_seconds <- function() steady_seconds_cpp()

# The seed of the core's streams: the user's own, or one drawn from R's generator.
resolve_seed <- function(seed = NULL, call = caller_env()) {
  if (!is.null(seed)) return(check_count(seed, "seed", call, min = 0, max = 2^53 - 1))
  halves <- floor(stats::runif(2) * 2^26)
  halves[1L] * 2^26 + halves[2L]
}

# A call that fails leaves R's generator where it was.
keep_generator <- function(code) {
  old <- get0(".Random.seed", envir = globalenv(), inherits = FALSE)
  done <- FALSE
  on.exit(if (!done) restore_generator(old))
  force(code)
  done <- TRUE
  code
}

restore_generator <- function(state) {
  if (!is.null(state)) {
    assign(".Random.seed", state, envir = globalenv())
  } else if (exists(".Random.seed", envir = globalenv(), inherits = FALSE)) {
    rm(".Random.seed", envir = globalenv())
  }
}

# Code and the values that it names, of the user's own: packages change with their versions.
function_key <- function(fun, seen = character()) {
  code <- c(lapply(formals(fun), all.names), all.names(body(fun)))
  names <- setdiff(unlist(code), c("", names(formals(fun)), seen))
  own <- Filter(Negate(is.null), lapply(rlang::set_names(sort(unique(names))), found_value,
                                        environment(fun)))
  seen <- c(seen, names(own))
  list(deparse(fun, control = NULL), lapply(own, function(value) {
    if (is.function(value)) function_key(value, seen) else value
  }))
}

# NULL where a name means nothing, or something of a package.
found_value <- function(name, env) {
  while (!is.null(env) && !identical(env, emptyenv()) && !isNamespace(env)) {
    if (exists(name, env, inherits = FALSE)) return(get(name, env, inherits = FALSE))
    env <- if (identical(env, globalenv())) NULL else parent.env(env)
  }
}

# Text is sorted, numbers are written and contrasts are chosen the same way in every session.
plainly <- function(code) {
  plain <- list(
    contrasts = c(unordered = "contr.treatment", ordered = "contr.poly"), na.action = "na.omit",
    OutDec = ".", digits = 7L, scipen = 0L
  )
  # Newer versions of R warn of any mention of it.
  if (isTRUE(getOption("stringsAsFactors"))) plain$stringsAsFactors <- FALSE
  old <- suppressWarnings(options(plain))
  locales <- vapply(c(LC_COLLATE = "LC_COLLATE", LC_TIME = "LC_TIME"), Sys.getlocale, "")
  locales <- locales[locales != "C"]
  on.exit({
    suppressWarnings(options(old))
    for (category in names(locales)) Sys.setlocale(category, locales[[category]])
  })
  for (category in names(locales)) Sys.setlocale(category, "C")
  force(code)
}

# Without reading a file, for which all connections may be in use.
own_version <- function() unname(getNamespaceVersion("cawi"))

is_missing <- function(arg, frame) eval(call("missing", as.name(arg)), frame)
