# Defaults of the models: accuracies and root mean square errors of candidates for them, beside
# those of a tuned RVFL.
#   CAWI_DATA=<folder> Rscript defaults.R <record> [arms] [seeds] [folds] [half] [tasks]
# runs the arms (comma separated, as the others are; all by default) that the record does not have
# yet and prints the table of what it has. Candidates are chosen on the half "choose", every second
# set by size, with the seed 42; the others, "judge", and the seed 43 tell what the choice is worth.
# Tasks are "classes" (sets of CAWI_DATA with at most 6,000 rows) and "numbers" (sets of packages).
# All arguments are spelled out, so that the study stays the same when defaults change; the arm
# "rvfl_today" has those of version 0.2.0.
here <- dirname(sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
source(file.path(here, "..", "tools", "bench-tools.R"))
source(file.path(here, "..", "tools", "study-tools.R"))
with_one_blas_thread(file.path(here, "defaults.R"))
suppressPackageStartupMessages(library(cawi))
options(cawi.threads = 1L)

# ---- data of the task "numbers": package, data, response, columns to leave out ----
# Columns that give the response away, numbers of rows and names are left out.

number_sets <- read.table(header = TRUE, text = "
  package   data          response             without
  datasets  swiss         Fertility            -
  MASS      UScrime       y                    -
  MASS      UScereal      calories             mfr
  MASS      Cars93        Price                Min.Price,Max.Price,Model,Make
  lattice   ethanol       NOx                  -
  carData   Prestige      prestige             -
  datasets  airquality    Ozone                -
  lattice   barley        yield                -
  mlbench   Servo         Class                -
  MASS      birthwt       bwt                  low
  MASS      crabs         CW                   index
  MASS      cpus          perf                 estperf,name
  modeldata meats         fat                  water,protein
  ggplot2   mpg           hwy                  model
  datasets  faithful      eruptions            -
  modeldata penguins      body_mass_g          -
  MASS      gilgais       pH00                 loc
  carData   Salaries      salary               -
  mlbench   BostonHousing medv                 -
  modeldata biomass       HHV                  sample,dataset
  modeldata Sacramento    price                zip
  datasets  quakes        mag                  -
  modeldata concrete      compressive_strength -
  carData   SLID          wages                -
  ggplot2   txhousing     median               city
  ggplot2   diamonds      price                -
")

# Complete rows, at most 2,000 of them; text becomes factors.
number_set <- function(name) {
  row <- number_sets[number_sets$data == name, ]
  place <- new.env()
  utils::data(list = name, package = row$package, envir = place)
  frame <- as.data.frame(place[[name]])
  frame <- frame[setdiff(names(frame), strsplit(row$without, ",")[[1L]])]
  frame <- frame[stats::complete.cases(frame), ]
  set.seed(42)
  if (nrow(frame) > 2000L) frame <- frame[sort(sample(nrow(frame), 2000L)), ]
  text <- vapply(frame, is.character, logical(1))
  frame[text] <- lapply(frame[text], factor)
  frame <- droplevels(frame)
  list(x = frame[names(frame) != row$response], y = as.numeric(frame[[row$response]]))
}

# ---- arms ----

# Names say what is not as in version 0.2.0: rvfl_radbas_s1_i2_h150 is an RVFL with radbas nodes,
# spread 1, two inputs per node and 150 of them. `b` is bias = "data", `k` ranks, and the name of a
# family its copula.
arm_arguments <- function(name) {
  parts <- strsplit(name, "_")[[1L]]
  model <- parts[1L]
  parts <- setdiff(parts[-1L], "today")
  arguments <- list(activation = "sigmoid", spread = NULL, inputs = NULL, bias = "uniform",
                    standardize = TRUE, init = "iid", lambda = 10^(-6:6))
  nodes <- 100
  for (part in parts) {
    number <- suppressWarnings(as.numeric(substring(part, 2L)))
    if (part == "b") {
      arguments$bias <- "data"
    } else if (part == "k") {
      arguments$standardize <- "ranks"
    } else if (part %in% c("gaussian", "t", "clayton", "frank", "gumbel")) {
      arguments$init <- part
    } else if (is.na(number)) {
      arguments$activation <- part
    } else {
      kind <- substring(part, 1L, 1L)
      if (kind == "h") nodes <- number
      if (kind == "s") arguments$spread <- number
      if (kind == "i") arguments$inputs <- number
    }
  }
  shape <- switch(model,
    elm = , rvfl = list(hidden = nodes), drvfl = , edrvfl = list(hidden = rep(nodes, 3)),
    bls = list(windows = 10, nodes = 10, enhancement_windows = 1, enhancement = nodes)
  )
  list(model = model, arguments = c(arguments, shape))
}

fit_arm <- function(name, x, y, seed) {
  # The second is what a tuning becomes whose nodes read three features, too.
  if (name %in% c("tuned", "tuned_i3")) {
    grid <- cawi_grid(hidden = c(50, 100, 200, 400), spread = c(0.5, 1, 2, 4),
                      activation = c("sigmoid", "radbas", "sine", "relu"), lambda = 10^(-4:3))
    return(cawi_tune(x, y, "rvfl", grid, metric = "rmse", seed = seed,
                     inputs = if (name == "tuned_i3") 3, bias = "uniform", standardize = TRUE,
                     init = "iid"))
  }
  arm <- arm_arguments(name)
  fun <- getExportedValue("cawi", paste0("cawi_", arm$model))
  do.call(fun, c(list(x, y, seed = seed), arm$arguments))
}

crossed <- function(...) apply(expand.grid(..., stringsAsFactors = FALSE), 1L, paste, collapse = "")
arms <- c("rvfl_today", crossed("rvfl_", c("sigmoid", "sine", "radbas", "relu", "tansig"),
                                c("_s0.5", "_s1", "_s2", "_s4"), c("", "_i1", "_i2", "_i3"),
                                c("", "_b"), c("", "_h200")))

# ---- units of work ----

run_unit <- function(set, unit) {
  if (unit$task == "classes") {
    train <- cawi_folds(set$y, 5, seed = unit$seed)[, 1L] != unit$fold
    y <- droplevels(set$y[train])
  } else {
    set.seed(unit$seed + 100 * unit$fold)
    train <- seq_along(set$y) %in% sample(length(set$y), round(2 / 3 * length(set$y)))
    y <- set$y[train]
  }
  clock <- proc.time()
  fit <- suppressWarnings(fit_arm(unit$arm, set$x[train, , drop = FALSE], y, unit$seed + unit$fold))
  predicted <- predict(fit, set$x[!train, , drop = FALSE])
  spent <- proc.time() - clock
  truth <- set$y[!train]
  value <- if (unit$task == "classes") {
    100 * mean(as.character(predicted) == as.character(truth))
  } else {
    sqrt(mean((as.numeric(predicted) - truth)^2))
  }
  c(value = value, cpu = spent[["user.self"]] + spent[["sys.self"]])
}

path <- script_argument(1L, NULL)
wanted <- script_argument(2L, arms)
seeds <- as.integer(script_argument(3L, "42"))
folds <- as.integer(script_argument(4L, c("1", "2")))
half <- script_argument(5L, "choose")
tasks <- script_argument(6L, c("classes", "numbers"))
open_record(path, c("task", "set", "seed", "fold", "arm", "value", "cpu"), "cawi")
record <- read_record(path)
done <- do.call(paste, unname(as.list(record[c("task", "set", "seed", "fold", "arm")])))
# The first fit and prediction of a process are slower than the others.
invisible(predict(fit_arm("rvfl_today", as.matrix(iris[1:4]), iris$Species, 1), iris[1:4]))
for (task in tasks) for (seed in seeds) for (fold in folds) {
  sets <- if (task == "classes") study_sets(function(m, d) m <= 6000) else number_sets$data
  sets <- sets[seq_along(sets) %% 2L == as.integer(half == "judge")]
  for (name in sets) {
    missing <- wanted[!paste(task, name, seed, fold, wanted) %in% done]
    if (length(missing) == 0L) next
    set <- if (task == "classes") read_set(name) else number_set(name)
    for (arm in missing) {
      unit <- list(task = task, set = name, seed = seed, fold = fold, arm = arm)
      found <- tryCatch(run_unit(set, unit), error = identity)
      line <- if (inherits(found, "error")) {
        sprintf("# failed: %s, %s: %s", name, arm, gsub("\n", " ", conditionMessage(found)))
      } else {
        sprintf("%s,%s,%d,%d,%s,%.6g,%.3f", task, name, seed, fold, arm, found["value"],
                found["cpu"])
      }
      cat(line, "\n", sep = "", file = path, append = TRUE)
    }
  }
}
