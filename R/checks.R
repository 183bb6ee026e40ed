# Checks of type, shape and finiteness. Each returns its argument in the form the core wants, or
# stops with a classed error that names the argument, what was expected and what came.

# An argument without a default that was not given.
check_given <- function(x, arg, call = caller_env()) {
  if (missing(x)) abort_argument(arg, "{.arg {arg}} is missing.", call)
}

check_matrix <- function(x, arg = "x", call = caller_env(), finite = TRUE) {
  check_given(x, arg, call)
  x <- as_numeric_matrix(x, arg, call)
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
      abort_argument(
        arg, "{.arg {arg}} must be numeric; {cli::qty(length(columns))}column{?s} {.val {columns}} {?is/are} not.",
        call
      )
    }
    whole <- vapply(x, inherits, logical(1), "integer64")
    if (any(whole)) {
      x <- structure(lapply(x, plain_column), row.names = attr(x, "row.names"), class = "data.frame")
    }
    x <- tryCatch(as.matrix(x), error = function(e) {
      abort_argument(arg, "{.arg {arg}} is no sound data frame: {conditionMessage(e)}.", call)
    })
  }
  if (inherits(x, "integer64")) x <- read_integer64(x)
  if (!is_numeric_or_logical(x)) {
    abort_argument(arg, "{.arg {arg}} must be a numeric matrix or data frame, not {.obj_type_friendly {x}}.", call)
  }
  if (length(dim(x)) > 2L) {
    abort_argument(arg, "{.arg {arg}} must have two dimensions, not {length(dim(x))}.", call)
  }
  if (!is.matrix(x)) x <- matrix(x, ncol = 1L)
  if (!is.double(x)) storage.mode(x) <- "double"
  x
}

is_numeric_or_logical <- function(x) (is.numeric(x) || is.logical(x)) && !is.factor(x)

check_finite <- function(x, arg, call) {
  # A finite sum proves finite data in one pass without a copy.
  if (is.finite(sum(x))) return(invisible(x))
  bad <- which(colSums(!is.finite(x)) > 0)
  if (length(bad) == 0L) return(invisible(x))
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

# Refuses what the machine cannot have before any of it is taken: some systems promise memory that they do not have,
# and end the process that uses it.
check_memory <- function(bytes, call = caller_env()) {
  if (bytes > 2^28 && bytes > machine_memory()) abort_memory(bytes, "", call)
}

# Bytes of memory and swap space, where the system tells them; else more than any desk has.
machine_memory <- function() {
  lines <- tryCatch(readLines("/proc/meminfo"), error = function(e) character(), warning = function(e) character())
  lines <- grep("^(MemTotal|SwapTotal): *[0-9]+ kB$", lines, value = TRUE)
  if (length(lines) == 0L) return(2^40)
  1024 * sum(as.numeric(gsub("[^0-9]", "", lines)))
}

# 64-bit integers are numbers in the bits of doubles.
plain_number <- function(x) if (inherits(x, "integer64")) read_integer64(x) else x

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
  x
}

# Like match.arg(), with a classed error; the first choice is the default.
check_choice <- function(x, choices, arg, call = caller_env()) {
  if (identical(x, choices)) return(choices[1L])
  if (!is.character(x) || length(x) != 1L || !x %in% choices) {
    abort_argument(arg, "{.arg {arg}} must be one of {.val {choices}}, not {shown(x)}.", call)
  }
  x
}

# An edited or damaged copula is caught here, before any C++ runs.
check_copula <- function(x, arg = "copula", call = caller_env()) {
  check_given(x, arg, call)
  if (!inherits(x, "cawi_copula")) {
    abort_argument(arg, "{.arg {arg}} must be a {.cls cawi_copula}, not {.obj_type_friendly {x}}.", call)
  }
  problem <- copula_problem(unclass(x))
  if (!is.null(problem)) abort_argument(arg, "{.arg {arg}} is damaged: {problem}.", call)
  x
}

copula_problem <- function(x) {
  problem <- parameter_problem(x)
  if (is.null(problem)) origin_problem(x) else problem
}

parameter_problem <- function(x) {
  if (!is.list(x)) return("it is no list")
  if (!is_string(x$family) || !x$family %in% family_names) return("its family is unknown")
  if (!is_whole(x$dim, 1) || x$dim > .Machine$integer.max) return("its dimension is not a positive whole number")
  kind <- families[[x$family]]$kind
  if (kind == "archimedean") {
    lowest <- families[[x$family]]$independence
    if (!is_figure(x$theta) || is.infinite(x$theta) || x$theta < lowest) return("theta is out of range")
  }
  if (kind == "elliptical" && !is_correlation(x$cor, x$dim)) return("cor is not a correlation matrix")
  foreign <- c(theta = !is.null(x$theta) && kind != "archimedean", cor = !is.null(x$cor) && kind != "elliptical",
               df = !is.null(x$df) && x$family != "t")
  if (any(foreign)) return(paste(names(foreign)[foreign][1L], "is no parameter of its family"))
  if (x$family == "t" && (!is_figure(x$df) || x$df < smallest_df)) return("df is out of range")
  if (!is.null(x$flipped) && !(is.logical(x$flipped) && length(x$flipped) == x$dim && !anyNA(x$flipped))) {
    return("flipped does not fit its dimension")
  }
  NULL
}

# What a copula tells of its data, beside the parameters.
origin_problem <- function(x) {
  if (!is.null(x$tau) && !is_tau(x$tau, x$dim)) return("tau is not a matrix of its dimension")
  if (!is.null(x$names) && !(is.character(x$names) && length(x$names) == x$dim)) {
    return("names do not fit its dimension")
  }
  if (!is_string(x$method) || !x$method %in% c("given", "itau", "mpl")) return("its method is unknown")
  if (!is_string(x$requested) || !x$requested %in% c("auto", family_names)) return("requested is no family")
  fitted <- x$method != "given"
  if ((fitted || !is.null(x$nobs)) && !is_whole(x$nobs, 1)) return("nobs is not a number of rows")
  if (!is.null(x$loglik) && !(is_figure(x$loglik) && is_whole(x$nobs, 1))) return("loglik is not a number")
  if (!is.null(x$loglik) && !(is_whole(x$active, 0) && x$active <= x$dim)) return("active is not a number of columns")
  if (!is.null(x$selection) && !is_selection(x$selection)) return("selection is no table of families")
  NULL
}

is_string <- function(x) is.character(x) && length(x) == 1L && !is.na(x)
is_figure <- function(x) is.numeric(x) && length(x) == 1L && !is.na(x)
is_whole <- function(x, least) is_figure(x) && is.finite(x) && x == round(x) && x >= least

is_tau <- function(tau, dim) {
  is.numeric(tau) && is.matrix(tau) && all(dim(tau) == dim) && all(is.finite(tau)) && max(abs(tau)) <= 1 + 1e-12
}

is_selection <- function(x) {
  is_sound_frame(x, c("family", "parameters")) && is.character(x$family) && all(x$family %in% family_names)
}

# A data frame whose columns are as long as it says.
is_plain_frame <- function(x) {
  is.data.frame(x) && is.list(x) && all(vapply(unclass(x), NROW, 0L) == length(attr(x, "row.names")))
}

check_even_frame <- function(x, arg, call) {
  if (is_plain_frame(x)) return(invisible())
  abort_argument(arg, "{.arg {arg}} is no sound data frame: its columns differ in length.", call)
}

# One with rows and these columns.
is_sound_frame <- function(x, columns) is_plain_frame(x) && nrow(x) > 0L && all(columns %in% names(x))

is_correlation <- function(r, dim) {
  is.double(r) && is.matrix(r) && nrow(r) == dim && ncol(r) == dim && all(is.finite(r)) &&
    all(diag(r) == 1) && max(abs(r)) <= 1 + 1e-12 && max(abs(r - t(r))) <= 1e-12 && smallest_eigenvalue(r) >= -1e-8
}

# Zero stands for all that is positive: Cholesky settles the ordinary case at a fraction of the cost.
smallest_eigenvalue <- function(r) {
  if (!is.null(tryCatch(chol(r), error = function(e) NULL))) return(0)
  min(eigen(r, symmetric = TRUE, only.values = TRUE)$values)
}

# Below it t quantiles of ordinary probabilities leave the range of a double.
smallest_df <- 0.05

# Arguments in `...` must be among `known`: a name that is not is most likely misspelt, and the nearest one, also among
# the arguments of the function that was called, is suggested.
check_dots <- function(dots, known = NULL, call = caller_env(), own = names(formals(rlang::caller_fn()))) {
  if (length(dots) == 0L) return(invisible())
  names <- rlang::names2(dots)
  if (any(names == "")) {
    abort_argument("dots", "Further arguments must be named, and there is no use for an unnamed one here.", call)
  }
  twice <- unique(names[duplicated(names)])
  if (length(twice) > 0L) abort_argument("dots", "{.arg {twice}} {?is/are} given more than once.", call)
  unknown <- setdiff(names, known)
  if (length(unknown) == 0L) return(invisible())
  choices <- setdiff(c(known, own), c("...", "call"))
  near <- nearest_name(unknown[1L], choices)
  abort_argument(
    "dots",
    c("{cli::qty(length(unknown))}There {?is/are} no argument{?s} {.arg {unknown}}.",
      i = if (!is.null(near)) "Did you mean {.arg {near}}?",
      i = if (is.null(near) && length(choices) > 0L) "Known are {.arg {choices}}."),
    call
  )
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
  begins <- startsWith(choices, name) | startsWith(rep_len(name, length(choices)), choices)
  edits[begins] <- pmin(edits[begins], 2)
  if (min(edits) > max(2, nchar(name) %/% 3)) return(NULL)
  choices[which.min(edits)]
}

# Argument, environment variable, option, then at most two.
resolve_threads <- function(threads = NULL, call = caller_env()) {
  if (!is.null(threads)) return(as.integer(check_count(threads, "threads", call, max = 1024)))
  variable <- Sys.getenv("CAWI_NUM_THREADS")
  if (nzchar(variable)) {
    value <- suppressWarnings(as.numeric(variable))
    if (is.na(value)) value <- variable
    return(as.integer(check_count(value, "CAWI_NUM_THREADS", call, max = 1024)))
  }
  option <- getOption("cawi.threads")
  if (!is.null(option)) return(as.integer(check_count(option, "cawi.threads", call, max = 1024)))
  min(2L, RcppParallel::defaultNumThreads())
}

# The seed of the core's streams: the user's own, or one drawn from R's generator.
resolve_seed <- function(seed = NULL, call = caller_env()) {
  if (!is.null(seed)) return(check_count(seed, "seed", call, min = 0, max = 2^53 - 1))
  halves <- floor(stats::runif(2) * 2^26)
  halves[1L] * 2^26 + halves[2L]
}

# A call that fails leaves R's generator where it was.
keep_generator <- function(code) {
  old <- get0(".Random.seed", envir = globalenv(), inherits = FALSE)
  done <- FALSE
  on.exit(if (!done) restore_generator(old))
  force(code)
  done <- TRUE
  code
}

restore_generator <- function(state) {
  if (!is.null(state)) {
    assign(".Random.seed", state, envir = globalenv())
  } else if (exists(".Random.seed", envir = globalenv(), inherits = FALSE)) {
    rm(".Random.seed", envir = globalenv())
  }
}
