# What candidates cost, and whether the budget has room for them.

# The budget counts operations, not time: the same seed gives the same model on any machine, however
# busy it is. One second of the budget is this many.
operations_per_second <- 4e9

# `time_limit`, in seconds of the clock on the wall, only cuts.
new_clock <- function(budget, time_limit = Inf) {
  clock <- new.env()
  clock$budget <- budget
  clock$time_limit <- time_limit
  clock$start <- clock_seconds()
  clock$operations <- 0
  clock$skipped <- 0L
  clock$cut <- FALSE
  clock$step <- no_step
  clock
}

elapsed <- function(clock) clock_seconds() - clock$start

spent <- function(clock) clock$operations / operations_per_second

# Every trial has some cost beside its operations.
trial_operations <- 2e6

# Is the time limit over? What is left out then is counted.
late <- function(clock) {
  over <- elapsed(clock) > clock$time_limit
  if (over) {
    clock$cut <- TRUE
    clock$skipped <- clock$skipped + 1L
  }
  over
}

# Is there room for it and for what must follow, with a share of the budget kept back?
affordable <- function(clock, operations, reserve) {
  needed <- (clock$operations + operations + trial_operations) / operations_per_second
  over <- elapsed(clock) > clock$time_limit * (1 - reserve)
  if (over) clock$cut <- TRUE
  fits <- needed <= clock$budget * (1 - reserve) && !over
  if (!fits) clock$skipped <- clock$skipped + 1L
  fits
}

counted_trial <- function(clock, operations, code) {
  clock$operations <- clock$operations + operations + trial_operations
  force(code)
  clock$step()
  code
}

# Number of operations of leave-one-out for one network.
loo_operations <- function(rows, columns, lambdas, outputs) {
  wide <- columns >= rows
  primal <- rows * columns^2 * (1 + lambdas) + lambdas * columns^3 / 3
  dual <- rows^2 * columns + 10 * rows^3 + lambdas * rows^2 * outputs
  ifelse(wide, dual, primal) + 50 * rows * columns
}

# Tau of all pairs, and factors of their matrix.
copula_operations <- function(rows, features) {
  40 * features^2 * min(rows, copula_rows) + 30 * features^3
}

# Fits of all members that there may be.
final_operations <- function(search, widened) {
  sum(vapply(widened, function(result) {
    columns <- result$hidden + ncol(search$x) + 1
    length(result$draws) * loo_operations(nrow(search$x), columns, 0, search$targets$outputs)
  }, numeric(1)))
}

# One factor serves all numbers of nodes below the number of rows; each one above has a spectrum of
# its own.
nested_operations <- function(search, rows, hidden, lambdas) {
  columns <- hidden + ncol(search$x) + 1
  cost <- loo_operations(rows, columns, lambdas, search$targets$outputs)
  dual <- columns >= rows
  sum(cost[dual]) + max(0, cost[!dual])
}

# The first network that is widened must exist: it is as wide as a third of the time left allows.
affordable_hidden <- function(search, hidden, lambdas, clock) {
  left <- 0.35 * (clock$budget - spent(clock)) * operations_per_second
  columns <- hidden + ncol(search$x) + 1
  cost <- loo_operations(nrow(search$x), columns, lambdas, search$targets$outputs)
  if (any(cost <= left)) hidden[cost <= left] else min(hidden, 50L)
}
