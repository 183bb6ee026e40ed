# The words that hostile calls are written in: small data, and ways to spoil them. Every value is
# the result of an expression of these words, so a call can be printed, replayed and made smaller.
# Nothing here uses R's generator, and nothing fails: what does not apply leaves a value as it is.

# Numbers in (0, 1) that look random.
u <- function(n, s = 1) (sin(seq_len(n) * 12.9898 + s * 78.233) * 43758.5453) %% 1

mat <- function(n, d = 3, s = 1) {
  common <- u(n, s + 50)
  x <- matrix(vapply(seq_len(d), function(j) u(n, s + j) + common, numeric(n)), n, d)
  colnames(x) <- letters[seq_len(d)]
  x
}

# Columns of every sane kind; y and z are numbers to predict, cls and two classes, w whole numbers.
frame <- function(n, s = 1) {
  x <- mat(n, 3, s)
  data <- data.frame(x, g = factor(rep_len(c("p", "q", "r", "q"), n), c("p", "q", "r")),
                     k = rep_len(c("one", "two", "two"), n), l = u(n, s + 9) > 0.5,
                     o = factor(rep_len(c("lo", "hi", "mid"), n), c("lo", "mid", "hi"),
                                ordered = TRUE),
                     d = as.Date("2020-01-01") + floor(100 * u(n, s + 8)))
  data$y <- num(n, s)
  data$z <- data$y^2 - u(n, s + 4)
  data$cls <- cls(n, s)
  data$two <- u(n, s + 3) + data$y > 1
  data$w <- rep_len(1:3, n)
  data
}

num <- function(n, s = 1) {
  x <- mat(n, 3, s)
  x[, 1] - x[, 2] * x[, 3] + u(n, s + 30) / 5
}
outs <- function(n, s = 1) cbind(first = num(n, s), second = u(n, s + 2))
cls <- function(n, s = 1, k = 3) {
  level <- 1 + floor(k * rank(num(n, s) + u(n, s + 31) / 3, ties.method = "first") / (n + 1))
  factor(c("low", "mid", "high", "top")[level], c("low", "mid", "high", "top")[seq_len(k)])
}

sparse <- function(n, d = 3, s = 1, kind = "C") {
  x <- mat(n, d, s)
  x[u(n * d, s + 77) > 0.5] <- 0
  x <- methods::as(x, "CsparseMatrix")
  if (kind == "zero" && length(x@x) > 0) x@x[1] <- 0
  if (kind == "na" && length(x@x) > 0) x@x[1] <- NA
  if (kind %in% c("R", "T")) x <- methods::as(x, paste0(kind, "sparseMatrix"))
  x
}

# ---- one thing wrong ----

odd_names <- list(
  none = function(names) NULL, twice = function(names) rep_len(names[1], length(names)),
  empty = function(names) replace(names, 1, ""), na = function(names) replace(names, 1, NA),
  utf8 = function(names) paste0(names, "\u00e9\u4e2d"),
  latin1 = function(names) iconv(paste0(names, "\u00e9"), "UTF-8", "latin1"),
  bytes = function(names) paste0(names, rawToChar(as.raw(c(0xff, 0xfe)))),
  brace = function(names) paste0(names, "{1+1}"), long = function(names) strrep(names, 500),
  html = function(names) paste0("<b>", names, "&\"'"), blank = function(names) paste0(" ", names),
  reserved = function(names) rep_len(c("if", "NA", "...", "..1", "TRUE"), length(names)),
  own = function(names) rep_len(c(".cawi_response", "y", ".row", "x", "output"), length(names)),
  reversed = rev
)

named <- function(x, how) {
  change <- odd_names[[how]]
  spoil(x, function(x) {
    if (length(dim(x)) == 2L && !is.data.frame(x)) {
      colnames(x) <- change(if (is.null(colnames(x))) paste0("v",
                                                             seq_len(ncol(x))) else colnames(x))
    } else {
      names(x) <- change(if (is.null(names(x))) paste0("v", seq_along(x)) else names(x))
    }
    x
  })
}

# Levels of a factor, or of the factors of a data frame.
leveled <- function(x, how) {
  one <- function(f) {
    if (how == "na") return(addNA(replace(f, 1, NA)))
    if (how == "unused") return(factor(f, c(levels(f), "never")))
    if (how == "one") return(replace(f, seq_along(f), f[1]))
    if (how == "ordered") return(factor(f, ordered = TRUE))
    if (how == "reversed") return(factor(f, rev(levels(f))))
    if (how == "dropped") return(droplevels(f[f != levels(f)[1]]))
    levels(f) <- odd_names[[how]](levels(f))
    f
  }
  spoil(x, function(x) {
    if (!is.list(x)) return(one(as.factor(x)))
    factors <- vapply(x, function(v) is.factor(v) || is.character(v), NA)
    x[factors] <- lapply(x[factors], function(v) one(as.factor(v)))
    x
  })
}

# One cell, or one column.
poke <- function(x, at, value) {
  spoil(x, function(x) {
    if (is.data.frame(x)) {
      column <- 1 + at %% max(1, length(x))
      x[[column]][1 + at %% max(1, nrow(x))] <- value
    } else {
      x[1 + at %% max(1, length(x))] <- value
    }
    x
  })
}
column <- function(x, at, value) {
  spoil(x, function(x) {
    if (is.data.frame(x)) {
      n <- nrow(x)
      name <- names(x)[1 + at %% max(1, length(x))]
      x[[name]] <- value_column(value, n)
    } else {
      x[, 1 + at %% ncol(x)] <- value_column(value, nrow(x))
    }
    x
  })
}
value_column <- function(kind, n) {
  switch(kind,
    constant = rep(3, n), huge = u(n, 3) * 1e300, tiny = u(n, 3) * 1e-300,
    mixed = 10^(600 * u(n, 5) - 300), na = rep(NA_real_, n), text = rep_len(c("s", "t"), n),
    whole = seq_len(n), complex = complex(n, u(n), 1), raw = as.raw(seq_len(n) %% 256),
    list = as.list(seq_len(n)), matrix = I(mat(n, 2, 5)), frame = I(data.frame(i = u(n, 2))),
    time = as.POSIXct("2020-01-01", tz = "UTC") + 1e5 * u(n),
    difftime = as.difftime(u(n), units = "d"),
    i64 = structure(u(n, 6), class = "integer64"), fct = factor(rep_len(c("s", "t", NA), n)),
    many = factor(seq_len(n)), rank = rev(seq_len(n)), twice = u(n, 2),
    lgl = rep_len(c(TRUE, NA), n),
    same = rep(factor("only"), n), func = rep(list(sum), n), iso = rep(as.POSIXlt("2020-01-01"), n),
    rep(1, n)
  )
}

spoil <- function(x, change) suppressWarnings(tryCatch(change(x), error = function(e) x))

# A value in another form.
as_form <- function(x, form) {
  spoil(x, function(x) {
    switch(form,
    tibble = tibble::as_tibble(x), frame = as.data.frame(x), matrix = as.matrix(x),
    integer = {
      storage.mode(x) <- "integer"
      x
    },
    logical = {
      storage.mode(x) <- "logical"
      x
    },
    character = {
      storage.mode(x) <- "character"
      x
    },
    complex = {
      storage.mode(x) <- "complex"
      x
    },
    factor = factor(x), list = as.list(x), wrapped = list(x), vector = as.vector(x),
    C = methods::as(methods::as(x, "dMatrix"), "CsparseMatrix"),
    R = methods::as(methods::as(x, "dMatrix"), "RsparseMatrix"),
    T = methods::as(methods::as(x, "dMatrix"), "TsparseMatrix"),
    turned = t(x), cube = array(x, c(dim(x), 1)), none = x[0], no_rows = x[0, , drop = FALSE],
    no_columns = x[, 0, drop = FALSE], one_row = x[1, , drop = FALSE],
    one_column = x[, 1, drop = FALSE], first = utils::head(x, 1), shorter = utils::head(x, -1),
    longer = if (is.null(dim(x))) c(x, x) else rbind(x, x), backward = rev(x), upside = {
      if (is.null(dim(x))) rev(x) else x[rev(seq_len(nrow(x))), , drop = FALSE]
    },
    doubled = cbind(x, x), classed = structure(x, class = c("odd", class(x))),
    classless = unclass(x), attribute = structure(x, odd = list(1)), huge = x * 1e300,
    tiny = x * 1e-300, minus = -x, zero = x * 0, i64 = structure(as.double(x), class = "integer64"),
    grouped = dplyr::grouped_df(as.data.frame(x), names(x)[1]),
    # NULL, names and environments exist once: all of the session would see the change.
    s4 = if (is.null(x) || is.symbol(x) || is.environment(x) || is.primitive(x)) x else asS4(x),
    date = as.Date(x),
    table = as.table(x), environment = list2env(as.list(x)), formula = stats::reformulate(names(x)),
    x
    )
  })
}

# Slots of an object, by the path of names or numbers to it.
edit <- function(object, path, value) {
  spoil(object, function(object) {
    plain <- unclass(object)
    if (length(path) > 1L) value <- edit_inner(plain[[path[[1L]]]], path[-1L], value)
    plain[path[[1L]]] <- list(value)
    with_class(plain, object)
  })
}
edit_inner <- function(object, path, value) {
  plain <- unclass(object)
  if (length(path) > 1L) value <- edit_inner(plain[[path[[1L]]]], path[-1L], value)
  plain[path[[1L]]] <- list(value)
  with_class(plain, object)
}
without <- function(object, path) {
  spoil(object, function(object) {
    plain <- unclass(object)
    first <- path[[1L]]
    if (length(path) == 1L) plain[first] <- NULL
    if (length(path) > 1L) plain[first] <- list(without(plain[[first]], path[-1L]))
    with_class(plain, object)
  })
}
slot_of <- function(object, path) {
  for (step in path) object <- unclass(object)[[step]]
  object
}
with_class <- function(plain, object) {
  class(plain) <- attr(object, "class")
  plain
}

# ---- rows that come in chunks ----

cut_rows <- function(data, parts) {
  unname(split(data, rep_len(seq_len(parts), nrow(data))))
}

# function(reset) over data frames; `fault` says what goes wrong, `pass` from which pass on.
chunks <- function(frames, fault = "none", pass = 1) {
  state <- new.env()
  state$pass <- 0
  state$at <- 1
  function(reset = FALSE) {
    if (reset) {
      state$pass <- state$pass + 1
      state$at <- 1
      if (fault == "reset_fails" && state$pass >= pass) stop("the source is gone")
      return(invisible())
    }
    state$at <- state$at + 1
    faulty <- state$pass >= pass
    if (state$at > length(frames) + 1 && !(faulty && fault == "endless" && state$at < 300)) {
      return(NULL)
    }
    chunk <- frames[[1 + (state$at - 2) %% length(frames)]]
    if (faulty && state$at == 3) faulty_chunk(chunk, fault) else chunk
  }
}
faulty_chunk <- function(chunk, fault) {
  switch(fault,
    fewer = chunk[-1, ], more = rbind(chunk, chunk), empty = chunk[0, ], column = chunk[-1],
    further = cbind(chunk, extra = seq_len(nrow(chunk))), renamed = named(chunk, "utf8"),
    text = as_form(chunk, "matrix"), type = column(chunk, 0, "text"), na = poke(chunk, 0, NA),
    level = leveled(chunk, "utf8"), fails = stop("the source is gone"), number = 1,
    order = chunk[rev(seq_along(chunk))], null_columns = chunk[0], changed = poke(chunk, 0, 1.5),
    huge = column(chunk, 0, "huge"), warns = {
      warning("the source complains")
      chunk
    },
    chunk
  )
}

# Splits as rsample makes them; `fault` says what is wrong with the first.
splits <- function(n, fault = "none") {
  data <- frame(n)
  rows <- function(k) which(seq_len(n) %% 3 != k)
  set <- lapply(0:2, function(k) {
    structure(list(data = data, in_id = rows(k), out_id = NA), class = c("vfold_split", "rsplit"))
  })
  first <- set[[1L]]
  set[[1L]] <- switch(fault,
    beyond = replace(first, "in_id", list(n + 1:3)), none_in = replace(first, "in_id",
                                                                       list(integer())),
    all_in = replace(first, "in_id", list(seq_len(n))), na = replace(first, "in_id",
                                                                     list(NA_integer_)),
    text = replace(first, "in_id", list("a")), other = replace(first, "data", list(frame(n + 1))),
    twice = replace(first, "in_id", list(rep(1:2, 5))), out = replace(first, "out_id", list(1:2)),
    null = list(), first
  )
  structure(list(splits = set, id = paste0("Fold", 1:3)), row.names = 1:3,
            class = c("vfold_cv", "rset", "data.frame"))
}

folder_of <- function(files) {
  dir <- tempfile("fuzz")
  dir.create(dir)
  for (name in names(files)) writeBin(files[[name]], file.path(dir, name))
  dir
}
text_file <- function(text, ext = "csv") {
  file <- tempfile("fuzz", fileext = paste0(".", ext))
  writeBin(if (is.raw(text)) text else charToRaw(paste(text, collapse = "\n")), file)
  file
}
csv_text <- function(data) {
  suppressWarnings(utils::capture.output(utils::write.csv(data, row.names = FALSE, quote = FALSE)))
}
