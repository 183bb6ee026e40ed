# Jobs on a real cluster of Slurm, with one node.
skip_without_service("CAWI_TEST_SLURM")

test_that("tasks are jobs of Slurm, and a tuning there gives the table of one process", {
  tune <- function() {
    same_tuned(cawi_tune(small_x(60), small_y("classification", small_x(60)), "rvfl",
                         cawi_grid(hidden = c(5, 9), init = c("iid", "gaussian"), lambda = 1),
                         resampling = 3, metric = "log_loss", seed = 3))
  }
  here <- tune()
  with_slurm({
    jobs <- run_tasks(list(1, 2), function(task, threads) Sys.getenv("SLURM_JOB_ID"), "Asking", 1L)
    expect_false(any(unlist(jobs) %in% c("", Sys.getenv("SLURM_JOB_ID"))))
    there <- tune()
  })
  expect_identical(there, here)
})

# Three shards of three chunks. The jobs that read them leave a file each in the folder, by shard
# and job. Job by job, `deadly` says how many of those that read the second shard are canceled at
# its second chunk.
slurm_shards <- function(folder, deadly = 0) {
  lapply(1:3, function(shard) {
    force(shard)
    chunk <- 0
    function(reset) {
      if (reset) {
        chunk <<- 0
        return(NULL)
      }
      chunk <<- chunk + 1
      job <- Sys.getenv("SLURM_JOB_ID")
      if (nzchar(job)) file.create(file.path(folder, paste(shard, job)))
      tries <- length(list.files(folder, paste0("^", shard, " ")))
      if (nzchar(job) && shard == 2 && chunk == 2 && tries <= deadly) {
        system2("scancel", job)
        Sys.sleep(60)
      }
      if (chunk > 3) return(NULL)
      rows <- 100 * chunk + 1000 * shard + 1:100
      x <- cbind(a = sin(rows), b = cos(rows^2 %% 17))
      data.frame(x, y = x[, 1] * x[, 2] + x[, 1])
    }
  })
}

fit_shards <- function(shards) cawi_rvfl(y ~ ., cawi_source(shards), hidden = 12, seed = 1)

# All that a model has, but for the time it took.
fitted_bits <- function(fit) {
  fit[c("network", "readouts", "loo", "calibration", "lambda", "nobs")]
}

test_that("shards that are jobs of Slurm give the bits of one process", {
  folder <- new_folder()
  shards <- slurm_shards(folder)
  here <- fit_shards(shards)
  expect_identical(list.files(folder), character())
  with_slurm(there <- fit_shards(shards))
  # Two passes, a job for each shard.
  expect_identical(substr(list.files(folder), 1, 1), rep(c("1", "2", "3"), each = 2))
  expect_identical(fitted_bits(there), fitted_bits(here))
})

test_that("a job that is canceled half-way is submitted again, and the bits stay", {
  folder <- new_folder()
  here <- fit_shards(slurm_shards(folder))
  with_slurm(there <- fit_shards(slurm_shards(folder, deadly = 1)))
  expect_identical(substr(list.files(folder), 1, 1), rep(c("1", "2", "3"), c(2, 3, 2)))
  expect_identical(fitted_bits(there), fitted_bits(here))
})

test_that("a shard whose jobs are canceled again and again is read here, with a warning", {
  folder <- new_folder()
  here <- fit_shards(slurm_shards(folder))
  deadly <- slurm_shards(folder, deadly = 3)
  with_slurm(expect_warning(there <- fit_shards(deadly), class = "cawi_warning_worker"))
  expect_identical(fitted_bits(there), fitted_bits(here))
})

test_that("jobs of Slurm read their shards from PostgreSQL", {
  con <- postgres_connection()
  on.exit(DBI::dbDisconnect(con))
  rows <- data.frame(id = 1:900, a = sin(1:900), b = cos((1:900)^2 %% 17))
  rows$y <- rows$a * rows$b + rows$a
  DBI::dbWriteTable(con, "sharded", rows)
  shards <- lapply(0:2, function(k) {
    query <- sprintf("SELECT * FROM sharded WHERE id %% 3 = %d ORDER BY id", k)
    rlang::new_function(NULL, bquote(
      cawi::cawi_source(DBI::dbConnect(RPostgres::Postgres()), .(query), chunk = 70)
    ), baseenv())
  })
  fit <- function(data) cawi_elm(y ~ a + b, data, hidden = 12, lambda = 0.1, seed = 1)
  source <- cawi_source(shards)
  here <- fit(source)
  with_slurm(there <- fit(source))
  expect_identical(fitted_bits(there), fitted_bits(here))
  in_shards <- rows[order(rows$id %% 3, rows$id), ]
  expect_equal(predict(there, rows), predict(fit(in_shards), rows), tolerance = 1e-10)
})
