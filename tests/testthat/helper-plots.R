# Copulas of every shape that pictures meet.
pictured <- list(
  fitted = cawi_copula(iris[, 1:4], "gaussian"),
  reflected = cawi_copula(iris[, 1:4], "clayton", reflect = TRUE),
  pair = cawi_copula_from("gumbel", dim = 2, theta = 2),
  fitted_pair = cawi_copula(iris[, 3:4], "frank"),
  single = cawi_copula_from("independence", dim = 1),
  singular = cawi_copula_from("t", dim = 2, cor = 1, df = 3),
  labelled_less = cawi_copula_from("clayton", dim = 20, theta = 1),
  wide = cawi_copula_from("gaussian", dim = 60, cor = 0.3)
)

# The pictures that make sense for each of them.
picture_types <- function(copula) {
  c("tau", if (copula$dim >= 2L) "draws", if (copula$dim == 2L && copula$family != "t") "contour")
}

# Runs code on a device that writes nothing.
on_null_device <- function(code) {
  grDevices::pdf(NULL)
  device <- grDevices::dev.cur()
  on.exit(grDevices::dev.off(device))
  force(code)
}
