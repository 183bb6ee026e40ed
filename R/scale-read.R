# Reading the chunks of one shard. `each_chunk()` calls a function with every chunk in order; the
# kinds of shards differ only here.

# What goes wrong in reading is told apart from what goes wrong with the rows by where it happens.
each_chunk <- function(shard, chunk, visit) {
  switch(shard$kind,
    frames = each_of_frames(shard, chunk, visit),
    `function` = each_of_function(shard, visit),
    files = each_of_files(shard, chunk, visit),
    query = each_of_query(shard, chunk, visit),
    opener = each_of_opener(shard, chunk, visit)
  )
  invisible()
}

# Chunks without rows say nothing.
visit_rows <- function(frame, visit) if (NROW(frame) > 0L) visit(frame)

each_of_frames <- function(shard, chunk, visit) {
  for (frame in shard$frames) {
    if (nrow(frame) <= chunk) {
      visit_rows(frame, visit)
      next
    }
    for (first in seq(1, nrow(frame), by = chunk)) {
      visit(some_frame_rows(frame, seq(first, min(first + chunk - 1, nrow(frame)))))
    }
  }
}

# As frame[rows, ], for columns of any names, without names of rows.
some_frame_rows <- function(frame, rows) {
  columns <- column_rows(as.list(frame), rows)
  structure(columns, row.names = .set_row_names(length(rows)), class = "data.frame")
}

each_of_function <- function(shard, visit) {
  shard$read(reset = TRUE)
  repeat {
    frame <- shard$read(reset = FALSE)
    if (is.null(frame)) return(invisible())
    if (!is.data.frame(frame)) {
      stop("it gave ", class(frame)[1L], ", not a data frame or NULL.", call. = FALSE)
    }
    visit_rows(frame, visit)
  }
}

# The types of the first file hold for all files and all passes.
each_of_files <- function(shard, chunk, visit) {
  options <- shard$options
  if (is.null(options$col_types)) {
    known <- options[names(options) %in% names(formals(readr::spec_csv))]
    options$col_types <- suppressMessages(do.call(readr::spec_csv, c(list(shard$files[1L]), known)))
  }
  options$progress <- FALSE
  on_chunk <- function(frame, position) visit_rows(parsed_whole(frame), visit)
  callback <- readr::SideEffectChunkCallback$new(on_chunk)
  for (file in shard$files) {
    do.call(readr::read_csv_chunked,
            c(list(file, callback = callback, chunk_size = chunk), options))
  }
}

# A value that does not fit the type of its column would be missing from here on.
parsed_whole <- function(frame) {
  problems <- attr(frame, "problems")
  if (NROW(problems) > 0L) {
    first <- problems[1L, ]
    stop("column ", first$col, ", row ", first$row, ": expected ", first$expected, ", found '",
         first$actual, "'; col_types says what columns are.", call. = FALSE)
  }
  frame
}

each_of_query <- function(shard, chunk, visit) {
  if (!is_open(shard$con)) stop(closed_connection, call. = FALSE)
  fetch <- if (inherits(shard$con, "PostgreSQLConnection")) fetch_cursor else fetch_result
  fetch(shard, chunk, visit)
}

# RPostgreSQL cannot say so; there the query fails.
is_open <- function(con) {
  inherits(con, "PostgreSQLConnection") || DBI::dbIsValid(con)
}

fetch_result <- function(shard, chunk, visit) {
  result <- DBI::dbSendQuery(shard$con, shard$query)
  # The connection may be gone by then.
  on.exit(try(suppressWarnings(DBI::dbClearResult(result)), silent = TRUE))
  repeat {
    frame <- withCallingHandlers(DBI::dbFetch(result, n = chunk), warning = refuse_coercion)
    if (nrow(frame) == 0L) return(invisible())
    visit(frame)
    if (DBI::dbHasCompleted(result)) return(invisible())
  }
}

# SQLite has types per value: a column of whole numbers would lose the fractions of later rows.
refuse_coercion <- function(w) {
  if (grepl("mixed type|coercing", conditionMessage(w))) stop(conditionMessage(w), call. = FALSE)
}

# dbGetQuery() of RPostgreSQL gives NULL where the statement fails, as if there were no more rows.
fetch_cursor <- function(shard, chunk, visit) {
  command <- function(...) DBI::dbClearResult(DBI::dbSendQuery(shard$con, paste0(...)))
  command("BEGIN")
  on.exit(try(command("ROLLBACK"), silent = TRUE))
  command("DECLARE cawi_rows NO SCROLL CURSOR FOR ", shard$query)
  repeat {
    frame <- fetch_from_cursor(shard$con, chunk)
    if (NROW(frame) == 0L) return(invisible())
    visit(frame)
  }
}

fetch_from_cursor <- function(con, chunk) {
  query <- paste("FETCH", format(chunk, scientific = FALSE), "FROM cawi_rows")
  result <- DBI::dbSendQuery(con, query)
  on.exit(DBI::dbClearResult(result))
  DBI::dbFetch(result, n = -1)
}

# What a shard opens for itself it closes, too.
each_of_opener <- function(shard, chunk, visit) {
  opened <- shard$open()
  if (!is_source(opened)) opened <- cawi_source(opened)
  on.exit(for (part in opened$shards) close_shard(part))
  for (part in opened$shards) each_chunk(part, chunk, visit)
}

close_shard <- function(shard) {
  if (shard$kind == "query") try(suppressWarnings(DBI::dbDisconnect(shard$con)), silent = TRUE)
}

closed_connection <- paste("the connection is closed. A function that opens a shard must open a",
                           "connection of its own, which is closed after every pass.")
