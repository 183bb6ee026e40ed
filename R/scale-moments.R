# Means and standard deviations of features and response over all rows. Those of columns that are
# used as they are come with the first pass; what a formula or a recipe computes takes one more.

source_moments <- function(data, survey, passes, spec, run) {
  known <- surveyed_moments(data, survey)
  # Weights of classes were not known yet.
  if (!is.null(known) && is.null(spec$class_weights)) return(known)
  object <- source_model(list(), data, spec, survey, run)
  learner <- list(object = object, asked = passes$asked)
  shards <- read_pass(passes$source, moments_pass(learner), run, passes$known, passes$checkpoint)
  states <- Filter(Negate(is.null), lapply(shards, function(shard) shard$state))
  total <- Reduce(function(a, b) Map(merge_moments_cpp, a, b), states)
  lapply(total, variation_cpp)
}

moments_pass <- function(learner) {
  list(name = "moments", label = "Moments: ", start = NULL, add = function(state, frame, place) {
    data <- chunk_data(learner, frame)
    if (nrow(data$x) == 0L) return(state)
    targets <- data$targets
    values <- if (is.null(targets$values)) matrix(0, targets$rows, 0L) else targets$values
    added <- lapply(list(features = data$x, response = values), raw_moments_cpp,
                    targets$case_weights, 1L)
    if (is.null(state)) added else Map(merge_moments_cpp, state, added)
  })
}

# NULL where a column of the matrix, or the response, is not a column of the data.
surveyed_moments <- function(data, survey) {
  p <- data$preprocessor
  plain <- p$kind == "formula" && all(vapply(p$variables, is.symbol, logical(1))) &&
    all(lengths(p$terms) == 1L) && length(p$offsets) == 0L && !p$all_levels &&
    isTRUE(p$response$plain)
  kinds <- vapply(p$rules, function(rule) rule$kind, "")
  if (!plain || any(kinds == "matrix")) return(NULL)
  parts <- lapply(unlist(p$terms), function(i) rule_moments(p$rules[[i]], survey))
  join <- function(name) unlist(lapply(parts, function(part) part[[name]]), use.names = FALSE)
  names <- names(parts[[1L]])
  features <- variation_cpp(stats::setNames(lapply(names, join), names))
  response <- if (data$targets$task == "regression") column_moment(survey, survey$response)
  list(features = features, response = if (!is.null(response)) variation_cpp(response))
}

column_moment <- function(survey, name) {
  lapply(survey$moments, function(values) values[match(name, survey$needed)])
}

# Those of the columns of a rule. Values that were missing have become the one that fills them.
rule_moments <- function(rule, survey) {
  if (rule$kind %in% c("factor", "text")) {
    counts <- survey$levels[[rule$name]]
    weight <- counts$weight[match(rule$levels, counts$level)]
    weight[is.na(weight)] <- 0
    gap <- survey$weight - sum(weight)
    if (!is.null(rule$fill) && gap > 0) weight[rule$fill] <- weight[rule$fill] + gap
    return(raw_moments_cpp(code_matrix(rule, seq_along(rule$levels)), weight, 1L))
  }
  known <- column_moment(survey, rule$name)
  gap <- survey$weight - known$weight
  if (is.null(rule$fill) || gap <= 0) return(known)
  merge_moments_cpp(known, raw_moments_cpp(matrix(as.double(rule$fill)), gap, 1L))
}
