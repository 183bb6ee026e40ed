# One unit of a benchmark: a data set, a model, a distribution of the weights and a seed under one
# protocol.

run_unit <- function(unit, plan, threads, call) {
  data <- unit_data(unit, plan, call)
  result <- if (plan$protocol == "nested") {
    nested_unit(unit, plan, data, threads, call)
  } else {
    test_fold_unit(unit, plan, data, threads, call)
  }
  cbind(set = unit$set, rows = nrow(data$x), features = ncol(data$x), model = unit$model,
        init = unit$init, protocol = plan$protocol, seed = unit$seed, result)
}

# Shuffled stratified folds; everything is chosen in the training part by exact leave-one-out.
nested_unit <- function(unit, plan, data, threads, call) {
  fold <- cawi_folds(data$y, plan$folds, seed = unit$seed)[, 1L]
  grid <- plan$grids[[unit$model]]
  rows <- lapply(seq_len(plan$folds), function(k) {
    train <- fold != k
    tuned <- suppressWarnings(
      do.call(cawi_tune, c(
        list(data$x[train, , drop = FALSE], droplevels(data$y[train]), unit$model, grid,
             seed = unit$seed, threads = threads), plan$arms[[unit$init]]
      )),
      classes = "cawi_warning_independence"
    )
    # As in the paper: the class of the largest raw score, not of the largest probability.
    scores <- stats::predict(tuned, data$x[!train, , drop = FALSE], type = "score",
                             threads = threads)
    predicted <- tuned$fit$levels[max.col(scores, "first")]
    spec <- tuned$fit$spec
    shape <- if (is.null(spec$broad)) spec$hidden else spec$broad$enhancement
    data.frame(fold = k, accuracy = mean(predicted == as.character(data$y[!train])),
               hidden = hidden_text(shape),
               activation = paste(unique(spec$activation), collapse = "+"),
               lambda = tuned$best$lambda, tried = 1L, seconds = sum(tuned$fit$seconds),
               family = tuned$fit$network$layers[[1L]]$copula$family)
  })
  do.call(rbind, rows)
}

# Never 1e+05, which would read as two layers.
hidden_text <- function(hidden) {
  paste(format(hidden, scientific = FALSE, trim = TRUE), collapse = "+")
}

# ---- the protocol of the public code: choice on the test folds ----

# Rows standardized across their features; a constant row becomes zeros.
standardize_rows <- function(x) {
  centered <- x - rowMeans(x)
  sd <- sqrt(rowSums(centered^2) / max(ncol(x) - 1, 1))
  centered / ifelse(sd > 0, sd, 1)
}

contiguous_folds <- function(rows, folds) {
  ends <- ceiling(seq_len(folds) * rows / folds)
  findInterval(seq_len(rows), ends, left.open = TRUE) + 1L
}

test_fold_unit <- function(unit, plan, data, threads, call) {
  arm <- test_fold_arm(unit, plan, data, threads)
  best <- list(mean = -1)
  path <- numeric(length(arm$variants))
  for (v in seq_along(arm$variants)) {
    for (activation in arm$grid$activation) {
      hits <- lapply(seq_along(arm$parts), function(k) {
        fold_accuracies(arm, k, v, activation, threads)
      })
      best <- better_cell(best, hits, v, activation)
    }
    path[v] <- best$mean
  }
  test_fold_rows(arm, best, path, threads)
}

# All that the networks of an arm share: the parts of the data with their copulas, the variants of
# these copulas, and a seed. Each arm has a seed of its own, because two families that fall back to
# independence must not give the same networks.
test_fold_arm <- function(unit, plan, data, threads) {
  parts <- test_fold_parts(data, plan$folds)
  copulas <- lapply(parts, function(part) part_copula(part$x, unit$init, threads))
  list(
    unit = unit, grid = unclass(plan$grids[[unit$model]]), parts = parts, copulas = copulas,
    variants = arm_variants(unit$init, plan, copulas),
    together = nrow(data$x) > plan$nested_above,
    seed = child_seed_cpp(unit$seed, match(unit$init, distribution_names))
  )
}

# As in the public code, targets have a column for each class of the whole file.
test_fold_parts <- function(data, folds) {
  x <- standardize_rows(data$x)
  fold <- contiguous_folds(nrow(x), folds)
  classes <- as.integer(data$y)
  targets <- function(rows) {
    list(classes = classes[rows], outputs = nlevels(data$y), case_weights = NULL, values = NULL,
         rows = length(rows), task = "classification")
  }
  lapply(seq_len(folds), function(k) {
    train <- which(fold != k)
    test <- which(fold == k)
    list(x = x[train, , drop = FALSE], targets = targets(train),
         fresh = list(x = x[test, , drop = FALSE], targets = targets(test)))
  })
}

part_copula <- function(x, init, threads) {
  if (init == "iid") return(new_cawi_copula("independence", ncol(x)))
  fit_layer_copula(network_sample(x), init, threads, quiet = TRUE)
}

# The variants that an arm may try: functions that change the fitted copula before it is drawn from.
arm_variants <- function(init, plan, copulas) {
  if (plan$protocol == "equal") return(rep(list(identity), plan$draws))
  shrink <- function(share, df = NULL) {
    force(share)
    force(df)
    function(copula) {
      if (is.null(copula$cor)) return(copula)
      copula$cor <- (1 - share) * copula$cor + share * diag(copula$dim)
      if (!is.null(df)) copula$df <- df
      copula
    }
  }
  stretch <- function(factor) {
    force(factor)
    function(copula) {
      if (is.null(copula$theta)) return(copula)
      copula$theta <- max(copula$theta * factor, families[[copula$family]]$independence)
      copula
    }
  }
  switch(init,
    iid = list(identity),
    gaussian = lapply(c(0, 0.1, 0.25, 0.5), shrink),
    t = {
      first <- copulas[[1L]]$df
      df <- unique(c(if (!is.null(first)) min(max(round(first), 2), 50), 4, 6, 8, 10, 16, 30))
      variants <- expand.grid(share = c(0, 0.1, 0.25), df = df)
      Map(shrink, variants$share, variants$df)
    },
    lapply(c(0.75, 0.85, 1, 1.15, 1.3), stretch)
  )
}

# Accuracies on the held-out rows of part k with variant v of its copula, lambdas x numbers of
# hidden nodes. Together: one draw serves all of them.
fold_accuracies <- function(arm, k, v, activation, threads) {
  part <- arm$parts[[k]]
  copula <- arm$variants[[v]](arm$copulas[[k]])
  seed <- child_seed_cpp(arm$seed, (v * 100L + match(activation, activation_names)) * 100L + k)
  hidden <- sort(arm$grid$hidden, decreasing = TRUE)
  shapes <- if (arm$together) list(as.list(hidden)) else lapply(hidden, list)
  networks <- lapply(seq_along(shapes), function(i) {
    paper_network(part$x, arm$unit$model, copula, shapes[[i]][[1L]], activation,
                  if (arm$together) seed else child_seed_cpp(seed, i), threads)
  })
  judge <- new_judge(part$targets, part$fresh)
  losses <- nests_losses(part$x, part$targets, networks, shapes, arm$grid$lambda, judge, threads)
  do.call(cbind, lapply(losses, function(loss) loss$sum$hit)) / part$fresh$targets$rows
}

paper_network <- function(x, model, copula, hidden, activation, seed, threads) {
  source <- list(layer = 1L, copula = copula, factor = 1, marginal = "uniform", bias = "uniform",
                 seed = seed, threads = threads)
  nodes <- draw_nodes(source, hidden)
  list(center = numeric(ncol(x)), sd = rep(1, ncol(x)), wiring = "stacked",
       direct = models[[model]]$direct, intercept = TRUE,
       layers = list(c(nodes, list(activation = activation, copula = copula))))
}

# The cell with the best mean accuracy over the folds, if it is better than the best so far.
better_cell <- function(best, hits, variant, activation) {
  share <- Reduce(`+`, hits) / length(hits)
  if (max(share) <= best$mean) return(best)
  list(mean = max(share), cell = arrayInd(which.max(share), dim(share)), variant = variant,
       activation = activation, hits = hits)
}

test_fold_rows <- function(arm, best, path, threads) {
  chosen <- list(hidden = sort(arm$grid$hidden, decreasing = TRUE)[best$cell[2L]],
                 activation = best$activation, lambda = arm$grid$lambda[best$cell[1L]])
  folds <- data.frame(
    fold = seq_along(arm$parts),
    accuracy = vapply(best$hits, function(hits) hits[best$cell], numeric(1)),
    hidden = hidden_text(chosen$hidden), activation = chosen$activation, lambda = chosen$lambda,
    tried = length(arm$variants), seconds = paper_seconds(arm, chosen, threads),
    family = vapply(arm$copulas, function(copula) copula$family, character(1))
  )
  after <- data.frame(
    fold = 0L, accuracy = path, hidden = NA_character_, activation = NA_character_,
    lambda = NA_real_, tried = seq_along(path), seconds = NA_real_, family = NA_character_
  )
  rbind(folds, after)
}

# One fit with the chosen values: copula, weights, features, solve.
paper_seconds <- function(arm, chosen, threads) {
  part <- arm$parts[[1L]]
  unit <- arm$unit
  clock <- clock_seconds()
  copula <- part_copula(part$x, unit$init, threads)
  network <- paper_network(part$x, unit$model, copula, chosen$hidden, chosen$activation, unit$seed,
                           threads)
  run <- list(threads = threads, call = caller_env())
  fit_readouts(part$x, network, part$targets, chosen$lambda, run)
  clock_seconds() - clock
}
