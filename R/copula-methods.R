#' @export
print.cawi_copula <- function(x, ...) {
  check_dots(rlang::enquos(...))
  check_copula(x, "x")
  cat(sprintf("<cawi_copula> %s, %d dimension%s\n", families[[x$family]]$label, x$dim,
              if (x$dim == 1L) "" else "s"))
  cat(parameter_lines(x), sep = "\n")
  cat(origin_line(x), "\n", sep = "")
  invisible(x)
}

parameter_lines <- function(x) {
  number <- function(value) format(value, digits = 4)
  kind <- families[[x$family]]$kind
  lines <- switch(kind,
    independence = "  no parameters",
    archimedean = sprintf("  theta %s, Kendall's tau %s", number(x$theta),
                          number(archimedean_tau(x))),
    elliptical = elliptical_line(x, number)
  )
  if (any(x$flipped)) {
    which_flipped <- if (is.null(x$names)) which(x$flipped) else x$names[x$flipped]
    lines <- c(lines, paste("  flipped:", some_of(which_flipped)))
  }
  lines
}

elliptical_line <- function(x, number) {
  off <- x$cor[lower.tri(x$cor)]
  range <- if (length(off)) {
    sprintf("  correlations from %s to %s, mean %s", number(min(off)), number(max(off)),
            number(mean(off)))
  } else {
    "  no pairs"
  }
  if (families[[x$family]]$has_df) paste0(range, "; df ", number(x$df)) else range
}

some_of <- function(values, most = 8L) {
  text <- paste(utils::head(values, most), collapse = ", ")
  if (length(values) > most) paste0(text, ", ... (", length(values), ")") else text
}

origin_line <- function(x) {
  if (x$method == "given") return("  parameters given")
  how <- c(itau = "inversion of Kendall's tau", mpl = "maximum pseudo-likelihood")[[x$method]]
  line <- sprintf("  fitted to %.0f rows by %s", x$nobs, how)
  if (x$requested == "auto") line <- paste0(line, ", family chosen automatically")
  if (!x$requested %in% c("auto", x$family)) {
    line <- paste0(line, ", instead of ", families[[x$requested]]$label)
  }
  line
}

archimedean_tau <- function(x) {
  if (x$theta == families[[x$family]]$independence) 0 else tau_from_theta_cpp(x$family, x$theta)
}

# Kendall's tau of the copula itself, all pairs.
model_tau <- function(x, call = caller_env()) {
  check_memory(32 * as.numeric(x$dim)^2, call)
  tau <- switch(families[[x$family]]$kind,
    independence = diag(x$dim),
    archimedean = matrix(archimedean_tau(x), x$dim, x$dim),
    elliptical = 2 / pi * asin(pmin(pmax(x$cor, -1), 1))
  )
  if (any(x$flipped)) {
    signs <- ifelse(x$flipped, -1, 1)
    tau <- tau * outer(signs, signs)
  }
  diag(tau) <- 1
  dimnames(tau) <- NULL
  with_names(tau, x$names)
}

#' @export
coef.cawi_copula <- function(object, ...) {
  check_dots(rlang::enquos(...))
  check_copula(object, "object")
  switch(families[[object$family]]$kind,
    independence = stats::setNames(numeric(), character()),
    archimedean = c(theta = object$theta),
    elliptical = {
      below <- which(lower.tri(object$cor), arr.ind = TRUE)
      values <- stats::setNames(object$cor[below], sprintf("cor[%d,%d]", below[, 1], below[, 2]))
      if (families[[object$family]]$has_df) c(values, df = object$df) else values
    }
  )
}

#' @export
logLik.cawi_copula <- function(object, ...) {
  check_dots(rlang::enquos(...))
  check_copula(object, "object")
  if (is.null(object$loglik)) {
    message <- paste("{.arg object} has no likelihood: it was not fitted to data",
                     "with {.code likelihood = TRUE}.")
    abort_argument("object", message, environment())
  }
  structure(object$loglik, df = parameter_count(object$family, object$active),
            nobs = object$nobs, class = "logLik")
}

#' @export
summary.cawi_copula <- function(object, ...) {
  check_dots(rlang::enquos(...))
  check_copula(object, "object")
  structure(list(copula = object, tau = tau_table(object, environment())),
            class = "summary.cawi_copula")
}

# Sample and model tau over the pairs, as far as they exist.
tau_table <- function(object, call) {
  model <- model_tau(object, call)
  pairs <- lower.tri(model)
  rows <- list(model = model[pairs])
  if (!is.null(object$tau)) rows <- c(list(sample = object$tau[pairs]), rows)
  if (!any(pairs)) return(NULL)
  t(vapply(rows, function(tau) {
    c(min = min(tau), mean = mean(tau), max = max(tau))
  }, numeric(3)))
}

#' @export
print.summary.cawi_copula <- function(x, digits = 4, ...) {
  check_dots(rlang::enquos(...))
  digits <- check_count(digits, "digits", min = 1, max = 22)
  check_data_only(x, "x")
  copula <- unclass(x)$copula
  check_copula(copula, "x")
  if (!identical(x$tau, tau_table(copula, environment()))) {
    abort_argument("x", "{.arg x} is damaged: tau is not that of its copula.", environment())
  }
  print(copula)
  if (!is.null(copula$loglik)) {
    cat(sprintf("  log-likelihood %s, AIC %s, BIC %s\n", format(copula$loglik, digits = digits + 2),
                format(AIC(copula), digits = digits + 2), format(BIC(copula), digits = digits + 2)))
  }
  if (!is.null(x$tau)) {
    cat("\nKendall's tau over the pairs:\n")
    print(x$tau, digits = digits)
  }
  if (!is.null(copula$selection)) {
    cat("\nChoice of the family:\n")
    print(copula$selection, digits = digits)
  }
  invisible(x)
}

#' Tidy summaries of a copula
#'
#' `tidy()` gives the parameters of a copula, and `glance()` one row about the copula.
#'
#' @param x A `cawi_copula`.
#' @param ... Not used.
#' @return A data frame. `tidy()` has one row per parameter with the columns `term`, named as in
#'   `coef()`, and `estimate`; the independence copula has no rows. `glance()` has `family`, `dim`,
#'   the number of free `parameters`, `nobs`, `method`, `logLik`, `AIC` and `BIC`; what a copula
#'   does not have, because its parameters were given or its likelihood was not computed, is `NA`.
#' @seealso [tidy.cawi_model()] for models.
#' @examples
#' fit <- cawi_copula(iris[, 1:4], "t")
#' tidy(fit)
#' glance(fit)
#' @export
tidy.cawi_copula <- function(x, ...) {
  check_dots(rlang::enquos(...))
  check_copula(x, "x")
  estimate <- coef(x)
  data.frame(term = names(estimate), estimate = unname(estimate))
}

#' @rdname tidy.cawi_copula
#' @export
glance.cawi_copula <- function(x, ...) {
  check_dots(rlang::enquos(...))
  check_copula(x, "x")
  # AIC() and BIC() of a likelihood that is missing are missing.
  likelihood <- if (is.null(x$loglik)) {
    structure(NA_real_, df = NA_real_, nobs = 1L, class = "logLik")
  } else {
    logLik(x)
  }
  data.frame(
    family = x$family, dim = x$dim, parameters = parameter_count(x$family, x$active),
    nobs = x$nobs %||% NA_integer_, method = x$method, logLik = as.numeric(likelihood),
    AIC = AIC(likelihood), BIC = BIC(likelihood)
  )
}
