# One pass over all shards of a source. A pass has
#   name, label        for checkpoints and for people
#   start              the state before the first chunk of a shard
#   add(state, frame, place)
#                      the state after one more chunk; `place` says where it comes from: the number
#                      of the shard and of the rows before it in the shard
# A shard gives its last state, its numbers of rows and chunks, and a checksum of every chunk, by
# which later passes know their rows again.

# The states of the shards, in order. `known` are the shards of an earlier pass.
read_pass <- function(source, pass, run, known = NULL, checkpoint = NULL) {
  check_whole_source(source, "source", run$call)
  done <- checkpoint_pass(checkpoint, pass$name)
  if (!is.null(done)) return(done)
  tasks <- lapply(seq_along(source$shards), function(k) {
    list(shard = source$shards[[k]], number = k, shards = length(source$shards),
         known = known[[k]]$checksums,
         checkpoint = checkpoint_shard(checkpoint, k))
  })
  clock <- clock_seconds()
  shards <- over_shards(tasks, shard_worker(pass, source$chunk), pass, run)
  if (sum(vapply(shards, function(shard) shard$rows, 0)) == 0) {
    abort_argument("source", "The source has no rows.", run$call)
  }
  attr(shards, "seconds") <- clock_seconds() - clock
  finish_pass(checkpoint, pass$name, shards)
  shards
}

# A function of its own, so that a worker gets the pass and nothing else.
shard_worker <- function(pass, chunk) {
  force(pass)
  force(chunk)
  function(task, threads, tell = no_step, call = NULL) {
    read_shard(task, pass, list(chunk = chunk, threads = threads, tell = tell, call = call))
  }
}

read_shard <- function(task, pass, reading) {
  at <- new.env(parent = emptyenv())
  at$state <- pass$start
  at$chunks <- at$done <- 0L
  at$rows <- 0
  at$checksums <- character()
  resume_shard(at, task, pass, reading$call)
  at$saved <- clock_seconds()
  visit <- function(frame) visit_chunk(at, frame, task, pass, reading)
  tryCatch(each_chunk(task$shard, reading$chunk, visit), error = function(e) {
    abort_chunk(e, task, at$chunks + 1L, reading$call, "cannot be read")
  })
  if (at$chunks < max(at$done, length(task$known))) {
    text <- "it has fewer rows than before"
    abort_chunk(simpleError(text), task, at$chunks + 1L, reading$call, "has changed")
  }
  result <- list(state = at$state, rows = at$rows, chunks = at$chunks, checksums = at$checksums)
  if (!is.null(task$checkpoint)) save_shard(at, task, pass, reading$call, result)
  result
}

visit_chunk <- function(at, frame, task, pass, reading) {
  number <- at$chunks + 1L
  checksum <- chunk_checksum(frame)
  before <- if (number <= at$done) at$checksums[number] else task$known[number]
  if ((length(task$known) > 0L || number <= at$done) && !identical(checksum, before)) {
    abort_chunk(simpleError("its rows are not those of the pass before"), task, number,
                reading$call, "has changed")
  }
  # What a checkpoint has seen is read again, and compared, but not added again.
  if (number > at$done) {
    place <- list(shard = task$number, rows = at$rows, threads = reading$threads)
    at$state <- tryCatch(pass$add(at$state, frame, place), error = function(e) {
      abort_chunk(e, task, number, reading$call)
    })
    at$checksums[number] <- checksum
  }
  at$chunks <- number
  at$rows <- at$rows + nrow(frame)
  reading$tell(nrow(frame))
  # R would let the garbage of some chunks pile up, and more so the longer it runs.
  if (prod(dim(frame)) > 1e5) gc(verbose = FALSE, full = FALSE)
  late <- clock_seconds() - at$saved >= checkpoint_seconds()
  if (!is.null(task$checkpoint) && number > at$done && late) {
    save_shard(at, task, pass, reading$call)
    at$saved <- clock_seconds()
  }
  invisible()
}

# Names and values of the columns in order; names of rows say nothing.
chunk_checksum <- function(frame) rlang::hash(as.list(frame))

# An error in a chunk says where the chunk is, and keeps its own class.
abort_chunk <- function(e, task, number, call, what = NULL) {
  told <- c("cawi_error_source", "cawi_error_checkpoint", "cawi_error_to")
  if (inherits(e, told)) stop(e)
  text <- conditionMessage(e)
  several <- isTRUE(task$shards > 1L)
  where <- paste0("Chunk ", number, if (several) paste(" of shard", task$number), " (",
                  task$shard$label, ")")
  own <- setdiff(grep("^cawi_error_", class(e), value = TRUE), "cawi_error_source")
  cli_abort(if (is.null(what)) "{where}: {text}" else "{where} {what}: {text}",
            class = c("cawi_error_source", own, "cawi_error"), call = call)
}

# Rows so far and rows per second: a line of cli in interactive sessions, and messages to progressr.
rows_progress <- function(label, shards) {
  at <- new.env(parent = emptyenv())
  at$rows <- 0
  at$clock <- clock_seconds()
  report <- if (rlang::is_installed("progressr")) {
    progressr::progressor(shards, on_exit = FALSE, auto_finish = TRUE)
  } else {
    no_step
  }
  bar <- if (rlang::is_interactive()) {
    cli::cli_progress_bar(label, total = NA, .auto_close = FALSE, clear = TRUE,
                          format = "{cli::pb_spin} {cli::pb_name}{cli::pb_status}")
  }
  function(rows = 0, done = FALSE) {
    at$rows <- at$rows + rows
    text <- rows_text(at$rows, clock_seconds() - at$clock)
    report(paste(label, text), amount = as.numeric(done))
    if (!is.null(bar)) cli::cli_progress_update(id = bar, inc = 0, status = text)
    invisible(bar)
  }
}

rows_text <- function(rows, seconds) {
  count <- function(x) format(round(x), big.mark = ",", decimal.mark = ".", scientific = FALSE)
  sprintf("%s rows, %s per second", count(rows), count(rows / max(seconds, 1e-3)))
}
