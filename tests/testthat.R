library(testthat)
library(cawi)

test_check("cawi")
