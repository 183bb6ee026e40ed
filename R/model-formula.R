# A formula and its data as an input: which variables it names, and its response.

formula_input <- function(formula, data, case_weights, call) {
  read <- plainly(read_formula(formula, data, call))
  input <- list(y = read$y, rows = nrow(data), columns = names(read$columns),
                intercept = read$parsed$intercept, case_weights = case_weights)
  input$missing <- function() missing_values(read$columns)
  input$mold <- function(na_action, rows = NULL) {
    part <- list(columns = column_rows(read$columns, rows), env = read$env,
                 rows = if (is.null(rows)) input$rows else length(rows),
                 case_weights = some_of_rows(case_weights, rows))
    molded <- plainly(mold_formula(read$parsed, part, na_action, call))
    molded$preprocessor$response <- read$response
    with_rows(molded, input, rows)
  }
  input$forge <- function(preprocessor, na_action, rows) {
    part <- column_rows(read$columns, rows)
    forged <- plainly(forge_formula(preprocessor, part, length(rows), na_action, "data", call))
    with_rows(forged, input, rows)
  }
  input
}

# A formula with its data: the parsed formula, the columns that its features need, the place where
# it was made, and the response, with the rule by which other data give it.
read_formula <- function(formula, data, call) {
  if (length(formula) != 3L) abort_argument("formula", "{.arg formula} names no response.", call)
  env <- environment(formula)
  if (is.null(env)) env <- globalenv()
  parsed <- parse_formula(formula, names(data), call)
  needed <- needed_columns(c(parsed$variables, parsed$offsets), names(data), call)
  response <- learn_response(parsed$response, data, env, call)
  list(parsed = parsed, env = env, columns = named_columns(data, needed, "data", call),
       y = plain_response(response$y), response = response$rule)
}

# The variables, terms and offsets of a formula; `names` are those of the data, for the dot.
parse_formula <- function(formula, names, call) {
  own <- names[usable_names(names)]
  frame <- as.data.frame(stats::setNames(as.list(rep(NA, length(own))), own), optional = TRUE)
  if ("." %in% all.vars(formula)) check_dot_names(names, formula, call)
  # R warns where a column that a formula takes away is not there.
  terms <- mold_or_abort(suppressWarnings(stats::terms(formula, data = frame)), "formula", call)
  variables <- as.list(attr(terms, "variables"))[-1L]
  offsets <- attr(terms, "offset")
  factors <- attr(terms, "factors")
  # One column per term: 0 for variables that are not in it, 2 for those whose margin is no term.
  codes <- lapply(seq_len(NCOL(factors) * (length(factors) > 0L)), function(j) factors[, j])
  sets <- lapply(codes, function(code) unname(which(code > 0)))
  margins <- lapply(codes, function(code) unname(code[code > 0] == 2))
  used <- sort(unique(unlist(sets)))
  if (length(used) == 0L) abort_argument("formula", "{.arg formula} names no features.", call)
  if (attr(terms, "response") %in% used) {
    abort_argument("formula", "{.arg formula} has its response among the features.", call)
  }
  list(
    response = variables[[attr(terms, "response")]], variables = variables[used],
    terms = lapply(sets, match, used), margins = margins,
    offsets = variables[offsets], intercept = if (attr(terms, "intercept") == 0L) FALSE else NA
  )
}

# A dot stands for every other column, so each must have a name of its own.
check_dot_names <- function(names, formula, call) {
  others <- !names %in% all.vars(formula[[2L]])
  if (all(usable_names(names)[others])) return(invisible())
  places <- which(!usable_names(names) & others)
  abort_argument(
    "data",
    paste("{.arg data} has no name of its own for {cli::qty(length(places))}column{?s} {places},",
          "which the dot needs."),
    call
  )
}

# The columns that expressions need, each of which must have a name of its own.
needed_columns <- function(expressions, names, call) {
  needed <- intersect(unique(unlist(lapply(expressions, all.vars))), names[!is.na(names)])
  twice <- needed[needed %in% names[duplicated(names)]]
  if (length(twice) > 0L) {
    abort_argument("data", "{.arg data} has more than one column {.val {twice}}.", call)
  }
  needed
}

# The response of all rows, and how to find it in other data. A response that other data cannot have
# is not stored: it may be as long as these.
learn_response <- function(expression, data, env, call) {
  needed <- needed_columns(list(expression), names(data), call)
  columns <- named_columns(data, needed, "data", call)
  rule <- list(label = expression_label(expression), columns = needed,
               plain = is.symbol(expression) && length(needed) == 1L)
  if (rule$plain) {
    rule[c("call", "by_row")] <- list(expression, TRUE)
    return(list(y = columns[[1L]], rule = rule))
  }
  longer <- column_rows(columns, c(1L, seq_len(nrow(data))))
  stored <- freeze_variable(expression, columns, longer, env, call)
  y <- tryCatch(variable_values(stored, columns, nrow(data)), error = function(e) {
    abort_term(rule$label, conditionMessage(e), call)
  })
  if (NROW(y) != nrow(data)) abort_count(rule$label, y, nrow(data), call)
  rule$by_row <- tryCatch({
    check_by_row(stored, rule$label, y, columns, nrow(data), call)
    TRUE
  }, cawi_error = function(e) FALSE)
  if (rule$by_row) rule$call <- stored
  list(y = y, rule = rule)
}

# The response of other data.
new_response <- function(rule, data, arg, call) {
  label <- rule$label
  columns <- named_columns(data, rule$columns, arg, call)
  if (!rule$by_row) {
    abort_argument(arg, "The response {.code {label}} of a row depends on the other rows.", call)
  }
  y <- tryCatch(variable_values(settled_code(rule$call), columns, nrow(data)), error = function(e) {
    text <- conditionMessage(e)
    abort_argument(arg, "{.arg {arg}} has no response {.code {label}}: {text}", call)
  })
  if (NROW(y) != nrow(data)) {
    abort_argument(arg, "{.arg {arg}} has no response {.code {label}} for every row.", call)
  }
  y
}

# The response of a data frame, by the formula or the recipe of a fit.
response_of <- function(preprocessor, data, arg, call) {
  data <- as_new_frame(data, arg, call)
  if (preprocessor$kind == "recipe") return(plainly(recipe_response(preprocessor, data, arg, call)))
  if (is.null(preprocessor$response)) {
    abort_argument(
      arg, "The model was fitted without a formula: {.arg {arg}} has no response.", call
    )
  }
  plain_response(plainly(new_response(preprocessor$response, data, arg, call)))
}

mold_or_abort <- function(expr, arg, call) {
  tryCatch(expr, error = function(e) {
    if (inherits(e, "cawi_error")) stop(e)
    text <- conditionMessage(e)
    abort_argument(arg, "{.arg {arg}} does not fit {.arg data}: {text}", call)
  })
}
