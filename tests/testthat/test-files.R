# Every function that writes a file, with the class of the error about its path. Each goes through
# the same code, and is tried at the same places.
few <- data.frame(a = c(1, 4, 2, 8, 5, 7), b = c(3, 1, 4, 1, 5, 9), y = c(2, 7, 1, 8, 2, 8))
small <- cawi_elm(y ~ a + b, few, hidden = 2, seed = 1)
writers <- list(
  file = function(path) cawi_report(small, path),
  checkpoint = function(path) {
    cawi_elm(y ~ a + b, cawi_source(few), hidden = 2, seed = 1, checkpoint = path)
  },
  to = function(path) predict(small, cawi_source(few), to = path)
)

local_folder <- function(envir = parent.frame()) {
  folder <- tempfile("files")
  dir.create(folder)
  do.call(on.exit, list(bquote(unlink(.(folder), recursive = TRUE)), add = TRUE), envir = envir)
  normalizePath(folder)
}
new_pipe <- function(folder) {
  pipe <- file.path(folder, "pipe")
  skip_if_not(nzchar(Sys.which("mkfifo")), "there are no pipes")
  system2("mkfifo", shQuote(pipe))
  pipe
}
# All that is in a folder, with what it contains.
content_of <- function(folder) {
  files <- list.files(folder, all.files = TRUE, no.. = TRUE, recursive = TRUE)
  lapply(stats::setNames(file.path(folder, files), files), readLines)
}

test_that("paths tell what stands at them", {
  folder <- local_folder()
  file <- file.path(folder, "file")
  expect_identical(path_kind(file), "nothing")
  writeLines("x", file)
  expect_identical(path_kind(file), "file")
  expect_identical(path_kind(folder), "folder")
  expect_identical(path_kind(file.path(file, "below")), "nothing")
  expect_identical(path_kind(strrep("x", 5000)), "hidden")
  skip_on_os("windows")
  link <- file.path(folder, "link")
  file.symlink(file, link)
  expect_identical(c(path_kind(link), path_kind(link, follow = TRUE)), c("link", "file"))
  unlink(file)
  expect_identical(c(path_kind(link), path_kind(link, follow = TRUE)), c("link", "nothing"))
  expect_identical(path_kind("/dev/null"), "device")
  expect_identical(path_kind(new_pipe(folder)), "device")
})

test_that("nothing is written through a link, dangling or not", {
  skip_on_os("windows")
  for (arg in names(writers)) {
    folder <- local_folder()
    target <- file.path(folder, "target")
    link <- file.path(folder, "link.html")
    file.symlink(target, link)
    expect_error(writers[[arg]](link), "is a link", class = paste0("cawi_error_", arg))
    expect_identical(list.files(folder, all.files = TRUE, no.. = TRUE), "link.html")
    writeLines("precious", target)
    expect_error(writers[[arg]](link), "is a link", class = paste0("cawi_error_", arg))
    expect_identical(content_of(folder), list(link.html = "precious", target = "precious"))
  }
})

test_that("devices and pipes are neither replaced nor waited for", {
  skip_on_os("windows")
  pipe <- new_pipe(local_folder())
  for (arg in names(writers)) {
    for (path in c("/dev/null", "/dev/full", pipe)) {
      if (!file.exists(path)) next
      expect_error(writers[[arg]](path), "device or a pipe", class = paste0("cawi_error_", arg))
      expect_identical(path_kind(path), "device")
    }
  }
})

test_that("a path must be one file in a folder that is there", {
  folder <- local_folder()
  wrong <- list(folder, file.path(folder, "no", "file"), file.path(folder, ".."), "", 3, NULL,
                NA_character_, c("a", "b"), file.path(folder, strrep("x", 300)),
                strrep("x", 5000), "\xff\xfe")
  for (path in wrong) {
    expect_no_warning(expect_error(check_target(path, "to"), class = "cawi_error_to"))
  }
  # A path is a path: what the user wrote is meant, wherever it leads.
  dir.create(file.path(folder, "below"))
  up <- file.path(folder, "below", "..", "file.csv")
  expect_identical(check_target(up, "to"), file.path(folder, "file.csv"))
})

test_that("a shard's part of a checkpoint is no link and no pipe either", {
  skip_on_os("windows")
  folder <- local_folder()
  file <- file.path(folder, "run")
  precious <- file.path(folder, "precious")
  writeLines("precious", precious)
  file.symlink(precious, paste0(file, ".1"))
  expect_error(writers$checkpoint(file), "is a link", class = "cawi_error_checkpoint")
  expect_identical(readLines(precious), "precious")
  unlink(paste0(file, c("", ".1")))
  file.rename(new_pipe(folder), paste0(file, ".1"))
  expect_error(writers$checkpoint(file), "pipe", class = "cawi_error_checkpoint")
})

test_that("records of benchmarks stay in their folder, whatever the names of sets and arms are", {
  folder <- local_folder()
  record <- file.path(folder, "record")
  set <- list(x = as.matrix(iris[1:4]), y = iris$Species)
  names <- c("../../escaped", "/etc/passwd", "..", "a/b\\c", "CON", "x;rm -rf y")
  sets <- stats::setNames(rep(list(set), length(names)), names)
  run <- function() {
    cawi_benchmark(sets, "rvfl", protocol = "nested", init = "iid", folds = 2, record = record,
                   grid = cawi_grid(hidden = 3, activation = "relu"), seeds = 1)
  }
  first <- run()
  expect_identical(list.files(folder), "record")
  files <- list.files(record, all.files = TRUE, no.. = TRUE)
  expect_length(files, length(names))
  expect_true(all(grepl("^[A-Za-z0-9._-]+$", files)))
  expect_identical(run(), first)
  # What stands in the place of a unit is read or written only if it is a file.
  skip_on_os("windows")
  one <- file.path(record, files[1])
  file.rename(one, file.path(folder, "moved"))
  file.symlink(file.path(folder, "moved"), one)
  expect_error(run(), "is a link", class = "cawi_error")
  unlink(one)
  file.rename(new_pipe(folder), one)
  expect_error(run(), "pipe", class = "cawi_error")
})

test_that("a draft is a new file, and never one that somebody has put there", {
  skip_on_os("windows")
  folder <- local_folder()
  precious <- file.path(folder, "precious")
  writeLines("precious", precious)
  link <- file.path(folder, "draft")
  file.symlink(precious, link)
  expect_false(create_file_cpp(link))
  expect_false(create_file_cpp(precious))
  unlink(precious)
  expect_false(create_file_cpp(link))
  expect_false(file.exists(precious))
  expect_null(new_draft(file.path(folder, "no", "file")))
})

test_that("what comes to the place in the meantime is left alone", {
  skip_on_os("windows")
  folder <- local_folder()
  file <- file.path(folder, "file")
  precious <- file.path(folder, "precious")
  writeLines("precious", precious)
  late <- function(draft) {
    writeLines("new", draft)
    file.symlink(precious, file)
  }
  expect_false(replace_file(file, late))
  expect_identical(content_of(folder), list(file = "precious", precious = "precious"))
})

test_that("a new file may be seen by no more people than the one before", {
  skip_on_os("windows")
  old <- Sys.umask("022")
  on.exit(Sys.umask(old))
  folder <- local_folder()
  for (arg in c("file", "to")) {
    path <- file.path(folder, arg)
    writers[[arg]](path)
    expect_identical(format(file.mode(path)), "644")
    Sys.chmod(path, "600")
    writers[[arg]](path)
    expect_identical(format(file.mode(path)), "600")
  }
  # The rights are those of the file before any content is there.
  expect_true(replace_file(path, function(draft) format(file.mode(draft)) == "600"))
  path <- file.path(folder, "run")
  replace_bytes(path, as.raw(1))
  Sys.chmod(path, "600")
  replace_bytes(path, as.raw(2))
  expect_identical(format(file.mode(path)), "600")
})

test_that("what cannot be written leaves the file before it, and no draft", {
  folder <- local_folder()
  file <- file.path(folder, "file")
  writeLines("before", file)
  expect_false(replace_file(file, function(draft) stop("no")))
  expect_false(replace_file(file, function(draft) FALSE))
  expect_false(replace_file(file, function(draft) NULL))
  expect_identical(content_of(folder), list(file = "before"))
  expect_true(replace_file(file, function(draft) is.null(writeLines("after", draft))))
  expect_identical(content_of(folder), list(file = "after"))
})

test_that("files that are read are files", {
  skip_on_os("windows")
  folder <- local_folder()
  pipe <- file.path(folder, "x.csv")
  file.rename(new_pipe(folder), pipe)
  expect_error(cawi_read_table(pipe), "pipe", class = "cawi_error_file")
  expect_error(cawi_read_table(file.path(folder, "no.csv")), "not there", class = "cawi_error_file")
  skip_if_not_installed("readr")
  expect_error(cawi_source(pipe), "pipe", class = "cawi_error_x")
  expect_error(cawi_source("/dev/zero"), "device", class = "cawi_error_x")
  # A set of the paper is looked for among files alone.
  file.rename(pipe, file.path(folder, "blood.csv"))
  expect_error(cawi_read_dataset("blood", folder), class = "cawi_error_dir")
  expect_error(cawi_read_dataset("../blood", folder), class = "cawi_error_name")
})

# ---- kills and full disks ----

tempfile_with <- function(lines) {
  file <- tempfile(fileext = ".R")
  writeLines(lines, file)
  file
}
all_files <- function(folder) list.files(folder, all.files = TRUE, no.. = TRUE)
flowers <- cawi_rvfl(Species ~ ., iris, hidden = 4, lambda = 1, seed = 1)
flower_rows <- function() cawi_source(iris, chunk = 40)

test_that("drafts of processes that are gone are removed, others stay", {
  skip_on_os("windows")
  folder <- local_folder()
  file <- file.path(folder, "a.txt")
  gone <- start_script(tempfile_with("invisible(NULL)"))
  wait_until(!may_live(gone))
  made <- function(of, pid) {
    name <- paste0(draft_stem(of), pid, "-x")
    writeLines("half", file.path(folder, name))
    name
  }
  old <- made("a.txt", gone)
  kept <- sort(c(made("a.txt", Sys.getpid()), made("b.txt", gone), made("a.txt", 1L)))
  replace_bytes(file, charToRaw("one"))
  expect_identical(sort(setdiff(all_files(folder), "a.txt")), kept)
})

test_that("a name is the name of one file, whatever signs it has", {
  skip_on_os("windows")
  folder <- local_folder()
  writeLines("mine", file.path(folder, "fit1.rds"))
  file <- file.path(folder, "fit*.rds")
  cawi_rvfl(Species ~ ., flower_rows(), hidden = 3, checkpoint = file, seed = 1)
  expect_identical(all_files(folder), "fit1.rds")
})

# The size of files is limited as a full disk limits it; R is not told before its last write.
with_small_files <- function(blocks, code) {
  script <- tempfile_with(c(sprintf(".libPaths(%s)", deparse1(.libPaths())), "library(cawi)", code))
  shell <- tempfile_with(c("trap '' XFSZ", sprintf("ulimit -f %d", blocks),
                           paste(shQuote(file.path(R.home("bin"), "Rscript")), shQuote(script))))
  suppressWarnings(system2("bash", shQuote(shell), stdout = TRUE, stderr = FALSE))
}

test_that("a report or predictions that do not fit are refused, and what was there stays", {
  skip_on_os("windows")
  skip_if(Sys.which("bash") == "")
  folder <- local_folder()
  path <- function(name) file.path(folder, name)
  saveRDS(flowers, path("fit.rds"))
  files <- c("page.html", "rows.csv", "rows.csv.gz")
  for (file in files) writeLines("before", path(file))
  cawi_report(flowers, path("whole.html"))
  code <- c(
    sprintf("setwd(%s)", deparse1(folder)), "fit <- readRDS('fit.rds')",
    "refused <- function(code) {",
    "  error <- tryCatch({code; NULL}, error = identity)",
    "  cat(class(error)[1], grepl('cannot\\\\s+be\\\\s+written', conditionMessage(error)), '\\n')",
    "}",
    "rows <- cawi_source(do.call(rbind, rep(list(iris), 30)), chunk = 500)",
    "refused(cawi_report(fit, 'page.html'))",
    "refused(predict(fit, rows, type = 'prob', to = 'rows.csv'))",
    "refused(predict(fit, rows, type = 'prob', to = 'rows.csv.gz'))"
  )
  expect_identical(with_small_files(1, code), paste(c("cawi_error_file", "cawi_error_to",
                                                      "cawi_error_to"), "TRUE "))
  # All but the last block of the page: the system tells of it when the file is closed.
  blocks <- file.size(path("whole.html")) %/% 1024
  expect_identical(with_small_files(blocks, code)[1], "cawi_error_file TRUE ")
  for (file in files[1:2]) expect_identical(readLines(path(file)), "before", label = file)
  expect_setequal(all_files(folder), c(files, "fit.rds", "whole.html"))
})

test_that("predictions are the same file in every locale", {
  frame <- iris[c("Sepal.Length", "Petal.Length")]
  frame$kind <- factor(c("\u00e9t\u00e9 \"x\"", "\u6771\u4eac", "c")[iris$Species])
  fit <- cawi_rvfl(kind ~ ., frame, hidden = 4, lambda = 1, seed = 1)
  folder <- local_folder()
  written <- function(name, locale) {
    old <- Sys.getlocale("LC_CTYPE")
    on.exit(Sys.setlocale("LC_CTYPE", old))
    if (suppressWarnings(Sys.setlocale("LC_CTYPE", locale)) == "") skip(locale)
    for (type in c("class", "prob")) {
      predict(fit, cawi_source(frame), type = type, to = file.path(folder, paste0(name, type)))
    }
    lapply(c("class", "prob"), function(type) {
      readBin(file.path(folder, paste0(name, type)), "raw", 1e6)
    })
  }
  first <- written("a", Sys.getlocale("LC_CTYPE"))
  expect_identical(written("b", "C"), first)
  text <- readLines(file.path(folder, "aclass"), encoding = "UTF-8")
  expect_identical(text[2], "\"\u00e9t\u00e9 \"\"x\"\"\"")
})

test_that("no connection stays open after a table was written", {
  # R closes what was left open when it collects garbage, seldom after each of twenty tables.
  before <- length(getAllConnections())
  open <- vapply(1:20, function(i) {
    csv_bytes(data.frame(a = 1:2))
    length(getAllConnections())
  }, 0L)
  expect_lte(max(open), before)
})
