# Checkpoints: what a pass has added so far, so that a run that was killed goes on from there and
# ends with the same bits. One file has the finished passes, and one per shard the pass under way.

# Seconds between two checkpoints of a shard.
checkpoint_seconds <- function() getOption("cawi.checkpoint_seconds", 30)

# `signature` tells the run: its arguments, and where its rows come from. A file of the same run
# says which seed it had; one of another run is refused. So is one whose passes had another `key`.
new_checkpoint <- function(file, signature, seed, shards, call) {
  if (is.null(file)) return(NULL)
  file <- check_target(file, "checkpoint", call)
  check_number(checkpoint_seconds(), "cawi.checkpoint_seconds", call, min = 0)
  checkpoint <- new.env(parent = emptyenv())
  checkpoint$file <- file
  checkpoint$call <- call
  checkpoint$shards <- shards
  checkpoint$key <- ""
  checkpoint$content <- list(signature = signature, seed = seed, passes = list(), keys = list())
  if (file.exists(file)) {
    resume_checkpoint(checkpoint, call)
  } else {
    save_atomically(checkpoint$content, file, call)
  }
  checkpoint
}

resume_checkpoint <- function(checkpoint, call) {
  found <- read_checkpoint(checkpoint$file, call)
  if (!identical(found$signature, checkpoint$content$signature)) {
    abort_foreign(checkpoint$file, "it is of a run with other arguments or another source", call)
  }
  checkpoint$content <- found
}

abort_foreign <- function(file, reason, call) {
  message <- "{.file {file}} is no checkpoint of this run: {reason}."
  hint <- "Remove the file to start again, or give another name."
  abort_argument("checkpoint", c(message, i = hint), call)
}

read_checkpoint <- function(file, call) {
  check_target(file, "checkpoint", call)
  found <- tryCatch(suppressWarnings(readRDS(file)), error = function(e) NULL)
  # Columns of sampled rows have the classes of the user's data.
  plain <- is.list(found) && is.null(foreign_part(found, character()))
  if (!plain || !is_string(found$signature)) {
    abort_foreign(file, "it cannot be read, or is something else", call)
  }
  found
}

# What all later passes depend on, by its values: what functions behind the terms and the weights
# give may change where their text does not.
key_checkpoint <- function(checkpoint, ...) {
  if (!is.null(checkpoint)) checkpoint$key <- rlang::hash(list(checkpoint$key, ...))
}

check_key <- function(checkpoint, file, key, call) {
  if (identical(checkpoint$key, key)) return(invisible())
  abort_foreign(file, "functions of its terms or weights give other values now", call)
}

# The shards of a pass that was finished, or NULL.
checkpoint_pass <- function(checkpoint, name) {
  found <- checkpoint$content$passes[[name]]
  if (is.null(found)) return(NULL)
  check_key(checkpoint, checkpoint$file, checkpoint$content$keys[[name]], checkpoint$call)
  found
}

finish_pass <- function(checkpoint, name, shards) {
  if (is.null(checkpoint)) return(invisible())
  checkpoint$content$passes[[name]] <- shards
  checkpoint$content$keys[[name]] <- checkpoint$key
  save_atomically(checkpoint$content, checkpoint$file, checkpoint$call)
  unlink(shard_files(checkpoint), expand = FALSE)
}

# What the worker of a shard has to know.
checkpoint_shard <- function(checkpoint, number) {
  if (is.null(checkpoint)) return(NULL)
  # Two runs that start at the same moment, without a seed, have one each.
  signature <- rlang::hash(checkpoint$content[c("signature", "seed")])
  list(file = paste0(checkpoint$file, ".", number), signature = signature, key = checkpoint$key)
}

# What stood at these places before the run was looked at when the first pass began.
shard_files <- function(checkpoint) paste0(checkpoint$file, ".", seq_len(checkpoint$shards))

# The model is made: what is left of the run is not needed.
remove_checkpoint <- function(checkpoint) {
  if (is.null(checkpoint)) return(invisible())
  files <- c(checkpoint$file, shard_files(checkpoint))
  unlink(files, expand = FALSE)
  sweep_drafts(files)
}

save_shard <- function(at, task, pass, call, result = NULL) {
  content <- list(signature = task$checkpoint$signature, key = task$checkpoint$key,
                  pass = pass$name, state = at$state, checksums = at$checksums, done = at$chunks)
  save_atomically(content, task$checkpoint$file, call)
}

# A file of another pass is from before the last one was finished.
resume_shard <- function(at, task, pass, call) {
  file <- task$checkpoint$file
  if (is.null(file) || path_kind(file) == "nothing") return(invisible())
  found <- read_checkpoint(file, call)
  if (!identical(found$signature, task$checkpoint$signature)) {
    abort_foreign(file, "it is of a run with other arguments or another source", call)
  }
  if (!identical(found$pass, pass$name)) return(invisible())
  check_key(task$checkpoint, file, found$key, call)
  at$state <- found$state
  at$checksums <- found$checksums
  at$done <- found$done
}

save_atomically <- function(object, file, call) {
  bytes <- serialize(object, NULL, xdr = FALSE)
  if (!replace_bytes(file, bytes)) abort_unwritten(file, length(bytes), "checkpoint", call)
}

# Arguments and sources as text that is the same in every session. A seed that is not given is in
# the checkpoint.
run_signature <- function(spec, asked, source, seed) {
  portable <- function(x) {
    if (is.function(x)) return(function_key(x))
    if (is.list(x)) lapply(unclass(x), portable) else x
  }
  shards <- lapply(source$shards, function(shard) shard[c("kind", "label", "files", "query")])
  terms <- if (inherits(asked$x, "recipe")) recipe_steps(asked$x) else deparse(asked$x)
  rlang::hash(list(portable(spec), terms, deparse(asked$case_weights), shards, seed,
                   source[c("chunk", "sample", "folds", "loo")]))
}
