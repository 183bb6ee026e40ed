# One row a family. `parameters` counts the free parameters in dimension d; a `nested` family is the
# simpler one that it contains; `independence` is the parameter at which an Archimedean family is
# the independence copula.
families <- list(
  independence = list(kind = "independence", label = "Independence", parameters = function(d) 0,
                      nested = NULL),
  gaussian = list(kind = "elliptical", label = "Gaussian", parameters = function(d) d * (d - 1) / 2,
                  nested = "independence"),
  t = list(kind = "elliptical", label = "Student t", parameters = function(d) d * (d - 1) / 2 + 1,
           nested = "gaussian"),
  clayton = list(kind = "archimedean", label = "Clayton", parameters = function(d) 1,
                 nested = "independence", independence = 0),
  frank = list(kind = "archimedean", label = "Frank", parameters = function(d) 1,
               nested = "independence", independence = 0),
  gumbel = list(kind = "archimedean", label = "Gumbel", parameters = function(d) 1,
                nested = "independence", independence = 1)
)

family_names <- names(families)

family_is <- function(family, kind) families[[family]]$kind == kind

check_family <- function(family, arg = "family", call = caller_env(), extra = NULL) {
  check_choice(family, c(extra, family_names), arg, call)
}
