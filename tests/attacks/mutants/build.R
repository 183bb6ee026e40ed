# A copy of the package whose core has all chosen mutants, each behind a switch.

switch_header <- c(
  "#include <cstdlib>",
  "#include <type_traits>",
  "namespace cawi_mutants {",
  "// Which mutant is on. Below zero there is none, and those that are passed are noted.",
  "inline int chosen = [] {",
  "  const char* text = std::getenv(\"CAWI_MUTANT\");",
  "  return text == nullptr ? -1 : std::atoi(text);",
  "}();",
  "inline unsigned char passed[%d];",
  "inline bool at(int id) {",
  "  if (chosen < 0) passed[id] = 1;",
  "  return id == chosen;",
  "}",
  "template <class T>",
  "auto truth(const T& x) {",
  "  if constexpr (std::is_constructible_v<bool, const T&>) {",
  "    return static_cast<bool>(x);",
  "  } else {",
  "    return x;",
  "  }",
  "}",
  "}  // namespace cawi_mutants",
  "#define CAWI_MUTANT(id) (cawi_mutants::at(id))"
)
switch_source <- c(
  "#include <Rcpp.h>",
  "#include <csignal>",
  "// A fork that crashes must not remove the temporary folder that it shares, as R would.",
  "// [[Rcpp::export(rng = false)]]",
  "void choose_mutant_cpp(int id) {",
  "  for (const int crash : {SIGSEGV, SIGBUS, SIGILL, SIGFPE}) std::signal(crash, SIG_DFL);",
  "  cawi_mutants::chosen = id;",
  "}",
  "// [[Rcpp::export(rng = false)]]",
  "Rcpp::IntegerVector passed_mutants_cpp() {",
  "  Rcpp::IntegerVector ids;",
  "  for (int i = 0; i < %d; ++i) if (cawi_mutants::passed[i] != 0) ids.push_back(i);",
  "  return ids;",
  "}"
)

copy_sources <- function(folder) {
  unlink(folder, recursive = TRUE)
  dir.create(folder, recursive = TRUE)
  parts <- c("DESCRIPTION", "NAMESPACE", "LICENSE", "R", "src", "inst", "man")
  file.copy(Filter(file.exists, parts), folder, recursive = TRUE, copy.date = TRUE)
  unlink(list.files(file.path(folder, "src"), "[.](o|so)$", full.names = TRUE))
}

# Installs the copy; gives the mutants that do not compile, none where all is well.
build_mutants <- function(core, folder, library) {
  copy_sources(folder)
  table <- tempfile(fileext = ".csv")
  utils::write.csv(core[c("id", "file", "first", "last", "kind", "to")], table, row.names = FALSE)
  status <- system2("/usr/bin/python3", c("tests/attacks/mutants/core.py", "apply", folder, table))
  if (status != 0L) stop("The mutants of the core could not be written.")
  most <- max(core$id, 0L) + 1L
  writeLines(sub("%d", most, switch_header, fixed = TRUE),
             file.path(folder, "inst/include/cawi_mutants.h"))
  writeLines(sub("%d", most, switch_source, fixed = TRUE), file.path(folder, "src/mutants.cpp"))
  makevars <- file.path(folder, "src/Makevars")
  flags <- readLines(makevars)
  writeLines(sub("^PKG_CPPFLAGS =", "PKG_CPPFLAGS = -include ../inst/include/cawi_mutants.h",
                 flags), makevars)
  Rcpp::compileAttributes(folder)
  dir.create(library, recursive = TRUE, showWarnings = FALSE)
  # What an install that was stopped left behind.
  unlink(list.files(library, "^00LOCK", full.names = TRUE), recursive = TRUE)
  log <- file.path(dirname(folder), "build.log")
  status <- system2("env", c("MAKEFLAGS='-j2 -k'", file.path(R.home("bin"), "R"), "CMD", "INSTALL",
                             "--no-docs", "--no-test-load", paste0("--library=", library), folder),
                    stdout = log, stderr = log)
  if (status == 0L) return(integer())
  wrong <- wrong_mutants(readLines(log), folder)
  if (length(wrong) == 0L) stop("The mutants could not be compiled, see ", log)
  wrong
}

# The compiler tells a line of the copy, which names its mutant; a long one begins lines before.
wrong_mutants <- function(log, folder) {
  errors <- regmatches(log, regexec("include/(cawi/[a-z_/]+[.]hpp):([0-9]+):[0-9]+: error", log))
  errors <- unique(do.call(rbind, Filter(length, errors))[, 2:3, drop = FALSE])
  ids <- lapply(seq_len(NROW(errors)), function(i) {
    lines <- readLines(file.path(folder, "inst/include", errors[i, 1L]))
    upto <- rev(lines[seq_len(as.integer(errors[i, 2L]))])
    named <- grep("CAWI_MUTANT\\(", upto, value = TRUE)[1L]
    as.integer(gsub("\\D", "", regmatches(named, gregexpr("CAWI_MUTANT\\([0-9]+", named))[[1L]]))
  })
  unique(unlist(ids))
}
