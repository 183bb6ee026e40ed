# The walk of one row: which files of R/ a fit and a prediction go through, in order. Every function
# of the package notes its file when it is entered; a switch is an entry into another file than the
# one before. Files that every room uses (checks, files, objects and others) are
# left out.
#
# Usage: Rscript .ci/walk.R [folder with the sources]

folder <- c(commandArgs(trailingOnly = TRUE), "R")[[1L]]
shared <- c("checks", "columns", "conditions", "files", "objects", "parallel", "run", "sparse")

functions_of <- function(file) {
  code <- as.list(parse(file, keep.source = FALSE))
  is_function <- function(e) {
    is.call(e) && identical(e[[1L]], as.name("<-")) && is.name(e[[2L]])
  }
  vapply(Filter(is_function, code), function(e) as.character(e[[2L]]), "")
}

files <- list.files(folder, "[.]R$", full.names = TRUE)
files <- files[basename(files) != "RcppExports.R"]
room <- unlist(lapply(files, function(file) {
  names <- functions_of(file)
  stats::setNames(rep(sub("[.]R$", "", basename(file)), length(names)), names)
}))

walked <- new.env()
walked$files <- character()
suppressPackageStartupMessages(library(cawi))
package <- asNamespace("cawi")
methods <- get(".__S3MethodsTable__.", package)
note <- function(file) walked$files <- c(walked$files, file)
noted <- function(f, file) {
  body(f) <- bquote({
    .(note)(.(file))
    .(body(f))
  })
  f
}
for (name in intersect(names(room), ls(package, all.names = TRUE))) {
  if (!is.function(package[[name]])) next
  replaced <- noted(package[[name]], room[[name]])
  unlockBinding(name, package)
  assign(name, replaced, package)
  if (exists(name, methods, inherits = FALSE)) assign(name, replaced, methods)
  attached <- as.environment("package:cawi")
  if (exists(name, attached, inherits = FALSE)) {
    unlockBinding(name, attached)
    assign(name, replaced, attached)
  }
}

walk <- function(code) {
  walked$files <- character()
  force(code)
  rle(walked$files[!walked$files %in% shared])$values
}

report <- function(title, path) {
  cat(sprintf("%s: %d files, %d switches\n", title, length(unique(path)), length(path) - 1L))
  cat(strwrap(paste(path, collapse = " > "), 98L, indent = 2L, exdent = 2L), sep = "\n")
}

options(cawi.threads = 1)
fit <- NULL
report("fit", walk(fit <- cawi_rvfl(Species ~ ., iris, init = "gaussian", seed = 1)))
report("predict", walk(predict(fit, iris)))
grid <- cawi_grid(hidden = c(5, 10), lambda = c(0.1, 1))
report("tune", walk(cawi_tune(Species ~ ., iris, grid = grid, seed = 1)))
