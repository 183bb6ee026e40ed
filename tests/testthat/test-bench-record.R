few <- cawi_grid(hidden = 3, activation = "sigmoid", lambda = 10^(-1:1))
flowers <- list(x = as.matrix(iris[, 1:4]), y = iris$Species)
bench <- function(sets, record, ...) {
  cawi_benchmark(sets, init = "iid", grid = few, record = record, ...)
}
without_times <- function(x) as.data.frame(x)[names(x) != "seconds"]

test_that("a record reads what was computed, under any name of a set", {
  names <- c("a,b", "a/b", "quote\"d", "NA", "two words", "line\nbreak", strrep("long", 80), "-1")
  sets <- stats::setNames(rep(list(flowers), length(names)), names)
  for (protocol in c("nested", "paper")) {
    record <- new_folder()
    first <- bench(sets, record, protocol = protocol)
    expect_identical(unique(first$set), names)
    again <- bench(sets, record, protocol = protocol)
    expect_identical(again, first)
    expect_equal(without_times(first), without_times(bench(sets, NULL, protocol = protocol)))
  }
})

test_that("another file of the same name is another unit", {
  folders <- c(new_folder(), new_folder())
  record <- new_folder()
  write <- function(folder, y) {
    utils::write.csv(data.frame(flowers$x, class = y), file.path(folder, "iris.csv"),
                     row.names = FALSE)
  }
  write(folders[1], as.integer(flowers$y))
  write(folders[2], rep(1:3, 50))
  accuracy <- vapply(folders, function(folder) mean(bench("iris", record, dir = folder)$accuracy),
                     0)
  expect_gt(accuracy[[1]], 0.8)
  expect_lt(accuracy[[2]], 0.6)
  expect_length(list.files(record), 2)
})

test_that("settings that do not matter to a protocol do not run it again", {
  record <- new_folder()
  bench(list(a = flowers), record)
  bench(list(a = flowers), record, nested_above = 3, draws = 5)
  expect_length(list.files(record), 1)
  bench(list(a = flowers), record, folds = 4)
  expect_length(list.files(record), 2)
})

test_that("a damaged file of the record is named", {
  record <- new_folder()
  bench(list(a = flowers), record)
  file <- list.files(record, full.names = TRUE)
  whole <- readLines(file)
  for (damage in list(whole[1:3], whole[1], character(), "garbage", sub("iid", "t", whole),
                      sub(",1,", ",x,", whole))) {
    writeLines(damage, file)
    error <- expect_error(bench(list(a = flowers), record), class = "cawi_error_record")
    expect_match(conditionMessage(error), basename(file), fixed = TRUE)
  }
  unlink(file)
  expect_identical(nrow(bench(list(a = flowers), record)), 5L)
})

test_that("a record that cannot be written to is refused at once", {
  file <- tempfile()
  writeLines("", file)
  on.exit(unlink(file))
  expect_error(bench(list(a = flowers), file), class = "cawi_error_record")
  expect_error(bench(list(a = flowers), NA), class = "cawi_error_record")
})

test_that("a file that was cut short anywhere is not taken for whole", {
  for (protocol in c("nested", "equal")) {
    record <- new_folder()
    bench(list(a = flowers), record, protocol = protocol, draws = 3)
    file <- list.files(record, full.names = TRUE)
    whole <- readChar(file, file.size(file))
    # The last line break may be missing; nothing else may.
    for (size in nchar(whole) - c(2:60, 150, 300)) {
      writeChar(substr(whole, 1, size), file, eos = NULL)
      expect_error(bench(list(a = flowers), record, protocol = protocol, draws = 3),
                   class = "cawi_error_record")
    }
  }
})

test_that("a unit that does not fit on the disk is not recorded", {
  skip_on_os("windows")
  skip_if(Sys.which("bash") == "")
  record <- new_folder()
  code <- c(
    sprintf(".libPaths(%s)", deparse1(.libPaths())), "library(cawi)",
    "grid <- cawi_grid(hidden = 3, activation = 'relu', lambda = 1)",
    "flowers <- list(x = as.matrix(iris[, 1:4]), y = iris$Species)",
    "sets <- stats::setNames(list(flowers), strrep('a', 60))",
    "tryCatch(cawi_benchmark(sets, init = 'iid', protocol = 'equal', draws = 40, grid = grid,",
    sprintf("                        record = %s),", deparse1(record)),
    "         cawi_error_record = function(e) cat('refused'))"
  )
  folder <- new_folder()
  script <- file.path(folder, "run.R")
  shell <- file.path(folder, "run.sh")
  writeLines(code, script)
  # Files of one block at most.
  writeLines(c("trap '' XFSZ", "ulimit -f 1",
               paste(shQuote(file.path(R.home("bin"), "Rscript")), shQuote(script))), shell)
  out <- suppressWarnings(system2("bash", shQuote(shell), stdout = TRUE, stderr = FALSE))
  expect_match(paste(out, collapse = "\n"), "refused", fixed = TRUE)
  expect_length(list.files(record), 0)
})

test_that("a name that the locale cannot write is recorded all the same", {
  old <- Sys.getlocale("LC_CTYPE")
  on.exit(Sys.setlocale("LC_CTYPE", old))
  skip_if(suppressWarnings(Sys.setlocale("LC_CTYPE", "C")) == "")
  record <- new_folder()
  sets <- stats::setNames(list(flowers), "\u00e9t\u00e9")
  first <- bench(sets, record)
  expect_identical(bench(sets, record), first)
  expect_length(list.files(record), 1)
})

test_that("figures that no run gives are refused, and the file is named", {
  edits <- list(
    accuracy = c("1.2", "-0.1", "NaN", "Inf", ""), seconds = c("-1", "NaN", "Inf", ""),
    lambda = c("-1", "NaN", "Inf", ""),
    tried = c("0", "-1", "2", ""), fold = c("7", "0", "-1", "2"), seed = c("43", ""),
    model = c("elm", "x", ""),
    init = c("t", ""), protocol = c("paper", "x", ""), set = c("b", ""),
    hidden = c("many", "0", "-3", "3+", ""),
    activation = c("none", ""), family = c("joe", ""), rows = c("149", "0", "-1", ""),
    features = c("5", "0", "")
  )
  for (protocol in c("nested", "equal")) {
    record <- new_folder()
    again <- function() bench(list(a = flowers), record, protocol = protocol, draws = 3)
    again()
    file <- list.files(record, full.names = TRUE)
    whole <- utils::read.csv(file, colClasses = "character", na.strings = character())
    row <- which(whole$fold == "1")
    # As the package writes it: text in quotes, numbers without.
    text <- which(unit_columns[names(whole)] == "character")
    write <- function(table) utils::write.csv(table, file, row.names = FALSE, quote = text)
    write(whole)
    expect_s3_class(again(), "cawi_benchmark")
    for (column in names(edits)) for (value in edits[[column]]) {
      table <- whole
      if (table[row, column] == value) next
      table[row, column] <- value
      write(table)
      error <- expect_error(again(), class = "cawi_error_record",
                            label = paste(protocol, column, value))
      expect_match(conditionMessage(error), basename(file), fixed = TRUE)
    }
    if (protocol == "equal") {
      # The path is the best so far, and its end the mean over the folds.
      for (value in c("0.99", "0", "2", "")) {
        table <- whole
        table$accuracy[which(table$fold == "0")[2]] <- value
        write(table)
        expect_error(again(), class = "cawi_error_record")
      }
    }
    write(whole)
    expect_s3_class(again(), "cawi_benchmark")
  }
})

test_that("functions that find other values are other units", {
  scaled <- function(factor) {
    force(factor)
    times <- function(w) factor * w
    function(x, hidden, seed) {
      set.seed(seed)
      times(matrix(rnorm(ncol(x) * hidden), ncol(x)))
    }
  }
  record <- new_folder()
  run <- function(factor) {
    cawi_benchmark(list(iris = flowers), init = list(own = scaled(factor)), grid = few,
                   record = record)
  }
  first <- run(0.01)
  expect_identical(run(0.01), first)
  expect_length(list.files(record), 1L)
  run(30)
  expect_length(list.files(record), 2L)
  # A default is a place where a value is found, too.
  by_default <- function(factor) {
    force(factor)
    function(x, hidden, seed, times = factor) {
      set.seed(seed)
      times * matrix(rnorm(ncol(x) * hidden), ncol(x))
    }
  }
  expect_false(identical(cawi:::function_key(by_default(1)), cawi:::function_key(by_default(2))))
  expect_identical(cawi:::function_key(by_default(2)), cawi:::function_key(by_default(2)))
  # A function that calls itself has an end.
  again <- function(x, hidden, seed) if (hidden > 1) again(x, hidden, seed) else x
  expect_identical(cawi:::function_key(again), cawi:::function_key(again))
})
