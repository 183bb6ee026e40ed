# A recipe and its data as an input. Steps may drop, repeat or reorder rows, so each row carries its
# number through the recipe, in a column whose role and type no selector of predictors, outcomes or
# numbers takes.

row_column <- ".cawi_row"

new_row_numbers <- function(count) structure(seq_len(count), class = "cawi_row")

# A recipe that was edited is caught before recipes reads it.
check_recipe <- function(recipe, call) {
  is_table <- function(table) {
    is_plain_frame(table) && all(c("variable", "type", "role") %in% names(table))
  }
  is_list <- function(part) is.null(part) || is.list(part)
  whole <- is.list(recipe) && is_plain_frame(recipe$template) && is_list(recipe$steps) &&
    is_list(recipe$requirements)
  if (!holds(whole && is_table(recipe$var_info) && is_table(recipe$term_info))) {
    abort_argument("x", "{.arg x} is no whole recipe.", call)
  }
}

recipe_input <- function(recipe, data, case_weights, call) {
  check_recipe(recipe, call)
  variables <- unique(recipe$var_info$variable)
  columns <- named_columns(data, variables, "data", call)
  outcomes <- recipe_role(recipe$var_info, "outcome")
  if (length(outcomes) == 0L) abort_argument("x", "{.arg x} names no response.", call)
  take <- function(rows) column_rows(columns, if (is.null(rows)) seq_len(nrow(data)) else rows)
  input <- list(y = joined_outcomes(columns[outcomes]), rows = nrow(data), intercept = NA,
                columns = recipe_role(recipe$var_info, "predictor"),
                case_weights = recipe_weights(recipe, columns, case_weights, call))
  input$missing <- function() missing_values(columns[input$columns])
  input$mold <- function(na_action, rows = NULL) {
    kept <- some_of_rows(input$case_weights, rows)
    molded <- plainly(mold_recipe(recipe, take(rows), na_action, kept, call))
    if (!is.null(rows)) molded$ids <- rows[molded$ids]
    molded
  }
  input$forge <- function(preprocessor, na_action, rows) {
    part <- take(rows)
    forged <- plainly(forge_recipe(preprocessor, part, na_action, "data", call, outcomes = TRUE))
    forged$ids <- rows[forged$ids]
    c(forged, list(case_weights = input$case_weights[forged$ids], offset = NULL))
  }
  input
}

recipe_role <- function(info, role) unique(info$variable[!is.na(info$role) & info$role == role])

# A column of hardhat's case weights has a role of its own.
recipe_weights <- function(recipe, columns, case_weights, call) {
  name <- recipe_role(recipe$var_info, "case_weights")
  if (length(name) == 0L) return(case_weights)
  if (!is.null(case_weights)) {
    message <- "{.arg case_weights} are given, and the recipe has a column of case weights."
    abort_argument("case_weights", message, call)
  }
  if (length(name) > 1L) {
    abort_argument(
      "x", "{.arg x} has more than one column of case weights: {.val {name}}.", call
    )
  }
  if (!hardhat::is_case_weights(columns[[name]])) {
    abort_argument(
      "data", "Column {.val {name}} of {.arg data} has no case weights of {.pkg hardhat}.", call
    )
  }
  check_case_weights(as.double(unclass(columns[[name]])), length(columns[[name]]), call)
}

joined_outcomes <- function(columns) {
  if (length(columns) == 1L) return(plain_response(columns[[1L]]))
  plain_response(columns_frame(columns))
}

# The recipe with the row numbers among its variables.
with_row_role <- function(recipe) {
  for (part in c("var_info", "term_info")) {
    info <- recipe[[part]]
    line <- info[1L, ]
    line$variable <- row_column
    line$role <- "cawi_row"
    line$source <- "original"
    line$type <- if (is.list(info$type)) list("other") else "other"
    recipe[[part]] <- rbind(info, line)
  }
  recipe$template[[row_column]] <- new_row_numbers(nrow(recipe$template))
  # Newer versions of recipes keep the types of all columns.
  if (!is.null(recipe$ptype)) recipe$ptype[[row_column]] <- new_row_numbers(0L)
  recipe
}

mold_recipe <- function(recipe, columns, na_action, case_weights, call) {
  count <- NROW(columns[[1L]])
  predictors <- recipe_role(recipe$var_info, "predictor")
  raw <- Map(function(column, name) {
    # Steps may make features of what is none.
    if (column_kind(column) == "other") return(list(name = name, kind = "other"))
    learn_rule(column, name, "data", call, levels = FALSE)
  }, columns[predictors], predictors)
  columns[[row_column]] <- new_row_numbers(count)
  prepared <- mold_or_abort(
    recipes::prep(with_row_role(recipe), training = columns_frame(columns), fresh = TRUE), "x", call
  )
  baked <- mold_or_abort(recipes::bake(prepared, new_data = NULL), "x", call)
  ids <- row_numbers(prepared, baked, count, call)
  case_weights <- case_weights[ids]
  features <- recipe_role(prepared$term_info, "predictor")
  outcomes <- recipe_role(prepared$term_info, "outcome")
  if (length(outcomes) == 0L) abort_argument("x", "{.arg x} has no response after its steps.", call)
  check_shape(nrow(baked), length(features), "x", call)
  learned <- learn_columns(plain_columns(baked[features]), features, na_action,
                           case_weights, "x", call)
  x <- handle_missing(columns_matrix(learned$rules, learned$codes), na_action, NULL, "x", call)
  # The training data are no longer needed.
  prepared$template <- prepared$template[0L, ]
  preprocessor <- list(
    kind = "recipe", recipe = prepared, steps = recipe_steps(prepared), columns = raw,
    features = features, outcomes = outcomes,
    raw_outcomes = recipe_role(recipe$var_info, "outcome"), rules = learned$rules, width = ncol(x)
  )
  y <- joined_outcomes(plain_columns(baked[outcomes]))
  list(x = x, y = y, case_weights = case_weights, offset = NULL, ids = ids,
       preprocessor = preprocessor)
}

# Steps after which rows are not what they were.
row_steps <- paste0("step_", c(
  "slice", "filter", "sample", "arrange", "naomit", "shuffle", "upsample", "downsample", "smote",
  "rose", "adasyn", "bsmote", "nearmiss", "tomek"
))

row_numbers <- function(prepared, baked, count, call) {
  if (row_column %in% names(baked)) return(as.integer(unclass(baked[[row_column]])))
  moved <- any(vapply(prepared$steps, inherits, logical(1), row_steps))
  if (!moved && nrow(baked) == count) return(seq_len(count))
  abort_argument(
    "x", "{.arg x} drops the columns that tell which row is which, and changes the rows too.", call
  )
}

# Levels that training did not see are refused, unless a step takes care of them.
knows_new_levels <- function(recipe) {
  any(vapply(recipe$steps, inherits, logical(1), paste0("step_", c("novel", "other", "unknown"))))
}

# `columns` has those of the recipe, of some rows. Rows that the recipe drops are not among the
# `ids`.
forge_recipe <- function(preprocessor, columns, na_action, arg, call, outcomes = FALSE) {
  recipe <- preprocessor$recipe <- settled_recipe(preprocessor$recipe)
  count <- NROW(columns[[1L]])
  known <- names(preprocessor$columns)
  open <- knows_new_levels(recipe)
  columns[known] <- Map(function(rule, column) {
    if (rule$kind == "other") return(column)
    if (open && rule$kind == "factor" && column_kind(column) %in% c("factor", "text")) {
      rule$levels <- union(rule$levels, as.character(column))
    }
    conform_column(rule, column, na_action == "impute", arg, call)
  }, preprocessor$columns, columns[known])
  columns[[row_column]] <- new_row_numbers(count)
  frame <- columns_frame(columns)
  baked <- bake_frame(recipe, frame, arg, call)
  ids <- row_numbers(recipe, baked, count, call)
  features <- plain_columns(baked[preprocessor$features])
  if (na_action != "impute") {
    check_lost_text(preprocessor$columns, columns, features, ids, arg, call)
  }
  x <- forge_columns(preprocessor, features, na_action, arg, call)
  result <- list(x = x, ids = ids)
  if (outcomes) result$y <- baked_outcomes(preprocessor, frame, baked, ids)
  result
}

bake_frame <- function(recipe, frame, arg, call) {
  tryCatch(recipes::bake(recipe, new_data = frame), error = function(e) {
    if (inherits(e, "cawi_error")) stop(e)
    text <- conditionMessage(e)
    abort_argument(arg, "{.arg {arg}} does not fit the training data: {text}", call)
  })
}

# recipes makes values of text that training did not see missing, without a word.
check_lost_text <- function(rules, columns, features, ids, arg, call) {
  for (rule in rules[names(rules) %in% names(features)]) {
    if (rule$kind != "text") next
    given <- as.character(columns[[rule$name]])[ids]
    lost <- unique(given[is.na(features[[rule$name]]) & !is.na(given)])
    if (length(lost) > 0L) abort_unseen(rule$name, lost, arg, call)
  }
}

# Steps with skip = TRUE, such as a logarithm of the response, are for rows whose response is known:
# these are.
baked_outcomes <- function(preprocessor, frame, baked, ids) {
  recipe <- preprocessor$recipe
  skipped <- vapply(recipe$steps, function(step) {
    isTRUE(step$skip) && !inherits(step, row_steps)
  }, logical(1))
  if (any(skipped)) {
    recipe$steps[skipped] <- lapply(recipe$steps[skipped], function(step) {
      step$skip <- FALSE
      step
    })
    whole <- tryCatch(recipes::bake(recipe, new_data = frame), error = function(e) NULL)
    if (!is.null(whole) && row_column %in% names(whole)) {
      baked <- whole[match(ids, as.integer(unclass(whole[[row_column]]))), ]
    }
  }
  joined_outcomes(plain_columns(baked[preprocessor$outcomes]))
}

# New data need no response; where a step asks for it, it is used if it is there.
predict_recipe <- function(preprocessor, new_data, na_action, arg, call) {
  check_columns_present(names(preprocessor$columns), names(new_data), arg, call)
  if (nrow(new_data) == 0L) return(matrix(0, 0L, preprocessor$width))
  variables <- intersect(preprocessor$recipe$var_info$variable, names(new_data))
  columns <- named_columns(new_data, variables, arg, call)
  without <- columns[setdiff(variables, preprocessor$raw_outcomes)]
  bake <- function(columns) forge_recipe(preprocessor, columns, na_action, arg, call)
  forged <- tryCatch(bake(without), cawi_error = function(e) {
    if (length(without) == length(columns)) stop(e)
    bake(columns)
  })
  x <- matrix(NA_real_, nrow(new_data), ncol(forged$x), dimnames = list(NULL, colnames(forged$x)))
  # The first of rows that a step repeats.
  first <- !duplicated(forged$ids)
  x[forged$ids[first], ] <- forged$x[first, ]
  x
}

# The response of new rows as the steps make it, NA for rows that they drop.
recipe_response <- function(preprocessor, data, arg, call) {
  variables <- unique(c(names(preprocessor$columns), preprocessor$raw_outcomes))
  check_columns_present(variables, names(data), arg, call)
  variables <- intersect(preprocessor$recipe$var_info$variable, names(data))
  columns <- named_columns(data, variables, arg, call)
  forged <- forge_recipe(preprocessor, columns, "omit", arg, call, outcomes = TRUE)
  response_rows(forged$y, match(seq_len(nrow(data)), forged$ids))
}
