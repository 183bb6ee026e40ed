# Data of every kind of column, and sources of them.

mixed_frame <- function(rows = 90) {
  x <- small_x(rows)
  frame <- data.frame(x)
  frame$group <- rep_len(c("b", "a", "c", "a"), rows)
  frame$step <- factor(rep_len(c("low", "high", "mid"), rows), c("low", "mid", "high"),
                       ordered = TRUE)
  frame$flag <- rep_len(c(TRUE, FALSE, FALSE), rows)
  frame$times <- rep_len(1:3, rows) + 0
  frame$number <- small_y("regression", x)
  frame$class <- small_y("classification", x)
  frame$second <- x[, 1]^2
  frame
}

# A formula per task, with features of all kinds.
mixed_formulas <- list(
  classification = class ~ north + east + south + west + group + step + flag,
  regression = number ~ north + east + south + west + group + step + flag,
  outputs = cbind(number, second) ~ north + east + group
)

fit_formula <- function(model, formula, data, ...) {
  do.call(paste0("cawi_", model), c(list(formula, data), narrow[[model]], list(...)))
}

raw_scores <- function(fit, data) predict(fit, data, type = "score")

with_sqlite <- function(tables, code) {
  skip_if_not_installed("DBI")
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(con))
  for (name in names(tables)) DBI::dbWriteTable(con, name, tables[[name]])
  code(con)
}

# A function(reset) over data frames.
chunks_of <- function(frames) {
  at <- new.env()
  function(reset = FALSE) {
    if (reset) {
      at$next_one <- 1
      return(invisible())
    }
    if (at$next_one > length(frames)) return(NULL)
    at$next_one <- at$next_one + 1
    frames[[at$next_one - 1]]
  }
}

# Models without what depends on the clock.
same_fit <- function(fit) {
  fit$seconds[] <- 0
  fit
}
