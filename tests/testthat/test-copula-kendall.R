reference_tau <- function(x) suppressWarnings(stats::cor(x, method = "kendall"))

test_that("values worked by hand", {
  # 5 concordant pairs, 1 discordant
  expect_equal(cawi_kendall(1:4, c(1, 3, 2, 4))[1, 1], 2 / 3)
  # 4 concordant, one pair tied in each column: 4 / sqrt(5 * 5)
  expect_equal(cawi_kendall(cbind(c(1, 1, 2, 3), c(1, 2, 2, 3)))[1, 2], 0.8)
  # 2 concordant, one pair tied in x only: 2 / sqrt(2 * 3)
  expect_equal(cawi_kendall(c(1, 1, 2), c(2, 1, 3))[1, 1], 2 / sqrt(2 * 3))
})

for (m in c(2, 3, 10, 1000)) {
  test_that(paste("tau equals cor() without ties at m =", m), {
    x <- factor_data(m, 6)
    expect_equal(cawi_kendall(x), reference_tau(x), tolerance = 1e-12)
  })

  test_that(paste("tau equals cor() with ties of every kind at m =", m), {
    for (start in 1:5) {
      x <- tied_data(m, start)
      # cor() gives NA where a column is constant
      constant <- apply(x, 2, function(column) length(unique(column)) == 1)
      x <- x[, !constant]
      expect_equal(cawi_kendall(x), reference_tau(x), tolerance = 1e-12)
    }
  })
}

test_that("few-level columns agree with cor() on both sides of the switch to a table", {
  m <- 1000
  levels <- c(2, 3, 7, 8, 9, 15, 16, 17, 31, 125, 126)
  x <- vapply(levels, function(k) floor(lehmer(m, k) / 2147483647 * k), numeric(m))
  expect_equal(cawi_kendall(x), reference_tau(x), tolerance = 1e-12)
})

kendall_sources <- peers_of("kendall-peers", "pcaPP", kendall_peers)
for (source in names(kendall_sources)) {
  test_that(paste("tau equals pcaPP::cor.fk at 70,000 rows:", source), {
    expected <- kendall_sources[[source]]()
    expect_equal(unname(cawi_kendall(kendall_peer_data())), expected, tolerance = 1e-12,
                 ignore_attr = "made_with")
  })
}

# Orders that stress a radix recursion and its all-pairs ends.
adversarial_columns <- function(n) {
  i <- seq_len(n) - 1
  shuffled <- order(lehmer(n, 3))
  bits <- max(1, ceiling(log2(n)))
  reversed_bits <- rowSums(vapply(seq_len(bits) - 1, function(b) {
    (i %/% 2^b) %% 2 * 2^(bits - 1 - b)
  }, numeric(n)))
  cbind(
    sorted = i,
    reversed = -i,
    shuffled = shuffled,
    halves_swapped = (i + n %/% 2) %% n,
    organ_pipe = pmin(i, n - 1 - i),
    saw_of_32 = i %% 32,
    saw_of_256 = i %% 256,
    blocks_of_32 = -(i %/% 32),
    blocks_of_256 = -(i %/% 256),
    # Every 32 rows fall through all leading digits: the most inversions that one register can see.
    falling_chunks = -(i %% 32) * n + i,
    bits_reversed = reversed_bits,
    one_apart = c(n, i[-1]),
    mostly_tied = ifelse(i %% 97 == 5, shuffled, 0)
  )
}

test_that("tau is right for orders and sizes around every boundary of the counting", {
  sizes <- c(31, 32, 33, 63, 64, 65, 127, 129, 191, 192, 193, 255, 256, 257, 319, 320, 321, 322,
             399,
             400, 401, 511, 513, 1023, 1025)
  for (n in sizes) {
    x <- adversarial_columns(n)
    x <- x[, apply(x, 2, function(column) length(unique(column)) > 1)]
    y <- cbind(sorted = seq_len(n), shuffled = x[, "shuffled"], other = lehmer(n, 9),
               few = lehmer(n, 4) %% 40)
    expected <- apply(y, 2, function(b) apply(x, 2, slow_tau, y = b))
    expect_equal(cawi_kendall(x, y), expected, tolerance = 1e-12, info = paste("n =", n))
    # The other way round each sequence is counted as its inverse permutation.
    expect_equal(t(cawi_kendall(y, x)), expected, tolerance = 1e-12, info = paste("n =", n))
  }
})

test_that("tau is right where ranks pass from 16 to 32 bits", {
  for (n in c(65535, 65536)) {
    x <- adversarial_columns(n)[, c("shuffled", "reversed", "saw_of_256", "falling_chunks",
                                    "bits_reversed", "mostly_tied")]
    y <- cbind(sorted = seq_len(n), other = lehmer(n, 9))
    expected <- apply(y, 2, function(b) apply(x, 2, slow_tau, y = b))
    expect_equal(cawi_kendall(x, y), expected, tolerance = 1e-12, info = paste("n =", n))
    # The other way round each sequence is counted as its inverse permutation.
    expect_equal(t(cawi_kendall(y, x)), expected, tolerance = 1e-12, info = paste("n =", n))
    # One discordant pair in n (n - 1) / 2.
    nearly <- c(2, 1, 3:n)
    expect_equal(cawi_kendall(1:n, nearly)[1, 1], 1 - 4 / n / (n - 1), tolerance = 1e-14)
  }
})

test_that("close doubles are told apart and equal ones are not", {
  # These differ only in their last bits, below what a radix sort of leading bits sees.
  m <- 1000
  x <- 1 + (order(lehmer(m, 5)) %% 300) * .Machine$double.eps
  y <- lehmer(m, 6)
  expect_equal(cawi_kendall(x, y)[1, 1], slow_tau(x, y), tolerance = 1e-12)
  signed <- ifelse(seq_len(m) %% 2 == 0, 0, -0)
  expect_warning(tau <- cawi_kendall(signed, y), class = "cawi_warning_constant")
  expect_identical(tau[1, 1], 0)
  wide <- c(-1e308, -1, -1e-308, -5e-324, 0, 5e-324, 1e-308, 1, 1e308)
  expect_identical(cawi_kendall(wide, seq_along(wide))[1, 1], 1)
})

test_that("tau changes sign with a column and ignores increasing maps", {
  x <- tied_data(500)
  tau <- cawi_kendall(x)
  expect_identical(cawi_kendall(x, -x), -tau)
  expect_identical(cawi_kendall(x^3 + x), tau)
  expect_identical(cawi_kendall(x[rev(seq_len(500)), ]), tau)
  expect_identical(tau, t(tau))
})

test_that("a column and its copy have a tau of exactly one", {
  for (m in c(2, 7, 321, 5000)) {
    x <- tied_data(m)
    x <- x[, apply(x, 2, function(column) length(unique(column)) > 1), drop = FALSE]
    expect_identical(unname(diag(cawi_kendall(x, x))), rep(1, ncol(x)))
    expect_identical(unname(diag(cawi_kendall(x, -x))), rep(-1, ncol(x)))
  }
})

test_that("tau with `y` is the block of the whole matrix", {
  x <- tied_data(200)
  expect_identical(cawi_kendall(x[, 1:3], x[, 4:8]), cawi_kendall(x)[1:3, 4:8])
})

test_that("every pair of many columns has its place", {
  # More pairs than a task takes, and columns whose number is known from the values.
  x <- outer(1:5, 1:150, function(i, j) sin(i * j))
  expect_equal(cawi_kendall(x, threads = 2), stats::cor(x, method = "kendall"), tolerance = 1e-14)
  for (d in c(2, 3, 4, 91)) {
    expect_identical(cawi_kendall(x[, 1:d]), cawi_kendall(x)[1:d, 1:d])
  }
})

test_that("names come along", {
  x <- iris[, 1:4]
  expect_identical(dimnames(cawi_kendall(x)), list(names(x), names(x)))
  expect_identical(dimnames(cawi_kendall(x[, 1:2], x[, 3:4])), list(names(x)[1:2], names(x)[3:4]))
  expect_null(dimnames(cawi_kendall(unname(as.matrix(x)))))
  expect_equal(cawi_kendall(x), reference_tau(x), tolerance = 1e-12)
})

test_that("constant columns give zeros and a warning that names them", {
  x <- cbind(a = 1:6, b = 3, c = c(2, 1, 4, 3, 6, 5), d = 0)
  warning <- expect_warning(tau <- cawi_kendall(x), class = "cawi_warning_constant")
  expect_s3_class(warning, "cawi_warning")
  expect_match(conditionMessage(warning), "\"b\" and \"d\"", fixed = TRUE)
  expected <- diag(4)
  expected[1, 3] <- expected[3, 1] <- 9 / 15
  expect_equal(unname(tau), expected)
  expect_warning(cross <- cawi_kendall(x[, "a"], x[, "b"]), class = "cawi_warning_constant")
  expect_identical(cross[1, 1], 0)
})

test_that("a column is constant only if all its rows are equal", {
  # First, middle and last rows agree, another does not.
  expect_silent(tau <- cawi_kendall(c(1, 1, 1, 2, 1), 1:5))
  expect_equal(tau[1, 1], slow_tau(c(1, 1, 1, 2, 1), 1:5))
})

test_that("two rows, all-tied pairs and one column have their limits", {
  expect_identical(cawi_kendall(rbind(c(1, 5, 2), c(2, 4, 3)))[1, ], c(1, -1, 1))
  expect_identical(cawi_kendall(rbind(1, 2)), matrix(1))
  expect_warning(tau <- cawi_kendall(matrix(7, 5, 3)), class = "cawi_warning_constant")
  expect_identical(tau, diag(3))
  expect_warning(tau <- cawi_kendall(rbind(c(1, 5), c(1, 4))), class = "cawi_warning_constant")
  expect_identical(tau, diag(2))
})

test_that("logical and integer data are numbers", {
  x <- cbind(c(TRUE, FALSE, TRUE, TRUE), c(TRUE, FALSE, FALSE, TRUE))
  expect_equal(cawi_kendall(x), cawi_kendall(x * 1))
  expect_identical(cawi_kendall(1:5, 5:1)[1, 1], -1)
})

test_that("the number of threads does not change tau", {
  x <- cbind(tied_data(700), factor_data(700, 6))
  one <- cawi_kendall(x, threads = 1)
  expect_identical(cawi_kendall(x, threads = 2), one)
  expect_identical(cawi_kendall(x, threads = 4), one)
  across <- cawi_kendall(x, x[, 1:3], threads = 1)
  expect_identical(cawi_kendall(x, x[, 1:3], threads = 4), across)
})

test_argument_errors(alist(
  x = cawi_kendall(matrix(1:3, 1)),
  y = cawi_kendall(matrix(1:6, 3), 1:4),
  y = cawi_kendall(1:3, letters[1:3]),
  y = cawi_kendall(1:3, c(1, NA, 2)),
  y = cawi_kendall(1:3, list(1, 2, 3)),
  y = cawi_kendall(1:3, matrix(0, 3, 0)),
  threads = cawi_kendall(1:3, threads = 0)
))

for (m in c(2, 3, 64, 101, 256)) {
  test_that(paste("all pairs of few rows give tau itself at m =", m), {
    for (x in list(factor_data(m, 6), tied_data(m, 3), cbind(1, seq_len(m), -seq_len(m)))) {
      expect_identical(kendall_of_row_pairs_cpp(x, 32768L, 1L), kendall_cpp(x, 1L))
    }
  })
}

test_that("some pairs of rows, by hand", {
  # One lag: rows 1-2, 2-3, 3-4, 4-5, 5-1.
  x <- cbind(c(1, 2, 3, 4, 5), c(2, 1, 5, 4, 3), c(1, 1, 2, 2, 2))
  signs <- function(v) sign(v - c(v[-1], v[1]))
  s <- apply(x, 2, signs)
  wanted <- crossprod(s) / sqrt(outer(colSums(s^2), colSums(s^2)))
  expect_equal(kendall_of_row_pairs_cpp(x, 5L, 1L), wanted, tolerance = 1e-15)
  # Two lags are all ten pairs.
  expect_identical(kendall_of_row_pairs_cpp(x, 10L, 1L), kendall_cpp(x, 1L))
})

test_that("pairs of rows in blocks of every length, with and without ties, are those of plain R", {
  for (m in c(255, 256, 257, 700)) for (lags in c(1, 3)) for (digits in c(1, 9)) {
    x <- round(factor_data(m, 4) / 2147483647, digits)
    s <- do.call(rbind, lapply(seq_len(lags), function(lag) {
      sign(x - x[(seq_len(m) + lag - 1) %% m + 1, ])
    }))
    wanted <- crossprod(s) / sqrt(outer(colSums(s^2), colSums(s^2)))
    expect_equal(kendall_of_row_pairs_cpp(x, as.integer(m * lags), 1L), wanted, tolerance = 1e-14)
  }
})

test_that("some pairs of rows have the error that is said of them", {
  m <- 600
  lags <- 4
  set.seed(1)
  tau <- replicate(40, {
    x <- matrix(stats::rnorm(m * 12), m)
    found <- kendall_of_row_pairs_cpp(x, as.integer(m * lags), 1L)
    found[lower.tri(found)]
  })
  said <- sqrt(4 / (9 * m) + 7 / (9 * m * lags))
  expect_lt(abs(log(stats::sd(tau) / said)), 0.06)
  expect_lt(abs(mean(tau)), 4 * said / sqrt(length(tau)))
  # The same for any number of threads.
  x <- factor_data(m, 12)
  expect_identical(kendall_of_row_pairs_cpp(x, 5000L, 1L), kendall_of_row_pairs_cpp(x, 5000L, 3L))
})
