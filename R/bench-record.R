# The record of a benchmark: one file per unit, whole or not at all.

open_unit_folder <- function(record, call) {
  # Another process may make it at the same moment.
  if (is_string(record)) dir.create(record, showWarnings = FALSE, recursive = TRUE)
  if (!is_string(record) || !dir.exists(record) || file.access(record, 2L) != 0L) {
    abort_argument("record",
                   "{.arg record} must be a folder that can be written to, not {shown(record)}.",
                   call)
  }
  # Workers may be in another directory.
  normalizePath(record)
}

# All that the result of a unit depends on is in the hash; other settings are other files.
unit_file <- function(record, unit, plan) {
  settings <- list(
    unit$set, unit$source$key, arm_key(plan$arms[[unit$init]]), unit$model, unit$seed,
    plan$protocol, plan$folds,
    unclass(plan$grids[[unit$model]]), if (plan$protocol == "equal") plan$draws,
    if (plan$protocol != "nested") plan$nested_above, own_version()
  )
  label <- substr(gsub("[^A-Za-z0-9._]+", "_", unit$set), 1L, 60L)
  arm <- substr(gsub("[^A-Za-z0-9._]+", "_", unit$init), 1L, 60L)
  file.path(record, sprintf("%s-%s-%s-%s-%s.csv", label, unit$model, arm, plan$protocol,
                            substr(rlang::hash(settings), 1L, 12L)))
}

# An arm as text: functions are what they say and what they find where they were made.
arm_key <- function(arm) {
  lapply(arm, function(value) if (is.function(value)) function_key(value) else value)
}

# A finished unit is read.
recorded_unit <- function(record, unit, plan, run, call) {
  if (is.null(record)) return(run())
  file <- unit_file(record, unit, plan)
  check_target(file, "record", call)
  if (!file.exists(file)) write_unit(run(), file, unit, plan, call)
  table <- read_unit(file, unit, plan)
  if (is.null(table)) {
    message <- paste("File {.file {printable(file)}} of {.arg record} is damaged:",
                     "delete it to run its unit again.")
    abort_argument("record", message, call)
  }
  table
}

# All digits, so that what was read is what was computed.
write_unit <- function(result, file, unit, plan, call) {
  text <- which(vapply(result, is.character, logical(1)))
  doubles <- vapply(result, is.double, logical(1))
  result[doubles] <- lapply(result[doubles], function(x) ifelse(is.na(x), NA, sprintf("%.17g", x)))
  bytes <- csv_bytes(result, quote = text, na = "")
  written <- replace_file(file, function(draft) {
    writeBin(bytes, draft)
    !is.null(read_unit(draft, unit, plan))
  })
  if (!written) abort_unwritten(file, length(bytes), "record", call)
}

unit_columns <- c(
  set = "character", rows = "integer", features = "integer", model = "character",
  init = "character", protocol = "character", seed = "numeric", fold = "integer",
  accuracy = "numeric", hidden = "character", activation = "character", lambda = "numeric",
  tried = "integer", seconds = "numeric", family = "character"
)

# Figures that a run can give. An edited file must not enter a comparison.
is_possible_unit <- function(table, folds, unit, plan) {
  path <- table$accuracy[table$fold == 0L]
  data <- unit$source$data
  sizes <- unique(table[c("rows", "features")])
  possible <- all(table$protocol == plan$protocol) &&
    all(table$accuracy >= 0 & table$accuracy <= 1) &&
    nrow(sizes) == 1L && all(sizes >= 1L) && (is.null(data) || all(sizes == dim(data$x))) &&
    all(is.finite(folds$lambda) & folds$lambda >= 0) &&
      all(is.finite(folds$seconds) & folds$seconds >= 0) &&
    all(folds$tried == folds$tried[1L] & folds$tried >= 1L) &&
      (plan$protocol != "nested" || folds$tried[1L] == 1L) &&
    (plan$protocol != "equal" || folds$tried[1L] == plan$draws) &&
    all(are_hidden(folds$hidden)) &&
      all(unlist(strsplit(folds$activation, "+", fixed = TRUE)) %in% activation_names) &&
    all(folds$family %in% family_names) &&
    # The best so far never falls, and ends at the mean over the folds.
    (length(path) == 0L ||
     (all(diff(path) >= 0) && abs(path[length(path)] - mean(folds$accuracy)) < 1e-9))
  isTRUE(possible)
}

# "50", or "50+50" for the layers of a deep network.
are_hidden <- function(text) {
  vapply(strsplit(text, "+", fixed = TRUE), function(part) {
    hidden <- suppressWarnings(as.numeric(part))
    length(hidden) > 0L && !anyNA(hidden) && all(hidden >= 1)
  }, logical(1)) & !endsWith(text, "+")
}

# NULL where the file is not what was written.
read_unit <- function(file, unit, plan) {
  table <- tryCatch(
    utils::read.csv(file, colClasses = unname(unit_columns), na.strings = "", check.names = FALSE,
                    fill = FALSE, encoding = "UTF-8"),
    error = function(e) NULL, warning = function(e) NULL
  )
  if (is.null(table) || !identical(names(table), names(unit_columns))) return(NULL)
  folds <- table[table$fold > 0L, ]
  path <- table$tried[table$fold == 0L]
  whole <- identical(folds$fold, seq_len(plan$folds)) && !anyNA(folds) && !anyNA(table$accuracy) &&
    identical(path, seq_along(path)) &&
      length(path) == (if (plan$protocol == "nested") 0L else folds$tried[1L]) &&
    all(table$set == unit$set & table$init == unit$init & table$model == unit$model &
          table$seed == unit$seed)
  if (!isTRUE(whole) || !is_possible_unit(table, folds, unit, plan)) return(NULL)
  table
}
