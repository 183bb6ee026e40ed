# The parts of check-site.sh that are no browser:
#   links    links and pictures of the pages lead to files and places that exist
#   frames   a page that opens all pages in frames of two sizes and measures them
#   clipped  what was measured
#
# Usage: Rscript .ci/check-site.R links|frames|clipped

site <- file.path(".build", "site")
pages <- list.files(site, "[.]html$", recursive = TRUE)
# Only servers show it, at any address.
pages <- setdiff(pages, "404.html")
sizes <- c(380, 1280)

attributes_of <- function(page, name) {
  text <- paste(readLines(file.path(site, page), warn = FALSE), collapse = "\n")
  text <- gsub("<!--.*?-->", "", text, perl = TRUE)
  found <- regmatches(text, gregexpr(sprintf('\\b%s="[^"]*"', name), text))[[1L]]
  sub('"$', "", sub(sprintf('^%s="', name), "", found))
}

# Links that lead nowhere on one page.
broken_links <- function(page, places) {
  links <- unique(c(attributes_of(page, "href"), attributes_of(page, "src")))
  links <- links[!grepl("^([a-z]+:|//|#$)", links) & nzchar(links)]
  path <- sub("[#?].*", "", links)
  place <- ifelse(grepl("#", links), sub("^[^#]*#", "", links), "")
  target <- ifelse(nzchar(path), file.path(dirname(page), path), page)
  target <- vapply(target, function(path) {
    whole <- normalizePath(file.path(site, path), mustWork = FALSE)
    sub(paste0(normalizePath(site), "/"), "", whole)
  }, "")
  there <- file.exists(file.path(site, target))
  known <- !nzchar(place) | !target %in% names(places) |
    mapply(function(t, p) p %in% places[[t]], target, utils::URLdecode(place))
  sprintf("%s: %s", page, links[!there | !known])
}

links <- function() {
  places <- stats::setNames(lapply(pages, attributes_of, "id"), pages)
  broken <- unlist(lapply(pages, broken_links, places))
  writeLines(broken)
  cat(sprintf("site: %d pages, %d broken links\n", length(pages), length(broken)))
  quit(status = as.integer(length(broken) > 0L))
}

# What is wider than its own box and cannot be scrolled, or than the window.
measure <- '
<!doctype html><meta charset="utf-8"><body><script>
const pages = %s, sizes = %s, out = [];
const clipped = (doc, width) => [...doc.querySelectorAll("table, pre, img, .section, main")]
  .filter(e => {
    if (!e.offsetParent) return false;
    let box = e;
    for (; box && box !== doc.body; box = box.parentElement) {
      const flow = doc.defaultView.getComputedStyle(box).overflowX;
      if (["auto", "scroll"].includes(flow)) return false;
    }
    return e.getBoundingClientRect().right > width + 1;
  }).map(e => e.tagName.toLowerCase());
const look = (page, width) => new Promise(done => {
  const frame = document.createElement("iframe");
  frame.width = width; frame.height = 900; frame.style.border = 0;
  frame.onload = () => {
    const doc = frame.contentDocument;
    const wide = doc.documentElement.scrollWidth > width + 1;
    const cut = clipped(doc, width);
    if (wide || cut.length) out.push(page + " at " + width + ": " +
      (wide ? "wider than the window (" + doc.documentElement.scrollWidth + ") " : "") + cut);
    frame.remove(); done();
  };
  frame.src = "site/" + page; document.body.append(frame);
});
(async () => {
  let seen = 0;
  for (const page of pages) for (const width of sizes) { await look(page, width); seen++; }
  document.body.innerHTML = "<pre id=measured>seen " + seen + "\\n" + out.join("\\n") + "</pre>";
})();
</script></body>'

frames <- function() {
  list_of <- function(x) paste0("[", paste(x, collapse = ", "), "]")
  page <- sprintf(measure, list_of(dQuote(pages, FALSE)), list_of(sizes))
  writeLines(page, file.path(".build", "site-frames.html"))
}

clipped <- function() {
  text <- paste(readLines(file.path(".build", "site-measured.html"), warn = FALSE), collapse = "\n")
  found <- sub("</pre>.*", "", sub('.*<pre id="measured">', "", text))
  lines <- strsplit(found, "\n", fixed = TRUE)[[1L]]
  wanted <- length(pages) * length(sizes)
  if (!identical(lines[1L], paste("seen", wanted))) {
    stop("the browser did not look at all pages: ", substr(lines[1L], 1L, 200L))
  }
  lines <- lines[-1L]
  lines <- lines[nzchar(lines)]
  writeLines(lines)
  cat(sprintf("site: %d pages at %s pixels, %d clipped or too wide\n", length(pages),
              paste(sizes, collapse = " and "), length(lines)))
  quit(status = as.integer(length(lines) > 0L))
}

switch(commandArgs(trailingOnly = TRUE)[1L], links = links(), frames = frames(),
       clipped = clipped(), stop("links, frames or clipped?"))
