# Regression: test RMSE of cawi and of peers, three-fold cross-validation that is repeated with
# other splits, everything chosen inside the training part.
#   Rscript regression.R <record> [arms] [seeds] [splits] [parts] [sets]
# runs the arms (comma separated, as the others are; all by default) that the record does not have
# yet. Sets of packages that are not installed are left out, with a message. summarize.R prints the
# tables.
# A split deals the rows into three parts, each of which is the test once. Where peers are slow,
# part 1 alone is a study with a third of the work; it says much less about a set with few rows,
# where one row that is far from all others decides.
# Splits of the seeds 42 and 43, the default, are for development. Those of the third seed, 44, are
# run once at the end and reported whatever they say.
# The first split of all sets comes before the second, so that a study that was stopped has as many
# splits of one set as of another.
here <- dirname(sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
source(file.path(here, "..", "tools", "bench-tools.R"))
source(file.path(here, "..", "tools", "study-tools.R"))
source(file.path(here, "..", "tools", "peers.R"))
with_one_blas_thread(file.path(here, "regression.R"))
suppressPackageStartupMessages(library(cawi))
options(cawi.threads = 1L)
# Drawn data and samples of large tables are the same for all seeds.
data_seed <- 42
largest <- 3000L

# ---- data: name = response, where it comes from, columns to leave out ----
# Left out are columns that give the response away (awake is 24 - sleep_total, Price the mean of
# Min.Price and Max.Price, low tells bwt < 2500, estperf is a published prediction of perf, water
# and protein are measured with fat), numbers of rows (index, sample, date), sleep_cycle, which
# lacks most of its values, and factors whose levels are ordered by the response (Chick, Plant,
# School). regression_set() leaves out names.

from <- function(package, data, response, without = character()) {
  structure(package = package, function() {
    place <- new.env()
    utils::data(list = data, package = package, envir = place)
    frame <- as.data.frame(place[[data]])
    list(frame = frame[setdiff(names(frame), without)], response = response)
  })
}

friedman <- function(kind, rows = 500, noise = 1) {
  sd <- c(1, 125, 0.1)[kind] * noise
  structure(package = "mlbench", function() {
    set.seed(data_seed + kind)
    drawn <- getExportedValue("mlbench", paste0("mlbench.friedman", kind))(rows, sd = sd)
    list(frame = data.frame(drawn$x, y = drawn$y), response = "y")
  })
}

logarithm <- function(set) {
  structure(package = attr(set, "package"), function() {
    data <- set()
    data$frame[[data$response]] <- log(data$frame[[data$response]])
    data
  })
}

diamonds <- from("ggplot2", "diamonds", "price")
# Small ones first.
sets <- list(
  stackloss = from("datasets", "stackloss", "stack.loss"),
  attitude = from("datasets", "attitude", "rating"),
  mtcars = from("datasets", "mtcars", "mpg"),
  swiss = from("datasets", "swiss", "Fertility"),
  uscrime = from("MASS", "UScrime", "y"),
  insurance = from("MASS", "Insurance", "Claims"),
  uscereal = from("MASS", "UScereal", "calories"),
  msleep = from("ggplot2", "msleep", "sleep_total", c("awake", "sleep_cycle")),
  cars93 = from("MASS", "Cars93", "Price", c("Min.Price", "Max.Price")),
  co2 = from("datasets", "CO2", "uptake", "Plant"),
  ethanol = from("lattice", "ethanol", "NOx"),
  prestige = from("carData", "Prestige", "prestige"),
  leinhardt = from("carData", "Leinhardt", "infant"),
  airquality = from("datasets", "airquality", "Ozone"),
  barley = from("lattice", "barley", "yield"),
  servo = from("mlbench", "Servo", "Class"),
  birthwt = from("MASS", "birthwt", "bwt", "low"),
  united_nations = from("carData", "UN", "infantMortality"),
  crabs = from("MASS", "crabs", "CW", "index"),
  cpus = from("MASS", "cpus", "perf", "estperf"),
  ozone = from("mlbench", "Ozone", "V4"),
  friedman1_200 = friedman(1, 200), friedman2_200 = friedman(2, 200),
  friedman3_200 = friedman(3, 200),
  meats = from("modeldata", "meats", "fat", c("water", "protein")),
  mpg = from("ggplot2", "mpg", "hwy"),
  ornstein = from("carData", "Ornstein", "interlocks"),
  faithful = from("datasets", "faithful", "eruptions"),
  penguins = from("modeldata", "penguins", "body_mass_g"),
  gilgais = from("MASS", "gilgais", "pH00"),
  salaries = from("carData", "Salaries", "salary"),
  boston = from("mlbench", "BostonHousing", "medv"),
  friedman1 = friedman(1), friedman2 = friedman(2), friedman3 = friedman(3),
  friedman1_noisy = friedman(1, noise = 3), friedman2_noisy = friedman(2, noise = 3),
  friedman3_noisy = friedman(3, noise = 3),
  biomass = from("modeldata", "biomass", "HHV", c("sample", "dataset")),
  chickweight = from("datasets", "ChickWeight", "weight", "Chick"),
  car_prices = from("modeldata", "car_prices", "Price"),
  sacramento = from("modeldata", "Sacramento", "price"),
  quakes = from("datasets", "quakes", "mag"),
  friedman1_1000 = friedman(1, 1000), friedman2_1000 = friedman(2, 1000),
  friedman3_1000 = friedman(3, 1000),
  concrete = from("modeldata", "concrete", "compressive_strength"),
  attrition = from("modeldata", "attrition", "MonthlyIncome"),
  nlschools = from("MASS", "nlschools", "lang"),
  ames = from("modeldata", "ames", "Sale_Price"),
  slid = from("carData", "SLID", "wages"),
  chicago = from("modeldata", "Chicago", "ridership", "date"),
  stackoverflow = from("modeldata", "stackoverflow", "Salary"),
  achievement = from("nlme", "MathAchieve", "MathAch", "School"),
  txhousing = from("ggplot2", "txhousing", "median"),
  diamonds = diamonds,
  log_diamonds = logarithm(diamonds)
)

# Complete rows, at most `largest` of them. Text becomes factors; those with more than one level for
# four rows are names rather than features.
regression_set <- function(name) {
  set <- sets[[name]]()
  frame <- set$frame[stats::complete.cases(set$frame), ]
  if (nrow(frame) > largest) {
    set.seed(data_seed)
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
  as.numeric(predict(suppressWarnings(cawi_auto(x, y, seed = seed)), fresh))
}

arm_rvfl <- function(x, y, fresh, seed) {
  as.numeric(predict(suppressWarnings(cawi_rvfl(x, y, seed = seed)), fresh))
}

arm_rvfl_tuned <- function(x, y, fresh, seed) {
  grid <- cawi_grid(hidden = c(50, 100, 200, 400), spread = c(0.5, 1, 2, 4),
                    activation = c("sigmoid", "radbas", "sine", "relu"), inputs = c(NA, 3),
                    lambda = 10^(-4:3))
  tuned <- suppressWarnings(cawi_tune(x, y, "rvfl", grid, metric = "rmse", seed = seed))
  as.numeric(predict(tuned, fresh))
}

# Dummy variables of all levels of the set: a training part may lack some, which formulas do not
# forgive.
arm_design <- function(peer) {
  function(x, y, fresh, seed) {
    all <- stats::model.matrix(~ ., rbind(x, fresh))[, -1L, drop = FALSE]
    train <- seq_along(y)
    vary <- apply(all[train, , drop = FALSE], 2L, function(v) max(v) > min(v))
    peer(all[train, vary, drop = FALSE], y, all[-train, vary, drop = FALSE], seed)
  }
}

# Columns that depend on others have no coefficient.
peer_lm <- function(x, y, fresh, seed) {
  beta <- stats::lm.fit(cbind(1, x), y)$coefficients
  drop(cbind(1, fresh) %*% ifelse(is.na(beta), 0, beta))
}

# What choosing between lm and ranger inside the training part comes to: the one with the smaller
# error of rows that it has not seen, or the average with the share that has the least such error.

# Leave-one-out in closed form. Without a row that alone determines a coefficient that coefficient
# is not known.
lm_left_out <- function(x, y) {
  system <- qr(cbind(1, x))
  leverage <- rowSums(qr.Q(system)[, seq_len(system$rank), drop = FALSE]^2)
  alone <- leverage > 1 - 1e-8
  ifelse(alone, mean(y), y - qr.resid(system, y) / (1 - ifelse(alone, 0, leverage)))
}

# `share_of` has the errors of both, and returns the share of the forest.
arm_lm_or_ranger <- function(share_of) {
  function(x, y, fresh, seed) {
    forest <- ranger::ranger(x = x, y = y, seed = seed, num.threads = 1L)
    # A row that every tree has seen.
    out_of_bag <- ifelse(is.finite(forest$predictions), forest$predictions, mean(y))
    line <- arm_design(function(x, y, fresh, seed) {
      list(left_out = lm_left_out(x, y), predicted = peer_lm(x, y, fresh, seed))
    })(x, y, fresh, seed)
    share <- share_of(y - line$left_out, y - out_of_bag)
    share * predict(forest, fresh, num.threads = 1L)$predictions + (1 - share) * line$predicted
  }
}

share_of_better <- function(line, forest) as.numeric(sum(forest^2) < sum(line^2))

share_of_stack <- function(line, forest) {
  min(1, max(0, sum(line * (line - forest)) / sum((line - forest)^2)))
}

arms <- list(cawi = arm_cawi, rvfl = arm_rvfl, rvfl_tuned = arm_rvfl_tuned, ranger = peer_ranger,
             ranger_tuned = peer_ranger_tuned, svm = arm_design(peer_svm),
             lightgbm = arm_design(peer_lightgbm), glmnet = arm_design(peer_glmnet),
             rff = arm_design(peer_rff(200L)), rff_100 = arm_design(peer_rff(100L)),
             lm = arm_design(peer_lm), better = arm_lm_or_ranger(share_of_better),
             stack = arm_lm_or_ranger(share_of_stack))

# ---- units of work ----

# All rows but those of a part.
training_rows <- function(rows, split, part, seed) {
  set.seed(seed + 100 * split)
  first <- round(2 / 3 * rows)
  of_part <- rep(c(2L, 3L, 1L), c(first %/% 2L, first - first %/% 2L, rows - first))
  sample(rows)[of_part != part]
}

run_part <- function(set, unit, arm) {
  train <- training_rows(length(set$y), unit$split, unit$part, unit$seed)
  clock <- proc.time()
  predicted <- arm(set$x[train, , drop = FALSE], set$y[train], set$x[-train, , drop = FALSE],
                   unit$seed + unit$split)
  spent <- proc.time() - clock
  list(rmse = sqrt(mean((predicted - set$y[-train])^2)), seconds = spent[["elapsed"]],
       cpu = spent[["user.self"]] + spent[["sys.self"]])
}

# A unit that fails leaves a comment and is tried again at the next start.
run_unit <- function(set, unit, path) {
  result <- tryCatch(run_part(set, unit, arms[[unit$arm]]), error = identity)
  key <- sprintf("%s,%d,%d,%d,%s", unit$set, unit$seed, unit$split, unit$part, unit$arm)
  if (inherits(result, "error")) {
    return(append_line(path, "# failed: %s: %s", key, gsub("\n", " ", conditionMessage(result))))
  }
  append_line(path, "%s,%.6g,%.3f,%.3f", key, result$rmse, result$seconds, result$cpu)
}

path <- script_record()
wanted <- script_argument(2L, names(arms))
seeds <- script_seeds(3L)
splits <- as.integer(script_argument(4L, 1:4))
parts <- as.integer(script_argument(5L, 1:3))
chosen <- script_argument(6L, names(sets))
unknown <- c(setdiff(wanted, names(arms)), setdiff(chosen, names(sets)))
if (length(unknown) > 0L) stop("No such arm or set: ", unknown[1L], call. = FALSE)
packages <- vapply(sets[chosen], attr, "", "package")
lacking <- !vapply(packages, requireNamespace, logical(1), quietly = TRUE)
for (name in chosen[lacking]) message("Left out: ", name, " of package ", packages[[name]])
unit_columns <- c("set", "seed", "split", "part", "arm")
open_record(path, c(unit_columns, "rmse", "seconds", "cpu"),
            unique(c("cawi", "ranger", "e1071", "lightgbm", "glmnet", packages)))
done <- done_units(path, unit_columns)
for (seed in seeds) for (split in splits) for (part in parts) for (name in chosen[!lacking]) {
  missing <- wanted[!paste(name, seed, split, part, wanted) %in% done]
  if (length(missing) == 0L) next
  set <- regression_set(name)
  for (arm in missing) {
    run_unit(set, list(set = name, seed = seed, split = split, part = part, arm = arm), path)
  }
}
