# Independent pieces of work, one after the other or over the workers of `future`, with progress.

# Results in the order of `tasks`. Workers get what `work` needs with it; their own threads are one
# each, so that workers and threads do not multiply.
run_tasks <- function(tasks, work, label, threads, carried = NULL, call = caller_env()) {
  force(call)
  if (!has_workers()) {
    step <- progress_steps(length(tasks), label)
    on.exit(step(done = TRUE))
    return(lapply(tasks, function(task) {
      result <- work(task, threads)
      step()
      result
    }))
  }
  rlang::check_installed(c("future", "future.apply"), "to run over the workers of a plan.")
  step <- if (rlang::is_installed("progressr")) progressr::progressor(length(tasks)) else no_step
  tryCatch(future.apply::future_lapply(
    tasks, reporting(work, step, label), future.seed = NULL,
    future.packages = c("cawi", carried$packages),
    future.globals = structure(TRUE, add = carried$globals), future.scheduling = Inf
  ), FutureError = function(e) abort_worker(e, call))
}

# The worker is gone, or its connection: an error of the work itself has classes of its own.
is_lost_worker <- function(e) inherits(e, "FutureError")

abort_worker <- function(e, call) {
  text <- sub("[.] .*", ".", gsub("[[:space:]]+", " ", conditionMessage(e)))
  hint <- "Set the {.fn future::plan} again to start new workers."
  abort_argument("worker", c("A worker was lost: {text}", i = hint), call)
}

# What a function of the user needs on a worker: objects of the global environment and packages.
# Those of the package's own functions come with it.
carried <- function(f, packages = character()) {
  if (!has_workers()) return(NULL)
  rlang::check_installed("future", "to run over the workers of a plan.")
  if (!is.function(f)) return(list(globals = list(), packages = packages))
  found <- future::getGlobalsAndPackages(f, envir = environment(f) %||% globalenv())
  list(globals = as.list(found$globals), packages = unique(c(packages, found$packages)))
}

no_step <- function(...) NULL

# A function of its own, because the frame above has all tasks and would go to every worker with it.
reporting <- function(work, step, label) {
  force(work)
  force(step)
  force(label)
  function(task) {
    # Work within a task is a part of its step.
    progress_state$busy <- TRUE
    on.exit(progress_state$busy <- FALSE)
    result <- work(task, 1L)
    step(label)
    result
  }
}

# Only a plan that the user set counts; without `future` loaded there is none.
has_workers <- function() {
  isNamespaceLoaded("future") && !inherits(future::plan(), "sequential")
}

# Is progress told already? Work within other work is a part of its steps, and has no bar.
progress_state <- new.env(parent = emptyenv())

# A function to call after every step, and once more when all is done. It signals to progressr, for
# those who listen to it, and moves a bar of cli in interactive sessions, which shows itself where
# work takes long.
progress_steps <- function(steps, label) {
  if (isTRUE(progress_state$busy)) return(no_step)
  progress_state$busy <- TRUE
  report <- if (rlang::is_installed("progressr")) {
    progressr::progressor(steps, on_exit = FALSE, auto_finish = TRUE)
  } else {
    no_step
  }
  bar <- if (rlang::is_interactive()) {
    cli::cli_progress_bar(label, total = steps, .auto_close = FALSE)
  }
  function(done = FALSE) {
    if (done) progress_state$busy <- FALSE else report(label)
    if (is.null(bar)) return(invisible())
    if (done) cli::cli_progress_done(id = bar) else cli::cli_progress_update(id = bar)
  }
}
