# Index arithmetic at the edges of integers of 32 bits, without the memory: 2^31 is the most that R
# counts in integers, 2^32 where a number of 32 bits without a sign begins again.

edges <- c(2^31 - 1, 2^31, 2^31 + 1, 2^32 - 1, 2^32, 2^32 + 1, 2^33 + 7, 2^40 + 3)

test_that("blocks of rows follow each other and end with the last row", {
  for (rows in edges) for (size in c(1, 256, 4096, 2^31 + 1)) {
    count <- ceiling(rows / size)
    for (block in c(0, floor(count / 2), count - 1)) {
      first <- block * size
      expect_identical(row_block_cpp(rows, size, 0, block),
                       c(count, size, first, min(size, rows - first)))
    }
  }
  # The blocks of products are at most 4096 rows, and no row is left.
  for (rows in edges) for (columns in c(1, 300, 2^33)) {
    count <- row_block_cpp(rows, 0, columns, 0)[1]
    last <- row_block_cpp(rows, 0, columns, count - 1)
    expect_lte(last[2], 4096)
    expect_gte(last[4], 1)
    expect_identical(last[3] + last[4], rows)
  }
})

test_that("pairs of columns have their numbers", {
  # Column j has the pairs j (j - 1) / 2, ..., j (j + 1) / 2 - 1.
  for (j in c(1, 2, 65535, 65536, 65537, 92682, 92683, 2^20 + 1, 2^26)) {
    first <- j * (j - 1) / 2
    expect_identical(column_pair_cpp(first), c(0, j))
    expect_identical(column_pair_cpp(first + j - 1), c(j - 1, j))
    if (j > 1) expect_identical(column_pair_cpp(first - 1), c(j - 2, j - 1))
  }
})

test_that("pairs of rows are counted beyond 2^32", {
  halves <- function(n) {
    # Exact: one of the factors is even, and each half of the product stays below 2^53.
    even <- if (n %% 2 == 0) c(n / 2, n - 1) else c(n, (n - 1) / 2)
    low <- even[1] %% 2^16 * even[2]
    high <- even[1] %/% 2^16 * even[2]
    total <- high %% 2^16 * 2^16 + low
    matrix(c(high %/% 2^16 + total %/% 2^32, total %% 2^32), 1)
  }
  expect_identical(halves(65537), matrix(c(0, 2^31 + 2^15), 1))
  for (n in c(2, 65535, 65536, 65537, 92682, 92683, 2^31 - 1)) {
    expect_identical(pair_count_cpp(n), halves(n))
  }
  # A matrix of R has fewer rows than 2^31; squares of 2^32 leave 64 bits.
  for (rows in edges[edges <= 2^32]) {
    expect_identical(row_lags_cpp(rows, 2^31 - 1)[1], max(1, floor((2^31 - 1) / rows)))
    expect_identical(row_lags_cpp(rows, 10 * rows), c(10, rows))
  }
  # All pairs: half the rows as lags, the last of which meets every pair twice.
  expect_identical(row_lags_cpp(65538, 65538 * 65537 / 2), c(32769, 32769))
})

test_that("tau is right where pairs, ties and joint ties pass 2^32", {
  n <- 1e5
  x <- c(rep(0, n - 1), 1)
  distinct <- seq_len(n)
  # One row against all others, n - 1 pairs, of which none is tied in the distinct column.
  expect_equal(kendall_cross_cpp(cbind(x), cbind(distinct), 1L)[1], sqrt((n - 1) / choose(n, 2)),
               tolerance = 1e-12)
  half <- rep(0:1, each = n / 2)
  expect_identical(kendall_cpp(cbind(half, half + 0), 1L)[1, 2], 1)
  expect_identical(kendall_cpp(cbind(distinct, rev(distinct)), 1L)[1, 2], -1)
  # Two levels each, crossed evenly: as many concordant as discordant pairs, 6.25e8 of both.
  expect_identical(kendall_cpp(cbind(half, rep(0:1, n / 2)), 1L)[1, 2], 0)
})

test_that("draws go on beyond 2^32", {
  independence <- core_list("independence", 3L)
  for (first in c(2^31 - 2, 2^32 - 2, 2^40 + 3)) {
    u <- draws_from_cpp(independence, first, 5L, 7)
    for (k in 1:5) {
      words <- stream_words_cpp(7, first + k - 1, 3L, TRUE)
      expect_identical(u[k, ], (words[, 1] * 2^20 + floor(words[, 2] / 2^12) + 0.5) / 2^52)
    }
    expect_identical(row_uniforms_cpp(7, first, 5L), u[, 1])
    # Blocks that overlap give the same draws.
    for (family in c("gaussian", "t", "clayton", "frank", "gumbel")) {
      copula <- list(family = family, dim = 3L, cor = diag(3), df = 4, theta = 2)
      whole <- draws_from_cpp(copula, first, 5L, 7)
      expect_identical(draws_from_cpp(copula, first + 2, 3L, 7), whole[3:5, ])
      expect_false(any(duplicated(whole)))
    }
  }
})

test_that("sums and moments of more rows than an integer holds are merged", {
  part <- list(kind = "gram", aa = diag(2), ay = matrix(1, 2, 1), ones = 0L, yy = 1,
               rows = 2^40 + 1, weight = 2^40 + 1)
  whole <- merge_sums_cpp(part, part, 1)
  expect_identical(whole$rows, 2^41 + 2)
  expect_identical(merge_sums_cpp(whole, part, -1)$rows, 2^40 + 1)
  low <- list(mean = 0, sd = 1, weight = 2^40, origin = 0, distance = 0)
  high <- list(mean = 2, sd = 1, weight = 2^40, origin = 2, distance = 0)
  both <- merge_moments_cpp(low, high)
  expect_equal(c(both$mean, both$sd, both$weight), c(1, sqrt(2), 2^41))
})
