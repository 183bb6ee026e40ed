# Runs lintr with the rules of .lintr, and in R/ with a few more, and looks for words that neither a
# dictionary nor inst/WORDLIST knows. Prints what it finds and fails where that is anything.
#
# Usage: Rscript .ci/lint.R

rules <- eval(str2lang(read.dcf(".lintr", "linters", all = TRUE)[[1L]]), asNamespace("lintr"))

# The package loads no other, sapply() has the type of its luck, and what a function changes is its
# own.
stricter <- list(
  undesirable_function_linter = lintr::undesirable_function_linter(
    c(sapply = "use vapply()", library = "use `::`", require = "use requireNamespace()")
  ),
  undesirable_operator_linter = lintr::undesirable_operator_linter(
    c("<<-" = "Return the value.", "->>" = "Return the value.")
  )
)

found <- c(
  as.list(lintr::lint_dir("R", linters = c(rules, stricter), relative_path = FALSE)),
  unlist(lapply(c("tests", "inst", ".ci", "vignettes"), function(folder) {
    as.list(lintr::lint_dir(folder, linters = rules, relative_path = FALSE))
  }), recursive = FALSE)
)

root <- paste0(normalizePath("."), "/")
for (lint in found) {
  file <- sub(root, "", normalizePath(lint$filename), fixed = TRUE)
  cat(sprintf("%s:%d: %s [%s]\n", file, lint$line_number, lint$message, lint$linter))
}
cat(sprintf("lintr: %d found\n", length(found)))
words <- spelling::spell_check_package(".", vignettes = TRUE)
if (nrow(words) > 0L) print(words)
cat(sprintf("spelling: %d found\n", nrow(words)))
if (length(found) + nrow(words) > 0L) {
  quit(status = 1L)
}
