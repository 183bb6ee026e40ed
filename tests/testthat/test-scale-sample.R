frame <- mixed_frame()

surveyed <- function(frame, chunk, size = 20, seed = 3, weights = NULL) {
  source <- cawi_source(frame, chunk = chunk, sample = size)
  asked <- list(x = number ~ north + group + class, case_weights = weights, na_action = "fail")
  run <- list(threads = 1L, call = NULL)
  shards <- read_pass(source, survey_pass(asked, source, seed), run)
  merge_surveys(lapply(shards, function(shard) shard$state), size, NULL)
}

test_that("the sample does not depend on chunks", {
  one <- surveyed(frame, 1)
  for (chunk in c(7, 33, 90)) expect_identical(surveyed(frame, chunk)$sample, one$sample)
  expect_length(one$sample$key, 20)
  expect_false(is.unsorted(one$sample$row))
  expect_identical(one$sample$columns$north, frame$north[one$sample$row + 1])
  expect_false(identical(surveyed(frame, 7, seed = 4)$sample$row, one$sample$row))
  # All rows, where there are no more.
  expect_identical(surveyed(frame, 7, size = 90)$sample$row, 0:89 + 0)
})

test_that("rows are sampled evenly, and by their case weights", {
  counts <- numeric(30)
  weighted <- numeric(30)
  part <- frame[1:30, ]
  part$times <- rep(c(1, 3), 15)
  for (seed in 1:300) {
    rows <- surveyed(part, 30, size = 5, seed = seed)$sample$row + 1
    counts[rows] <- counts[rows] + 1
    rows <- surveyed(part, 30, size = 5, seed = seed, weights = quote(times))$sample$row + 1
    weighted[rows] <- weighted[rows] + 1
  }
  expect_gt(stats::chisq.test(counts)$p.value, 1e-3)
  heavy <- sum(weighted[part$times == 3]) / sum(weighted)
  # A little below three quarters, because a row is drawn once.
  expect_gt(heavy, 0.68)
  expect_lt(heavy, 0.79)
})

test_that("a level that no sampled row has comes with a row of its own, without weight", {
  rare <- frame
  rare$group[71] <- "rare"
  seed <- Find(function(seed) !70 %in% surveyed(rare, 20, size = 10, seed = seed)$sample$row, 1:20)
  sampled <- sample_frame(surveyed(rare, 20, size = 10, seed = seed), NULL)
  expect_true("rare" %in% sampled$frame$group)
  expect_identical(sampled$rows, 10L)
  expect_identical(sum(sampled$case_weights), 10)
  fit <- cawi_rvfl(number ~ north + group, cawi_source(rare, chunk = 20, sample = 10), hidden = 5,
                   seed = seed, lambda = 1)
  expect_true("group_rare" %in% fit$feature_names)
  # Its indicator has the mean and the deviation of all rows.
  place <- match("group_rare", fit$feature_names)
  expect_equal(fit$network$center[place], 1 / 90)
  expect_equal(fit$network$sd[place], sqrt(1 / 90 * 89 / 90))
})

test_that("a class that no sampled row has is learned", {
  rare <- frame
  rare$class <- factor(ifelse(seq_len(90) == 45, "rare", as.character(frame$class)))
  fit <- cawi_rvfl(class ~ north + east, cawi_source(rare, chunk = 20, sample = 10), hidden = 5,
                   seed = 1, lambda = 1)
  expect_identical(fit$levels, levels(rare$class))
  expect_identical(ncol(predict(fit, rare, type = "prob")), 4L)
})

test_that("hashes of rows depend on seed, purpose, shard and row alone", {
  expect_identical(row_hash(1, "fold", 2L, c(3, 7)), row_hash(1, "fold", 2L, 0:9)[c(4, 8)])
  expect_false(any(row_hash(1, "fold", 1L, 0:9) == row_hash(1, "sample", 1L, 0:9)))
  expect_false(any(row_hash(1, "fold", 1L, 0:9) == row_hash(1, "fold", 2L, 0:9)))
  u <- row_hash(1, "fold", 1L, 0:9999)
  expect_gt(stats::ks.test(u, "punif")$p.value, 1e-3)
  expect_identical(sort(unique(fold_numbers(1, 1L, 0:999, 4L))), 1:4)
  # Beyond what an integer holds.
  expect_length(unique(row_hash(1, "fold", 1L, 2^33 + 0:9)), 10)
})
