test_that("text is escaped, HTML is not escaped again", {
  expect_identical(escaped("<a href=\"x\">'&'</a>"),
                   "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;")
  expect_identical(escaped(c(NA, "a\001b\tc\n")), c("NA", "a?b\tc\n"))
  expect_identical(unclass(tag("p", "a<b", tag("b", "c&d"))), "<p>a&lt;b<b>c&amp;d</b></p>")
  expect_identical(unclass(tag("a", href = "x\" onclick=\"y", "t")),
                   "<a href=\"x&quot; onclick=&quot;y\">t</a>")
  expect_identical(unclass(tag("p", NULL, class = NULL, list("a", NULL, tag("i", "b")))),
                   "<p>a\n\n<i>b</i></p>")
  broken <- "a\xff<b>"
  Encoding(broken) <- "UTF-8"
  expect_true(validEnc(escaped(broken)))
  expect_false(grepl("<", escaped(broken), fixed = TRUE))
})

test_that("tables have one cell per value, numbers at the right", {
  table <- data.frame(name = c("a<", "b"), value = c(1234567, NA), check.names = FALSE)
  text <- unclass(html_table(table, "what"))
  expect_match(text, "<caption>what</caption>", fixed = TRUE)
  expect_match(text, "<td class=\"text\">a&lt;</td>", fixed = TRUE)
  expect_match(text, "<td class=\"number\">1,234,567</td>", fixed = TRUE)
  expect_match(text, "<td class=\"number\"></td>", fixed = TRUE)
})

test_that("numbers are written for people", {
  expect_identical(figure_text(0.123456), "0.1235")
  expect_identical(figure_text(10000), "10,000")
  expect_identical(figure_text(Inf), "Inf")
  expect_identical(figure_text(1e-12), "1e-12")
  expect_identical(percent_text(0.12345), "12.3 %")
})

test_that("bars and dots stand at the shares of their values", {
  text <- unclass(bar_list(c("a", "b"), c(1, 4), c("one", "four")))
  expect_match(text, "width:25.00%", fixed = TRUE)
  expect_match(text, "width:100.00%", fixed = TRUE)
  expect_match(unclass(bar_list("a", 0, "none")), "width:0.00%", fixed = TRUE)
  text <- unclass(dot_list(c("a", "b", "c"), c(10, 20, 15), c("", "", ""), c(TRUE, FALSE, FALSE)))
  for (place in c("4.00", "96.00", "50.00")) {
    expect_match(text, paste0("left:", place, "%"), fixed = TRUE)
  }
  expect_identical(lengths(regmatches(text, gregexpr("bar marked", text))), 1L)
  expect_match(unclass(dot_list("a", 3, "")), "left:4.00%", fixed = TRUE)
})
