# The core in inst/include must be usable without R: no Rcpp, and safe in several translation units.

include_flags <- function() {
  system_path <- c(
    system.file("include", package = "RcppArmadillo"),
    # Later versions of RcppArmadillo keep Armadillo one folder down.
    Filter(dir.exists, file.path(system.file("include", package = "RcppArmadillo"), "current")),
    system.file("include", package = "BH"),
    system.file("include", package = "sitmo"),
    system.file("include", package = "RcppParallel")
  )
  c("-I", shQuote(system.file("include", package = "cawi")),
    rbind("-isystem", shQuote(system_path)))
}

compiler <- function() {
  command <- function(name) {
    out <- suppressWarnings(system2(file.path(R.home("bin"), "R"), c("CMD", "config", name),
                                    stdout = TRUE, stderr = FALSE))
    if (is.null(attr(out, "status"))) strsplit(out, " ")[[1]] else character()
  }
  list(program = command("CXX17"), standard = command("CXX17STD"))
}

# Returns the messages of the compiler, with the status of a failure as attribute.
run_compiler <- function(cxx, arguments) {
  suppressWarnings(system2(cxx$program[1], c(cxx$program[-1], cxx$standard, arguments),
                           stdout = TRUE, stderr = TRUE))
}

skip_without_compiler <- function(cxx) {
  skip_on_os("windows")
  found <- length(cxx$program) > 0L && nzchar(Sys.which(cxx$program[1]))
  skip_if_not(found, "a C++ compiler is there")
}

test_that("the core compiles alone, without warnings, without Rcpp, in two translation units", {
  skip_on_cran()
  cxx <- compiler()
  skip_without_compiler(cxx)
  folder <- tempfile("core")
  dir.create(folder)
  source <- file.path(folder, "core.cpp")
  writeLines(c(
    "#include <cawi.hpp>",
    # The guards of Rcpp's header and of R's own.
    "#if defined(Rcpp_hpp) || defined(R_INTERNALS_H_)",
    "#error the core includes R",
    "#endif"
  ), source)
  objects <- file.path(folder, c("one.o", "two.o"))
  messages <- run_compiler(cxx, c("-O0", "-Wall", "-Wextra", "-pedantic", "-Wshadow", "-Werror",
                                  include_flags(), "-c", shQuote(source), "-o",
                                  shQuote(objects[1])))
  expect_identical(as.character(messages), character())
  expect_null(attr(messages, "status"))
  # A function that is not inline would be defined twice.
  expect_true(file.copy(objects[1], objects[2]))
  messages <- run_compiler(cxx, c("-r", "-nostdlib", shQuote(objects), "-o",
                                  shQuote(file.path(folder, "both.o"))))
  expect_null(attr(messages, "status"),
              label = paste(c("the linker's status;", messages), collapse = "\n"))
  unlink(folder, recursive = TRUE)
})

test_that("the umbrella includes every header of the core", {
  folder <- system.file("include", package = "cawi")
  lines <- readLines(file.path(folder, "cawi.hpp"))
  included <- sub('^#include "(.*)"$', "\\1", grep("^#include", lines, value = TRUE))
  expect_setequal(included,
                  file.path("cawi", list.files(file.path(folder, "cawi"), recursive = TRUE)))
})
