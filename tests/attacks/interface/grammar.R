# Draws of expressions. Everything comes from R's generator, which is set from the seed of the run
# and the number of the call, so that one call can be drawn again alone.

chance <- function(p) stats::runif(1) < p
pick <- function(x) x[[sample.int(length(x), 1L)]]
whole <- function(from, to) as.double(from + floor(stats::runif(1) * (to - from + 1)))

# Small rows most of the time; sometimes hardly any.
rows <- function() pick(list(12, 20, 20, 30, 30, 30, 40, 40, whole(0, 9), pick(c(1, 2, 3))))

# ---- any value at all ----

any_values <- alist(
  NULL, NA, NA_integer_, NA_real_, NA_character_, NaN, Inf, -Inf, 0, 1, 2, 3, -1, 0.5, 1e-300,
  1e300,
  -1e300, 1.5, 1e9, 2147483647, 2147483648, 2L, 5L, TRUE, FALSE, c(1, 2), c(1, NA), c(TRUE, NA),
  1:5, 5:1, integer(0), numeric(0), character(0), logical(0), "", "a", "auto", "y", "cls",
  "odd name",
  "\u00e9", iconv("\u00e9", "UTF-8", "latin1"), rawToChar(as.raw(c(0xff, 0xfe))), "{stop(1)}",
  "<b>",
  c(a = 1), c(a = 1, a = 2), c("a", NA), c("a", "b", "c"), letters, strrep("a", 5000), list(),
  list(1, "a"), list(a = 1), list(NULL), list(list()), factor("a"), factor(c("a", NA)),
  factor(character(0)), factor(c("a", "b"), c("b", "a", "z"), ordered = TRUE),
  addNA(factor(c("a", NA))), as.Date("2020-02-30", optional = TRUE), as.Date("2020-01-01"),
  as.POSIXct("2020-01-01", tz = "UTC"), as.POSIXlt("2020-01-01", tz = "UTC"),
  as.difftime(1, units = "days"), 1i, as.raw(1:3), function(x) x, function(...) stop("no"), sum,
  function(x, y) "text", function(reset) NULL, quote(a + b), as.name("a"), expression(a), y ~ a,
  ~ a, y ~ ., cls ~ a + b, new.env(), globalenv(), methods::getClass("numeric"),
  structure(1, class = "odd"), structure(list(), class = "cawi_model"),
  structure(list(), class = "cawi_copula"), structure(list(a = 1), class = "cawi_source"),
  structure(list(), class = "cawi_grid"), structure(4.94e-324, class = "integer64"),
  structure(c(1e-322, 2e-322), class = "integer64"), data.frame(), data.frame(a = 1),
  data.frame(a = numeric(0)), data.frame(a = c(1, NA), b = c("x", "y")), mat(5, 2), mat(1, 1),
  matrix(0, 0, 0), matrix(0, 0, 3), matrix(0, 3, 0), matrix(NA, 2, 2), matrix("a", 2, 2),
  matrix(list(), 0, 0), diag(3), array(1:8, c(2, 2, 2)), array(1, 1), stats::ts(1:5),
  table(c(1, 1, 2)), sparse(6, 2), sparse(6, 2, 1, "R"), tibble::tibble(a = 1:3),
  numeric_version("1.0"), frame(12), cls(12), num(12), outs(12), cawi_source(frame(12)),
  as.name(""), .Machine$double.xmax, .Machine$double.eps, 5e-324, -0.0, 1e15, 100, 10,
  c(0.1, 1, 10), c(3, 4), c(Inf, 2), "loo", "a\nb", "../x", "/dev/null", I(1), I("a"), bquote(x)
)

# An empty symbol cannot be an argument.
any_values <- Filter(function(e) !identical(e, quote(as.name(""))), any_values)

forms <- c(
  "tibble", "frame", "matrix", "integer", "logical", "character", "complex", "factor", "list",
  "wrapped", "vector", "C", "R", "T", "turned", "cube", "none", "no_rows", "no_columns", "one_row",
  "one_column", "first", "shorter", "longer", "backward", "upside", "doubled", "classed",
  "classless", "attribute", "huge", "tiny", "minus", "zero", "i64", "grouped", "s4", "date",
  "table",
  "environment", "formula"
)
column_kinds <- c(
  "constant", "huge", "tiny", "mixed", "na", "text", "whole", "complex", "raw", "list", "matrix",
  "frame", "time", "difftime", "i64", "fct", "many", "rank", "twice", "lgl", "same", "func", "iso"
)
poked <- alist(NA, NaN, Inf, -Inf, 1e300, -1e300, 1e-300, 0, 1e16, "a", NULL, 5e-324, 1e155)
level_changes <- c("na", "unused", "one", "ordered", "reversed", "dropped", "utf8", "latin1",
                   "bytes",
                   "html", "brace", "empty", "blank", "long", "own")

anything <- function() pick(any_values)

# An expression whose value is nearly that of `e`.
bent <- function(e) {
  switch(pick(c("form", "form", "poke", "poke", "column", "column", "names", "levels", "any")),
    form = bquote(as_form(.(e), .(pick(forms)))),
    poke = bquote(poke(.(e), .(whole(0, 99)), .(pick(poked)))),
    column = bquote(column(.(e), .(whole(0, 12)), .(pick(column_kinds)))),
    names = bquote(named(.(e), .(pick(names(odd_names))))),
    levels = bquote(leveled(.(e), .(pick(level_changes)))),
    any = anything()
  )
}

# Data that are odd but may well be learned.
corner <- function(e) {
  switch(pick(c("form", "poke", "column", "names", "levels")),
    form = bquote(as_form(.(e), .(pick(c("tibble", "integer", "C", "R", "T", "upside", "longer",
                                         "attribute", "grouped", "frame", "matrix", "minus",
                                         "doubled", "one_column", "huge", "tiny"))))),
    poke = bquote(poke(.(e), .(whole(0, 99)), .(pick(alist(NA, NaN, 0, 1e6, 1e100, 1e-300))))),
    column = bquote(column(.(e), .(whole(0, 12)), .(pick(c("constant", "tiny", "huge", "whole",
                                                           "text", "fct", "many", "time", "same",
                                                           "i64", "matrix", "lgl", "na"))))),
    names = bquote(named(.(e), .(pick(names(odd_names))))),
    levels = bquote(leveled(.(e), .(pick(level_changes))))
  )
}
now_and_then <- function(e, p = 0.25) if (chance(p)) corner(e) else e

# ---- sane arguments ----

matrix_of <- function(n = rows(), d = whole(1, 5)) bquote(mat(.(n), .(d), .(whole(1, 9))))
flag <- function() pick(list(TRUE, FALSE))
seed_value <- function() pick(list(1, 42, 7L, 0, 2147483647))
threads_value <- function() pick(list(1, 1, 1, 2))
activations <- c("sigmoid", "sine", "tribas", "radbas", "tansig", "relu", "selu")
families <- c("gaussian", "t", "clayton", "frank", "gumbel")
inits <- c("iid", "gaussian", "t", "clayton", "frank", "gumbel", "auto", "gradient")

# Of several optional arguments some are given. `optional` are functions that draw one.
some_of <- function(optional, p = 0.25) {
  lapply(optional[stats::runif(length(optional)) < p], function(draw) draw())
}

# Spoils none, one, two or half of the arguments of a call; `fixed` ones stay. A misspelled argument
# is rare.
spoiled <- function(args, fixed = character()) {
  loose <- setdiff(seq_along(args), which(names(args) %in% fixed))
  count <- pick(c(0, 0, 0, 1, 1, 1, 2, ceiling(length(loose) / 2)))
  for (at in loose[sample.int(length(loose), min(count, length(loose)))]) {
    args[at] <- list(if (chance(0.5)) anything() else bent(args[[at]]))
  }
  if (chance(0.02)) args <- c(args, list(strange = anything()))
  if (chance(0.01) && length(args) > 1L) args <- args[-sample.int(length(args), 1L)]
  args
}

# ---- paths into an object ----

# A path of names, where they tell the part, and numbers into a list.
path_into <- function(object, most = 4L) {
  path <- list()
  while (length(path) < most) {
    plain <- unclass(object)
    if (!is.list(plain) || length(plain) == 0L || is.object(object) && inherits(object,
                                                                                "formula")) {
      break
    }
    at <- sample.int(length(plain), 1L)
    name <- names(plain)[at]
    told <- !is.null(name) && !is.na(name) && nzchar(name) && sum(names(plain) == name) == 1L
    path <- c(path, list(if (told) name else at))
    object <- plain[[at]]
    if (chance(0.35)) break
  }
  path
}

edited <- function(name, object) {
  path <- path_into(object)
  if (length(path) == 0L) return(name)
  steps <- as.call(c(quote(list), path))
  if (chance(0.2)) return(bquote(without(.(name), .(steps))))
  value <- if (chance(0.5)) bent(bquote(slot_of(.(name), .(steps)))) else anything()
  bquote(edit(.(name), .(steps), .(value)))
}
