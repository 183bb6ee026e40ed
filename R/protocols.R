# One unit of a benchmark: a data set, a model, a law of the weights and a seed under one protocol.

run_unit <- function(unit, plan, threads, call) {
  data <- unit_data(unit, plan, call)
  result <- if (plan$protocol == "nested") {
    nested_unit(unit, plan, data, threads, call)
  } else {
    test_fold_unit(unit, plan, data, threads, call)
  }
  cbind(set = unit$set, rows = nrow(data$x), features = ncol(data$x), model = unit$model, init = unit$init,
        protocol = plan$protocol, seed = unit$seed, result)
}

# Shuffled stratified folds; everything is chosen in the training part by exact leave-one-out.
nested_unit <- function(unit, plan, data, threads, call) {
  fold <- cawi_folds(data$y, plan$folds, seed = unit$seed)[, 1L]
  grid <- plan$grids[[unit$model]]
  rows <- lapply(seq_len(plan$folds), function(k) {
    train <- fold != k
    tuned <- suppressWarnings(
      cawi_tune(data$x[train, , drop = FALSE], droplevels(data$y[train]), unit$model, grid, init = unit$init,
                seed = unit$seed, threads = threads),
      classes = "cawi_warning_independence"
    )
    # The class of the largest raw score, as the paper has it, whatever probabilities say.
    scores <- stats::predict(tuned, data$x[!train, , drop = FALSE], type = "score", threads = threads)
    predicted <- tuned$fit$levels[max.col(scores, "first")]
    spec <- tuned$fit$spec
    shape <- if (is.null(spec$broad)) spec$hidden else spec$broad$enhancement
    data.frame(fold = k, accuracy = mean(predicted == as.character(data$y[!train])),
               hidden = width_text(shape), activation = paste(unique(spec$activation), collapse = "+"),
               lambda = tuned$best$lambda, tried = 1L, seconds = sum(tuned$fit$seconds),
               family = tuned$fit$network$layers[[1L]]$copula$family)
  })
  do.call(rbind, rows)
}

# Never 1e+05, which would read as two layers.
width_text <- function(widths) paste(format(widths, scientific = FALSE, trim = TRUE), collapse = "+")

# ---- the protocol of the public code: choice on the test folds ----

# Rows standardised across their features; a constant row becomes zeros.
standardise_rows <- function(x) {
  centred <- x - rowMeans(x)
  sd <- sqrt(rowSums(centred^2) / max(ncol(x) - 1, 1))
  centred / ifelse(sd > 0, sd, 1)
}

contiguous_folds <- function(rows, folds) {
  ends <- ceiling(seq_len(folds) * rows / folds)
  findInterval(seq_len(rows), ends, left.open = TRUE) + 1L
}

test_fold_unit <- function(unit, plan, data, threads, call) {
  parts <- test_fold_parts(data, plan$folds)
  grid <- unclass(plan$grids[[unit$model]])
  copulas <- lapply(parts, function(part) part_copula(part$x, unit$init, threads))
  variants <- arm_variants(unit$init, plan, copulas)
  together <- nrow(data$x) > plan$nested_above
  # Fresh draws for every arm: two families that fall back to independence must not be the same networks.
  arm <- child_seed_cpp(unit$seed, match(unit$init, auto_inits))
  best <- list(mean = -1)
  path <- numeric(length(variants))
  for (v in seq_along(variants)) {
    for (activation in grid$activation) {
      hits <- lapply(seq_along(parts), function(k) {
        copula <- variants[[v]](copulas[[k]])
        seed <- child_seed_cpp(arm, (v * 100L + match(activation, activation_names)) * 100L + k)
        fold_accuracies(parts[[k]], unit$model, copula, grid, activation, together, seed, threads)
      })
      best <- better_cell(best, hits, v, activation)
    }
    path[v] <- best$mean
  }
  test_fold_rows(best, path, grid, parts, unit, copulas, variants, threads)
}

# One-hot over the classes of the whole file, as the public code has it.
test_fold_parts <- function(data, folds) {
  x <- standardise_rows(data$x)
  fold <- contiguous_folds(nrow(x), folds)
  classes <- as.integer(data$y)
  targets <- function(rows) {
    list(classes = classes[rows], outputs = nlevels(data$y), weights = NULL, values = NULL, rows = length(rows),
         task = "classification")
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

# The networks that an arm may try: functions from the fitted copula to the one to draw from.
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

# Accuracies on the held-out rows, lambdas x widths. Together: all widths from one draw.
fold_accuracies <- function(part, model, copula, grid, activation, together, seed, threads) {
  widths <- sort(grid$hidden, decreasing = TRUE)
  shapes <- if (together) list(as.list(widths)) else lapply(widths, list)
  networks <- lapply(seq_along(shapes), function(i) {
    paper_network(part$x, model, copula, shapes[[i]][[1L]], activation, if (together) seed else child_seed_cpp(seed, i),
                  threads)
  })
  losses <- families_losses(part$x, part$targets, networks, shapes, grid$lambda, threads, part$fresh)
  do.call(cbind, lapply(losses, function(loss) loss$sum$hit)) / part$fresh$targets$rows
}

paper_network <- function(x, model, copula, width, activation, seed, threads) {
  spec <- list(marginal = "uniform", inputs = NULL, bias = "uniform")
  nodes <- draw_nodes(copula, width, spec, 1, 1L, seed, NULL, nrow(x), threads)
  list(center = numeric(ncol(x)), scale = rep(1, ncol(x)), wiring = "stacked", direct = model == "rvfl",
       intercept = TRUE, layers = list(c(nodes, list(activation = activation, copula = copula))))
}

# The cell with the best mean accuracy over the folds, if it beats what there is.
better_cell <- function(best, hits, variant, activation) {
  share <- Reduce(`+`, hits) / length(hits)
  if (max(share) <= best$mean) return(best)
  list(mean = max(share), cell = arrayInd(which.max(share), dim(share)), variant = variant, activation = activation,
       hits = hits)
}

test_fold_rows <- function(best, path, grid, parts, unit, copulas, variants, threads) {
  width <- sort(grid$hidden, decreasing = TRUE)[best$cell[2L]]
  accuracy <- vapply(best$hits, function(hits) hits[best$cell], numeric(1))
  seconds <- paper_seconds(parts[[1L]], unit, width, best, grid, threads)
  folds <- data.frame(fold = seq_along(parts), accuracy = accuracy, hidden = width_text(width),
                      activation = best$activation, lambda = grid$lambda[best$cell[1L]], tried = length(variants),
                      seconds = seconds, family = vapply(copulas, function(copula) copula$family, character(1)))
  after <- data.frame(fold = 0L, accuracy = path, hidden = NA_character_,
                      activation = NA_character_, lambda = NA_real_, tried = seq_along(path), seconds = NA_real_,
                      family = NA_character_)
  rbind(folds, after)
}

# One fit with the chosen values: copula, weights, features, solve.
paper_seconds <- function(part, unit, width, best, grid, threads) {
  clock <- proc.time()[["elapsed"]]
  copula <- part_copula(part$x, unit$init, threads)
  network <- paper_network(part$x, unit$model, copula, width, best$activation, unit$seed, threads)
  fit_readout(part$x, network, NULL, part$targets, grid$lambda[best$cell[1L]], threads, caller_env())
  proc.time()[["elapsed"]] - clock
}
