frame <- mixed_frame()

test_that("errors of penalties on folds are those of separate fits", {
  lambdas <- 10^(-3:2)
  for (task in c("classification", "regression", "outputs")) {
    source <- cawi_source(frame, chunk = 20, folds = 3)
    fit <- fit_formula("rvfl", mixed_formulas[[task]], source, lambda = lambdas, seed = 6)
    x <- forge_new_data(fit, frame)$x
    y <- fit$preprocessor$response
    y <- plain_response(new_response(y, frame, "data", NULL))
    a <- cawi_features(fit, frame)
    target <- if (task == "classification") {
      indicators(y)
    } else {
      sweep(sweep(as.matrix(y), 2, fit$outcome$center), 2, fit$outcome$sd, "/")
    }
    fold <- fold_numbers(6, 1L, seq_len(90) - 1, 3L)
    expect_gt(min(table(fold)), 10)
    errors <- vapply(lambdas, function(lambda) {
      total <- 0
      for (k in 1:3) {
        train <- fold != k
        beta <- plain_ridge(a[train, ], target[train, , drop = FALSE], lambda,
                            free = task != "classification")
        total <- total + colSums((target[!train, , drop = FALSE] - a[!train, ] %*% beta)^2)
      }
      total
    }, numeric(ncol(target)))
    errors <- t(matrix(errors, ncol(target)))
    wanted <- if (task == "classification") {
      matrix(sqrt(rowSums(errors) / ncol(target) / 90))
    } else {
      sweep(sqrt(errors / 90), 2, fit$outcome$sd, "*")
    }
    expect_equal(fit$readouts[[1]]$loo$rmse, wanted, tolerance = 1e-9, ignore_attr = TRUE)
  }
})

test_that("sums of chunks are those of all rows, and can be taken away again", {
  fit <- cawi_edrvfl(class ~ north + east, frame, hidden = c(4, 3), seed = 1, lambda = 1)
  learner <- new_learner(fit, list(), 2L, 1)
  place <- function(rows) list(shard = 1L, rows = rows, threads = 1L)
  all <- chunk_statistics(learner, frame, place(0))
  first <- chunk_statistics(learner, frame[1:30, ], place(0))
  rest <- chunk_statistics(learner, frame[31:90, ], place(30))
  merged <- merge_statistics(first, rest)
  expect_equal(merged, all, tolerance = 1e-12)
  expect_equal(merge_statistics(merged, rest, -1), first, tolerance = 1e-10)
  expect_identical(vapply(all$sums[[1]], function(part) part$rows, 0),
                   as.vector(table(fold_numbers(1, 1L, 0:89, 2L))) + 0)
})

test_that("a sum worked by hand", {
  # One feature without nodes of any use: sums of squares of (x, 1).
  network <- list(center = 0, sd = 1, ranks = NULL, layers = list(), wiring = "stacked",
                  direct = TRUE, intercept = TRUE)
  targets <- list(values = matrix(c(1, 2, 4)), outputs = 1L, case_weights = c(1, 2, 1))
  sums <- fold_sums_cpp(matrix(c(1, 2, 3)), network, targets, c(1, 1, 2), 2L, 0L, 1L)[[1]]
  expect_equal(sums[[1]]$aa, matrix(c(1 + 2 * 4, 1 + 2 * 2, 1 + 2 * 2, 3), 2))
  expect_equal(sums[[1]]$ay, matrix(c(1 + 2 * 4, 1 + 2 * 2)))
  expect_equal(sums[[1]]$yy, 1 + 2 * 4)
  expect_equal(c(sums[[2]]$rows, sums[[2]]$weight, sums[[2]]$yy), c(1, 1, 16))
  both <- merge_sums_cpp(sums[[1]], sums[[2]], 1)
  expect_equal(both$aa, matrix(c(18, 8, 8, 4), 2))
  expect_equal(both$rows, 3)
  # (x'x + 1) b = x'y with x = (1, 1), y = 1 twice: b of the fold is tried on the other.
  a <- sums[[1]]
  a$aa <- matrix(2, 1, 1)
  a$ay <- matrix(2, 1, 1)
  a$yy <- 2
  a$rows <- a$weight <- 2
  a$ones <- 0L
  fold <- utils::modifyList(a, list(aa = matrix(1, 1, 1), ay = matrix(1, 1, 1), yy = 1, rows = 1))
  # The other row alone: b = 1 / 2, error (1 - 1 / 2)^2.
  expect_equal(held_out_losses_cpp(a, fold, 1, 1L)$squared_error, matrix(0.25))
})

test_that("sums of other sizes cannot be merged", {
  a <- list(kind = "gram", aa = diag(2), ay = matrix(0, 2, 1), ones = 0L, yy = 0, rows = 1,
            weight = 1)
  b <- utils::modifyList(a, list(aa = diag(3), ay = matrix(0, 3, 1)))
  expect_error(merge_sums_cpp(a, b, 1), "different sizes")
})

test_that("classes that one side lacks are zero in its rows", {
  one <- list(sums = list(list(list(aa = diag(1), ay = matrix(c(1, 2), 1), yy = c(1, 2)))),
              levels = c("a", "b"), rows = 3)
  wider <- with_levels(one, c("b", "z", "a"))
  expect_identical(wider$sums[[1]][[1]]$ay, matrix(c(2, 0, 1), 1))
  expect_identical(wider$sums[[1]][[1]]$yy, c(2, 0, 1))
})
