# A fit of rows that stay in a database beside fetching them: memory and time, each arm in a process
# of its own, as ratios in one run. The script makes the table, in SQLite, in a temporary folder.
#   Rscript scale.R [folder for the record] [rows, 1e7 if not given]
# 1e7 rows take 2 GB of disk.
script <- sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])
source(file.path(dirname(script), "tools", "bench-tools.R"))
source(file.path(dirname(script), "tools", "scale-tools.R"))
with_one_blas_thread(script)
run_arm(function(database) DBI::dbConnect(RSQLite::SQLite(), database))

rows <- asked_rows(1e7)
tenth <- rows / 10
database <- tempfile(fileext = ".sqlite")
con <- DBI::dbConnect(RSQLite::SQLite(), database, synchronous = "off")
write_rows(con, rows)
DBI::dbDisconnect(con)
cat(sprintf("%s x 20 in SQLite: %.0f MB\n", count(rows), file.size(database) / 1e6))

all <- "SELECT * FROM numbers"
has_biglm <- requireNamespace("biglm", quietly = TRUE)
plan <- data.frame(
  name = c("alone", "fetch", "fit", "tenth", if (has_biglm) "biglm"),
  arm = c("alone", "fetch", "fit", "fit", if (has_biglm) "biglm"),
  query = c(all, all, all, sprintf("%s LIMIT %.0f", all, tenth), if (has_biglm) all)
)
seen <- measure_arms(script, database, plan, turns = 3L)
unlink(database)

fit <- seen["fit", ]
what <- function(text) sprintf("%s: ELM, h = 200, %s x 20", text, count(rows))
table <- rbind(
  scale_row(what("seconds"), fit$seconds, "all chunks fetched twice", seen["fetch", "seconds"],
            "<= 2"),
  scale_row(what("seconds of the processor"), fit$cpu, "all chunks fetched twice",
            seen["fetch", "cpu"], ""),
  scale_row(what("peak MB above R itself"), fit$peak - seen["alone", "peak"], "R itself",
            seen["alone", "peak"], "<= 300 MB", NA),
  scale_row(what("peak MB"), fit$peak, paste(count(tenth), "rows"), seen["tenth", "peak"],
            "0.9 to 1.1"),
  scale_row(what("seconds"), fit$seconds, paste(count(tenth), "rows"), seen["tenth", "seconds"],
            ""),
  scale_row(what("peak MB"), fit$peak, "all chunks fetched twice", seen["fetch", "peak"], ""),
  if ("biglm" %in% seen$name) {
    rbind(scale_row(what("seconds"), fit$seconds, "biglm, a linear model, one pass",
                    seen["biglm", "seconds"], ""),
          scale_row(what("peak MB"), fit$peak, "biglm, a linear model, one pass",
                    seen["biglm", "peak"], ""))
  }
)
report("scale", table, c("DBI", "RSQLite", "biglm"))
