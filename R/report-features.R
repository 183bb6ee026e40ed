# Which features matter, and how.

# More features than these are a list that nobody reads.
most_important <- 20L

section_features <- function(about) {
  found <- tryCatch(explained(about), cawi_error = conditionMessage)
  if (is.character(found)) return(note("Importance and effects could not be computed: ", found))
  list(importance_part(found$importance), effects_part(found$effects, about))
}

# The rows that the model keeps are enough; without them there is nothing to look at.
explained <- function(about) {
  importance <- cawi_importance(about$fit, threads = about$threads)
  leading <- utils::head(importance$feature[importance$importance > 0], shown_features)
  list(importance = importance,
       effects = if (length(leading) > 0L) {
         cawi_effects(about$fit, leading, threads = about$threads)
       })
}

importance_part <- function(table) {
  more <- nrow(table) - most_important
  table <- utils::head(table, most_important)
  texts <- sprintf("%s \u00b1 %s", vapply(table$importance, figure_text, "", digits = 3),
                   vapply(table$se, figure_text, "", digits = 2))
  list(
    paragraph("How much the predictions change with a feature: the root mean square of their slope",
              " for a change of one standard deviation, or, for levels, their standard deviation,",
              " with its standard error."),
    bar_list(table$feature, table$importance, texts),
    if (more > 0L) note(sprintf("%s more features matter less.", figure_text(more)))
  )
}

effects_part <- function(effects, about) {
  if (is.null(effects)) return(NULL)
  parts <- split(as.data.frame(effects), factor(effects$feature, unique(effects$feature)))
  list(
    tag("h3", "How the leading features matter"),
    paragraph(
      "Accumulated local effects: how ",
      if (about$whole$task == "classification") "the probability of each class" else
        "the prediction",
      " changes along a feature, beside its mean, while the other features stay where they are."
    ),
    figures(unname(lapply(parts, effect_figure)))
  )
}

# Lines that a panel can hold apart; more classes have none of their own.
most_lines <- 6L

effect_figure <- function(table) {
  outputs <- unique(table$output)
  shown <- utils::head(outputs, most_lines)
  levels <- table$level[table$output == outputs[1L]]
  numeric <- all(is.na(levels))
  place <- if (numeric) table$value else match(table$level, levels)
  panel <- new_panel(place, table$effect, table$feature[1L], "effect",
                     ticks = if (!numeric) shorten(levels, 12L))
  lines <- lapply(seq_along(shown), function(k) {
    own <- table$output == shown[k]
    class <- if (length(outputs) > 1L) paste0("curve line-", k) else "curve"
    end <- which(own)[sum(own)]
    list(svg_line(panel, place[own], table$effect[own], class),
         if (length(outputs) > 1L) {
           svg_text(at_x(panel, place[end]) - 4, at_y(panel, table$effect[end]) - 6,
                    shorten(shown[k]), paste0("key key-", k), "end")
         })
  })
  more <- if (length(outputs) > most_lines) {
    sprintf(" The first %d of %d outputs.", most_lines, length(outputs))
  }
  panel_figure(panel, list(svg_line(panel, panel$x$range, c(0, 0), "guide"), lines),
               paste0("Effect of ", table$feature[1L], ".", more))
}
