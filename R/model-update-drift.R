# Digits that updates lose. Sums keep the rounding errors of all that was ever added to them: a row
# with huge values leaves its own behind when it is forgotten, and many small steps add up. How much
# was lost is carried along with the sums, and what it does to the predictions is estimated after
# each update. Too much of it is repaired from the rows that the model keeps, or told.

# Larger errors of the predictions, in standard deviations of the response or as a share of the
# predictions where these are larger, are not tolerated.
drift_limit <- 1e-7

# Variances of the rounding errors, per diagonal entry of A'A and per entry of A'Y. Sums that were
# made at once have lost no more than their last digit.
known_loss <- function(statistics) {
  columns <- ncol(statistics$aa)
  loss <- statistics$loss
  if (length(loss$aa) != columns) loss <- NULL
  loss <- loss %||% list(aa = rep(0, columns), ay = matrix(0, columns, 0L))
  more <- ncol(statistics$ay) - ncol(loss$ay)
  loss$ay <- cbind(loss$ay, matrix(0, columns, max(more, 0L)))
  loss
}

# Squares of sums that are larger still would be infinite, and the difference of two no number.
squared <- function(sums) pmin(abs(sums), 1e150)^2

# Each step rounds the sums before it, its own and those after it.
added_loss <- function(statistics, change) {
  loss <- known_loss(statistics)
  unit <- (.Machine$double.eps / 2)^2
  largest <- function(old, new) {
    squared(pmax(abs(old), abs(new), abs(old + new), abs(old - new)))
  }
  loss$aa <- loss$aa + unit * largest(diag(statistics$aa), diag(change$aa))
  loss$ay <- loss$ay + unit * largest(statistics$ay, change$ay)
  loss
}

# What sums made at once would not have lost as well: as long as a huge row is among those that the
# model has learned, a fit from scratch has its rounding errors too. Two digits are no matter.
lost_by_updates <- function(statistics, rows) {
  loss <- known_loss(statistics)
  unit <- 1e4 * (.Machine$double.eps / 2)^2
  squares <- pmax(diag(statistics$aa), 0)
  loss$aa <- pmax(loss$aa - unit * squared(squares), 0)
  loss$ay <- pmax(loss$ay - unit * pmax(squared(statistics$ay), squares * rows), 0)
  loss
}

# The error of the predictions over the rows, as a standard deviation: that of A d, where
# (A'A + lambda I) d = E b - e has the errors E and e of the sums. Errors of different entries are
# taken for independent, and E[i, j] for no larger than its diagonal allows.
sums_drift <- function(readout, coefficients, rows) {
  statistics <- readout$statistics
  if (is.null(statistics$loss)) return(0)
  loss <- lost_by_updates(statistics, rows)
  if (all(loss$aa == 0) && all(loss$ay == 0)) return(0)
  lambda <- rep_len(readout$lambda, ncol(coefficients))
  size <- sqrt(loss$aa)
  drift <- vapply(seq_along(lambda), function(k) {
    beta <- coefficients[, k]
    error <- size * sum(size * beta^2) + loss$ay[, k]
    # Beside predictions that are themselves much larger than the response was when the model was
    # fitted, only digits count.
    fitted <- max(rows, sum(beta * (statistics$aa %*% beta)))
    sum(error * inverse_diagonal(statistics, lambda[k])) / fitted
  }, numeric(1))
  # What is too large to be computed is too large.
  if (anyNA(drift)) Inf else sqrt(max(drift))
}

# What the sums hardly determine is left to the solver, which tells when a problem is singular.
inverse_diagonal <- function(statistics, lambda) {
  system <- statistics$aa
  penalty <- rep(lambda, ncol(system))
  penalty[statistics$ones] <- 0
  diag(system) <- diag(system) + pmax(penalty, 1e-13 * max(diag(system)))
  root <- tryCatch(chol(system), error = function(e) NULL)
  if (is.null(root)) rep(Inf, ncol(system)) else diag(chol2inv(root))
}

# Are fewer than six digits of a sum left? Then it may not be a sum of squares any more.
has_lost_digits <- function(object) {
  any(vapply(object$readouts, function(readout) {
    statistics <- readout$statistics
    if (is.null(statistics$loss)) return(FALSE)
    left <- pmax(diag(statistics$aa), 0)
    any(sqrt(known_loss(statistics)$aa) > 1e-6 * (left + min(readout$lambda) + 1e-10 * max(left)))
  }, logical(1)))
}

# The sums of the rows that the model keeps, made at once.
with_fresh_sums <- function(object, run) {
  data <- object$data
  fresh <- rethrow_core_errors(
    statistics_cpp(data$x, object$network, data$targets, FALSE, run$threads), run$call
  )
  object$readouts <- Map(function(readout, part) {
    readout$statistics <- list(kind = "gram", aa = part$aa, ay = part$ay,
                               ones = readout$statistics$ones)
    readout
  }, object$readouts, fresh)
  object
}

tell_repair <- function() {
  cli::cli_inform(
    "Updates had lost digits: the sums were made again from the rows that the model keeps.",
    class = c("cawi_message_drift", "cawi_message")
  )
}

abort_lost_digits <- function(call) {
  message <- paste("Rows with values much larger than those that are left were forgotten, and",
                   "their rounding errors are as large as what is left.")
  hint <- "Fit the model again, or with {.code keep_data = TRUE}, which repairs this by itself."
  abort_argument("drift", c(message, i = hint), call)
}

warn_drift <- function(drift, call) {
  size <- signif(drift, 2L)
  message <- paste("Updates have lost digits: predictions may be off by {size} standard deviations",
                   "of the response.")
  hint <- "Fit the model again, or with {.code keep_data = TRUE}, which repairs this by itself."
  warn_topic("drift", c(message, i = hint), call)
}
