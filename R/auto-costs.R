# What candidates cost, and whether the budget has room for them.

# The budget. Costs are guessed in operations; the speed of what ran so far turns them into seconds.
new_clock <- function(budget) {
  clock <- new.env()
  clock$budget <- budget
  clock$start <- proc.time()[["elapsed"]]
  clock$seconds <- 0
  clock$operations <- 0
  clock$skipped <- 0L
  clock
}

elapsed <- function(clock) proc.time()[["elapsed"]] - clock$start

expected_seconds <- function(clock, operations) {
  if (clock$operations == 0) return(0)
  0.002 + 1.2 * operations * clock$seconds / clock$operations
}

# Is there time for it and for what must follow, with a share of the budget kept back?
affordable <- function(clock, operations, reserve) {
  fits <- elapsed(clock) + expected_seconds(clock, operations) <= clock$budget * (1 - reserve)
  if (!fits) clock$skipped <- clock$skipped + 1L
  fits
}

timed <- function(clock, operations, code) {
  before <- elapsed(clock)
  force(code)
  # Older runs count less: early ones are small and pay for warming up.
  clock$seconds <- 0.8 * clock$seconds + elapsed(clock) - before
  clock$operations <- 0.8 * clock$operations + operations
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
  left <- 0.35 * (clock$budget - elapsed(clock))
  columns <- hidden + ncol(search$x) + 1
  cost <- loo_operations(nrow(search$x), columns, lambdas, search$targets$outputs)
  fits <- vapply(cost, function(operations) expected_seconds(clock, operations), 0) <= left
  if (any(fits)) hidden[fits] else min(hidden, 50L)
}
