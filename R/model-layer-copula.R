# The copula that the weights of a layer are drawn from.
#
# The first layer reads the features, and its copula is that of cawi_copula(). Hidden layers have
# hundreds of inputs, and their copulas need be no better than draws show: over h drawn columns a
# correlation has a standard error of about 1 / sqrt(h). Ten rows per input, each compared with 6
# others, leave an error of two fifths of that where a layer has as many nodes as inputs. The script
# deep.R among the benchmarks measures both.
hidden_layer_rows <- 2000L

# Pairs of rows that are compared: all pairs of up to 55 rows.
row_pairs <- function(rows) max(1536L, 3L * rows)

# Up to this many columns a hidden layer is as cheap as the features, and treated in the same way.
few_columns <- 16L

# Numbers of the rows in random order, the same for all hidden layers. It depends on neither the
# number of nodes, so that a wider layer keeps its leading ones, nor the order of the rows.
shuffled_rows <- function(sample, seed) {
  rows <- nrow(sample)
  if (rows * (rows - 1) / 2 <= row_pairs(rows)) return(seq_len(rows))
  columns <- lapply(seq_len(ncol(sample)), function(j) sample[, j])
  shuffled <- permutation_cpp(child_seed_cpp(seed, 0L), rows)
  do.call(order, c(columns, method = "radix"))[shuffled]
}

# Those that a hidden layer is read at.
hidden_rows <- function(shuffled, inputs) {
  shuffled[seq_len(min(length(shuffled), max(hidden_layer_rows, 10L * inputs)))]
}

# Families that do not fit a hidden layer fall back to independence without a warning; summary()
# names the family of every layer.
fit_hidden_copula <- function(input, family, threads) {
  selection <- if (family == "auto") cawi_select(input, threads = threads)
  if (family == "auto") family <- selection$family[1L]
  tau <- kendall_of_row_pairs_cpp(input, row_pairs(nrow(input)), threads)
  sample <- list(
    x = input, tau = tau, constant = constant_columns(input), signs = rep(1, ncol(input)),
    threads = threads
  )
  fit <- fit_family(sample, family, "itau", "layer", threads)
  fitted_layer_copula(fit, input, family, selection)
}

# The copula of the features, fitted once for all that share it.
fitted_init <- function(x, case_weights, init, run) {
  if (!is.character(init) || init %in% c("iid", "gradient")) return(init)
  sample <- dense_sample(network_sample(x, case_weights), run$call)
  copula <- fit_layer_copula(sample, init, run$threads, quiet = TRUE)
  # Deeper layers are to choose for themselves.
  if (init == "auto") copula$requested <- "auto"
  copula
}
