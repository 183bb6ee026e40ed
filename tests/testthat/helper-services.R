# Services that .ci/services.sh starts. A file of their tests ends at once where they are not there.
skip_without_service <- function(variable) {
  skip_if(Sys.getenv(variable) == "", "Needs a service: `make test-services` runs these tests.")
}

# A connection through the variables that PostgreSQL's own library reads.
postgres_connection <- function() DBI::dbConnect(RPostgres::Postgres())

# Runs code with jobs of Slurm as workers, in a folder of its own, which batchtools writes to.
with_slurm <- function(code) {
  folder <- new_folder()
  here <- setwd(folder)
  on.exit(setwd(here), add = TRUE, after = FALSE)
  template <- Sys.getenv("CAWI_TEST_SLURM")
  plan <- future::plan(future.batchtools::batchtools_slurm, template = template)
  on.exit(future::plan(plan), add = TRUE, after = FALSE)
  force(code)
}

# The most memory that this process ever had, in megabytes.
peak_memory <- function() {
  line <- grep("^VmHWM:", readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}
