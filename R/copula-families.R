# The copula families, one row each: all that R knows about a family. The core has one file per
# family with its density, its sampler and its tau; a new family is one such file and one row here.
#
# kind          how it is estimated
# label         its name in print
# terms         the parameters of one copula of the family
# has_df        are degrees of freedom among them?
# parameters    number of free parameters in dimension d
# nested        the simpler family that it contains
# tau           the smallest and the largest Kendall's tau of a pair
# independence  the theta at which it is the independence copula
# strength      the least and the largest strength with which weights can follow it
# temper        the parameters at a strength other than 0 and 1
elliptical_row <- function(label, nested, terms) {
  list(kind = "elliptical", label = label, terms = terms, has_df = "df" %in% terms,
       parameters = function(d) d * (d - 1) / 2 + ("df" %in% terms), nested = nested,
       tau = c(-1, 1), strength = c(-1, 1),
       temper = function(copula, strength) temper_elliptical(copula, strength))
}

# Beyond the largest tau draws are comonotone to the last digits that matter; the core has the same
# bound.
archimedean_row <- function(label, independence) {
  list(kind = "archimedean", label = label, terms = "theta", has_df = FALSE,
       parameters = function(d) 1, nested = "independence", tau = c(0, 0.999),
       independence = independence, strength = c(0, 1),
       temper = function(copula, strength) temper_archimedean(copula, strength))
}

families <- list(
  independence = list(kind = "independence", label = "Independence", terms = character(),
                      has_df = FALSE, parameters = function(d) 0, nested = NULL, tau = c(0, 0),
                      strength = c(-1, 1)),
  gaussian = elliptical_row("Gaussian", nested = "independence", terms = "cor"),
  t = elliptical_row("Student t", nested = "gaussian", terms = c("cor", "df")),
  clayton = archimedean_row("Clayton", independence = 0),
  frank = archimedean_row("Frank", independence = 0),
  gumbel = archimedean_row("Gumbel", independence = 1)
)

family_names <- names(families)

# The families that weights can follow, and the names that `init` has for all distributions of the
# weights.
init_families <- setdiff(family_names, "independence")
distribution_names <- c("iid", init_families)

family_is <- function(family, kind) families[[family]]$kind == kind

parameter_count <- function(family, d) families[[family]]$parameters(d)

# Names in the form in which help pages show them.
quoted_names <- function(names) paste0("`\"", names, "\"`", collapse = ", ")

check_family <- function(family, arg = "family", call = caller_env(), extra = NULL) {
  check_choice(family, c(extra, family_names), arg, call)
}

check_families <- function(names, call = caller_env()) {
  if (!is.character(names) || length(names) == 0L || !all(names %in% family_names)) {
    abort_argument("families",
                   "{.arg families} must be among {.val {family_names}}, not {shown(names)}.", call)
  }
  unique(names)
}
