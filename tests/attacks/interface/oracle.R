# Runs one call and says what came of it: "right", "classed", or what is wrong and why.

# Conditions that other packages and R itself raise before the package has a say, each with its
# reason: a pattern of the message, and the calls that it is for.
foreign_errors <- list(
  # rlang asks for a package that is not installed.
  list(key = "^rand_", message = "^The packages? .* (is|are) required"),
  # They have no dots, as the functions of parsnip and dials.
  list(key = "^rand_", message = "^unused argument"),
  # A function in the user's formula warns, as it does in lm().
  list(key = ".", message = "^NaNs produced$"),
  # recipes and readr tell of what they change in the data.
  list(key = ".", message = paste0("new levels in a factor|^(Duplicated|Missing) column names|",
                                   "have zero variance so scaling cannot be used")),
  # The source of the attack itself.
  list(key = ".", message = "^the source complains$"),
  # A device for PDF has no letters beyond its encoding, whoever draws them.
  list(key = "^(plot|autoplot)", message = "^conversion failure on .* in 'mbcsToSbcs'"),
  # What the user's own formula computes warns as it does in lm(), where the formula has it.
  list(key = ".", message = "not meaningful for (ordered )?factors$",
       formula = "y \\+ [z3]|I\\(a\\^2\\)|%%|sqrt\\(a - 1\\)|exp\\(1000 \\* a\\)|a \\* 9|[ay] > 1"),
  list(key = ".", message = "^some 'x' values beyond boundary knots may cause ill-conditioned",
       formula = "splines::bs\\("),
  list(key = ".", message = "^probable complete loss of accuracy in modulus$", formula = "%%")
)

run_call <- function(drawn, env) {
  values <- tryCatch(call_values(drawn, env), error = function(e) e)
  if (inherits(values, "error")) return(list(kind = "skipped", why = conditionMessage(values)))
  before <- session_state()
  outcome <- watched(eval(call_expression(drawn), values))
  problems <- c(outcome_problems(outcome, drawn), state_problems(before, session_state(), drawn,
                                                                 values))
  if (length(problems) > 0L) return(finding(problems, outcome, drawn))
  if (!is.null(outcome$error)) return(list(kind = "classed", why = class(outcome$error)[1L]))
  judged <- judged_result(outcome$value, values, drawn, env)
  if (length(judged) > 0L) return(list(kind = "wrong", why = judged[1L]))
  list(kind = "right", why = "")
}

finding <- function(problems, outcome, drawn) {
  kind <- if (is.null(outcome$error) || inherits(outcome$error,
                                                 "cawi_error")) "wrong" else "unclassed"
  list(kind = kind, why = problems[1L])
}

# Arguments are values in an environment of their own, so that calls in messages are short; columns
# that a formula's data have stay names.
lazy_arguments <- c("case_weights", "group", "time", "forget_case_weights")

call_values <- function(drawn, env) {
  values <- new.env(parent = env)
  for (at in seq_along(drawn$args)) {
    if (is_lazy(drawn, at)) next
    assign(argument_name(at), eval(drawn$args[[at]], new.env(parent = env)), envir = values)
  }
  values
}
argument_name <- function(at) paste0("arg", at)
is_lazy <- function(drawn, at) {
  is.symbol(drawn$args[[at]]) && isTRUE(names(drawn$args)[at] %in% lazy_arguments) &&
    !as.character(drawn$args[[at]]) %in% names(model_fixtures)
}

call_expression <- function(drawn) {
  symbols <- lapply(seq_along(drawn$args), function(at) {
    if (is_lazy(drawn, at)) drawn$args[[at]] else as.name(argument_name(at))
  })
  as.call(c(list(drawn$fun), stats::setNames(symbols, names(drawn$args))))
}

# The value of an argument by name, or of the first one.
argument <- function(drawn, values, name) {
  at <- if (is.numeric(name)) name else match(name, names(drawn$args))
  if (is.na(at) || at > length(drawn$args) || is_lazy(drawn, at)) return(NULL)
  get(argument_name(at), envir = values)
}

# The value or error of an expression, with its warnings, messages and output.
watched <- function(code) {
  seen <- new.env()
  seen$warnings <- list()
  seen$messages <- character()
  con <- file(open = "w+")
  sinks <- sink.number()
  sink(con)
  value <- tryCatch(
    list(value = withCallingHandlers(code, warning = function(w) {
      seen$warnings <- c(seen$warnings, list(w))
      tryInvokeRestart("muffleWarning")
    }, message = function(m) {
      seen$messages <- c(seen$messages, conditionMessage(m))
      tryInvokeRestart("muffleMessage")
    })),
    error = function(e) list(error = e),
    interrupt = function(e) list(error = simpleError("interrupt"))
  )
  while (sink.number() > sinks) sink()
  output <- suppressWarnings(readLines(con))
  close(con)
  c(value, list(warnings = seen$warnings, messages = seen$messages, output = output))
}

is_ours <- function(condition, kind) any(startsWith(class(condition), paste0("cawi_", kind, "_")))

outcome_problems <- function(outcome, drawn) {
  error <- outcome$error
  prints <- grepl("^(print|axe_)", drawn$key)
  foreign <- !is.null(error) && !is_ours(error, "error") && !is_foreign(error, drawn)
  strange <- Filter(function(w) !is_ours(w, "warning") && !is_foreign(w, drawn), outcome$warnings)
  c(
    if (foreign) paste0("unclassed error: ", first_line(error)),
    # Putting a message together takes longer than most calls.
    if (drawn$deep && !is.null(error) && is_ours(error, "error")) empty_message(error),
    if (blames_sound(error, drawn)) paste0("a sound object is called damaged: ", first_line(error)),
    if (length(strange) > 0L) paste0("unclassed warning: ", first_line(strange[[1L]])),
    if (!prints && length(outcome$output) > 0L) paste0("prints: ", outcome$output[1L]),
    if (!prints && length(outcome$messages) > 0L) paste0("says: ", outcome$messages[1L])
  )
}

first_line <- function(condition) {
  text <- tryCatch(conditionMessage(condition), error = function(e) "message cannot be made")
  text <- iconv(text, sub = "byte")
  where <- tryCatch(deparse(conditionCall(condition), nlines = 1L)[1L], error = function(e) "")
  paste0(substr(strsplit(paste0(text, " "), "\n", fixed = TRUE)[[1L]][1L], 1L, 200L), " (in ",
         substr(where, 1, 60), ")")
}

# A message that cannot be shown helps nobody.
empty_message <- function(error) {
  text <- tryCatch(conditionMessage(error), error = function(e) NULL)
  if (is.null(text)) return("the message of the error fails")
  if (!nzchar(trimws(text))) "the message of the error is empty"
}

# Where a part of an object was used and failed, the object is called damaged. Where nothing was
# done to the object, that hides a failure of the package. One of another class may be refused.
blames_sound <- function(error, drawn) {
  told <- if (is_ours(error, "error")) error$message
  object <- if (length(drawn$args) > 0L) drawn$args[[1L]]
  is.character(told) && is.symbol(object) &&
    as.character(object) %in% c(names(model_fixtures), names(other_fixtures)) &&
    grepl(paste0("^`?", names(formals(eval(drawn$fun)))[1L], "`? is damaged"), told[1L]) &&
    !grepl("it is not a ", told[1L], fixed = TRUE)
}

is_foreign <- function(condition, drawn) {
  text <- tryCatch(conditionMessage(condition), error = function(e) "")
  any(vapply(foreign_errors, function(known) {
    grepl(known$key, drawn$key) && grepl(known$message, text) &&
      (is.null(known$formula) || any(grepl(known$formula, formula_texts(drawn))))
  }, NA))
}

# The formulas of a call and of the models in it.
formula_texts <- function(drawn) {
  has_formula <- function(e) "~" %in% all.names(e)
  used <- model_fixtures[intersect(unlist(lapply(drawn$args, all.names)), names(model_fixtures))]
  formulas <- Filter(has_formula, c(drawn$args, used))
  vapply(formulas, function(e) paste(deparse(e), collapse = " "), "")
}

# ---- the session ----

session_state <- function() {
  list(options = options(), par = graphics::par(no.readonly = TRUE), device = grDevices::dev.list(),
       folder = getwd(), locale = Sys.getlocale(), search = search(),
       connections = length(getAllConnections()),
       generator = get0(".Random.seed", globalenv(), inherits = FALSE), zone = Sys.getenv("TZ"),
       objects = ls(globalenv()))
}

state_problems <- function(before, after, drawn, values) {
  same <- vapply(setdiff(names(before), "generator"), function(part) {
    identical(before[[part]], after[[part]])
  }, NA)
  # par() tells where the last plot was.
  if (grepl("^plot", drawn$key)) same["par"] <- TRUE
  changed <- names(same)[!same]
  if ("options" %in% changed) {
    gone <- union(names(before$options), names(after$options))
    changed <- paste0("options ", Filter(function(name) {
      !identical(before$options[[name]], after$options[[name]])
    }, gone))
  }
  c(if (length(changed) > 0L) paste("changes", paste(changed, collapse = ", ")),
    if (!draws_numbers(drawn, values) && !identical(before$generator, after$generator)) {
      "moves R's generator"
    })
}

# Where no seed is given a function may take one from the generator, and so may functions that are
# arguments.
draws_numbers <- function(drawn, values) {
  fun <- eval(drawn$fun)
  given <- function(name) !is.null(argument(drawn, values, name))
  takes <- "seed" %in% names(formals(fun)) || "seeds" %in% names(formals(fun)) ||
    grepl("^(plot|autoplot|simulate|summary|update|cawi_network_fit)", drawn$key)
  any(vapply(drawn$args, function(e) "function" %in% all.names(e) || "runif" %in% all.names(e),
             NA)) ||
    (takes && !given("seed"))
}
