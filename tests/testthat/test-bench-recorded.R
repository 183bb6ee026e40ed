inits <- c("iid", "gaussian", "t", "clayton", "frank", "gumbel")

test_that("a record is a benchmark with every distribution, seed and fold of its sets", {
  for (protocol in c("nested", "equal", "paper")) {
    x <- cawi_recorded(protocol)
    expect_s3_class(x, "cawi_benchmark")
    expect_identical(unique(x$protocol), protocol)
    expect_setequal(unique(x$init), inits)
    folds <- as.data.frame(x)[x$fold > 0, ]
    expect_true(all(table(folds$set, folds$init) == 5 * length(unique(x$seed))))
    expect_true(all(x$accuracy >= 0 & x$accuracy <= 1))
    sets <- cawi_datasets()
    expect_setequal(unique(x$set), sets$name[if (protocol == "equal") sets$m <= 2500 else TRUE])
    # An accuracy is a number of rows over the rows of a fold, which has a fifth of the set.
    share <- folds$accuracy * ceiling(folds$rows / 5)
    other <- folds$accuracy * floor(folds$rows / 5)
    near <- pmin(abs(share - round(share)), abs(other - round(other)))
    sized <- protocol != "nested" & folds$rows %% 5 == 0
    expect_true(all(near[sized] < 1e-6 * folds$rows[sized] + 1e-6))
  }
})

test_that("the record says what was run", {
  runs <- attr(cawi_recorded("nested"), "runs")
  expect_identical(runs$stage, c("nested", "others"))
  expect_true(all(nzchar(runs$machine)) && all(nzchar(runs$versions)) && all(runs$cpu_seconds > 0))
  expect_setequal(unique(cawi_recorded("nested")$seed), c(42, 7, 123))
  expect_identical(unique(cawi_recorded("paper")$seed), 42L)
})

test_that("arms tried as many networks as the public code; those of 'equal' equally many", {
  tried <- function(protocol) {
    x <- as.data.frame(cawi_recorded(protocol))
    tapply(x$tried[x$fold > 0], factor(x$init[x$fold > 0], inits), max)
  }
  expect_equal(as.vector(tried("paper")), c(1, 4, 21, 5, 5, 5))
  expect_equal(as.vector(tried("equal")), rep(21, 6))
  # The accuracy after the last network is that of the chosen one.
  x <- as.data.frame(cawi_recorded("equal"))
  last <- x[x$fold == 0 & x$tried == 21, ]
  chosen <- aggregate(accuracy ~ set + init, x[x$fold > 0, ], mean)
  both <- merge(last, chosen, by = c("set", "init"))
  expect_equal(both$accuracy.x, both$accuracy.y, tolerance = 1e-5)
})

test_that("the public code's protocol gives the paper's column on the sets that are one file", {
  x <- as.data.frame(cawi_recorded("paper"))
  x <- x[x$fold > 0, ]
  ours <- 100 * tapply(x$accuracy, list(x$set, factor(x$init, inits)), mean)
  sets <- cawi_datasets()
  sets <- sets[sets$parts == 1 & sets$name %in% rownames(ours), ]
  ours <- ours[sets$name, ]
  expect_lt(abs(mean(ours[, "iid"]) - mean(sets$iid)), 0.5)
  expect_gt(cor(ours[, "iid"], sets$iid), 0.995)
  gain <- function(table) {
    mean(do.call(pmax, as.list(as.data.frame(table)[inits[-1]])) - table[, "iid"])
  }
  expect_lt(abs(gain(ours) - gain(sets)), 0.5)
})

test_that("what is not recorded is refused", {
  expect_error(cawi_recorded("paper", "bls"), class = "cawi_error_models")
  expect_error(cawi_recorded("other"), class = "cawi_error_protocol")
})

test_that("misspelled arguments of records are told", {
  expect_error(cawi_recorded("nested", modles = "elm"), "models", class = "cawi_error_dots")
})
