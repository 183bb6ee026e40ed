# A machine with AVX-512 takes the part of machines with shorter vectors: in processes of their own,
# because what a machine has is asked once.

results_with_bits <- function(bits, threads) {
  file <- tempfile(fileext = ".rds")
  script <- tempfile(fileext = ".R")
  on.exit(unlink(c(file, script)))
  code <- bquote({
    .libPaths(.(.libPaths()))
    core <- asNamespace("cawi")
    results <- eval(quote(.(body(results_of_core))), list(threads = .(threads)), core)
    saveRDS(results, .(file))
  })
  writeLines(deparse(code), script)
  system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(script)), stdout = FALSE,
          stderr = FALSE, env = paste0("CAWI_VECTOR_BITS=", bits))
  readRDS(file)
}

# Everything that chooses between copies: sizes that fill no whole vector, ties, few and many rows.
results_of_core <- function(threads) {
  set.seed(1)
  x <- matrix(rnorm(613 * 9), 613) + rnorm(613)
  tied <- round(x)
  classes <- factor(max.col(x[, 1:3] + matrix(rnorm(3 * 613), 613)))
  copulas <- lapply(c(gaussian = "gaussian", t = "t", clayton = "clayton", frank = "frank"),
                    function(family) cawi_copula(x, family, threads = threads))
  draws <- lapply(copulas, simulate, 101, seed = 3, threads = threads)
  model <- cawi_rvfl(x, classes, hidden = 37, activation = "sigmoid", lambda = 1, seed = 1,
                     threads = threads)
  # More rows than one thread takes at a time.
  many <- cawi_elm(x[rep(1:613, 20), ], rep(x[, 1], 20), hidden = 50, lambda = 1, seed = 1,
                   threads = threads)
  lambdas <- 10^seq(-4, 4, length.out = 9)
  tuned <- cawi_tune(x, classes, "elm", cawi_grid(hidden = c(11, 30), lambda = lambdas), seed = 1,
                     threads = threads)
  # A thread of its own that is waited for takes none from the others.
  if (threads > 1) nearest_cor_cpp(matrix(1, 800, 800), 1e-8)
  list(
    bits = list(
      ranks = lapply(list(x, tied, x[1:101, ], tied[1:101, ]), cawi_pseudo_obs, threads = threads),
      tau = lapply(list(x, tied, x[1:50, ], tied[1:77, ]), cawi_kendall, threads = threads),
      pairs = lapply(list(x, tied), kendall_of_row_pairs_cpp, 5, threads),
      streams = list(stream_words_cpp(7, 3, 101L, FALSE), stream_normals_cpp(7, 3, 20001L, FALSE),
                     row_uniforms_cpp(5, 2, 103)),
      draws = draws,
      sine = activate_cpp(x, "sine"), sigmoid = activate_cpp(x, "sigmoid"),
      finite = c(all_finite_cpp(x), all_finite_cpp(replace(x, 613, NA)), any_subnormal_cpp(x),
                 any_subnormal_cpp(replace(x, 611, 1e-310))),
      chosen = tuned$results[c("hidden", "lambda")]
    ),
    at_once = tasks_at_once_cpp(6L, 6L, 2, threads),
    digits = list(
      density = mapply(cawi_density, copulas, draws, SIMPLIFY = FALSE),
      coefficients = list(coef(model), coef(many)),
      scores = predict(model, x, type = "prob", threads = threads),
      losses = tuned$results
    )
  )
}

test_that("machines with shorter vectors get the same", {
  skip_on_cran()
  skip_on_os("windows")
  # The tests themselves may run in a fork, which works alone: here several threads do.
  widest <- results_with_bits(512, 2L)
  expect_lte(widest$at_once, 2)
  for (bits in c(256, 128)) {
    found <- results_with_bits(bits, 1L)
    expect_identical(found$bits, widest$bits)
    # Factors and products are fused where the machine can.
    expect_equal(found$digits, widest$digits, tolerance = 1e-8)
  }
})
