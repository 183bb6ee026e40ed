rows_of_matrix <- function(x) cawi:::sparse_rows(x, "x", NULL)

unname_rows <- function(x) {
  rownames(x) <- NULL
  x
}

test_that("a matrix by hand becomes compressed rows, and comes back", {
  skip_if_not_installed("Matrix")
  x <- Matrix::sparseMatrix(i = c(1, 3, 3), j = c(2, 1, 2), x = c(5, 7, 9), dims = c(3, 2),
                            dimnames = list(NULL, c("a", "b")))
  rows <- rows_of_matrix(x)
  expect_identical(rows$start, c(0L, 1L, 1L, 3L))
  expect_identical(rows$column, c(1L, 0L, 1L))
  expect_identical(rows$value, c(5, 7, 9))
  expect_identical(dim(rows), c(3L, 2L))
  expect_identical(colnames(rows), c("a", "b"))
  expect_identical(as.matrix(rows), unname_rows(as.matrix(x)))
  expect_output(print(rows), "3 x 2, 3 numbers stored")
})

test_that("all kinds of sparse matrices give the numbers of as.matrix()", {
  x <- sparse_x()
  square <- Matrix::crossprod(x)
  kinds <- list(
    x, methods::as(x, "TsparseMatrix"), methods::as(x, "RsparseMatrix"), x != 0,
    methods::as(x != 0, "nMatrix"), square, Matrix::triu(square), Matrix::Diagonal(4),
    Matrix::Diagonal(3, c(1, 0, 2)), methods::as(c(2L, 3L, 1L), "pMatrix"),
    # Places that are there twice are added up.
    methods::new("dgTMatrix", i = c(0L, 0L), j = c(1L, 1L), x = c(1, 2), Dim = c(2L, 2L))
  )
  for (kind in kinds) {
    expect_equal(unname(as.matrix(rows_of_matrix(kind))), unname(as.matrix(kind) + 0),
                 label = class(kind))
  }
})

test_that("rows are taken, repeated, turned round and put below each other", {
  x <- sparse_x()
  z <- unname_rows(as.matrix(x))
  rows <- rows_of_matrix(x)
  for (some in list(c(3, 3, 1), 60:1, integer(), z[, 1] > 0, -(1:50))) {
    expect_identical(as.matrix(rows[some, , drop = FALSE]), z[some, , drop = FALSE])
  }
  expect_identical(rows[], rows)
  wanted <- rbind(z, z[1:2, ])
  expect_identical(as.matrix(append_rows(rows, rows[1:2, ])), wanted)
  expect_identical(as.matrix(append_rows(rows, z[1:2, ])), wanted)
  expect_identical(append_rows(z, rows[1:2, ]), wanted)
  some <- cawi:::sparse_rows(x, "x", NULL, columns = c(7L, 2L))
  expect_identical(as.matrix(some), z[, c(7, 2)])
  expect_identical(cawi:::sparse_rows(rows, "x", NULL, columns = c(7L, 2L)), some)
  expect_identical(as_sparse_like(z), rows)
  expect_error(rows[61, ], class = "cawi_error_i")
})

test_that("what is true of the numbers of a matrix is true of those of sparse rows", {
  x <- sparse_x()
  x[2, 3] <- NA
  x[5, 3] <- NaN
  x[7, 8] <- Inf
  z <- as.matrix(x)
  rows <- rows_of_matrix(x)
  expect_identical(incomplete_rows(rows), unname(incomplete_rows(z)))
  expect_identical(columns_with(rows, is.na), 3L)
  expect_identical(columns_with(rows, is.infinite), unname(columns_with(z, is.infinite)))
  expect_false(all_finite(rows))
  filled <- fill_holes(rows, seq_len(8))
  expect_identical(unname(as.matrix(filled)[c(2, 5), 3]), c(3, 3))
})

test_that("slots that were edited are refused, not read", {
  x <- sparse_x()
  bad <- function(slot, value) {
    attr(x, slot) <- value
    x
  }
  damaged <- list(
    bad("i", replace(x@i, 2, 1000L)), bad("i", replace(x@i, 2, -1L)),
    bad("i", replace(x@i, 1:2, x@i[2:1])), bad("i", as.numeric(x@i)), bad("i", integer()),
    bad("p", replace(x@p, 3, 100000L)), bad("p", x@p[-1]), bad("p", replace(x@p, 9, NA)),
    bad("p", integer()), bad("x", x@x[-1]), bad("x", letters), bad("Dim", c(2L, 8L)),
    bad("Dim", 60L), bad("Dim", c(60L, NA)), bad("Dimnames", list(NULL, "a")),
    bad("Dimnames", list())
  )
  for (matrix in damaged) {
    expect_error(cawi_elm(matrix, sparse_y("regression", x), hidden = 3, seed = 1),
                 class = "cawi_error_x")
  }
  triplets <- methods::as(x, "TsparseMatrix")
  triplets@j[4] <- 5000L
  expect_error(cawi_elm(triplets, seq_len(60), hidden = 3, seed = 1), class = "cawi_error_x")
  rows <- rows_of_matrix(x)
  for (name in c("start", "column", "value", "columns")) {
    bad <- unclass(rows)
    bad[[name]] <- "damaged"
    expect_false(cawi:::sound_sparse_rows_cpp(bad))
  }
  rows$column[3] <- 99L
  expect_error(cawi_elm(rows, seq_len(60), hidden = 3, seed = 1), class = "cawi_error_x")
})

test_that("a dgCMatrix is read without loading Matrix", {
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  saveRDS(sparse_x(), file)
  code <- sprintf(paste(
    "x <- readRDS('%s'); fit <- cawi::cawi_elm(x, seq_len(60), hidden = 3, seed = 1);",
    "p <- predict(fit, x); cat(length(p), 'Matrix' %%in%% loadedNamespaces())"
  ), file)
  libraries <- paste0("R_LIBS=", paste(.libPaths(), collapse = .Platform$path.sep))
  found <- system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(code)), stdout = TRUE,
                   env = libraries)
  expect_identical(found, "60 FALSE")
})

test_that("what would fill too much is refused with its size and other ways", {
  expect_error(
    cawi:::check_filled(2^27 + 1, "something", "init", "Do something else.", NULL),
    class = "cawi_error_init", regexp = "something would fill 1 GB"
  )
  expect_invisible(cawi:::check_filled(2^27, "something", "init", "", NULL))
})

test_that("functions that need all numbers refuse sparse matrices", {
  x <- sparse_x()
  for (sparse in list(x, rows_of_matrix(x))) {
    expect_error(cawi_copula(sparse, "gaussian"), class = "cawi_error_x")
    expect_error(cawi_kendall(sparse), class = "cawi_error_x")
    expect_error(cawi_elm(as.matrix(x), sparse, hidden = 3), class = "cawi_error_y")
  }
})

test_that("sparse rows tell what is wrong with what is asked of them, or with themselves", {
  x <- sparse_x(12, 4)
  rows <- cawi_elm(x, sparse_y("regression", x), hidden = 3, seed = 1)$data$x
  expect_error(rows[1:2, 1], class = "cawi_error_j")
  for (i in list(13, NA, "a", sum, list(1))) expect_error(rows[i, ], class = "cawi_error_i")
  expect_identical(as.matrix(rows[2:1, ]), as.matrix(rows)[2:1, ])
  damaged <- rows
  damaged$start <- rev(rows$start)
  expect_error(damaged[1, ], class = "cawi_error_x")
  expect_error(as.matrix(damaged), class = "cawi_error_x")
  expect_error(as.matrix(replace(rows, "labels", list(new.env()))), class = "cawi_error_x")
  expect_error(print(replace(rows, "columns", 1.5)), class = "cawi_error_x")
})

test_that("room that a matrix does not use is not read, and damaged rows are not taken", {
  skip_if_not_installed("Matrix")
  x <- Matrix::sparseMatrix(i = c(1, 2), j = c(1, 2), x = c(5, 7), dims = c(2, 2))
  x@p <- c(0L, 1L, 1L)
  expect_identical(as.matrix(rows_of_matrix(x)), cbind(c(5, 0), c(0, 0)))
  x@p <- c(0L, 0L, 0L)
  expect_identical(as.matrix(rows_of_matrix(x)), matrix(0, 2, 2))
  good <- rows_of_matrix(Matrix::sparseMatrix(i = 1, j = 2, x = 5, dims = c(2, 2)))
  expect_true(is_sound_sparse(good))
  bad <- list(start = 3L, column = 7L, labels = c("a", "b", "c"), labels = 1:2)
  for (i in seq_along(bad)) {
    expect_false(is_sound_sparse(replace(unclass(good), names(bad)[i], bad[i])))
  }
  expect_false(is_sound_sparse(1))
})

test_that("what is no sparse rows is not printed as some", {
  expect_error(print(structure(list(), class = "cawi_sparse_rows")), class = "cawi_error_x")
})
