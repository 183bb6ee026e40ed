# hidden = Inf: what a network becomes at a fixed lambda as its nodes, divided by the root of their
# number, become infinitely many. The products of its nodes are a kernel in closed form, and its
# layer reads rows through landmarks: phi(x) = k(x, Z) R^-1 with k(Z, Z) = R'R and Z training rows.
# With all training rows as candidates phi phi' is the kernel, so that the ridge regression on
# [x | phi | 1] is the infinite network, and all that works for other layers works for this one.

# Distributions of the nodes whose limit has a closed form, and its kernel, which the core has.
closed_forms <- data.frame(
  activation = c(rep("sine", 5L), rep(c("radbas", "relu"), each = 2L)),
  bias = c(rep("phase", 5L), rep("none", 4L)),
  marginal = c("normal", "normal", "cauchy", "cauchy", "uniform", rep("normal", 4L)),
  family = c("independence", "gaussian", "independence", "t", "independence",
             rep(c("independence", "gaussian"), 2L)),
  kernel = c("gaussian", "gaussian", "laplace", "exponential", "sinc",
             rep(c("radbas", "relu"), each = 2L))
)

refuse_infinite <- function(model, call) {
  message <- c("{.code hidden = Inf} is for models with one layer, not for {.fn cawi_{model}}.",
               i = "{.fn cawi_elm} and {.fn cawi_rvfl} have it.")
  abort_argument("hidden", message, call)
}

# What has no limit in closed form is found before any work; the family that a copula turns out to
# have is looked at when it is known.
check_infinite <- function(spec, call) {
  if (is_given(spec$init)) abort_closed("weights that are given as {.arg init}", call)
  family <- init_family(spec$init)
  if (family == "iid") family <- "independence"
  closed_kernel(spec, family, call)
}

# Nodes that read some of the features have a limit where their kernel is a product over features.
product_kernels <- c("gaussian", "laplace", "sinc")

closed_kernel <- function(spec, family, call) {
  # A metric that gradients tell is a covariance, as that of a Gaussian copula is.
  known <- if (family == "gradient") "gaussian" else family
  fits <- closed_forms$activation == spec$activation & closed_forms$bias == spec$bias &
    closed_forms$marginal == spec$marginal & closed_forms$family == known
  if (any(fits) && !is.null(spec$inputs) &&
        !(known == "independence" && closed_forms$kernel[fits] %in% product_kernels)) {
    what <- paste("nodes that read some of the {.arg inputs}, unless they are sine nodes with a",
                  "phase and independent weights")
    abort_closed(what, call)
  }
  if (any(fits)) return(closed_forms$kernel[fits])
  init <- if (family == "independence") "iid" else family
  abort_closed(paste0("{.code ", form_text(spec, sprintf("\"%s\"", init)), "}"), call)
}

form_text <- function(form, init) {
  sprintf("activation = \"%s\", bias = \"%s\", marginal = \"%s\", init = %s", form$activation,
          form$bias, form$marginal, init)
}

abort_closed <- function(what, call) {
  init <- c(independence = "\"iid\"", gaussian = "\"gaussian\" or \"gradient\"",
            t = "a t copula with df = 1")
  forms <- unique(closed_forms[c("activation", "bias", "marginal")])
  inits <- vapply(seq_len(nrow(forms)), function(i) {
    family <- merge(forms[i, ], closed_forms)$family
    paste(init[names(init) %in% family], collapse = " or ")
  }, "")
  lines <- paste0("{.code ", form_text(forms, inits), "}")
  message <- c(paste0("{.code hidden = Inf} has no closed form for ", what, ". There is one for"),
               stats::setNames(lines, rep("*", length(lines))))
  abort_argument("hidden", message, call)
}

# A layer without landmarks yet. `source` has the distribution of the weights and their factor.
infinite_nodes <- function(source, spec, call) {
  copula <- source$copula
  kind <- closed_kernel(spec, copula$family, call)
  if (kind == "exponential" && abs(copula$df - 1) > 1e-8) {
    df <- number_text(copula$df)
    what <- paste("a t copula with", df, "degrees of freedom")
    # A strength divides them.
    if (abs(spec$strength) < 1) {
      what <- paste0(what, " (at {.code strength = ", spec$strength, "})")
    }
    abort_closed(what, call)
  }
  list(weights = matrix(0, copula$dim, 0L), bias = numeric(),
       kernel = list(kind = kind, metric = kernel_metric(source), error = 0,
                     inputs = kernel_inputs(spec, copula$dim)))
}

# The number of features that a node reads, NULL for all.
kernel_inputs <- function(spec, features) {
  if (is.null(spec$inputs) || spec$inputs >= features) NULL else spec$inputs
}

# Those of a t copula between zero and one have more than the one degree of freedom of its limit.
limit_strengths <- function(strengths, family) {
  if (family == "t") intersect(strengths, c(-1, 0, 1)) else strengths
}

# L of L L', the covariance of the weights, or what stands for it where there is none: factors of
# the features alone, or a matrix.
kernel_metric <- function(source) {
  relevance <- if (is.null(source$relevance)) 1 else source$relevance
  factor <- rep_len(source$factor * relevance, source$copula$dim)
  if (is.null(source$copula$cor)) return(factor)
  system <- eigen(source$copula$cor, symmetric = TRUE)
  factor * system$vectors %*% diag(sqrt(pmax(system$values, 0)), length(factor))
}

# Candidates are all rows up to the number of landmarks, else a sample of twice as many.
with_landmarks <- function(network, x, case_weights, spec, run) {
  capped <- nrow(x) > spec$landmarks
  rows <- if (capped) {
    unique(row_sample(nrow(x), 2 * spec$landmarks, case_weights))
  } else {
    seq_len(nrow(x))
  }
  layer <- more_landmarks(network$layers[[1L]], standardized_rows(x, rows, network),
                          spec$landmarks, run$threads)
  if (capped) {
    rows <- unique(row_sample(nrow(x), error_rows, case_weights))
    layer$kernel$error <- landmark_error_cpp(layer, standardized_rows(x, rows, network))
  }
  network$layers[[1L]] <- layer
  network
}

# Rows over which the error of the landmarks is measured.
error_rows <- 1000L

standardized_rows <- function(x, rows, network) {
  layer_input_cpp(x[rows, , drop = FALSE], network, 0L)
}

# The layer with the best landmarks among some standardized rows beside its own: the border of its
# root is what they add to it.
more_landmarks <- function(layer, z, most, threads) {
  known <- ncol(layer$weights)
  found <- landmarks_cpp(layer, z, most - known, threads)
  layer$weights <- cbind(layer$weights, t(z[found$rows, , drop = FALSE]))
  layer$root <- if (known == 0L) {
    found$root
  } else {
    left <- rbind(layer$root, matrix(0, length(found$rows), known))
    cbind(left, rbind(found$beside, found$root))
  }
  # A kernel that is zero for all rows, such as that of relu where no feature varies.
  if (ncol(layer$weights) == 0L) {
    layer$weights <- t(z[1L, , drop = FALSE])
    layer$root <- matrix(1)
  }
  layer$bias <- numeric(ncol(layer$weights))
  layer
}

# Scores from k(x, Z) itself, with the root in the coefficients: no triangular solve per row.
infinite_scores <- function(network, coefficients, x, threads) {
  coefficients <- rooted_coefficients(network, coefficients)
  network$layers[[1L]]$root <- NULL
  scores_cpp(x, network, coefficients, threads)
}

rooted_coefficients <- function(network, coefficients) {
  layer <- network$layers[[1L]]
  if (is.null(layer$root)) return(coefficients)
  hidden <- column_blocks(network)[["x"]] + seq_along(layer$bias)
  lapply(coefficients, function(b) {
    b[hidden, ] <- backsolve(layer$root, b[hidden, , drop = FALSE])
    b
  })
}

# The rows, the landmarks and the kernel between them.
check_infinite_memory <- function(rows, outputs, spec, inputs, call) {
  nodes <- min(rows, spec$landmarks)
  candidates <- min(rows, 2 * spec$landmarks)
  bytes <- readout_bytes(rows, nodes + inputs + 1, outputs) + 8 * (nodes^2 + candidates^2)
  if (bytes <= 2^28 || bytes <= memory_left()) return(invisible())
  message <- c("There is not enough memory for this: about {bytes_text(bytes)} would be needed.",
               i = paste("{.code hidden = Inf} compares all rows with {nodes} landmarks:",
                         "{.code landmarks = 2000} takes far less."))
  abort_argument("memory", message, call)
}

# New rows join the landmarks as long as there is room for more: the rows seen so far are zero in
# the columns that this adds, so that the sums stay exact. Where the landmarks are full, rows are
# seen through those that there are.
learn_landmarks <- function(object, x, run) {
  layer <- object$network$layers[[1L]]
  before <- length(layer$bias)
  z <- standardized_rows(x, seq_len(nrow(x)), object$network)
  if (before < object$spec$landmarks && layer$kernel$error == 0) {
    layer <- rethrow_core_errors(
      more_landmarks(layer, z, object$spec$landmarks, run$threads), run$call
    )
  }
  if (layer$kernel$error > 0 || length(layer$bias) >= object$spec$landmarks) {
    layer$kernel$error <- joint_error(layer, z, object$nobs)
  }
  at <- column_blocks(object$network)[["x"]] + before
  object$network$layers[[1L]] <- layer
  added <- length(layer$bias) - before
  object$readouts <- lapply(object$readouts, function(readout) {
    readout$statistics <- with_zeros(readout$statistics, at, added)
    readout
  })
  object
}

# The error over the rows before, counted by their number, and some new ones.
joint_error <- function(layer, z, rows) {
  error <- landmark_error_cpp(layer, z[evenly(nrow(z), error_rows), , drop = FALSE])
  # What rounding leaves of rows that are landmarks themselves.
  if (error < 1e-10) error <- 0
  (layer$kernel$error * rows + error * nrow(z)) / (rows + nrow(z))
}

# Sums with `added` columns of zeros after the first `at`.
with_zeros <- function(statistics, at, added) {
  if (added == 0L) return(statistics)
  statistics <- as_gram(statistics)
  width <- ncol(statistics$aa)
  place <- c(seq_len(at), seq_len(width - at) + at + added)
  aa <- matrix(0, width + added, width + added)
  aa[place, place] <- statistics$aa
  ay <- matrix(0, width + added, ncol(statistics$ay))
  ay[place, ] <- statistics$ay
  ones <- if (statistics$ones > 0L) statistics$ones + as.integer(added) else 0L
  list(kind = "gram", aa = aa, ay = ay, ones = ones)
}

# The model has infinitely many nodes, or shall have them.
refuse_infinite_growth <- function(hidden, call) {
  if (!has_infinite(hidden)) {
    message <- "{.arg hidden} cannot grow: the model has infinitely many nodes."
    abort_argument("hidden", message, call)
  }
  message <- c("{.arg hidden} cannot grow to infinity: the limit has none of the nodes at hand.",
               i = "Fit a model with {.code hidden = Inf}.")
  abort_argument("hidden", message, call)
}

landmarks_text <- function(object) {
  layer <- object$network$layers[[1L]]
  text <- sprintf("keeps %s as landmarks", counted(length(layer$bias), "training row"))
  if (layer$kernel$error == 0) return(text)
  sprintf("%s, which leave out %s %% of the kernel", text, number_text(100 * layer$kernel$error, 2))
}

# Landmarks, root and metric fit each other.
sound_landmarks <- function(layer) {
  kernel <- layer$kernel
  inputs <- nrow(layer$weights)
  metric <- if (is.matrix(kernel$metric)) {
    is_finite_matrix(kernel$metric, inputs) && ncol(kernel$metric) == inputs
  } else {
    is_finite_vector(kernel$metric, inputs)
  }
  count <- ncol(layer$weights)
  root <- is.null(layer$root) ||
    (is_finite_matrix(layer$root, count) && ncol(layer$root) == count && all(diag(layer$root) > 0))
  isTRUE(count > 0L && metric && root && kernel$kind %in% closed_forms$kernel &&
           sound_kernel_inputs(kernel, inputs) &&
           is_finite_vector(kernel$error, 1L) && kernel$error >= 0 && kernel$error <= 1)
}

# Some of the features, of a kernel that is a product over them.
sound_kernel_inputs <- function(kernel, inputs) {
  is.null(kernel$inputs) ||
    (is_whole(kernel$inputs, 1) && kernel$inputs < inputs && kernel$kind %in% product_kernels &&
       !is.matrix(kernel$metric))
}

# The kernel is the one that the arguments and the distribution of the weights ask for.
sound_limit <- function(spec, network) {
  layer <- network$layers[[1L]]
  kind <- tryCatch(closed_kernel(spec, layer$copula$family, NULL), cawi_error = function(e) "none")
  # A trimmed layer has its metric, and no longer the copula that it came from.
  traced <- inherits(layer$copula, "cawi_copula")
  # Signs of eigenvectors differ from library to library; what they make does not.
  square <- function(metric) if (is.matrix(metric)) tcrossprod(metric) else metric
  identical(layer$kernel$kind, kind) &&
    identical(layer$kernel$inputs, kernel_inputs(spec, nrow(layer$weights))) &&
    (!traced || isTRUE(all.equal(square(kernel_metric(layer)), square(layer$kernel$metric))))
}
