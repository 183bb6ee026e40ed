#' Read a data set of the paper
#'
#' Finds one of the 83 sets of [cawi_datasets()] in a folder and reads it.
#'
#' @details
#' The folders are `dir`, then `options(cawi.data = )`, then the environment variable
#' `CAWI_DATA`; the first that has the set serves. In each, and in a folder with the set's name
#' inside it, the files are `<name>.csv.gz`, `<name>.csv`, `<name>_R.dat`, `<name>.arff` and
#' `<name>.mat`, in this order, with the names of the paper or those of the original collection
#' (column `collection` of [cawi_datasets()]). A set in two parts is also read from `<name>_train`
#' and `<name>_test`, joined in this order. [cawi_read_table()] says how each kind of file is read
#' and what its errors are.
#'
#' The files of the collection of Fernández-Delgado et al. (2014), which the paper used, have
#' columns of zero mean and unit variance. In 14 sets a train part is followed by a test part, each
#' scaled on its own or not at all; see `note` in [cawi_datasets()]. A file whose size is not that
#' of the collection is read with a warning of class `cawi_warning_dataset`.
#'
#' @section Without a folder:
#' These sets come from R itself or from the package mlbench where no
#' folder has them. Rows, columns, classes and their order are those of the collection, and every
#' value agrees with it to the six digits of its files, since columns are standardized here as they
#' are there:
#' * `iris` (datasets): with the three cells of the UCI copy that differ (rows 35 and 38).
#' * `titanic` (datasets): one row per person; class 1 to 4 (crew), age 0 (adult) or 1, sex 0
#'   (female) or 1.
#' * `glass`, `conn_bench_sonar_mines_rocks`, `statlog_vehicle`, `pima`, `letter`, `zoo` (mlbench):
#'   as they are; `TRUE` is 1.
#' * `ionosphere` (mlbench): without the constant second column.
#' * `breast_cancer_wisc` (mlbench): without the identifiers; a missing value is 0.
#' * `congressional_voting` (mlbench): 1 where the vote is missing and 0 where it is yes or no,
#'   which is all that the collection tells.
#' * `statlog_landsat` and `statlog_shuttle` (mlbench): the first 4,435 and 43,500 rows standardized
#'   on their own, then the others.
#'
#' Vowel, Soybean and DNA of mlbench are not the data of the collection and are not offered.
#'
#' @param name Name of a set, as in [cawi_datasets()].
#' @param dir Folder with the files.
#' @param ... Not used.
#' @return A list of class `cawi_dataset`, as from [cawi_read_table()].
#' @references
#' Fernández-Delgado, M., Cernadas, E., Barro, S. and Amorim, D. (2014). Do we need
#' hundreds of classifiers to solve real world classification problems? *Journal of Machine Learning
#' Research*, 15, 3133-3181.
#' @examples
#' cawi_read_dataset("iris")
#'
#' # A folder of one's own.
#' folder <- tempfile()
#' dir.create(folder)
#' rows <- c("f1,f2,class", "0.5,1.5,0", "-1.5,0.5,1")
#' writeLines(rows, file.path(folder, "blood.csv"))
#' suppressWarnings(cawi_read_dataset("blood", folder))
#' @export
cawi_read_dataset <- function(name, dir = NULL, ...) {
  check_dots(rlang::enquos(...))
  check_given(name, "name")
  set <- check_set(name)
  read_set(set, find_set(set, dir), environment())
}

# A set from the files that were found, or from a package where none were.
read_set <- function(set, found, call) {
  if (is.null(found)) return(builtin_dataset(set))
  parts <- lapply(found$files, read_set_cells, call = call)
  cells <- if (length(parts) == 1L) parts[[1L]] else join_cells(parts, call)
  data <- new_dataset(cells, set$name, paste(found$shown, collapse = " + "))
  warn_size(data, set, call)
  data
}

# ---- the name ------------------------------------------------------------------------------------

# The row of a set in the table of sets. The names of the collection's files are good names too.
check_set <- function(name, call = caller_env()) {
  if (!is.character(name) || length(name) != 1L || is.na(name)) {
    abort_argument("name", "{.arg name} must be the name of one set, not {shown(name)}.", call)
  }
  # It may have dimensions.
  name <- as.vector(name)
  sets <- paper_table("datasets")
  at <- which(sets$name == name | sets$collection == name)
  if (length(at) == 1L) return(sets[at, ])
  # Bytes that are no text are shown as such.
  name <- iconv(enc2utf8(name), "UTF-8", "UTF-8", sub = "byte")
  near <- near_names(name, sets$name)
  hint <- if (length(near) > 0L) {
    "Did you mean {.or {.val {near}}}?"
  } else {
    "See {.code cawi_datasets()}."
  }
  message <- paste("{.arg name} must be a set of the paper, and {.val {name}} is not.", hint)
  abort_argument("name", message, call)
}

# Names that contain it, then those that few edits turn into it.
near_names <- function(name, known) {
  plain <- gsub("[^a-z0-9]+", "_", tolower(name))
  lower <- tolower(known)
  edits <- drop(utils::adist(plain, lower))
  close <- known[order(edits)][sort(edits) <= max(1, nchar(plain) / 3)]
  inside <- if (nchar(plain) > 2L) known[grepl(plain, lower, fixed = TRUE)]
  utils::head(unique(c(inside, close)), 4L)
}

# ---- the files -----------------------------------------------------------------------------------

set_endings <- c(".csv.gz", ".csv", "_R.dat", ".arff", ".mat")

# The files of a set in the first folder that has it, as paths and as shown to the user; NULL if no
# folder has it but R or mlbench does.
find_set <- function(set, dir, call = caller_env()) {
  variable <- Sys.getenv("CAWI_DATA")
  folders <- list(dir = dir, cawi.data = getOption("cawi.data"),
                  CAWI_DATA = if (nzchar(variable)) variable)
  folders <- Filter(Negate(is.null), folders)
  for (arg in names(folders)) {
    folder <- check_folder(folders[[arg]], arg, call)
    files <- find_in_folder(set, folder, call)
    if (!is.null(files)) {
      return(list(files = file.path(normalizePath(folder), files), shown = files))
    }
  }
  if (has_builtin(set$name)) return(NULL)
  abort_absent(set, names(folders), call)
}

check_folder <- function(folder, arg, call) {
  if (!is.character(folder) || length(folder) != 1L || is.na(folder)) {
    abort_argument(arg, "{.arg {arg}} must be the path of one folder, not {shown(folder)}.", call)
  }
  # A path that is too long is a warning to R.
  if (!suppressWarnings(dir.exists(folder))) {
    abort_argument(arg, "{.arg {arg}} must be a folder, and {.file {printable(folder)}} is none.",
                   call)
  }
  folder
}

# Paths within the folder: one file, or the two parts of a set.
find_in_folder <- function(set, folder, call) {
  stems <- unique(c(set$name, set$collection))
  stems <- c(stems, file.path(stems, stems))
  there <- function(files) {
    vapply(file.path(folder, files), path_kind, "", follow = TRUE, USE.NAMES = FALSE) == "file"
  }
  for (ending in set_endings) {
    for (stem in stems) {
      whole <- paste0(stem, ending)
      if (there(whole)) return(whole)
      parts <- paste0(stem, c("_train", "_test"), ending)
      if (all(there(parts))) return(parts)
      if (any(there(parts))) abort_half(parts[there(parts)], parts[!there(parts)], call)
    }
  }
  NULL
}

abort_half <- function(present, absent, call) {
  message <- paste("File {.file {printable(present)}} is one part of a set,",
                   "and {.file {printable(absent)}} is not there.")
  abort_argument("file", message, call)
}

abort_absent <- function(set, places, call) {
  package <- builtin_package(set$name)
  install <- if (is.na(package)) "" else " Or install {.pkg {package}}, which has it."
  where <- if (length(places) == 0L) {
    "give its folder as {.arg dir}, {.code options(cawi.data = )} or {.envvar CAWI_DATA}."
  } else {
    "it is not in the {cli::qty(length(places))}folder{?s} of {.arg {places}}."
  }
  example <- paste0(set$name, ".csv.gz")
  needed <- "Set {.val {set$name}} needs a file, such as {.file {printable(example)}}: "
  abort_argument("dir", paste0(needed, where, install), call)
}

# The collection names the labels in its own files; elsewhere they are the last column.
read_set_cells <- function(file, call) read_cells(file, if (grepl("_R\\.dat$", file)) "clase", call)

# Rows of both parts; the features must be the same.
join_cells <- function(parts, call) {
  first <- parts[[1L]]
  second <- parts[[2L]]
  if (!identical(first$names, second$names)) {
    problem <- "its columns are not those of {.file {printable(first$file[1L])}}"
    abort_file(second$file[1L], problem, call)
  }
  list(values = rbind(first$values, second$values), names = first$names, label = first$label,
       line = c(first$line, second$line), file = c(first$file, second$file))
}

warn_size <- function(data, set, call) {
  read <- c(nrow(data$x), ncol(data$x), nlevels(data$y))
  expected <- c(set$m, set$d, set$classes)
  if (any(read != expected)) {
    warn_topic(
      "dataset",
      paste("Set {.val {set$name}} has {expected[1]} rows, {expected[2]} features",
            "and {expected[3]} classes in the paper;",
            "{.file {printable(data$source)}} has {read[1]}, {read[2]} and {read[3]}."), call
    )
  }
}
