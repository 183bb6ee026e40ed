# Honest accuracy: shuffled stratified five-fold outer folds, everything chosen inside the training
# part.
#   CAWI_DATA=<folder> Rscript accuracy.R <record> [arms] [seeds] [folds] [part/parts] [most rows]
# runs the arms (comma separated, as seeds and folds are; all by default) that the record does not
# have yet, on sets with at most 6,000 rows unless told otherwise. With "1/2" and "2/2" two
# processes share the sets, each with a record of its own. summarize.R prints the tables.
# Folds of the seeds 42 and 43, the default, are for development. Those of the third seed, 44, are
# run once at the end and reported whatever they say.
# The first fold of all sets comes before the second, so that a study that was stopped has as many
# folds of one set as of another.
here <- dirname(sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
source(file.path(here, "..", "tools", "bench-tools.R"))
source(file.path(here, "..", "tools", "study-tools.R"))
source(file.path(here, "..", "tools", "peers.R"))
with_one_blas_thread(file.path(here, "accuracy.R"))
suppressPackageStartupMessages(library(cawi))

# ---- arms ----

# Warnings of constant columns in a training part say no more than that.
cawi_prediction <- function(fit, new_x) {
  list(class = predict(fit, new_x), prob = predict(fit, new_x, type = "prob"))
}

arm_auto <- function(x, y, new_x, seed) {
  cawi_prediction(suppressWarnings(cawi_auto(x, y, seed = seed, threads = 1L)), new_x)
}

# A model with its defaults and, where given, a distribution of its weights.
arm_plain <- function(model, ...) {
  function(x, y, new_x, seed) {
    cawi_prediction(suppressWarnings(model(x, y, seed = seed, threads = 1L, ...)), new_x)
  }
}

arm_rvfl_tuned <- function(x, y, new_x, seed) {
  grid <- cawi_grid(hidden = c(50, 100, 200, 400), spread = c(0.5, 1, 2, 4),
                    activation = c("sigmoid", "radbas", "sine", "relu"), inputs = c(NA, 3),
                    lambda = 10^(-4:3))
  tuned <- suppressWarnings(cawi_tune(x, y, "rvfl", grid, metric = "rmse", seed = seed,
                                      threads = 1L))
  cawi_prediction(tuned, new_x)
}

families <- c("gaussian", "t", "clayton", "frank", "gumbel")
aligned <- lapply(families, function(family) arm_plain(cawi_rvfl, init = family))
# Random Fourier features have the 100 nodes of a plain cawi_rvfl(), or twice as many.
arms <- c(list(auto = arm_auto, rvfl = arm_plain(cawi_rvfl)),
          stats::setNames(aligned, paste0("rvfl_", families)),
          list(rvfl_tuned = arm_rvfl_tuned, elm = arm_plain(cawi_elm),
               drvfl = arm_plain(cawi_drvfl), edrvfl = arm_plain(cawi_edrvfl),
               bls = arm_plain(cawi_bls), ranger = peer_ranger, ranger_tuned = peer_ranger_tuned,
               svm = peer_svm, lightgbm = peer_lightgbm, glmnet = peer_glmnet, rff = peer_rff(200L),
               rff_100 = peer_rff(100L)))

# ---- units of work ----

# A unit that fails leaves a comment and is tried again at the next start.
run_unit <- function(set, unit, path) {
  result <- tryCatch(run_fold(set, unit$fold, unit$seed, arms[[unit$arm]]), error = identity)
  key <- sprintf("%s,%d,%d,%s", unit$set, unit$seed, unit$fold, unit$arm)
  if (inherits(result, "error")) {
    return(append_line(path, "# failed: %s: %s", key, gsub("\n", " ", conditionMessage(result))))
  }
  if (!is.null(result$note)) append_line(path, "# %s: %s", key, gsub("\n", " ", result$note))
  append_line(path, "%s,%.6f,%.6f,%.3f,%.3f", key, result$accuracy, result$logloss,
              result$seconds, result$cpu)
}

path <- script_argument(1L, NULL)
wanted <- script_argument(2L, names(arms))
seeds <- script_seeds(3L)
folds <- as.integer(script_argument(4L, 1:5))
part <- as.integer(strsplit(script_argument(5L, "1/1"), "/")[[1L]])
most <- as.numeric(script_argument(6L, 6000))
unknown <- setdiff(wanted, names(arms))
if (length(unknown) > 0L) stop("No such arm: ", unknown[1L], call. = FALSE)
open_record(path, c("set", "seed", "fold", "arm", "accuracy", "logloss", "seconds", "cpu"),
            c("cawi", "ranger", "e1071", "lightgbm", "glmnet"))
done <- done_units(path, c("set", "seed", "fold", "arm"))
sets <- study_sets(function(m, d) m <= most)
sets <- sets[seq_along(sets) %% part[2L] == part[1L] - 1L]
for (seed in seeds) for (fold in folds) for (name in sets) {
  missing <- wanted[!paste(name, seed, fold, wanted) %in% done]
  if (length(missing) == 0L) next
  set <- read_set(name)
  for (arm in missing) run_unit(set, list(set = name, seed = seed, fold = fold, arm = arm), path)
}
