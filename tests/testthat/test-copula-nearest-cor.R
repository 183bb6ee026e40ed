distance <- function(a, b) sqrt(sum((a - b)^2))

expect_correlation <- function(r, floor = 1e-8) {
  expect_identical(unname(diag(r)), rep(1, nrow(r)))
  expect_identical(r, t(r))
  expect_gte(min(eigen(r, symmetric = TRUE, only.values = TRUE)$values), floor - 1e-10)
}

test_that("values worked by hand", {
  # Two dimensions: the eigenvalues are 1 - r and 1 + r.
  expect_equal(cawi_nearest_cor(matrix(c(1, 3, 3, 1), 2), floor = 0), matrix(1, 2, 2))
  expect_equal(cawi_nearest_cor(matrix(c(1, -3, -3, 1), 2), floor = 0.25),
               matrix(c(1, -0.75, -0.75, 1), 2))
  # By symmetry all correlations are equal, and at least -1 / (d - 1).
  r <- matrix(-0.9, 5, 5)
  diag(r) <- 1
  expect_equal(cawi_nearest_cor(r, floor = 0), matrix(-0.25, 5, 5) + 1.25 * diag(5),
               tolerance = 1e-7)
  expect_identical(cawi_nearest_cor(matrix(4)), matrix(1))
})

test_that("the example of Higham (2002) gives his solution", {
  r <- cawi_nearest_cor(matrix(c(1, 1, 0, 1, 1, 1, 0, 1, 1), 3), floor = 0)
  expect_equal(r[1, 2], 0.760689917052126, tolerance = 1e-7)
  expect_equal(r[1, 3], 0.157298101061998, tolerance = 1e-6)
  expect_identical(r[2, 3], r[1, 2])
})

nearest_sources <- peers_of("nearest-cor-peers", "Matrix", nearest_peers)
for (source in names(nearest_sources)) {
  test_that(paste("no farther from the input than Matrix::nearPD:", source), {
    peers <- nearest_sources[[source]]()
    inputs <- nearest_peer_inputs()
    for (name in names(inputs)) {
      ours <- cawi_nearest_cor(inputs[[name]])
      expect_correlation(ours)
      # A relative 1e-7 is what the floor on the eigenvalues may cost.
      expect_lte(distance(ours, inputs[[name]]),
                 distance(peers[[name]], inputs[[name]]) * (1 + 1e-7))
      expect_equal(ours, peers[[name]], tolerance = 1e-5, info = name)
    }
  })
}

test_that("no correlation matrix is nearer: the angle to every other one is obtuse", {
  for (r in nearest_peer_inputs()) {
    d <- nrow(r)
    nearest <- cawi_nearest_cor(r, floor = 0)
    signs <- ifelse(matrix(lehmer(200 * d, 3), d) %% 2 == 0, -1, 1)
    others <- lapply(seq_len(200), function(k) tcrossprod(signs[, k]))
    inner <- vapply(c(others, list(diag(d))),
                    function(other) sum((r - nearest) * (other - nearest)), 0)
    expect_lte(max(inner), 1e-6 * d)
  }
})

test_that("a positive definite correlation matrix comes back unchanged", {
  for (r in list(diag(3), mixed_correlation(6), matrix(c(1, 0.99, 0.99, 1), 2))) {
    expect_identical(cawi_nearest_cor(r), r)
  }
})

test_that("the answer is a fixed point", {
  for (r in nearest_peer_inputs()) {
    once <- cawi_nearest_cor(r)
    expect_equal(cawi_nearest_cor(once), once, tolerance = 1e-7)
  }
})

test_that("the floor is respected", {
  for (floor in c(0, 1e-8, 1e-3, 0.2)) {
    for (r in nearest_peer_inputs()) expect_correlation(cawi_nearest_cor(r, floor), floor)
  }
})

test_that("the floor is respected where the matrix is positive definite already", {
  # 1 - 0.9 is below the floor: the nearest matrix has 1 - r = 0.5.
  r <- matrix(c(1, 0.9, 0.9, 1), 2)
  expect_equal(cawi_nearest_cor(r, floor = 0.5), matrix(c(1, 0.5, 0.5, 1), 2))
  expect_equal(cawi_nearest_cor(r, floor = 1), diag(2))
  nearly_singular <- matrix(c(1, 1 - 1e-12, 1 - 1e-12, 1), 2)
  expect_correlation(cawi_nearest_cor(nearly_singular))
})

test_that("duplicates, any diagonal and names are served", {
  x <- factor_data(30, 4)
  r <- sin(pi / 2 * cawi_kendall(x[, c(1, 2, 3, 4, 1, 2)]))
  fixed <- cawi_nearest_cor(r)
  expect_correlation(fixed)
  expect_equal(fixed, r, tolerance = 1e-6)
  named <- matrix(c(4, 1, 1, 9), 2, dimnames = list(c("a", "b"), c("a", "b")))
  expect_identical(dimnames(cawi_nearest_cor(named)), dimnames(named))
  expect_correlation(unname(cawi_nearest_cor(named)))
  # Distance to a diagonal of anything is in the off-diagonal entries alone.
  expect_equal(unname(cawi_nearest_cor(named)), matrix(c(1, 1, 1, 1), 2), tolerance = 1e-7)
})

test_that("many more columns than rows", {
  r <- sin(pi / 2 * cawi_kendall(factor_data(20, 120)))
  diag(r) <- 1
  fixed <- cawi_nearest_cor(r)
  expect_correlation(fixed)
  expect_lt(distance(fixed, r), distance(diag(120), r))
})

test_argument_errors(alist(
  r = cawi_nearest_cor(matrix(1:6, 2)),
  r = cawi_nearest_cor(1:3),
  r = cawi_nearest_cor(matrix(c(1, 0.5, 0.4, 1), 2)),
  r = cawi_nearest_cor(matrix(1e200, 3, 3)),
  floor = cawi_nearest_cor(diag(2), floor = -1e-3),
  floor = cawi_nearest_cor(diag(2), floor = 1.5),
  floor = cawi_nearest_cor(diag(2), floor = NA),
  floor = cawi_nearest_cor(diag(2), floor = "low"),
  floor = cawi_nearest_cor(diag(2), floor = c(0, 0.1))
))

test_that("messages about matrices", {
  local_reproducible_output()
  expect_snapshot(show_error(cawi_nearest_cor(matrix(1:6, 2))))
  expect_snapshot(show_error(cawi_nearest_cor(matrix(c(1, 0.5, 0.4, 1), 2))))
  expect_snapshot(show_error(cawi_copula_from("gaussian", cor = matrix(c(1, 2, 2, 1), 2))))
})

# Correlations of many columns that follow a few factors, and noise that leaves no definite matrix.
low_rank_cor <- function(d, factors, noise) {
  set.seed(d)
  loadings <- matrix(stats::rnorm(d * factors), d)
  true <- stats::cov2cor(tcrossprod(loadings))
  extra <- matrix(stats::rnorm(d * d, sd = noise), d)
  seen <- ((true + extra) + t(true + extra)) / 2
  diag(seen) <- 1
  list(true = true, seen = seen)
}

leading_cor <- function(cor) {
  leading_correlation_from_tau_cpp(2 / pi * asin(pmin(pmax(cor, -1), 1)))
}

rms_gap <- function(a, b) sqrt(mean((a - b)[lower.tri(a)]^2))

for (d in c(20, 100, 150)) for (factors in c(3, 12, 40)) {
  test_that(paste("leading correlations are close to the nearest ones:", d, factors), {
    cor <- low_rank_cor(d, factors, 0.03)
    found <- leading_cor(cor$seen)
    expect_identical(found, t(found))
    expect_identical(diag(found), rep(1, d))
    expect_gt(min(eigen(found, symmetric = TRUE)$values), 1e-5)
    expect_true(all(abs(found) <= 1))
    expect_lt(rms_gap(found, cawi_nearest_cor(cor$seen)), 0.02)
    # No further from the truth than what was seen.
    expect_lt(rms_gap(found, cor$true), max(1.1 * rms_gap(cor$seen, cor$true), 0.01))
  })
}

test_that("a positive definite matrix is its own leading correlation", {
  cor <- 0.5^abs(outer(1:60, 1:60, `-`))
  expect_equal(leading_cor(cor), cor, tolerance = 1e-14)
  # Duplicates, and nothing but duplicates.
  for (d in c(2, 20, 100)) {
    found <- leading_cor(matrix(1, d, d))
    expect_lt(max(abs(found - 1)), 0.002)
    expect_gt(min(eigen(found, symmetric = TRUE)$values), 1e-5)
  }
})

test_that("entries far beyond one give the right matrix or an error, never another matrix", {
  r <- matrix(c(1, 0.9, -0.9, 0.9, 1, 0.9, -0.9, 0.9, 1), 3)
  # The limit: the correlations that have the largest sum of products with those of r.
  limit <- matrix(c(1, 0.5, -0.5, 0.5, 1, 0.5, -0.5, 0.5, 1), 3)
  for (size in c(1e5, 1e9)) {
    expect_equal(cawi_nearest_cor(r * size), limit, tolerance = 1e-4)
  }
  for (size in c(1e20, 1e100, 1e154, 1e300)) {
    expect_error(cawi_nearest_cor(r * size), class = "cawi_error_r")
  }
})

test_that("a matrix that is not symmetric at some place is no correlation matrix", {
  cor <- 0.5^abs(outer(1:4, 1:4, "-"))
  expect_true(is_correlation_cpp(cor))
  for (place in which(row(cor) != col(cor))) {
    expect_false(is_correlation_cpp(replace(cor, place, cor[place] + 0.01)))
    expect_false(is_correlation_cpp(replace(cor, place, NaN)))
  }
})
