# Speed of the copula layer against its peers, as ratios in one run:
#   Rscript copula.R [folder for the record]
# The goals are those of the package; "1" and "2" are threads. Times are elapsed. Peers and cawi
# take turns, so that other work on the machine meets both.
library(cawi)
here <- dirname(sub("--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
source(file.path(here, "tools", "bench-tools.R"))
set.seed(1)

kendall_row <- function(m, d, levels, goal) {
  x <- matrix(if (levels) sample(levels, m * d, replace = TRUE) else rnorm(m * d), m)
  seconds <- best_in_turn(alist(
    peer = reference <- pcaPP::cor.fk(x),
    one = tau <- cawi_kendall(x, threads = 1),
    two = cawi_kendall(x, threads = 2)
  ))
  stopifnot(max(abs(tau - reference)) < 1e-12)
  kind <- if (levels) paste(levels, "levels") else "continuous"
  bench_row(sprintf("kendall %d x %d, %s", m, d, kind), "pcaPP::cor.fk", seconds[["peer"]],
            seconds[["one"]], seconds[["two"]], goal)
}

nearest_row <- function() {
  factor <- rnorm(100)
  x <- matrix(rnorm(100 * 263), 100) + factor %o% runif(263, -1, 1)
  r <- sin(pi / 2 * cawi_kendall(x))
  peer <- best_seconds(reference <- as.matrix(Matrix::nearPD(r, corr = TRUE)$mat), 3L)
  own <- best_seconds(nearest <- cawi_nearest_cor(r))
  cat(sprintf("nearest correlation, distance to the input: nearPD %.9f, cawi %.9f\n",
              norm(reference - r, "F"), norm(nearest - r, "F")))
  bench_row("nearest correlation, d = 263, m = 100", "Matrix::nearPD", peer, own, own, ">= 5")
}

t_fit_row <- function() {
  x <- simulate(cawi_copula_from("t", dim = 10, tau = 0.3, df = 5), 1000, seed = 1)
  u <- copula::pobs(x)
  model <- copula::tCopula(dim = 10, dispstr = "un")
  peer <- best_seconds(copula::fitCopula(model, u, method = "itau.mpl"), 2L)
  one <- best_seconds(cawi_copula(x, "t", threads = 1))
  two <- best_seconds(cawi_copula(x, "t", threads = 2))
  bench_row("t fit, 1000 x 10", "copula::fitCopula(itau.mpl)", peer, one, two, ">= 50")
}

peer_copula <- function(family, d, tau) {
  rho <- sin(pi / 2 * tau)
  switch(family,
    gaussian = copula::normalCopula(rho, d),
    t = copula::tCopula(rho, d, df = 4),
    clayton = copula::claytonCopula(copula::iTau(copula::claytonCopula(), tau), d),
    frank = copula::frankCopula(copula::iTau(copula::frankCopula(), tau), d),
    gumbel = copula::gumbelCopula(copula::iTau(copula::gumbelCopula(), tau), d)
  )
}

simulate_row <- function(family, n = 1e5, d = 10, goal = ">= 5") {
  own <- cawi_copula_from(family, dim = d, tau = 0.4, df = if (family == "t") 4)
  model <- peer_copula(family, d, 0.4)
  seconds <- best_in_turn(alist(
    peer = copula::rCopula(n, model),
    one = simulate(own, n, threads = 1),
    two = simulate(own, n, threads = 2)
  ), 15L)
  bench_row(sprintf("simulate %s %d x %d", family, as.integer(n), d), "copula::rCopula",
            seconds[["peer"]], seconds[["one"]], seconds[["two"]], goal)
}

table <- rbind(
  kendall_row(1000, 100, 0, NA), kendall_row(1000, 100, 10, NA),
  kendall_row(10000, 50, 0, ">= 15 / 28"), kendall_row(10000, 50, 10, ">= 15 / 28"),
  kendall_row(58000, 9, 0, NA), kendall_row(58000, 9, 10, NA),
  nearest_row(),
  t_fit_row(),
  do.call(rbind, lapply(c("gaussian", "t", "clayton", "frank", "gumbel"), simulate_row)),
  simulate_row("gaussian", 1e4, 200, ">= 10")
)
report("copula", table, c("pcaPP", "Matrix", "copula", "RcppParallel"))
