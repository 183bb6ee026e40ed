# What results must be. A judge returns the sentences that are broken.

judged_result <- function(value, values, drawn, env) {
  judge <- judges[[drawn$judge]]
  if (is.null(judge)) return(character())
  arg <- function(name) argument(drawn, values, name)
  watched <- watched(judge(value, arg, drawn, env))
  if (!is.null(watched$error)) return(paste("the result cannot be used:",
                                            first_line(watched$error)))
  strange <- Filter(function(w) !is_ours(w, "warning") && !is_foreign(w, drawn), watched$warnings)
  c(watched$value, if (length(strange) > 0L) paste("using the result warns:",
                                                   first_line(strange[[1L]])))
}

broken <- function(...) {
  checks <- list(...)
  names(checks)[!vapply(checks, isTRUE, NA)]
}

row_number <- function(x) if (length(dim(x)) == 2L) nrow(x)
near <- function(a, b, tolerance = 1e-8) {
  # Column by column: beside the text of one column, the numbers of the others would be text, too.
  if (is.list(a) && is.list(b)) {
    return(length(a) == length(b) && all(mapply(near, a, b, tolerance)))
  }
  a <- unname(unlist(a))
  b <- unname(unlist(b))
  if (length(a) != length(b)) return(FALSE)
  if (!is.numeric(a) || !is.numeric(b)) return(identical(as.character(a), as.character(b)))
  both <- is.finite(a) & is.finite(b)
  size <- max(abs(b[both]), 0)
  identical(is.na(a), is.na(b)) && all(a[!both & !is.na(a)] == b[!both & !is.na(b)]) &&
    all(abs(a[both] - b[both]) <= tolerance * size + 1e-300)
}

turned_rows <- function(x) if (is.null(dim(x))) rev(x) else x[rev(seq_len(nrow(x))), , drop = FALSE]

# Rows whose values are all there and finite; NULL where that cannot be told.
sound_rows <- function(x) {
  tryCatch({
    if (isS4(x)) x <- as.matrix(x)
    if (is.data.frame(x)) x <- lapply(x, function(v) {
      # A level that is NA is a missing value.
      if (is.numeric(v)) v - v else ifelse(is.na(as.character(v)), NA, 0)
    })
    if (is.list(x)) x <- do.call(cbind, x)
    rowSums(!is.finite(x)) == 0
  }, error = function(e) NULL)
}

# ---- predictions ----

prediction_problems <- function(object, new_data, type, result, whole) {
  n <- row_number(new_data)
  if (is.null(n)) return(character())
  lines <- if (type == "interval" &&
               "output" %in% names(result)) length(unique(result$output)) else 1
  form <- switch(type,
    class = broken("a class per row" = is.factor(result) && length(result) == n),
    prob = broken("a row of probabilities per row" = is.matrix(result) && nrow(result) == n,
                  "probabilities in [0, 1]" = all(is.na(result) | result >= 0 & result <= 1),
                  "probabilities sum to one" =
                    all(is.na(result) | abs(rowSums(result) - 1) < 1e-8)),
    set = broken("a set per row" = is.matrix(result) && nrow(result) == n && is.logical(result)),
    interval = broken("an interval per row" = is.data.frame(result) &&
                      (n == 0 || nrow(result) == n * lines),
                      "ends in order" = all(is.na(result$lower) | result$lower <= result$upper)),
    broken("a number per row" = is.numeric(result) && NROW(result) == n)
  )
  if (length(form) > 0L || n == 0) return(form)
  sound <- sound_rows(new_data)
  missing <- rowSums(is.na(as.matrix(if (is.factor(result)) as.character(result) else result))) > 0
  if (type == "interval") missing <- rowSums(matrix(missing, n, byrow = TRUE)) > 0
  unsound <- is.numeric(result) && any(is.infinite(result))
  broken("rows without gaps have predictions" = !whole || is.null(sound) || !any(missing & sound),
         "predictions are finite" = !whole || !unsound)
}

default_type <- function(object) {
  if (identical(object$task,
                "classification")) "class" else "numeric"
}

# Features of a row round otherwise at another place; large coefficients magnify it, and so do roots
# of kernels.
order_tolerance <- function(object, result) {
  models <- if (is.list(object$members)) object$members else list(object$fit %||% object)
  sizes <- lapply(models, function(model) {
    roots <- Filter(Negate(is.null), lapply(model$network$layers, function(layer) layer$root))
    magnified <- max(1, vapply(roots, function(root) 1 / rcond(root), 0))
    lapply(model$readouts, function(readout) magnified * max(abs(readout$coefficients)))
  })
  columns <- if (is.list(result)) result else list(result)
  numbers <- as.double(unlist(Filter(is.numeric, columns)))
  largest <- max(abs(numbers[is.finite(numbers)]), 1e-300)
  max(1e-8, if (length(numbers) > 0L) 1e-14 * max(unlist(sizes), 0) / largest)
}
`%||%` <- function(a, b) if (is.null(a)) b else a

# The same rows in another order, another number of threads, and a model from a file.
same_predictions <- function(object, new_data, type, result, deep) {
  n <- row_number(new_data)
  if (is.null(n) || n == 0) return(character())
  turned <- stats::predict(object, turned_rows(new_data), type = type)
  if (type == "interval" && NROW(turned) > n) {
    blocks <- split(turned, rep(seq_len(n), each = NROW(turned) / n))
    turned <- do.call(rbind, blocks[n:1])
  } else {
    turned <- turned_rows(turned)
  }
  same <- near(turned, result, order_tolerance(object, result))
  c(broken("turned rows are turned predictions" = same), if (deep) {
    file <- tempfile()
    on.exit(unlink(file))
    saveRDS(object, file)
    broken(
      "the same after saveRDS" = identical(stats::predict(readRDS(file), new_data, type = type),
                                           result),
      "the same for two threads" = identical(stats::predict(object, new_data, type = type,
                                                            threads = 2), result)
    )
  })
}

# Classes, probabilities and sets of the same rows fit together.
classes_agree <- function(object, new_data) {
  if (!identical(object$task,
                 "classification") || is.null(row_number(new_data))) return(character())
  # A singular problem has classes and no probabilities, and says so.
  prob <- tryCatch(stats::predict(object, new_data, type = "prob"), cawi_error_type = identity)
  if (inherits(prob, "error")) return(character())
  class <- stats::predict(object, new_data)
  known <- which(!is.na(class))
  if (length(known) == 0L) return(character())
  own <- prob[cbind(known, match(as.character(class[known]), colnames(prob)))]
  c(prediction_problems(object, new_data, "prob", prob, FALSE),
    broken("the class is the most probable one" = all(own >= apply(prob[known, , drop = FALSE], 1,
                                                                   max) - 1e-12)))
}

# ---- fits ----

training_rows <- function(arg) {
  for (name in c("data", "y", "x")) {
    value <- arg(name)
    formula <- inherits(arg("x"), c("formula", "recipe")) || !is.null(arg("formula"))
    if (name != "x" && !formula) next
    if (!is.null(row_number(value))) return(value)
  }
  NULL
}

judge_model <- function(value, arg, drawn, env) {
  known <- inherits(value, c("cawi_model", "cawi_tuned", "cawi_auto"))
  if (!known) return("a model is a model")
  rows <- training_rows(arg)
  model <- if (inherits(value, "cawi_tuned")) value$fit else value
  found <- character()
  # Steps of a recipe may be for training alone, and leave gaps in new rows.
  gaps <- inherits(arg("x"), "recipe") && !isTRUE(all(sound_rows(rows)))
  if (!is.null(rows) && !gaps) {
    type <- default_type(model)
    result <- stats::predict(value, rows)
    # A formula may make gaps of its own.
    holes <- any(c("sqrt", "log", "ifelse", "exp") %in% unlist(lapply(drawn$args, all.names)))
    found <- c(prediction_problems(model, rows, type, result, !holes),
               same_predictions(value, rows, type, result, drawn$deep), classes_agree(value, rows))
  }
  if (drawn$deep) found <- c(found, same_for_threads(value, drawn, env), shows(value))
  found
}

# Prints and summaries of a sound result work.
shows <- function(value) {
  text <- utils::capture.output(print(value), print(summary(value)))
  broken("a print has lines" = length(text) > 0L)
}

same_for_threads <- function(value, drawn, env) {
  if (!is.null(drawn$args$threads) || is.null(drawn$args$seed)) return(character())
  again <- drawn
  again$args$threads <- 2
  other <- eval(call_expression(again), call_values(again, env))
  broken("the same fit for two threads" = identical(stats::coef(other), stats::coef(value)))
}

judge_predict <- function(value, arg, drawn, env) {
  object <- arg(1)
  new_data <- arg("new_data")
  model <- if (inherits(object, "cawi_tuned")) object$fit else object
  type <- arg("type")
  if (is.null(type)) type <- default_type(model)
  whole <- is.name(drawn$args[[1L]])
  found <- prediction_problems(model, new_data, type, value, whole)
  if (length(found) > 0L || !whole && !drawn$deep) return(found)
  level <- arg("level")
  if (is.null(level)) found <- same_predictions(object, new_data, type, value, drawn$deep)
  c(found, if (type == "class") classes_agree(object, new_data))
}

judges <- list(
  model = judge_model, method_predict = judge_predict,
  merged = function(value, arg, drawn, env) {
    broken("a model is a model" = inherits(value,
                                           "cawi_model"))
  },
  method_update = function(value, arg, drawn, env) {
    known <- inherits(value, c("cawi_model", "cawi_tuned", "cawi_auto"))
    whole <- is.name(drawn$args[[1L]])
    new_x <- arg("new_x")
    if (!known || !whole || is.null(row_number(new_x))) return(broken("a model is a model" = known))
    rows <- row_number(new_x)
    type <- default_type(value)
    result <- stats::predict(value, new_x)
    c(prediction_problems(value, new_x, type, result, TRUE),
      if (is.null(arg("forget_x")) && inherits(arg(1), "cawi_model")) {
        broken("rows are counted" = value$nobs <= arg(1)$nobs + rows)
      })
  },
  pseudo_obs = function(value, arg, drawn, env) {
    broken("one row per row" = identical(dim(value), dim(as.matrix(arg("x")))),
           "within (0, 1)" = all(value > 0 & value < 1))
  },
  kendall = function(value, arg, drawn, env) {
    c(broken("within [-1, 1]" = all(is.na(value) | abs(value) <= 1)),
      if (is.null(arg("y"))) {
        broken("symmetric" = isSymmetric(unname(value)),
               "a diagonal of ones" = all(is.na(diag(value)) | diag(value) == 1))
      })
  },
  correlation = function(value, arg, drawn, env) {
    least <- min(eigen(value, symmetric = TRUE, only.values = TRUE)$values)
    broken("symmetric" = isSymmetric(unname(value)),
           "a unit diagonal" = all(abs(diag(value) - 1) < 1e-12),
           "positive semidefinite" = least > -1e-10)
  },
  copula = function(value, arg, drawn, env) {
    # A copula of a billion dimensions is a few bytes; three draws of it are 24 GB.
    if (value$dim > 1e6) return(shows_one(value))
    draws <- stats::simulate(value, 3, seed = 1)
    density <- cawi_density(value, draws)
    numbers <- stats::coef(value)
    broken("a copula is a copula" = inherits(value, "cawi_copula"),
           "draws within (0, 1)" = all(draws > 0 & draws < 1),
           "densities are not negative" = all(density >= 0),
           "finite coefficients" = all(is.finite(numbers) | names(numbers) == "df"))
  },
  density = function(value, arg, drawn, env) {
    log <- isTRUE(arg("log"))
    u <- arg("u")
    n <- if (is.null(row_number(u))) 1 else row_number(u)
    broken("one density per row" = length(value) == n, "a density is a number" = !anyNA(value),
           "densities are not negative" = log || all(value >= 0))
  },
  selection = function(value, arg, drawn,
                       env) {
    broken("a line per family" = is.data.frame(value) && nrow(value) > 0L)
  },
  weights = function(value, arg, drawn, env) {
    uniform <- is.null(arg("marginal")) || identical(arg("marginal"), "uniform")
    scale <- if (is.null(arg("scale"))) 1 else as.double(unclass_i64(arg("scale")))
    broken("one column per node" = is.matrix(value) &&
           ncol(value) == as.double(unclass_i64(arg("hidden"))),
           "finite weights" = all(is.finite(value)),
           "uniform weights in their range" = !uniform || all(abs(value) <= scale * (1 + 1e-12)))
  },
  comparison = function(value, arg, drawn, env) shows_one(value),
  folds = function(value, arg, drawn, env) {
    n <- NROW(arg("y"))
    broken("one row per row" = nrow(value) == n,
           "folds are numbered" = all(value >= 0 & value == round(value)))
  },
  grid = function(value, arg, drawn, env) {
    broken("a grid is a grid" = inherits(value, "cawi_grid"),
           "a line per combination" = nrow(as.data.frame(value)) > 0L)
  },
  source = function(value, arg, drawn, env) shows_one(value),
  benchmark = function(value, arg, drawn, env) {
    accuracy <- value$accuracy
    c(shows_one(value),
      broken("accuracies in percent" = is.null(accuracy) ||
             all(is.na(accuracy) | accuracy >= 0 & accuracy <= 100)))
  },
  table = function(value, arg, drawn,
                   env) {
    broken("a table is a table" = is.data.frame(value) && nrow(value) > 0L)
  },
  dataset = function(value, arg, drawn, env) {
    broken("a class per row" = is.factor(value$y) && length(value$y) == nrow(value$x),
           "no missing class" = !anyNA(value$y),
           "numbers" = !is.matrix(value$x) || is.numeric(value$x))
  },
  features = function(value, arg, drawn, env) {
    n <- row_number(arg("new_data"))
    broken("one row per row" = is.null(n) || identical(as.double(nrow(value)), as.double(n)))
  },
  importance = function(value, arg, drawn, env) {
    whole <- is.name(drawn$args[[1L]])
    c(shows_one(value), broken("numbers" = !whole || all(is.finite(value$importance)),
                               "most important first" = !is.unsorted(-value$importance,
                                                                     na.rm = TRUE)))
  },
  effects = function(value, arg, drawn, env) {
    whole <- is.name(drawn$args[[1L]])
    c(shows_one(value), broken("numbers" = !whole || all(is.finite(value$effect))))
  },
  diagnosis = function(value, arg, drawn, env) {
    rank <- value$effective_rank
    c(shows_one(value), broken("ranks are not negative" = all(is.na(rank) | rank >= 0)))
  },
  trimmed = function(value, arg, drawn, env) {
    fit <- arg("fit")
    if (!is.name(drawn$args[[1L]])) return(character())
    rows <- eval(fixture_rows_again(drawn), env)
    broken("the same predictions" = identical(stats::predict(value, rows),
                                              stats::predict(fit, rows)))
  },
  report = function(value, arg, drawn, env) {
    text <- readLines(arg("file"), warn = FALSE, encoding = "UTF-8")
    on.exit(unlink(arg("file")))
    broken("a page is whole" = grepl("</html>", text[length(text)], fixed = TRUE),
           "text is text" = all(validUTF8(text)),
           "no tag of a name" = !any(grepl("<b>", text, fixed = TRUE)))
  },
  statistics = function(value, arg, drawn, env) shows_one(value),
  method_simulate = function(value, arg, drawn, env) {
    broken("draws within (0, 1)" = all(value > 0 & value < 1))
  },
  method_augment = function(value, arg, drawn, env) {
    n <- row_number(arg("new_data"))
    broken("one row per row" = is.null(n) || nrow(value) == n)
  },
  method_autoplot = function(value, arg, drawn, env) {
    # Building is slow.
    if (drawn$deep && is.name(drawn$args[[1L]])) ggplot2::ggplot_build(value)
    broken("a plot is a plot" = inherits(value, "ggplot"))
  },
  method_fitted = function(value, arg, drawn, env) {
    broken("one value per row" = !is.name(drawn$args[[1L]]) || NROW(value) > 0L)
  },
  method_glance = function(value, arg, drawn,
                           env) {
    broken("one line" = is.data.frame(value) && nrow(value) == 1L)
  },
  method_tidy = function(value, arg, drawn, env) broken("a table" = is.data.frame(value))
)

unclass_i64 <- function(x) if (inherits(x, "integer64")) unclass(x) / 4.940656458412465e-324 else x

shows_one <- function(value) {
  broken("a print has lines" = length(utils::capture.output(print(value))) > 0L)
}

# Rows that a fixture knows, the same each time.
fixture_rows_again <- function(drawn) {
  name <- as.character(drawn$args[[1L]])
  if (name == "fit_names") return(quote(named(mat(9), "html")))
  if (name == "fit_plain") return(quote(unname(mat(9))))
  if (name == "fit_sparse") return(quote(sparse(9)))
  if (any(all.names(model_fixtures[[name]]) %in% c("frame",
                                                   "source"))) quote(frame(9)) else quote(mat(9))
}
