# The variables of a formula: what must be remembered of them, and their values in other rows.
#
# A variable is an expression such as log(x), cut(x, 3) or splines::ns(x, 3). What it learns from
# the data (breaks, knots, means) is put into the expression in training, and so is what it takes
# from the calling environment. The stored expression needs the columns of the data alone, gives
# each row the same value whatever rows come with it, and works in a fresh session.

# `data` are the columns of the training rows, their number, their case weights, and the place where
# the formula was made.
mold_formula <- function(parsed, data, na_action, call) {
  all <- freeze_variables(c(parsed$variables, parsed$offsets), data, call)
  own <- seq_along(parsed$variables)
  raw <- raw_rules(data$columns, "data", call)
  learned <- learn_columns(all$values[own], all$labels[own], na_action, data$case_weights, "data",
                           call)
  preprocessor <- list(
    kind = "formula", columns = raw, variables = all$stored[own], rules = learned$rules,
    terms = parsed$terms, margins = parsed$margins, offsets = all$stored[-own],
    all_levels = isFALSE(parsed$intercept),
    counts = c(terms = length(parsed$terms), offsets = length(parsed$offsets))
  )
  preprocessor$width <- sum(term_widths(preprocessor))
  x <- term_columns(preprocessor, learned$codes, data$rows, "formula", call)
  c(with_offset(x, all$values[-own], na_action, "data", call), list(preprocessor = preprocessor))
}

forge_formula <- function(preprocessor, columns, rows, na_action, arg, call) {
  # Functions need not know what to do without rows.
  if (rows == 0L) {
    offset <- if (length(preprocessor$offsets) > 0L) numeric()
    return(list(x = matrix(0, 0L, preprocessor$width), offset = offset))
  }
  columns <- conform_columns(preprocessor$columns, columns, na_action, arg, call)
  new <- new_values(preprocessor, columns, rows, arg, call)
  codes <- read_columns(preprocessor$rules, new$values, na_action, arg, call)
  x <- term_columns(preprocessor, codes, rows, arg, call)
  with_offset(x, new$offsets, na_action, arg, call)
}

# Variables as new data need them, with their values in the training rows.
freeze_variables <- function(variables, data, call) {
  labels <- vapply(variables, expression_label, "")
  plain <- vapply(variables, is_column, logical(1), data$columns)
  longer <- if (!all(plain)) column_rows(data$columns, c(1L, seq_len(data$rows)))
  stored <- values <- vector("list", length(variables))
  for (i in seq_along(variables)) {
    if (plain[i]) {
      # A column is its own value.
      stored[[i]] <- variables[[i]]
      values[[i]] <- data$columns[[labels[i]]]
      next
    }
    stored[i] <- list(freeze_variable(variables[[i]], data$columns, longer, data$env, call))
    values[i] <- list(training_values(stored[[i]], labels[i], data$columns, data$rows, call))
  }
  list(stored = stored, values = values, labels = labels)
}

is_column <- function(expression, columns) {
  is.symbol(expression) && as.character(expression) %in% names(columns)
}

training_values <- function(expression, label, columns, rows, call) {
  value <- tryCatch(variable_values(expression, columns, rows), error = function(e) {
    abort_term(label, conditionMessage(e), call)
  })
  check_by_row(expression, label, value, columns, rows, call)
  value
}

# The values of the stored variables and offsets in other rows.
new_values <- function(preprocessor, columns, rows, arg, call) {
  values_of <- function(expression, label) {
    value <- tryCatch(variable_values(expression, columns, rows), error = function(e) {
      text <- conditionMessage(e)
      abort_argument(arg, "{.arg {arg}} has no values of {.code {label}}: {text}", call)
    })
    if (NROW(value) == rows) return(value)
    message <- "{.arg {arg}} has {NROW(value)} values of {.code {label}} for {rows} row{?s}."
    abort_argument(arg, message, call)
  }
  labels <- vapply(preprocessor$rules, function(rule) rule$name, "")
  code <- settled_code(preprocessor[c("variables", "offsets")])
  list(values = Map(values_of, code$variables, labels),
       offsets = lapply(code$offsets, values_of, "offset"))
}

# The expression as new data need it. `columns` are those of the training rows, `longer` the same
# with one row more.
freeze_variable <- function(expression, columns, longer, env, call) {
  label <- expression_label(expression)
  learn <- function(columns, longer) {
    suppressWarnings(freeze(expression, list(columns = columns, longer = longer, env = env)))
  }
  tryCatch(learn(columns, longer), error = function(e) {
    # Functions that take no missing values, as poly(), learn from the complete rows.
    needed <- columns[intersect(all.vars(expression), names(columns))]
    rows <- if (length(needed) > 0L) NROW(needed[[1L]]) else 0L
    complete <- which(complete_rows(needed, rows))
    if (length(complete) %in% c(0L, rows)) abort_term(label, conditionMessage(e), call)
    tryCatch(learn(column_rows(columns, complete), column_rows(columns, c(complete[1L], complete))),
             error = function(e) abort_term(label, conditionMessage(e), call))
  })
}

abort_term <- function(label, reason, call) {
  abort_argument(
    "formula", "{.arg formula}: the term {.code {label}} cannot be used: {reason}", call
  )
}

# Values that do not grow with the rows are summaries or constants: they stay as they are in
# training.
freeze <- function(expression, data) {
  if (is.symbol(expression)) return(freeze_symbol(expression, data))
  if (!is.call(expression)) return(expression)
  if (is_call_to(expression, "function")) return(freeze_function(expression, data))
  if (is_call_to(expression, c("quote", "~", "::", ":::"))) return(expression)
  head <- freeze_head(expression[[1L]], data)
  frozen <- freeze_arguments(expression, data)
  frozen[[1L]] <- head$call
  value <- evaluate(frozen, data$columns)
  grows <- tryCatch(NROW(evaluate(frozen, data$longer)) != NROW(value), error = function(e) TRUE)
  if (!grows) return(quoted(value))
  stored <- remember_basis(remember_breaks(frozen, head$fun, data$columns), expression, value)
  if (identical(stored, frozen)) return(frozen)
  if (!same_values(plain_column(evaluate(stored, data$columns)), plain_column(value))) {
    stop("what it learns from the data cannot be stored.", call. = FALSE)
  }
  stored
}

# A function in a formula sees its arguments and the place where the formula was made; a column has
# to be an argument.
freeze_function <- function(expression, data) {
  fun <- eval(expression, data$env)
  code <- c(list(body(fun)), as.list(formals(fun)))
  own <- c(names(formals(fun)), unlist(lapply(code, local_names)))
  used <- setdiff(unlist(lapply(code, all.vars)), own)
  columns <- intersect(used, names(data$columns))
  if (length(columns) > 0L) {
    stop("a function in it uses the column ", columns[1L],
         ", which must be an argument of the function.", call. = FALSE)
  }
  portable_function(fun)
}

is_call_to <- function(expression, functions) {
  is.call(expression) && is.symbol(expression[[1L]]) &&
    as.character(expression[[1L]]) %in% functions
}

# What follows $ is a name, and x[, 1] has an argument that is empty.
freeze_arguments <- function(expression, data) {
  last <- if (is_call_to(expression, c("$", "@"))) 2L else length(expression)
  for (i in seq_len(last)[-1L]) {
    if (identical(expression[[i]], quote(expr = ))) next
    expression[i] <- list(freeze(expression[[i]], data))
  }
  expression
}

freeze_symbol <- function(symbol, data) {
  name <- as.character(symbol)
  if (name %in% names(data$columns)) return(symbol)
  quoted(get(name, envir = data$env))
}

# A value in the place of the expression that gave it; code must not run again.
quoted <- function(value) {
  if (is.function(value)) return(portable_function(value))
  if (is.language(value)) call("quote", value) else value
}

freeze_head <- function(head, data) {
  if (is.function(head)) return(list(fun = head, call = portable_function(head)))
  if (!is.symbol(head)) {
    # pkg::fun stays; ecdf(x) and the like are frozen to the function that they give.
    frozen <- freeze(head, data)
    return(list(fun = evaluate(frozen, data$columns), call = frozen))
  }
  name <- as.character(head)
  fun <- get(name, envir = data$env, mode = "function")
  list(fun = fun, call = function_call(name, fun))
}

evaluate <- function(expression, columns) eval(expression, columns, formula_scope())

# cut(x, 3) takes its breaks from the range of the data.
remember_breaks <- function(frozen, fun, columns) {
  if (!identical(fun, base::cut) && !identical(fun, base::cut.default)) return(frozen)
  matched <- match.call(base::cut.default, frozen)
  x <- evaluate(matched$x, columns)
  breaks <- evaluate(matched$breaks, columns)
  if (!is.numeric(x) || !is.numeric(breaks) || length(breaks) != 1L) return(frozen)
  matched$breaks <- equal_breaks(x, breaks)
  matched
}

# As in base::cut.default().
equal_breaks <- function(x, count) {
  range <- range(x, na.rm = TRUE)
  width <- diff(range)
  if (width == 0) {
    width <- if (range[1L] != 0) abs(range[1L]) else 1
    return(seq(range[1L] - width / 1000, range[2L] + width / 1000, length.out = count + 1))
  }
  breaks <- seq(range[1L], range[2L], length.out = count + 1)
  breaks[c(1L, count + 1L)] <- c(range[1L] - width / 1000, range[2L] + width / 1000)
  breaks
}

# poly(), scale(), ns() and the like say themselves what their bases need. Their methods look for
# the bare name of the function, which the stored call may lack.
remember_basis <- function(frozen, expression, value) {
  if (!is.object(value) && !is.matrix(value)) return(frozen)
  head <- frozen[[1L]]
  bare <- expression[[1L]]
  if (is.call(bare) && length(bare) == 3L) bare <- bare[[3L]]
  frozen[[1L]] <- bare
  frozen <- tryCatch(stats::makepredictcall(value, frozen), error = function(e) frozen)
  frozen[[1L]] <- head
  frozen
}

# The values of an expression in some rows. A function that takes no missing values, as poly(), sees
# the complete rows.
variable_values <- function(expression, columns, rows) {
  if (is_column(expression, columns)) return(columns[[as.character(expression)]])
  value <- tryCatch(evaluate(expression, columns), error = identity)
  if (!inherits(value, "error")) return(plain_column(value))
  # Some functions, as poly() of two variables, fail for a single row: there it comes twice.
  if (rows == 1L) {
    twice <- variable_values(expression, column_rows(columns, c(1L, 1L)), 2L)
    return(column_rows(list(twice), 1L)[[1L]])
  }
  needed <- columns[intersect(all.vars(expression), names(columns))]
  complete <- complete_rows(needed, rows)
  if (all(complete) || !any(complete)) stop(value)
  part <- plain_column(evaluate(expression, column_rows(columns, which(complete))))
  places <- replace(rep(NA_integer_, rows), which(complete), seq_len(sum(complete)))
  column_rows(list(part), places)[[1L]]
}

complete_rows <- function(columns, rows) {
  holes <- lapply(columns, function(column) {
    if (is.matrix(column)) rowSums(is.na(column)) > 0 else is.na(column)
  })
  !Reduce(`|`, holes, rep(FALSE, rows))
}

abort_count <- function(label, value, rows, call) {
  counts <- paste0("it has ", NROW(value), " values, not one per row of the data (", rows, ").")
  abort_term(label, counts, call)
}

# A value must depend on its row alone: among other rows it must be what it was among all.
check_by_row <- function(expression, label, value, columns, rows, call) {
  if (is.symbol(expression)) return(invisible())
  if (column_kind(value) == "other") {
    abort_term(
      label, "it does not give numbers, levels, text or dates.", call
    )
  }
  if (NROW(value) != rows) {
    abort_count(label, value, rows, call)
  }
  for (part in row_parts(rows)) {
    wanted <- column_rows(list(value), part)[[1L]]
    fewer <- column_rows(columns, part)
    found <- tryCatch(suppressWarnings(variable_values(expression, fewer, length(part))),
                      error = identity)
    if (inherits(found, "error") || !same_values(found, wanted)) {
      reason <- paste("its value for a row depends on the other rows, or on variables that are not",
                      "in the data.")
      abort_term(label, reason, call)
    }
  }
}

# Orders, gaps and single rows: each is something that functions of all rows notice.
row_parts <- function(rows) {
  spread <- unique(round(seq(1, rows, length.out = min(rows, 500L))))
  odd <- spread[seq(1L, length(spread), by = 2L)]
  list(rev(odd), spread[seq_along(spread) > length(spread) / 2], rows, 1L)
}

same_values <- function(found, wanted) {
  if (NROW(found) != NROW(wanted) || NCOL(found) != NCOL(wanted)) return(FALSE)
  if (is.factor(found) || is.character(found)) {
    return(identical(as.character(found), as.character(wanted)))
  }
  if (column_kind(found) == "other" || column_kind(wanted) == "other") return(FALSE)
  if (is.factor(wanted) || is.character(wanted)) return(FALSE)
  found <- as.double(found)
  wanted <- as.double(wanted)
  if (!identical(is.na(found), is.na(wanted))) return(FALSE)
  size <- abs(wanted) + mean(abs(wanted[is.finite(wanted)]))
  close <- found == wanted | abs(found - wanted) <= 1e-8 * size
  all(close, na.rm = TRUE)
}
