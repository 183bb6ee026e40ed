# What the data were: sizes, types, missing values, classes.

section_data <- function(about) {
  model <- about$model
  list(
    fact_list(data_facts(about)),
    if (is.null(about$data)) {
      note("The model does not keep its training data, so their values are not described here.")
    },
    response_part(about),
    tag("h3", "Features"),
    feature_part(feature_table(model, about$data))
  )
}

data_facts <- function(about) {
  whole <- about$whole
  model <- about$model
  seen <- model$preprocessor$seen
  lost <- if (!is.null(seen$rows)) seen$rows - whole$nobs else 0
  list(
    "rows that were learned" = figure_text(whole$nobs),
    "rows left out" = if (lost > 0) {
      paste(figure_text(lost), "(missing values, or no weight)")
    },
    "features" = figure_text(count_features(about)),
    "columns after encoding" = figure_text(length(model$network$center)),
    "given as" = kind_of_input(model$preprocessor$kind),
    "missing values" = missing_text(model),
    "case weights" = if (isTRUE(model$weighted)) "yes" else "none"
  )
}

kind_of_input <- function(kind) {
  c(matrix = "numeric columns", frame = "a data frame", formula = "a formula",
    recipe = "a recipe", hardhat = "a blueprint of hardhat")[[kind]]
}

missing_text <- function(model) {
  how <- c(fail = "none: they are an error", omit = "rows that have some are left out",
           impute = "medians and most frequent levels are put in")[[model$spec$na_action]]
  missing <- model$preprocessor$seen$missing
  if (model$spec$na_action == "fail") return(how)
  if (is.null(model$preprocessor$seen)) return(how)
  if (length(missing) == 0L) return(paste("none;", how))
  sprintf("%s in %s; %s", figure_text(sum(missing)), counted(length(missing), "feature"), how)
}

count_features <- function(about) nrow(feature_kinds(about$model))

# Names and kinds of the features as the user gave them.
feature_kinds <- function(model) {
  preprocessor <- model$preprocessor
  if (preprocessor$kind == "matrix") {
    names <- preprocessor$names %||% paste0("x", seq_len(preprocessor$columns))
    return(data.frame(feature = names, kind = rep("numbers", length(names))))
  }
  rules <- if (preprocessor$kind == "frame") preprocessor$rules else preprocessor$columns
  data.frame(feature = vapply(rules, function(rule) rule$name, "", USE.NAMES = FALSE),
             kind = vapply(rules, rule_text, "", USE.NAMES = FALSE))
}

rule_text <- function(rule) {
  if (rule$kind == "other") return("other")
  text <- kind_names[[rule$kind]]
  if (is.null(rule$levels)) return(text)
  levels <- rule$levels
  shown <- paste(utils::head(levels, 6L), collapse = ", ")
  more <- length(levels) - 6L
  sprintf("%s, %s: %s%s", if (isTRUE(rule$ordered)) "an ordered factor" else text,
          counted(length(levels), "level"), shown, if (more > 0L) ", ..." else "")
}

# Features that the network reads as they were given have their range, too.
feature_table <- function(model, data) {
  table <- feature_kinds(model)
  missing <- model$preprocessor$seen$missing
  if (length(missing) > 0L) {
    table$missing <- as.vector(missing[table$feature])
    table$missing[is.na(table$missing)] <- 0
  }
  raw <- model$preprocessor$kind %in% c("matrix", "frame", "formula")
  if (is.null(data) || !raw) return(table)
  names <- model$feature_names %||% paste0("x", seq_len(ncol(data$x)))
  place <- ifelse(table$kind == "numbers", match(table$feature, names), NA)
  figure <- function(f) {
    vapply(place, function(j) if (is.na(j)) NA_real_ else f(data$x[, j]), numeric(1))
  }
  table$smallest <- figure(min)
  table$median <- figure(stats::median)
  table$largest <- figure(max)
  table
}

# More features than these are a list that nobody reads.
most_features <- 60L

feature_part <- function(table) {
  more <- nrow(table) - most_features
  list(html_table(utils::head(table, most_features)),
       if (more > 0L) note(sprintf("%s more features are not listed.", figure_text(more))))
}

# A single response without a name may have one in the formula.
response_labels <- function(about) {
  whole <- about$whole
  single <- is.null(whole$output_names)
  if (single) about$model$preprocessor$response$label %||% "y" else whole$output_names
}

response_part <- function(about) {
  whole <- about$whole
  targets <- about$data$targets
  name <- about$model$preprocessor$response$label
  head <- tag("h3", if (is.null(name)) "Response" else paste("Response:", name))
  if (whole$task == "classification") {
    levels <- whole$outcome$levels
    if (is.null(targets)) {
      return(list(head, paragraph("Classes: ", paste(levels, collapse = ", "), ".")))
    }
    counts <- tabulate(match(whole$levels[targets$classes], levels), length(levels))
    texts <- sprintf("%s  (%s)", vapply(counts, figure_text, ""),
                     percent_text(counts / sum(counts), 0))
    return(list(head, bar_list(levels, counts, texts)))
  }
  if (is.null(targets)) return(NULL)
  values <- targets$values
  if (!is.null(targets$offset)) values <- values + targets$offset
  list(head, html_table(data.frame(
    response = response_labels(about), smallest = apply(values, 2L, min),
    median = apply(values, 2L, stats::median), mean = colMeans(values),
    largest = apply(values, 2L, max), sd = apply(values, 2L, stats::sd)
  )))
}
