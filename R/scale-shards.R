# The shards of a pass, one after the other or over the workers of `future`.

# A worker may die as often as this before the rest is read here.
most_rounds_of_workers <- 3L

# `work(task, threads, tell, call)` gives the result of one shard; results are in the order of the
# tasks, whoever made them.
over_shards <- function(tasks, work, pass, run) {
  if (length(tasks) == 1L || !has_workers()) return(shards_here(tasks, work, pass, run))
  rlang::check_installed("future", "to run over the workers of a plan.")
  for (task in tasks) check_portable(task$shard, run$call)
  results <- vector("list", length(tasks))
  left <- seq_along(tasks)
  for (round in seq_len(most_rounds_of_workers)) {
    if (round > 1L) renew_workers()
    results[left] <- shards_elsewhere(tasks[left], work, pass)
    left <- left[vapply(results[left], is.null, logical(1))]
    if (length(left) == 0L) return(results)
  }
  message <- paste("Workers were lost {most_rounds_of_workers} times with {cli::qty(length(left))}",
                   "shard{?s} {left}, which {?is/are} read by this process.")
  warn_topic("worker", message, run$call)
  results[left] <- shards_here(tasks[left], work, pass, run)
  results
}

shards_here <- function(tasks, work, pass, run) {
  tell <- rows_progress(pass$label, length(tasks))
  on.exit({
    bar <- tell()
    if (!is.null(bar)) cli::cli_progress_done(id = bar)
  })
  lapply(tasks, function(task) {
    result <- work(task, run$threads, tell, run$call)
    tell(done = TRUE)
    result
  })
}

# NULL for shards whose worker was lost. Workers have one thread each, so that workers and threads
# do not multiply.
shards_elsewhere <- function(tasks, work, pass) {
  tell <- rows_progress(pass$label, length(tasks))
  on.exit({
    bar <- tell()
    if (!is.null(bar)) cli::cli_progress_done(id = bar)
  })
  lost <- function(e) if (is_lost_worker(e)) NULL else stop(e)
  futures <- lapply(tasks, function(task) tryCatch(launch_shard(task, work), error = lost))
  lapply(futures, function(future) {
    if (is.null(future)) return(NULL)
    result <- tryCatch(future::value(future), error = lost)
    if (!is.null(result)) tell(result$rows, done = TRUE)
    result
  })
}

# A function of its own, because a future takes what is around it along.
launch_shard <- function(task, work) {
  code <- task$shard$open %||% task$shard$read
  needs <- if (is.function(code)) carried(code)
  globals <- c(list(work = work, task = task), needs$globals)
  future::future(work(task, 1L), globals = globals, packages = unique(c("cawi", needs$packages)),
                 seed = NULL)
}

# A plan that is set again starts the workers that died; clusters of the user's own stay as they
# are, and jobs are submitted anew.
renew_workers <- function() {
  plan <- future::plan("list")
  future::plan("sequential")
  future::plan(plan)
}

check_portable <- function(shard, call) {
  if (shard$kind != "query") return(invisible())
  message <- "A connection to a database cannot be sent to another process."
  hint <- paste("Give each shard as a function that opens it:",
                "{.code function() cawi_source(DBI::dbConnect(...), \"SELECT ...\")}.")
  abort_argument("source", c(message, i = hint), call)
}
