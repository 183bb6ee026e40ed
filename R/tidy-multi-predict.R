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
  tables <- lapply(found, penalty_table, type)
  tibble::tibble(.pred = nested_rows(tables, as.double(penalty)))
}

own_penalty <- function(fit, call) {
  lambda <- unique(as.vector(fit$lambda))
  if (length(lambda) == 1L) return(lambda)
  abort_argument("penalty", "{.arg penalty} is missing, and the outputs of the fit have several.",
                 call)
}

# Columns as parsnip calls them.
penalty_table <- function(prediction, type) {
  switch(type,
    numeric = if (is.matrix(prediction)) {
      stats::setNames(as.data.frame(prediction), paste0(".pred_", colnames(prediction)))
    } else {
      data.frame(.pred = prediction)
    },
    class = data.frame(.pred_class = prediction),
    prob = stats::setNames(as.data.frame(prediction), paste0(".pred_", colnames(prediction)))
  )
}

# One tibble per row of the data with one row per penalty. Tables are bound once and cut once: one
# data frame per cell would take longer than the predictions.
nested_rows <- function(tables, penalty) {
  rows <- nrow(tables[[1L]])
  table <- cbind(penalty = rep(penalty, each = rows), do.call(rbind, tables))
  order <- order(rep(seq_len(rows), length(penalty)), rep(seq_along(penalty), each = rows))
  table <- tibble::as_tibble(table)[order, ]
  unname(split_rows(table, rows, length(penalty)))
}

split_rows <- function(table, rows, each) {
  columns <- lapply(table, function(column) split(column, rep(seq_len(rows), each = each)))
  lapply(seq_len(rows), function(i) {
    tibble::new_tibble(lapply(columns, function(column) column[[i]]), nrow = each)
  })
}
