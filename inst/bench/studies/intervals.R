# Coverage and width of 90 % prediction intervals, and coverage and size of 90 % prediction sets, on
# splits of two thirds for training and one third for the test.
#   [CAWI_DATA=<folder>] Rscript intervals.R <record> [kinds] [arms] [sets] [splits]
# runs the kinds ("interval", "set"; both by default), arms and sets that the record does not have
# yet, 20 splits each, and prints tables of all that it has. Sets of packages that are not installed
# are left out, with a message; without CAWI_DATA so are those of its folder. Without a record, or
# with "-", the rows go to a temporary file.
# Arms:
#   cawi     cawi_auto()
#   rvfl     cawi_rvfl() with its defaults
#   ranger   quantile forest (5 and 95 %) with the defaults, for intervals
#   lm       predict(interval = "prediction"), for intervals
here <- dirname(sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
source(file.path(here, "..", "tools", "bench-tools.R"))
source(file.path(here, "..", "tools", "study-tools.R"))
with_one_blas_thread(file.path(here, "intervals.R"))
suppressPackageStartupMessages(library(cawi))
options(cawi.threads = 1L)
seed <- 42
level <- 0.9

# ---- data ----

from <- function(package, data, response, without = character()) {
  structure(package = package, function() {
    place <- new.env()
    utils::data(list = data, package = package, envir = place)
    frame <- as.data.frame(place[[data]])
    frame <- frame[stats::complete.cases(frame), setdiff(names(frame), without)]
    text <- vapply(frame, is.character, logical(1))
    frame[text] <- lapply(frame[text], factor)
    frame <- droplevels(frame)
    list(x = frame[names(frame) != response], y = frame[[response]])
  })
}

friedman <- function(kind) {
  structure(package = "mlbench", function() {
    set.seed(seed + kind)
    draw <- getExportedValue("mlbench", paste0("mlbench.friedman", kind))
    drawn <- draw(500, sd = c(1, 125, 0.1)[kind])
    list(x = data.frame(drawn$x), y = drawn$y)
  })
}

of_folder <- function(name) structure(package = NA, function() read_set(name))

# Ten sets of regression.R and Friedman's functions; ten sets of packages and of the folder.
sets <- list(
  interval = list(
    airquality = from("datasets", "airquality", "Ozone"),
    servo = from("mlbench", "Servo", "Class"),
    birthwt = from("MASS", "birthwt", "bwt", "low"),
    ozone = from("mlbench", "Ozone", "V4"),
    cpus = from("MASS", "cpus", "perf", c("estperf", "name")),
    mpg = from("ggplot2", "mpg", "hwy"),
    penguins = from("modeldata", "penguins", "body_mass_g"),
    salaries = from("carData", "Salaries", "salary"),
    boston = from("mlbench", "BostonHousing", "medv"),
    concrete = from("modeldata", "concrete", "compressive_strength"),
    friedman1 = friedman(1), friedman2 = friedman(2), friedman3 = friedman(3)
  ),
  set = list(
    iris = from("datasets", "iris", "Species"),
    sonar = from("mlbench", "Sonar", "Class"),
    glass = from("mlbench", "Glass", "Type"),
    ionosphere = from("mlbench", "Ionosphere", "Class"),
    diabetes = from("mlbench", "PimaIndiansDiabetes", "diabetes"),
    vehicle = from("mlbench", "Vehicle", "Class"),
    seeds = of_folder("seeds"), contrac = of_folder("contrac"), yeast = of_folder("yeast"),
    wine_quality_red = of_folder("wine_quality_red")
  )
)
synthetic <- c("friedman1", "friedman2", "friedman3")

has_set <- function(set) {
  package <- attr(set, "package")
  if (is.na(package)) nzchar(Sys.getenv("CAWI_DATA")) else requireNamespace(package, quietly = TRUE)
}

# ---- arms: lower and upper ends, or classes of the sets, of the fresh rows ----

conformal <- function(fit) {
  function(x, y, fresh, seed, kind) {
    model <- suppressWarnings(fit(x, y, seed = seed))
    predicted <- predict(model, fresh, type = kind, level = level)
    if (kind == "interval") predicted[c("lower", "upper")] else predicted
  }
}

# Levels that the training rows lack have no coefficient.
design <- function(x, fresh) {
  all <- stats::model.matrix(~ ., rbind(x, fresh))[, -1L, drop = FALSE]
  train <- seq_len(nrow(x))
  vary <- apply(all[train, , drop = FALSE], 2L, function(v) max(v) > min(v))
  all <- data.frame(all[, vary, drop = FALSE])
  list(x = all[train, , drop = FALSE], fresh = all[-train, , drop = FALSE])
}

peer_ranger <- function(x, y, fresh, seed, kind) {
  forest <- ranger::ranger(x = x, y = y, quantreg = TRUE, seed = seed, num.threads = 1L)
  ends <- predict(forest, fresh, type = "quantiles", quantiles = c(1 - level, 1 + level) / 2,
                  num.threads = 1L)$predictions
  data.frame(lower = ends[, 1L], upper = ends[, 2L])
}

peer_lm <- function(x, y, fresh, seed, kind) {
  part <- design(x, fresh)
  fit <- stats::lm(y ~ ., data.frame(part$x, y = y))
  ends <- suppressWarnings(predict(fit, part$fresh, interval = "prediction", level = level))
  data.frame(lower = ends[, "lwr"], upper = ends[, "upr"])
}

arms <- list(
  interval = list(cawi = conformal(cawi_auto), rvfl = conformal(cawi_rvfl), ranger = peer_ranger,
                  lm = peer_lm),
  set = list(cawi = conformal(cawi_auto), rvfl = conformal(cawi_rvfl))
)

# ---- units of work ----

# Coverage, and the mean width of the intervals or the mean number of classes.
run_split <- function(set, split, arm, kind) {
  set.seed(seed + 100 * split)
  train <- sample(length(set$y), round(2 / 3 * length(set$y)))
  y <- if (is.factor(set$y)) droplevels(set$y[train]) else as.numeric(set$y[train])
  found <- arm(set$x[train, , drop = FALSE], y, set$x[-train, , drop = FALSE], seed + split, kind)
  truth <- set$y[-train]
  if (kind == "interval") {
    held <- found$lower <= truth & truth <= found$upper
    return(c(mean(held), mean(found$upper - found$lower)))
  }
  column <- match(truth, colnames(found))
  held <- found[cbind(seq_along(truth), column)]
  # A class that the training part lacks is in no set.
  c(mean(ifelse(is.na(column), FALSE, held)), mean(rowSums(found)))
}

run_set <- function(kind, name, wanted, splits, path) {
  if (!has_set(sets[[kind]][[name]])) return(message("Left out: ", name))
  done <- done_units(path, c("kind", "set", "split", "arm"))
  set <- sets[[kind]][[name]]()
  for (arm in intersect(wanted, names(arms[[kind]]))) for (split in splits) {
    if (paste(kind, name, split, arm) %in% done) next
    figures <- run_split(set, split, arms[[kind]][[arm]], kind)
    append_line(path, "%s,%s,%d,%s,%.6f,%.6g", kind, name, split, arm, figures[1L], figures[2L])
  }
}

# ---- tables ----

means <- function(record, what) {
  tapply(record[[what]], list(factor(record$set, unique(record$set)), record$arm), mean)
}

print_intervals <- function(record) {
  coverage <- 100 * means(record, "coverage")
  own <- intersect(c("cawi", "rvfl"), colnames(coverage))
  cat("\nCoverage of 90 % intervals, % (means over splits)\n")
  print(round(rbind(coverage, mean = colMeans(coverage), least = apply(coverage, 2L, min)), 1))
  width <- means(record, "size")
  cat("\nMean width over that of the peers\n")
  for (arm in own) {
    ratio <- width[, arm] / width[, intersect(c("ranger", "lm"), colnames(width)), drop = FALSE]
    narrower <- ratio[!rownames(ratio) %in% synthetic, , drop = FALSE] < 1
    cat(arm, ": narrower on ", paste(colSums(narrower), "of", nrow(narrower), colnames(narrower),
                                     collapse = ", "), "\n", sep = "")
    print(round(rbind(ratio, geometric_mean = exp(colMeans(log(ratio)))), 3))
  }
}

print_sets <- function(record) {
  coverage <- 100 * means(record, "coverage")
  cat("\nCoverage of 90 % sets, % (means over splits)\n")
  print(round(rbind(coverage, mean = colMeans(coverage), least = apply(coverage, 2L, min)), 1))
  cat("\nMean number of classes\n")
  print(round(means(record, "size"), 2))
}

path <- script_record()
kinds <- script_argument(2L, names(sets))
open_record(path, c("kind", "set", "split", "arm", "coverage", "size"),
            c("cawi", "ranger", "mlbench", "MASS", "carData", "modeldata", "ggplot2"))
splits <- as.integer(script_argument(5L, 1:20))
for (kind in kinds) {
  for (name in intersect(script_argument(4L, names(sets[[kind]])), names(sets[[kind]]))) {
    run_set(kind, name, script_argument(3L, names(arms[[kind]])), splits, path)
  }
}
record <- read_record(path)
options(width = 120)
if (any(record$kind == "interval")) print_intervals(record[record$kind == "interval", ])
if (any(record$kind == "set")) print_sets(record[record$kind == "set", ])
