# The order of the house: what is where, what it is called, and what the sources do without. These
# tests read the sources, and are skipped where only the installed package is there.

root <- normalizePath(test_path("..", ".."))
is_source <- file.exists(file.path(root, "DESCRIPTION")) && dir.exists(file.path(root, "src"))
r_files <- if (is_source) list.files(file.path(root, "R"), "[.]R$", full.names = TRUE)
skip_without_sources <- function() skip_if_not(length(r_files) > 0, "the sources are not here")

code_of <- function(file) as.list(parse(file, keep.source = FALSE))

# What a file gives a name at its top level; NULL for anything else.
assigned_name <- function(code) {
  arrow <- is.call(code) && (identical(code[[1]], quote(`<-`)) || identical(code[[1]], quote(`=`)))
  if (arrow && (is.name(code[[2]]) || is.character(code[[2]]))) as.character(code[[2]])
}
is_function <- function(code) is.call(code) && identical(code[[1]], quote(`function`))

# The numbers of arguments of all functions in some code, those within functions too.
argument_counts <- function(code) {
  here <- if (is_function(code)) length(code[[2]])
  # The parts of a call, with default values of arguments; an empty argument has none.
  parts <- if (is.call(code) || is.pairlist(code)) Filter(Negate(is_empty_name), as.list(code))
  c(here, unlist(lapply(parts, argument_counts)))
}
is_empty_name <- function(code) is.name(code) && !nzchar(as.character(code))

test_that("functions that are neither exported nor methods have at most seven arguments", {
  skip_without_sources()
  declared <- parseNamespaceFile(basename(root), dirname(root))
  methods <- apply(declared$S3methods[, 1:2, drop = FALSE], 1, paste, collapse = ".")
  inner <- r_files[basename(r_files) != "RcppExports.R"]
  wide <- unlist(lapply(inner, function(file) {
    code <- Filter(function(code) !any(assigned_name(code) %in% c(declared$exports, methods)),
                   code_of(file))
    counts <- lapply(code, argument_counts)
    names <- vapply(code, function(code) c(assigned_name(code), "a nameless one")[1], "")
    sprintf("%s of %s has %d", names, basename(file), vapply(counts, max, 0L, 0L))[
      vapply(counts, max, 0L, 0L) > 7
    ]
  }))
  expect_identical(wide, character())
})

# The same for C++: lists in parentheses after a name and before a body. Template lists and inner
# parentheses have commas of their own.
core_argument_counts <- function(text) {
  head <- "\\b\\w+\\s*(\\((?:[^()]++|(?1))*\\))[\\w\\s]*(?::[^;{}]*)?\\{"
  heads <- regmatches(text, gregexpr(head, text, perl = TRUE))[[1]]
  lists <- sub("^[^(]*(\\((?:[^()]++|(?1))*\\)).*", "\\1", gsub("\n", " ", heads), perl = TRUE)
  lists <- substring(lists, 2, nchar(lists) - 1)
  inner <- "<[^<>]*>|\\((?:[^()]++|(?R))*\\)"
  while (any(grepl(inner, lists, perl = TRUE))) lists <- gsub(inner, "", lists, perl = TRUE)
  counts <- lengths(strsplit(lists, ",", fixed = TRUE))
  stats::setNames(counts, trimws(sub("\\(.*", "", gsub("\n", " ", heads))))
}

test_that("functions of the core and its wrappers have at most seven arguments", {
  skip_without_sources()
  wide <- "inline int f(int a, std::map<int, int> b, int c = g(1, 2), int d,\n int e) const {"
  expect_identical(core_argument_counts(wide), c(f = 5L))
  folders <- file.path(root, c("src", "inst/include"))
  files <- list.files(folders, "[.](h|hpp|cpp)$", recursive = TRUE, full.names = TRUE)
  files <- files[basename(files) != "RcppExports.cpp"]
  counts <- unlist(lapply(files, function(file) {
    core_argument_counts(paste(sub("//.*", "", readLines(file)), collapse = "\n"))
  }))
  expect_identical(counts[["readout_grids_cpp"]], 7L)
  expect_identical(counts[counts > 7], structure(integer(), names = character()))
})

test_that("every name is given once", {
  skip_without_sources()
  names <- unlist(lapply(r_files, function(file) lapply(code_of(file), assigned_name)))
  expect_gt(length(names), 100)
  expect_identical(names[duplicated(names)], character())
})

test_that("the files of R/ are called after their rooms", {
  skip_without_sources()
  names <- sub("[.]R$", "", basename(r_files))
  shared <- c("checks", "columns", "conditions", "files", "objects", "parallel", "run", "sparse",
              "cawi-package", "RcppExports")
  rooms <- c("copula", "model", "tune", "auto", "scale", "bench", "data", "report", "tidy")
  in_room <- grepl(paste0("^(", paste(rooms, collapse = "|"), ")-."), names)
  alone <- c(shared, "tune", "auto", "bench", "report")
  expect_identical(names[!in_room & !names %in% alone], character())
})

test_that("the tests are called after the files that they test", {
  skip_without_sources()
  tests <- list.files(file.path(root, "tests", "testthat"), "^test-.*[.]R$")
  names <- sub("^test-(.*)[.]R$", "\\1", tests)
  across <- c("core", "core-alone", "core-threads", "core-vectors", "core-exact-fit",
              "core-integers", "core-kernel-fit", "differential", "interrupts", "invariance",
              "misuse", "security", "unchanged", "house", "model-formula-corners",
              "model-update-corners", "services-postgres", "services-slurm", "tidy-resampling")
  expect_identical(setdiff(names, c(sub("[.]R$", "", basename(r_files)), across)), character())
})

test_that("the sources attach no package, simplify no result and assign to no outer function", {
  skip_without_sources()
  for (file in r_files) {
    used <- unlist(lapply(code_of(file), all.names))
    expect_identical(intersect(c("library", "require", "sapply", "<<-"), used), character(),
                     label = basename(file))
  }
})

# The names of the arguments of all functions in some code.
argument_names <- function(code) {
  parts <- if (is.call(code) || is.pairlist(code)) Filter(Negate(is_empty_name), as.list(code))
  c(if (is_function(code)) names(code[[2]]), unlist(lapply(parts, argument_names)))
}

test_that("seconds are those of a clock that is never set", {
  skip_without_sources()
  for (file in r_files) {
    used <- unlist(lapply(code_of(file), all.names))
    expect_identical(intersect(c("proc.time", "system.time"), used), character(),
                     label = basename(file))
  }
  expect_true(all(diff(replicate(100, clock_seconds())) >= 0))
})

test_that("arguments are called by the words of the house", {
  skip_without_sources()
  used <- unlist(lapply(r_files, function(file) lapply(code_of(file), argument_names)))
  expect_true(all(c("case_weights", "hidden", "inputs") %in% used))
  expect_identical(intersect(c("weights", "width", "widths", "law", "laws"), used), character())
})

test_that("every plot() has its twin for ggplot2", {
  skip_without_sources()
  methods <- parseNamespaceFile(basename(root), dirname(root))$S3methods
  of <- function(generic) sort(methods[methods[, 1] == generic, 2])
  expect_gt(length(of("plot")), 6)
  expect_identical(of("autoplot"), of("plot"))
})

test_that("ARCHITECTURE.md shows the walk of one row", {
  skip_without_sources()
  skip_on_cran()
  script <- file.path(root, ".ci", "walk.R")
  skip_if_not(file.exists(script), "the scripts are not here")
  libraries <- paste0("R_LIBS=", paste(.libPaths(), collapse = .Platform$path.sep))
  walked <- system2(file.path(R.home("bin"), "Rscript"), shQuote(c(script, file.path(root, "R"))),
                    stdout = TRUE, env = libraries)
  shown <- readLines(file.path(root, "ARCHITECTURE.md"))
  # The path after a line, up to the next line that is not indented.
  path_after <- function(lines, start) {
    rest <- lines[seq(grep(start, lines)[1] + 1, length(lines))]
    path <- rest[seq_len(c(which(!startsWith(rest, "  ")), length(rest) + 1)[1] - 1)]
    strsplit(paste(trimws(path), collapse = " "), " > ")[[1]]
  }
  for (start in c("fit: |^cawi_rvfl", "^predict")) {
    expect_gt(length(path_after(walked, start)), 10)
    expect_identical(path_after(shown, start), path_after(walked, start))
  }
})
