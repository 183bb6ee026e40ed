# Calls the functions of the package with hostile arguments until the time or the number of calls is
# used up. Calls run in child processes, so that a crash ends one call and not the run; a call that
# takes more than 10 seconds of processor time, or a minute of any time, is a hang.
#
# Usage: Rscript fuzz.R [MINUTES=n] [CALLS=n] [SEED=s] [FROM=n] [WORKERS=n] [RECORD=file]
#
# The last line is "N passed, N failed, N skipped", in calls; the status is 1 where one failed.
# Failures are made smaller and written as tests into the folder `failures`.

settings <- list(MINUTES = "Inf", CALLS = "Inf", SEED = "1", FROM = "1", WORKERS = "1", RECORD = "")
for (given in strsplit(commandArgs(trailingOnly = TRUE), "=", fixed = TRUE)) {
  if (length(given) == 2L && nzchar(given[2L])) settings[[given[1L]]] <- given[2L]
}
number_of <- function(name) as.double(settings[[name]])
if (settings$MINUTES == "Inf" && settings$CALLS == "Inf") settings$MINUTES <- "2"

folder <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
batch_size <- 2000
call_seconds <- 10
wall_seconds <- 60

# Where memory ends must not depend on the machine: with more of it a billion draws would take
# minutes, as whoever asks for them knows.
memory_kilobytes <- 12 * 2^20

rscript <- function(script, arguments) {
  processx::process$new(
    "/bin/sh", c("-c", sprintf("ulimit -v %d; exec \"$0\" \"$@\"", memory_kilobytes),
                 file.path(R.home("bin"), "Rscript"), "--vanilla", file.path(folder, script),
                 arguments),
    stdout = NULL, stderr = "2>&1", env = c("current", OPENBLAS_NUM_THREADS = "1")
  )
}

start_batch <- function(from, to) {
  log <- tempfile("calls")
  file.create(log)
  list(process = rscript("child.R", c(folder, settings$SEED,
                                      format(c(from, to), scientific = FALSE), log)),
       log = log, from = from, to = to, call = NA, since = Sys.time(), cpu = 0)
}

# Lines of a log: number, kind and why; the last may have a number alone.
read_log <- function(log) {
  lines <- readLines(log, warn = FALSE)
  lines <- lines[grepl("^[0-9]+\t", lines)]
  fields <- strsplit(lines, "\t", fixed = TRUE)
  field <- function(at) vapply(fields, function(f) if (length(f) >= at) f[at] else "", "")
  data.frame(number = as.double(field(1L)), kind = field(2L), why = field(3L))
}

cpu_of <- function(process) {
  tryCatch(sum(process$get_cpu_times()[c("user", "system")]),
           error = function(e) 0)
}

# Looks at a running batch: has its call changed, and how long has it taken?
watch_batch <- function(batch) {
  last <- utils::tail(read_log(batch$log), 1L)
  now <- if (nrow(last) == 1L) paste(last$number, last$kind) else "starting"
  if (!identical(now, batch$call)) {
    batch$call <- now
    batch$since <- Sys.time()
    batch$cpu <- cpu_of(batch$process)
  }
  started <- !identical(now, "starting")
  wall <- as.double(difftime(Sys.time(), batch$since, units = "secs"))
  batch$hangs <- started && nrow(last) == 1L && last$kind == "" &&
    (cpu_of(batch$process) - batch$cpu > call_seconds || wall > wall_seconds)
  batch
}

# What a finished batch found; a call without an end has died, or was killed.
finish_batch <- function(batch, why) {
  calls <- read_log(batch$log)
  open <- calls$kind == ""
  calls$kind[open] <- if (why == "hang") "hang" else "crash"
  calls$why[open] <- why
  unlink(batch$log)
  calls
}

# The state of the sources now: they may change while the calls run.
commit <- if (nzchar(settings$RECORD)) {
  system2("git", c("describe", "--always", "--dirty", "--exclude='*'"), stdout = TRUE)
}
run <- list(start = Sys.time(), next_call = number_of("FROM"), batches = list(), found = list())
end_call <- number_of("FROM") + number_of("CALLS") - 1
end_time <- run$start + 60 * min(number_of("MINUTES"), 1e5)
counts <- c(right = 0, classed = 0, crash = 0, hang = 0, unclassed = 0, wrong = 0, skipped = 0)
rest <- list()

repeat {
  more <- Sys.time() < end_time && (run$next_call <= end_call || length(rest) > 0L)
  while (more && length(run$batches) < number_of("WORKERS")) {
    if (length(rest) > 0L) {
      range <- rest[[1L]]
      rest <- rest[-1L]
    } else {
      range <- c(run$next_call, min(end_call, run$next_call + batch_size - 1))
      run$next_call <- range[2L] + 1
    }
    run$batches <- c(run$batches, list(start_batch(range[1L], range[2L])))
    more <- run$next_call <= end_call || length(rest) > 0L
  }
  if (length(run$batches) == 0L) break
  Sys.sleep(0.25)
  run$batches <- lapply(run$batches, watch_batch)
  over <- vapply(run$batches,
                 function(b) b$hangs || !b$process$is_alive() || Sys.time() >= end_time, NA)
  for (batch in run$batches[over]) {
    alive <- batch$process$is_alive()
    cut <- alive && !batch$hangs
    if (alive) batch$process$kill()
    status <- paste("exit status", batch$process$get_exit_status())
    calls <- finish_batch(batch, if (batch$hangs) "hang" else status)
    # One that has just begun at the end of the time has no calls.
    if (nrow(calls) == 0L && !cut) stop("a process could not start: is the package installed?")
    if (cut) calls <- calls[!calls$kind %in% c("crash", "hang"), ]
    counts <- counts + table(factor(calls$kind, names(counts)))
    run$found <- c(run$found, list(calls[!calls$kind %in% c("right", "classed", "skipped"), ]))
    last <- if (nrow(calls) > 0L) max(calls$number) else batch$to
    if (!cut && last < batch$to) rest <- c(rest, list(c(last + 1, batch$to)))
  }
  run$batches <- run$batches[!over]
}
seconds <- as.double(difftime(Sys.time(), run$start, units = "secs"))

# ---- what was found ----

found <- do.call(rbind, run$found)
stem <- function(why) gsub("[0-9.]+|`[^`]*`|\"[^\"]*\"|'[^']*'", "", substr(why, 1L, 80L))
if (NROW(found) > 0L) {
  found$stem <- paste(found$kind, stem(found$why))
  found <- found[order(found$number), ]
  first <- found[!duplicated(found$stem), ]
  times <- table(found$stem)[first$stem]
  for (at in seq_len(nrow(first))) {
    cat(sprintf("%s x %d, call %.0f: %s\n", first$kind[at], times[at], first$number[at],
                first$why[at]))
  }
  dir.create(file.path(folder, "failures"), showWarnings = FALSE)
  for (number in utils::head(first$number, as.double(Sys.getenv("FUZZ_SHRINK", "20")))) {
    file <- file.path(folder, "failures", sprintf("test-seed%s-call%.0f.R", settings$SEED, number))
    process <- rscript("replay.R", c(settings$SEED, format(number, scientific = FALSE), file))
    process$wait(60000)
    if (process$is_alive()) process$kill()
    if (file.exists(file)) cat("written:", file, "\n")
  }
}

failed <- sum(counts[c("crash", "hang", "unclassed", "wrong")])
passed <- sum(counts[c("right", "classed")])
cat(sprintf("seed %s, %d calls from %s in %.0f s: %s\n", settings$SEED, sum(counts), settings$FROM,
            seconds,
            paste(names(counts), counts, collapse = ", ")))
if (nzchar(settings$RECORD)) {
  line <- data.frame(seed = settings$SEED, from = number_of("FROM"), calls = sum(counts),
                     right = counts[["right"]],
                     classed = counts[["classed"]], crashes = counts[["crash"]],
                     hangs = counts[["hang"]],
                     unclassed = counts[["unclassed"]], wrong = counts[["wrong"]],
                     skipped = counts[["skipped"]],
                     seconds = round(seconds), commit = commit)
  fresh <- !file.exists(settings$RECORD)
  utils::write.table(line, settings$RECORD, append = !fresh, sep = ",", row.names = FALSE,
                     col.names = fresh, quote = FALSE)
}
cat(sprintf("\n%d passed, %d failed, %d skipped\n", passed, failed, counts[["skipped"]]))
if (failed > 0L || passed == 0L) quit(status = 1L)
