# Packages of tidymodels that Debian does not have in versions that go together.
skip_without_tidymodels <- function() {
  needed <- c("dials", "parsnip", "recipes", "rsample", "tune", "workflows", "yardstick")
  here <- vapply(needed, requireNamespace, logical(1), quietly = TRUE)
  skip_if_not(all(here), "tidymodels is not here: `make test-tidymodels` runs these tests")
}

network_spec <- function(mode, ..., engine = list()) {
  spec <- rand_network(mode, ...)
  do.call(parsnip::set_engine, c(list(spec, "cawi", seed = 5, threads = 1), engine))
}
