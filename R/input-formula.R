# A formula and its data as an input.

formula_input <- function(formula, data, call) {
  if (missing(data)) abort_argument("data", "{.arg data} is missing.", call)
  check_data(data, call)
  if (length(formula) != 3L) abort_argument("formula", "{.arg formula} names no response.", call)
  env <- environment(formula)
  if (is.null(env)) env <- globalenv()
  parsed <- parse_formula(formula, names(data), call)
  needed <- needed_columns(c(parsed$variables, parsed$offsets), names(data), call)
  columns <- named_columns(data, needed, "data", call)
  response <- plainly(learn_response(parsed$response, data, env, call))
  count <- nrow(data)
  list(
    y = response$y, rows = count, columns = needed, intercept = parsed$intercept,
    mold = function(na_action, rows = NULL, weights = NULL) {
      weights <- weight_rows(weights, count, rows, call)
      part <- column_rows(columns, rows)
      size <- if (is.null(rows)) count else length(rows)
      learn <- function() {
        mold_formula(parsed, part, size, response$rule, env, na_action, weights, call)
      }
      molded <- plainly(learn())
      with_rows(molded, response$y, rows, count, weights)
    },
    forge = function(preprocessor, na_action, rows) {
      part <- column_rows(columns, rows)
      forged <- plainly(forge_formula(preprocessor, part, length(rows), na_action, "data", call))
      with_rows(forged, response$y, rows, count)
    }
  )
}

check_data <- function(data, call) {
  if (!is.data.frame(data)) {
    abort_argument(
      "data", "{.arg data} must be a data frame, not {.obj_type_friendly {data}}.", call
    )
  }
  if (nrow(data) == 0L) abort_argument("data", "{.arg data} must have rows.", call)
  check_even_frame(data, "data", call)
}

# The response of all rows, and how to find it in other data.
learn_response <- function(expression, data, env, call) {
  needed <- needed_columns(list(expression), names(data), call)
  columns <- named_columns(data, needed, "data", call)
  label <- expression_label(expression)
  plain <- is.symbol(expression) && length(needed) == 1L
  count <- nrow(data)
  longer <- if (!plain) column_rows(columns, c(1L, seq_len(count)))
  stored <- freeze_variable(expression, columns, longer, env, call)
  y <- tryCatch(variable_values(stored, columns, count), error = function(e) {
    abort_term(label, conditionMessage(e), call)
  })
  if (NROW(y) != count) {
    abort_count(label, y, count, call)
  }
  by_row <- tryCatch({
    check_by_row(stored, label, y, columns, count, call)
    TRUE
  }, cawi_error = function(e) FALSE)
  # A response that other data cannot have is not stored: it may be as long as these.
  rule <- list(call = if (by_row) stored, plain = plain, label = label, columns = needed,
               by_row = by_row)
  list(y = plain_response(y), rule = rule)
}

# The response of a data frame, by the formula or the recipe of a fit.
response_of <- function(preprocessor, data, arg, call) {
  data <- as_new_frame(data, arg, call)
  if (preprocessor$kind == "recipe") return(plainly(recipe_response(preprocessor, data, arg, call)))
  rule <- preprocessor$response
  if (is.null(rule)) {
    abort_argument(
      arg, "The model was fitted without a formula: {.arg {arg}} has no response.", call
    )
  }
  label <- rule$label
  columns <- named_columns(data, rule$columns, arg, call)
  if (!rule$by_row) {
    abort_argument(arg, "The response {.code {label}} of a row depends on the other rows.", call)
  }
  y <- tryCatch(plainly(variable_values(rule$call, columns, nrow(data))), error = function(e) {
    text <- conditionMessage(e)
    abort_argument(arg, "{.arg {arg}} has no response {.code {label}}: {text}", call)
  })
  if (NROW(y) != nrow(data)) {
    abort_argument(arg, "{.arg {arg}} has no response {.code {label}} for every row.", call)
  }
  plain_response(y)
}

mold_formula <- function(parsed, columns, count, response, env, na_action, weights, call) {
  raw <- Map(function(column, name) learn_rule(column, name, "data", call, levels = FALSE),
             columns, names(columns))
  all <- c(parsed$variables, parsed$offsets)
  plain <- all(vapply(all, is.symbol, logical(1)))
  longer <- if (!plain) column_rows(columns, c(1L, seq_len(count)))
  stored <- lapply(all, freeze_variable, columns, longer, env, call)
  labels <- vapply(all, expression_label, "")
  values <- Map(training_values, stored, labels, MoreArgs = list(columns, count, call))
  own <- seq_along(parsed$variables)
  learned <- learn_columns(values[own], labels[own], na_action, weights, "data", call)
  preprocessor <- list(
    kind = "formula", columns = raw, variables = stored[own], rules = learned$rules,
    terms = parsed$terms, margins = parsed$margins, offsets = stored[-own], response = response,
    all_levels = isFALSE(parsed$intercept),
    counts = c(terms = length(parsed$terms), offsets = length(parsed$offsets))
  )
  preprocessor$width <- sum(term_widths(preprocessor))
  x <- term_columns(preprocessor, learned$codes, count, "formula", call)
  result <- with_offset(x, values[-own], na_action, "data", call)
  c(result, list(preprocessor = preprocessor))
}

training_values <- function(expression, label, columns, rows, call) {
  value <- tryCatch(variable_values(expression, columns, rows), error = function(e) {
    abort_term(label, conditionMessage(e), call)
  })
  check_by_row(expression, label, value, columns, rows, call)
  value
}

forge_formula <- function(preprocessor, columns, rows, na_action, arg, call) {
  # Functions need not know what to do without rows.
  if (rows == 0L) {
    offset <- if (length(preprocessor$offsets) > 0L) numeric()
    return(list(x = matrix(0, 0L, preprocessor$width), offset = offset))
  }
  impute <- na_action == "impute"
  columns <- Map(function(rule, column) conform_column(rule, column, impute, arg, call),
                 preprocessor$columns, columns)
  new_values <- function(expression, label) {
    value <- tryCatch(variable_values(expression, columns, rows), error = function(e) {
      text <- conditionMessage(e)
      abort_argument(arg, "{.arg {arg}} has no values of {.code {label}}: {text}", call)
    })
    if (NROW(value) == rows) return(value)
    abort_argument(
      arg, "{.arg {arg}} has {NROW(value)} values of {.code {label}} for {rows} row{?s}.", call
    )
  }
  labels <- vapply(preprocessor$rules, function(rule) rule$name, "")
  values <- Map(new_values, preprocessor$variables, labels)
  offsets <- lapply(preprocessor$offsets, new_values, "offset")
  codes <- read_columns(preprocessor$rules, values, na_action, arg, call)
  with_offset(term_columns(preprocessor, codes, rows, arg, call), offsets, na_action, arg, call)
}

# A product needs every level of its factors; an ordered factor, or a logical, whose margin is a term of its
# own has its base there. Without an intercept every level has its column in single terms too.
term_levels <- function(rule, open) if (isTRUE(rule$ordered) || rule$kind == "logical") open else TRUE

term_columns <- function(preprocessor, codes, rows, arg, call) {
  check_result_size(rows, preprocessor$width, arg, call)
  parts <- Map(function(term, margin) {
    if (length(term) == 1L) return(code_matrix(preprocessor$rules[[term]], codes[[term]], preprocessor$all_levels))
    factors <- Map(function(i, open) {
      rule <- preprocessor$rules[[i]]
      code_matrix(rule, codes[[i]], term_levels(rule, open))
    }, term, margin)
    Reduce(multiply_columns, factors)
  }, preprocessor$terms, preprocessor$margins)
  do.call(cbind, unname(parts))
}

multiply_columns <- function(a, b) {
  left <- rep(seq_len(ncol(a)), times = ncol(b))
  right <- rep(seq_len(ncol(b)), each = ncol(a))
  result <- a[, left, drop = FALSE] * b[, right, drop = FALSE]
  colnames(result) <- paste(colnames(a)[left], colnames(b)[right], sep = ":")
  result
}

term_widths <- function(preprocessor) {
  width <- function(rule, all) length(code_labels(rule, all))
  unlist(Map(function(term, margin) {
    if (length(term) == 1L) return(width(preprocessor$rules[[term]], preprocessor$all_levels))
    prod(unlist(Map(function(i, open) {
      rule <- preprocessor$rules[[i]]
      width(rule, term_levels(rule, open))
    }, term, margin)))
  }, preprocessor$terms, preprocessor$margins))
}

# Offsets add up. A row whose offset is missing is an incomplete row; an offset is not imputed.
with_offset <- function(x, offsets, na_action, arg, call) {
  if (length(offsets) > 0L) {
    kinds <- vapply(offsets, column_kind, "")
    fits <- kinds %in% c("number", "logical")
    if (!all(fits)) {
      abort_argument(
        arg, "The {.fn offset} in the formula must be numbers, one per row.", call
      )
    }
    offset <- Reduce(`+`, lapply(offsets, as.double))
    wrong <- if (na_action == "omit") is.infinite(offset) else !is.finite(offset)
    if (any(wrong)) {
      abort_argument(
        arg, "{.arg {arg}} has missing or infinite values of {.fn offset}.", call
      )
    }
    x[is.na(offset), ] <- NA
  } else {
    offset <- NULL
  }
  list(x = handle_missing(x, na_action, NULL, arg, call), offset = offset)
}
