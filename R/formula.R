# Formulas: which variables they name, what must be remembered of them, and their values in new
# data.
#
# A variable is an expression such as log(x), cut(x, 3) or splines::ns(x, 3). What it learns from
# the data (breaks, knots, means) is put into the expression in training, and so is what it takes
# from the calling environment. The stored expression needs the columns of the data alone, gives
# each row the same value whatever rows come with it, and works in a fresh session.

# The variables, terms and offsets of a formula; `names` are those of the data, for the dot.
parse_formula <- function(formula, names, call) {
  own <- names[usable_names(names)]
  frame <- as.data.frame(stats::setNames(as.list(rep(NA, length(own))), own), optional = TRUE)
  if ("." %in% all.vars(formula)) check_dot_names(names, formula, call)
  terms <- mold_or_abort(stats::terms(formula, data = frame), "formula", call)
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

usable_names <- function(names) {
  !is.na(names) & nzchar(names) & !duplicated(names) & !duplicated(names, fromLast = TRUE)
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

expression_label <- function(expression) {
  if (is.symbol(expression)) return(as.character(expression))
  label <- paste(trimws(deparse(expression, width.cutoff = 500L)), collapse = " ")
  if (nchar(label) > 200L) paste0(substr(label, 1L, 200L), "...") else label
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

# A function in a formula sees its arguments and the place where the formula was made; a column has to be an argument.
freeze_function <- function(expression, data) {
  fun <- eval(expression, data$env)
  code <- c(list(body(fun)), as.list(formals(fun)))
  used <- setdiff(unlist(lapply(code, all.vars)), c(names(formals(fun)), unlist(lapply(code, local_names))))
  columns <- intersect(used, names(data$columns))
  if (length(columns) > 0L) {
    stop("a function in it uses the column ", columns[1L], ", which must be an argument of the function.", call. = FALSE)
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
