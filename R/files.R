# Files that the package writes: reports, checkpoints, records of benchmarks, predictions. Each is
# a draft of another name beside its place until it is whole, and is then moved there: whoever is
# killed, or finds the disk full, leaves what was there before. A draft takes the place of a file or
# of nothing. Links could lead anywhere, and devices and pipes are no places for files.

# What stands at a path: "nothing", a "file", a "folder", a "link", a "device" (or a pipe), or
# something "hidden" that may not be looked at. Reading follows links.
path_kind <- function(path, follow = FALSE) path_kind_cpp(enc2native(path), follow)

# The whole path of a file that can be written.
check_target <- function(file, arg, call = caller_env()) {
  if (!is_string(file) || !nzchar(file)) {
    abort_argument(arg, "{.arg {arg}} must be the name of one file, not {shown(file)}.", call)
  }
  # R cannot put such a name behind the path of its folder.
  if (!validEnc(file)) {
    abort_argument(arg, "{.arg {arg}} has text that its encoding does not allow.", call)
  }
  # A path that is too long is a warning to R, or an error.
  path <- suppressWarnings(path.expand(file))
  folder <- tryCatch(dirname(path), error = function(e) file)
  shown <- printable(file)
  if (path_kind(folder, follow = TRUE) != "folder") {
    abort_argument(arg, "{.arg {arg}}: the folder of {.file {shown}} is not there.", call)
  }
  kind <- path_kind(path)
  if (!kind %in% free_places) {
    problem <- target_problems[[kind]]
    abort_argument(arg, "{.arg {arg}} must be a file, and {.file {shown}} {problem}.", call)
  }
  check_connection(arg)
  file.path(normalizePath(folder), basename(path))
}

# R has 128, in all sessions but those that were started with more.
check_connection <- function(arg) {
  free <- tryCatch(close(rawConnection(raw())), error = function(e) e)
  if (!inherits(free, "error")) return(invisible())
  # cli and rlang need one for their messages, too.
  text <- paste0("`", arg, "`: all connections of R are in use; closeAllConnections() helps.")
  stop(errorCondition(text, class = c(paste0("cawi_error_", arg), "cawi_error")))
}

# What a draft may take the place of.
free_places <- c("nothing", "file")

target_problems <- c(
  folder = "is a folder", link = "is a link, which is not followed",
  device = "is a device or a pipe, which is not replaced", hidden = "cannot be reached"
)

# An empty file of a new name beside `file`, for those alone who may see what is there now; NULL
# where none can be made. Its name tells the file, the machine and the process, so that drafts of
# processes that were killed can be told from those that are being written.
new_draft <- function(file) {
  sweep_drafts(file)
  draft <- tempfile(paste0(draft_stem(file), Sys.getpid(), "-"), dirname(file))
  if (!create_file_cpp(enc2native(draft))) return(NULL)
  if (path_kind(file) == "file") Sys.chmod(draft, file.mode(file), use_umask = FALSE)
  draft
}

draft_stem <- function(file) {
  short <- function(text) substr(rlang::hash(enc2utf8(text)), 1L, 12L)
  sprintf(".cawi-draft-%s-%s-", short(basename(file)), short(Sys.info()[["nodename"]]))
}

# Removes drafts of files in one folder whose process is gone.
sweep_drafts <- function(files) {
  # There a signal of any number would end the process.
  if (.Platform$OS.type == "windows") return(invisible())
  folder <- dirname(files[1L])
  near <- list.files(folder, "^[.]cawi-draft-", all.files = TRUE)
  for (stem in if (length(near) > 0L) vapply(files, draft_stem, "")) {
    ours <- near[startsWith(near, stem)]
    pid <- suppressWarnings(as.integer(sub("-.*", "", substring(ours, nchar(stem) + 1L))))
    unlink(file.path(folder, ours[!vapply(pid, may_live, NA)]), expand = FALSE)
  }
}

# Processes of other users take no signal.
may_live <- function(pid) {
  is.na(pid) || tools::pskill(pid, 0L) || dir.exists(file.path("/proc", pid))
}

# Something else may have come to the place since it was looked at.
place_draft <- function(draft, file) {
  path_kind(file) %in% free_places && suppressWarnings(file.rename(draft, file))
}

# `write` fills a draft, and tells whether it is whole. Is the file written?
replace_file <- function(file, write) {
  draft <- new_draft(file)
  if (is.null(draft)) return(FALSE)
  on.exit(unlink(draft, expand = FALSE))
  tryCatch(suppressWarnings(isTRUE(write(draft)) && place_draft(draft, file)),
           error = function(e) FALSE)
}

# A full disk shows itself in a file that is too short.
replace_bytes <- function(file, bytes) {
  replace_file(file, function(draft) {
    connection <- base::file(draft, "wb")
    tryCatch(write_bytes(bytes, connection), finally = close(connection))
    identical(file.size(draft), as.double(length(bytes)))
  })
}

# R writes less than two gigabytes at once.
write_bytes <- function(bytes, connection) {
  for (start in seq(0, max(length(bytes) - 1, 0), by = 2^28)) {
    writeBin(bytes[seq(start + 1, length.out = min(2^28, length(bytes) - start))], connection)
  }
}

abort_unwritten <- function(file, bytes, arg, call) {
  size <- bytes_text(bytes)
  shown <- printable(file)
  message <- paste("{.arg {arg}}: {.file {shown}} ({size}) cannot be written: is the disk full, or",
                   "the folder read-only?")
  before <- if (path_kind(file) == "file") "What was there before is still there."
  abort_argument(arg, c(message, i = before), call)
}

# A table as the bytes of a file of values with commas between them: UTF-8 in every locale.
csv_bytes <- function(table, head = TRUE, quote = TRUE, na = "NA") {
  # Text without a mark is written as it is.
  plain <- function(text) {
    text <- enc2utf8(text)
    Encoding(text) <- "unknown"
    text
  }
  text <- vapply(table, is.character, logical(1))
  table[text] <- lapply(table[text], plain)
  names(table) <- plain(names(table))
  connection <- rawConnection(raw(), "wb")
  on.exit(close(connection))
  utils::write.table(table, connection, sep = ",", dec = ".", qmethod = "double", quote = quote,
                     na = na, row.names = FALSE, col.names = head)
  rawConnectionValue(connection)
}

# Reading a pipe may never end.
check_readable <- function(file, arg, call = caller_env()) {
  kind <- path_kind(file, follow = TRUE)
  if (kind == "file") return(check_connection(arg))
  shown <- printable(file)
  if (kind == "device") {
    abort_argument(arg, "{.arg {arg}}: {.file {shown}} is a device or a pipe, not a file.", call)
  }
  abort_argument(arg, "{.arg {arg}}: the file {.file {shown}} is not there.", call)
}
