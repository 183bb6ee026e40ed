# Shared by the benchmark scripts: best of several runs, ratios, and a record with versions and
# machine beside the numbers. Sourced, not run.

# Runs the script again where the BLAS may have more than one thread: it reads the variable when R
# starts.
with_one_blas_thread <- function(script) {
  if (Sys.getenv("OPENBLAS_NUM_THREADS") == "1") return(invisible())
  arguments <- c(script, commandArgs(trailingOnly = TRUE))
  quit(status = system2(file.path(R.home("bin"), "Rscript"), arguments,
                        env = "OPENBLAS_NUM_THREADS=1"))
}

best_seconds <- function(expr, times = 5L) {
  expr <- substitute(expr)
  where <- parent.frame()
  min(vapply(seq_len(times), function(i) {
    gc(verbose = FALSE)
    system.time(eval(expr, where))[["elapsed"]]
  }, numeric(1)))
}

# Processor time of one run on one thread, which other work on the machine changes little: the least
# of several turns, in which the functions take their runs one after the other.
cpu_seconds <- function(functions, least = 0.1, turns = 3L) {
  run <- function(f, times) {
    sum(system.time(for (i in seq_len(times)) f())[c("user.self", "sys.self")])
  }
  times <- vapply(functions, function(f) {
    f()
    ceiling(least / max(run(f, 3L) / 3, 1e-5))
  }, numeric(1))
  seconds <- vapply(seq_len(turns), function(turn) {
    gc(verbose = FALSE)
    mapply(function(f, n) run(f, n) / n, functions, times)
  }, numeric(length(functions)))
  apply(matrix(seconds, length(functions)), 1L, min)
}

# The best of several runs for each of the named expressions, which take turns.
best_in_turn <- function(exprs, times = 5L) {
  where <- parent.frame()
  seconds <- vapply(seq_len(times), function(i) {
    vapply(exprs, function(expr) {
      gc(verbose = FALSE)
      system.time(eval(expr, where))[["elapsed"]]
    }, numeric(1))
  }, numeric(length(exprs)))
  apply(seconds, 1L, min)
}

versions <- function(packages) {
  found <- packages[vapply(packages, requireNamespace, logical(1), quietly = TRUE)]
  vapply(found, function(p) paste(p, utils::packageVersion(p)), character(1))
}

machine <- function() {
  cpu <- if (file.exists("/proc/cpuinfo")) {
    sub(".*: ", "", grep("model name", readLines("/proc/cpuinfo"), value = TRUE)[1L])
  } else {
    Sys.info()[["machine"]]
  }
  sprintf("%s, %d cores, %s, BLAS %s", cpu, parallel::detectCores(), R.version.string,
          basename(dirname(utils::sessionInfo()$BLAS)))
}

# Prints the table and, where a folder is given as the first argument of the script, records it.
report <- function(name, table, packages) {
  header <- c(machine(), paste(versions(c("cawi", packages)), collapse = ", "))
  writeLines(header)
  print(table, digits = 3, row.names = FALSE, right = FALSE)
  folder <- commandArgs(trailingOnly = TRUE)
  if (length(folder) > 0L) {
    path <- file.path(folder[1L], paste0(name, ".csv"))
    writeLines(paste("#", header), path)
    suppressWarnings(utils::write.table(format(table, digits = 4), path, append = TRUE, sep = ",",
                                        row.names = FALSE,
                                        quote = which(vapply(table, is.character, logical(1)))))
  }
  invisible(table)
}

bench_row <- function(what, peer, peer_seconds, cawi_one, cawi_two, goal = NA) {
  data.frame(what = what, peer = peer, peer_ms = 1000 * peer_seconds, cawi_1_ms = 1000 * cawi_one,
             cawi_2_ms = 1000 * cawi_two, ratio_1 = peer_seconds / cawi_one,
             ratio_2 = peer_seconds / cawi_two, goal = goal)
}
