# Checks of type, shape and finiteness. Each returns its argument in the form the core wants, or
# stops with a classed error that names the argument, what was expected and what came.

# An argument without a default that was not given.
check_given <- function(x, arg, call = caller_env()) {
  if (missing(x)) abort_argument(arg, "{.arg {arg}} is missing.", call)
}

check_matrix <- function(x, arg = "x", call = caller_env(), finite = TRUE) {
  check_given(x, arg, call)
  x <- rethrow_core_errors(as_numeric_matrix(x, arg, call), call, 8 * length(x))
  if (nrow(x) == 0L || ncol(x) == 0L) {
    abort_argument(arg, "{.arg {arg}} must have rows and columns, not {nrow(x)} x {ncol(x)}.", call)
  }
  if (finite) check_finite(x, arg, call)
  x
}

as_numeric_matrix <- function(x, arg, call) {
  if (is.data.frame(x)) {
    wrong <- !vapply(x, is_numeric_or_logical, logical(1))
    if (any(wrong)) {
      columns <- names(x)[wrong]
      message <- paste("{.arg {arg}} must be numeric;",
                       "{cli::qty(length(columns))}column{?s} {.val {columns}} {?is/are} not.")
      abort_argument(arg, message, call)
    }
    whole <- vapply(x, inherits, logical(1), "integer64")
    if (any(whole)) {
      x <- structure(lapply(x, plain_column), row.names = attr(x, "row.names"),
                     class = "data.frame")
    }
    x <- tryCatch(as.matrix(x), error = function(e) {
      abort_argument(arg, "{.arg {arg}} is no sound data frame: {conditionMessage(e)}.", call)
    })
  }
  x <- plain_number(x)
  if (!is_numeric_or_logical(x)) {
    message <- "{.arg {arg}} must be a numeric matrix or data frame, not {.obj_type_friendly {x}}."
    abort_argument(arg, message, call)
  }
  if (length(dim(x)) > 2L) {
    abort_argument(arg, "{.arg {arg}} must have two dimensions, not {length(dim(x))}.", call)
  }
  if (!is.matrix(x)) x <- matrix(x, ncol = 1L)
  if (!is.double(x)) storage.mode(x) <- "double"
  bare_matrix_of(x)
}

# Nothing but numbers, dimensions and names: a class or another attribute would go into the model,
# where it passes for damage.
bare_matrix_of <- function(x) {
  if (all(names(attributes(x)) %in% c("dim", "dimnames"))) return(x)
  names <- dimnames(x)
  x <- matrix(as.vector(unclass(x)), nrow(x), ncol(x))
  dimnames(x) <- names
  x
}

is_numeric_or_logical <- function(x) (is.numeric(x) || is.logical(x)) && !is.factor(x)

check_finite <- function(x, arg, call) {
  if (all_finite(x)) return(invisible(x))
  bad <- columns_with(x, function(values) !is.finite(values))
  columns <- if (is.null(colnames(x))) paste(bad) else dQuote(colnames(x)[bad], FALSE)
  abort_argument(
    arg,
    paste("{.arg {arg}} must be finite; {cli::qty(length(columns))}column{?s} {columns}",
          "ha{?s/ve} NA, NaN or infinite values."),
    call
  )
}

# The name of a file may be any bytes; a message is text.
printable <- function(name) ifelse(validEnc(name), name, encodeString(name))

# A value of any type in a message: short vectors as they are, the rest by what they are.
shown <- function(x) {
  if (is.atomic(x) && length(x) %in% 1:5) {
    cli::format_inline("{.val {x}}")
  } else {
    cli::format_inline("{.obj_type_friendly {x}}")
  }
}

# Results beyond this many numbers are a slip of the keyboard, not a wish.
check_result_size <- function(rows, columns, arg, call = caller_env()) {
  if (rows * columns > 1e11) {
    gigabytes <- round(rows * columns * 8 / 2^30)
    abort_argument(arg, "{.arg {arg}} = {rows} would need {gigabytes} GB of memory.", call)
  }
}

# Refuses what cannot be had before any of it is taken: some systems promise memory that they do not
# have, and end the process that uses it.
check_memory <- function(bytes, call = caller_env()) {
  if (bytes > 2^28 && bytes > memory_left()) abort_memory(bytes, "", call)
}

# 64-bit integers are numbers in the bits of doubles. Numbers that are formal objects are numbers
# like any others: as.double() and as.vector() would leave them formal.
plain_number <- function(x) {
  if (inherits(x, "integer64")) x <- read_integer64(x)
  if (isS4(x) && is_numeric_or_logical(x)) asS4(unclass(x), FALSE) else x
}

# Words without names, dimensions or class: what asks whether one is "auto" must not miss it.
# Numbers keep names and dimensions, which may mean something.
plain_value <- function(x) {
  if (is.character(x)) return(as.vector(asS4(unclass(x), FALSE)))
  x <- plain_number(x)
  if (!is_numeric_or_logical(x)) return(x)
  attributes(x) <- attributes(x)[names(attributes(x)) %in% c("names", "dim", "dimnames")]
  x
}

check_number <- function(x, arg, call = caller_env(), min = -Inf, max = Inf, open = FALSE) {
  x <- plain_number(x)
  ok <- is.numeric(x) && length(x) == 1L && !is.na(x) &&
    (if (open) x > min else x >= min) && x <= max
  if (!ok) {
    range <- paste0(if (open) "above " else "at least ", min,
                    if (is.finite(max)) paste0(" and at most ", max))
    if (is.infinite(min)) range <- "finite"
    abort_argument(arg, "{.arg {arg}} must be one number, {range}, not {shown(x)}.", call)
  }
  as.double(x)
}

check_count <- function(x, arg, call = caller_env(), min = 1, max = .Machine$integer.max) {
  x <- plain_number(x)
  ok <- is.numeric(x) && length(x) == 1L && is.finite(x) && x == round(x) && x >= min && x <= max
  if (!ok) {
    abort_argument(
      arg, "{.arg {arg}} must be one whole number from {min} to {max}, not {shown(x)}.", call
    )
  }
  as.double(x)
}

check_flag <- function(x, arg, call = caller_env()) {
  if (!is.logical(x) || length(x) != 1L || is.na(x)) {
    abort_argument(arg, "{.arg {arg}} must be TRUE or FALSE, not {shown(x)}.", call)
  }
  as.vector(plain_number(x))
}

# Like match.arg(), with a classed error; the first choice is the default.
check_choice <- function(x, choices, arg, call = caller_env()) {
  if (identical(x, choices)) return(choices[1L])
  if (!is.character(x) || length(x) != 1L || !x %in% choices) {
    abort_argument(arg, "{.arg {arg}} must be one of {.val {choices}}, not {shown(x)}.", call)
  }
  # Without dimensions or names.
  choices[match(x, choices)]
}

# R loads the package of a formal object when it is asked for what it inherits.
is_source <- function(x) !isS4(x) && inherits(x, "cawi_source")
is_string <- function(x) is.character(x) && length(x) == 1L && !is.na(x)
# A word of a model is compared as a whole: with dimensions it is another one.
is_word <- function(x, words) is_string(x) && is.null(attributes(x)) && x %in% words
is_figure <- function(x) is.numeric(x) && length(x) == 1L && !is.na(x)
is_whole <- function(x, least) is_figure(x) && is.finite(x) && x == round(x) && x >= least

# Arguments in `...` must be among `known`: a name that is not is most likely misspelled, and the
# nearest one, also among the arguments of the function that was called, is suggested.
check_dots <- function(dots, known = NULL, call = caller_env(),
                       own = names(formals(rlang::caller_fn()))) {
  if (length(dots) == 0L) return(invisible())
  names <- rlang::names2(dots)
  if (any(names == "")) {
    message <- "Further arguments must be named, and there is no use for an unnamed one here."
    abort_argument("dots", message, call)
  }
  twice <- unique(names[duplicated(names)])
  if (length(twice) > 0L) {
    abort_argument("dots", "{.arg {twice}} {?is/are} given more than once.", call)
  }
  unknown <- setdiff(names, known)
  if (length(unknown) > 0L) abort_unknown(unknown, setdiff(c(known, own), c("...", "call")), call)
}

abort_unknown <- function(unknown, choices, call) {
  renamed <- unname(renamed_arguments[unknown[1L]])
  if (renamed %in% choices) {
    abort_argument("dots", "The argument {.arg {unknown[1L]}} is called {.arg {renamed}} now.",
                   call)
  }
  near <- nearest_argument(unknown[1L], choices)
  homes <- other_models(unknown[1L], choices)
  # All of them: the one that is looked for may be anywhere.
  choices <- cli::cli_vec(choices, list("vec-trunc" = 100))
  hint <- if (length(homes) > 0L) {
    "It is an argument of {.fn {homes}}."
  } else if (!is.null(near)) {
    "Did you mean {.arg {near}}?"
  } else if (length(choices) > 0L) {
    "Known are {.arg {choices}}."
  }
  message <- "{cli::qty(length(unknown))}There {?is/are} no argument{?s} {.arg {unknown}}."
  abort_argument("dots", c(message, i = hint), call)
}

# Functions of models that have an argument, where those of a model are known.
other_models <- function(name, choices) {
  if (!all(names(common_arguments) %in% choices)) return(NULL)
  has <- vapply(model_names, function(model) name %in% names(model_arguments(model)), logical(1))
  paste0("cawi_", model_names)[has]
}

# A name that is close to an old one means the new one.
nearest_argument <- function(name, choices) {
  known <- renamed_arguments[renamed_arguments %in% choices]
  near <- nearest_name(name, c(choices, names(known)))
  if (!is.null(near) && near %in% names(known)) known[[near]] else near
}

# The choice that takes the fewest edits, if they are few; letters that changed places count as one.
nearest_name <- function(name, choices) {
  if (length(choices) == 0L || nchar(name) < 3L) return(NULL)
  # A name that another package gives a longer form, as case_weights.
  inside <- choices[nchar(choices) >= 4L & vapply(choices, grepl, NA, x = name, fixed = TRUE)]
  if (length(inside) > 0L) return(inside[which.max(nchar(inside))])
  edits <- drop(utils::adist(name, choices, ignore.case = TRUE))
  same_letters <- function(text) paste(sort(strsplit(tolower(text), "")[[1L]]), collapse = "")
  anagram <- vapply(choices, same_letters, "") == same_letters(name)
  edits[anagram] <- pmin(edits[anagram], 1)
  # The same word with another ending, as resample and resampling.
  stem <- substr(name, 1L, max(3L, ceiling(nchar(name) * 2 / 3)))
  begins <- startsWith(choices, stem) | startsWith(rep_len(name, length(choices)), choices)
  edits[begins] <- pmin(edits[begins], 2)
  if (min(edits) > max(2, nchar(name) %/% 3)) return(NULL)
  choices[which.min(edits)]
}

is_count <- function(x) is.numeric(x) && length(x) == 1L && is.finite(x) && x >= 0
is_flag <- function(x) is.logical(x) && length(x) == 1L && !is.na(x)
is_finite_vector <- function(x, n = length(x)) {
  is.double(x) && length(x) == n && all_finite_cpp(x)
}
is_finite_matrix <- function(x, rows) {
  is.double(x) && is.matrix(x) && nrow(x) == rows && ncol(x) > 0L && all_finite_cpp(x)
}

check_two_rows <- function(x, arg, call = caller_env()) {
  if (nrow(x) < 2L) {
    abort_argument(arg, "{.arg {arg}} must have at least two rows, not {nrow(x)}.", call)
  }
}

# Beside a row of 1e16 times the weight of all others these are as good as not there: without it
# nothing is left.
check_two_weights <- function(case_weights, call) {
  if (is.null(case_weights)) return(invisible())
  others <- sum(case_weights[-which.max(case_weights)])
  if (others > .Machine$double.eps * max(case_weights)) return(invisible())
  message <- "{.arg case_weights} must be more than next to nothing for at least two usable rows."
  abort_argument("case_weights", message, call)
}

check_case_weights <- function(case_weights, rows, call, arg = "case_weights") {
  if (is.null(case_weights)) return(NULL)
  # hardhat's classes of case weights are numbers.
  if (inherits(case_weights, "hardhat_case_weights")) case_weights <- as.double(case_weights)
  case_weights <- plain_number(case_weights)
  ok <- is.numeric(case_weights) && length(case_weights) == rows && all(is.finite(case_weights)) &&
    all(case_weights >= 0) && any(case_weights > 0)
  if (!ok) {
    message <- paste("{.arg {arg}} must be one non-negative number per row of the features",
                     "({rows}), not all zero.")
    abort_argument(arg, message, call)
  }
  case_weights <- as.double(case_weights)
  if (!is.finite(sum(case_weights))) {
    abort_argument(arg, "The sum of {.arg {arg}} is beyond the range of numbers.", call)
  }
  case_weights
}

# So many levels are most likely names of the rows. Each would be a column of indicators, or of
# scores; `column` names the column of a table that has them.
check_indicators <- function(levels, rows, call, arg, column = NULL) {
  if (levels <= 1000 || as.double(levels) * rows <= 2e8) return(invisible())
  size <- bytes_text(8 * as.double(levels) * rows)
  what <- if (is.null(column)) "{.arg {arg}}" else "Column {.val {column}} of {.arg {arg}}"
  message <- paste(what,
                   "has {levels} levels in {rows} rows; their columns alone would need {size}.")
  abort_argument(
    arg, c(message, i = "Is it a name of the rows, or a number that was read as text?"), call
  )
}

# A strength outside of what the family of a copula, or a metric from gradients, has.
check_strength_range <- function(strength, family, call, arg = "strength") {
  range <- strength_range(family)
  if (strength >= range[1L] && strength <= range[2L]) return(invisible())
  what <- if (family == "gradient") family else paste("the", families[[family]]$label, "family")
  message <- paste("{.arg {arg}} must be from {range[1L]} to {range[2L]} for {what},",
                   "not {strength}.")
  abort_argument(arg, message, call)
}

# Infinitely many hidden nodes.
has_infinite <- function(hidden) is.numeric(hidden) && any(is.infinite(hidden) & hidden > 0)

is_infinite <- function(spec) has_infinite(spec$hidden)

strength_range <- function(family) {
  if (family == "gradient") c(0, 1) else families[[family]]$strength
}
