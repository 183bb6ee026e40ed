# What every room of the differential tests uses: routines, random problems, and measures of error.
# The files are read into an environment above the package's namespace, so that routines that are
# not exported have their plain names here.

# One routine of the package beside a slow one. `problem()` draws a random problem, solves it both
# ways and gives the error, in units in which `tolerance` is the most that rounding explains; `why`
# says so. `kind` says what a problem needs: "plain", "fits" (calls of models by users), "compiled"
# (functions that R does not see), "mpfr" (a judge in high precision), "sources" (models of rows in
# chunks) or "draws" (many draws each).
routine <- function(judge, tolerance, why, problem, kind = "plain") {
  list(judge = judge, tolerance = tolerance, why = why, problem = problem, kind = kind)
}

# How many problems a routine gets for each ten thousand asked for.
shares <- c(plain = 1, fits = 0.4, compiled = 1, mpfr = 1 / 20, sources = 1 / 20, draws = 1 / 250)

differential_rooms <- c("ranks", "special", "copula", "densities", "features", "kernels", "ridge",
                        "grids", "measures", "updates", "metamorphic")

# ---- measures of error ----

# The largest difference in units of the largest value, or in a given unit. Values that one side has
# and the other does not are no rounding.
gap <- function(found, wanted, unit = NULL) {
  if (length(found) != length(wanted)) return(Inf)
  if (length(found) == 0L) return(0)
  found <- as.vector(found)
  wanted <- as.vector(wanted)
  if (any(is.finite(found) != is.finite(wanted))) return(Inf)
  some <- is.finite(found)
  if (any(found[!some] != wanted[!some], na.rm = TRUE)) return(Inf)
  if (!any(some)) return(0)
  if (is.null(unit)) unit <- max(abs(wanted[some]))
  if (length(unit) > 1L) unit <- as.vector(unit)[some]
  difference <- abs(found[some] - wanted[some])
  if (all(difference == 0)) return(0)
  max(difference / unit)
}

# The same for each value in units of itself.
own_gap <- function(found, wanted) gap(found, wanted, unit = abs(as.vector(wanted)))

# 0 where something holds, and no rounding explains that it does not.
holds <- function(...) if (isTRUE(all(...))) 0 else Inf

# How far something is below what it should at least be.
shortfall <- function(found, least, unit = 1) max(0, (least - found) / unit)

# ---- random problems ----

one_of <- function(values) values[[sample.int(length(values), 1L)]]

whole_between <- function(low, high) low + sample.int(high - low + 1L, 1L) - 1L

# A number between two others on a logarithmic scale.
log_between <- function(low, high) exp(stats::runif(1L, log(low), log(high)))

chance <- function(probability) stats::runif(1L) < probability

normal_matrix <- function(rows, columns) matrix(stats::rnorm(rows * columns), rows, columns)

# Columns of many kinds: continuous, with ties, with two values, constant, far from zero, in tiny or
# huge units.
any_matrix <- function(rows, columns) {
  x <- vapply(seq_len(columns), function(j) {
    switch(sample.int(6L, 1L),
      stats::rnorm(rows), as.double(sample.int(4L, rows, TRUE)), stats::rbinom(rows, 1L, 0.3) + 0,
      rep(stats::rnorm(1L), rows), stats::rnorm(rows) + 1000,
      stats::rexp(rows) * 10^whole_between(-200L, 200L)
    )
  }, numeric(rows))
  matrix(x, rows, columns)
}

# A correlation matrix of d variables, from nearly independent to nearly singular.
any_correlation <- function(d, least = 1e-3) {
  k <- whole_between(1L, d)
  s <- tcrossprod(normal_matrix(d, k)) + diag(log_between(least, 10), d)
  stats::cov2cor(s)
}

any_weights <- function(rows) {
  switch(sample.int(3L, 1L), NULL, as.double(sample.int(3L, rows, TRUE)),
         stats::rexp(rows) + 0.05)
}

# ---- the runner ----

# The same numbers for the same seed and problem, whatever ran before.
start_problem <- function(seed, problem) {
  set.seed((seed %% 20000L) * 100000L + problem, "Mersenne-Twister", "Inversion", "Rejection")
}

one_error <- function(routine, seed, problem) {
  start_problem(seed, problem)
  error <- tryCatch(as.double(routine$problem()), error = function(e) {
    structure(Inf, message = conditionMessage(e))
  })
  if (length(error) != 1L || is.na(error)) Inf else error
}

run_routine <- function(name, routine, seed, problems) {
  count <- max(1L, round(problems * shares[[routine$kind]]))
  # Processor time, which other work on the machine changes little.
  clock <- sum(proc.time()[1:2])
  errors <- vapply(seq_len(count), function(p) as.double(one_error(routine, seed, p)), numeric(1))
  worst <- which.max(errors)
  data.frame(
    routine = name, judge = routine$judge, problems = count, worst = errors[worst],
    tolerance = routine$tolerance, failures = sum(errors > routine$tolerance),
    problem = worst, seconds = round(sum(proc.time()[1:2]) - clock, 1), why = routine$why
  )
}

# The rooms of the folder, each a list of routines named after its file.
read_rooms <- function(folder, rooms = differential_rooms) {
  place <- new.env(parent = asNamespace("cawi"))
  place$folder <- folder
  sys.source(file.path(folder, "tools.R"), place)
  for (room in rooms) sys.source(file.path(folder, paste0(room, ".R")), place)
  routines <- unlist(lapply(rooms, function(room) place[[paste0(room, "_routines")]]), FALSE)
  list(place = place, routines = routines)
}
