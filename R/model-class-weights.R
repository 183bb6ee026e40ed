# class_weights: factors on the case weights of the rows of each class. They become numbers, one per
# class, as soon as the classes are known, and are case weights from then on.

check_class_weights <- function(class_weights, call) {
  if (is.null(class_weights) || identical(class_weights, "balanced")) return(class_weights)
  class_weights <- plain_number(class_weights)
  ok <- is.numeric(class_weights) && is.null(dim(class_weights)) &&
    all_usable(names(class_weights)) && all(is.finite(class_weights)) && all(class_weights > 0)
  if (!ok) {
    message <- paste("{.arg class_weights} must be {.val balanced} or positive numbers with the",
                     "names of classes, not {shown(class_weights)}.")
    abort_argument("class_weights", message, call)
  }
  stats::setNames(as.double(class_weights), names(class_weights))
}

# One number per class. Balanced ones give all classes the same weight, and all rows together the
# weight that they had. A class that is not named has weight one.
resolve_class_weights <- function(class_weights, targets, call) {
  if (is.null(class_weights)) return(NULL)
  if (targets$task != "classification") {
    abort_argument("class_weights", "{.arg class_weights} are for classes, not for numbers.", call)
  }
  if (identical(class_weights, "balanced")) {
    own <- rowsum(row_weights(targets), targets$classes)[, 1L]
    return(stats::setNames(unname(sum(own) / (length(own) * own)), targets$levels))
  }
  strange <- setdiff(names(class_weights), c(targets$levels, targets$outcome$levels))
  if (length(strange) > 0L) {
    message <- paste("{.arg class_weights} names {cli::qty(length(strange))}class{?es}",
                     "{.val {strange}}, which the response does not have.")
    abort_argument("class_weights", message, call)
  }
  class_weights
}

weigh_classes <- function(targets, class_weights) {
  if (is.null(class_weights)) return(targets)
  factor <- class_weights[targets$levels]
  factor[is.na(factor)] <- 1
  targets$case_weights <- row_weights(targets) * unname(factor)[targets$classes]
  targets
}

class_weights_text <- function(class_weights) {
  paste(names(class_weights), vapply(class_weights, number_text, ""), collapse = ", ")
}
