# The code in a model. All else in it are data (objects.R). A formula computes its terms and a
# recipe its steps, from expressions that the model keeps: print() shows these very expressions, not
# a label that may say something else, and predictions evaluate nothing but them.

# Lines of text about what predictions of a model run; none where they only read columns.
code_lines <- function(preprocessor) {
  switch(preprocessor$kind,
    formula = c(labeled("computes", formula_code(preprocessor)),
                labeled("response", response_code(preprocessor$response$call))),
    recipe = labeled("recipe", vapply(plain_steps(preprocessor$recipe), step_text, "")),
    hardhat = labeled("computes", blueprint_code(preprocessor$blueprint))
  )
}

labeled <- function(label, code) {
  if (length(code) > 0L) paste0(label, ": ", paste(code, collapse = ", "))
}

cat_code <- function(preprocessor) {
  lines <- code_lines(preprocessor)
  for (line in lines) cat_wrapped(line, 4)
}

formula_code <- function(preprocessor) {
  expression_texts(Filter(is.call, c(preprocessor$variables, preprocessor$offsets)))
}

response_code <- function(expression) if (is.call(expression)) expression_texts(list(expression))

# The texts of expressions, and after them the functions that those which are not R's or a
# package's call in turn.
expression_texts <- function(expressions) {
  helpers <- own_helpers(expressions)
  with_helpers <- if (length(helpers) > 0L) {
    paste("with", names(helpers), "=", vapply(helpers, function_text, ""))
  }
  c(vapply(expressions, expression_text, ""), with_helpers)
}

# ---- text ----------------------------------------------------------------------------------------

expression_text <- function(expression) code_text(without_values(expression))

code_text <- function(code) {
  lines <- trimws(deparse(code, width.cutoff = 500L, backtick = FALSE))
  gsub("; }", " }", gsub("{; ", "{ ", paste(lines, collapse = "; "), fixed = TRUE), fixed = TRUE)
}

function_text <- function(fun) code_text(shown_function(fun))

# Code as it is, long values as what they are: <4 numbers>. No method of any class may be asked.
without_values <- function(code) {
  if (is.function(code)) return(shown_function(code))
  if (is.pairlist(code) && !is.null(code)) {
    parts <- as.list(code)
    given <- !vapply(parts, is_empty_argument, NA)
    parts[given] <- lapply(parts[given], without_values)
    return(as.pairlist(parts))
  }
  if (!is.call(code)) return(if (is.symbol(code)) code else shown_value(code))
  code <- unclass(code)
  for (i in seq_along(code)) {
    if (!is_empty_argument(code[[i]])) code[i] <- list(without_values(code[[i]]))
  }
  code
}

is_empty_argument <- function(x) identical(x, rlang::missing_arg())

# R's own functions and those of packages by their names, which are theirs where the code is.
shown_function <- function(fun) {
  known <- known_function(fun)
  if (!is.null(known)) return(known)
  call("function", without_values(as.pairlist(formals(fun))), without_values(body(fun)))
}

known_function <- function(fun) {
  if (is.primitive(fun)) return(str2lang(deparse(fun)))
  home <- environment(fun)
  if (is.null(home) || !isNamespace(home)) return(NULL)
  for (name in names(home)) {
    if (bindingIsActive(name, home) || rlang::env_binding_are_lazy(home, name)) next
    if (identical(home[[name]], fun, ignore.srcref = TRUE, ignore.bytecode = TRUE)) {
      return(call("::", as.name(getNamespaceName(home)[["name"]]), as.name(name)))
    }
  }
  NULL
}

shown_value <- function(value) {
  if (is.null(value)) return(value)
  if (is.atomic(value) && !is.object(value) && length(value) == 1L) {
    if (is.character(value) && !is.na(value) && nchar(value, "bytes") > 60L) {
      value <- paste0(substr(encodeString(value), 1L, 60L), "...")
    }
    attributes(value) <- NULL
    return(if (is.numeric(value)) signif(value, 4) else value)
  }
  what <- if (is.object(value)) class(value)[1L] else typeof(value)
  numbers <- what %in% c("double", "integer")
  as.name(if (numbers) paste0("<", length(value), " numbers>") else paste0("<", what, ">"))
}

# ---- functions of the user's own -----------------------------------------------------------------

# Functions in some code, whose own code is with it.
inner_functions <- function(code) {
  if (is.function(code)) return(list(code))
  if (is.call(code) || is.pairlist(code)) return(unlist(lapply(as.list(unclass(code)),
                                                               inner_functions)))
  NULL
}

# The functions that those in some expressions find where they were put, by name.
own_helpers <- function(expressions) {
  found <- list()
  for (place in function_places(expressions)) {
    functions <- Filter(is.function, as.list(place, all.names = TRUE))
    found <- c(found, Filter(function(fun) is.null(known_function(fun)), functions))
  }
  found[order(rlang::names2(found))]
}

# The places of the functions in some expressions, of the functions in those places, and so on.
function_places <- function(expressions) {
  places <- list()
  waiting <- unlist(lapply(expressions, inner_functions))
  while (length(waiting) > 0L) {
    place <- environment(waiting[[1L]])
    waiting <- waiting[-1L]
    known <- function(place) any(vapply(places, identical, NA, place))
    while (!is.null(place) && !is_shared_place(place) && !known(place)) {
      if (hides_code(place)) stop("code in hiding", call. = FALSE)
      places <- c(places, list(place))
      waiting <- c(waiting, Filter(is.function, as.list(place, all.names = TRUE)))
      place <- parent.env(place)
    }
  }
  places
}

# Places that every session has, and whose content is not in the model.
is_shared_place <- function(place) {
  identical(place, emptyenv()) || identical(place, baseenv()) || identical(place, globalenv()) ||
    isNamespace(place) || startsWith(environmentName(place), "package:")
}

# An active binding or a promise runs when it is looked at.
hides_code <- function(place) {
  names <- ls(place, all.names = TRUE, sorted = FALSE)
  length(names) > 0L && (any(rlang::env_binding_are_active(place, names)) ||
                           any(rlang::env_binding_are_lazy(place, names)))
}

hides_formula_code <- function(preprocessor) {
  code <- c(preprocessor$variables, preprocessor$offsets, preprocessor$response$call)
  inherits(try(function_places(code), silent = TRUE), "try-error")
}

# ---- recipes and blueprints ----------------------------------------------------------------------

# Steps as plain lists with their classes. A recipe may have none; what is no recipe is damage.
plain_steps <- function(recipe) {
  if (!is.list(recipe)) stop("no recipe", call. = FALSE)
  steps <- unclass(recipe)$steps
  if (!is.null(steps) && !is.list(steps)) stop("no steps", call. = FALSE)
  lapply(unclass(steps), function(step) list(class = class(step), parts = unclass(step)))
}

# A step by its class, with all code in it. The selections of a prepared step were made.
step_text <- function(step) {
  parts <- step$parts[setdiff(names(step$parts), "terms")]
  code <- found_code(parts)
  name <- paste(setdiff(step$class, "step"), collapse = "/")
  if (length(code) == 0L) name else sprintf("%s(%s)", name, paste(code, collapse = ", "))
}

# The texts of all code in a list, as deep as it goes.
found_code <- function(x) {
  if (is.function(x)) return(code_text(shown_function(x)))
  if (is.call(x)) return(expression_text(if (rlang::is_quosure(x)) rlang::quo_get_expr(x) else x))
  if (is.expression(x)) return(vapply(as.list(unclass(x)), expression_text, ""))
  if (is.list(x)) return(as.character(unlist(lapply(unclass(x), found_code))))
  NULL
}

# Models of the first release have a blueprint of hardhat, which keeps the terms of their formula.
blueprint_code <- function(blueprint) {
  terms <- unclass(blueprint)$terms
  calls <- unlist(lapply(unclass(terms), function(part) {
    unlist(lapply(c("predvars", "variables"), function(name) as.list(attr(part, name))[-1L]))
  }))
  unique(expression_texts(Filter(is.call, calls)))
}
