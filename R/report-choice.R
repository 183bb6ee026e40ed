# What was tried, what was chosen, and by what it was judged.

section_choice <- function(about) {
  switch(about$kind,
    model = list(model_facts(about$model), penalty_part(about$model), model_choices(about$model)),
    tuned = list(tuned_part(about$fit), model_facts(about$model)),
    auto = auto_part(about$fit)
  )
}

model_facts <- function(model) {
  spec <- model$spec
  drawn <- length(spec$hidden) > 0L
  list(tag("h3", "The model"), fact_list(list(
    "architecture" = model_labels[[spec$model]],
    "hidden nodes" = if (drawn) paste(spec$hidden, collapse = " + ") else "none",
    "activation" = if (drawn) paste(unique(spec$activation), collapse = ", "),
    "distribution of the weights" = if (drawn) paste0(init_text(model), node_text(spec)),
    "landmarks" = if (is_infinite(spec)) landmarks_text(model),
    "features are" = if (identical(spec$standardize, "ranks")) "replaced by their ranks" else
      if (spec$standardize) "centered and scaled" else "taken as they are",
    "penalty lambda" = number_text(unique(as.vector(model$lambda))),
    "readout sees" = paste(c(if (spec$direct) "features", if (drawn) "nodes",
                             if (spec$intercept) "an intercept"), collapse = ", ")
  )))
}

# The path of penalties with the one that was chosen.
penalty_part <- function(model) {
  if (!chose_penalty(model)) {
    return(paragraph("The penalty lambda was given, not chosen."))
  }
  path <- model$readouts[[1L]]$loo$rmse
  count <- length(model$readouts[[1L]]$lambda_path)
  text <- sprintf(paste("The penalty lambda has the least exact leave-one-out squared error of %d",
                        "values: every row is predicted by the model that was fitted to all",
                        "others."), count)
  if (!is.matrix(path) || nrow(path) < 2L) return(paragraph(text))
  list(paragraph(text), figures(penalty_figure(model)))
}

penalty_figure <- function(model) {
  table <- lambda_table(model)
  table <- table[table$lambda > 0 & table$rmse > 0, ]
  if (nrow(table) == 0L) return(NULL)
  panel <- new_panel(table$lambda, table$rmse, "lambda", "leave-one-out RMSE", "xy")
  paths <- split(table, factor(table$path, unique(table$path)))
  lines <- lapply(paths, function(part) {
    best <- part[part$chosen, ]
    list(svg_line(panel, part$lambda, part$rmse, "curve"),
         svg_points(panel, part$lambda, part$rmse, "point"),
         svg_points(panel, best$lambda, best$rmse, "chosen", 8))
  })
  kinds <- c(if (length(model$readouts) > 1L) "layer",
             if (ncol(model$readouts[[1L]]$loo$rmse) > 1L) "response")
  several <- if (length(kinds) > 0L) sprintf(" One line per %s.", paste(kinds, collapse = " and "))
  caption <- paste0("Leave-one-out error by penalty; the ring is the choice.", several)
  panel_figure(panel, unname(lines), caption)
}

# Spreads, strengths, families and rounds that a single fit has compared.
model_choices <- function(model) {
  spec <- model$spec
  part <- function(table, text) {
    if (is.null(table)) return(NULL)
    table <- table[order(table$rmse), vapply(table, function(v) !all(is.na(v)), logical(1))]
    list(paragraph(text, "."), html_table(utils::head(table, 12L)))
  }
  c(part(spec$choice, if (!is.null(spec$choice)) choice_text(spec)),
    part(spec$metric_choice, if (!is.null(spec$metric_choice)) metric_choice_text(spec)))
}

tuned_part <- function(fit) {
  axes <- names(fit$grid)[lengths(fit$grid) > 1L]
  better <- if (fit$maximize) "largest" else "least"
  rule <- if (fit$one_se) {
    "The simplest combination within one standard error of the best was chosen."
  } else {
    sprintf("The one with the %s mean was chosen.", better)
  }
  text <- sprintf("%s combinations were compared by %s; each was judged by its %s. %s",
                  figure_text(nrow(fit$results)), fit$resampling, metric_label(fit$metric), rule)
  chosen <- sprintf("Chosen: %s. Its %s is %s (standard error %s).", configuration_text(fit),
                    metric_label(fit$metric), number_text(fit$chosen$mean, 4),
                    number_text(fit$chosen$se, 2))
  table <- utils::head(sorted_results(fit), 10L)
  table <- table[c(axes, "columns", "mean", "se", "rmse")]
  names(table)[names(table) == "mean"] <- metric_label(fit$metric)
  names(table)[names(table) == "rmse"] <- "RMSE of the scores"
  list(paragraph(text), paragraph(tag("strong", chosen)),
       html_table(table, "The ten best combinations"),
       if (length(axes) > 0L) tuned_figures(fit))
}

# The best result of each value of each argument, over all that was combined with it.
tuned_figures <- function(fit) {
  table <- profile_table(fit)
  drawn <- lapply(split(table, factor(table$axis, unique(table$axis))), function(part) {
    known <- !is.na(part$se)
    panel <- new_panel(part$place, c(part$mean, part$mean - part$se, part$mean + part$se),
                       part$axis[1L], metric_label(fit$metric), ticks = shorten(part$value))
    chosen <- part[part$chosen, ]
    panel_figure(panel, list(
      if (any(known)) svg_ranges(panel, part$place[known], (part$mean - part$se)[known],
                                 (part$mean + part$se)[known], "range"),
      svg_line(panel, part$place, part$mean, "curve"),
      svg_points(panel, part$place, part$mean, "point"),
      svg_points(panel, chosen$place, chosen$mean, "chosen", 8)
    ), sprintf("Best %s for each value of %s, with its standard error; the ring is the choice.",
               metric_label(fit$metric), part$axis[1L]))
  })
  list(tag("h3", "What each argument did"), figures(unname(drawn)))
}

auto_part <- function(fit) {
  many <- nrow(fit$chosen) > 1L
  text <- sprintf("%s compared by exact leave-one-out in %s seconds%s. %s",
                  paste(counted(nrow(fit$results), "configuration"),
                        if (nrow(fit$results) == 1L) "was" else "were"),
                  number_text(fit$seconds, 2), short_of_time(fit),
                  if (many) {
                    paste("The model is a weighted average of those below. Shares are chosen by",
                          "the leave-one-out squared error of the average.")
                  } else {
                    "The one below predicts."
                  })
  members <- vapply(seq_len(nrow(fit$chosen)), function(i) candidate_text(fit$chosen[i, ]), "")
  share <- fit$chosen$share
  list(paragraph(text), bar_list(members, share, percent_text(share, 0), most = 1),
       if (many && !is.na(fit$chosen$alone[1L])) paragraph(alone_text(fit)),
       auto_comparison(fit))
}

auto_comparison <- function(fit) {
  compared <- comparison_table(fit)
  table <- compared$table
  if (nrow(table) < 2L) return(NULL)
  texts <- vapply(table$value, figure_text, "")
  list(tag("h3", paste0("The model, its members alone and the best of the others: ",
                        compared$title)),
       dot_list(table$label, table$value, texts, marked = is.na(table$share)))
}
