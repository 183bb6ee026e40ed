# The sample of a source: the rows with the smallest keys. A key comes from a hash of seed, shard
# and number of the row, so the sample depends neither on the chunks nor on the workers, and samples
# of shards can be merged. A row of weight two has the key of the smaller of two rows (Efraimidis
# and Spirakis, 2006), so rows are drawn in proportion to their case weights.

sample_chunk <- function(pool, columns, numbers, shard, case_weights, plan) {
  key <- row_hash(plan$seed, "sample", shard, numbers)
  # Exponential times: those of weight w come w times as soon.
  if (!is.null(case_weights)) key <- -log1p(-key) / case_weights
  kept <- if (is.null(pool)) seq_along(key) else which(key < pool$limit)
  # Most chunks of a long source have few rows for the sample.
  if (length(kept) > plan$size) kept <- sort(kept[order(key[kept])[seq_len(plan$size)]])
  fresh <- list(key = key[kept], shard = rep(shard, length(kept)), row = numbers[kept],
                fold = fold_numbers(plan$seed, shard, numbers[kept], plan$folds),
                weight = case_weights[kept], columns = column_rows(columns, kept))
  keep_smallest(join_samples(pool, fresh), plan$size)
}

# The number in (0, 1) of every row, one for each purpose.
row_hash <- function(seed, purpose, shard, numbers) {
  seed <- child_seed_cpp(child_seed_cpp(seed, c(sample = 2001L, fold = 2002L)[[purpose]]), shard)
  if (length(numbers) == 0L) return(numeric())
  first <- numbers[1L]
  count <- numbers[length(numbers)] - first + 1
  row_uniforms_cpp(seed, first, count)[numbers - first + 1]
}

fold_numbers <- function(seed, shard, numbers, folds) {
  as.integer(row_hash(seed, "fold", shard, numbers) * folds) + 1L
}

join_samples <- function(one, other) {
  if (is.null(one)) return(other)
  parts <- c("key", "shard", "row", "fold", "weight")
  joined <- stats::setNames(lapply(parts, function(part) c(one[[part]], other[[part]])), parts)
  joined$columns <- Map(join_rows, one$columns, other$columns)
  joined
}

# In the order of shards and rows. `limit` is the key that a further row must be below.
keep_smallest <- function(pool, size) {
  limit <- Inf
  if (length(pool$key) > size) {
    kept <- sort(order(pool$key)[seq_len(size)])
    pool <- some_of_sample(pool, kept)
  }
  if (length(pool$key) == size) limit <- max(pool$key)
  pool$limit <- limit
  pool
}

some_of_sample <- function(pool, kept) {
  parts <- c("key", "shard", "row", "fold", "weight")
  pool[parts] <- lapply(pool[parts], function(part) part[kept])
  pool$columns <- column_rows(pool$columns, kept)
  pool
}

merge_samples <- function(one, other, size) {
  if (is.null(other)) return(one)
  keep_smallest(join_samples(one, other), size)
}

# The sampled rows as a data frame, then, without weight, a row for each level that they lack: what
# is learned from this frame knows all levels.
sample_frame <- function(survey, call) {
  pool <- survey$sample
  if (is.null(pool)) abort_argument("data", "The source has no row to learn from.", call)
  columns <- pool$columns
  for (name in names(survey$levels)) {
    level <- survey$levels[[name]]
    lacking <- which(!level$level %in% columns[[name]])
    columns <- Map(join_rows, columns, column_rows(level$columns, lacking))
  }
  columns <- Map(function(rule, column) {
    if (rule$kind != "factor") return(column)
    factor(column, rule$all_levels, ordered = rule$ordered)
  }, survey$rules, columns)
  rows <- length(pool$key)
  case_weights <- sample_weights(survey)
  extra <- NROW(columns[[1L]]) - rows
  if (extra > 0L) {
    if (is.null(case_weights)) case_weights <- rep(1, rows)
    case_weights <- c(case_weights, rep(0, extra))
  }
  list(frame = columns_frame(columns), case_weights = case_weights, rows = rows, fold = pool$fold)
}

# Rows of a part of the data were drawn by their case weights, and count alike then.
sample_weights <- function(survey) {
  if (length(survey$sample$key) < survey$rows) NULL else survey$sample$weight
}
