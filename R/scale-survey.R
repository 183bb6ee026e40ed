# The first pass: what must be known of all rows before any weight is drawn. Kinds of the columns,
# moments of numbers, counts of levels, and a sample of rows.

survey_pass <- function(asked, source, seed) {
  plan <- list(asked = asked, size = source$sample, folds = source$folds, seed = seed)
  list(name = "survey", label = "Pass 1: ", start = NULL,
       add = function(state, frame, place) survey_chunk(state, frame, place, plan))
}

# `asked` is what to learn: x, a formula or a recipe; case_weights, an expression of columns; and
# na_action.
survey_chunk <- function(state, frame, place, plan) {
  check_even_frame(frame, "data", NULL)
  if (is.null(state)) state <- new_survey(frame, plan$asked)
  columns <- survey_columns(state, frame)
  state$rules <- columns$rules
  columns <- columns$values
  case_weights <- chunk_weights(plan$asked$case_weights, frame)
  usable <- which(survey_rows(state, columns, case_weights, plan$asked$na_action))
  state$read <- state$read + nrow(frame)
  if (length(usable) == 0L) return(state)
  columns <- column_rows(columns, usable)
  case_weights <- case_weights[usable]
  state$rows <- state$rows + length(usable)
  state$weight <- state$weight + if (is.null(case_weights)) length(usable) else sum(case_weights)
  state$weighted <- !is.null(case_weights)
  moments <- raw_moments_cpp(survey_numbers(state, columns), case_weights, 1L)
  known <- state$moments
  state$moments <- if (is.null(known)) moments else merge_moments_cpp(known, moments)
  numbers <- place$rows + usable - 1
  state <- count_levels(state, columns, numbers, place$shard, case_weights)
  state$sample <- sample_chunk(state$sample, columns, numbers, place$shard, case_weights, plan)
  state
}

# Which columns are read, and which of them are the response.
new_survey <- function(frame, asked) {
  names <- names(frame)
  read <- if (inherits(asked$x, "recipe")) {
    variables <- unique(asked$x$var_info$variable)
    list(needed = variables, response = recipe_role(asked$x$var_info, "outcome"))
  } else {
    parsed <- parse_formula(asked$x, names, NULL)
    features <- needed_columns(c(parsed$variables, parsed$offsets), names, NULL)
    response <- needed_columns(list(parsed$response), names, NULL)
    list(needed = c(response, setdiff(features, response)), response = response)
  }
  columns <- named_columns(frame, read$needed, "data", NULL)
  rules <- lapply(raw_rules(columns, "data", NULL), survey_rule)
  c(read, list(rules = rules, read = 0, rows = 0, weight = 0, moments = NULL, levels = list(),
               sample = NULL))
}

# Levels are collected, so none is unknown yet; and later numbers may be fractions.
survey_rule <- function(rule) {
  if (rule$kind == "factor") {
    rule$all_levels <- rule$levels
    if (anyNA(rule$levels)) {
      name <- rule$name
      message <- "Column {.val {name}} has NA as a level, which a source cannot have."
      abort_argument("data", message, NULL)
    }
  }
  rule["levels"] <- list(NULL)
  if (rule$kind == "number") rule[c("integer", "denormal")] <- list(FALSE, TRUE)
  rule
}

# The columns of a chunk as they were in the chunks before. Of a column without any value the kind
# is not known yet.
survey_columns <- function(state, frame) {
  values <- named_columns(frame, state$needed, "data", NULL)
  rules <- Map(function(rule, column) {
    empty <- all(is.na(column))
    if (!empty && isTRUE(rule$empty)) {
      rule <- survey_rule(raw_rules(stats::setNames(list(column), rule$name), "data", NULL)[[1L]])
    }
    rule$empty <- empty && !isFALSE(rule$empty)
    if (rule$kind == "factor") rule$all_levels <- union(rule$all_levels, levels(column))
    rule
  }, state$rules, values)
  values <- Map(function(rule, column) {
    if (is.factor(column)) column <- as.character(column)
    if (rule$kind == "factor") rule$kind <- "text"
    conform_column(rule, column, FALSE, "data", NULL)
  }, rules, values)
  list(rules = rules, values = values)
}

chunk_weights <- function(expression, frame) {
  if (is.null(expression)) return(NULL)
  case_weights <- tryCatch(eval(expression, as.list(frame), baseenv()), error = function(e) {
    text <- conditionMessage(e)
    abort_argument("case_weights", "{.arg case_weights} cannot be found: {text}", NULL)
  })
  check_row_weights(expression, case_weights, frame)
  # A chunk without any weight says nothing, but is no mistake.
  if (is.numeric(case_weights) && length(case_weights) == nrow(frame) && all(case_weights %in% 0)) {
    return(as.double(case_weights))
  }
  check_case_weights(case_weights, nrow(frame), NULL)
}

# What depends on the other rows of a chunk would depend on the size of the chunks.
check_row_weights <- function(expression, case_weights, frame) {
  if (is.symbol(expression) || length(case_weights) != nrow(frame)) return(invisible())
  part <- c(rev(seq(1L, nrow(frame), by = 2L)), 1L)
  alone <- tryCatch(eval(expression, column_rows(as.list(frame), part), baseenv()),
                    error = function(e) NULL)
  if (length(alone) == length(part) && same_values(alone, case_weights[part])) return(invisible())
  text <- expression_label(expression)
  message <- "{.arg case_weights}: {.code {text}} of a row depends on the other rows."
  abort_argument("case_weights", message, NULL)
}

# Rows to learn from. A missing response cannot be imputed.
survey_rows <- function(state, columns, case_weights, na_action) {
  rows <- NROW(columns[[1L]])
  if (na_action != "omit") {
    none <- if (na_action == "impute") state$response else names(columns)
    lacks <- none[vapply(columns[none], anyNA, logical(1))]
    if (length(lacks) > 0L) {
      message <- "{.arg data} has missing values in {cli::qty(lacks)}column{?s} {.val {lacks}}."
      hint <- if (na_action == "fail") "{.arg na_action} says what else to do with them."
      abort_argument("data", c(message, i = hint), NULL)
    }
  }
  usable <- if (na_action == "omit") complete_rows(columns, rows) else rep(TRUE, rows)
  if (is.null(case_weights)) usable else usable & case_weights > 0
}

names_levels <- function(rule) rule$kind %in% c("factor", "text")
is_single_number <- function(rule) !names_levels(rule) && rule$kind != "matrix"

# The columns as a matrix of numbers; those that have none are missing.
survey_numbers <- function(state, columns) {
  rows <- NROW(columns[[1L]])
  numbers <- Map(function(rule, column) {
    if (is_single_number(rule)) as.double(column) else rep(NA_real_, rows)
  }, state$rules, columns)
  x <- bare_matrix_cpp(unname(numbers), rows)
  colnames(x) <- names(columns)
  check_not_infinite(x, "data", NULL)
  x
}

# Sums of case weights of every level, and the first row that had it.
count_levels <- function(state, columns, numbers, shard, case_weights) {
  for (name in names(columns)[vapply(state$rules, names_levels, logical(1))]) {
    values <- columns[[name]]
    known <- !is.na(values)
    text_levels(values[known], name, "data", NULL)
    values[known] <- enc2utf8(values[known])
    first <- which(known & !duplicated(values))
    old <- state$levels[[name]]
    fresh <- first[!values[first] %in% old$level]
    check_indicators(length(old$level) + length(fresh), min(state$rows, 1e6), NULL, "data", name)
    witness <- list(level = values[fresh], weight = numeric(length(fresh)),
                    shard = rep(shard, length(fresh)), row = numbers[fresh],
                    columns = column_rows(columns, fresh))
    now <- join_witnesses(old, witness)
    place <- match(values[known], now$level)
    each <- if (is.null(case_weights)) rep(1, sum(known)) else case_weights[known]
    sums <- rowsum(each, place)
    at <- as.integer(rownames(sums))
    now$weight[at] <- now$weight[at] + sums[, 1L]
    state$levels[[name]] <- now
  }
  state
}

join_witnesses <- function(one, other) {
  if (is.null(one)) return(other)
  parts <- c("level", "weight", "shard", "row")
  joined <- stats::setNames(lapply(parts, function(part) c(one[[part]], other[[part]])), parts)
  joined$columns <- Map(join_rows, one$columns, other$columns)
  joined
}

join_rows <- function(a, b) if (is.matrix(a)) rbind(a, b) else c(a, b)

# The surveys of all shards as one, in their order.
merge_surveys <- function(surveys, size, call) {
  surveys <- Filter(Negate(is.null), surveys)
  Reduce(function(one, other) merge_survey(one, other, size, call), surveys)
}

merge_survey <- function(one, other, size, call) {
  if (!identical(one$needed, other$needed)) {
    abort_argument("source", "The shards of the source have different columns.", call)
  }
  unlike <- one$needed[!mapply(same_kind, one$rules, other$rules)]
  if (length(unlike) > 0L) {
    message <- paste("{cli::qty(unlike)}Column{?s} {.val {unlike}} {?is/are} of different kinds in",
                     "the shards.")
    abort_argument("source", message, call)
  }
  merged <- one
  merged$rules <- Map(merge_rule, one$rules, other$rules)
  for (part in c("read", "rows", "weight")) merged[[part]] <- one[[part]] + other[[part]]
  merged$moments <- if (is.null(one$moments) || is.null(other$moments)) {
    if (is.null(one$moments)) other$moments else one$moments
  } else {
    merge_moments_cpp(one$moments, other$moments)
  }
  merged$weighted <- isTRUE(one$weighted) || isTRUE(other$weighted)
  merged$levels <- merge_levels(one$levels, other$levels)
  merged$sample <- merge_samples(one$sample, other$sample, size)
  merged
}

# A column without a value in a shard is of any kind there, and the levels of a factor may be text.
same_kind <- function(a, b) {
  a$kind == b$kind || isTRUE(a$empty) || isTRUE(b$empty) || (names_levels(a) && names_levels(b))
}

merge_rule <- function(a, b) {
  if (isTRUE(a$empty) && !isTRUE(b$empty)) return(b)
  if (a$kind == "factor") a$all_levels <- union(a$all_levels, b$all_levels)
  a
}

merge_levels <- function(one, other) {
  for (name in names(other)) {
    more <- other[[name]]
    old <- one[[name]]
    known <- match(more$level, old$level)
    seen <- which(!is.na(known))
    old$weight[known[seen]] <- old$weight[known[seen]] + more$weight[seen]
    fresh <- which(is.na(known))
    part <- c(lapply(more[c("level", "weight", "shard", "row")], `[`, fresh),
              list(columns = column_rows(more$columns, fresh)))
    one[[name]] <- join_witnesses(old, part)
  }
  one
}
