# Sparse features with names: 60 rows of 8 columns, a third of the numbers not zero.
sparse_x <- function(rows = 60, columns = 8, share = 1 / 3) {
  testthat::skip_if_not_installed("Matrix")
  z <- factor_data(rows, columns, start = 5) / 2147483647
  z[abs(sin(seq_along(z) * 12.9898) * 43758.5453) %% 1 > share] <- 0
  colnames(z) <- paste0("word", seq_len(columns))
  methods::as(z, "CsparseMatrix")
}

sparse_y <- function(task, x) {
  x <- as.matrix(x)
  signal <- x[, 1] - 0.5 * x[, 2] * x[, 3] + sin(x[, 4]) + sin(seq_len(nrow(x))) / 3
  switch(task,
    classification = cut(rank(signal), 3, labels = c("low", "mid", "high")),
    regression = unname(signal),
    outputs = cbind(first = signal, second = x[, 1]^2, third = -x[, 2])
  )
}

# Largest gap between what two models give for rows.
score_distance <- function(fit, other, x, z = x) {
  max(abs(predict(fit, x, type = "score") - predict(other, z, type = "score")))
}
