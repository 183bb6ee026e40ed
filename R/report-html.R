# HTML of a report. Text is escaped where it becomes part of a tag; what tags give is HTML already.
# So nothing that a user wrote (names of features, levels) can become code.

html <- function(...) structure(paste0(..., collapse = "\n"), class = "cawi_html")

is_html <- function(x) inherits(x, "cawi_html")

# Bytes that are no text, signs that no page may have, and those that turn the direction of the text
# after them become question marks.
escaped <- function(text) {
  text <- as.character(text)
  text[is.na(text)] <- "NA"
  broken <- !validEnc(text)
  text[broken] <- iconv(text[broken], "latin1", "ASCII", sub = "?")
  text <- gsub("[\001-\010\013\014\016-\037\177]", "?", enc2utf8(text), useBytes = FALSE)
  text <- gsub("[\u0080-\u009f\u202a-\u202e\u2066-\u2069]", "?", text)
  signs <- c("&" = "&amp;", "<" = "&lt;", ">" = "&gt;", "\"" = "&quot;", "'" = "&#39;")
  for (sign in names(signs)) text <- gsub(sign, signs[[sign]], text, fixed = TRUE)
  text
}

# An element: named arguments are its attributes, the others its content; NULL is nothing.
tag <- function(.name, ...) {
  parts <- list(...)
  named <- nzchar(rlang::names2(parts))
  attributes <- Filter(Negate(is.null), parts[named])
  content <- lapply(parts[!named], as_content)
  html(
    "<", .name,
    paste0(sprintf(" %s=\"%s\"", names(attributes), vapply(attributes, escaped, "")),
           collapse = ""),
    ">", paste0(unlist(content), collapse = ""), "</", .name, ">"
  )
}

# Lists are several elements, one after the other.
as_content <- function(part) {
  if (is.null(part)) return("")
  if (is_html(part)) return(unclass(part))
  if (is.list(part)) return(paste0(vapply(part, as_content, ""), collapse = "\n"))
  paste0(escaped(part), collapse = "")
}

paragraph <- function(...) tag("p", ...)

note <- function(...) tag("p", class = "note", ...)

# Columns of numbers stand at the right. A table that is too wide is scrolled, not the page.
html_table <- function(table, caption = NULL, digits = 4) {
  numeric <- vapply(table, is.numeric, logical(1))
  cells <- lapply(table, function(column) {
    if (is.list(column)) column else cell_text(column, digits)
  })
  align <- ifelse(numeric, "number", "text")
  line <- function(i) {
    tag("tr", Map(function(cell, class) tag("td", class = class, cell[[i]]), unname(cells), align))
  }
  head <- Map(function(name, class) tag("th", class = class, scope = "col", name),
              names(table), align)
  tag("div", class = "scroll", tabindex = "0", tag(
    "table", if (!is.null(caption)) tag("caption", caption), tag("thead", tag("tr", unname(head))),
    tag("tbody", lapply(seq_len(nrow(table)), line))
  ))
}

cell_text <- function(column, digits) {
  if (!is.numeric(column)) return(as.character(column))
  ifelse(is.na(column), "", vapply(column, figure_text, "", digits = digits))
}

# A number for people: counts in full, others to some digits.
figure_text <- function(value, digits = 4) {
  if (is.na(value)) return("")
  if (is.finite(value) && value == round(value) && abs(value) < 1e9) {
    return(format(value, big.mark = ",", decimal.mark = ".", scientific = FALSE, trim = TRUE))
  }
  format(signif(value, digits), trim = TRUE, digits = digits)
}

percent_text <- function(share, digits = 1) paste0(formatC(100 * share, digits, format = "f"), " %")

# Two columns of words and their values.
fact_list <- function(facts) {
  facts <- Filter(Negate(is.null), facts)
  tag("dl", class = "facts", Map(function(name, value) {
    tag("div", tag("dt", name), tag("dd", value))
  }, names(facts), unname(facts)))
}

# Large figures at the head of the page.
figure_cards <- function(cards) {
  cards <- Filter(Negate(is.null), cards)
  tag("div", class = "cards", Map(function(name, value) {
    tag("div", class = "card", tag("span", class = "value", value),
        tag("span", class = "name", name))
  }, names(cards), unname(cards)))
}

# One bar per line, from zero to the largest value, or to `most`.
bar_list <- function(labels, values, texts, most = max(values), marked = FALSE) {
  length <- if (most > 0) pmax(0, 100 * values / most) else numeric(length(values))
  rows <- Map(function(label, length, text, mark) {
    fill <- tag("span", class = "fill", style = sprintf("width:%.2f%%", length))
    tag("div", class = if (mark) "bar marked" else "bar", tag("span", class = "label", label),
        tag("span", class = "track", fill), tag("span", class = "figure", text))
  }, labels, length, texts, rep_len(marked, length(labels)))
  tag("div", class = "bars", unname(rows))
}

# One dot per line on an axis that all share; differences count, not sizes.
dot_list <- function(labels, values, texts, marked = FALSE) {
  range <- range(values)
  gap <- if (diff(range) > 0) diff(range) else 1
  place <- 4 + 92 * (values - range[1L]) / gap
  rows <- Map(function(label, place, text, mark) {
    dot <- tag("span", class = "dot", style = sprintf("left:%.2f%%", place))
    tag("div", class = if (mark) "bar marked" else "bar", tag("span", class = "label", label),
        tag("span", class = "track dots", dot), tag("span", class = "figure", text))
  }, labels, place, texts, rep_len(marked, length(labels)))
  tag("div", class = "bars", unname(rows))
}

# The whole page: no file, script or font from elsewhere.
html_page <- function(title, head, sections) {
  style <- readLines(system.file("report", "report.css", package = "cawi"), encoding = "UTF-8")
  links <- lapply(names(sections), function(id) {
    tag("a", href = paste0("#", id), sections[[id]]$title)
  })
  bodies <- lapply(names(sections), function(id) {
    tag("section", id = id, tag("h2", sections[[id]]$title), sections[[id]]$body)
  })
  html(
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
    "<meta name=\"color-scheme\" content=\"light dark\">\n",
    # Browsers ask for an icon otherwise.
    "<link rel=\"icon\" href=\"data:,\">\n",
    unclass(tag("title", title)), "\n<style>\n", paste(style, collapse = "\n"), "\n</style>\n",
    "</head>\n<body>\n",
    unclass(tag("header", head)), "\n", unclass(tag("nav", links)), "\n",
    unclass(tag("main", bodies)), "\n</body>\n</html>"
  )
}
