# What the code in a model reaches beside itself: what its functions find in the places where they
# were made. Before a name is looked at it is known that this runs nothing; no place is asked what
# it is, and no method is called.

# Places of the session that no file can have, known by being the very same: what is attached, and
# the namespaces that are loaded.
shared_places <- function() {
  attached <- list(emptyenv(), .BaseNamespaceEnv)
  place <- globalenv()
  while (!identical(place, emptyenv())) {
    attached <- c(attached, list(place))
    place <- parent.env(place)
  }
  c(attached, lapply(loadedNamespaces(), .getNamespace))
}

is_one_of <- function(place, places) {
  for (other in places) if (identical(other, place)) return(TRUE)
  FALSE
}

is_loaded_namespace <- function(place) {
  is_one_of(place, c(list(.BaseNamespaceEnv), lapply(loadedNamespaces(), .getNamespace)))
}

# testthat runs tests in a copy of a namespace, with the very description that the session has of
# it.
is_namespace_copy <- function(place) {
  name <- ".__NAMESPACE__."
  if (!name %in% ls(envir = place, all.names = TRUE, sorted = FALSE)) return(FALSE)
  if (runs_when_seen(place, name)) return(FALSE)
  described <- lapply(loadedNamespaces(), function(package) .getNamespace(package)[[name]])
  is_one_of(get(name, envir = place), described)
}

# An active binding or a promise.
runs_when_seen <- function(place, names) {
  rlang::env_binding_are_active(place, names) | rlang::env_binding_are_lazy(place, names)
}

stop_hiding <- function() stop("code in hiding", call. = FALSE)

# A place and those behind it, as far as they are not shared. A file can have them in a circle.
own_chain <- function(place, shared) {
  chain <- list()
  while (!is_one_of(place, shared) && !is_namespace_copy(place)) {
    if (is_one_of(place, chain)) stop_hiding()
    chain <- c(chain, list(place))
    place <- parent.env(place)
  }
  chain
}

# The places that code reaches, each with the values that it can find there and the paths by which
# it finds them. `home` is where code that is no function is evaluated.
reached_code <- function(code, home = NULL) {
  if (holds_cpp(code, "trap")) stop_hiding()
  # Most models have terms without functions of their own.
  if (is.null(home) && !holds_cpp(code, "own")) return(list())
  shared <- shared_places()
  waiting <- looks_of(code, home)
  visits <- list()
  while (length(waiting) > 0L) {
    look <- waiting[[1L]]
    waiting <- waiting[-1L]
    for (place in own_chain(look$place, shared)) {
      at <- Position(function(visit) identical(visit$place, place), visits, nomatch = NA)
      if (is.na(at)) at <- length(visits) + 1L
      known <- if (at <= length(visits)) visits[[at]]
      values <- place_values(place, look, names(known$values))
      paths <- paste0(rep(look$path, length(values)), printable_name(names(values)))
      visits[[at]] <- list(place = place, values = c(known$values, values),
                           paths = c(known$paths, paths))
      for (i in seq_along(values)) {
        found <- looks_at(values[[i]], names(values)[i], place, paths[i], look$names)
        waiting <- c(waiting, found)
      }
      look[c("path", "whole")] <- list("", FALSE)
    }
  }
  visits
}

# The texts of the code that other code reaches, by the paths to it.
reached_texts <- function(code, home = NULL) {
  texts <- unlist(lapply(reached_code(code, home), function(visit) {
    unlist(unname(Map(code_pieces, visit$values, visit$paths, names(visit$values))))
  }))
  texts[order(rlang::names2(texts))]
}

hides_code <- function(code, home = NULL) {
  inherits(try(reached_code(code, home), silent = TRUE), "try-error")
}

printable_name <- function(name) {
  ifelse(make.names(name) == name, name, paste0("`", encodeString(name), "`"))
}

# ---- places --------------------------------------------------------------------------------------

# Where a piece of code looks for names, and for which. A place is looked at as a whole where it has
# nothing but what a function needs (see portable_function()), or is a value that code can read.
new_look <- function(place, names, path = "", whole = FALSE) {
  list(place = place, names = names, path = path, whole = whole)
}

# R asks a place that says it is a namespace for its name, and nothing else.
looks_at <- function(value, name, home, path, names) {
  if (name != ".__NAMESPACE__.") return(looks_of(value, home, path, names))
  if (is.environment(value)) list(new_look(value, "spec", paste0(path, "$")))
}

# The looks of all functions and of other code in a value. Steps of a recipe have places that only
# their package reads: `places = FALSE`.
looks_of <- function(x, home = NULL, path = "", names = NULL, places = TRUE) {
  if (!holds_cpp(x, "code")) return(NULL)
  if (is.environment(x)) {
    return(if (places) list(new_look(x, names, paste0(path, "$"), whole = TRUE)))
  }
  own <- NULL
  if (!is.list(x) && is.language(x) || is.function(x)) {
    names <- names_in(x)
    places <- TRUE
    from <- if (is.function(x)) environment(x) else formula_place(x) %||% home
    if (!is.null(from)) own <- list(new_look(from, names))
    home <- NULL
  }
  parts <- code_parts(x)
  paths <- part_labels(parts, path)
  c(own, unlist(Map(function(part, path) looks_of(part, home, path, names, places), parts, paths),
                recursive = FALSE, use.names = FALSE))
}

formula_place <- function(x) {
  place <- attr(x, ".Environment", exact = TRUE)
  if (is.environment(place)) place
}

# Parts of a list, a call or a function, and of their attributes, by name. Where code stands in a
# file, and the place of a formula, are no parts.
code_parts <- function(x) {
  parts <- if (is.function(x)) {
    list(formals(x), body(x))
  } else if (is.list(x) || is.call(x) || is.expression(x)) {
    as.list(unclass(x))
  }
  more <- attributes(x)
  more <- more[setdiff(names(more), c("names", "class", ".Environment", source_attributes))]
  names(more) <- if (length(more) > 0L) paste0("@", names(more))
  parts <- c(parts, more)
  parts[!vapply(parts, is_empty_argument, NA)]
}

source_attributes <- c("srcref", "srcfile", "wholeSrcref")

part_labels <- function(parts, path) {
  names <- rlang::names2(parts)
  own <- paste0("$", printable_name(names))
  own[names == ""] <- sprintf("[[%d]]", seq_along(parts))[names == ""]
  own[startsWith(names, "@")] <- names[startsWith(names, "@")]
  paste0(path, own)
}

# Names in some code, and texts, by which functions such as get() find what they name.
names_in <- function(code) {
  if (is.symbol(code)) return(as.character(code))
  if (is.character(code)) return(as.vector(unclass(code)))
  if (is.environment(code)) return(NULL)
  unique(as.character(unlist(lapply(unname(code_parts(code)), names_in))))
}

# The values in a place that code can find, but for those that are `known`.
place_values <- function(place, look, known) {
  bound <- setdiff(ls(envir = place, all.names = TRUE, sorted = FALSE), c(known, ""))
  whole <- look$whole || identical(parent.env(place), baseenv())
  if (!whole) bound <- bound[may_be_found(bound, look$names)]
  if (length(bound) == 0L) return(list())
  if (any(runs_when_seen(place, bound))) stop_hiding()
  values <- mget(bound, envir = place)
  if (holds_cpp(values, "trap")) stop_hiding()
  values[!vapply(values, is_empty_argument, NA)]
}

# Beside the names themselves: functions that give parts new values, methods, and what R asks places
# for when it looks for methods.
may_be_found <- function(bound, names) {
  bare <- sub("<-", "", bound, fixed = TRUE)
  named <- c(names, "Ops", "Math", "Summary", "Complex", "length")
  is_method <- vapply(bare, function(name) {
    dots <- gregexpr(".", name, fixed = TRUE)[[1L]]
    any(substring(name, 1L, dots - 1L) %in% named & dots > 0L)
  }, NA)
  asked <- c(".__NAMESPACE__.", if ("UseMethod" %in% names) ".__S3MethodsTable__.")
  bare %in% names | bound %in% c(names, asked) | is_method
}

# ---- texts ---------------------------------------------------------------------------------------

# The texts of all code in a value, by the path to it.
code_pieces <- function(x, path, name = "") {
  if (is.environment(x) || !holds_cpp(x, "code")) return(NULL)
  whole <- is.function(x) || (is.language(x) && !is.list(x))
  if (is.function(x) && is_plain_name(x, name)) return(NULL)
  if (whole) return(stats::setNames(expression_text(x), path))
  parts <- code_parts(x)
  unlist(unname(Map(code_pieces, parts, part_labels(parts, path))))
}

# A function of R under its own name goes without saying.
is_plain_name <- function(fun, name) {
  known <- known_function(fun)
  if (is.null(known)) return(FALSE)
  known <- as.list(known)
  if (length(known) == 2L) return(identical(known[[2L]], name))
  as.character(known[[2L]]) %in% c("base", "stats") && identical(as.character(known[[3L]]), name)
}

# ---- code to run ---------------------------------------------------------------------------------

# Code as its text says: a function in a file can have bytecode that does something else. Functions
# are made again from their arguments and their expression, also where others find them.
settled_code <- function(code, home = NULL) {
  if (!holds_cpp(code, "own")) return(code)
  for (visit in reached_code(code, home)) {
    for (name in names(visit$values)) settle_binding(visit$place, name, visit$values[[name]])
  }
  plain_code(code)
}

settle_binding <- function(place, name, value) {
  if (is.environment(value) || !holds_cpp(value, "own")) return(invisible())
  locked <- bindingIsLocked(name, place)
  if (locked) rlang::env_binding_unlock(place, name)
  assign(name, plain_code(value), envir = place)
  if (locked) rlang::env_binding_lock(place, name)
}

plain_code <- function(x) {
  if (is.environment(x) || !holds_cpp(x, "own")) return(x)
  if (is.function(x)) return(plain_function(x))
  if (is.pairlist(x)) return(as.pairlist(plain_code(as.list(x))))
  formal <- isS4(x)
  kept <- lapply(attributes(x), plain_code)
  if (is.list(x) || is.call(x) || is.expression(x)) {
    x <- unclass(x)
    for (i in seq_along(x)) if (!is_empty_argument(x[[i]])) x[i] <- list(plain_code(x[[i]]))
  }
  attributes(x) <- kept[setdiff(names(kept), source_attributes)]
  if (formal) asS4(x) else x
}

# One of a package is that of the package.
plain_function <- function(fun) {
  if (is.primitive(fun)) return(fun)
  known <- known_function(fun)
  if (!is.null(known)) return(get(as.character(known[[3L]]), envir = environment(fun)))
  arguments <- lapply(as.list(formals(fun)), function(x) {
    if (is_empty_argument(x)) x else plain_code(x)
  })
  plain <- as.function(c(arguments, list(plain_code(body(fun)))), envir = environment(fun))
  kept <- lapply(attributes(fun), plain_code)
  attributes(plain) <- kept[setdiff(names(kept), source_attributes)]
  if (isS4(fun)) asS4(plain) else plain
}
