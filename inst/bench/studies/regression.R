# Regression: test RMSE of cawi_auto() and of peers with their defaults on 21 sets, four splits of
# two thirds for training and one third for the test.
#   Rscript regression.R [record] [arms] [sets] [other record]
# runs the arms (comma separated; all by default) on the sets (likewise) that the record does not
# have yet and prints tables of all that it has. Without a record, or with "-", the rows go to a
# temporary file. Rows of the other record that are not to be run (say those of the peers, from a
# run of another version) are taken over first.
# Arms: cawi, ranger, svm, lm; centered is cawi with the mean of the training responses subtracted
# by hand, for two small sets.
suppressPackageStartupMessages(library(cawi))
here <- dirname(sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
source(file.path(here, "..", "tools", "bench-tools.R"))
source(file.path(here, "..", "tools", "study-tools.R"))
options(cawi.threads = 1L)
seed <- 42
splits <- 4L
largest <- 3000L
centered_sets <- c("swiss", "attitude")

# ---- data: name = response, where it comes from, columns to leave out ----
# Left out are columns that give the response away (awake is 24 - sleep_total, Price the mean of
# Min.Price and Max.Price, low tells bwt < 2500, estperf is a published prediction of perf) and
# sleep_cycle, which lacks most of its values. regression_set() leaves out names.

from <- function(package, data, response, without = character()) {
  function() {
    place <- new.env()
    utils::data(list = data, package = package, envir = place)
    frame <- as.data.frame(place[[data]])
    list(frame = frame[setdiff(names(frame), without)], response = response)
  }
}

friedman <- function(kind) {
  function() {
    set.seed(seed + kind)
    drawn <- getExportedValue("mlbench", paste0("mlbench.friedman", kind))(500)
    list(frame = data.frame(drawn$x, y = drawn$y), response = "y")
  }
}

log_price <- function() {
  set <- sets$diamonds()
  set$frame$price <- log(set$frame$price)
  set
}

sets <- list(
  stackloss = from("datasets", "stackloss", "stack.loss"),
  attitude = from("datasets", "attitude", "rating"),
  mtcars = from("datasets", "mtcars", "mpg"),
  swiss = from("datasets", "swiss", "Fertility"),
  uscrime = from("MASS", "UScrime", "y"),
  msleep = from("ggplot2", "msleep", "sleep_total", c("awake", "sleep_cycle")),
  cars93 = from("MASS", "Cars93", "Price", c("Min.Price", "Max.Price")),
  airquality = from("datasets", "airquality", "Ozone"),
  birthwt = from("MASS", "birthwt", "bwt", "low"),
  cpus = from("MASS", "cpus", "perf", "estperf"),
  mpg = from("ggplot2", "mpg", "hwy"),
  faithful = from("datasets", "faithful", "eruptions"),
  ozone = from("mlbench", "Ozone", "V4"),
  boston = from("mlbench", "BostonHousing", "medv"),
  friedman1 = friedman(1), friedman2 = friedman(2), friedman3 = friedman(3),
  quakes = from("datasets", "quakes", "mag"),
  txhousing = from("ggplot2", "txhousing", "median"),
  diamonds = from("ggplot2", "diamonds", "price"),
  log_diamonds = log_price
)

# Complete rows, at most `largest` of them. Text becomes factors; those with more than one level for
# four rows are names rather than features.
regression_set <- function(name) {
  set <- sets[[name]]()
  frame <- set$frame[stats::complete.cases(set$frame), ]
  if (nrow(frame) > largest) {
    set.seed(seed)
    frame <- frame[sort(sample(nrow(frame), largest)), ]
  }
  text <- vapply(frame, is.character, logical(1))
  frame[text] <- lapply(frame[text], factor)
  frame <- droplevels(frame)
  names_of_rows <- vapply(frame, nlevels, integer(1)) > nrow(frame) / 4
  list(x = frame[!names_of_rows & names(frame) != set$response],
       y = as.numeric(frame[[set$response]]))
}

# ---- arms: predictions of the fresh rows ----

arm_cawi <- function(x, y, fresh, seed) {
  fit <- suppressWarnings(cawi_auto(x, y, seed = seed))
  as.numeric(predict(fit, fresh))
}

arm_centered <- function(x, y, fresh, seed) mean(y) + arm_cawi(x, y - mean(y), fresh, seed)

arm_ranger <- function(x, y, fresh, seed) {
  fit <- ranger::ranger(x = x, y = y, seed = seed, num.threads = 1L)
  predict(fit, fresh, num.threads = 1L)$predictions
}

# Dummy variables of all levels of the set: a training part may lack some, which formulas do not
# forgive.
arm_design <- function(fit_predict) {
  function(x, y, fresh, seed) {
    all <- stats::model.matrix(~ ., rbind(x, fresh))[, -1L, drop = FALSE]
    train <- seq_along(y)
    vary <- apply(all[train, , drop = FALSE], 2L, function(v) max(v) > min(v))
    fit_predict(all[train, vary, drop = FALSE], y, all[-train, vary, drop = FALSE])
  }
}

arm_svm <- arm_design(function(x, y, fresh) predict(e1071::svm(x, y), fresh))

# Columns that depend on others have no coefficient.
arm_lm <- arm_design(function(x, y, fresh) {
  beta <- stats::lm.fit(cbind(1, x), y)$coefficients
  drop(cbind(1, fresh) %*% ifelse(is.na(beta), 0, beta))
})

arms <- list(cawi = arm_cawi, ranger = arm_ranger, svm = arm_svm, lm = arm_lm,
             centered = arm_centered)

# ---- units of work ----

run_unit <- function(set, split, arm) {
  set.seed(seed + 100 * split)
  train <- sample(length(set$y), round(2 / 3 * length(set$y)))
  clock <- proc.time()[["elapsed"]]
  predicted <- arms[[arm]](set$x[train, , drop = FALSE], set$y[train],
                           set$x[-train, , drop = FALSE], seed + split)
  c(rmse = sqrt(mean((predicted - set$y[-train])^2)), seconds = proc.time()[["elapsed"]] - clock)
}

run_set <- function(name, wanted, path) {
  set <- regression_set(name)
  wanted <- wanted[wanted != "centered" | name %in% centered_sets]
  for (arm in wanted) for (split in seq_len(splits)) {
    done <- read_record(path)
    if (any(done$set == name & done$split == split & done$arm == arm)) next
    result <- run_unit(set, split, arm)
    cat(sprintf("%s,%d,%s,%.6g,%.3f\n", name, split, arm, result[["rmse"]], result[["seconds"]]),
        file = path, append = TRUE)
  }
}

# Rows of another record whose arm is not run here and that this record does not have.
take_over <- function(other, wanted, path) {
  rows <- read_record(other)
  done <- read_record(path)
  key <- function(r) paste(r$set, r$split, r$arm)
  rows <- rows[!rows$arm %in% wanted & !key(rows) %in% key(done), ]
  writeLines(
    c(readLines(path), with(rows, sprintf("%s,%d,%s,%.6g,%.3f", set, split, arm, rmse, seconds))),
    path
  )
}

# ---- tables ----

print_tables <- function(record) {
  known <- intersect(names(sets), record$set)
  shown <- intersect(names(arms), record$arm)
  rmse <- tapply(record$rmse, list(record$set, record$arm), mean)[known, shown, drop = FALSE]
  cat("\nMean RMSE\n")
  print(signif(rmse, 4))
  peers <- intersect(c("ranger", "svm", "lm"), shown)
  if (!"cawi" %in% shown || length(peers) == 0L) return(invisible())
  ratio <- rmse[, "cawi"] / rmse[, peers, drop = FALSE]
  cat("\nRMSE of cawi over that of the peers\n")
  print(round(ratio, 3))
  cat("\n")
  for (peer in peers) {
    r <- ratio[!is.na(ratio[, peer]), peer]
    cat(sprintf("%-7s geometric mean of the ratios %.3f, %d of %d sets won\n", peer,
                exp(mean(log(r))), sum(r < 1), length(r)))
  }
  cat(sprintf("Mean seconds: %s\n",
              paste(shown, signif(tapply(record$seconds, record$arm, mean)[shown], 3),
                    collapse = ", ")))
}

path <- script_record()
wanted <- script_argument(2L, names(arms))
columns <- c("set", "split", "arm", "rmse", "seconds")
open_record(path, columns, c("cawi", "ranger", "e1071", "mlbench", "ggplot2", "MASS"))
other <- script_argument(4L, NULL)
if (!is.null(other)) take_over(other, wanted, path)
for (name in script_argument(3L, names(sets))) run_set(name, wanted, path)
print_tables(read_record(path))
