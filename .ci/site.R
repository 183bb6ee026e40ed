# Builds the site of the package into .build/site with the current pkgdown. The scripts that pkgdown
# fetches (search, table of contents, copy buttons, the bar that hides) are kept in .build; where
# they cannot be fetched, the site is built without them, and this says so.
#
# Usage: Rscript .ci/site.R

Sys.setenv(R_USER_CACHE_DIR = file.path(getwd(), ".build", "site-cache"))
options(pkgdown.internet = FALSE, timeout = 30)
# pkgdown would ask two servers whether they have the package, and stops where one cannot be
# reached.
utils::assignInNamespace("cran_link", function(pkg) NULL, "pkgdown")

# Every script that pkgdown would fetch, and where it would keep it.
script_table <- function() {
  calls <- as.list(body(getFromNamespace("external_dependencies", "pkgdown"))[[2L]][[2L]])
  calls <- Filter(function(e) is.call(e) && identical(e[[1L]], as.name("cached_dependency")), calls)
  tables <- lapply(calls, function(call) {
    files <- eval(call$files)
    url <- vapply(files, function(file) file$url, "")
    folder <- file.path(tools::R_user_dir("pkgdown", "cache"), call$name, call$version)
    data.frame(url = url, path = file.path(folder, basename(url)))
  })
  do.call(rbind, tables)
}

fetched <- tryCatch({
  suppressWarnings(pkgdown:::external_dependencies())
  TRUE
}, error = function(e) FALSE)
lacking <- character()
if (!fetched) {
  table <- script_table()
  lacking <- table$path[!file.exists(table$path)]
  message("site: built without these scripts, which cannot be fetched: ",
          paste(basename(lacking), collapse = ", "))
  for (path in lacking) {
    dir.create(dirname(path), recursive = TRUE, showWarnings = FALSE)
    writeLines("// not fetched", path)
  }
}

folder <- file.path(getwd(), ".build", "site")
unlink(folder, recursive = TRUE)
tryCatch(
  pkgdown::build_site(override = list(destination = folder), preview = FALSE, devel = FALSE,
                      new_process = FALSE, install = FALSE),
  # So that the next build tries again.
  finally = unlink(lacking)
)

# The README leads to the sources of the vignettes.
home <- file.path(folder, "index.html")
lines <- readLines(home, warn = FALSE)
writeLines(gsub('href="vignettes/([a-z]+)[.]Rmd"', 'href="articles/\\1.html"', lines), home)
