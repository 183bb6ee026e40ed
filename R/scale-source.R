#' Rows that come in chunks
#'
#' A source describes rows that need not fit into memory: a query or a table of a database, files, a
#' list of data frames, a function that gives one chunk after the other, or a list of shards. All
#' models, [cawi_tune()] over penalties, [predict()][predict.cawi_model()],
#' [update()][update.cawi_model()] and [cawi_statistics()] take it in the place of a data frame.
#' Memory then depends on the size of a chunk and of the network, not on the number of rows.
#'
#' @section Passes:
#' A fit reads a source twice. The first pass takes means, standard deviations and levels over all
#' rows, and a sample of rows: those with the smallest numbers by a hash of seed, shard and row. The
#' copula, imputed values, spreads, bases of terms such as `poly(x, 3)` and all choices by
#' leave-one-out (`strength = "auto"`, `scale = "auto"`, `rounds = "auto"`) come from the sample,
#' which does not depend on the size of the chunks. The second pass sums the normal equations of
#' each of `folds` folds. From these sums follows the exact squared error of every penalty on every
#' fold, with weights and preprocessing held fixed, so `lambda` is chosen without another pass. With
#' `loo = TRUE` a third pass takes the exact leave-one-out errors in their place.
#'
#' Probabilities are calibrated on the sampled rows, each of which is scored by the readout that has
#' not seen its fold. If a formula computes its terms, as `log(x)` or `a:b`, or a recipe does, one
#' more pass finds their means and standard deviations.
#'
#' Every pass must bring the same rows in the same order: a checksum of every chunk tells, and what
#' has changed is an error of class `cawi_error_source`. For a database without an order of its own,
#' `ORDER BY` gives one.
#'
#' @section Shards and workers:
#' A list of sources, or of functions that open one, is a source with a shard for each. Shards are
#' read by the workers of `future::plan()`: other processes, other machines over a cluster, or jobs
#' of Slurm through the package future.batchtools. Only the network goes to a worker, and only sums
#' come back. Sums are added in the order of the shards, so the result depends on the shards and not
#' on the workers. A shard whose worker dies is read again by another one. A connection to a
#' database cannot be sent to another process: a shard is then a function without arguments, such as
#' `function() cawi_source(DBI::dbConnect(...), "SELECT ...")`, which the worker calls; it
#' disconnects when the shard has been read.
#'
#' @section Databases:
#' RSQLite and RPostgres hand out rows as they are fetched. RPostgreSQL would read the whole result
#' first, so its rows come through a cursor. duckdb reads the whole result whatever is fetched;
#' there is a warning of class `cawi_warning_source`. A table of PostgreSQL has a fixed order only
#' with `ORDER BY`, or while nothing writes to it and `synchronize_seqscans` is off.
#'
#' @param x A connection of the package DBI; names of CSV files, plain or compressed; a data frame
#'   or a list of data frames; a `function(reset)`, which starts again with `reset = TRUE` and
#'   returns the next chunk as a data frame, or `NULL` after the last one, with `reset = FALSE`; a
#'   function without arguments that opens a source; or a list of shards, each a source or a
#'   function.
#' @param ... For a connection: one `SELECT` query, or the name of a table (text, or what
#'   [DBI::Id()] gives). For files: arguments of [readr::read_csv_chunked()], such as `col_types` or
#'   `na`. By default the types of columns are those of the first 1,000 rows of the first file.
#' @param chunk Number of rows to read at once, from every shard.
#' @param sample Number of rows in the sample.
#' @param folds Number of folds, for the choice of `lambda` and for calibration.
#' @param loo Choose `lambda` by exact leave-one-out, which needs one more pass?
#' @return A `cawi_source`.
#' @seealso [cawi_statistics()] and [cawi_merge()], to learn in many places.
#' @examples
#' cars <- cawi_source(mtcars, chunk = 10)
#' fit <- cawi_elm(mpg ~ ., cars, hidden = 20, seed = 1)
#' fit
#' predict(fit, cars)[1:3]
#'
#' # a list of shards
#' shards <- list(cawi_source(iris[1:75, ]), function() cawi_source(iris[76:150, ]))
#' cawi_rvfl(Species ~ ., cawi_source(shards), hidden = 20, seed = 1)
#' @examplesIf rlang::is_installed(c("DBI", "RSQLite"))
#' # a table of a database
#' con <- DBI::dbConnect(RSQLite::SQLite())
#' DBI::dbWriteTable(con, "flowers", iris)
#' cawi_elm(Species ~ ., cawi_source(con, "flowers", chunk = 50), hidden = 20, seed = 1)
#' DBI::dbDisconnect(con)
#' @export
cawi_source <- function(x, ..., chunk = 1e5, sample = 5000, folds = 5, loo = FALSE) {
  call <- environment()
  check_given(x, "x")
  reading <- list(chunk = check_count(chunk, "chunk"),
                  sample = check_count(sample, "sample", min = 2),
                  folds = check_count(folds, "folds", min = 2, max = most_source_folds),
                  loo = check_flag(loo, "loo"))
  if (is_source(x)) {
    check_whole_source(x, "x", call)
    return(structure(utils::modifyList(x, reading), class = class(x)))
  }
  shards <- source_shards(x, rlang::list2(...), call)
  structure(c(list(shards = shards), reading), class = "cawi_source")
}

# Sums are kept for each fold.
most_source_folds <- 1000

# What is for the readers of shards alone. The rest is looked at before it is asked anything.
source_places <- paste0("shards$$", c("frames", "read", "open", "files", "options", "con", "query"))

# A source that was edited is caught before it is read.
check_whole_source <- function(x, arg, call) {
  problem <- foreign_part_cpp(x, "cawi_source", character(), source_places)
  if (nzchar(problem) || !holds(is_whole_source(unclass(x)))) {
    abort_damaged(arg, broken_parts, x, call)
  }
}

is_whole_source <- function(x) {
  shard_parts <- c(frames = "frames", `function` = "read", opener = "open", files = "files",
                   query = "con")
  is_frame <- function(frame) is.list(frame) && is.data.frame(frame)
  is_shard <- function(shard) {
    is_string(shard$kind) && shard$kind %in% names(shard_parts) && is_string(shard$label) &&
      !is.null(shard[[shard_parts[[shard$kind]]]]) &&
      (shard$kind != "frames" || (is.list(shard$frames) && !is.object(shard$frames) &&
                                    all(vapply(shard$frames, is_frame, NA))))
  }
  is.list(x$shards) && length(x$shards) > 0L && all(vapply(x$shards, is_shard, logical(1))) &&
    is_whole(x$chunk, 1) && is_whole(x$sample, 2) && is_whole(x$folds, 1) &&
    max(x$chunk, x$sample) <= .Machine$integer.max && x$folds <= most_source_folds && is_flag(x$loo)
}

# One description per shard: its kind, a label for messages, and what its reader needs.
source_shards <- function(x, dots, call) {
  if (is.list(x) && !is.data.frame(x) && !inherits(x, "DBIConnection") && is_shard_list(x)) {
    if (length(dots) > 0L) abort_unused(dots, call)
    shards <- lapply(x, function(part) {
      if (is_source(part)) part$shards else list(one_shard(part, list(), call))
    })
    return(do.call(c, unname(shards)))
  }
  list(one_shard(x, dots, call))
}

# A list of data frames is one source; one of anything else has shards.
is_shard_list <- function(x) {
  length(x) > 0L && all(vapply(x, function(part) is_source(part) || is.function(part), logical(1)))
}

one_shard <- function(x, dots, call) {
  if (inherits(x, "DBIConnection")) return(query_shard(x, dots, call))
  if (is.character(x)) return(file_shard(x, dots, call))
  if (length(dots) > 0L) abort_unused(dots, call)
  if (is.data.frame(x)) return(frames_shard(list(x), call))
  if (is.function(x)) return(function_shard(x, call))
  frames <- is.list(x) && length(x) > 0L && all(vapply(x, is.data.frame, logical(1)))
  if (frames) return(frames_shard(x, call))
  message <- paste("{.arg x} must be a connection of {.pkg DBI}, file names, data frames, a",
                   "function or a list of shards, not {.obj_type_friendly {x}}.")
  abort_argument("x", message, call)
}

abort_unused <- function(dots, call) {
  count <- length(dots)
  message <- paste("{cli::qty(count)}{count} argument{?s} in {.arg ...} {?has/have} no use for",
                   "this source.")
  abort_argument("dots", message, call)
}

frames_shard <- function(frames, call) {
  for (frame in frames) check_even_frame(frame, "x", call)
  list(kind = "frames", label = "data frame", frames = unname(frames))
}

function_shard <- function(f, call) {
  arguments <- names(formals(args(f)))
  if ("reset" %in% arguments || "..." %in% arguments) {
    return(list(kind = "function", label = "function(reset)", read = f))
  }
  if (length(arguments) == 0L) return(list(kind = "opener", label = "function()", open = f))
  message <- paste("A function as {.arg x} has the argument {.code reset}, or none if it opens a",
                   "source, not {.val {arguments}}.")
  abort_argument("x", message, call)
}

file_shard <- function(files, dots, call) {
  if (length(files) == 0L || anyNA(files)) abort_argument("x", "{.arg x} names no files.", call)
  rlang::check_installed("readr", "to read files in chunks.")
  for (file in files) check_readable(file, "x", call)
  own <- intersect(names(dots), c("file", "callback", "chunk_size"))
  if (length(own) > 0L || !rlang::is_named2(dots)) {
    abort_argument("dots", "{.arg ...} must be named arguments of {.fn readr::read_csv_chunked}.",
                   call)
  }
  label <- if (length(files) == 1L) basename(files) else paste(length(files), "files")
  list(kind = "files", label = printable(label), files = normalizePath(files), options = dots)
}

query_shard <- function(con, dots, call) {
  rlang::check_installed("DBI", "to read from a database.")
  name <- rlang::names2(dots)
  what <- if (length(dots) == 1L && name %in% c("", "query", "table")) dots[[1L]]
  text <- (is_string(what) && grepl("[^[:space:]]", what)) || inherits(what, c("SQL", "Id"))
  if (!text) {
    message <- "A connection needs one query or the name of one table after it in {.arg ...}."
    abort_argument("dots", message, call)
  }
  table <- inherits(what, "Id") || name == "table" ||
    (!inherits(what, "SQL") && name != "query" && !is_query(what))
  name <- if (table) as.character(DBI::dbQuoteIdentifier(con, what))
  query <- if (table) paste("SELECT * FROM", name) else as.character(what)
  # It runs more than once, and only reads.
  if (!is_query(query)) {
    abort_argument("dots", "A query must be one {.code SELECT}, not {.val {query}}.", call)
  }
  if (inherits(con, "duckdb_connection")) {
    message <- "duckdb reads the whole result of a query into memory, whatever is fetched."
    warn_topic("source", message, call)
  }
  list(kind = "query", label = if (table) paste("table", name) else "query", con = con,
       query = query)
}

# A name of a table has no white space unless it is quoted, and no query is one word.
is_query <- function(text) {
  start <- "^(\\s|[(]|--[^\n]*\n|/[*].*?[*]/)*(select|with|values|table|from)\\b.*\\s"
  grepl(start, text, ignore.case = TRUE, perl = TRUE)
}

#' @export
print.cawi_source <- function(x, ...) {
  check_dots(rlang::enquos(...))
  check_whole_source(x, "x", environment())
  labels <- vapply(x$shards, function(shard) shard$label, "")
  count <- length(labels)
  cat(sprintf("<cawi_source> %s, chunks of %s rows\n",
              if (count == 1L) labels else paste(count, "shards"),
              format(x$chunk, big.mark = ",", decimal.mark = ".", scientific = FALSE)))
  shown <- utils::head(labels, 5L)
  if (count > 1L) cat(paste0("  ", seq_along(shown), ": ", shown, "\n"), sep = "")
  if (count > 5L) cat("  ...\n")
  cat(sprintf("  sample of %s rows, %d folds, lambda by %s\n",
              format(x$sample, big.mark = ",", decimal.mark = ".", scientific = FALSE),
              as.integer(x$folds),
              if (x$loo) "exact leave-one-out (three passes)" else "folds (two passes)"))
  invisible(x)
}
