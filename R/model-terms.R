# From the codes of columns or variables to the columns of the matrix: numbers, indicators, and the
# terms of a formula.

term_columns <- function(preprocessor, codes, rows, arg, call) {
  check_result_size(rows, preprocessor$width, arg, call)
  parts <- Map(function(term, margin) {
    if (length(term) == 1L) {
      return(code_matrix(preprocessor$rules[[term]], codes[[term]], preprocessor$all_levels))
    }
    factors <- Map(function(i, open) {
      rule <- preprocessor$rules[[i]]
      code_matrix(rule, codes[[i]], term_levels(rule, open))
    }, term, margin)
    Reduce(multiply_columns, factors)
  }, preprocessor$terms, preprocessor$margins)
  do.call(cbind, unname(parts))
}

# A product needs every level of its factors; an ordered factor, or a logical, whose margin is a
# term of its own has its base there. Without an intercept every level has its column in single
# terms too.
term_levels <- function(rule, open) {
  if (isTRUE(rule$ordered) || rule$kind == "logical") open else TRUE
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

columns_matrix <- function(rules, codes) do.call(cbind, Map(code_matrix, rules, codes))

# Numbers as they are; two levels as one indicator of the second, more as one each; ordered levels
# as a thermometer. Where products are taken `all_levels` gives every level its column.
code_matrix <- function(rule, codes, all_levels = FALSE) {
  labels <- code_labels(rule, all_levels)
  if (rule$kind == "logical" && all_levels) {
    return(matrix(c(1 - codes, codes), ncol = 2L, dimnames = list(NULL, labels)))
  }
  if (!rule$kind %in% c("factor", "text")) {
    return(matrix(codes, NROW(codes), length(labels), dimnames = list(NULL, labels)))
  }
  stepwise <- isTRUE(rule$ordered) && length(rule$levels) > 1L
  result <- outer(codes, shown_levels(rule, all_levels), if (stepwise) `>=` else `==`) + 0
  # Every row is at the base or above it: its column tells who is at it.
  if (stepwise && all_levels) result[, 1L] <- codes == 1
  colnames(result) <- labels
  result
}

shown_levels <- function(rule, all_levels = FALSE) {
  count <- length(rule$levels)
  if (count < 2L || all_levels) return(seq_len(count))
  if (isTRUE(rule$ordered) || count == 2L) seq_len(count)[-1L] else seq_len(count)
}

code_labels <- function(rule, all_levels = FALSE) {
  if (rule$kind == "matrix") {
    names <- if (is.null(rule$names)) seq_len(rule$columns) else rule$names
    return(paste0(rule$name, "_", names))
  }
  if (rule$kind == "logical" && all_levels) return(paste0(rule$name, "_", c(FALSE, TRUE)))
  if (!rule$kind %in% c("factor", "text")) return(rule$name)
  shown <- shown_levels(rule, all_levels)
  stepwise <- isTRUE(rule$ordered) && length(rule$levels) > 1L
  paste0(rule$name, ifelse(stepwise & shown > 1L, ">=", "_"), rule$levels[shown])
}
