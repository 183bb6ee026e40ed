# How the features depend on each other, and how well the problem is conditioned.

# Wider maps have cells that cannot be seen, and take long to compute.
most_mapped <- 60L
# Rows that Kendall's tau of a map is computed from.
mapped_rows <- 2000L

section_dependence <- function(about) {
  features <- length(about$model$network$center)
  if (features < 2L) return(NULL)
  if (features > most_mapped) {
    return(note(sprintf("A map of %s columns would not be readable, so there is none.",
                        figure_text(features))))
  }
  labels <- shorten(about$model$feature_names %||% paste0("x", seq_len(features)), 14L)
  copula <- about_copula(about)
  parts <- list(data_map(about, labels), copula_map(copula, labels))
  parts <- Filter(Negate(is.null), parts)
  if (length(parts) == 0L) return(NULL)
  text <- paste("Kendall's tau of every pair: 1 where two features always rise together, -1 where",
                "one rises as the other falls, 0 where they have no such tendency.")
  list(paragraph(text), paragraph(weights_follow(about, copula)), figures(parts))
}

# The copula of the first layer of the model, or of the first member that has one.
about_copula <- function(about) {
  models <- if (about$kind == "auto") about$fit$members else list(about$model)
  for (model in models) {
    copula <- if (has_weights(model$network)) model$network$layers[[1L]]$copula
    known <- inherits(copula, "cawi_copula") && copula$family != "independence"
    if (known && !is_gradient(model$spec)) return(copula)
  }
  NULL
}

weights_follow <- function(about, copula) {
  if (!is.null(copula)) {
    return(sprintf("The weights of the first layer follow a %s copula of the features.",
                   families[[copula$family]]$label))
  }
  trimmed <- is_trimmed(about$model, "sources")
  if (trimmed && follows_data(about$model)) {
    return("The copula that the weights follow was trimmed from the model.")
  }
  if (follows_gradient(about)) {
    return("The weights of the first layer follow the gradients of the scores.")
  }
  "The weights do not follow this dependence."
}

data_map <- function(about, labels) {
  x <- about$data$x
  if (is.null(x)) return(NULL)
  x <- x[evenly(nrow(x), mapped_rows), , drop = FALSE]
  tau <- kendall_cpp(x, about$threads)
  tau[!is.finite(tau)] <- 0
  diag(tau) <- 1
  heat_map(tau, labels, "The features as they were learned, after encoding.")
}

copula_map <- function(copula, labels) {
  if (is.null(copula)) return(NULL)
  heat_map(unname(model_tau(copula)), labels,
           sprintf("The %s copula that the weights were drawn from.",
                   families[[copula$family]]$label))
}

# ---- Conditioning ----

# Networks of each kind that are drawn for comparison, and the operations that this may take.
report_draws <- 10L
most_diagnosed <- 2e10

section_conditioning <- function(about) {
  if (about$kind == "auto") return(NULL)
  model <- about$model
  list(readout_part(model), diagnosis_part(about))
}

readout_part <- function(model) {
  figures <- summary(model)
  if (is.null(figures$freedom)) {
    return(note("The model does not keep the sums of its readout, so their condition number is not",
                " known."))
  }
  table <- data.frame(
    lambda = as.vector(t(model$lambda)), "effective degrees of freedom" = figures$freedom,
    "condition number of A'A + lambda I" = figures$condition, check.names = FALSE
  )
  list(paragraph("The readout is one ridge regression on the features and nodes. A condition",
                 " number of 10^k costs about k of the 16 digits that numbers have."),
       html_table(table, digits = 3))
}

# The hidden matrix beside those of i.i.d. weights, where that takes seconds.
diagnosis_part <- function(about) {
  model <- about$model
  able <- !is_infinite(model$spec) && !is.null(about$data) && has_weights(model$network) &&
    !is_trimmed(model, "sources")
  if (!able) return(NULL)
  # A report runs no code of the model.
  if (is.function(model$spec$init)) {
    return(note("The weights were given by a function, which a report does not run: ",
                "cawi_diagnose() compares its draws with others."))
  }
  cost <- nrow(about$data$x) * sum(model$spec$hidden)^2 * report_draws
  if (cost > most_diagnosed) return(NULL)
  found <- cawi_diagnose(model, draws = report_draws, seed = model$seed, threads = about$threads)
  kinds <- unique(found$weights)
  medians <- do.call(rbind, lapply(kinds, function(kind) {
    own <- found[found$weights == kind, ]
    data.frame(weights = kind, "effective rank" = stats::median(own$effective_rank),
               "condition number" = stats::median(own$condition),
               "with the penalty" = stats::median(own$ridge_condition), check.names = FALSE)
  }))
  list(tag("h3", "Hidden nodes"),
       paragraph(sprintf("Medians over %d networks of each kind, drawn anew.", report_draws)),
       html_table(medians))
}
