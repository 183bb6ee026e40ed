# Predictions of the rows of a source, chunk by chunk: into memory, a file or a table.

# `asked` are the type of the predictions, their level and the number of threads. They are looked at
# before a row is read.
predict_source <- function(object, source, asked, to, call) {
  check_whole_source(source, "new_data", call)
  asked$type <- check_predict_type(object, asked$type, call)
  if (asked$type %in% conformal_types) check_level(asked$level, call)
  sink <- prediction_sink(to, source, call)
  add <- function(state, frame, place) {
    sink$write(do.call(stats::predict, c(list(object, frame), asked)))
    state + nrow(frame)
  }
  pass <- list(name = "predict", label = "Predicting: ", start = 0, add = add)
  done <- FALSE
  on.exit(sink$close(done))
  count <- length(source$shards)
  tasks <- Map(function(shard, k) list(shard = shard, number = k, shards = count), source$shards,
               seq_len(count))
  run <- list(threads = 1L, call = call)
  shards <- shards_here(tasks, shard_worker(pass, source$chunk), pass, run)
  rows <- sum(vapply(shards, function(shard) shard$rows, 0))
  if (rows == 0) abort_argument("source", "The source has no rows.", call)
  done <- TRUE
  sink$result(rows)
}

prediction_sink <- function(to, source, call) {
  if (is.null(to)) return(memory_sink())
  if (is_string(to)) return(file_sink(to, call))
  table <- is.list(to) && length(to) == 2L && inherits(to[[1L]], "DBIConnection")
  if (table) return(table_sink(to[[1L]], to[[2L]], source, call))
  message <- paste("{.arg to} must be the name of a file, or a list of a connection and the name",
                   "of a table, not {.obj_type_friendly {to}}.")
  abort_argument("to", message, call)
}

memory_sink <- function() {
  parts <- new.env(parent = emptyenv())
  parts$all <- list()
  list(
    write = function(values) parts$all[[length(parts$all) + 1L]] <- values,
    close = function(done) invisible(),
    result = function(rows) {
      all <- parts$all
      if (length(dim(all[[1L]])) == 2L) return(do.call(rbind, all))
      # Factors of the same levels stay one.
      unlist(all, use.names = FALSE)
    }
  )
}

# Predictions as columns of a table, named as augment() does.
prediction_frame <- function(values) {
  if (is.data.frame(values)) return(values)
  if (is.factor(values)) return(data.frame(.pred_class = as.character(values)))
  values <- as.matrix(values)
  colnames(values) <- if (is.null(colnames(values))) ".pred" else paste0(".pred_", colnames(values))
  as.data.frame(values)
}

# The file takes its place when all rows are in it.
file_sink <- function(file, call) {
  file <- check_target(file, "to", call)
  packed <- grepl("[.]gz$", file)
  at <- new.env(parent = emptyenv())
  at$bytes <- 0
  unwritten <- function(e) abort_unwritten(file, at$bytes, "to", call)
  draft <- new_draft(file)
  if (is.null(draft)) unwritten()
  con <- if (packed) gzfile(draft, "wb") else base::file(draft, "wb")
  list(
    write = function(values) {
      bytes <- csv_bytes(prediction_frame(values), head = at$bytes == 0)
      at$bytes <- at$bytes + length(bytes)
      tryCatch(suppressWarnings(write_bytes(bytes, con)), error = unwritten)
    },
    close = function(done) {
      if (!done) suppressWarnings(try(close(con), silent = TRUE))
      unlink(draft, expand = FALSE)
    },
    result = function(rows) {
      written <- tryCatch(suppressWarnings({
        close(con)
        unpacked_size(draft, packed) == at$bytes && place_draft(draft, file)
      }), error = function(e) FALSE)
      if (!isTRUE(written)) unwritten()
      invisible(rows)
    }
  )
}

# Less than was given, where the disk became full.
unpacked_size <- function(file, packed) {
  if (!packed) return(file.size(file))
  con <- gzfile(file, "rb")
  on.exit(close(con))
  size <- 0
  while (length(bytes <- readBin(con, "raw", 2^20)) > 0L) size <- size + length(bytes)
  size
}

table_sink <- function(con, name, source, call) {
  rlang::check_installed("DBI", "to write to a database.")
  shared <- vapply(source$shards, function(shard) identical(shard$con, con), logical(1))
  if (any(shared)) {
    message <- paste("A table cannot be written over the connection that rows are read from:",
                     "{.arg to} needs a connection of its own.")
    abort_argument("to", message, call)
  }
  known <- tryCatch(DBI::dbExistsTable(con, name), error = function(e) {
    text <- conditionMessage(e)
    abort_argument("to", "{.arg to}: the table cannot be looked for: {text}", call)
  })
  if (known) abort_argument("to", "{.arg to}: there is a table of that name already.", call)
  list(
    write = function(values) DBI::dbWriteTable(con, name, prediction_frame(values), append = TRUE),
    # What is there of a table that was not finished would pass for all of it.
    close = function(done) if (!done) try(DBI::dbRemoveTable(con, name), silent = TRUE),
    result = function(rows) invisible(rows)
  )
}
