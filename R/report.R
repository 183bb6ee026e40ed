#' Report of a model
#'
#' Writes one page of HTML about a model, for a colleague or for a regulator: what the data were,
#' what was tried and chosen and why, how good the model is by exact leave-one-out, whether its
#' probabilities hold, which features matter and how, how the features depend on each other, how
#' well the problem is conditioned,
#' and how to fit the model again. The page is one file without scripts that needs nothing from the
#' network. It fits a phone, a screen and paper, light and dark.
#'
#' What is said depends on what the model keeps. Without training data (`keep_data = FALSE`, or
#' after [cawi_trim()]) there are no pictures of leave-one-out, and the page says so. All figures of
#' quality are those of leave-one-out, so they are of rows that the model has not seen; the curves
#' of the probabilities were fitted to the same scores.
#'
#' The file is written as a whole: beside its place first, and then moved there. An interrupted
#' report leaves the earlier one as it was.
#'
#' @param fit A `cawi_model`, `cawi_tuned` or `cawi_auto`.
#' @param file Where to write the page. The folder must exist.
#' @param title A title; `NULL` names the response and the model.
#' @param overwrite Replace a file that is there? Folders, links and devices are never replaced.
#' @param threads Number of threads; see [cawi-package].
#' @param ... Not used.
#' @return The path of the file, invisibly.
#' @seealso [cawi_diagnose()], [plot()][plot.cawi_model], [cawi_trim()]
#' @examples
#' fit <- cawi_rvfl(Species ~ ., iris, init = "gaussian", seed = 1)
#' file <- tempfile(fileext = ".html")
#' cawi_report(fit, file)
#' # browseURL(file)
#' @export
cawi_report <- function(fit, file, title = NULL, overwrite = TRUE, threads = NULL, ...) {
  check_dots(rlang::enquos(...))
  call <- environment()
  if (missing(fit)) abort_argument("fit", "{.arg fit} is missing.", call)
  if (missing(file)) abort_argument("file", "{.arg file} is missing.", call)
  fit <- without_sparse_data(check_fit(fit))
  overwrite <- check_flag(overwrite, "overwrite")
  if (!is.null(title) && !is_string(title)) {
    abort_argument("title", "{.arg title} must be one text, not {shown(title)}.", call)
  }
  file <- check_report_file(file, overwrite, call)
  threads <- resolve_threads(threads)
  page <- sound(fit, "fit", plainly(report_page(new_about(fit, threads), title)))
  write_page(page, file, call)
  invisible(file)
}

# Sections look at columns of dense rows; of others they say that they are not there.
without_sparse_data <- function(fit) {
  if (inherits(fit, "cawi_tuned")) fit$fit <- without_sparse_data(fit$fit)
  if (is_sparse(fit$data$x)) fit["data"] <- list(NULL)
  fit
}

# What all sections read: the fit, the one model that stands for its arguments, the training data
# and the leave-one-out scores, as far as they are kept.
new_about <- function(fit, threads) {
  kind <- if (inherits(fit, "cawi_auto")) "auto" else if (inherits(fit, "cawi_tuned")) "tuned" else
    "model"
  model <- switch(kind, auto = fit$members[[1L]], tuned = fit$fit, model = fit)
  whole <- if (kind == "auto") fit else model
  list(fit = fit, kind = kind, model = model, whole = whole, data = whole$data,
       left_out = known_left_out(whole), threads = threads)
}

# Truth and leave-one-out scores of the rows that have them; NULL where they are not kept.
known_left_out <- function(whole) {
  targets <- whole$data$targets
  if (is.null(targets)) return(NULL)
  if (is.null(whole$members)) {
    left_out <- left_out_rows(whole$readouts, targets)
    rows <- whole$readouts[[1L]]$loo$rows
  } else {
    if (is.null(whole$data$left_out)) return(NULL)
    left_out <- c(targets[c("classes", "values", "sd")], list(
      scores = whole$data$left_out, case_weights = row_weights(targets), sampled = FALSE
    ))
    rows <- seq_len(targets$rows)
  }
  if (!is.null(left_out) && !is.null(targets$offset)) {
    left_out$scores <- left_out$scores + targets$offset[rows]
    left_out$values <- left_out$values + targets$offset[rows]
  }
  left_out
}

# The sections in their order; each gives its content, or NULL where it has nothing to say.
report_sections <- function() {
  list(
    data = list(title = "Data", body = section_data),
    choice = list(title = "What was tried and chosen", body = section_choice),
    quality = list(title = "How good it is", body = section_quality),
    features = list(title = "Which features matter, and how", body = section_features),
    dependence = list(title = "How features depend on each other", body = section_dependence),
    conditioning = list(title = "Conditioning", body = section_conditioning),
    reproduce = list(title = "How to reproduce it", body = section_reproduce)
  )
}

report_page <- function(about, title) {
  sections <- report_sections()
  step <- progress_steps(length(sections), "Reporting")
  on.exit(step(done = TRUE))
  sections <- lapply(sections, function(section) {
    section["body"] <- list(section$body(about))
    step()
    section
  })
  sections <- Filter(function(section) !is.null(section$body), sections)
  html_page(title %||% report_title(about), report_head(about, title), sections)
}

report_title <- function(about) {
  response <- about$model$preprocessor$response$label
  of <- if (is.null(response)) "" else paste0(response, ": ")
  paste0(of, model_name(about))
}

model_name <- function(about) {
  if (about$kind == "auto") return("Automatic choice of randomized networks")
  name <- model_labels[[about$model$spec$model]]
  if (about$kind == "tuned") paste0(name, ", tuned") else name
}

report_head <- function(about, title) {
  whole <- about$whole
  classes <- whole$task == "classification"
  loo <- whole$loo
  figure <- if (!is.null(loo)) {
    if (classes) percent_text(left_out_accuracy(about)) else figure_text(loo$value)
  }
  name <- if (classes) "accuracy, leave-one-out" else "RMSE, leave-one-out"
  if (!classes && whole$outputs > 1L) name <- paste(name, "in standard deviations")
  cards <- list(
    figure, figure_text(whole$nobs), figure_text(count_features(about)),
    figure_text(if (classes) length(whole$outcome$levels) else whole$outputs)
  )
  names(cards) <- c(name, "rows", "features", if (classes) "classes" else
    if (whole$outputs == 1L) "numeric response" else "numeric responses")
  written <- format(Sys.time(), "%Y-%m-%d")
  lead <- sprintf("%s, fitted with cawi %s. Report of %s.", model_name(about),
                  whole$version, written)
  list(tag("h1", title %||% report_title(about)), tag("p", class = "lead", lead),
       figure_cards(cards))
}

# That of the most probable class, as predict() gives it; of the largest score where the scores are
# not kept.
left_out_accuracy <- function(about) {
  left_out <- about$left_out
  if (is.null(left_out)) return(about$whole$loo$value)
  prob <- apply_calibration(about$whole$calibration, left_out$scores)
  sum(left_out$case_weights * (best_class(prob) == left_out$classes)) / sum(left_out$case_weights)
}

# ---- The file ----

check_report_file <- function(file, overwrite, call) {
  path <- check_target(file, "file", call)
  if (!overwrite && file.exists(path)) {
    shown <- printable(file)
    message <- "{.file {shown}} is there already; {.code overwrite = TRUE} replaces it."
    abort_argument("file", message, call)
  }
  path
}

write_page <- function(page, file, call) {
  text <- paste0(enc2utf8(unclass(page)), "\n", collapse = "")
  if (!replace_bytes(file, charToRaw(text))) {
    abort_unwritten(file, nchar(text, "bytes"), "file", call)
  }
}
