page_of <- function(fit, ...) {
  file <- tempfile(fileext = ".html")
  on.exit(unlink(file))
  cawi_report(fit, file, ...)
  paste(readLines(file, encoding = "UTF-8"), collapse = "\n")
}

reported <- list(
  model = cawi_rvfl(Species ~ ., iris, hidden = 20, init = "gaussian", seed = 1),
  numbers = cawi_elm(mpg ~ ., mtcars, hidden = 10, seed = 1),
  outputs = cawi_edrvfl(mtcars[-(1:2)], mtcars[1:2], hidden = c(5, 4), scale = "auto", seed = 1),
  tuned = cawi_tune(Species ~ ., iris, resampling = 3, seed = 1,
                    grid = cawi_grid(hidden = 3:4, activation = c("sine", "relu"))),
  auto = cawi_auto(Species ~ ., iris, seed = 1),
  infinite = cawi_rvfl(mpg ~ ., mtcars, hidden = Inf, activation = "sine", bias = "phase",
                       marginal = "normal", seed = 1),
  gradient = cawi_rvfl(Species ~ ., iris, hidden = 10, init = "gradient", rounds = 1, seed = 1)
)

test_that("every kind of fit has its report", {
  for (name in names(reported)) {
    page <- page_of(reported[[name]])
    expect_match(page, "^<!DOCTYPE html>", label = name)
    expect_match(page, "How to reproduce it", label = name)
    expect_match(page, "<svg", label = name)
    # Sections that open are closed.
    count <- function(text) lengths(regmatches(page, gregexpr(text, page, fixed = TRUE)))
    for (tag in c("section", "table", "tr", "td", "svg", "figure", "div", "p", "dl")) {
      opened <- lengths(regmatches(page, gregexpr(paste0("<", tag, "[ >]"), page)))
      expect_identical(opened, count(paste0("</", tag, ">")), label = paste(name, tag))
    }
    # Nothing from elsewhere: no script, no address.
    expect_false(grepl("<script|@import|url\\(|src=", page), label = name)
    addresses <- unique(regmatches(page, gregexpr("https?://[^\"]*", page))[[1]])
    expect_identical(addresses, "http://www.w3.org/2000/svg", label = name)
  }
})

test_that("the choice of an automatic model tells how many were compared", {
  auto <- reported$auto
  text <- unclass(tag("div", auto_part(auto)))
  expect_match(text, counted(nrow(auto$results), "configuration"), fixed = TRUE)
})

test_that("the head counts rows, features and classes or numeric responses", {
  cards <- function(fit) {
    head <- unclass(tag("div", report_head(new_about(fit, 1L), NULL)))
    read <- function(class) {
      found <- regmatches(head, gregexpr(paste0("<span class=\"", class, "\">[^<]*"), head))[[1]]
      sub(".*>", "", found)
    }
    stats::setNames(read("value"), read("name"))[-1]
  }
  expect_identical(cards(reported$model), c(rows = "150", features = "4", classes = "3"))
  expect_identical(cards(reported$numbers),
                   c(rows = "32", features = "10", `numeric response` = "1"))
  expect_identical(cards(reported$outputs),
                   c(rows = "32", features = "9", `numeric responses` = "2"))
})

test_that("models without data, trimmed ones and those of the first release say what is missing", {
  without <- cawi_rvfl(Species ~ ., iris, hidden = 5, keep_data = FALSE, seed = 1)
  page <- page_of(without)
  expect_match(page, "does not keep its training data")
  expect_match(page, without$loo$text)
  for (name in names(reported)) {
    page <- page_of(cawi_trim(reported[[name]]))
    expect_match(page, "does not keep its training data", label = name)
    expect_match(page, "trimmed", label = name)
  }
  updated <- update(reported$model, new_x = iris[1:9, ], new_y = iris$Species[1:9])
  expect_match(page_of(updated), "has no leave-one-out figures")
  for (name in c("rvfl", "auto", "tuned", "outputs", "text")) {
    old <- readRDS(test_path("fixtures", "0.1.0", paste0(name, ".rds")))$object
    expect_match(page_of(old), "cawi 0.1.0", label = name)
  }
})

test_that("what users wrote stays text", {
  nasty <- iris
  names(nasty)[1:2] <- c("<script>alert(1)</script>", "a & \"b\" 'c'")
  levels(nasty$Species)[1:2] <- c("<b>setosa</b>", "</td></table>")
  for (fit in list(cawi_rvfl(nasty[1:4], nasty$Species, hidden = 5, init = "gaussian", seed = 1),
                   cawi_auto(nasty[1:4], nasty$Species, budget = 0.5, hidden = 9, seed = 1))) {
    page <- page_of(fit, title = "<i>title</i>")
    expect_false(grepl("<script|<b>|<i>", page))
    expect_match(page, "&lt;script&gt;alert(1)&lt;/script&gt;", fixed = TRUE)
    expect_match(page, "a &amp; &quot;b&quot; &#39;c&#39;", fixed = TRUE)
    expect_match(page, "&lt;b&gt;setosa&lt;/b&gt;", fixed = TRUE)
    expect_match(page, "&lt;i&gt;title&lt;/i&gt;", fixed = TRUE)
  }
  odd <- iris
  names(odd)[1] <- "caf\u00e9 \u4e2d"
  odd$Species <- factor(as.character(odd$Species), labels = c("a\u00df", "b", "c"))
  page <- page_of(cawi_rvfl(Species ~ ., odd, hidden = 5, seed = 1))
  expect_match(page, "caf\u00e9 \u4e2d", fixed = TRUE)
})

test_that("a report is the same each time and leaves R's generator alone", {
  expect_generator_untouched(page_of(reported$model))
  expect_identical(page_of(reported$model), page_of(reported$model))
})

test_that("the file is a regular one, written as a whole", {
  folder <- tempfile("reports")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  file <- file.path(folder, "report.html")
  fit <- reported$numbers
  expect_identical(withVisible(cawi_report(fit, file)),
                   list(value = normalizePath(file), visible = FALSE))
  expect_identical(list.files(folder, all.files = TRUE, no.. = TRUE), "report.html")
  writeLines("before", file)
  expect_error(cawi_report(fit, file, overwrite = FALSE), "overwrite", class = "cawi_error_file")
  expect_identical(readLines(file), "before")
  cawi_report(fit, file)
  expect_identical(readLines(file, 1), "<!DOCTYPE html>")
  expect_error(cawi_report(fit, folder), "folder", class = "cawi_error_file")
  expect_error(cawi_report(fit, file.path(folder, "no", "report.html")), "not there",
               class = "cawi_error_file")
  expect_error(cawi_report(fit, 1), class = "cawi_error_file")
  expect_error(cawi_report(fit, c("a", "b")), class = "cawi_error_file")
  expect_error(cawi_report(fit, ""), class = "cawi_error_file")
  expect_error(cawi_report(fit, NA_character_), class = "cawi_error_file")
  expect_error(cawi_report(fit), class = "cawi_error_file")
  expect_error(cawi_report(lm(mpg ~ wt, mtcars), file), class = "cawi_error_fit")
  expect_error(cawi_report(file = file), class = "cawi_error_fit")
  expect_error(cawi_report(fit, file, title = 1:2), class = "cawi_error_title")
  expect_error(cawi_report(fit, file, overwrite = NA), class = "cawi_error_overwrite")
  expect_error(cawi_report(fit, file, titel = "x"), class = "cawi_error_dots")
})

test_that("a page that cannot be written leaves nothing behind", {
  folder <- tempfile("reports")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  # The place of the file becomes a folder between the check and the move.
  file <- file.path(folder, "report.html")
  dir.create(file)
  writeLines("inside", file.path(file, "other"))
  expect_error(write_page(html("x"), file, environment()), class = "cawi_error_file")
  expect_identical(list.files(folder, all.files = TRUE, no.. = TRUE), "report.html")
  expect_error(write_page(html("x"), file.path(folder, "no", "x.html"), environment()),
               class = "cawi_error_file")
})

test_that("pages fit a phone and a screen, with all pictures and no error", {
  skip_without_browser()
  # The look itself finds what is wrong.
  bad <- tempfile(fileext = ".html")
  on.exit(unlink(bad))
  wide <- "<div style='width:900px'>x</div>"
  writeLines(paste0("<!DOCTYPE html>", wide, "<script>console.error(1)</script>"), bad)
  found <- browsed(bad, 380)
  expect_gt(found$scroll_width, 380)
  expect_gt(found$too_wide, 0)
  expect_length(found$console, 1)
  nasty <- iris
  names(nasty)[1] <- paste(rep("unbreakable", 12), collapse = "")
  levels(nasty$Species)[1] <- paste(rep("longlevel", 9), collapse = "")
  pages <- c(reported[c("model", "outputs", "tuned", "auto")],
             list(cawi_rvfl(Species ~ ., nasty, hidden = 5, init = "t", seed = 1)))
  for (fit in pages) {
    file <- tempfile(fileext = ".html")
    cawi_report(fit, file)
    for (width in c(380, 1280)) {
      found <- browsed(file, width)
      expect_lte(found$width, width)
      expect_lte(found$scroll_width, found$width)
      expect_identical(found$too_wide, 0)
      expect_gt(found$pictures, 2)
      expect_identical(found$pictures_seen, found$pictures)
      expect_identical(found$scripts, 0)
      expect_identical(found$loaded, 0)
      expect_identical(found$console, character())
    }
    unlink(file)
  }
})
