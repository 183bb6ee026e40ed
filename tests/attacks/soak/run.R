# Soak: a window that slides by 100,000 updates and downdates, with huge rows that pass through it,
# and memory over 10,000 fits and predictions. The run fails where predictions drift by 1e-6 without
# a word, or where memory grows.
#
# Each step learns one row and forgets one: 50,000 steps are 100,000 updates and downdates.
#
# Usage: Rscript run.R [folder of the record]; STEPS=n for the window, FITS=n for the memory.
options(warn = 1)
library(cawi)
steps <- as.integer(Sys.getenv("STEPS", "50000"))
fits <- as.integer(Sys.getenv("FITS", "10000"))
window <- 40L

# ---- windows ----

# Rows of a stream, the same each time; every `huge` rows one has huge values.
stream <- function(count, huge, size) {
  set.seed(1)
  x <- matrix(stats::rnorm(3 * count), count)
  y <- x[, 1L]^2 + x[, 2L] + stats::rnorm(count) / 10
  far <- if (is.finite(huge)) huge * seq_len(count %/% huge)
  x[far, 1L] <- size * x[far, 1L]
  y[far] <- size * y[far]
  list(x = x, y = y, far = far)
}

# The same network, solved from sums of the rows of the window that are made at once.
at_once <- function(fit, x, y) {
  run <- list(threads = 1L, call = NULL)
  targets <- cawi:::row_targets(fit, list(y = y), nrow(x), "y", NULL)
  fit$data <- list(x = x, targets = targets)
  fit$nobs <- nrow(x)
  cawi:::resolve_readouts(cawi:::with_fresh_sums(fit, run), NULL, run)
}

slide <- function(keep, huge, size, lambda, steps) {
  rows <- stream(steps + window, huge, size)
  first <- seq_len(window)
  fit <- cawi_rvfl(rows$x[first, ], rows$y[first], hidden = 5, lambda = lambda, seed = 1,
                   keep_data = keep, threads = 1)
  heard <- c(repaired = 0, told = 0, refused = 0)
  largest <- silent <- 0
  told_now <- FALSE
  i <- 0L
  while (i < steps) {
    i <- i + 1L
    told_now <- FALSE
    new <- i + window
    fit <- withCallingHandlers(
      tryCatch(
        update(fit, new_x = rows$x[new, , drop = FALSE], new_y = rows$y[new],
               forget_x = rows$x[i, , drop = FALSE], forget_y = rows$y[i], threads = 1),
        cawi_error_drift = function(e) {
          heard[["refused"]] <<- heard[["refused"]] + 1
          at <- seq(i + 1L, new)
          fresh <- at_once(fit, rows$x[at, ], rows$y[at])
          if (!keep) fresh["data"] <- list(NULL)
          fresh
        }
      ),
      cawi_message_drift = function(m) {
        heard[["repaired"]] <<- heard[["repaired"]] + 1
        invokeRestart("muffleMessage")
      },
      cawi_warning_drift = function(w) {
        heard[["told"]] <<- heard[["told"]] + 1
        told_now <<- TRUE
        invokeRestart("muffleWarning")
      },
      cawi_warning_singular = function(w) invokeRestart("muffleWarning")
    )
    at <- seq(i + 1L, new)
    # A fit from scratch has the rounding errors of a huge row in the window, too.
    if ((i %% 100L == 0L || i == steps) && !any(rows$far >= i + 1L & rows$far <= new)) {
      x <- rows$x[at, ]
      off <- max(abs(predict(fit, x, threads = 1) -
                       predict(at_once(fit, x, rows$y[at]), x, threads = 1)))
      largest <- max(largest, off)
      if (!told_now) silent <- max(silent, off)
    }
    # Who is told fits again.
    if (told_now) {
      fit <- at_once(fit, rows$x[at, ], rows$y[at])
      if (!keep) fit["data"] <- list(NULL)
    }
  }
  c(steps = steps, heard, largest_drift = largest, silent_drift = silent)
}

windows <- list(
  list("rows kept", TRUE, Inf, 1, 0.01, steps),
  list("rows not kept", FALSE, Inf, 1, 0.01, steps),
  list("rows kept, small penalty", TRUE, Inf, 1, 1e-8, steps %/% 10L),
  list("rows not kept, small penalty", FALSE, Inf, 1, 1e-8, steps %/% 10L),
  list("rows kept, huge rows 1e4", TRUE, 500, 1e4, 0.01, steps %/% 10L),
  list("rows not kept, huge rows 1e4", FALSE, 500, 1e4, 0.01, steps %/% 10L),
  list("rows kept, huge rows 1e9", TRUE, 500, 1e9, 0.01, steps %/% 10L),
  list("rows not kept, huge rows 1e9", FALSE, 500, 1e9, 0.01, steps %/% 10L)
)
table <- NULL
for (one in windows) {
  seconds <- system.time(found <- do.call(slide, one[-1L]))[["elapsed"]]
  row <- data.frame(what = paste("window:", one[[1L]]), steps = found[["steps"]],
                    repaired = found[["repaired"]], told = found[["told"]],
                    refused = found[["refused"]], largest_drift = found[["largest_drift"]],
                    silent_drift = found[["silent_drift"]], limit = 1e-6, seconds = seconds)
  print(row, row.names = FALSE)
  table <- rbind(table, row)
}

# ---- memory ----

resident <- function() {
  gc(verbose = FALSE)
  line <- grep("^VmRSS", readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

# One turn of all kinds of fits and predictions.
x <- as.matrix(iris[, 1:4])
sparse <- Matrix::Matrix(round(x), sparse = TRUE)
turns <- list(
  function(seed) predict(cawi_elm(x, iris$Species, hidden = 4, seed = seed), x),
  function(seed) {
    predict(cawi_rvfl(Species ~ ., iris, hidden = 4, init = "gaussian", seed = seed), iris,
            type = "prob")
  },
  function(seed) predict(cawi_drvfl(x, x[, 1], hidden = c(3, 3), seed = seed), x),
  function(seed) {
    predict(cawi_edrvfl(x, x[, 1], hidden = c(3, 3), lambda = 1, seed = seed), x,
            type = "interval")
  },
  function(seed) {
    predict(cawi_bls(x, iris$Species, windows = 2, nodes = 2, enhancement = 3, lambda = 1,
                     seed = seed), x, type = "score")
  },
  function(seed) predict(cawi_elm(sparse, x[, 2], hidden = 4, lambda = 1, seed = seed), sparse),
  function(seed) cawi_elm(Species ~ ., cawi_source(iris, chunk = 60), hidden = 3, seed = seed),
  function(seed) simulate(cawi_copula(x, "gaussian"), 10, seed = seed),
  function(seed) {
    if (seed %% 500 > 9) return(cawi_kendall(x))
    predict(cawi_auto(mpg ~ wt + hp, mtcars, seed = seed), mtcars)
  },
  function(seed) tryCatch(cawi_elm(x, "wrong", hidden = 4), cawi_error = identity)
)
seconds <- system.time({
  for (i in seq_len(fits)) {
    turns[[i %% length(turns) + 1L]](i)
    if (i == fits %/% 10L) early <- resident()
  }
  late <- resident()
})[["elapsed"]]
growth <- late - early
row <- data.frame(what = sprintf("memory: %.0f MB after %d fits, %.0f MB after %d", early,
                                 fits %/% 10L, late, fits),
                  steps = fits, repaired = NA, told = NA, refused = NA, largest_drift = NA,
                  silent_drift = growth, limit = 20, seconds = seconds)
print(row, row.names = FALSE)
table <- rbind(table, row)
names(table)[names(table) == "silent_drift"] <- "silent_drift_or_growth_mb"

folder <- commandArgs(trailingOnly = TRUE)
if (length(folder) > 0L && steps == 50000L && fits == 10000L) {
  tools <- new.env()
  script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
  sys.source(file.path(dirname(script), "..", "..", "..", "inst", "bench", "tools",
                       "bench-tools.R"), tools)
  path <- file.path(folder[1L], "soak.csv")
  writeLines(paste("#", c(tools$machine(), paste(tools$versions("cawi"), collapse = ", "),
                          "seed 1 for rows and networks")), path)
  suppressWarnings(utils::write.table(format(table, digits = 3), path, append = TRUE, sep = ",",
                                      row.names = FALSE, quote = 1L))
}
wrong <- sum(!(table$silent_drift_or_growth_mb < table$limit))
cat(sprintf("%d runs, %d wrong\n", nrow(table), wrong))
quit(status = if (wrong > 0) 1L else 0L)
