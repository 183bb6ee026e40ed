frame <- mixed_frame()
parts <- split(frame, rep(1:4, c(10, 35, 20, 25)))
shards <- cawi_source(lapply(unname(parts), cawi_source), chunk = 8)
model <- function(source, ...) {
  same_fit(cawi_rvfl(class ~ north + east + group, source, hidden = 6, seed = 3, ...))
}

with_plan <- function(strategy, ..., code) {
  skip_if_not_installed("future")
  skip_on_cran()
  old <- future::plan(strategy, ...)
  on.exit(future::plan(old))
  force(code)
}

test_that("shards are rows like any others", {
  whole <- cawi_rvfl(class ~ north + east + group, frame, hidden = 6, seed = 3, lambda = 0.1)
  fit <- model(shards, lambda = 0.1)
  expect_equal(raw_scores(fit, frame), raw_scores(whole, frame), tolerance = 1e-10)
  expect_identical(fit$source$shards, 4L)
})

test_that("bits depend on the shards, not on the workers", {
  here <- model(shards)
  for (workers in c(1, 2, 4)) {
    with_plan(future::multisession, workers = workers, code = {
      expect_generator_untouched(there <- model(shards))
      expect_identical(there, here)
    })
  }
})

test_that("errors of a worker keep their class and their place", {
  bad <- parts
  bad[[3]]$group[9] <- NA
  with_plan(future::multisession, workers = 2, code = {
    error <- expect_error(model(cawi_source(lapply(unname(bad), cawi_source), chunk = 8)),
                          class = "cawi_error_source")
    expect_match(conditionMessage(error), "Chunk 2 of shard 3", fixed = TRUE)
  })
})

test_that("a shard whose worker is killed half-way is read by another one", {
  skip_on_os("windows")
  here <- model(shards)
  marker <- tempfile("killed")
  # The second time the file is there, and the worker lives.
  suicidal <- function(frame, marker) {
    force(frame)
    force(marker)
    function() {
      at <- new.env()
      cawi_source(function(reset) {
        if (reset) {
          at$row <- 1
          return(NULL)
        }
        if (at$row > nrow(frame)) return(NULL)
        if (at$row > 16 && !file.exists(marker)) {
          file.create(marker)
          tools::pskill(Sys.getpid(), tools::SIGKILL)
          Sys.sleep(10)
        }
        rows <- seq(at$row, min(at$row + 7, nrow(frame)))
        at$row <- at$row + 8
        frame[rows, ]
      })
    }
  }
  dying <- lapply(unname(parts), cawi_source)
  dying[[2]] <- suicidal(parts[[2]], marker)
  with_plan(future::multisession, workers = 2, code = {
    there <- suppressWarnings(model(cawi_source(dying, chunk = 8)))
  })
  expect_true(file.exists(marker))
  expect_identical(there, here)
})

test_that("workers that are lost again and again leave the rest to this process", {
  skip_on_os("windows")
  here <- Sys.getpid()
  open <- function() {
    if (Sys.getpid() != here) tools::pskill(Sys.getpid(), tools::SIGKILL)
    cawi_source(frame)
  }
  both <- cawi_source(list(open, cawi_source(frame)))
  with_plan(future::multisession, workers = 2, code = {
    expect_warning(
      fit <- withCallingHandlers(
        cawi_elm(number ~ north, both, hidden = 3, seed = 1, lambda = 1),
        warning = function(w) if (!inherits(w, "cawi_warning")) invokeRestart("muffleWarning")
      ), class = "cawi_warning_worker"
    )
  })
  expect_identical(fit$nobs, 180)
})

test_that("a connection cannot go to another process", {
  with_sqlite(list(rows = frame), function(con) {
    two <- cawi_source(list(cawi_source(con, "rows"), cawi_source(frame)))
    expect_s3_class(cawi_elm(number ~ north, two, hidden = 3), "cawi_elm")
    with_plan(future::multisession, workers = 2, code = {
      expect_error(cawi_elm(number ~ north, two, hidden = 3), "another process",
                   class = "cawi_error_source")
    })
  })
})

test_that("functions that open shards bring what they use of the session", {
  rows <- frame
  open <- list(function() rows[1:40, ], function() rows[41:90, ])
  for (k in 1:2) environment(open[[k]]) <- globalenv()
  assign("rows", rows, envir = globalenv())
  on.exit(rm("rows", envir = globalenv()))
  here <- model(cawi_source(open))
  with_plan(future::multisession, workers = 2, code = {
    expect_identical(model(cawi_source(open)), here)
  })
})

test_that("a shard may lack values of a column, or have its levels as text", {
  empty <- transform(parts[[1]], group = NA)
  two <- function(a, b) cawi_source(list(cawi_source(a), cawi_source(b)))
  fit <- model(two(empty, parts[[2]]), na_action = "impute")
  expect_identical(fit$nobs, 45)
  factors <- transform(parts[[1]], group = factor(group))
  for (source in list(two(factors, parts[[2]]), two(parts[[2]], factors))) {
    expect_setequal(grep("group", model(source)$feature_names, value = TRUE),
                    c("group_a", "group_b", "group_c"))
  }
})

test_that("shards with other columns or kinds are refused", {
  odd <- transform(parts[[2]], group = seq_along(group))
  expect_error(model(cawi_source(list(cawi_source(parts[[1]]), cawi_source(odd)))),
               "different kinds", class = "cawi_error_source")
  fewer <- parts[[2]][setdiff(names(frame), "east")]
  two <- cawi_source(list(cawi_source(parts[[1]]), cawi_source(fewer)))
  expect_error(cawi_elm(number ~ ., two), "different columns", class = "cawi_error_source")
})
