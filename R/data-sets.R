#' The data sets and figures of the paper
#'
#' The 83 sets on which Akhtar, Tanveer and Arshad (2026) compared i.i.d. weights with
#' copula-aligned ones, and every figure of their tables as tidy data.
#'
#' @details
#' `"sets"` has one line per set: its `name` in the paper and in the `collection` of
#' Fernández-Delgado et al. (2014); rows `m`, features `d` and `classes` of the collection's files
#' and, as `paper_*`, of the paper's table; `parts`, 2 where the collection has a train and a test
#' part, with the rows of the former in `train`; the accuracies (in percent) of the paper's RVFL
#' with i.i.d. weights and the five families; the `best` of the five (the first one of equals), its
#' `gain` over i.i.d. and the `improvement` that the paper prints; the `package` that has the set,
#' so that [cawi_read_dataset()] needs no folder, or `NA`; and a `note`.
#'
#' `"uci"` has the same accuracies, one line per set and initialization. `marked` tells which cells
#' the paper sets in bold as the best.
#'
#' `"summary"` has what the paper states about all sets, in a `table` or in the text, beside what
#' the `cells` of its tables give. `"timing"` has the mean training times in seconds.
#'
#' `"medical"` has the accuracies on BreaKHis (pairs of a benign and a malignant kind, with their
#' `m` images) and on the Schizophrenia regions of interest (gray matter, white matter, both; 146
#' subjects), for RVFL with seeds 42, 7 and 123, dRVFL and BLS with seed 42.
#'
#' A script of the package, `experiments/extract-paper.R`, reads all this from the source of the
#' paper.
#'
#' @section Notes on the figures:
#' The data keep the tables; a column `note` says where a table
#' contradicts the text, itself, or what is possible.
#' * The best copula is strictly better on 82 sets, not on 83: on cardiotocography_10clases all five
#'   are worse than i.i.d., and the improvement of -0.1422 is printed as +0.0000. The Wilcoxon
#'   statistic of the text, 3403, is the largest possible one for 82 pairs; the cells give 3484 for
#'   83.
#' * On page_blocks, pittsburg_bridges_REL_L and statlog_landsat the cell in bold is not the
#'   highest; waveform_noise has none in bold. The printed improvements are those of the highest
#'   cells.
#' * The text gives 263 as the largest number of features; it is 262 (arrhythmia).
#' * The text counts FA vs PC of BreaKHis with RVFL for the Gaussian copula; in the table the t
#'   copula is best.
#' * A mean of accuracies in five folds, as equal as can be, takes only some values. All cells for
#'   the 83 sets and for RVFL with seed 42 are among them; on BreaKHis 79 and 87 of 96 cells with
#'   seeds 7 and 123 are not, nor 13 with dRVFL and 27 with BLS, and on Schizophrenia 2 and 1 of 18
#'   with seeds 7 and 123.
#' * Of the 80 copula cells on BreaKHis, 32 are the same with BLS and with RVFL.
#'
#' @param what Which table.
#' @param ... Not used.
#' @return A data frame.
#' @references
#' Akhtar, M., Tanveer, M. and Arshad, M. (2026). CAWI: Copula-aligned weight
#' initialization for randomized neural networks. *AISTATS*.
#'
#' Fernández-Delgado, M., Cernadas, E., Barro, S. and Amorim, D. (2014). Do we need hundreds of
#' classifiers to solve real world classification problems? *Journal of Machine Learning Research*,
#' 15, 3133-3181.
#' @examples
#' sets <- cawi_datasets()
#' sets[sets$m < 110, c("name", "m", "d", "classes", "iid", "best", "gain")]
#' colMeans(sets[c("iid", "gaussian", "t", "clayton", "frank", "gumbel")])
#' # Sets that need no folder.
#' sets$name[!is.na(sets$package)]
#'
#' cawi_datasets("summary")
#' medical <- cawi_datasets("medical")
#' with(medical, tapply(accuracy, list(study, paste(model, seed), init), mean))[, , "iid"]
#' @export
cawi_datasets <- function(what = c("sets", "uci", "summary", "timing", "medical"), ...) {
  check_dots(rlang::enquos(...))
  what <- check_choice(what, c("sets", "uci", "summary", "timing", "medical"), "what")
  if (what == "sets") sets_table() else paper_table(what)
}

# A table as it is in the package.
paper_table <- function(name) {
  utils::read.csv(system.file("extdata", "paper", paste0(name, ".csv"), package = "cawi"))
}

sets_table <- function() {
  sets <- paper_table("datasets")
  uci <- paper_table("uci")
  inits <- unique(uci$init)
  rows <- lapply(split(uci, factor(uci$set, sets$name)),
                 function(set) set[match(inits, set$init), ])
  accuracy <- t(vapply(rows, `[[`, numeric(length(inits)), "accuracy"))
  colnames(accuracy) <- inits
  copulas <- accuracy[, inits != "iid"]
  best <- max.col(copulas, ties.method = "first")
  figures <- vapply(rows, function(set) set$note[1L], character(1))
  notes <- cbind(sets$note, figures)
  sets$note <- NULL
  table <- data.frame(
    sets, accuracy, best = colnames(copulas)[best],
    # The figures have four decimals.
    gain = round(copulas[cbind(seq_along(best), best)] - accuracy[, "iid"], 4L),
    improvement = vapply(rows, function(set) set$improvement[1L], numeric(1)),
    package = builtin_package(sets$name),
    note = apply(notes, 1L, function(note) paste(note[nzchar(note)], collapse = "; "))
  )
  rownames(table) <- NULL
  table
}
