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

# ---- sets of R and mlbench -----------------------------------------------------------------------

builtin_names <- function() {
  sets <- cawi_datasets()
  sets$name[!is.na(sets$package) & vapply(sets$package,
                                          function(p) nzchar(system.file(package = p)), NA)]
}

# From the files of the collection: the first three features and the class of the first row, and the
# last three and the class of the last row.
corners <- utils::read.table(header = TRUE, text = "
  name                                 a1         a2         a3   a        b1        b2        b3  b
  iris                          -0.897674    1.02861   -1.33679   0  -0.12454  0.760212  0.787951  2
  titanic                        -1.86652   -0.22821   0.520957   1  0.965424  -0.22821  -1.91867  0
  glass                          0.870826   0.284287     1.2517   0 -0.236772   3.00663 -0.585079  5
  conn_bench_sonar_mines_rocks   -0.39859 -0.0405504 -0.0268608   1 -0.672202 -0.297886  0.992396  0
  statlog_vehicle                0.160485   0.508649  0.0577843   3  0.604699  -0.47577 -0.757164  3
  pima                            0.63953   0.847771   0.149543   1 -0.201997 -0.473476 -0.870806  0
  letter                         -1.05767    0.29187   -1.05325  19 -0.865605 -0.659019  0.122908  0
  zoo                             1.15563  -0.494438   -1.17934   0  0.585862 -0.382446 -0.874235  1
  ionosphere                     0.347937   0.711357  -0.233923   1 -0.122643  0.972474 -0.162255  1
  breast_cancer_wisc             0.206788  -0.699494  -0.742767   0   2.69124  0.371049 -0.343666  1
  congressional_voting          -0.168237  -0.351775  -0.160884   1 -0.201436   3.80819  -0.55989  1
  statlog_landsat                  1.6503     1.3705    1.24022   2 -0.139822  0.558919  0.498317  4
  statlog_shuttle                0.142847   0.271364  -0.936349   1  0.372297 -0.227352  -0.38555  3
")

test_that("sets without a folder have the sizes of the collection and standardized columns", {
  sets <- cawi_datasets()
  for (name in builtin_names()) {
    data <- with_data_folders(cawi_read_dataset(name))
    set <- sets[sets$name == name, ]
    expect_identical(dim(data$x), c(set$m, set$d))
    expect_identical(nlevels(data$y), set$classes)
    expect_identical(anyDuplicated(colnames(data$x)), 0L)
    expect_null(rownames(data$x))
    parts <- split(seq_len(set$m), seq_len(set$m) > (if (is.na(set$train)) set$m else set$train))
    for (rows in parts) {
      expect_lt(max(abs(colMeans(data$x[rows, ]))), 1e-9)
      expect_equal(unname(apply(data$x[rows, ], 2, sd)), rep(1, set$d))
    }
    expect_match(data$source, paste0("^", set$package, "::"))
  }
})

test_that("sets without a folder have the values of the collection", {
  expect_setequal(corners$name, cawi_datasets()$name[!is.na(cawi_datasets()$package)])
  for (name in builtin_names()) {
    data <- with_data_folders(cawi_read_dataset(name))
    corner <- corners[corners$name == name, ]
    last <- nrow(data$x)
    values <- c(data$x[1, 1:3], as.integer(data$y)[1] - 1, rev(rev(data$x[last, ])[1:3]),
                as.integer(data$y)[last] - 1)
    expect_lt(max(abs(unname(values) - unlist(corner[-1]))), 6e-6)
  }
})

test_that("sets without a folder are those of the collection's files", {
  folder <- Sys.getenv("CAWI_DATA")
  skip_if(folder == "", "CAWI_DATA names no folder")
  for (name in builtin_names()) {
    file <- tryCatch(cawi_read_dataset(name, folder), cawi_error_dir = function(e) NULL)
    if (is.null(file) || grepl("::", file$source)) next
    data <- with_data_folders(cawi_read_dataset(name))
    # Six digits of each value.
    expect_lt(max(abs(data$x - file$x) / pmax(1, abs(file$x))), 5.1e-6)
    expect_identical(as.integer(data$y), as.integer(file$y))
  }
})

test_that("all files of the collection have the sizes of the table", {
  folder <- Sys.getenv("CAWI_DATA")
  skip_if(folder == "", "CAWI_DATA names no folder")
  # A warning would tell of another size.
  for (name in cawi_datasets()$name) {
    data <- tryCatch(cawi_read_dataset(name, folder), cawi_error_dir = function(e) NULL)
    if (!is.null(data)) expect_true(all(is.finite(data$x)))
  }
})

test_that("the coding of the sets of R and mlbench", {
  iris_set <- with_data_folders(cawi_read_dataset("iris"))
  expect_identical(colnames(iris_set$x), names(iris)[1:4])
  expect_identical(iris_set$y, iris$Species)
  # Rows 35 and 38 of the UCI copy are equal.
  expect_identical(iris_set$x[35, ], iris_set$x[38, ])
  people <- with_data_folders(cawi_read_dataset("titanic"))
  expect_identical(as.vector(table(people$y)), c(1490L, 711L))
  skip_if_not_installed("mlbench")
  votes <- with_data_folders(cawi_read_dataset("congressional_voting"))
  expect_true(all(apply(votes$x, 2, function(column) length(unique(column))) == 2L))
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
