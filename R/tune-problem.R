# What is tuned: the input with its usable rows, the combinations of the grid, and the networks that
# serve them. None of it depends on the resampling.

tuning_problem <- function(input, model, grid, fixed, call) {
  grid <- complete_grid(grid, model, fixed, call)
  table <- as.data.frame(grid)
  # "auto" is in the grid now.
  fixed[vapply(fixed, identical, logical(1), "auto") & names(fixed) %in% names_of_auto] <- NULL
  fixed <- fixed[setdiff(names(fixed), names(grid))]
  fixed$intercept <- fixed_intercept(fixed, grid, input, call)
  problem <- list(model = model, grid = grid, fixed = fixed, input = input, table = table)
  problem$networks <- grid_networks(problem, call)
  problem$na_action <- problem$networks[[1L]]$spec$na_action
  centered <- vapply(problem$networks, function(network) network$spec$intercept, logical(1))
  problem$intercept <- all(centered)
  problem$data <- usable_data(input, problem$na_action, problem$intercept, call)
  # Numbers from here on: those of all rows, for every part.
  problem$fixed$class_weights <- resolve_class_weights(fixed$class_weights, problem$data$targets,
                                                       call)
  problem$data$targets <- weigh_classes(problem$data$targets, problem$fixed$class_weights)
  problem$unit <- error_unit(problem$data$targets)
  problem
}

# Arguments whose "auto" becomes an axis of the grid.
names_of_auto <- c("scale", "strength")

# The fixed intercept; NULL if none is given.
fixed_intercept <- function(fixed, grid, input, call) {
  if (!isFALSE(input$intercept)) return(fixed$intercept)
  no_intercept(fixed$intercept, call)
}

# Combinations that share a network but for its hidden nodes and penalty, as nests of shapes.
grid_networks <- function(problem, call) {
  grid <- unclass(problem$grid)
  others <- grid[names(grid) != "lambda"]
  index <- expand.grid(lapply(others, seq_along), KEEP.OUT.ATTRS = FALSE)
  if (length(others) == 0L) index <- data.frame(row.names = 1L)
  # Combinations that differ in shape alone are checked, and told from the others, once.
  shape <- names(index) %in% c("hidden", "windows", "nodes", "enhancement_windows", "enhancement")
  same <- do.call(paste, c(list(rep("spec", nrow(index))), index[!shape]))
  specs <- grid_specs(problem, index, shape, same, call)
  firsts <- unique(match(same, same))
  of_first <- function(f) vapply(specs[firsts], f, "")[match(same, same[firsts])]
  key <- of_first(network_key)
  init <- of_first(function(spec) rlang::hash(spec$init))
  networks <- lapply(split(seq_along(specs), paste(init, key)), function(group) {
    shapes <- lapply(specs[group], function(spec) spec$hidden)
    lapply(nested_shapes(shapes, is_nestable(specs[[group[1L]]])), function(nest) {
      list(spec = specs[[group[nest[1L]]]], shapes = shapes[nest], places = group[nest],
           init = init[group[1L]])
    })
  })
  networks <- do.call(c, unname(networks))
  networks[order(vapply(networks, function(network) network$places[1L], numeric(1)))]
}

# All that makes a network but its shape: specs that agree in it share one draw.
network_key <- function(spec) {
  spec[c("hidden", "broad", "init")] <- NULL
  if (length(unique(spec$activation)) == 1L) spec$activation <- spec$activation[1L]
  rlang::hash(spec)
}

# The spec of every combination.
grid_specs <- function(problem, index, shape, same, call) {
  axes <- unclass(problem$grid)
  values <- function(i, names) {
    value <- function(axis) axes[[axis]][[index[[axis]][i]]]
    stats::setNames(lapply(names, value), names)
  }
  known <- new.env()
  lapply(seq_len(nrow(index)), function(i) {
    if (is.null(known[[same[i]]])) {
      arguments <- utils::modifyList(problem$fixed, values(i, names(index)), keep.null = TRUE)
      arguments$lambda <- problem$grid$lambda
      given <- complete_arguments(problem$model, arguments, call)
      spec <- new_spec(problem$model, given, call)
      assign(same[i], list(given = given, spec = spec), envir = known)
    }
    given <- known[[same[i]]]$given
    given[names(index)[shape]] <- values(i, names(index)[shape])
    spec <- known[[same[i]]]$spec
    fresh <- model_shape(problem$model, given, call)
    spec[names(fresh)] <- fresh
    # Those of infinitely many nodes are others.
    spec["inputs"] <- list(check_inputs(given$inputs, call, auto_inputs(given)))
    if (is_infinite(spec)) check_infinite(spec, call)
    spec
  })
}
