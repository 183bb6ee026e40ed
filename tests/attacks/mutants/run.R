# Changes the package in one place at a time, in R code and in the C++ core, and runs the tests of
# that place. A mutant that no test notices is a test that is missing, or changes nothing.
#
# Usage: Rscript tests/attacks/mutants/run.R [record]
# In the environment: SAMPLE (how many mutants), SEED (which), ONLY (a regular expression of files),
# WORKERS (how many at a time), SECONDS (of tests that are not named after the file); PART and TESTS
# (regular expressions) try only some of the sample with only some test files. Every outcome is kept
# at once in .build/mutants/outcomes.csv, so that a run that was stopped goes on where it was;
# survivors are tried again. With `record` the table goes to tests/attacks/results/mutants.csv, with
# what judged.csv says about survivors.

for (part in c("find", "sample", "build", "children", "record")) {
  source(file.path("tests/attacks/mutants", paste0(part, ".R")))
}

setting <- function(name, default) {
  value <- Sys.getenv(name)
  if (nzchar(value)) value else default
}
size <- as.integer(setting("SAMPLE", "560"))
seed <- setting("SEED", "1")
only <- setting("ONLY", "")
workers <- as.integer(setting("WORKERS", "2"))

home <- file.path(getwd(), ".build/mutants")
dir.create(home, recursive = TRUE, showWarnings = FALSE)

# ---- the sample --------------------------------------------------------------

core_table <- function() {
  headers <- list.files("inst/include", "[.]hpp$", recursive = TRUE, full.names = TRUE)
  if (!any(grepl(only, headers))) return(data.frame(path = character()))
  include <- vapply(c("RcppArmadillo", "RcppParallel", "Rcpp", "BH"), function(package) {
    system.file("include", package = package)
  }, "")
  lines <- system2("/usr/bin/python3", stdout = TRUE, c(
    "tests/attacks/mutants/core.py", "list", ".", include[nzchar(include)], R.home("include")
  ))
  table <- utils::read.csv(text = lines, colClasses = "character")
  table[c("line", "first", "last")] <- lapply(table[c("line", "first", "last")], as.integer)
  table$path <- file.path("inst/include", table$file)
  table
}

r_table <- function() {
  files <- setdiff(list.files("R", "[.]R$", full.names = TRUE), "R/RcppExports.R")
  table <- do.call(rbind, lapply(grep(only, files, value = TRUE), function(file) {
    find_r_mutants(file, file)
  }))
  if (is.null(table)) return(data.frame(path = character()))
  # Places in one order, for what overlaps.
  table$first <- table$line * 1000 + table$column
  table$last <- table$last_line * 1000 + table$last_column + 1
  table$path <- table$file
  table
}

# One half of the sample and a little more is R.
sampled <- function(table, share, uncompiled = character()) {
  table <- table[grepl(only, table$path), , drop = FALSE]
  if (nrow(table) == 0L) return(NULL)
  lines <- lapply(stats::setNames(nm = unique(table$path)), readLines)
  table$code <- trimws(mapply(function(path, line) lines[[path]][line], table$path, table$line))
  table <- with_keys(table, seed)
  choose_mutants(table[!table$key %in% uncompiled, ], ceiling(share * size))
}

# Mutants of the core have the number of their switch.
with_numbers <- function(table) {
  if (!is.null(table)) table$id <- seq_len(nrow(table)) - 1L
  table
}

cat("Looking for mutants\n")
# Kept as long as the sources stay the same.
sources <- list.files(c("R", "inst/include"), "[.](R|hpp)$", recursive = TRUE, full.names = TRUE)
found_stamp <- rlang::hash(list(only, tools::md5sum(c(sources, list.files(
  "tests/attacks/mutants", "(find[.]R|core[.]py)$", full.names = TRUE
)))))
found_file <- file.path(home, sprintf("found-%s.rds", substr(found_stamp, 1L, 10L)))
if (!file.exists(found_file)) saveRDS(list(r = r_table(), core = core_table()), found_file)
all_r <- readRDS(found_file)$r
all_core <- readRDS(found_file)$core
cat(sprintf("%d in R, %d in C++\n", nrow(all_r), nrow(all_core)))
in_r <- sampled(all_r, 0.57)

# Without parsnip its tests are skipped; `make test-tidymodels` has it.
if (!requireNamespace("parsnip", quietly = TRUE)) in_r <- in_r[!grepl("^R/tidy-", in_r$file), ]

given_up <- file.path(home, "uncompiled.txt")
uncompiled <- if (file.exists(given_up)) readLines(given_up) else character()
in_core <- with_numbers(sampled(all_core, 0.43, uncompiled))

# All of them in one table.
joined <- function(in_r, in_core) {
  parts <- list(R = in_r, `C++` = in_core)
  columns <- unique(unlist(lapply(parts, names)))
  parts <- lapply(names(Filter(NROW, parts)), function(language) {
    part <- parts[[language]]
    part$language <- language
    part[setdiff(columns, names(part))] <- NA
    part
  })
  do.call(rbind, parts)
}
part <- setting("PART", "")
mutants <- joined(in_r[grepl(part, in_r$path), ], in_core[grepl(part, in_core$path), ])
outcomes_file <- file.path(home, "outcomes.csv")
outcomes <- read_outcomes(outcomes_file)
judged <- read_judged("tests/attacks/mutants/judged.csv")
is_settled <- function(mutants) {
  outcomes <- read_outcomes(outcomes_file)
  mutants$key %in% outcomes$key[outcomes$outcome %in% c("killed", "timeout")] |
    judgement_of(mutants, judged)$outcome %in% "equivalent"
}

# ---- the build ---------------------------------------------------------------

# Without mutants of the core to try, the installed package is the one that is changed.
core_open <- any(!is_settled(mutants) & mutants$language == "C++")
folder <- if (core_open) file.path(home, "core") else tempfile("plain", home)
library <- if (core_open) file.path(home, "library") else file.path(getwd(), ".library")
tests <- file.path(folder, "tests/testthat")
source_stamp <- function() {
  sources <- list.files(c("R", "src", "inst/include"), "[.](R|cpp|h|hpp)$", recursive = TRUE,
                        full.names = TRUE)
  rlang::hash(list(if (core_open) in_core$key, unname(tools::md5sum(c(sources, "NAMESPACE")))))
}
stamp_file <- file.path(home, "stamp")
for (attempt in seq_len(if (core_open) 12 else 0)) {
  if (file.exists(stamp_file) && identical(readLines(stamp_file), source_stamp())) break
  cat("Compiling", nrow(in_core), "mutants of the core\n")
  wrong <- build_mutants(in_core, folder, library)
  if (length(wrong) == 0L) {
    writeLines(source_stamp(), stamp_file)
    break
  }
  cat(length(wrong), "do not compile\n")
  uncompiled <- c(uncompiled, in_core$key[wrong + 1L])
  writeLines(uncompiled, given_up)
  in_core <- with_numbers(sampled(all_core, 0.43, uncompiled))
  mutants <- joined(in_r[grepl(part, in_r$path), ], in_core[grepl(part, in_core$path), ])
}
if (!core_open) copy_sources(folder)
unlink(file.path(folder, "tests"), recursive = TRUE)
dir.create(file.path(folder, "tests"))
invisible(file.copy("tests/testthat", file.path(folder, "tests"), recursive = TRUE))

# ---- the children ------------------------------------------------------------

Sys.setenv(NOT_CRAN = "true", R_LIBS = paste(library, Sys.getenv("R_LIBS"), sep = ":"),
           OPENBLAS_NUM_THREADS = "1", TESTTHAT = "true", TESTTHAT_PKG = "cawi")
.libPaths(c(library, .libPaths()))
library("cawi", character.only = TRUE)
library("testthat", character.only = TRUE)
helpers <- new.env(parent = asNamespace("cawi"))
invisible(testthat::source_test_helpers(tests, helpers))
everything <- unlist(lapply(list.files("R", "[.]R$", full.names = TRUE), function(file) {
  as.list(parse(file, keep.source = FALSE))
}), recursive = FALSE)

# What the system tells about a process, "" where it ended.
read_process <- function(pid, what) {
  path <- sprintf("/proc/%d/%s", pid, what)
  if (!file.exists(path)) return("")
  tryCatch(readLines(path), error = function(e) "", warning = function(e) "")
}

# Processor seconds of a process and of those that it waited for.
cpu_of <- function(pid) {
  fields <- strsplit(sub("^.*\\) ", "", read_process(pid, "stat")), " ")[[1L]]
  if (length(fields) < 15L) 0 else sum(as.numeric(fields[12:15])) / 100
}

gigabytes_of <- function(pid) {
  pages <- as.numeric(strsplit(read_process(pid, "statm"), " ")[[1L]][2L])
  if (is.na(pages)) 0 else pages * 4096 / 2^30
}

# A process that ended may still have its number.
is_alive <- function(pid) grepl("\\) [^ZX] ", read_process(pid, "stat"))

# Runs tasks in forks, some at a time. A task says through its file what it is at; one that takes
# longer than `limit` allows for that, or too much memory, is ended. Results come through files too:
# a fork that crashes must not disturb what the others say. `done` gets each as soon as it is there,
# NULL from a fork that ended without one.
run_forks <- function(tasks, work, limit, done) {
  start <- function(i) {
    note <- tempfile("note", home)
    tempdir(check = TRUE)
    job <- parallel::mcparallel({
      saveRDS(work(tasks[[i]], note), paste0(note, ".draft"))
      file.rename(paste0(note, ".draft"), paste0(note, ".rds"))
    }, mc.set.seed = FALSE, silent = TRUE, detached = TRUE)
    list(pid = job$pid, i = i, note = note, at = "", cpu = 0, since = Sys.time())
  }
  watch <- function(fork) {
    at <- if (file.exists(fork$note)) c(readLines(fork$note, warn = FALSE), "")[1L] else ""
    if (at == fork$at) return(fork)
    utils::modifyList(fork, list(at = at, cpu = cpu_of(fork$pid), since = Sys.time()))
  }
  is_over <- function(fork) {
    cpu_of(fork$pid) - fork$cpu > limit(fork$at) || gigabytes_of(fork$pid) > 4 ||
      difftime(Sys.time(), fork$since, units = "secs") > 60 + 10 * limit(fork$at)
  }
  finish <- function(fork, late) {
    saved <- paste0(fork$note, ".rds")
    result <- if (late) {
      list(outcome = "timeout", by = fork$at)
    } else if (file.exists(saved)) {
      readRDS(saved)
    }
    done(tasks[[fork$i]], result, fork$at)
    unlink(paste0(fork$note, c("", ".draft", ".rds")))
  }
  running <- list()
  following <- 1L
  while (following <= length(tasks) || length(running) > 0L) {
    while (length(running) < workers && following <= length(tasks)) {
      running <- c(running, list(start(following)))
      following <- following + 1L
    }
    Sys.sleep(0.2)
    ended <- !vapply(running, function(fork) is_alive(fork$pid), NA)
    running <- lapply(running, watch)
    late <- !ended & vapply(running, is_over, NA)
    for (fork in running[late]) tools::pskill(fork$pid, tools::SIGKILL)
    for (k in which(ended | late)) finish(running[[k]], late[k])
    running <- running[!ended & !late]
  }
}

# ---- the tests as they are ---------------------------------------------------

# What each test file takes and which functions and which mutants of the core it passes through.
baseline_folder <- file.path(home, if (core_open) "baseline-core" else "baseline")
dir.create(baseline_folder, showWarnings = FALSE)
baseline_of <- function(file) {
  path <- file.path(baseline_folder, paste0(file, ".rds"))
  if (file.exists(path)) readRDS(path)
}
test_files <- list.files(tests, "^test-.*[.]R$")
test_files <- test_files[!grepl("^test-(services|house|interrupts|core-alone)", test_files) &
                           grepl(setting("TESTS", ""), test_files)]
test_stamp <- vapply(test_files, function(file) {
  rlang::hash(list(unname(tools::md5sum(file.path(tests, file))), if (core_open) in_core$key))
}, "")
known <- vapply(test_files, function(file) {
  base <- baseline_of(file)
  identical(base$stamp, test_stamp[[file]]) && !is.null(base$seconds)
}, NA)
if (any(!known)) cat("Running", sum(!known), "test files without a mutant\n")
measure <- function(file, note) {
  writeLines(file, note)
  if (core_open) cawi:::choose_mutant_cpp(-1L)
  seen <- mark_functions(asNamespace("cawi"))
  start <- proc.time()
  failing <- all_failures(file.path(tests, file), helpers)
  list(failing = failing, seconds = sum((proc.time() - start)[c(1:2, 4:5)]),
       functions = ls(seen, all.names = TRUE), core = if (core_open) cawi:::passed_mutants_cpp())
}
run_forks(as.list(test_files[!known]), measure, function(at) 180, function(file, result, at) {
  ended <- !is.list(result) || is.null(result$seconds)
  if (ended) result <- list(failing = "it ended early", seconds = Inf)
  for (test in result$failing) cat(file, "fails without a mutant:", test, "\n")
  result$core <- in_core$key[result$core + 1L]
  result$stamp <- test_stamp[[file]]
  saveRDS(result, file.path(baseline_folder, paste0(file, ".rds")))
})
baseline <- lapply(stats::setNames(nm = test_files), baseline_of)
baseline <- Filter(function(base) is.finite(base$seconds), baseline)
seconds <- vapply(baseline, `[[`, 0, "seconds")
cat(sprintf("%d test files, %.0f s\n", length(baseline), sum(seconds)))

# ---- the mutants -------------------------------------------------------------

# The tests of the rooms of the core.
core_tests <- c(
  core = "core|parallel|run", stats = "copula-(ranks|kendall|nearest|families)|tune-auc",
  copula = "copula-(families|density|fit|simulate|estimate)", weights = "copula-weights|network",
  features = "model-(network|infinite|sparse|gradient|ranks|preprocess)|core",
  ridge = "model-readout|core|tune-nested|model-(calibration|update-rows)|tune-metrics"
)
# Those of single headers of the core.
header_tests <- c(
  kernel = "model-infinite", landmarks = "model-infinite", kernel_gradients = "model-importance",
  sparse_rows = "model-sparse|-sparse", sparse_product = "model-sparse", moments = "moments|sparse",
  standardization = "model-(sparse|ranks)", layout = "model-layout",
  network = "model-(network|ranks)", rank_scale = "model-ranks", calibration = "model-calibration",
  temperature = "tune-metrics", measures = "tune-(metrics|nested)", grid = "tune-nested",
  nested = "tune-nested|model-loo", primal_nest = "tune-nested", penalty_lanes = "tune-nested",
  path = "model-(loo|readout)", path_fits = "model-penalties",
  leave_one_out = "model-(loo|readout)", leave_group_out = "tune-parts", center = "model-readout",
  gram = "model-(readout|update-rows)", readout = "model-readout", solvers = "model-readout",
  spectrum = "model-readout", sums = "scale-sums", exact_fit = "core-exact-fit",
  kernel_fit = "core-kernel-fit", targets = "model-readout", inversions = "kendall",
  kendall = "kendall", row_pairs = "kendall", ranks = "copula-ranks", nearest_cor = "nearest-cor",
  leading_cor = "nearest-cor", signed_rank = "compare-statistics", normal = "test-core[.]|simulate",
  student = "copula-(density|fit|estimate)", special = "copula-density",
  weights = "copula-weights|gradient",
  mean_square = "model-network", symmetric = "core-threads", vectors = "test-core[.]"
)

uses_of <- function(name) {
  users <- Filter(function(code) assigned(code) != "" && name %in% all.names(code[[3L]]),
                  everything)
  vapply(users, assigned, "")
}

# The test files of a mutant: those of its own file, then some that pass through it, those of
# its room and fast ones first, as many as take some seconds.
tests_of <- function(mutant, most_seconds = as.numeric(setting("SECONDS", "8"))) {
  if (mutant$language == "C++") {
    passes <- vapply(baseline, function(base) mutant$key %in% base$core, NA)
    near <- grepl(core_tests[[basename(dirname(mutant$file))]], names(baseline))
    # What processes of their own pass through is not seen; these run most of the core.
    passes <- passes | names(baseline) == "test-core-vectors.R"
    pattern <- header_tests[sub("[.]hpp$", "", basename(mutant$file))]
    own <- passes & !is.na(pattern) & grepl(pattern, names(baseline))
  } else {
    stem <- sub("[.]R$", "", basename(mutant$file))
    places <- c(mutant$place, uses_of(mutant$place))
    passes <- vapply(baseline, function(base) any(places %in% base$functions), NA)
    near <- grepl(paste0("^test-", sub("-.*", "", stem)), names(baseline))
    own <- names(baseline) == sprintf("test-%s.R", stem)
  }
  candidates <- which(own | passes)
  candidates <- candidates[order(!own[candidates], !near[candidates], seconds[candidates])]
  other <- seconds[candidates] * !own[candidates]
  spent <- cumsum(other) - other
  names(baseline)[candidates[own[candidates] | spent < most_seconds]]
}

try_mutant <- function(mutant, note) {
  turned <- tryCatch({
    turn_on(mutant, everything)
    NA
  }, error = function(e) conditionMessage(e))
  if (!is.na(turned)) return(list(outcome = "killed", by = paste("loading:", turned)))
  for (file in mutant$tests[[1L]]) {
    writeLines(file, note)
    failure <- first_failure(file.path(tests, file), helpers, baseline[[file]]$failing)
    if (!is.na(failure)) return(list(outcome = "killed", by = file, test = failure))
  }
  list(outcome = "survived", by = "")
}

settled <- is_settled(mutants)
cat(sprintf("%d mutants, %d to try\n", nrow(mutants), sum(!settled)))
tasks <- lapply(which(!settled), function(i) {
  mutant <- mutants[i, ]
  mutant$tests <- list(tests_of(mutant))
  mutant
})
started <- Sys.time()
count <- 0L
run_forks(tasks, try_mutant, function(at) {
  10 + 4 * if (at %in% names(seconds)) seconds[[at]] else 10
}, function(mutant, result, at) {
  # A child that ended without a word was ended by the mutant.
  if (!is.list(result)) result <- list(outcome = "killed", by = paste(at, "(the process ended)"))
  count <<- count + 1L
  append_outcome(outcomes_file, mutant$key, result)
  cat(sprintf("%4d/%d %5.0f s  %-8s %s:%d %s  [%s]\n", count, length(tasks),
              as.numeric(difftime(Sys.time(), started, units = "secs")), result$outcome,
              mutant$file, mutant$line, change_text(mutant), result$by))
})
finish_run(mutants, read_outcomes(outcomes_file), judged,
           list(seed = seed, record = "record" %in% commandArgs(trailingOnly = TRUE)))
