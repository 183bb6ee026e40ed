# Functions that formulas name, in a form that works in any session: R's own by name, those of
# packages with their package, a user's own as they are.

function_call <- function(name, fun) {
  if (identical(get0(name, envir = formula_scope(), mode = "function"), fun)) return(as.name(name))
  # A package that is attached may have made a generic of a function of R: that function is meant.
  if (isS4(fun) && isTRUE(attr(fun, "package") %in% c("base", "stats"))) return(as.name(name))
  home <- environment(fun)
  if (!is.null(home) && isNamespace(home)) {
    package <- getNamespaceName(home)[["name"]]
    if (name %in% getNamespaceExports(package) && identical(getExportedValue(package, name), fun)) {
      return(call("::", as.name(package), as.name(name)))
    }
  }
  portable_function(fun)
}

# Stored expressions see the functions of stats and base, and nothing of any session. A namespace
# will not do: behind every namespace are the variables of the user.
formula_scope <- function() {
  if (length(known_functions) == 0L) {
    for (name in getNamespaceExports("stats")) {
      assign(name, getExportedValue("stats", name), envir = known_functions)
    }
  }
  known_functions
}

# Filled at the first use.
known_functions <- new.env(parent = baseenv())

# A user's own function with what it needs of the places where it was made, and nothing else of
# them.
portable_function <- function(fun, known = list()) {
  home <- environment(fun)
  if (is.primitive(fun) || is.null(home) || isNamespace(home)) return(fun)
  for (pair in known) if (identical(pair$old, fun)) return(pair$new)
  # What it finds nowhere else it must not find in the session of the day.
  place <- new.env(parent = baseenv())
  moved <- utils::removeSource(fun)
  environment(moved) <- place
  known <- c(known, list(list(old = fun, new = moved)))
  code <- c(list(body(moved)), as.list(formals(moved)))
  locals <- unlist(lapply(code, local_names))
  for (name in setdiff(unlist(lapply(code, all.names)), names(formals(fun)))) {
    # A name that the code gives a value itself may be read before: what the maker of the function
    # set counts, a variable of the session that has the same name does not.
    value <- own_value(name, home, stop_at = if (name %in% locals) globalenv())
    if (is.null(value)) next
    assign(name, if (is.function(value)) portable_function(value, known) else value, envir = place)
  }
  moved
}

# Names that code gives a value itself.
local_names <- function(code) {
  if (!is.call(code)) return(NULL)
  own <- NULL
  assigns <- is_call_to(code, c("<-", "=", "for")) && is.symbol(code[[2L]])
  if (assigns) own <- as.character(code[[2L]])
  if (is_call_to(code, "function")) own <- names(code[[2L]])
  parts <- Filter(is.call, as.list(code))
  c(own, unlist(lapply(parts, local_names)))
}

# What a name means at the place of a function; NULL where any session of R knows it.
own_value <- function(name, place, stop_at = NULL) {
  while (!identical(place, emptyenv())) {
    if (!is.null(stop_at) && identical(place, stop_at)) return(NULL)
    if (exists(name, envir = place, inherits = FALSE)) {
      from_r <- identical(place, baseenv()) || identical(place, .BaseNamespaceEnv) ||
        environmentName(place) %in% paste0("package:", default_packages)
      return(if (!from_r) get(name, envir = place, inherits = FALSE))
    }
    place <- parent.env(place)
  }
  NULL
}

default_packages <- "base"
