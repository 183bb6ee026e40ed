# Puts the plan back, whatever happens.
with_workers <- function(code) {
  skip_if_not_installed("future")
  skip_if_not_installed("future.apply")
  old <- future::plan(future::multisession, workers = 2)
  on.exit(future::plan(old))
  force(code)
}

x <- small_x(60)
frame <- data.frame(x, group = factor(letters[1:3]))
classes <- small_y("classification", x)
numbers <- small_y("regression", x)

# Tables of every kind of work that goes to workers.
tables <- function() {
  grid <- cawi_grid(hidden = c(5, 9), init = c("iid", "gaussian", "frank"), lambda = c(0.1, 1))
  double <- 2
  runs <- list(
    cawi_tune(x, classes, "rvfl", grid, resampling = 3, repeats = 2, metric = "log_loss", seed = 3),
    cawi_tune(x, classes, "rvfl", grid, metric = "brier", seed = 3),
    cawi_tune(frame, numbers, "bls",
              cawi_grid(windows = 2, nodes = 2, enhancement = 4:5, init = c("t", "iid")),
              resampling = 2, seed = 3, case_weights = rep_len(1:2, 60)),
    # A function that needs something of the place where it was written.
    cawi_tune(x, numbers, "edrvfl", cawi_grid(hidden = list(c(5, 4)), lambda = 1), resampling = 2,
              metric = function(truth, value) double * mean(abs(truth - value)),
              maximize = FALSE, seed = 3)
  )
  lapply(runs, same_tuned)
}

test_that("real workers give the table of one process, and leave R's generator alone", {
  here <- tables()
  with_workers({
    expect_true(has_workers())
    # Workers are other processes.
    pids <- run_tasks(as.list(1:4), function(task, threads) c(Sys.getpid(), threads), "Asking", 2L)
    expect_false(Sys.getpid() %in% vapply(pids, `[`, 0, 1))
    expect_identical(vapply(pids, `[`, 0, 2), rep(1, 4))
    expect_generator_untouched(there <- tables())
    # Results come in the order of the tasks.
    expect_identical(run_tasks(as.list(9:3), function(task, threads) task, "Counting", 2L),
                     as.list(9:3))
    # An error of a worker keeps its class.
    grid <- cawi_grid(hidden = 3, lambda = 1)
    expect_error(cawi_tune(x, numbers, grid = grid, metric = function(truth, value) NA_real_,
                           maximize = TRUE, seed = 1),
                 class = "cawi_error_metric")
    expect_error(run_tasks(list(1), function(task, threads) stop("mine"), "Failing", 1L), "mine")
    # And the workers still work.
    expect_identical(run_tasks(list(1, 2), function(task, threads) task + 1, "Adding", 1L),
                     list(2, 3))
  })
  expect_identical(there, here)
})

test_that("a benchmark over workers reads the caller's files and writes to the caller's folder", {
  data <- new_folder()
  utils::write.csv(iris[1:100, ], file.path(data, "iris.csv"), row.names = FALSE)
  run <- function(record) {
    # A set of another size than the paper's gives a warning.
    suppressWarnings(cawi_benchmark("iris", init = c("iid", "t"), record = record,
                                    grid = cawi_grid(hidden = 5, activation = "relu", lambda = 1)))
  }
  timeless <- function(b) as.data.frame(b)[names(b) != "seconds"]
  old <- getwd()
  on.exit(setwd(old), add = TRUE)
  with_data_folders(option = data, code = {
    here <- run(NULL)
    # Workers that started elsewhere, with other options.
    with_workers({
      setwd(new_folder())
      there <- run("record")
      expect_length(list.files("record"), 2)
      expect_identical(run("record"), there)
    })
  })
  expect_identical(unique(there$rows), 100L)
  expect_identical(timeless(there), timeless(here))
})

test_that("workers get what they need and no more", {
  skip_under("coverage", "functions carry their counters")
  many <- lapply(1:50, function(i) numeric(1e4))
  sent <- function(f) length(serialize(f, NULL))
  # The frame that calls has all tasks.
  run <- function(tasks, step) {
    sent(reporting(unit_worker(NULL, list(folds = 5)), step(length(tasks)), "Label"))
  }
  expect_lt(run(many, function(count) no_step), 5e4)
  expect_setequal(ls(environment(unit_worker(NULL, list(folds = 5)))), c("call", "plan", "record"))
  expect_setequal(ls(environment(tuning_worker(list(), 1))), c("problem", "seed"))
  skip_if_not_installed("progressr")
  expect_lt(run(many, function(count) progressr::progressor(count, on_exit = FALSE)), 5e4)
})

test_that("without a plan tasks run here, in order, with the threads asked for", {
  expect_false(has_workers())
  seen <- integer()
  result <- run_tasks(as.list(1:3), function(task, threads) {
    seen <<- c(seen, task)
    c(task^2, threads)
  }, "Squaring", 3L)
  expect_identical(seen, 1:3)
  expect_identical(result, list(c(1, 3), c(4, 3), c(9, 3)))
  expect_identical(run_tasks(list(), function(task, threads) task, "Nothing", 1L), list())
  expect_error(run_tasks(list(1), function(task, threads) stop("mine"), "Failing", 1L), "mine")
})

# How many steps of progress the code signals.
signalled <- function(code) {
  taken <- 0
  withCallingHandlers(
    progressr::with_progress(code, handlers = progressr::handler_void(), enable = TRUE),
    progression = function(p) if (identical(p$type, "update")) taken <<- taken + p$amount
  )
  taken
}

test_that("progress is told step by step to those who listen", {
  skip_if_not_installed("progressr")
  grid <- cawi_grid(hidden = c(5, 9), init = c("iid", "t"), lambda = 1)
  # A task is a part and a distribution of the weights.
  expect_equal(signalled(cawi_tune(x, numbers, "rvfl", grid, resampling = 3, seed = 1)), 6)
  expect_equal(signalled(cawi_tune(x, numbers, "rvfl", grid, seed = 1)), 2)
  expect_gt(signalled(cawi_auto(x, numbers, budget = 1e-3, hidden = 5, seed = 1)), 0)
  # One step per trial: four infinite networks and a network for each challenger.
  expect_gt(signalled(cawi_auto(x, numbers, seed = 1)), 5)
  expect_gt(signalled(cawi_auto(x, numbers, hidden = 5, seed = 1)), 20)
  # Choices within a fit, draws of a diagnosis, folds of a comparison, sections of a report.
  expect_equal(signalled(cawi_rvfl(x, numbers, hidden = 5, init = "auto", criterion = "loo",
                                   seed = 1)), 6)
  expect_equal(signalled(cawi_rvfl(x, numbers, hidden = 5, init = "gradient", seed = 1)), 5)
  fit <- cawi_rvfl(x, numbers, hidden = 5, init = "t", seed = 1)
  expect_equal(signalled(cawi_diagnose(fit, draws = 4, seed = 1)), 8)
  expect_equal(signalled(cawi_select(x, folds = 4)), 4)
  file <- tempfile(fileext = ".html")
  on.exit(unlink(file))
  # Diagnosis is a part of its section.
  expect_equal(signalled(cawi_report(fit, file)), length(report_sections()))
  # Also where a person sits in front.
  heard <- with_option("rlang_interactive", TRUE,
                       signalled(cawi_tune(x, numbers, "rvfl", grid, seed = 1)))
  expect_equal(heard, 2)
})

test_that("progress prints nothing where nobody listens", {
  expect_silent(
    cawi_tune(x, numbers, "rvfl", cawi_grid(hidden = 5, lambda = 1), resampling = 3, seed = 1)
  )
  expect_silent(cawi_auto(x, numbers, budget = 1e-3, hidden = 5, seed = 1))
})

test_that("handlers of progressr work, and errors leave nothing behind", {
  skip_if_not_installed("progressr")
  grid <- cawi_grid(hidden = 5, lambda = 1)
  tune <- function(...) cawi_tune(x, numbers, "rvfl", grid, resampling = 3, seed = 1, ...)
  heard <- progressr::with_progress(tune(), handlers = progressr::handler_void())
  expect_identical(same_tuned(heard), same_tuned(tune()))
  failing <- function(truth, value) stop("mine")
  expect_error(progressr::with_progress(tune(metric = failing, maximize = TRUE),
                                        handlers = progressr::handler_void()), "mine")
  heard <- progressr::with_progress(tune(), handlers = progressr::handler_void())
  expect_identical(same_tuned(heard), same_tuned(tune()))
})

test_that("only the outermost work tells its progress, and says so when it is done", {
  skip_if_not_installed("progressr")
  expect_false(isTRUE(progress_state$busy))
  outer <- progress_steps(2L, "Outer")
  expect_true(progress_state$busy)
  expect_identical(progress_steps(3L, "Inner"), no_step)
  outer(done = TRUE)
  expect_false(progress_state$busy)
  # An error in the middle leaves nobody busy.
  grid <- cawi_grid(hidden = 5, lambda = 1)
  expect_error(cawi_tune(x, numbers, "rvfl", grid, metric = function(truth, value) stop("mine"),
                         maximize = TRUE, seed = 1), class = "cawi_error_metric")
  expect_false(progress_state$busy)
  expect_equal(signalled(cawi_tune(x, numbers, "rvfl", grid, resampling = 3, seed = 1)), 3)
})

test_that("only large fits have steps", {
  skip_if_not_installed("progressr")
  expect_equal(signalled(cawi_rvfl(x, numbers, hidden = 5, seed = 1)), 0)
  spec <- cawi_rvfl(x, numbers, hidden = 5, seed = 1)$spec
  spec$hidden <- 50000L
  data <- list(x = x, targets = list(outputs = 1L))
  expect_identical(fit_steps(data, replace(spec, "hidden", 5L)), no_step)
  large <- list(x = matrix(0, 30000, 2), targets = list(outputs = 1L))
  step <- fit_steps(large, replace(spec, "hidden", 500L))
  expect_false(identical(step, no_step))
  step(done = TRUE)
})

test_that("a worker that is killed is a classed error of the call", {
  skip_on_os("windows")
  me <- Sys.getpid()
  deadly <- function(x, hidden, seed) {
    if (Sys.getpid() != me) tools::pskill(Sys.getpid(), 9L)
    matrix(0.5, ncol(x), hidden)
  }
  with_workers({
    error <- expect_error(
      cawi_tune(x, classes, "rvfl", cawi_grid(hidden = c(4, 6), lambda = 1), resampling = 2,
                init = deadly, seed = 1),
      "worker was lost", class = "cawi_error_worker"
    )
  })
  expect_identical(as.character(conditionCall(error)[[1]]), "cawi_tune")
})
