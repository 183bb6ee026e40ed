# The families with parameters from one end of their range to the other. `dim` is 2 where not
# given; theta, cor and df go to cawi_copula_from().
family_case <- function(family, ..., dim = 2) {
  parameters <- list(...)
  text <- paste(names(parameters), vapply(parameters, format, "", digits = 12), collapse = ", ")
  list(family = family, label = trimws(paste(family, text)), parameters = parameters, dim = dim)
}

make_copula <- function(case, dim = case$dim) {
  do.call(cawi_copula_from, c(list(case$family, dim = dim), case$parameters))
}

case_tau <- function(case) {
  p <- case$parameters
  if (case$family == "independence") return(0)
  if (is.null(p$theta)) 2 / pi * asin(p$cor) else slow_family_tau(case$family, p$theta)
}

whole_range <- c(
  list(family_case("independence")),
  lapply(c(-0.99, -0.5, 0, 0.5, 0.99), function(r) family_case("gaussian", cor = r)),
  lapply(c(0.5, 1, 2, 4, 30, 1e5, Inf), function(df) family_case("t", cor = 0.5, df = df)),
  lapply(c(0.5, 4), function(df) family_case("t", cor = -0.9, df = df)),
  lapply(c(1e-8, 0.01, 0.5, 2, 10, 100, 1000), function(p) family_case("clayton", theta = p)),
  lapply(c(0.01, 1, 5, 20, 100, 1000, 5000), function(p) family_case("frank", theta = p)),
  lapply(c(1 + 1e-10, 1.01, 1.5, 3, 20, 200), function(p) family_case("gumbel", theta = p))
)

# Parameters whose density a grid can resolve.
moderate <- list(
  family_case("independence"),
  family_case("gaussian", cor = 0.5),
  family_case("gaussian", cor = -0.8),
  family_case("t", cor = 0.5, df = 4),
  family_case("t", cor = -0.6, df = 2.5),
  family_case("t", cor = 0.3, df = Inf),
  family_case("clayton", theta = 0.3),
  family_case("clayton", theta = 2),
  family_case("frank", theta = 0.5),
  family_case("frank", theta = 6),
  family_case("gumbel", theta = 1.2),
  family_case("gumbel", theta = 2.5)
)

one_of_each <- moderate[c(1, 2, 4, 8, 10, 12)]
