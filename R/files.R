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
  path <- path.expand(file)
  shown <- printable(file)
  if (path_kind(dirname(path), follow = TRUE) != "folder") {
    abort_argument(arg, "{.arg {arg}}: the folder of {.file {shown}} is not there.", call)
  }
  kind <- path_kind(path)
  if (!kind %in% free_places) {
    problem <- target_problems[[kind]]
    abort_argument(arg, "{.arg {arg}} must be a file, and {.file {shown}} {problem}.", call)
  }
  file.path(normalizePath(dirname(path)), basename(path))
}

# What a draft may take the place of.
free_places <- c("nothing", "file")

target_problems <- c(
  folder = "is a folder", link = "is a link, which is not followed",
  device = "is a device or a pipe, which is not replaced", hidden = "cannot be reached"
)

# An empty file of a new name beside `file`, for those alone who may see what is there now; NULL
# where none can be made.
new_draft <- function(file) {
  draft <- tempfile(".cawi-draft-", dirname(file))
  if (!create_file_cpp(enc2native(draft))) return(NULL)
  if (path_kind(file) == "file") Sys.chmod(draft, file.mode(file), use_umask = FALSE)
  draft
}

# Something else may have come to the place since it was looked at.
place_draft <- function(draft, file) {
  path_kind(file) %in% free_places && suppressWarnings(file.rename(draft, file))
}

# `write` fills a draft, and tells whether it is whole. Is the file written?
replace_file <- function(file, write) {
  draft <- new_draft(file)
  if (is.null(draft)) return(FALSE)
  on.exit(unlink(draft))
  tryCatch(suppressWarnings(isTRUE(write(draft)) && place_draft(draft, file)),
           error = function(e) FALSE)
}

# A full disk shows itself in a file that is too short.
replace_bytes <- function(file, bytes) {
  replace_file(file, function(draft) {
    writeBin(bytes, draft)
    identical(file.size(draft), as.double(length(bytes)))
  })
}

# Reading a pipe may never end.
check_readable <- function(file, arg, call = caller_env()) {
  kind <- path_kind(file, follow = TRUE)
  if (kind == "file") return(invisible())
  shown <- printable(file)
  if (kind == "device") {
    abort_argument(arg, "{.arg {arg}}: {.file {shown}} is a device or a pipe, not a file.", call)
  }
  abort_argument(arg, "{.arg {arg}}: the file {.file {shown}} is not there.", call)
}
