# Shared by the benchmarks of rows from a database: the table, and arms that are measured each in an
# R process of its own, because the peak of memory is that of a process. Sourced, not run.

features <- paste0("x", 1:20)
# As many rows as a source brings at a time.
chunk_rows <- 1e5
formula_of_all <- stats::reformulate(features, "y")

# Writes the table a chunk at a time; its numbers depend on the chunk alone.
write_rows <- function(con, rows) {
  for (chunk in seq_len(ceiling(rows / chunk_rows))) {
    set.seed(chunk)
    m <- min(chunk_rows, rows - (chunk - 1) * chunk_rows)
    x <- matrix(rnorm(m * 20), m, dimnames = list(NULL, features)) + 0.5 * rnorm(m)
    y <- sin(x[, 1L]) + x[, 2L] * x[, 3L] + rnorm(m)
    DBI::dbWriteTable(con, "numbers", data.frame(x, y = y), append = TRUE)
  }
}

# All rows of a query, a chunk at a time, to a function.
each_chunk <- function(con, query, f) {
  result <- DBI::dbSendQuery(con, query)
  on.exit(DBI::dbClearResult(result))
  while (nrow(rows <- DBI::dbFetch(result, n = chunk_rows)) > 0L) f(rows)
}

arms <- list(
  # R itself, with what the others load.
  alone = function(con, query) NULL,
  # The floor: all chunks, as often as the passes of a fit need them, and nothing done with them.
  fetch = function(con, query) for (pass in 1:2) each_chunk(con, query, identity),
  fit = function(con, query) {
    source <- cawi::cawi_source(con, query, chunk = chunk_rows)
    cawi::cawi_elm(y ~ ., source, hidden = 200, seed = 1)
  },
  biglm = function(con, query) {
    fit <- NULL
    each_chunk(con, query, function(rows) {
      fit <<- if (is.null(fit)) biglm::biglm(formula_of_all, rows) else stats::update(fit, rows)
    })
    stats::coef(fit)
  }
)

peak_mb <- function() {
  line <- grep("^VmHWM:", readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

# In a process that was started for an arm: runs it, prints seconds on the clock, seconds of the
# processor and the peak of memory, and ends.
run_arm <- function(connect) {
  arguments <- commandArgs(trailingOnly = TRUE)
  if (!identical(arguments[1L], "--arm")) return(invisible())
  loadNamespace("cawi")
  con <- connect(arguments[3L])
  t <- system.time(arms[[arguments[2L]]](con, arguments[4L]))
  DBI::dbDisconnect(con)
  cat("\n", t[["elapsed"]], " ", t[["user.self"]] + t[["sys.self"]], " ", peak_mb(), "\n", sep = "")
  quit(status = 0L)
}

# Measures arms in turn: the least seconds and the largest peak of several turns.
measure_arms <- function(script, database, plan, turns) {
  one <- function(arm, query) {
    out <- system2(file.path(R.home("bin"), "Rscript"),
                   shQuote(c(script, "--arm", arm, database, query)), stdout = TRUE)
    figures <- as.numeric(strsplit(utils::tail(out, 1L), " ")[[1L]])
    if (length(figures) != 3L || anyNA(figures)) stop("The arm ", arm, " failed.", call. = FALSE)
    cat(sprintf("%-6s %8.1f s, %8.1f s of the processor, peak %6.1f MB: %s\n", arm, figures[1L],
                figures[2L], figures[3L], query))
    figures
  }
  seen <- lapply(seq_len(turns), function(turn) mapply(one, plan$arm, plan$query))
  least <- do.call(pmin, seen)
  data.frame(plan, seconds = least[1L, ], cpu = least[2L, ],
             peak = do.call(pmax, seen)[3L, ], row.names = plan$name)
}

scale_row <- function(what, cawi, peer, peer_value, goal, ratio = cawi / peer_value) {
  data.frame(what = what, cawi = cawi, peer = peer, peer_value = peer_value, ratio = ratio,
             goal = goal)
}

# The rows of the table, if it was not said to be another number.
asked_rows <- function(default) as.numeric(c(commandArgs(trailingOnly = TRUE)[-1L], default)[[1L]])
count <- function(n) format(n, big.mark = ",", scientific = FALSE, trim = TRUE)
