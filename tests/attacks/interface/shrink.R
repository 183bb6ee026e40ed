# Makes a failing call smaller, as long as it fails in the same way, and writes it as a script.

# Numbers and names in a message differ from call to call.
stem <- function(why) gsub("[0-9.]+|`[^`]*`|\"[^\"]*\"|'[^']*'", "", substr(why, 1L, 80L))
same_failure <- function(a, b) identical(a$kind, b$kind) && identical(stem(a$why), stem(b$why))

shrunk <- function(drawn, outcome, env, seconds = 30) {
  end <- proc.time()[["elapsed"]] + seconds
  fails <- function(call) {
    proc.time()[["elapsed"]] < end && same_failure(run_call(call, env), outcome)
  }
  drawn$deep <- drawn$deep && !fails(replace(drawn, "deep", FALSE))
  repeat {
    smaller <- Find(fails, smaller_calls(drawn))
    if (is.null(smaller)) return(drawn)
    drawn <- smaller
  }
}

# Calls with an argument less, then with one that is simpler.
smaller_calls <- function(drawn) {
  without <- lapply(rev(seq_along(drawn$args)), function(at) {
    replace(drawn, "args",
            list(drawn$args[-at]))
  })
  simpler <- lapply(seq_along(drawn$args), function(at) {
    lapply(simpler_expressions(drawn$args[[at]]), function(e) {
      drawn$args[at] <- list(e)
      drawn
    })
  })
  c(without, unlist(simpler, recursive = FALSE))
}

# Parts of an expression in its place, then the expression with a simpler part.
simpler_expressions <- function(e) {
  if (is.numeric(e) && length(e) == 1L && isTRUE(e > 3) && e == round(e)) return(list(floor(e / 2),
                                                                                      e - 1))
  if (!is.call(e) || identical(e[[1L]], quote(`function`)) || identical(e[[1L]],
                                                                        quote(`~`))) return(list())
  parts <- as.list(e)[-1L]
  words <- c("poke", "column", "named", "leveled", "as_form", "edit", "without", "cawi_source",
             "cut_rows",
             "chunks", "unname", "slot_of")
  inner <- if (as.character(e[[1L]])[1L] %in% words) Filter(function(part) {
    is.call(part) ||
is.name(part)
  }, parts[1L])
  below <- lapply(seq_along(parts), function(at) {
    lapply(simpler_expressions(parts[[at]]), function(part) {
      e[[at + 1L]] <- part
      e
    })
  })
  c(inner, unlist(below, recursive = FALSE))
}

# ---- scripts ----

call_text <- function(drawn) {
  args <- vapply(drawn$args, function(e) paste(deparse(e, width.cutoff = 90L), collapse = "\n  "),
                 "")
  names <- names(drawn$args)
  if (!is.null(names)) args <- ifelse(nzchar(names), paste(names, "=", args), args)
  paste0(deparse(drawn$fun), "(", paste(args, collapse = ",\n  "), ")")
}

# The call, after the objects that it uses.
script_lines <- function(drawn) {
  used <- unlist(lapply(drawn$args, all.names))
  known <- c(names(model_fixtures), names(other_fixtures))
  made <- fixture_expressions(intersect(used, known))
  c(vapply(names(made), function(name) {
    paste(name, "<-", paste(deparse(made[[name]], width.cutoff = 90L), collapse = "\n  "))
  }, ""), call_text(drawn))
}

test_lines <- function(drawn, outcome) {
  title <- gsub("[\"\\]", "'", paste(drawn$key, outcome$kind, stem(outcome$why)))
  code <- paste0("  ", unlist(strsplit(script_lines(drawn), "\n")))
  last <- length(code)
  c(sprintf("# seed %.0f, call %.0f: %s", drawn$seed, drawn$number, outcome$why),
    "source(test_path(\"..\", \"..\", \"data.R\"))", "", sprintf("test_that(\"%s\", {", title),
    code[-last],
    if (outcome$kind == "unclassed") c("  expect_error(", paste0("  ", code[last]),
                                       "  , class = \"cawi_error\")")
    else c(code[last], paste0("  # must hold: ", outcome$why)), "})")
}
