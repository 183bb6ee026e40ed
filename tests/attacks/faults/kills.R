# kill -9 at random moments. Processes are forks of this one, so that a kill costs no start of R.

kills <- as.integer(Sys.getenv("KILLS", "50"))

# Runs code in a process that is killed after some seconds. Did it end by itself before?
killed_after <- function(seconds, code) {
  job <- parallel::mcparallel(code(), silent = TRUE)
  got <- suppressWarnings(parallel::mccollect(job, wait = FALSE, timeout = seconds))
  if (!is.null(got)) {
    suppressWarnings(parallel::mccollect(job, wait = FALSE))
    return(TRUE)
  }
  tools::pskill(job$pid, tools::SIGKILL)
  # Until the system has forgotten the process.
  suppressWarnings(parallel::mccollect(job, wait = TRUE))
  FALSE
}
seconds_of <- function(code) system.time(code)[["elapsed"]]

scenario("kill -9: benchmark", {
  set.seed(1)
  took <- seconds_of(whole <- without_seconds(small_benchmark()))
  found <- counts()
  while (found[["tries"]] < kills) {
    record <- file.path(new_folder(), "record")
    while (!killed_after(stats::runif(1, 0, took), function() small_benchmark(record))) {
      found <- found + counts(1)
    }
    # All units are there, none was run twice or lost, and no draft stayed.
    files <- all_files(record)
    again <- without_seconds(small_benchmark(record))
    found <- found + counts(0, !identical(again, whole), length(files) != 12L)
  }
  found
})

scenario("kill -9: checkpoint", {
  set.seed(2)
  options(cawi.checkpoint_seconds = 0)
  took <- seconds_of(whole <- fit_in_chunks())
  found <- counts()
  while (found[["tries"]] < kills) {
    folder <- new_folder()
    file <- file.path(folder, "fit.rds")
    done <- file.path(folder, "done.rds")
    run <- function() saveRDS(fit_in_chunks(file), done)
    while (!killed_after(stats::runif(1, 0, took), run)) found <- found + counts(1)
    # The checkpoint is gone when the model is made.
    left <- setdiff(all_files(folder), "done.rds")
    found <- found + counts(0, !identical(readRDS(done), whole), length(left))
  }
  found
})

scenario("kill -9: report", {
  set.seed(3)
  fit <- flowers()
  folder <- new_folder()
  file <- file.path(folder, "page.html")
  pages <- lapply(c("one", "two"), function(title) {
    cawi::cawi_report(fit, file, title = title)
    content(file)
  })
  took <- seconds_of(cawi::cawi_report(fit, file, title = "two"))
  found <- counts()
  while (found[["tries"]] < kills) {
    title <- c("one", "two")[found[["tries"]] %% 2 + 1]
    write <- function() cawi::cawi_report(fit, file, title = title)
    ended <- killed_after(stats::runif(1, 0, took), write)
    whole <- any(vapply(pages, identical, NA, content(file)))
    found <- found + counts(!ended, half_written = !whole)
  }
  cawi::cawi_report(fit, file)
  found + counts(half_written = drafts(folder))
})

# A page of the usual size is written in a moment that few kills meet. Of a large one all kills do.
scenario("kill -9: large page", {
  set.seed(4)
  folder <- new_folder()
  file <- file.path(folder, "page.html")
  pages <- lapply(c("a", "b"), strrep, 1e7)
  write <- function(page) cawi:::write_page(page, file, NULL)
  took <- seconds_of(write(pages[[1L]]))
  right <- lapply(pages, function(page) charToRaw(paste0(page, "\n")))
  found <- counts()
  met <- 0
  while (found[["tries"]] < kills) {
    page <- pages[[found[["tries"]] %% 2 + 1]]
    ended <- killed_after(stats::runif(1, 0, took), function() write(page))
    met <- met + drafts(folder)
    now <- content(file)
    found <- found + counts(!ended, half_written = !any(vapply(right, identical, NA, now)))
  }
  note(met, " kills met a draft that was being written")
  write(pages[[1L]])
  found + counts(half_written = drafts(folder))
})

scenario("kill -9: predictions", {
  set.seed(5)
  fit <- flowers()
  folder <- new_folder()
  file <- file.path(folder, "rows.csv")
  rows <- function() cawi::cawi_source(many_flowers(40), chunk = 100)
  took <- seconds_of(predict(fit, rows(), type = "prob", to = file))
  whole <- content(file)
  found <- counts()
  while (found[["tries"]] < kills) {
    writeLines("before", file)
    ended <- killed_after(stats::runif(1, 0, took), function() {
      predict(fit, rows(), type = "prob", to = file)
    })
    now <- content(file)
    fine <- identical(now, whole) || identical(now, charToRaw("before\n"))
    found <- found + counts(!ended, half_written = !fine)
  }
  predict(fit, rows(), type = "prob", to = file)
  found + counts(half_written = drafts(folder))
})
