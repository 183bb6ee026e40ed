#' Recorded runs of the paper's experiments
#'
#' The results of [cawi_benchmark()] on the paper's data sets. Tables and pictures of them need
#' neither the data nor the hours of computing.
#'
#' | protocol | models | data sets | seeds | one draw serves |
#' |---|---|---|---|---|
#' | `"nested"` | `"rvfl"` | all 83 | 42, 7, 123 | all penalties and hidden nodes |
#' | `"nested"` | `"drvfl"`, `"edrvfl"`, `"bls"` | 67 small | 42 | all penalties and nested shapes |
#' | `"equal"` | `"rvfl"`, 21 draws per arm | 67 small | 42 | all penalties; see below |
#' | `"paper"` | `"rvfl"` | all 83 | 42 | all penalties; see below |
#'
#' Small sets have at most 2,500 rows; an arm is one distribution of the weights. One draw also
#' serves all numbers of hidden nodes above 200 rows for `"equal"` and above 1,000 rows for
#' `"paper"`.
#'
#' The scripts are in the folder `experiments` of the installed package: `run-benchmarks.R` runs
#' the protocols, in as many sittings as one likes, and `collect-benchmarks.R` writes the files that
#' this function reads.
#'
#' @param protocol `"nested"`, `"equal"` or `"paper"`; see [cawi_benchmark()].
#' @param models Which models; only `"nested"` has others than `"rvfl"`.
#' @param ... Not used.
#' @return A `cawi_benchmark`, with `print()`, `summary()`, `plot()` and `autoplot()`. Its attribute
#'   `runs` tells what was run, on which machine, with which versions, and how many seconds of
#'   processor time it took.
#' @seealso [cawi_datasets()] for the figures that the paper prints.
#' @references
#' Akhtar, M., Tanveer, M. and Arshad, M. (2026). CAWI: Copula-aligned weight initialization for
#' randomized neural networks. *AISTATS*.
#' @examples
#' nested <- cawi_recorded("nested")
#' nested
#' summary(nested, seed = 1)
#' plot(nested, "ranks")
#' @export
cawi_recorded <- function(protocol = c("nested", "equal", "paper"), models = "rvfl", ...) {
  check_dots(rlang::enquos(...))
  protocol <- check_choice(protocol, c("nested", "equal", "paper"), "protocol")
  table <- utils::read.csv(recorded_file(paste0(protocol, ".csv.gz")),
                           colClasses = c(hidden = "character", activation = "character",
                                          family = "character"),
                           na.strings = "")
  models <- check_subset(models, unique(table$model), "models", environment())
  table <- table[table$model %in% models, ]
  sets <- cawi_datasets()
  place <- match(table$set, sets$name)
  table <- cbind(set = table$set, rows = sets$m[place], features = sets$d[place],
                 model = table$model, init = table$init, protocol = protocol,
                 table[c("seed", "fold", "accuracy", "hidden", "activation", "lambda", "tried",
                         "seconds", "family")])
  runs <- utils::read.csv(recorded_file("runs.csv"))
  result <- new_cawi_benchmark(table)
  attr(result, "runs") <- runs[runs$protocol == protocol, ]
  result
}

recorded_file <- function(name) {
  system.file("extdata", "runs", name, package = "cawi", mustWork = TRUE)
}
