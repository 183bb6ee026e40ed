# Hostile names and files, all the way through: messages, pages, queries, readers. What models run
# is in test-objects.R and test-model-code.R, what is written where in test-files.R.

glue <- "{options(cawi.sprung = TRUE)}"
hostile <- c(
  glue, "<script>document.title='sprung'</script>",
  "\"><img src=x onerror=document.title='sprung'>",
  "</style></title><svg onload=document.title='sprung'>", "javascript:alert(1)",
  "' onmouseover='x", "a\u202eb", "`x`; DROP TABLE t; --", "&lt;b&gt;", "]]><!--"
)
has_sprung <- function() {
  on.exit(options(cawi.sprung = NULL))
  isTRUE(getOption("cawi.sprung"))
}
set.seed(1)
data_with <- function(names, levels) {
  x <- matrix(rnorm(80 * length(names)), 80, dimnames = list(NULL, names))
  data <- data.frame(x, check.names = FALSE)
  data$kind <- factor(rep(levels, length.out = 80), levels)
  list(x = data, y = factor(rep(levels, each = 80 / length(levels)), levels))
}
evil <- data_with(hostile, hostile[1:4])

test_that("names in messages are text", {
  fit <- cawi_rvfl(evil$x, evil$y, hidden = 3, seed = 1)
  x <- evil$x
  expect_error(predict(fit, x[-1]), class = "cawi_error_new_data")
  expect_error(predict(fit, replace(x, 1, "text")), class = "cawi_error_new_data")
  expect_error(predict(fit, replace(x, "kind", hostile[5])), class = "cawi_error_new_data")
  expect_error(predict(fit, replace(x, 1, NA_real_)), class = "cawi_error_new_data")
  expect_error(cawi_importance(fit, features = glue), class = "cawi_error")
  expect_error(cawi_rvfl(replace(x, 1, Inf), evil$y, hidden = 3), class = "cawi_error")
  expect_warning(cawi_rvfl(replace(x, 1, 2), evil$y, hidden = 3), class = "cawi_warning")
  expect_error(cawi_rvfl(x, evil$y, hidden = 3, activation = glue), class = "cawi_error")
  expect_error(do.call(cawi_rvfl, c(list(x, evil$y), stats::setNames(list(1), glue))),
               class = "cawi_error_dots")
  expect_error(cawi_read_table(file.path(tempdir(), glue)), class = "cawi_error_file")
  expect_error(cawi_read_dataset(glue), class = "cawi_error_name")
  expect_error(cawi_report(fit, file.path(tempdir(), glue, "x.html")), class = "cawi_error_file")
  file <- file.path(tempdir(), paste0(glue, ".csv"))
  for (lines in list(c(paste(glue, "b", "y", sep = ","), "1,x,a", "2,3,b"), c("a,y", glue, "1"),
                     c("a,y", paste0(glue, ",a"), "1,b"))) {
    writeLines(lines, file)
    expect_error(cawi_read_table(file), class = "cawi_error_file")
  }
  unlink(file)
  utils::capture.output(print(fit), print(summary(fit)), print(cawi_importance(fit, seed = 1)),
                        print(cawi_effects(fit)))
  expect_false(has_sprung())
})

# Names of all elements and attributes of a page, and the attributes that could act.
page_parts <- function(file) {
  page <- xml2::read_html(file, encoding = "UTF-8")
  all <- xml2::xml_find_all(page, "//*")
  attributes <- unlist(lapply(xml2::xml_attrs(all), names))
  acting <- xml2::xml_text(xml2::xml_find_all(page, "//@href | //@src | //@xlink:href | //@style",
                                              c(xlink = "http://www.w3.org/1999/xlink")))
  list(elements = table(xml2::xml_name(all)), attributes = table(attributes),
       acting = unique(gsub("[0-9.]+", "0", acting)), text = xml2::xml_text(page))
}

test_that("no element or attribute of a page comes from a name", {
  skip_if_not_installed("xml2")
  tame <- evil
  names(tame$x)[seq_along(hostile)] <- sprintf("name%02d", seq_along(hostile))
  levels(tame$x$kind) <- levels(tame$y) <- letters[1:4]
  files <- vapply(list(evil, tame), function(data) {
    file <- tempfile(fileext = ".html")
    fit <- cawi_rvfl(data$x, data$y, hidden = 3, init = "gaussian", seed = 1)
    cawi_report(fit, file, title = names(data$x)[3])
    file
  }, "")
  on.exit(unlink(files))
  parts <- lapply(files, page_parts)
  # Fewer texts may fit into a picture of long names.
  expect_setequal(names(parts[[1]]$elements), names(parts[[2]]$elements))
  expect_setequal(names(parts[[1]]$attributes), names(parts[[2]]$attributes))
  expect_setequal(parts[[1]]$acting, parts[[2]]$acting)
  fixed <- c("section", "table", "td", "th", "style", "title", "a", "link")
  fixed <- intersect(fixed, names(parts[[1]]$elements))
  expect_identical(parts[[1]]$elements[fixed], parts[[2]]$elements[fixed])
  expect_false("script" %in% names(parts[[1]]$elements))
  expect_false(any(grepl("^on", names(parts[[1]]$attributes))))
  expect_match(parts[[1]]$text, "<script>document.title", fixed = TRUE)
  # Signs that turn the direction of text would let it say something else.
  expect_false(grepl("\u202e", parts[[1]]$text))
  skip_without_browser()
  found <- browsed(files[1], 900)
  expect_identical(found[c("scripts", "loaded")], list(scripts = 0, loaded = 0))
  expect_identical(found$console, character())
})

test_that("names of tables are quoted wherever they are written or read", {
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite())
  other <- DBI::dbConnect(RSQLite::SQLite())
  on.exit({
    DBI::dbDisconnect(con)
    DBI::dbDisconnect(other)
  })
  rows <- data.frame(a = rnorm(20), y = rnorm(20))
  names(rows)[1] <- "a\"; DROP TABLE t; --"
  DBI::dbWriteTable(con, "t", rows)
  fit <- cawi_elm(rows[1], rows$y, hidden = 2, seed = 1)
  wanted <- predict(fit, rows)
  for (name in c("a\"b", "x; DROP TABLE t", "select", "a b", "[x]", "'q'", "x--", "\u00fc", glue)) {
    DBI::dbWriteTable(con, DBI::Id(table = name), rows)
    expect_identical(predict(fit, cawi_source(con, table = name)), wanted)
    id <- DBI::Id(schema = "main", table = name)
    expect_identical(predict(fit, cawi_source(con, id)), wanted)
    utils::capture.output(print(cawi_source(con, id)))
    predict(fit, cawi_source(con, table = name), to = list(other, name))
    expect_identical(DBI::dbReadTable(other, DBI::Id(table = name))$.pred, wanted)
    expect_error(predict(fit, cawi_source(con, table = name), to = list(other, name)),
                 class = "cawi_error_to")
  }
  # A name in two parts is one name unless it is said to be two.
  expect_error(predict(fit, cawi_source(con, table = "main.t")), class = "cawi_error_source")
  expect_true(DBI::dbExistsTable(con, "t"))
  expect_false(has_sprung())
})

test_that("hostile files end in an error that names them", {
  folder <- tempfile("hostile")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  refused <- function(name, content, class = "cawi_error_file") {
    file <- file.path(folder, name)
    if (is.raw(content)) writeBin(content, file) else writeLines(content, file)
    expect_error(cawi_read_table(file), class = class)
  }
  for (line in c("1 -1:2", "1 0:2", "1 1000000000000000000:1", "1 1:1e999", "1 1:2:3", "1 a:1",
                 "1 2:1 2:1", "1 1:", paste0("1 ", strrep("9", 1e5), ":1"))) {
    refused("x.svm", c("0 1:1", line))
  }
  # So many columns are more than the machine has, and are not made.
  refused("x.svm", c("0 1:1", "1 2147483647:1"), "cawi_error_memory")
  refused("x.csv", as.raw(c(0x61, 0x2c, 0x62, 0x0a, 0x00, 0x2c, 0x31)))
  refused("x.csv", c("a,y", "\"1,a", "2,b"))
  refused("x.csv", strrep("x", 1e6))
  refused("x.csv", c("a,y", paste0(strrep("1,", 2e5), "a")))
  refused("x.csv.gz", as.raw(c(0x1f, 0x8b, 0x08, rep(0, 40))))
  refused("x.arff", c("@attribute a numeric", "@data", strrep("{", 1e5)))
  refused("x.arff", c("@relation r", "@attribute a {x", "@data", "1"))
  skip_if_not_installed("R.matlab")
  integer <- function(...) writeBin(as.integer(c(...)), raw(), endian = "little")
  head <- c(charToRaw(formatC("MATLAB 5.0 MAT-file", width = -124)), as.raw(c(0, 1)),
            charToRaw("IM"))
  # A matrix that claims two thousand million columns, and has eight bytes.
  matrix <- c(integer(14, 64), integer(6, 8, 6, 0), integer(5, 8, 2147483647, 2147483647),
              integer(1, 1), charToRaw("x"), raw(7), integer(9, 8), raw(8))
  refused("x.mat", c(head, matrix))
  refused("x.mat", c(head, integer(14, 2147483647)))
  refused("x.mat", head)
  expect_false(has_sprung())
})

test_that("a compressed file that grows without end is not read to its end", {
  file <- tempfile(fileext = ".csv.gz")
  on.exit(unlink(file))
  connection <- gzfile(file, "wb")
  for (i in 1:8) writeBin(raw(1e6), connection)
  close(connection)
  expect_lt(file.size(file), 1e5)
  expect_error(read_gzip(file, environment(), most = 3e6), class = "cawi_error_memory")
  expect_length(read_gzip(file, environment()), 8e6)
})

test_that("an edited checkpoint is refused before any of it is used", {
  rows <- data.frame(a = rnorm(30), y = rnorm(30))
  file <- tempfile()
  on.exit(unlink(file))
  fit <- function() cawi_elm(y ~ a, cawi_source(rows), hidden = 2, seed = 1, checkpoint = file)
  active <- new.env()
  makeActiveBinding("signature", function() options(cawi.sprung = TRUE), active)
  code <- quote(options(cawi.sprung = TRUE))
  contents <- list(active, list(signature = active), list(signature = code),
                   list(signature = "x", passes = active),
                   list(signature = "x", seed = function() eval(code)),
                   structure(list(signature = "x"), hidden = active))
  for (content in contents) {
    saveRDS(content, file)
    expect_error(fit(), class = "cawi_error_checkpoint")
    expect_false(has_sprung())
  }
  # One of this very run, but for a place in its passes whose names act.
  unlink(file)
  dying <- function(reset) if (!reset) stop("killed")
  again <- function() {
    cawi_elm(y ~ a, cawi_source(dying), hidden = 2, seed = 1, checkpoint = file)
  }
  expect_error(again(), "killed", class = "cawi_error_source")
  content <- readRDS(file)
  content$passes <- new.env()
  for (name in c("survey", "sums", "moments")) {
    makeActiveBinding(name, function() options(cawi.sprung = TRUE), content$passes)
  }
  saveRDS(content, file)
  expect_error(again(), class = "cawi_error_checkpoint")
  expect_false(has_sprung())
})
