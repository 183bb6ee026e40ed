# Randomized networks in tidymodels: a recipe, a workflow, a grid of penalties, activations and
# hidden nodes, and the last fit.

for (package in c("parsnip", "recipes", "rsample", "tune", "workflows", "yardstick", "cawi")) {
  library(package, character.only = TRUE)
}

set.seed(1)
split <- initial_split(iris, strata = Species)
steps <- recipe(Species ~ ., training(split)) |> step_normalize(all_numeric_predictors())
model <- rand_network("classification", hidden_units = tune(), penalty = tune(),
                      activation = tune()) |>
  set_engine("cawi", seed = 1, threads = 1)
flow <- workflow(steps, model)
grid <- expand.grid(penalty = 10^(-4:2), activation = c("sigmoid", "radbas"),
                    hidden_units = c(20, 50), stringsAsFactors = FALSE)
tuned <- tune_grid(flow, vfold_cv(training(split), 5, strata = Species), grid = grid,
                   metrics = metric_set(accuracy, mn_log_loss))
print(show_best(tuned, metric = "mn_log_loss"))
best <- select_best(tuned, metric = "mn_log_loss")
last <- last_fit(finalize_workflow(flow, best), split, metrics = metric_set(accuracy, mn_log_loss))
print(collect_metrics(last))
