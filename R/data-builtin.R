# Sets of the paper that R or mlbench have. Each entry: the package and name of the data, the column
# of the classes, and what turns the others into the numbers that the collection standardized.
builtin_sets <- list(
  iris = list(package = "datasets", data = "iris", label = "Species", features = function(x) {
    # The UCI copy of Fisher's data.
    x$Petal.Width[35L] <- 0.1
    x$Sepal.Width[38L] <- 3.1
    x$Petal.Length[38L] <- 1.5
    x
  }),
  titanic = list(
    package = "datasets", data = "Titanic", label = "Survived",
    rows = function(counts) {
      people <- as.data.frame(counts)
      order <- order(people$Class, people$Age == "Child", people$Sex, people$Survived == "No")
      people <- people[order, ]
      people[rep(seq_len(nrow(people)), people$Freq), c("Class", "Age", "Sex", "Survived")]
    },
    features = function(x) {
      data.frame(Class = as.integer(x$Class), Age = x$Age == "Child", Sex = x$Sex == "Male")
    }
  ),
  glass = list(package = "mlbench", data = "Glass", label = "Type"),
  conn_bench_sonar_mines_rocks = list(package = "mlbench", data = "Sonar", label = "Class"),
  statlog_vehicle = list(package = "mlbench", data = "Vehicle", label = "Class"),
  pima = list(package = "mlbench", data = "PimaIndiansDiabetes", label = "diabetes"),
  letter = list(package = "mlbench", data = "LetterRecognition", label = "lettr"),
  zoo = list(package = "mlbench", data = "Zoo", label = "type"),
  ionosphere = list(package = "mlbench", data = "Ionosphere", label = "Class",
                    features = function(x) x[names(x) != "V2"]),
  breast_cancer_wisc = list(package = "mlbench", data = "BreastCancer", label = "Class",
                            features = function(x) x[names(x) != "Id"]),
  congressional_voting = list(package = "mlbench", data = "HouseVotes84", label = "Class",
                              features = function(x) as.data.frame(is.na(x))),
  statlog_landsat = list(package = "mlbench", data = "Satellite", label = "classes"),
  statlog_shuttle = list(package = "mlbench", data = "Shuttle", label = "Class")
)

builtin_package <- function(name) {
  vapply(name, function(set) {
    if (is.null(builtin_sets[[set]])) NA_character_ else builtin_sets[[set]]$package
  }, character(1), USE.NAMES = FALSE)
}

has_builtin <- function(name) {
  package <- builtin_package(name)
  !is.na(package) && nzchar(system.file(package = package))
}

builtin_dataset <- function(set) {
  recipe <- builtin_sets[[set$name]]
  store <- new.env()
  utils::data(list = recipe$data, package = recipe$package, envir = store)
  table <- store[[recipe$data]]
  if (!is.null(recipe$rows)) table <- recipe$rows(table)
  x <- table[names(table) != recipe$label]
  if (!is.null(recipe$features)) x <- recipe$features(x)
  x <- vapply(x, builtin_numbers, numeric(nrow(x)))
  structure(list(x = standardize_parts(x, set$train), y = table[[recipe$label]], name = set$name,
                 source = paste0(recipe$package, "::", recipe$data)), class = "cawi_dataset")
}

# The collection has 0 where a value is missing.
builtin_numbers <- function(column) {
  number <- if (is.factor(column)) as.numeric(as.character(column)) else as.numeric(column)
  replace(number, is.na(number), 0)
}

# Columns of zero mean and unit variance; if the set has two parts, in each part on its own.
standardize_parts <- function(x, train) {
  rownames(x) <- NULL
  part <- if (is.na(train)) rep(1L, nrow(x)) else rep(1:2, c(train, nrow(x) - train))
  for (rows in split(seq_len(nrow(x)), part)) {
    one <- x[rows, , drop = FALSE]
    centered <- sweep(one, 2L, colMeans(one))
    x[rows, ] <- sweep(centered, 2L, apply(one, 2L, stats::sd), `/`)
  }
  x
}
