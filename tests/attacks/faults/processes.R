# Forks, workers that die, and processes that use the same files at the same moment.

scenario("fork: threads in children of a parent with threads", {
  found <- counts()
  for (i in 1:5) {
    got <- in_child(quote(forked_fits()), seconds = 120)
    found <- found + counts(3, 3 - sum(got$value), unclassed = got$status != 0L)
  }
  found
})

scenario("fork: tuning, sources and the automatic choice in children", {
  got <- in_child(quote({
    jobs <- list(
      function() {
        grid <- cawi_grid(hidden = c(5, 10), lambda = c(0.1, 1))
        coef(cawi_tune(Species ~ ., iris, grid = grid, seed = 1, threads = 2)$fit)
      },
      function() {
        source <- cawi_source(iris, chunk = 40)
        coef(cawi_elm(Species ~ ., source, hidden = 5, seed = 1, threads = 2))
      },
      function() predict(cawi_auto(mpg ~ wt + hp, mtcars, seed = 1, threads = 2), mtcars)
    )
    here <- lapply(jobs, function(job) job())
    there <- parallel::mclapply(jobs, function(job) job(), mc.cores = 2)
    mapply(identical, here, there)
  }), seconds = 240)
  counts(3, 3 - sum(got$value), unclassed = got$status != 0L)
})

# ---- workers ----

scenario("killed worker during shards", {
  got <- in_child(quote({
    future::plan(future::multisession, workers = 2)
    on.exit(future::plan(future::sequential))
    fit_shards <- function(chunk, mark) {
      rows <- many_flowers(4)
      source <- cawi_source(list(deadly_rows(rows, chunk, mark, Sys.getpid()),
                                 deadly_rows(rows[600:1, ], 99, mark, Sys.getpid())))
      fit <- cawi_rvfl(Species ~ ., source, hidden = 6, seed = 1, threads = 1)
      fit$seconds[] <- 0
      fit
    }
    whole <- fit_shards(99, tempfile())
    found <- counts()
    for (chunk in c(1, 4, 9, 12)) {
      mark <- tempfile()
      got <- outcome(suppressWarnings(fit_shards(chunk, mark)))
      stopifnot(file.exists(mark))
      found <- found + counts(1, is_result(got) && !identical(got$value, whole),
                              unclassed = !is_result(got) && !is_classed(got))
    }
    found
  }), seconds = 300)
  if (got$status == 0L) got$value else counts(1, unclassed = 1)
})

scenario("killed worker during tuning and benchmark", {
  got <- in_child(quote({
    library(future)
    plan(multisession, workers = 2)
    on.exit(plan(sequential))
    me <- Sys.getpid()
    found <- counts()
    record <- tempfile("record")
    mark <- tempfile()
    deadly <- function(x, hidden, seed) {
      if (Sys.getpid() != me && !file.exists(mark)) {
        file.create(mark)
        tools::pskill(Sys.getpid(), 9L)
        Sys.sleep(5)
      }
      set.seed(seed)
      matrix(stats::rnorm(ncol(x) * hidden), ncol(x))
    }
    run <- function(record) {
      sets <- list(a = list(x = as.matrix(iris[, 1:4]), y = iris$Species),
                   b = list(x = as.matrix(iris[, 1:3]), y = iris$Species))
      cawi_benchmark(sets, init = list(deadly = deadly), folds = 2, record = record,
                     grid = cawi_grid(hidden = 4, activation = "relu", lambda = 1))
    }
    got <- outcome(run(record))
    if (!is_classed(got)) note(got$class[1L], " ", got$text)
    found <- found + counts(1, unclassed = !is_result(got) && !is_classed(got))
    plan(sequential)
    whole <- run(NULL)
    again <- run(record)
    found <- found + counts(1, !identical(without_seconds(again), without_seconds(whole)),
                            drafts(record))
    mark <- tempfile()
    plan(multisession, workers = 2)
    got <- outcome(cawi_tune(Species ~ ., iris, seed = 1, init = deadly, resampling = 3,
                             grid = cawi_grid(hidden = c(4, 6), lambda = 1)))
    if (!is_result(got) && !is_classed(got)) note(got$class[1L], " ", got$text)
    found + counts(1, unclassed = !is_result(got) && !is_classed(got))
  }), seconds = 300)
  writeLines(grep("^  ", got$out, value = TRUE))
  if (got$status == 0L) got$value else counts(1, unclassed = 1)
})

# ---- side by side ----

together <- function(codes) {
  jobs <- lapply(codes, function(code) parallel::mcparallel(outcome(code()), silent = TRUE))
  parallel::mccollect(jobs)
}

scenario("three processes on one record", {
  whole <- without_seconds(small_benchmark())
  found <- counts()
  for (i in 1:10) {
    record <- file.path(new_folder(), "record")
    got <- together(rep(list(function() small_benchmark(record)), 3))
    for (one in got) {
      right <- is_result(one) && identical(without_seconds(one$value), whole)
      found <- found + counts(1, !right && !is_classed(one), unclassed = !is_result(one) &&
                                !is_classed(one))
    }
    again <- without_seconds(small_benchmark(record))
    found <- found + counts(0, !identical(again, whole), length(all_files(record)) != 12L)
  }
  found
})

scenario("three processes on one checkpoint", {
  options(cawi.checkpoint_seconds = 0)
  whole <- fit_in_chunks()
  found <- counts()
  for (i in 1:10) {
    folder <- new_folder()
    file <- file.path(folder, "fit.rds")
    got <- together(rep(list(function() fit_in_chunks(file)), 3))
    for (one in got) {
      bad <- !is_result(one) && !is_classed(one)
      found <- found + counts(1, is_result(one) && !identical(one$value, whole), unclassed = bad)
    }
    again <- outcome(fit_in_chunks(file))
    found <- found + counts(0, !identical(again$value, whole), drafts(folder))
  }
  found
})

# Without a seed each process draws its own, and one of them is that of the checkpoint.
scenario("two processes without a seed on one checkpoint", {
  options(cawi.checkpoint_seconds = 0)
  rows <- many_flowers(10)
  fit <- function(file, seed = NULL) {
    source <- cawi::cawi_source(list(in_chunks(rows, 60), in_chunks(rows[1500:1, ], 60)))
    cawi::cawi_elm(Species ~ ., source, hidden = 5, checkpoint = file, seed = seed, threads = 1)
  }
  found <- counts()
  for (i in 1:10) {
    folder <- new_folder()
    run <- function(k) {
      force(k)
      function() {
        set.seed(k)
        fit(file.path(folder, "fit.rds"))
      }
    }
    got <- together(lapply(1:2, run))
    for (one in got) {
      right <- is_result(one) && identical(coef(fit(NULL, one$value$seed)), coef(one$value))
      if (!is_result(one) && !is_classed(one)) note(one$class[1L], " ", one$text)
      found <- found + counts(1, is_result(one) && !right, drafts(folder),
                              !is_result(one) && !is_classed(one))
    }
  }
  found
})

scenario("three processes on one report", {
  fit <- flowers()
  folder <- new_folder()
  file <- file.path(folder, "page.html")
  titles <- c("one", "two", "three")
  pages <- lapply(titles, function(title) {
    cawi::cawi_report(fit, file, title = title)
    content(file)
  })
  found <- counts()
  for (i in 1:10) {
    got <- together(lapply(titles, function(title) {
      force(title)
      function() cawi::cawi_report(fit, file, title = title)
    }))
    whole <- any(vapply(pages, identical, NA, content(file)))
    bad <- !vapply(got, function(one) is_result(one) || is_classed(one), NA)
    found <- found + counts(3, 0, !whole + drafts(folder), sum(bad))
  }
  found
})
