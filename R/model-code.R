# The code in a model. All else in it are data (objects.R). A formula computes its terms and a
# recipe its steps, from expressions that the model keeps: print() shows these very expressions, not
# a label that may say something else, and predictions evaluate nothing but them.

# Lines of text about what predictions of a model run; none where they only read columns. Its init,
# where it is a function, runs where more nodes are drawn.
code_lines <- function(model) {
  preprocessor <- model$preprocessor
  c(
    switch(preprocessor$kind,
      formula = c(labeled("computes", formula_code(preprocessor)),
                  labeled("response", response_code(preprocessor$response$call))),
      recipe = labeled("recipe", recipe_code(preprocessor$recipe)),
      hardhat = c(labeled("computes", blueprint_code(preprocessor$blueprint)),
                  labeled("recipe", recipe_code(preprocessor$blueprint$recipe)))
    ),
    if (is.function(model$spec$init)) labeled("given by", expression_texts(list(model$spec$init)))
  )
}

labeled <- function(label, code) {
  if (length(code) > 0L) paste0(label, ": ", paste(code, collapse = ", "))
}

cat_code <- function(model) {
  for (line in code_lines(model)) cat_wrapped(line, 4)
}

formula_code <- function(preprocessor) {
  expression_texts(Filter(is.call, c(preprocessor$variables, preprocessor$offsets)))
}

response_code <- function(expression) if (is.call(expression)) expression_texts(list(expression))

# The texts of expressions, and after them all code that they reach and that is not R's.
expression_texts <- function(expressions, home = NULL) {
  c(vapply(expressions, expression_text, ""), with_texts(reached_texts(expressions, home)))
}

with_texts <- function(texts) {
  if (length(texts) > 0L) unique(paste("with", names(texts), "=", texts))
}

# ---- text ----------------------------------------------------------------------------------------

# A quosure by its expression.
expression_text <- function(expression) {
  if (rlang::is_quosure(expression)) expression <- as.list(unclass(expression))[[2L]]
  code_text(without_values(expression))
}

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
  if (is.symbol(code)) return(code)
  if (!is.call(code)) return(with_attributes(shown_value(code), code))
  shown <- as.list(unclass(code))
  for (i in seq_along(shown)) {
    if (!is_empty_argument(shown[[i]])) shown[i] <- list(without_values(shown[[i]]))
  }
  with_attributes(as.call(shown), code)
}

# Code can be in attributes, too.
with_attributes <- function(shown, code) {
  more <- attributes(code)
  more <- more[setdiff(names(more), c("names", "class", ".Environment", source_attributes))]
  more <- more[vapply(more, holds_cpp, NA, "code")]
  if (length(more) == 0L) return(shown)
  as.call(c(list(as.name("structure"), shown), lapply(more, without_values)))
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
  if (is.null(home) || !is_loaded_namespace(home)) return(NULL)
  package <- getNamespaceName(home)[[1L]]
  for (name in names(home)) {
    if (bindingIsActive(name, home) || rlang::env_binding_are_lazy(home, name)) next
    if (identical(home[[name]], fun, ignore.srcref = TRUE, ignore.bytecode = TRUE)) {
      return(call("::", as.name(package), as.name(name)))
    }
  }
  NULL
}

shown_value <- function(value) {
  if (is.null(value)) return(value)
  if ((is.list(value) || is.expression(value)) && holds_cpp(value, "code")) {
    parts <- lapply(as.list(unclass(value)), without_values)
    return(as.call(c(as.name(typeof(value)), parts)))
  }
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

# ---- formulas ------------------------------------------------------------------------------------

hides_formula_code <- function(preprocessor) {
  hides_code(c(preprocessor$variables, preprocessor$offsets, list(preprocessor$response$call)))
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
  code <- unlist(lapply(found_code(step_parts(step)), expression_text))
  name <- paste(setdiff(step$class, "step"), collapse = "/")
  if (length(code) == 0L) name else sprintf("%s(%s)", name, paste(code, collapse = ", "))
}

step_parts <- function(step) step$parts[setdiff(names(step$parts), "terms")]

# The texts of the steps, and after them all code that they reach.
recipe_code <- function(recipe) {
  if (is.null(recipe)) return(NULL)
  if (holds_cpp(recipe, "trap")) stop_hiding()
  steps <- plain_steps(recipe)
  reached <- reached_texts(found_code(lapply(steps, step_parts)))
  c(vapply(steps, step_text, ""), with_texts(reached))
}

hides_recipe_code <- function(recipe) {
  inherits(try(recipe_code(recipe), silent = TRUE), "try-error")
}

# All code in a list, as deep as it goes. A quosure shows its expression, and looks for names where
# it was made.
found_code <- function(x) {
  if (is.function(x) || is.call(x)) return(list(x))
  if (is.expression(x) || is.list(x)) {
    return(unlist(lapply(unname(code_parts(x)), found_code), recursive = FALSE))
  }
  NULL
}

# The recipe with its steps as their texts say.
settled_recipe <- function(recipe) {
  for (i in seq_along(recipe$steps)) {
    step <- unclass(recipe$steps[[i]])
    own <- setdiff(names(step), "terms")
    reached <- found_code(step[own])
    if (!holds_cpp(reached, "own")) next
    settled_code(reached)
    step[own] <- lapply(step[own], plain_code)
    attributes(step) <- attributes(recipe$steps[[i]])
    recipe$steps[[i]] <- step
  }
  recipe
}

# Models of the first release have a blueprint of hardhat, which keeps the terms of their formula.
blueprint_code <- function(blueprint) {
  if (holds_cpp(blueprint, "trap")) stop_hiding()
  texts <- lapply(unclass(unclass(blueprint)$terms), function(part) {
    calls <- unlist(lapply(c("predvars", "variables"), function(name) {
      as.list(attr(part, name))[-1L]
    }))
    expression_texts(Filter(is.call, calls), formula_place(part))
  })
  rest <- unclass(blueprint)
  rest <- found_code(rest[setdiff(names(rest), c("recipe", "terms", "formula"))])
  unique(c(unlist(texts, use.names = FALSE), expression_texts(rest)))
}

hides_blueprint_code <- function(blueprint) {
  inherits(try(blueprint_code(blueprint), silent = TRUE), "try-error") ||
    hides_recipe_code(blueprint$recipe)
}

settled_blueprint <- function(blueprint) {
  if (!is.null(blueprint$recipe)) blueprint$recipe <- settled_recipe(blueprint$recipe)
  terms <- blueprint$terms
  blueprint$terms[] <- lapply(terms, function(part) settled_code(part, formula_place(part)))
  blueprint
}
