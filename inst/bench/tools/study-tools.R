# Shared by the studies: data sets from a folder, and units of work (a set, a fold, an arm) whose
# rows are written as soon as they are known, so that a study that was stopped goes on where it was.
# Sourced, not run.

data_folder <- function() {
  folder <- Sys.getenv("CAWI_DATA")
  if (!nzchar(folder)) {
    stop("Set the environment variable CAWI_DATA to the folder of the data sets.", call. = FALSE)
  }
  folder
}

# The sets of INDEX.csv that satisfy a condition on m and d, small ones first.
study_sets <- function(keep) {
  index <- read.csv(file.path(data_folder(), "INDEX.csv"))
  index <- index[keep(index$m, index$d), ]
  index$name[order(index$m)]
}

read_set <- function(name) {
  data <- read.csv(gzfile(file.path(data_folder(), paste0(name, ".csv.gz"))))
  list(x = as.matrix(data[names(data) != "class"]), y = factor(data$class))
}

# Rows of a file with a comment of versions and machine on top.
open_record <- function(path, header, packages) {
  if (file.exists(path)) return(invisible(path))
  writeLines(c(paste("#", machine()), paste("#", paste(versions(packages), collapse = ", ")),
               paste(header, collapse = ",")), path)
}

read_record <- function(path) read.csv(path, comment.char = "#")

# Keys of the units that a record has; asked once per start, since a record may have many rows.
done_units <- function(path, columns) do.call(paste, unname(as.list(read_record(path)[columns])))

append_line <- function(path, ...) cat(sprintf(...), "\n", sep = "", file = path, append = TRUE)

# What an arm does in an outer fold. An arm returns `class`, the predicted classes, and `prob`, a
# matrix with a column per class of the training part, or a function that returns one and whose time
# is not counted.
run_fold <- function(set, fold, seed, arm) {
  outer <- cawi::cawi_folds(set$y, 5, seed = seed)[, 1L]
  train <- outer != fold
  y <- droplevels(set$y[train])
  truth <- as.character(set$y[!train])
  clock <- proc.time()
  predicted <- arm(set$x[train, , drop = FALSE], y, set$x[!train, , drop = FALSE], seed + fold)
  spent <- proc.time() - clock
  prob <- if (is.function(predicted$prob)) predicted$prob() else predicted$prob
  if (!all(is.finite(prob))) stop("Not all probabilities are finite.", call. = FALSE)
  list(accuracy = mean(as.character(predicted$class) == truth),
       logloss = log_loss(prob, truth), seconds = spent[["elapsed"]],
       cpu = spent[["user.self"]] + spent[["sys.self"]], note = predicted$note)
}

# No probability is smaller than `least`, which is also that of a class that the training part does
# not have.
log_loss <- function(prob, truth, least = 1e-6) {
  prob <- pmax(prob, least)
  prob <- prob / rowSums(prob)
  column <- match(truth, colnames(prob))
  of_truth <- prob[cbind(seq_along(truth), column)]
  -mean(log(ifelse(is.na(column), least, of_truth)))
}

most_likely <- function(prob) colnames(prob)[max.col(prob, "first")]

# The comma separated parts of an argument of the script, or the default where it is missing or
# empty.
script_argument <- function(place, default) {
  arguments <- commandArgs(trailingOnly = TRUE)
  if (length(arguments) < place || !nzchar(arguments[place])) return(default)
  strsplit(arguments[place], ",")[[1L]]
}

# Folds and splits of two seeds are for development. Those of the third are run once at the end and
# reported whatever they say.
develop_seeds <- c(42L, 43L)
third_seed <- 44L

# Seeds that an argument of the script names; "third" is the third.
script_seeds <- function(place) {
  given <- script_argument(place, develop_seeds)
  as.integer(ifelse(given == "third", third_seed, given))
}

# Path of the record that the first argument names; a temporary one without it or for "-".
script_record <- function() {
  path <- script_argument(1L, "-")
  if (path == "-") tempfile(fileext = ".csv") else path
}
