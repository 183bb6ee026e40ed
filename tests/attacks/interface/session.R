# What every process of the attack loads: the words of calls and the objects in the global
# environment, as a user has them, and the machinery in an environment of its own.

attack_session <- function(folder) {
  folder <- normalizePath(folder)
  root <- normalizePath(file.path(folder, "..", "..", ".."))
  suppressPackageStartupMessages(library(cawi))
  # What loads late would change the session during a call.
  for (package in c("Matrix", "tibble", "ggplot2", "recipes", "butcher", "future.apply", "readr",
                    "splines", "R.matlab", "bit64")) {
    requireNamespace(package, quietly = TRUE)
  }
  grDevices::pdf(NULL)
  options(cawi.threads = 1, cli.progress_show_after = Inf, cli.num_colors = 1L, warn = 1)
  tools <- new.env(parent = globalenv())
  sys.source(file.path(folder, "data.R"), globalenv())
  files <- c("grammar", "fixtures", "calls-copula", "calls-model", "calls-choice", "calls-method",
             "oracle",
             "judges", "shrink")
  for (file in files) sys.source(file.path(folder, paste0(file, ".R")), tools)
  tools$make_fixtures(globalenv())
  tools$calls <- tools$all_calls(root, globalenv())
  warm_up()
  tools
}

# Options that packages set at their first use.
warm_up <- function() {
  try(cawi::cawi_kendall("a"), silent = TRUE)
  suppressWarnings(suppressMessages(utils::capture.output(print(fit_class), plot(fit_class))))
  try(ggplot2::ggplot_build(ggplot2::autoplot(fit_class)), silent = TRUE)
  tryCatch(cli::cli_warn("a"), warning = function(w) NULL)
  try(suppressMessages(cawi::cawi_elm(y ~ a, cawi::cawi_source(text_file(csv_text(frame(9)))),
                                      hidden = 1)), silent = TRUE)
  try(suppressWarnings(cawi::cawi_read_table(text_file("x", "mat"))), silent = TRUE)
  rlang::hash(1)
  invisible(tibble::as_tibble(frame(2)))
  format(tibble::as_tibble(frame(2)))
}

outcome_of <- function(tools, seed, number) {
  drawn <- tools$draw_call(tools$calls, globalenv(), seed, number)
  tools$run_call(drawn, globalenv())
}
