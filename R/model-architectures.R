# The models. This file is read before the functions that are made from it.

# One row per model: its layers (`one`, `deep` or `broad`), how they are wired (`stacked`, or
# `skip`: a layer reads the features too and has a readout of its own), whether the readout sees the
# features, and its own arguments with their defaults, which come before the common ones.
models <- list(
  elm = list(
    label = "Extreme learning machine", acronym = "ELM", layers = "one", wiring = "stacked",
    direct = FALSE, own = list(hidden = 200, landmarks = 2000)
  ),
  rvfl = list(
    label = "Random vector functional link", acronym = "RVFL", layers = "one", wiring = "stacked",
    direct = TRUE, own = list(hidden = 200, landmarks = 2000)
  ),
  drvfl = list(
    label = "Deep RVFL", acronym = "dRVFL", layers = "deep", wiring = "stacked", direct = TRUE,
    own = list(hidden = c(100, 100, 100), align = "all")
  ),
  edrvfl = list(
    label = "Ensemble deep RVFL", acronym = "edRVFL", layers = "deep", wiring = "skip",
    direct = TRUE, own = list(hidden = c(100, 100, 100), align = "all")
  ),
  bls = list(
    label = "Broad learning system", acronym = "BLS", layers = "broad", wiring = "stacked",
    direct = FALSE,
    own = list(windows = 10, nodes = 10, enhancement_windows = 1, enhancement = 100, align = "all")
  )
)

model_names <- names(models)
model_labels <- vapply(models, function(model) model$label, "")
model_acronyms <- vapply(models, function(model) model$acronym, "")

model_layers <- vapply(models, function(model) model$layers, "")

# The first is tried first.
searched_models <- c("rvfl", setdiff(model_names, "rvfl"))
