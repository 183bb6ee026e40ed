# What became of the mutants: outcomes are kept one by one, the record is written at the end.

read_outcomes <- function(path) {
  if (!file.exists(path)) return(data.frame(key = character(), outcome = character(),
                                            by = character(), test = character()))
  table <- utils::read.csv(path, header = FALSE, colClasses = "character",
                           col.names = c("key", "outcome", "by", "test"))
  # The last word about each.
  table[!duplicated(table$key, fromLast = TRUE), ]
}

append_outcome <- function(path, key, result) {
  row <- data.frame(key, result$outcome, result$by, paste0("", result$test))
  utils::write.table(row, path, append = TRUE, sep = ",", row.names = FALSE, col.names = FALSE,
                     qmethod = "double")
}

# judged.csv has what people found out about survivors: the file, the code of the line, the change,
# `equivalent` or `survived`, and one sentence.
read_judged <- function(path) {
  utils::read.csv(path, colClasses = "character", comment.char = "#")
}

judgement_of <- function(mutants, judged) {
  name <- function(table) {
    paste(table$file, trimws(table$code), squeeze(table$from), squeeze(table$to), sep = "\r")
  }
  judged[match(name(mutants), name(judged)), c("outcome", "explanation")]
}

squeeze <- function(text) trimws(gsub("[[:space:]]+", " ", text))

change_text <- function(mutants) {
  short <- function(text) {
    text <- squeeze(text)
    ifelse(nchar(text) > 60L, paste0(substr(text, 1L, 57L), "..."), text)
  }
  paste0("`", short(mutants$from), "` to `", short(mutants$to), "`")
}

# Writes the record where it is wanted, and the summary as the last line.
finish_run <- function(mutants, outcomes, judged, run) {
  sampled <- nrow(mutants)
  tried <- mutants$key %in% outcomes$key | judgement_of(mutants, judged)$outcome %in% "equivalent"
  mutants <- mutants[tried, ]
  verdict <- judgement_of(mutants, judged)
  at <- match(mutants$key, outcomes$key)
  equivalent <- verdict$outcome %in% "equivalent"
  table <- data.frame(
    id = mutants$key, file = sub("^cawi/", "inst/include/cawi/", mutants$file),
    line = mutants$line, change = change_text(mutants),
    outcome = ifelse(equivalent, "equivalent", outcomes$outcome[at]),
    by = ifelse(equivalent, "", outcomes$by[at]),
    explanation = ifelse(is.na(verdict$explanation), "", verdict$explanation)
  )
  table$explanation[table$outcome %in% c("killed", "timeout")] <- ""
  tools <- new.env()
  sys.source("inst/bench/tools/bench-tools.R", tools)
  count <- function(outcome) sum(table$outcome == outcome, na.rm = TRUE)
  real <- nrow(table) - count("equivalent")
  summary <- sprintf(
    paste("%d mutants (%d R, %d C++), seed %s: %d killed, %d timeout, %d survived (%.1f %%),",
          "%d equivalent"),
    nrow(table), sum(mutants$language == "R"), sum(mutants$language == "C++"), run$seed,
    count("killed"), count("timeout"), count("survived"), 100 * count("survived") / real,
    count("equivalent")
  )
  if (run$record) {
    path <- "tests/attacks/results/mutants.csv"
    dir.create(dirname(path), showWarnings = FALSE)
    open <- table$outcome %in% "survived" & table$explanation == ""
    header <- c(summary, if (nrow(table) < sampled) {
      sprintf("Not finished: %d of the %d mutants of the sample were tried.", nrow(table), sampled)
    }, if (any(open)) {
      sprintf("%d survivors have no explanation yet: the next run tries them again.", sum(open))
    }, tools$machine(),
                paste(tools$versions(c("cawi", "testthat")), collapse = ", "),
                format(Sys.time(), "%Y-%m-%d"))
    writeLines(paste("#", header), path)
    suppressWarnings(utils::write.table(table, path, append = TRUE, sep = ",", row.names = FALSE,
                                        qmethod = "double"))
  }
  left <- table[table$outcome %in% "survived", ]
  if (nrow(left) > 0L) {
    cat(sprintf("survived: %s:%d %s %s\n", left$file, left$line, left$change, left$explanation),
        sep = "")
  }
  cat(summary, "\n", sep = "")
}
