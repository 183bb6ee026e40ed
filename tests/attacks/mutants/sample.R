# Which mutants are tried: a number of each file that grows with its size, at least one. The order
# within a file is that of a hash of the change and the seed, so that the sample stays the same
# where other lines change.

# Two thirds of the functions' bodies would be missed at once.
kind_shares <- c(operator = 1, sign = 1, constant = 1, condition = 1, call = 1, statement = 0.6,
                 body = 0.3)

# The code of a line, and which of several same changes in it this is.
with_keys <- function(mutants, seed) {
  change <- paste(mutants$file, mutants$place, mutants$code, mutants$from, mutants$to, sep = "\r")
  turn <- stats::ave(seq_along(change), change, FUN = seq_along)
  mutants$key <- substr(vapply(paste(change, turn), rlang::hash, ""), 1L, 10L)
  digits <- substr(vapply(paste(mutants$key, seed), rlang::hash, ""), 1L, 7L)
  uniform <- (strtoi(digits, 16L) + 1) / 16^7
  mutants$order <- -uniform^(1 / kind_shares[mutants$kind])
  mutants
}

# How many of each file: one, and the rest in proportion to the mutants that it has.
file_quotas <- function(counts, size) {
  size <- min(size, sum(counts))
  quota <- pmin(counts, 1L)
  while (sum(quota) < size) {
    open <- quota < counts
    behind <- ifelse(open, counts / sum(counts) * size - quota, -Inf)
    quota[which.max(behind)] <- quota[which.max(behind)] + 1L
  }
  quota
}

# Mutants of one file that do not overlap, in the order of their hashes.
choose_in_file <- function(mutants, quota) {
  mutants <- mutants[order(mutants$order), ]
  chosen <- integer()
  for (i in seq_len(nrow(mutants))) {
    if (length(chosen) == quota) break
    apart <- mutants$last[i] <= mutants$first[chosen] | mutants$first[i] >= mutants$last[chosen]
    if (all(apart)) chosen <- c(chosen, i)
  }
  mutants[chosen, ]
}

choose_mutants <- function(mutants, size) {
  parts <- split(mutants, mutants$file)
  quota <- file_quotas(vapply(parts, nrow, 0L), size)
  chosen <- do.call(rbind, Map(choose_in_file, parts, quota))
  rownames(chosen) <- NULL
  chosen
}
