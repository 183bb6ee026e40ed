# Predictions of a fit of parsnip at many penalties. Its class is that of the model with a leading
# underscore.

#' @rawNamespace
#' S3method(parsnip::multi_predict, "_cawi_bls", multi_predict_network)
#' S3method(parsnip::multi_predict, "_cawi_drvfl", multi_predict_network)
#' S3method(parsnip::multi_predict, "_cawi_edrvfl", multi_predict_network)
#' S3method(parsnip::multi_predict, "_cawi_elm", multi_predict_network)
#' S3method(parsnip::multi_predict, "_cawi_rvfl", multi_predict_network)
multi_predict_network <- function(object, new_data, type = NULL, penalty = NULL, ...) {
  check_dots(rlang::enquos(...), NULL, environment(),
             c("object", "new_data", "type", "penalty"))
  fit <- object$fit
  if (is.null(type)) type <- if (fit$task == "classification") "class" else "numeric"
  if (rlang::is_quosure(penalty)) penalty <- rlang::eval_tidy(penalty)
  if (is.null(penalty)) penalty <- own_penalty(fit, environment())
  new_data <- parsnip::prepare_data(object, new_data)
  asked <- if (type == "raw") "score" else type
  found <- predict_penalties(fit, new_data, penalty, asked, call = environment())
  if (type == "raw") return(found)
  tibble::tibble(.pred = nested_rows(prediction_columns(found, type), as.double(penalty)))
}

own_penalty <- function(fit, call) {
  lambda <- unique(as.vector(fit$lambda))
  if (length(lambda) == 1L) return(lambda)
  abort_argument("penalty", "{.arg penalty} is missing, and the outputs of the fit have several.",
                 call)
}

# The columns as parsnip calls them, each a matrix with a column per penalty. Classes are their
# codes, with the attributes of the factor beside them.
prediction_columns <- function(found, type) {
  first <- found[[1L]]
  if (type == "class") {
    codes <- vapply(found, as.integer, integer(length(first)))
    return(list(.pred_class = list(values = matrix(codes, length(first)), like = first[0L])))
  }
  names <- if (is.matrix(first)) paste0(".pred_", colnames(first)) else ".pred"
  columns <- lapply(seq_along(names), function(k) {
    values <- vapply(found, function(part) as.matrix(part)[, k], numeric(NROW(first)))
    list(values = matrix(values, NROW(first)))
  })
  stats::setNames(columns, names)
}

# One tibble per row of the data with one row per penalty. They are put together by hand: checking
# thousands of small tables would take longer than the predictions.
nested_rows <- function(columns, penalty) {
  rows <- nrow(columns[[1L]]$values)
  like <- attributes(tibble::tibble(penalty = penalty))
  like$names <- c("penalty", names(columns))
  cut <- lapply(columns, function(column) {
    kind <- attributes(column$like)
    lapply(seq_len(rows), function(i) `attributes<-`(column$values[i, ], kind))
  })
  lapply(seq_len(rows), function(i) {
    `attributes<-`(c(list(penalty), lapply(cut, `[[`, i)), like)
  })
}
