# Scenarios of faults: how they are run, judged and counted. Sourced, not run.

# A scenario gives its counts: what was tried, what was lost (a result or an earlier file that is
# gone or other than it must be), what was half-written (half a file, or a draft that stayed), and
# what ended unclassed (an error of another class, a crash, a hang).
counts <- function(tries = 0, lost = 0, half_written = 0, unclassed = 0) {
  c(tries = tries, lost = lost, half_written = half_written, unclassed = unclassed)
}

records <- new.env()
records$table <- NULL

scenario <- function(name, code) {
  wanted <- Sys.getenv("FILTER")
  if (nzchar(wanted) && !grepl(wanted, name)) return(invisible())
  seconds <- system.time(found <- code)[["elapsed"]]
  row <- data.frame(scenario = name, as.list(found), seconds = round(seconds, 1))
  print(row, row.names = FALSE, right = FALSE)
  records$table <- rbind(records$table, row)
}

note <- function(...) message("  ", ...)

# What came of some code: a result, or the class and the message of an error.
outcome <- function(code) {
  tryCatch(list(value = code, class = "", text = ""), error = function(e) {
    list(value = NULL, class = class(e), text = gsub("[[:space:]]+", " ", conditionMessage(e)))
  })
}
is_result <- function(got) identical(got$class, "")
is_classed <- function(got) "cawi_error" %in% got$class

new_folder <- function() {
  folder <- tempfile("faults-")
  dir.create(folder)
  normalizePath(folder)
}
content <- function(file) if (file.exists(file)) readBin(file, "raw", file.size(file))
all_files <- function(folder) list.files(folder, all.files = TRUE, no.. = TRUE)
drafts <- function(folder) sum(startsWith(all_files(folder), ".cawi-"))

# Runs an expression in an R of its own, with lines of the shell before it, and gives its value.
# `status` is that of the process: 124 where it took too long.
in_child <- function(expr, shell = character(), env = character(), seconds = 300) {
  folder <- new_folder()
  Sys.chmod(folder, "777", use_umask = FALSE)
  script <- file.path(folder, "run.R")
  value <- file.path(folder, "value.rds")
  writeLines(c(
    sprintf(".libPaths(%s)", deparse1(.libPaths())),
    sprintf("source(%s)", deparse1(file.path(attack, "tools.R"))),
    "library(cawi)",
    paste("value <-", paste(deparse(expr, width.cutoff = 500L), collapse = "\n")),
    sprintf("saveRDS(value, %s)", deparse1(value))
  ), script, useBytes = TRUE)
  runner <- file.path(folder, "run.sh")
  command <- paste("exec", shQuote(file.path(R.home("bin"), "Rscript")), "--vanilla",
                   shQuote(script))
  writeLines(c(shell, command), runner)
  out <- file.path(folder, "out")
  status <- suppressWarnings(system2("timeout", c("-k", "5", seconds, "bash", shQuote(runner)),
                                     stdout = out, stderr = out, env = env))
  result <- list(status = status, value = if (file.exists(value)) readRDS(value),
                 out = readLines(out, warn = FALSE))
  if (status != 0) note("ended with ", status, ": ", paste(tail(result$out, 3), collapse = " / "))
  unlink(folder, recursive = TRUE)
  result
}

# A disk of its own, mounted for the time of some code; NULL where mounts are not allowed.
with_disk <- function(size, code) {
  folder <- new_folder()
  mounted <- suppressWarnings(system2("mount", c("-t", "tmpfs", "-o", paste0("size=", size), "none",
                                                 shQuote(folder)), stderr = FALSE)) == 0L
  if (!mounted) {
    note("mounts are not allowed here")
    return(NULL)
  }
  on.exit({
    system2("umount", shQuote(folder))
    unlink(folder, recursive = TRUE)
  })
  code(folder)
}
free_bytes <- function(folder) {
  out <- system2("df", c("--output=avail", "-B1", shQuote(folder)), stdout = TRUE)
  as.numeric(out[2L])
}
# Leaves so many bytes on a disk.
fill_disk <- function(folder, leave) {
  filler <- file.path(folder, "filler")
  unlink(filler)
  # In pieces, because what the system keeps about a file takes room, too.
  connection <- file(filler, "wb")
  on.exit(close(connection))
  writeBin(raw(max(free_bytes(folder) - leave, 0)), connection)
}

# ---- what is fitted and written ----

flowers <- function() cawi::cawi_rvfl(Species ~ ., iris, hidden = 5, lambda = 0.1, seed = 1)

# Chunks of rows from a function, as a database gives them.
in_chunks <- function(frame, size) {
  at <- new.env()
  function(reset) {
    if (reset) {
      at$row <- 1
      return(NULL)
    }
    if (at$row > nrow(frame)) return(NULL)
    at$row <- at$row + size
    frame[seq(at$row - size, min(at$row - 1, nrow(frame))), ]
  }
}
many_flowers <- function(times = 20) do.call(rbind, rep(list(iris), times))

fit_in_chunks <- function(checkpoint = NULL, times = 20, size = 60) {
  half <- many_flowers(times)
  turned <- half[rev(seq_len(nrow(half))), ]
  source <- cawi::cawi_source(list(in_chunks(half, size), in_chunks(turned, size)))
  fit <- cawi::cawi_rvfl(Species ~ ., source, hidden = 12, seed = 2, checkpoint = checkpoint,
                         threads = 1)
  fit$seconds[] <- 0
  fit
}

small_benchmark <- function(record = NULL, seeds = 1:3) {
  sets <- list(list(x = as.matrix(iris[, 1:4]), y = iris$Species),
               cars = list(x = as.matrix(mtcars[, 3:7]), y = factor(mtcars$cyl)))
  names(sets)[1L] <- "\u00e9t\u00e9"
  grid <- cawi::cawi_grid(hidden = c(4, 8), activation = "relu", lambda = c(0.1, 10))
  cawi::cawi_benchmark(sets, init = c("iid", "gaussian"), seeds = seeds, grid = grid, folds = 3,
                       record = record, threads = 1)
}
# Seconds are measured, and differ between runs.
without_seconds <- function(table) {
  table$seconds <- NULL
  as.data.frame(table)
}

# The functions that write a file: each writes to a path, and `whole` tells whether what is there is
# all of what it writes.
writers <- function(folder) {
  fit <- flowers()
  rows <- function() cawi::cawi_source(many_flowers(10), chunk = 400)
  kinds <- list(
    report = function(path) cawi::cawi_report(fit, path),
    predictions = function(path) predict(fit, rows(), type = "prob", to = path),
    packed = function(path) predict(fit, rows(), type = "prob", to = path)
  )
  names <- c(report = "page.html", predictions = "rows.csv", packed = "rows.csv.gz")
  lapply(stats::setNames(names(kinds), names(kinds)), function(kind) {
    good <- file.path(folder, paste0("good-", names[[kind]]))
    kinds[[kind]](good)
    list(file = names[[kind]], write = kinds[[kind]], whole = content(good))
  })
}

# Writes to a place that has an earlier file, and judges what is there then.
judge_writer <- function(writer, folder, must_fail = FALSE) {
  path <- file.path(folder, writer$file)
  before <- charToRaw("before")
  suppressWarnings(try(writeBin(before, path), silent = TRUE))
  had <- identical(content(path), before)
  got <- outcome(writer$write(path))
  now <- content(path)
  kept <- !had || identical(now, before)
  fine <- if (is_result(got)) !must_fail && identical(now, writer$whole) else kept
  torn <- !is.null(now) && length(now) > 0L && !identical(now, before) &&
    !identical(now, writer$whole)
  named <- is_result(got) || grepl(writer$file, gsub(" ", "", got$text), fixed = TRUE)
  bad <- !is_result(got) && (!is_classed(got) || !named)
  if (bad || !fine) note(writer$file, ": ", got$class[1L], " ", got$text)
  counts(1, !fine, torn + drafts(folder), bad)
}

# Results of two threads in this process and in forks of it, one in the other.
forked_fits <- function() {
  x <- as.matrix(iris[, 1:4])
  fit <- function(seed) {
    model <- cawi::cawi_rvfl(x, iris$Species, hidden = 60, init = "gaussian", seed = seed,
                             threads = 2)
    list(coef(model), predict(model, x, type = "prob", threads = 2),
         cawi::cawi_kendall(x[rep(1:150, 20), ], threads = 2))
  }
  here <- lapply(1:4, fit)
  there <- parallel::mclapply(1:4, fit, mc.cores = 2)
  deeper <- parallel::mclapply(1:2, function(i) {
    parallel::mclapply(1:4, fit, mc.cores = 2)
  }, mc.cores = 2)
  # The parent again, after its children.
  after <- lapply(1:4, fit)
  c(identical(there, here), identical(deeper, list(here, here)), identical(after, here))
}

# Rows that end the process that reads them, once, at a chunk.
deadly_rows <- function(frame, chunk, mark, me) {
  force(me)
  at <- new.env()
  function(reset) {
    if (reset) {
      at$row <- 1
      at$chunk <- 0
      return(NULL)
    }
    at$chunk <- at$chunk + 1
    if (at$chunk == chunk && Sys.getpid() != me && !file.exists(mark)) {
      file.create(mark)
      tools::pskill(Sys.getpid(), 9L)
      Sys.sleep(5)
    }
    if (at$row > nrow(frame)) return(NULL)
    at$row <- at$row + 50
    frame[seq(at$row - 50, min(at$row - 1, nrow(frame))), ]
  }
}
