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
