x <- small_x()
y <- small_y("classification", x)

# By singular values of the hidden part of A, drawn as the diagnosis draws it.
plain_diagnosis <- function(fit, init, draw, seed = 1) {
  spec <- fit$spec
  spec$init <- init
  network <- draw_network(x, NULL, spec, child_seed_cpp(seed, draw), 1L, NULL)
  drawn <- fit
  drawn$network <- network
  a <- plain_features(drawn, x)$all
  hidden <- seq(to = ncol(a) - 1, length.out = sum(fit$spec$hidden))
  d <- svd(a[, hidden])$d
  share <- d / sum(d)
  share <- share[share > 0]
  lambda <- mean(unlist(readout_lambdas(fit)))
  smallest <- if (length(hidden) > nrow(x)) 0 else min(d)^2
  c(effective_rank = exp(-sum(share * log(share))), condition = min(max(d) / min(d), 1e8),
    ridge_condition = (max(d)^2 + lambda) / (smallest + lambda))
}

for (model in model_names) {
  test_that(paste("rank and conditions are those of the singular values of H:", model), {
    fit <- fit_named(model, x, y, init = "gaussian", activation = "tribas", scale = 2, lambda = 0.1, seed = 1)
    found <- cawi_diagnose(fit, draws = 3)
    expect_s3_class(found, c("cawi_diagnosis", "data.frame"), exact = TRUE)
    expect_identical(nrow(found), 6L)
    expect_identical(unique(found$weights), c("gaussian copula (uniform)", "i.i.d."))
    for (i in 1:6) {
      init <- if (found$weights[i] == "i.i.d.") "iid" else "gaussian"
      wanted <- plain_diagnosis(fit, init, found$draw[i])
      expect_equal(unlist(found[i, names(wanted)]), wanted, tolerance = 1e-4)
    }
  })
}

test_that("with more nodes than rows the singular values are those of the rows", {
  fit <- cawi_rvfl(x, y, hidden = 60, activation = "radbas", lambda = 0.1, seed = 1)
  found <- cawi_diagnose(fit, draws = 2)
  wanted <- plain_diagnosis(fit, "iid", 1)
  expect_equal(found$effective_rank[1], wanted[["effective_rank"]], tolerance = 1e-6)
  expect_equal(found$condition[1], wanted[["condition"]], tolerance = 1e-6)
  # H'H has more columns than rank: its smallest eigenvalue is zero.
  expect_equal(found$ridge_condition[1], wanted[["ridge_condition"]], tolerance = 1e-6)
})

test_that("i.i.d. models are compared with nothing else, and draws repeat", {
  fit <- cawi_elm(x, y, hidden = 5, seed = 1)
  found <- cawi_diagnose(fit, draws = 4, seed = 2)
  expect_identical(found$weights, rep("i.i.d.", 4))
  expect_identical(found$draw, 1:4)
  expect_identical(cawi_diagnose(fit, draws = 4, seed = 2, threads = 1), found)
  expect_false(identical(cawi_diagnose(fit, draws = 4, seed = 3)$condition, found$condition))
  expect_true(all(found$effective_rank >= 1 & found$effective_rank <= 5))
})

test_that("a diagnosis is printed and drawn", {
  found <- cawi_diagnose(cawi_rvfl(x, y, hidden = 5, init = "t", seed = 1), draws = 3)
  expect_output(print(found), "medians of 3 draws")
  expect_output(print(found), "i.i.d.", fixed = TRUE)
  on_null_device(expect_identical(withVisible(plot(found)), list(value = found, visible = FALSE)))
})

test_that("data are needed", {
  error <- expect_error(cawi_diagnose(cawi_rvfl(x, y, hidden = 5, keep_data = FALSE)), class = "cawi_error")
  expect_match(conditionMessage(error), "keep_data")
})
