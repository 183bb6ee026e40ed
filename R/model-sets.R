# predict(type = "set"): classes that together hold the truth with a given probability. A row
# conforms as far as its class is probable (Sadinle, Lei and Wasserman, 2019); the threshold comes
# from leave-one-out scores of the training rows.

class_sets <- function(object, scores, level, threads, call) {
  level <- check_level(level, call)
  left_out <- kept_left_out(object, threads, call)
  prob <- class_probabilities(object, scores, call)
  least <- 1 - upper_quantile(matrix(1 - own_probability(object, left_out), 1L),
                              left_out$case_weights, level)
  sets <- prob >= least - 1e-12
  # A level without training rows has no probability and is in no set.
  sets[, !colnames(prob) %in% object$levels] <- FALSE
  # A set without any class would be of no use.
  best <- best_class(prob)
  known <- which(!is.na(best))
  sets[cbind(known, best[known])] <- TRUE
  sets[is.na(best), ] <- NA
  structure(sets, level = level)
}

# Probabilities of the classes of the training rows, each left out in turn.
own_probability <- function(object, left_out) {
  prob <- apply_calibration(object$calibration, unname(left_out$scores))
  prob[cbind(seq_along(left_out$classes), left_out$classes)]
}

# Leave-one-out scores of training rows, with classes or values, and case weights: those of the fit,
# or computed anew for a model that was updated since.
kept_left_out <- function(object, threads, call) {
  data <- kept_data(object, call = call)
  known <- if (inherits(object, "cawi_auto")) {
    auto_left_out(data)
  } else {
    left_out_rows(object$readouts, data$targets)
  }
  if (is.null(known)) left_out_anew(object, data, threads, call) else known
}

auto_left_out <- function(data) {
  if (is.null(data$left_out)) return(NULL)
  c(data$targets[c("classes", "values", "sd")],
    list(scores = data$left_out, case_weights = row_weights(data$targets)))
}

left_out_anew <- function(object, data, threads, call) {
  jackknife <- new_jackknife(object, data, threads, call)
  x <- data$x[jackknife$kept, , drop = FALSE]
  scores <- part_scores(object, x, threads) - own_shift(jackknife, x, threads)
  part <- subset_targets(data$targets, jackknife$kept)
  c(part[c("classes", "values", "sd")], list(scores = scores, case_weights = jackknife$weight))
}
