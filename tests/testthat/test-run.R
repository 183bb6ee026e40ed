test_that("threads come from the argument, the environment, the option, then at most two", {
  with_option("cawi.threads", 3, {
    with_environment_variable("CAWI_NUM_THREADS", "4", {
      expect_identical(resolve_threads(5), 5L)
      expect_identical(resolve_threads(), 4L)
    })
    with_environment_variable("CAWI_NUM_THREADS", "", expect_identical(resolve_threads(), 3L))
  })
  with_environment_variable("CAWI_NUM_THREADS", "", {
    with_option("cawi.threads", NULL, expect_true(resolve_threads() %in% 1:2))
  })
})

test_that("a source of threads that is not read is not checked", {
  with_environment_variable("CAWI_NUM_THREADS", "abc", {
    expect_identical(cawi_kendall(1:3, threads = 1), matrix(1))
  })
  with_option("cawi.threads", "many", with_environment_variable("CAWI_NUM_THREADS", "1", {
    expect_identical(cawi_kendall(1:3), matrix(1))
  }))
})
