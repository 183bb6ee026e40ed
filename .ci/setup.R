# Installs the R packages that DESCRIPTION names: Debian's r-cran-* packages
# first, because they come built, and CRAN for the rest. What is imported or
# linked to is needed; what is suggested is optional.
#
# Usage: Rscript .ci/setup.R [install|demo|test|conditions|coverage|services|check|bench|lint|doc|
#                             current|site]
# CRAN=no in the environment keeps to Debian's packages.

options(warn = 1)
target <- c(commandArgs(trailingOnly = TRUE), "test")[[1L]]
say <- function(...) message("setup: ", ...)

# The packages a field of DESCRIPTION names, as a vector of the least versions
# ("0" for any) with the packages as names.
packages_in <- function(field) {
  entry <- trimws(strsplit(gsub("[[:space:]]+", " ", field), ",")[[1L]])
  entry <- entry[!is.na(entry) & nzchar(entry)]
  version <- ifelse(grepl(">=", entry), gsub("^.*>= *|[ )]", "", entry), "0")
  setNames(version, sub("[ (].*$", "", entry))
}

description <- read.dcf("DESCRIPTION")
described <- function(fields) {
  found <- intersect(fields, colnames(description))
  do.call(c, lapply(found, function(field) packages_in(description[1L, field])))
}

is_there <- function(package, version = "0") {
  path <- system.file(package = package)
  nzchar(path) && packageVersion(package) >= version
}
not_there <- function(wanted) {
  unique(names(wanted)[!mapply(is_there, names(wanted), wanted)])
}

# ---- Debian -----------------------------------------------------------------

use_debian <- R.home() == "/usr/lib/R" && nzchar(Sys.which("apt-get"))
is_root <- identical(system2("id", "-u", stdout = TRUE), "0")
debian_name <- function(package) paste0("r-cran-", tolower(package))

# Those of the packages that Debian has, by their Debian names.
debian_has <- function(packages) {
  lines <- system2("apt-cache", c("policy", debian_name(packages)), stdout = TRUE)
  name <- grep("^[^ ].*:$", lines, value = TRUE)
  candidate <- grep("^ +Candidate:", lines, value = TRUE)
  sub(":$", "", name[!grepl("(none)", candidate, fixed = TRUE)])
}

install_from_debian <- function(packages) {
  if (!use_debian || length(packages) == 0L) {
    return(invisible())
  }
  if (!is_root) {
    debs <- debian_has(packages)
    if (length(debs) > 0L) {
      say("root could install these from Debian: ", paste(debs, collapse = " "))
    }
    return(invisible())
  }
  Sys.setenv(DEBIAN_FRONTEND = "noninteractive")
  if (!nzchar(Sys.getenv("SETUP_APT_UPDATED"))) {
    system2("apt-get", c("-q", "update"))
    Sys.setenv(SETUP_APT_UPDATED = "yes")
  }
  debs <- debian_has(packages)
  if (length(debs) > 0L) {
    say("installing ", paste(debs, collapse = " "))
    options <- c("-q", "-y", "-o", "DPkg::Lock::Timeout=300", "--no-install-recommends")
    system2("apt-get", c(options, "install", debs))
  }
  invisible()
}

# ---- CRAN -------------------------------------------------------------------

# The library to install into, the user's own where R's cannot be written to.
writable_library <- function() {
  writable <- Filter(function(path) file.access(path, 2L) == 0L, .libPaths())
  if (length(writable) > 0L) {
    return(writable[[1L]])
  }
  path <- path.expand(strsplit(Sys.getenv("R_LIBS_USER"), ":", fixed = TRUE)[[1L]][[1L]])
  dir.create(path, recursive = TRUE, showWarnings = FALSE)
  .libPaths(c(path, .libPaths()))
  path
}

install_from_cran <- function(packages) {
  if (length(packages) == 0L || identical(Sys.getenv("CRAN"), "no")) {
    return(invisible())
  }
  options(timeout = 30)
  repos <- getOption("repos")
  if (length(repos) == 0L || "@CRAN@" %in% repos) {
    utils::chooseCRANmirror(ind = 1)
  }
  known <- tryCatch(available.packages(), error = function(e) NULL)
  if (NROW(known) == 0L) {
    say("CRAN cannot be reached")
    return(invisible())
  }
  packages <- intersect(packages, rownames(known))
  depends <- unique(unlist(tools::package_dependencies(packages, known, recursive = TRUE)))
  depends <- setdiff(depends, packages)
  install_from_debian(Filter(Negate(is_there), depends))
  packages <- c(packages, intersect(Filter(Negate(is_there), depends), rownames(known)))
  if (length(packages) > 0L) {
    options(timeout = 600)
    cores <- max(1L, parallel::detectCores(), na.rm = TRUE)
    say("installing from CRAN: ", paste(packages, collapse = " "))
    Sys.setenv(MAKEFLAGS = paste0("-j", cores))
    install.packages(packages, lib = writable_library(), Ncpus = cores)
  }
  invisible()
}

private <- c("dials", "parsnip", "rsample", "tune", "workflows", "yardstick")

# ---- what the target needs --------------------------------------------------

needed <- described(c("Depends", "Imports", "LinkingTo"))
if ("R" %in% names(needed) && getRversion() < needed[["R"]]) {
  stop("R ", needed[["R"]], " or later is needed, this is R ", getRversion(), call. = FALSE)
}
needed <- needed[names(needed) != "R"]
optional <- if (!target %in% c("install", "services")) described("Suggests")
also <- switch(target, services = "RPostgreSQL", bench = "biglm")
optional[setdiff(also, names(optional))] <- "0"
# Current ones would replace Debian's of packages that others need: `make test-tidymodels` has them
# in a library of its own.
optional <- optional[setdiff(names(optional), private)]
tools <- switch(target,
  demo = "mlbench",
  test = "testthat",
  mutants = c("testthat", "R6", "rlang", "Rcpp"),
  conditions = "testthat",
  coverage = c("testthat", "covr"),
  services = c("testthat", "DBI", "RPostgres", "future", "future.apply", "future.batchtools"),
  check = "testthat",
  current = "testthat",
  fuzz = c("processx", "Matrix", "bit64"),
  differential = c("Matrix", "Rmpfr", "gmp"),
  lint = c("lintr", "spelling"),
  doc = "roxygen2"
)
needed[setdiff(tools, names(needed))] <- "0"

install_from_debian(not_there(c(needed, optional)))
# Compiling the optional ones is for the targets that compare with them. RPostgres needs a library
# of Debian that only `services` installs.
comparing <- c("test", "conditions", "coverage", "mutants", "check", "bench")
compared <- if (target %in% comparing) optional[names(optional) != "RPostgres"]
install_from_cran(not_there(c(needed, compared)))

lacking <- not_there(optional)
if (length(lacking) > 0L) {
  say("going on without the optional ", paste(lacking, collapse = ", "))
}
lacking <- not_there(needed)
if (length(lacking) > 0L) {
  least <- ifelse(needed[lacking] == "0", "", paste0(" (>= ", needed[lacking], ")"))
  lacking <- paste0(lacking, least, collapse = ", ")
  stop("needed and could not be installed: ", lacking, call. = FALSE)
}
