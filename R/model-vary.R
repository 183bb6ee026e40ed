# Rows whose features can be changed one at a time, under the names that the user gave them: what
# importance and effects are computed from. A factor is one feature, however many columns it has.

# Each feature has a name, its `values` in the rows and, where it has levels, their `labels`; the
# values are then places among these. `columns` are those of the matrix that belong to the feature
# alone, and `codes` what they are at each level. Where columns have more than one feature in them
# (a product of two, a step of a recipe), they have to be computed from the data anew.
varied_rows <- function(object, new_data, call) {
  check_dense(object, new_data, call)
  source <- data_source(object)
  features <- separate_features(source$preprocessor)
  if (is.null(new_data)) {
    data <- kept_data(object, "fit", call)
    if (is.null(features)) abort_joined(call)
    rows <- list(x = data$x, offset = data$targets$offset, targets = data$targets)
    return(with_encoded(rows, features))
  }
  forged <- forge_new_data(source, new_data, "new_data", call)
  complete <- which(rowSums(is.na(forged$x)) == 0)
  if (length(complete) == 0L) {
    abort_argument("new_data", "{.arg new_data} has no complete row.", call)
  }
  rows <- list(x = forged$x[complete, , drop = FALSE], offset = forged$offset[complete])
  if (!is.null(features)) return(with_encoded(rows, features))
  frame <- as_new_frame(new_data, "new_data", call)
  with_raw(rows, frame[complete, , drop = FALSE], source, call)
}

# All members of an automatic model read the same columns.
data_source <- function(object) {
  if (inherits(object, "cawi_auto")) object$members[[1L]] else object
}

abort_joined <- function(call) {
  message <- c(
    "The columns of {.arg fit} join several features, or change them before it sees them.",
    i = "Give the data as {.arg new_data}: each feature is then changed there."
  )
  abort_argument("new_data", message, call)
}

# The features of a preprocessor whose columns belong to one of them each, or NULL.
separate_features <- function(preprocessor) {
  if (preprocessor$kind == "matrix") {
    count <- preprocessor$columns
    names <- preprocessor$names %||% paste0("x", seq_len(count))
    return(lapply(seq_len(count), function(j) list(name = names[j], columns = j)))
  }
  if (preprocessor$kind == "formula" && !is_separate(preprocessor)) return(NULL)
  if (preprocessor$kind == "recipe" && length(preprocessor$steps) > 0L) return(NULL)
  rules <- preprocessor$rules
  if (preprocessor$kind == "formula") rules <- rules[unlist(preprocessor$terms)]
  all_levels <- isTRUE(preprocessor$all_levels)
  counts <- vapply(rules, function(rule) length(code_labels(rule, all_levels)), 0L)
  before <- cumsum(c(0L, counts))[seq_along(counts)]
  do.call(c, Map(function(rule, count, before) {
    rule_features(rule, before + seq_len(count), all_levels)
  }, rules, counts, before))
}

# Every term is a column of the data, and no column is in two of them.
is_separate <- function(preprocessor) {
  all(lengths(preprocessor$terms) == 1L) && all(vapply(preprocessor$variables, is.symbol, NA))
}

# A matrix among the columns has a feature for each of its own.
rule_features <- function(rule, columns, all_levels) {
  if (rule$kind == "matrix") {
    return(Map(function(name, j) list(name = name, columns = j), code_labels(rule), columns))
  }
  feature <- list(name = rule$name, columns = columns)
  if (rule$kind %in% c("factor", "text")) {
    feature$labels <- rule$levels
    feature$codes <- unname(code_matrix(rule, seq_along(rule$levels), all_levels))
  }
  if (rule$kind == "logical") {
    feature$labels <- c("FALSE", "TRUE")
    feature$codes <- unname(code_matrix(rule, 0:1, all_levels))
  }
  list(feature)
}

with_encoded <- function(rows, features) {
  rows$features <- lapply(features, function(feature) {
    own <- unname(rows$x[, feature$columns, drop = FALSE])
    if (is.null(feature$labels)) {
      feature$values <- own[, 1L]
    } else {
      key <- function(codes) apply(codes, 1L, paste, collapse = " ")
      feature$values <- match(key(own), key(feature$codes))
    }
    feature
  })
  names(rows$features) <- vapply(features, function(feature) feature$name, "")
  rows$vary <- function(feature, values, kept = NULL) {
    x <- if (is.null(kept)) rows$x else rows$x[kept, , drop = FALSE]
    x[, feature$columns] <- if (is.null(feature$labels)) {
      values
    } else {
      feature$codes[values, , drop = FALSE]
    }
    x
  }
  rows
}

# Features as columns of the data.
with_raw <- function(rows, frame, source, call) {
  names <- names(source$preprocessor$columns)
  rows$features <- lapply(stats::setNames(names, names), function(name) {
    column <- plain_column(.subset2(frame, match(name, names(frame))))
    feature <- list(name = name, column = column)
    if (is.factor(column) || is.character(column) || is.logical(column)) {
      feature$labels <- levels(column) %||% as.character(sort(unique(column)))
      feature$values <- match(as.character(column), feature$labels)
    } else {
      feature$values <- as.double(column)
    }
    feature
  })
  rows$vary <- function(feature, values, kept = NULL) {
    part <- if (is.null(kept)) frame else frame[kept, , drop = FALSE]
    part[[feature$name]] <- raw_values(feature, values)
    forge_new_data(source, part, "new_data", call)$x
  }
  rows
}

# Values in the type of the column.
raw_values <- function(feature, values) {
  column <- feature$column
  if (!is.null(feature$labels)) {
    text <- feature$labels[values]
    if (is.logical(column)) return(text == "TRUE")
    if (!is.factor(column)) return(text)
    return(factor(text, levels(column), ordered = is.ordered(column)))
  }
  if (inherits(column, c("Date", "POSIXct", "difftime"))) {
    attributes(values) <- attributes(column)[c("class", "tzone", "units")]
  }
  values
}

# At most `most` of the rows, with weights: their case weights, or how often these drew them.
varied_sample <- function(rows, most) {
  count <- nrow(rows$x)
  weight <- rows$targets$case_weights
  if (count <= most) {
    return(list(kept = seq_len(count), weight = weight %||% rep(1, count)))
  }
  drawn <- row_sample(count, most, weight)
  list(kept = unique(drawn), weight = tabulate(match(drawn, unique(drawn))) + 0)
}

# A feature by the name that the user gave it.
check_feature_names <- function(features, known, call) {
  if (is.null(features)) return(known)
  if (!is.character(features) || length(features) == 0L || !all(features %in% known)) {
    message <- "{.arg features} must be among {.val {known}}, not {shown(features)}."
    abort_argument("features", message, call)
  }
  unique(features)
}

# What importance and effects take: a model, a tuned or an automatic one.
explained_model <- function(fit, call) {
  if (inherits(fit, "cawi_auto")) return(check_auto(fit, "fit", call))
  fit <- single_model(fit, call)
  check_model(fit, "fit", call)
}

# Each feature is changed in dense rows.
check_dense <- function(object, new_data, call) {
  if (!is_sparse(if (is.null(new_data)) object$data$x else new_data)) return(invisible())
  message <- "Features of sparse rows cannot be looked at one by one."
  hint <- "Give some rows as {.arg new_data}, dense: {.code as.matrix(x[rows, ])}."
  abort_argument("new_data", c(message, i = hint), call)
}
