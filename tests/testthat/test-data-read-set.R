read_small <- function(name, ...) {
  suppressWarnings(cawi_read_dataset(name, ...), classes = "cawi_warning_dataset")
}

# Tables that tell where they come from.
marked_table <- function(mark) data.frame(f1 = c(mark, 0), class = 0:1)
mark_of <- function(data) data$x[1, 1]

test_that("every kind of file gives the same set", {
  folder <- new_folder()
  files <- list(iris.csv.gz = csv_lines(), wine.csv = csv_lines(), zoo_R.dat = dat_lines(),
                yeast.arff = arff_lines())
  for (file in names(files)) {
    write <- if (grepl("gz$", file)) write_gzip else write_lines
    write(folder, file, files[[file]])
    name <- sub("(_R)?[.].*", "", file)
    data <- with_data_folders(read_small(name, folder))
    expect_small(data)
    expect_identical(data$name, name)
    expect_identical(data$source, file)
  }
})

test_that("row numbers of the collection are left out however its header names them", {
  folder <- new_folder()
  lines <- dat_lines()
  for (header in c(lines[1], trimws(lines[1]), "\"\" f1 f2 clase", "row f1 f2 clase")) {
    write_lines(folder, "iris_R.dat", header, lines[-1])
    expect_small(read_small("iris", folder))
  }
})

test_that("kinds of files are taken in their order, and sub-folders are searched", {
  folder <- new_folder()
  mark <- function() with_data_folders(mark_of(read_small("balance_scale", folder)))
  write_lines(folder, "balance-scale/balance-scale.arff", "@attribute f1 real",
              "@attribute class {0,1}", "@data",
              "1,0", "0,1")
  expect_identical(mark(), c(f1 = 1))
  write_lines(folder, "balance-scale/balance-scale_R.dat", dat_lines(marked_table(2)))
  expect_identical(mark(), c(f1 = 2))
  write_lines(folder, "balance_scale/balance_scale_R.dat", dat_lines(marked_table(3)))
  expect_identical(mark(), c(f1 = 3))
  write_lines(folder, "balance-scale_R.dat", dat_lines(marked_table(4)))
  expect_identical(mark(), c(f1 = 4))
  write_lines(folder, "balance_scale.csv", csv_lines(marked_table(5)))
  expect_identical(mark(), c(f1 = 5))
  write_gzip(folder, "balance_scale.csv.gz", csv_lines(marked_table(6)))
  expect_identical(mark(), c(f1 = 6))
  expect_identical(with_data_folders(mark_of(read_small("balance-scale", folder))), c(f1 = 6))
})

test_that("sources are shown without the machine's folders", {
  folder <- new_folder()
  write_lines(folder, "monks-1/monks-1_train_R.dat", dat_lines(small_table[1:2, ]))
  write_lines(folder, "monks-1/monks-1_test_R.dat", dat_lines(small_table[3:5, ]))
  data <- with_data_folders(read_small("monks_1", folder))
  expect_identical(data$source, "monks-1/monks-1_train_R.dat + monks-1/monks-1_test_R.dat")
})

test_that("two parts are joined in their order", {
  folder <- new_folder()
  write_lines(folder, "spect_train_R.dat", dat_lines(small_table[1:2, ]))
  # A part alone is no set.
  expect_file_error(read_small("spect", folder), "spect_train_R.dat", text = "spect_test_R.dat")
  write_lines(folder, "spect_test_R.dat", dat_lines(small_table[3:5, ]))
  expect_small(read_small("spect", folder))
  write_lines(folder, "soybean_train.csv", csv_lines(small_table[1:2, ], header = FALSE))
  write_lines(folder, "soybean_test.csv", csv_lines(small_table[3:5, ], header = FALSE))
  expect_small(read_small("soybean", folder))
  # The line is that of its own part.
  write_lines(folder, "spect_test_R.dat", dat_lines(small_table[3:4, ]), "3\t1\tx\t0")
  expect_file_error(read_small("spect", folder), "spect_test_R.dat", line = 4)
  write_lines(folder, "spect_test_R.dat", dat_lines(small_table[3:5, -1]))
  expect_file_error(read_small("spect", folder), "spect_test_R.dat", text = "spect_train_R.dat")
})

test_that("the argument comes before the option, and the option before the variable", {
  folders <- vapply(1:3, function(i) {
    folder <- tempfile("cawi-data-")
    dir.create(folder)
    write_lines(folder, "iris.csv", csv_lines(marked_table(i)))
    folder
  }, "")
  on.exit(unlink(folders, recursive = TRUE))
  mark <- function(dir = NULL, option = NULL, variable = "") {
    unname(with_data_folders(mark_of(read_small("iris", dir)), option, variable))
  }
  expect_identical(mark(folders[1], folders[2], folders[3]), 1)
  expect_identical(mark(NULL, folders[2], folders[3]), 2)
  expect_identical(mark(NULL, NULL, folders[3]), 3)
  expect_identical(mark(folders[3], NULL, ""), 3)
  # A folder without the set passes it on.
  unlink(file.path(folders[1:2], "iris.csv"))
  expect_identical(mark(folders[1], folders[2], folders[3]), 3)
  # R itself comes last.
  unlink(file.path(folders[3], "iris.csv"))
  data <- with_data_folders(cawi_read_dataset("iris", folders[1]), folders[2], folders[3])
  expect_identical(data$source, "datasets::iris")
})

test_that("a set that is nowhere says where it could be", {
  with_data_folders(expect_file_error(cawi_read_dataset("wine"), "wine.csv.gz", topic = "dir",
                                      text = "CAWI_DATA"))
  folder <- new_folder()
  with_data_folders(expect_file_error(cawi_read_dataset("wine", folder), "wine.csv.gz",
                                      topic = "dir", text = "`dir`"))
})

test_that("a folder that is none is blamed by its own name", {
  gone <- file.path(tempdir(), "no-such-folder")
  with_data_folders({
    expect_error(cawi_read_dataset("iris", gone), class = "cawi_error_dir")
  })
  with_data_folders(expect_error(cawi_read_dataset("iris"), class = "cawi_error_cawi.data"),
                    option = gone)
  with_data_folders(expect_error(cawi_read_dataset("iris"), class = "cawi_error_cawi.data"),
                    option = 1)
  with_data_folders(expect_error(cawi_read_dataset("iris"), class = "cawi_error_CAWI_DATA"),
                    variable = gone)
})

test_that("unknown names bring near ones", {
  near <- function(name) {
    error <- expect_error(cawi_read_dataset(name), class = "cawi_error_name")
    cli::ansi_strip(conditionMessage(error))
  }
  expect_match(near("Iris"), "\"iris\"")
  expect_match(near("sonar"), "conn_bench_sonar_mines_rocks")
  expect_match(near("vehicle"), "statlog_vehicle")
  expect_match(near("wine-quality"), "\"wine_quality_red\"")
  expect_match(near("hepatits"), "\"hepatitis\"")
  expect_match(near("xyzxyzxyzxyz"), "cawi_datasets")
})

test_that("files of another size are read with a warning, and those of the right size without", {
  folder <- new_folder()
  write_lines(folder, "lenses.csv", csv_lines())
  expect_warning(data <- cawi_read_dataset("lenses", folder), class = "cawi_warning_dataset")
  expect_small(data)
  lenses <- data.frame(expand.grid(f1 = 1:3, f2 = 1:2, f3 = 1:2, f4 = 1:2), class = rep(0:2, 8))
  write_lines(folder, "lenses.csv", csv_lines(lenses))
  expect_silent(cawi_read_dataset("lenses", folder))
})

test_that("damaged files of a set name file and line", {
  folder <- new_folder()
  lines <- csv_lines()
  write_lines(folder, "wine.csv", lines[1:3], "1,2")
  expect_file_error(read_small("wine", folder), "wine.csv", 4)
  write_lines(folder, "wine.csv", lines[1:3], "1,NA,0")
  expect_file_error(read_small("wine", folder), "wine.csv", 4)
  write_lines(folder, "wine.csv", character())
  expect_file_error(read_small("wine", folder), "wine.csv", text = "empty")
  # No column of labels: the last one is a feature.
  write_lines(folder, "zoo.csv", csv_lines(small_table[c(3, 2, 1)]))
  expect_file_error(read_small("zoo", folder), "zoo.csv", 2, "label")
  write_lines(folder, "glass_R.dat", sub("clase", "f3", dat_lines()))
  expect_file_error(read_small("glass", folder), "glass_R.dat", topic = "label", text = "\"clase\"")
  write_gzip(folder, "seeds.csv.gz", lines)
  path <- file.path(folder, "seeds.csv.gz")
  writeBin(readBin(path, "raw", file.size(path) - 12), path)
  expect_file_error(read_small("seeds", folder), "seeds.csv.gz", text = "cut short")
})

test_argument_errors(alist(
  name = cawi_read_dataset(),
  name = cawi_read_dataset(NULL),
  name = cawi_read_dataset(NA_character_),
  name = cawi_read_dataset(c("iris", "wine")),
  name = cawi_read_dataset(1),
  name = cawi_read_dataset("no such set"),
  dir = cawi_read_dataset("iris", 1),
  dir = cawi_read_dataset("iris", NA_character_),
  dir = cawi_read_dataset("iris", c(".", ".")),
  dir = cawi_read_dataset("iris", "no-such-folder")
))

test_that("all files of the collection have the sizes of the table", {
  folder <- Sys.getenv("CAWI_DATA")
  skip_if(folder == "", "CAWI_DATA names no folder")
  # A warning would tell of another size.
  for (name in cawi_datasets()$name) {
    data <- tryCatch(cawi_read_dataset(name, folder), cawi_error_dir = function(e) NULL)
    if (!is.null(data)) expect_true(all(is.finite(data$x)))
  }
})

test_that("a folder is no file, and bytes are no name", {
  folder <- new_folder()
  dir.create(file.path(folder, "wine.csv"))
  with_data_folders(expect_error(cawi_read_dataset("wine", folder), class = "cawi_error_dir"))
  expect_error(cawi_read_dataset("\xff\xfe"), class = "cawi_error_name")
})

test_that("a link to a file of another name is read by its own", {
  skip_on_os("windows")
  folder <- new_folder()
  writeLines(c("f1,f2,class", "0.5,1.5,0", "-1.5,0.5,1"), file.path(folder, "content"))
  skip_if_not(file.symlink("content", file.path(folder, "blood.csv")))
  expect_identical(dim(suppressWarnings(cawi_read_dataset("blood", folder))$x), c(2L, 2L))
})

test_that("a name may have dimensions", {
  expect_error(cawi_read_dataset(array("no such set", c(1, 1))), class = "cawi_error_name")
  expect_identical(check_set(array("iris", 1)), check_set("iris"))
})
