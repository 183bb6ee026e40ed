# How to fit the model again: its call, its seed, and what it ran on.

section_reproduce <- function(about) {
  whole <- about$whole
  facts <- fact_list(list(
    "seed" = format(about$fit$seed, digits = 17),
    "fitted with" = paste("cawi", whole$version),
    "reported with" = paste("cawi", own_version()),
    "R" = R.version.string,
    "platform" = R.version$platform,
    "seconds that the fit took" = number_text(fit_seconds(about), 3)
  ))
  text <- paste("The same data, arguments and seed give the same model, for any number of threads;",
                "other versions and platforms may differ in the last digits.")
  list(paragraph(text), tag("pre", call_text(about)), facts, trimmed_note(about))
}

fit_seconds <- function(about) sum(about$fit$seconds)

trimmed_note <- function(about) {
  text <- trimmed_text(about$whole)
  if (!is.null(text)) note("This model is ", text, ".")
}

# The call as it can be written, with the arguments that are not the defaults.
call_text <- function(about) {
  fit <- about$fit
  arguments <- switch(about$kind,
    model = c(spec_arguments(fit$spec), weights_argument(fit), seed_argument(fit)),
    tuned = tuned_arguments(fit),
    auto = c(auto_arguments(fit), seed_argument(fit))
  )
  name <- switch(about$kind, model = paste0("cawi_", fit$spec$model), tuned = "cawi_tune",
                 auto = "cawi_auto")
  texts <- vapply(arguments, argument_text, "")
  texts <- paste0(ifelse(nzchar(names(arguments)), paste0(names(arguments), " = "), ""), texts)
  sprintf("fit <- %s(\n  %s\n)", name, paste(c(data_text(about$model), texts), collapse = ",\n  "))
}

seed_argument <- function(fit) list(seed = fit$seed)

weights_argument <- function(model) {
  if (isTRUE(model$weighted)) list(case_weights = quote(case_weights))
}

# Code is shown as it is, values as R writes them.
argument_text <- function(value) {
  if (is_given(value)) return("<weights of your own>")
  if (inherits(value, "cawi_copula")) return(sprintf("<a %s copula>", value$family))
  if (is.list(value)) {
    return(sprintf("list(%s)", paste(vapply(value, argument_text, ""), collapse = ", ")))
  }
  text <- paste(trimws(deparse(value, width.cutoff = 500L, control = "keepNA")),
                collapse = " ")
  if (nchar(text) > 300L) paste0(substr(text, 1L, 300L), "...") else text
}

data_text <- function(model) {
  preprocessor <- model$preprocessor
  switch(preprocessor$kind, formula = c(formula_text(preprocessor), "data"),
         recipe = c("recipe", "data"), c("x", "y"))
}

formula_text <- function(preprocessor) {
  names <- vapply(preprocessor$rules, function(rule) rule$name, "")
  terms <- vapply(preprocessor$terms, function(term) paste(names[term], collapse = ":"), "")
  if (length(terms) > 25L) terms <- c(utils::head(terms, 25L), "...")
  none <- if (isTRUE(preprocessor$all_levels)) " - 1" else ""
  offset <- vapply(preprocessor$offsets, expression_label, "")
  right <- paste(c(terms, offset), collapse = " + ")
  sprintf("%s ~ %s%s", preprocessor$response$label, right, none)
}

# Arguments of a model whose values are not the defaults.
spec_arguments <- function(spec) {
  defaults <- model_arguments(spec$model)
  values <- c(spec, spec$broad)
  names <- intersect(names(defaults), names(values))
  # The defaults as the checks leave them.
  plain <- new_spec(spec$model, utils::modifyList(defaults, values["init"][!is_given(spec$init)]),
                    NULL)
  plain <- c(plain, plain$broad)
  # Layers that have the same activation were given it once.
  single <- function(activation) if (length(unique(activation)) > 1L) activation else activation[1L]
  values$activation <- single(values$activation)
  plain$activation <- single(plain$activation)
  changed <- vapply(names, function(name) {
    !isTRUE(all.equal(values[[name]], plain[[name]], check.attributes = FALSE))
  }, logical(1))
  if (!identical(spec$init, "iid")) changed["init"] <- TRUE
  values[names[changed]]
}

tuned_arguments <- function(fit) {
  grid <- unclass(fit$grid)
  axes <- vapply(names(grid), function(axis) {
    paste0(axis, " = ", argument_text(grid[[axis]]))
  }, "")
  fixed <- fit$best[setdiff(names(fit$best), names(grid))]
  text <- sprintf("cawi_grid(%s)", paste(axes, collapse = ", "))
  # Names are written without quotes, as code is.
  c(list(model = fit$model, grid = as.name(text), metric = fit$metric),
    resampling_arguments(fit$resampling),
    if (fit$one_se) list(one_se = TRUE), fixed, weights_argument(fit$fit), seed_argument(fit))
}

# From the words that resampling_text() has for them.
resampling_arguments <- function(text) {
  if (startsWith(text, "exact")) return(list(resampling = "loo"))
  numbers <- as.numeric(regmatches(text, gregexpr("[0-9]+", text))[[1L]])
  folds <- if (grepl("stratified", text, fixed = TRUE)) numbers[1L] else quote(folds)
  c(list(resampling = folds), if (length(numbers) > 1L) list(repeats = numbers[2L]))
}

auto_arguments <- function(fit) {
  known <- fit$arguments
  defaults <- list(hidden = Inf, models = searched_models, init = auto_inits, draws = 2,
                   na_action = "fail", standardize = TRUE, marginal = "uniform")
  same <- vapply(names(known), function(name) setequal(known[[name]], defaults[[name]]), logical(1))
  c(list(budget = fit$budget), known[!same], weights_argument(fit$members[[1L]]))
}
