# Objects that come from a file have whatever was put into the file. They are data, and they are
# looked at before anything is done with them, in a way that neither evaluates nor dispatches. So no
# active binding, promise, function or method of a foreign class can act where an object is printed,
# summarized or used. Code is in the few places that need it (see model-code.R).

known_classes <- c(
  "data.frame", "tbl_df", "tbl", "factor", "ordered", "Date", "POSIXct", "POSIXt", "difftime",
  "table", paste0("cawi_", c(
    model_names, "model", "tuned", "auto", "grid", "copula", "selection", "statistics",
    "importance", "effects", "diagnosis", "benchmark", "comparison", "dataset", "sparse_rows"
  )), paste0("summary.cawi_", c("model", "auto", "copula", "benchmark"))
)

# Paths of models in objects that have some: in tuned and automatic models, and in their summaries.
model_places <- c("", "fit$", "model$", "members$$", "object$members$$")

# Functions that weights were drawn by, and what formulas compute.
code_places <- c(
  outer(model_places, c("spec$init", paste0("preprocessor$", c(
    "variables", "offsets", "response$call"
  ))), paste0), "init", "grid$init", "best$init"
)

# Objects of other packages, whose code runs in predictions alone.
closed_places <- c(outer(model_places, paste0("preprocessor$", c("recipe", "blueprint")), paste0))

# What in an object is no data, or NULL.
foreign_part <- function(object, classes = known_classes) {
  found <- foreign_part_cpp(object, classes, code_places, closed_places)
  if (!nzchar(found)) return(NULL)
  if (startsWith(found, " ")) paste0("it", found) else paste("its part", found)
}

check_data_only <- function(object, arg, call = caller_env(), topic = arg) {
  problem <- foreign_part(object)
  if (is.null(problem)) return(invisible())
  abort_argument(topic, "{.arg {arg}} is damaged: {problem}.", call)
}
