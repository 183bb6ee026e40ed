# Builds the package anew in several ways and runs the tests with each build: under the address and
# undefined behavior sanitizers, with the checks of the C++ library and of Armadillo, optimized at
# link time, under valgrind's memcheck, and in an R without long double. Records what ran and what
# was reported, and ends in the line "N passed, N failed, N skipped". Fails where a test fails or a
# tool reports something.
#
# Usage: Rscript tests/attacks/conditions/sanitize-all.R [part [filter [record.csv]]]
# No part, or "", is all of them; with a filter nothing is recorded.

arguments <- c(commandArgs(trailingOnly = TRUE), "", "")
chosen <- arguments[[1L]]
filter <- arguments[[2L]]
record <- if (!nzchar(filter)) commandArgs(trailingOnly = TRUE)[3L] else NA
here <- file.path("tests", "attacks", "conditions")
source(file.path(here, "tools.R"))

# Files of each room of the core that take seconds where nothing watches.
small <- paste0("^(", paste(c(
  "copula-(ranks|kendall|fit|density|simulate|temper|weights|nearest-cor)",
  "core-(exact-fit|kernel-fit|threads)", "model-(calibration|gradient|loo|network|readout|trim)",
  "model-(update-rows|sparse)", "scale-(moments|sums|statistics)", "sparse", "tune-auc"
), collapse = "|"), ")$")

# A part has the flags it compiles with; the flags of the linker; the part of the tests; variables
# of the run, which may name its folder of reports; and what in a log is a report.
parts <- list(
  asan = list(
    flags = "-g -O1 -fno-omit-frame-pointer -D_GLIBCXX_ASSERTIONS -fsanitize=address,undefined",
    link = "-fsanitize=address,undefined",
    # R never frees what it holds at its end, which is no leak.
    run = c("ASAN_OPTIONS=detect_leaks=0:log_path=%s/asan",
            "UBSAN_OPTIONS=print_stacktrace=1:log_path=%s/ubsan"),
    preload = c("asan", "ubsan", "stdc++"),
    report = "ERROR: AddressSanitizer|runtime error:|Assertion .* failed"
  ),
  assertions = list(
    # Armadillo checks bounds and sizes where ARMA_NO_DEBUG is not defined; R defines NDEBUG.
    flags = "-g -O2 -D_GLIBCXX_ASSERTIONS -UNDEBUG -UARMA_NO_DEBUG",
    report = "Assertion .* failed|out of bounds|incompatible matrix dimensions"
  ),
  lto = list(
    flags = "-g -O2 -flto=auto -Wodr -Wlto-type-mismatch",
    link = "-O2 -flto=auto -Wodr -Wlto-type-mismatch",
    report = "warning:"
  ),
  valgrind = list(
    flags = "-g -O2",
    filter = small,
    debugger = paste0(
      "valgrind --tool=memcheck --leak-check=full --show-leak-kinds=definite --num-callers=40 ",
      "--suppressions=", file.path(getwd(), here, "valgrind.supp"), " --log-file=%s/valgrind.%%p"
    ),
    # Others' libraries have their own tests; what counts is a stack that goes through this package.
    report = "cawi[.]so|inst/include/cawi|cawi::"
  ),
  nold = list(flags = "-g -O2", report = "^$")
)

folder_of <- function(part) file.path(getwd(), ".build", "conditions", part)

# The R of a part, and the packages that it borrows from R here: all but those of R itself, which
# it has of its own.
part_r <- function(name) {
  if (name != "nold") return(list(home = R.home(), libraries = .libPaths()))
  home <- file.path(folder_of(name), "R")
  stopifnot(system2("sh", shQuote(c(file.path(here, "build-nold.sh"), home))) == 0L)
  borrowed <- file.path(folder_of(name), "borrowed")
  unlink(borrowed, recursive = TRUE)
  dir.create(borrowed, recursive = TRUE)
  theirs <- utils::installed.packages()
  theirs <- theirs[!theirs[, "Priority"] %in% "base" & !duplicated(theirs[, "Package"]), ]
  file.symlink(file.path(theirs[, "LibPath"], theirs[, "Package"]), borrowed)
  list(home = home, libraries = borrowed)
}

install <- function(part, copy, r, folder, library, log) {
  settings <- file.path(folder, "Makevars")
  standards <- c("", "11", "14", "17", "20")
  writeLines(c(paste0("CXX", standards, "FLAGS = ", part$flags), paste("CFLAGS =", part$flags),
               paste("LDFLAGS +=", part$link)), settings)
  libraries <- paste(c(library, r$libraries), collapse = ":")
  status <- system2(file.path(r$home, "bin", "R"),
                    c("CMD INSTALL --no-test-load --no-docs",
                      shQuote(c(paste0("--library=", library), copy))),
                    env = c(paste0("R_MAKEVARS_USER=", settings), paste0("R_LIBS=", libraries),
                            paste0("MAKEFLAGS=-j", parallel::detectCores())),
                    stdout = log, stderr = log)
  if (status != 0L) stop("The part could not be built: see ", log)
}

libraries_of_compiler <- function(names) {
  files <- paste0("lib", names, ".so")
  found <- vapply(files, function(file) {
    system2("g++", paste0("-print-file-name=", file), stdout = TRUE)
  }, "")
  paste(found, collapse = " ")
}

test <- function(name, part, copy, r, folder, library, reports, log) {
  tests <- if (nzchar(filter)) filter else c(part$filter, "")[[1L]]
  variables <- c(
    "NOT_CRAN=true", paste0("CAWI_TEST_CONDITION=", name),
    paste0("R_LIBS=", paste(c(library, r$libraries), collapse = ":")),
    sprintf(c(part$run, character()), reports),
    if (!is.null(part$preload)) {
      paste0("LD_PRELOAD=", shQuote(libraries_of_compiler(part$preload)))
    }
  )
  # Only R itself, not Rscript, can be started by a debugger.
  debugger <- if (!is.null(part$debugger)) c("-d", shQuote(sprintf(part$debugger, reports)))
  command <- c(shQuote(file.path(r$home, "bin", "R")), debugger, "--vanilla", "--no-echo",
               "-f", ".ci/test.R", "--args", shQuote(tests))
  system(paste("cd", shQuote(copy), "&& env", paste(variables, collapse = " "),
               paste(command, collapse = " "), ">", shQuote(log), "2>&1"))
  tests
}

# The stacks that a tool wrote, from which those that a part counts are taken.
found_reports <- function(part, files) {
  lines <- unlist(lapply(files, readLines, warn = FALSE))
  if (is.null(part$debugger)) return(grep(part$report, lines, value = TRUE))
  lines <- sub("^==[0-9]+== ?", "", lines)
  stacks <- split(lines, cumsum(!nzchar(lines)))
  stacks <- Filter(function(stack) any(grepl("^(  )? (at|by) 0x", stack)), stacks)
  stacks <- Filter(function(stack) any(grepl(part$report, stack)), stacks)
  vapply(stacks, paste, "", collapse = "\n")
}

run_part <- function(name) {
  part <- parts[[name]]
  message("---- ", name, ": ", part$flags)
  start <- Sys.time()
  folder <- folder_of(name)
  reports <- file.path(folder, "reports")
  library <- file.path(folder, "library")
  unlink(file.path(folder, c("source", "reports", "library")), recursive = TRUE)
  copy <- copy_sources(folder)
  for (path in c(reports, library)) dir.create(path)
  r <- part_r(name)
  log <- file.path(folder, c("install.log", "tests.log"))
  install(part, copy, r, folder, library, log[1L])
  ran <- test(name, part, copy, r, folder, library, reports, log[2L])
  writeLines(utils::tail(readLines(log[2L], warn = FALSE), 100L))
  counts <- counts_of(log[2L])
  found <- found_reports(part, c(if (name == "lto") log[1L] else if (name != "valgrind") log[2L],
                                 list.files(reports, full.names = TRUE)))
  writeLines(found)
  data.frame(part = name, flags = part$flags, ran = if (nzchar(ran)) ran else "all",
             passed = counts$passed, failed = counts$failed, skipped = counts$skipped,
             reports = length(found),
             seconds = round(as.numeric(difftime(Sys.time(), start, units = "secs"))))
}

# A part that ran again takes the place of its row.
recorded <- function(table) {
  if (!file.exists(record)) return(table)
  old <- utils::read.csv(record, comment.char = "#")
  rows <- rbind(old[!old$part %in% table$part, ], table)
  rows[order(match(rows$part, names(parts))), ]
}

if (nzchar(chosen) && !chosen %in% names(parts)) {
  stop("PART must be one of ", paste(names(parts), collapse = ", "))
}
table <- do.call(rbind, lapply(if (nzchar(chosen)) chosen else names(parts), run_part))
if (!is.na(record)) write_record(recorded(table), record)
print(table[-2L], row.names = FALSE, right = FALSE)
cat(sprintf("%d passed, %d failed, %d skipped\n", sum(table$passed),
            sum(table$failed, table$reports), sum(table$skipped)))
if (any(table$failed > 0L, table$reports > 0L, table$passed == 0L)) quit(status = 1L)
