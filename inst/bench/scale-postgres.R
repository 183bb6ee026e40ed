# The benchmark of scale.R with rows of a PostgreSQL server, which .ci/services.sh starts:
#   make bench-services, or Rscript scale-postgres.R [folder for the record] [rows, 2e6]
script <- sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])
source(file.path(dirname(script), "tools", "bench-tools.R"))
source(file.path(dirname(script), "tools", "scale-tools.R"))
if (Sys.getenv("CAWI_TEST_POSTGRES") == "") {
  cat("No PostgreSQL server: `make bench-services` starts one and runs this.\n")
  quit(status = 0L)
}
with_one_blas_thread(script)
connect <- function(database) DBI::dbConnect(RPostgres::Postgres(), dbname = database)
run_arm(connect)

rows <- asked_rows(2e6)
database <- Sys.getenv("PGDATABASE")
con <- connect(database)
write_rows(con, rows)

all <- "SELECT * FROM numbers"
arms_here <- c("alone", "fetch", "fit")
seen <- measure_arms(script, database, data.frame(name = arms_here, arm = arms_here, query = all),
                     turns = 3L)
invisible(DBI::dbExecute(con, "DROP TABLE numbers"))
DBI::dbDisconnect(con)

fit <- seen["fit", ]
what <- function(text) sprintf("%s: ELM, h = 200, %s x 20", text, count(rows))
table <- rbind(
  scale_row(what("seconds"), fit$seconds, "all chunks fetched twice", seen["fetch", "seconds"],
            "<= 2"),
  scale_row(what("seconds of the processor"), fit$cpu, "all chunks fetched twice",
            seen["fetch", "cpu"], ""),
  scale_row(what("peak MB above R itself"), fit$peak - seen["alone", "peak"], "R itself",
            seen["alone", "peak"], "<= 300 MB", NA)
)
report("scale-postgres", table, c("DBI", "RPostgres"))
