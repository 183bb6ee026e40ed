# Special functions of the core beside Rmpfr. Those that R does not see are compiled here.

special_place <- environment()

# Compiled when the first problem asks for it.
core <- function(name) {
  if (is.null(special_place$compiled)) {
    compiled <- new.env()
    Rcpp::sourceCpp(file.path(folder, "special.cpp"), env = compiled)
    special_place$compiled <- compiled
  }
  special_place$compiled[[name]]
}

# Seventy digits; a difference that cancels takes more.
bits <- 256L

precise <- function(x, by = bits) Rmpfr::mpfr(x, by)

precise_pi <- function(by = bits) Rmpfr::Const("pi", by)

# An error in units of the wanted value.
precise_gap <- function(found, wanted) {
  if (!is.finite(found)) return(Inf)
  error <- abs(precise(found) - wanted)
  if (wanted == 0) return(if (error == 0) 0 else Inf)
  as.double(error / abs(wanted))
}

# Sum of a series whose first term is one and whose ratios of neighbors are given.
hypergeometric_sum <- function(ratio) {
  total <- last <- precise(1)
  n <- 0L
  repeat {
    terms <- last * cumprod(ratio(n + seq_len(50L) - 1L))
    total <- total + sum(terms)
    last <- terms[50L]
    n <- n + 50L
    if (abs(last) < abs(total) * precise(2)^-Rmpfr::getPrec(last)) return(total)
    if (n > 30000L) stop("the series does not converge")
  }
}

# log of Gamma(a + 1/2) / Gamma(a).
precise_half_step <- function(a) lgamma(a + 0.5) - lgamma(a)

# The tail F(-x) of Student's t, x >= 0: half the regularized incomplete beta function, by series of
# positive terms on either side. Where the tail is a difference, its size is taken into account.
precise_student_tail <- function(x, nu) {
  near <- as.double(x)^2 < nu
  by <- if (near) bits + ceiling(1.5 * as.double(x)^2) else bits
  x <- Rmpfr::roundMpfr(precise(x), by)
  nu <- precise(nu, by)
  a <- nu / 2
  z <- nu / (nu + x^2)
  rest <- x^2 / (nu + x^2)
  # 1 / B(a, 1/2) = Gamma(a + 1/2) / (Gamma(a) sqrt(pi)).
  front <- exp(precise_half_step(a) + a * log(z)) * sqrt(rest) / sqrt(precise_pi(by))
  if (near) return(0.5 - front * hypergeometric_sum(function(n) (a + 0.5 + n) / (1.5 + n) * rest))
  # The sum is z^a (1 - z)^b 2F1(a + b, 1; a + 1; z) / (a B).
  front / a * hypergeometric_sum(function(n) (a + 0.5 + n) / (a + 1 + n) * z) / 2
}

precise_student_density <- function(x, nu) {
  x <- precise(x)
  nu <- precise(nu)
  exp(precise_half_step(nu / 2) - (nu + 1) / 2 * log1p(x^2 / nu)) /
    sqrt(nu * precise_pi())
}

# Far out the tail is c x^-nu.
precise_log_distance <- function(p, nu) {
  nu <- precise(nu)
  constant <- precise_half_step(nu / 2) + (nu / 2 - 1) * log(nu) - log(precise_pi()) / 2
  (constant - log(precise(p))) / nu
}

precise_normal_tail <- function(x) Rmpfr::erfc(precise(x) / sqrt(precise(2))) / 2

precise_normal_density <- function(x) {
  exp(-precise(x)^2 / 2) / sqrt(2 * precise_pi())
}

# How far x is from the quantile of a lower-tail probability p, by one step of Newton's method in
# high precision: in units of itself, or, near the median, of what rounding of p makes of it.
quantile_gap <- function(x, p, tail, density) {
  if (!is.finite(x) || x > 0) return(Inf)
  slope <- density(x)
  as.double(abs(tail(-x) - precise(p)) / max(slope * abs(precise(x)), precise(p)))
}

# Li_{-n}(e^-w) by the polynomial of Eulerian numbers.
precise_log_polylog <- function(n, w) {
  eulerian <- precise(gmp::Eulerian.all(n))
  z <- exp(-w)
  log(z * sum(eulerian * z^(seq_along(eulerian) - 1L))) - (n + 1) * log(-expm1(-w))
}

# D1 from the Bernoulli series near zero and from exponentials elsewhere.
precise_debye1 <- function(x) {
  x <- precise(x)
  k <- seq_len(max(60, ceiling(250 / as.double(x))))
  pi_squared <- precise_pi()^2
  (pi_squared / 6 - sum(exp(-k * x) * (x / k + precise(1) / precise(k)^2))) / x
}

any_nu <- function() log_between(0.1, 1e6)

# Lower-tail probabilities from one half down to the smallest numbers.
any_tail <- function() {
  switch(sample.int(3L, 1L), stats::runif(1L, 0, 0.5), log_between(1e-300, 0.5),
         0.5 - log_between(1e-15, 0.4))
}

# Beyond 177 the exponential is below the digits of one.
precise_log1mexp <- function(x) {
  if (x < 1) log(-expm1(-precise(x))) else log1p(-exp(-precise(x)))
}

special_routines <- list(
  log1mexp = routine(
    "Rmpfr", 4e-16, "two elementary functions, the second at a number rounded once",
    function() {
      x <- log_between(1e-300, 700)
      precise_gap(core("core_log1mexp")(x), precise_log1mexp(x))
    }, "mpfr"
  ),
  log1pexp = routine(
    "Rmpfr", 4e-16, "two elementary functions",
    function() {
      x <- one_of(c(-1, 1)) * log_between(1e-10, 700)
      precise_gap(core("core_log1pexp")(x), log1p(exp(precise(x))))
    }, "mpfr"
  ),
  log_add = routine(
    "Rmpfr", 3e-16, "in units of the larger of the result and the arguments, which are rounded",
    function() {
      a <- stats::rnorm(1L) * log_between(1e-3, 1e5)
      b <- a + stats::rnorm(1L) * log_between(1e-10, 1e3)
      wanted <- log(exp(precise(a)) + exp(precise(b)))
      unit <- max(abs(a), abs(b), 1)
      as.double(abs(core("core_log_add")(a, b) - wanted)) / unit
    }, "mpfr"
  ),
  log_sum_exp = routine(
    "Rmpfr", 1e-15, "in units of the largest argument, or one: each term rounds once",
    function() {
      x <- stats::rnorm(whole_between(1L, 12L)) * log_between(1e-3, 1e4)
      wanted <- log(sum(exp(precise(x))))
      as.double(abs(core("core_log_sum_exp")(x) - wanted)) / max(abs(x), 1)
    }, "mpfr"
  ),
  normal_cdf_array = routine(
    "Rmpfr", 1.5e-15, "a polynomial of degree 22 and an exponential: a few units in the last place",
    function() {
      x <- stats::runif(1L, 0, 37.4)
      max(precise_gap(normal_cdf_cpp(-x), precise_normal_tail(x)),
          precise_gap(normal_cdf_cpp(x), 1 - precise_normal_tail(x)))
    }, "mpfr"
  ),
  normal_cdf = routine(
    "Rmpfr", 4e-16, "in units of 1 + x^2: that of erfc at a rounded argument",
    function() {
      x <- stats::runif(1L, 0, 37)
      precise_gap(core("core_normal_cdf")(-x), precise_normal_tail(x)) / (1 + x^2)
    }, "mpfr"
  ),
  normal_quantile = routine(
    "Rmpfr, through the distribution function", 1e-15, "the rounding of one rational function",
    function() {
      p <- any_tail()
      quantile_gap(core("core_normal_quantile")(p), p, precise_normal_tail, precise_normal_density)
    }, "mpfr"
  ),
  student_cdf = routine(
    "Rmpfr, incomplete beta by series", 5e-13,
    "tables are good to 1e-14; far out, at many degrees of freedom, Boost has fewer digits",
    function() {
      nu <- any_nu()
      x <- if (chance(0.5)) stats::runif(1L, 0, 9) else log_between(1e-6, 30)
      wanted <- precise_student_tail(x, nu)
      if (wanted < 1e-290) return(0)
      max(precise_gap(core("core_student_cdf")(-x, nu), wanted),
          precise_gap(core("core_student_cdf")(x, nu), 1 - wanted))
    }, "mpfr"
  ),
  student_cdf_array = routine(
    "Rmpfr, incomplete beta by series", 5e-13, "as student_cdf",
    function() {
      nu <- any_nu()
      x <- stats::rnorm(11L) * 3
      found <- core("core_student_cdf_in_place")(x, nu)
      i <- sample.int(11L, 1L)
      tail <- precise_student_tail(abs(x[i]), nu)
      precise_gap(found[i], if (x[i] > 0) 1 - tail else tail)
    }, "mpfr"
  ),
  student_quantile = routine(
    "Rmpfr, through the distribution function", 5e-13, "as student_cdf, over the steepest slope",
    function() {
      nu <- any_nu()
      p <- any_tail()
      x <- core("core_student_quantile")(p, nu)
      if (is.infinite(x) || x < -1e100) {
        # Beyond the range of squares the log of the distance is what is used.
        far <- core("core_student_log_distance")(p, nu)
        return(precise_gap(far, precise_log_distance(p, nu)))
      }
      quantile_gap(x, p, function(v) precise_student_tail(v, nu),
                   function(v) precise_student_density(v, nu))
    }, "mpfr"
  ),
  student_lower_quantiles = routine(
    "quantiles one by one", 1e-13, "two ways to the same digits",
    function() {
      nu <- any_nu()
      m <- whole_between(1L, 60L)
      p <- (m + 1 - sort(sample.int(2L * m + 1L, m) / 2)) / (2 * m + 2)
      p <- sort(p[p > 0 & p <= 0.5], decreasing = TRUE)
      one <- vapply(p, function(v) core("core_student_quantile")(v, nu), numeric(1))
      own_gap(core("core_student_lower_quantiles")(p, nu), one)
    }, "compiled"
  ),
  lgamma_half_steps = routine(
    "Rmpfr", 2e-15, "in units of the largest log in the sum, or one",
    function() {
      a <- log_between(1e-3, 1e8)
      d <- whole_between(1L, 60L)
      wanted <- lgamma(precise(a) + precise(d) / 2) - lgamma(precise(a))
      unit <- max(abs(as.double(wanted)), abs(lgamma(a)) * (a < 50), 1)
      as.double(abs(core("core_lgamma_half_steps")(a, d) - wanted)) / unit
    }, "mpfr"
  ),
  debye1 = routine(
    "Rmpfr", 1e-15, "a sum of terms that fall like exponentials",
    function() {
      x <- log_between(1, 1e4)
      precise_gap(core("core_debye1")(x), precise_debye1(x))
    }, "mpfr"
  ),
  negative_polylog = routine(
    "Rmpfr, Eulerian numbers", 1e-15,
    "in units of the largest of the logs that are added: order times log w, w, the result",
    function() {
      n <- whole_between(1L, 160L)
      log_w <- stats::runif(1L, log(1e-6), log(200))
      w <- exp(precise(log_w))
      wanted <- precise_log_polylog(n, w)
      unit <- max(abs((n + 1) * log_w), as.double(w), abs(as.double(wanted)), 1)
      as.double(abs(core("core_log_polylog")(n, log_w) - wanted)) / unit
    }, "mpfr"
  )
)
