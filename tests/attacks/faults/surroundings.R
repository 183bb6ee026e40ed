# What is around a run: a clock that is set, other languages, a library that cannot be written, and
# no home.

# ---- clocks ----

# Results and seconds of runs during which the clock is set by so much.
under_jumps <- function(by) {
  set_clock <- function(text) writeLines(text, Sys.getenv("FAKETIME_TIMESTAMP_FILE"))
  jumping <- function(x, hidden, seed) {
    set_clock(by)
    set.seed(seed)
    matrix(stats::rnorm(ncol(x) * hidden), ncol(x))
  }
  start <- Sys.time()
  fit <- cawi_rvfl(Species ~ ., iris, hidden = 5, init = jumping, seed = 1)
  jumped <- abs(as.numeric(difftime(Sys.time(), start, units = "secs"))) > 1000
  set_clock("+0d")
  sets <- list(a = list(x = as.matrix(iris[, 1:4]), y = iris$Species))
  table <- cawi_benchmark(sets, init = list(jumping = jumping), folds = 2, record = tempfile(),
                          grid = cawi_grid(hidden = 4, activation = "relu", lambda = 1))
  set_clock("+0d")
  tuned <- cawi_tune(Species ~ ., iris, grid = cawi_grid(hidden = c(4, 6), lambda = 1),
                     init = jumping, seed = 1)
  set_clock("+0d")
  rows <- in_chunks(many_flowers(2), 50)
  source <- cawi_source(function(reset) {
    set_clock(by)
    rows(reset)
  })
  chunks <- cawi_elm(Species ~ ., source, hidden = 4, seed = 1)
  set_clock("+0d")
  began <- cawi:::clock_seconds()
  auto <- suppressWarnings(cawi_auto(Species ~ ., iris, seed = 1, time_limit = 5))
  took <- cawi:::clock_seconds() - began
  seconds <- c(fit$seconds, table$seconds, tuned$seconds, chunks$seconds)
  list(jumped = jumped, seconds = seconds, took = took,
       values = list(coef(fit), predict(fit, iris), without_seconds(table), coef(tuned$fit),
                     coef(chunks), class(predict(auto, iris))))
}

scenario("clock that is set back and forth", {
  library <- Sys.glob("/usr/lib/*/faketime/libfaketime.so.1")
  if (length(library) == 0L) stop("libfaketime is needed")
  found <- counts()
  values <- list()
  for (by in c("+0d", "-1d", "+1d", "+400d")) {
    file <- tempfile()
    writeLines("+0d", file)
    got <- in_child(bquote({
      source(.(file.path(attack, "surroundings.R")))
      under_jumps(.(by))
    }), env = c("FILTER=^$", paste0("FAKETIME_TIMESTAMP_FILE=", file), "FAKETIME_NO_CACHE=1",
                "FAKETIME_DONT_FAKE_MONOTONIC=1", paste0("LD_PRELOAD=", library)), seconds = 120)
    value <- got$value
    values[[by]] <- value$values
    good <- length(value$seconds) > 0L && all(value$seconds >= 0 & value$seconds < 100) &&
      value$took < 60 && value$jumped == (by != "+0d") && identical(values[[by]], values[["+0d"]])
    found <- found + counts(1, !isTRUE(good), unclassed = got$status != 0L)
  }
  found
})

# ---- languages ----

# All that must not depend on the language: numbers, files, and the order of levels and classes.
in_language <- function(outdec) {
  options(OutDec = outdec)
  frame <- data.frame(
    number = iris$Sepal.Length, `I.x` = iris$Petal.Width,
    text = rep_len(c("i", "I", "\u0131", "\u0130", "\u00e4", "Z", "a", "B", "\u6771"), 150),
    kind = c("Istanbul", "izmir", "\u00c4rger")[iris$Species], stringsAsFactors = FALSE
  )
  models <- list(
    cawi_rvfl(kind ~ ., frame, hidden = 6, init = "gaussian", activation = "sigmoid", seed = 1),
    cawi_elm(number ~ text + I.x, frame, hidden = 6, activation = "radbas", seed = 1),
    cawi_edrvfl(frame[c("number", "I.x")], frame$kind, hidden = c(4, 4), seed = 1),
    cawi_tune(kind ~ number + I.x, frame, grid = cawi_grid(hidden = c(4, 6), lambda = c(0.5, 2)),
              seed = 1)
  )
  folder <- new_folder()
  page <- file.path(folder, "page.html")
  rows <- file.path(folder, "rows.csv")
  cawi_report(models[[1L]], page)
  predict(models[[1L]], cawi_source(frame), type = "prob", to = rows)
  record <- file.path(folder, "record")
  table <- small_benchmark(record, seeds = 1)
  numbers <- list(
    lapply(models, function(model) predict(model, frame)),
    predict(models[[1L]], frame, type = "prob"), lapply(models[1:3], coef),
    models[[1L]]$levels, content(rows), without_seconds(table),
    all_files(record), lapply(cawi_importance(models[[1L]], seed = 1), unclass)
  )
  # How long a fit took is on the page.
  text <- readLines(page, encoding = "UTF-8")
  list(numbers = numbers, page = grep("second|Sys.getlocale|locale", text, value = TRUE,
                                      invert = TRUE))
}

languages <- c(C = "C", tr = "tr_TR.UTF-8", de = "de_DE.UTF-8", ja = "ja_JP.UTF-8")

scenario("languages: C, Turkish, German, Japanese, decimal commas", {
  made <- new_folder()
  for (language in languages[-1L]) {
    system2("localedef", c("-i", sub("[.].*", "", language), "-f", "UTF-8",
                           shQuote(file.path(made, language))), stdout = FALSE, stderr = FALSE)
  }
  speak <- function(language, outdec) {
    in_child(bquote({
      source(.(file.path(attack, "surroundings.R")))
      c(in_language(.(outdec)), list(locale = Sys.getlocale("LC_COLLATE")))
    }), env = c("FILTER=^$", paste0("LC_ALL=", language), "LANGUAGE=en",
                if (!language %in% c("C", "C.UTF-8")) paste0("LOCPATH=", made)), seconds = 120)
  }
  base <- speak("C.UTF-8", ".")
  found <- counts(1, is.null(base$value), unclassed = base$status != 0L)
  for (language in languages) {
    for (outdec in c(".", ",")) {
      got <- speak(language, outdec)
      spoken <- identical(got$value$locale, language)
      if (!spoken) note(language, " is not there: ", got$value$locale)
      same <- mapply(identical, got$value$numbers, base$value$numbers)
      # A page in the language C has other signs where the language has none for them.
      paged <- language == "C" || identical(got$value$page, base$value$page)
      if (!all(same) || !paged) {
        note(language, " ", outdec, ": ", paste(which(!same), collapse = " "),
             if (!paged) " and the page")
      }
      found <- found + counts(1, !spoken || !all(same) || !paged, unclassed = got$status != 0L)
    }
  }
  found
})

# ---- library and home ----

scenario("read-only library and no home", {
  work <- function() {
    in_child(quote({
      folder <- new_folder()
      list(coef(flowers()), basename(cawi_report(flowers(), file.path(folder, "page.html"))),
           without_seconds(small_benchmark(file.path(folder, "record"), seeds = 1)),
           coef(fit_in_chunks(file.path(folder, "fit.rds"))),
           nrow(cawi_datasets()), outcome(saveRDS(1, file.path(.libPaths()[1L], "x")))$class[1L])
    }), env = "HOME=/there/is/no/home", seconds = 120)
  }
  whole <- work()
  unlink(file.path(.libPaths()[1L], "x"))
  place <- .libPaths()[1L]
  mounted <- system2("mount", c("--bind", shQuote(place), shQuote(place)), stderr = FALSE) == 0L &&
    system2("mount", c("-o", "remount,bind,ro", shQuote(place)), stderr = FALSE) == 0L
  if (!mounted) note("mounts are not allowed here")
  got <- tryCatch(work(), finally = if (mounted) system2("umount", c("-l", shQuote(place))))
  closed <- !mounted || got$value[[6L]] != ""
  counts(2, !closed || !identical(got$value[1:5], whole$value[1:5]),
         unclassed = (whole$status != 0L) + (got$status != 0L))
})
