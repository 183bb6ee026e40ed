# What the core offers through its wrappers, beside peers and by hand.

test_that("every row of the table of families turns tau into theta and back", {
  table <- family_table_cpp()
  archimedean <- family_names[vapply(family_names, family_is, NA, kind = "archimedean")]
  expect_setequal(table$family, archimedean)
  for (i in seq_len(nrow(table))) {
    family <- table$family[i]
    largest <- table$largest_tau[i]
    expect_identical(table$independence[i], families[[family]]$independence)
    for (tau in c(1e-6, 0.1, 0.5, 0.9, largest)) {
      theta <- theta_from_tau_cpp(family, tau)
      expect_gt(theta, table$independence[i])
      expect_equal(tau_from_theta_cpp(family, theta), tau, tolerance = 1e-9)
    }
    for (tau in c(-0.1, 0, 1, (1 + largest) / 2)) {
      expect_error(theta_from_tau_cpp(family, tau), class = "cawi::DomainError")
    }
  }
  expect_error(theta_from_tau_cpp("gaussian", 0.5), class = "cawi::DomainError")
})

test_that("an unknown word is an error, not a default", {
  x <- matrix(c(1, 1, 2))
  expect_error(pseudo_obs_cpp(x, "randon", 1, 1L), "ties", class = "cawi::DomainError")
  expect_error(activate_cpp(x, "sigmiod"), "activation", class = "cawi::DomainError")
  expect_error(weights_cpp(core_list("independence", 1L), 2L, "nomal", 1, 1, 1L), "marginal",
               class = "cawi::DomainError")
})

test_that("streams have the words and the normal numbers of sitmo's generator and of Boost", {
  for (seed in c(0, 1, 42, 2^53 - 1)) for (index in c(0, 1, 255, 2^40 + 3)) {
    expect_identical(stream_words_cpp(seed, index, 101L, FALSE),
                     stream_words_cpp(seed, index, 101L, TRUE))
    # Long enough for all layers of the ziggurat and for its tail.
    expect_identical(stream_normals_cpp(seed, index, 20000L, FALSE),
                     stream_normals_cpp(seed, index, 20000L, TRUE))
  }
  # The published answer for key and counter zero.
  expect_identical(stream_words_cpp(0, 0, 4L, FALSE),
                   cbind(c(0x4071fabe, 0x02ed3113, 0x397311b5, 0xe21292c3),
                         c(0xe1dc8e05, 0x695c9c62, 0xb89f9d49, 0x258024bc)))
})

test_that("draws of the independence copula are the words of the streams", {
  u <- simulate(cawi_copula_from("independence", dim = 7), 261, seed = 5)
  for (draw in c(1, 2, 255, 256, 257, 261)) {
    words <- stream_words_cpp(5, draw - 1, 7L, TRUE)
    # The leading 52 bits, at the middle of their cell.
    cell <- words[, 1] * 2^20 + floor(words[, 2] / 2^12)
    expect_identical(u[draw, ], (cell + 0.5) / 2^52)
  }
})

test_that("the normal distribution function of arrays has the digits of pnorm()", {
  x <- c(seq(-37.4, 9, by = 0.01), -1e-300, 0, 1e-300, 5e-324)
  found <- normal_cdf_cpp(x)
  expect_lt(max(abs(found / stats::pnorm(x) - 1)), 3e-15)
  expect_equal(found + normal_cdf_cpp(-x), rep(1, length(x)), tolerance = 1e-15)
  expect_false(is.unsorted(normal_cdf_cpp(seq(-8, 8, length.out = 1001))))
  expect_identical(normal_cdf_cpp(c(0, 40, Inf)), c(0.5, 1, 1))
  expect_equal(normal_cdf_cpp(1.959963984540054), 0.975, tolerance = 1e-15)
  # Draws are clamped, but never to zero before.
  expect_true(all(normal_cdf_cpp(c(-38, -1e10, -Inf)) > 0))
})

test_that("sines have the digits of sin(), and are never beyond one", {
  x <- c(seq(-pi / 2, pi / 2, length.out = 10001), pi / 2 + seq(-1e-7, 1e-7, length.out = 1001))
  found <- activate_cpp(matrix(x), "sine")[, 1]
  expect_lt(max(abs(found / sin(x) - 1), na.rm = TRUE), 4e-16)
  expect_lte(max(abs(found)), 1)
  # Large numbers, wherever they are.
  for (n in c(1, 5, 8, 19)) for (at in unique(c(1, n))) {
    x <- replace(seq_len(n) - 3.5, at, 1e22)
    expect_equal(activate_cpp(matrix(x), "sine")[, 1], sin(x), tolerance = 1e-15)
  }
})

test_that("every set of instructions gives the same bits", {
  x <- c(seq(-40, 40, by = 0.0117), -708, -708.1, -1e-300, 0, 1e-300, 708, 709.1, 1e5)
  for (n in c(length(x), 1:17)) {
    for (values in vector_copies_cpp(x[seq_len(n)])) {
      expect_identical(values[, 2], values[, 1])
      expect_identical(values[, 3], values[, 1])
    }
  }
})

test_that("numbers below the normal range are found wherever they are", {
  normal <- c(0, -0, 1, -1, .Machine$double.xmin, -.Machine$double.xmin, Inf, -Inf, NA, NaN)
  expect_false(any_subnormal_cpp(numeric()))
  for (n in c(1:9, 31)) {
    x <- rep(normal, length.out = n)
    expect_false(any_subnormal_cpp(x))
    for (small in c(5e-324, -5e-324, .Machine$double.xmin / 2, -1e-310)) {
      expect_true(all(vapply(seq_len(n), function(i) any_subnormal_cpp(replace(x, i, small)), NA)))
    }
  }
})

test_that("subnormal numbers are found at every place", {
  for (n in c(1:9, 16, 17, 33)) {
    x <- rep(c(1, 0, -1), length.out = n)
    expect_false(any_subnormal_cpp(x))
    for (at in seq_len(n)) expect_true(any_subnormal_cpp(replace(x, at, 5e-324)))
    for (at in seq_len(n)) expect_false(all_finite_cpp(replace(x, at, Inf)))
  }
})
