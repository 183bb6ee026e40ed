# A look at a page in headless Chromium: its width, its pictures and its errors, at a width of the
# window. The page is in a frame, because windows of browsers cannot be as narrow as a phone.

browser_path <- function() {
  unname(Filter(nzchar, Sys.which(c("chromium", "chromium-browser", "google-chrome")))[1L])
}

skip_without_browser <- function() {
  testthat::skip_on_cran()
  testthat::skip_if(is.na(browser_path()), "Chromium is not here")
}

browser_flags <- c(
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
  "--disable-dev-shm-usage", "--enable-logging=stderr", "--virtual-time-budget=5000"
)

# What the script of the frame's page finds out.
measuring <- "
window.onload = function () {
  var doc = document.querySelector('iframe').contentDocument;
  var width = doc.documentElement.clientWidth;
  var scrolled = function (e) { return e.closest('.scroll, pre') !== null; };
  var wide = Array.from(doc.body.querySelectorAll('*')).filter(function (e) {
    return !scrolled(e) && e.getBoundingClientRect().right > width + 1;
  });
  var seen = Array.from(doc.querySelectorAll('svg')).filter(function (e) {
    var box = e.getBoundingClientRect();
    return box.width > 100 && box.height > 100 &&
      e.querySelectorAll('text, rect, circle').length > 3;
  });
  var loaded = doc.defaultView.performance.getEntriesByType('resource');
  document.title = [width, doc.documentElement.scrollWidth, wide.length,
    doc.querySelectorAll('svg').length, seen.length, doc.scripts.length, loaded.length].join(' ');
};"

# `file` is the page, `width` that of the window.
browsed <- function(file, width) {
  page <- paste(readLines(file, encoding = "UTF-8", warn = FALSE), collapse = "\n")
  page <- gsub("\"", "&quot;", gsub("&", "&amp;", page, fixed = TRUE), fixed = TRUE)
  frame <- tempfile(fileext = ".html")
  profile <- tempfile("profile")
  on.exit(unlink(c(frame, profile), recursive = TRUE))
  writeLines(enc2utf8(paste0(
    "<!DOCTYPE html><meta charset=\"utf-8\"><link rel=\"icon\" href=\"data:,\"><script>", measuring,
    "</script><iframe width=\"", width, "\" height=\"900\" style=\"border:0\" srcdoc=\"", page,
    "\"></iframe>"
  )), frame, useBytes = TRUE)
  errors <- tempfile()
  flags <- c(browser_flags, paste0("--user-data-dir=", profile), "--dump-dom",
             paste0("file://", frame))
  # A sanitizer's library is for R alone.
  dom <- system2(browser_path(), shQuote(flags), stdout = TRUE, stderr = errors, timeout = 60,
                 env = "LD_PRELOAD=")
  title <- sub(".*<title>([0-9 ]*)</title>.*", "\\1", paste(dom, collapse = "\n"))
  names <- c("width", "scroll_width", "too_wide", "pictures", "pictures_seen", "scripts", "loaded")
  found <- stats::setNames(as.list(as.numeric(strsplit(title, " ")[[1]])), names)
  found$console <- grep("CONSOLE", readLines(errors, warn = FALSE), value = TRUE)
  unlink(errors)
  found
}
