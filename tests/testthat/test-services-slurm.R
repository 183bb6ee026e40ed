# Jobs on a real cluster, of one node.
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
