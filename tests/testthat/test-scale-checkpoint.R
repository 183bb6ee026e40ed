frame <- mixed_frame()
shards <- cawi_source(list(cawi_source(frame[1:40, ]), cawi_source(frame[41:90, ])), chunk = 7)
fitted_with <- function(source, file = NULL, ...) {
  same_fit(cawi_rvfl(class ~ north + east + group, source, hidden = 6, checkpoint = file, ...))
}
new_file <- function() {
  folder <- tempfile("run")
  dir.create(folder)
  file.path(folder, "fit.rds")
}
# Dies, as far as R goes, at a chosen chunk of a chosen pass.
dying_at <- function(pass, chunk) {
  at <- new.env()
  at$pass <- 0
  function(reset) {
    if (reset) {
      at$pass <- at$pass + 1
      at$row <- 1
      at$chunk <- 0
      return(NULL)
    }
    at$chunk <- at$chunk + 1
    if (at$pass == pass && at$chunk == chunk) stop("killed")
    if (at$row > 90) return(NULL)
    rows <- seq(at$row, min(at$row + 6, 90))
    at$row <- at$row + 7
    frame[rows, ]
  }
}

test_that("a run that stops goes on from its checkpoint and ends with the same bits", {
  whole <- fitted_with(cawi_source(dying_at(0, 0)), seed = 2)
  for (pass in 1:2) {
    for (chunk in c(1, 6, 13)) {
      file <- new_file()
      with_option("cawi.checkpoint_seconds", 0, {
        expect_error(fitted_with(cawi_source(dying_at(pass, chunk)), file, seed = 2), "killed",
                     class = "cawi_error_source")
        expect_true(file.exists(file))
        fit <- fitted_with(cawi_source(dying_at(0, 0)), file, seed = 2)
      })
      expect_identical(fit, whole)
      expect_identical(list.files(dirname(file)), character())
    }
  }
})

test_that("what was added before is not added again", {
  file <- new_file()
  with_option("cawi.checkpoint_seconds", 0, {
    expect_error(fitted_with(cawi_source(dying_at(2, 9)), file, seed = 2), "killed")
  })
  left <- readRDS(paste0(file, ".1"))
  expect_identical(left$pass, "sums")
  expect_identical(left$done, 8L)
  expect_identical(left$state$rows, 56)
})

test_that("without a seed the checkpoint has it", {
  file <- new_file()
  set.seed(1)
  with_option("cawi.checkpoint_seconds", 0, {
    expect_error(fitted_with(cawi_source(dying_at(2, 3)), file), "killed")
    seed <- readRDS(file)$seed
    fit <- fitted_with(cawi_source(dying_at(0, 0)), file)
  })
  expect_identical(fit$seed, seed)
  expect_identical(fit, fitted_with(cawi_source(dying_at(0, 0)), seed = seed))
})

test_that("a checkpoint of other data or another run is refused, and stays", {
  file <- new_file()
  stop_at <- function(...) {
    with_option("cawi.checkpoint_seconds", 0, {
      expect_error(fitted_with(cawi_source(dying_at(2, 4)), file, seed = 2), "killed")
    })
  }
  stop_at()
  before <- tools::md5sum(list.files(dirname(file), full.names = TRUE))
  expect_error(fitted_with(cawi_source(dying_at(0, 0)), file, seed = 2, lambda = 3),
               class = "cawi_error_checkpoint")
  expect_error(fitted_with(cawi_source(dying_at(0, 0)), file, seed = 3),
               class = "cawi_error_checkpoint")
  expect_error(fitted_with(shards, file, seed = 2), class = "cawi_error_checkpoint")
  other <- frame
  other$north[2] <- 0
  read <- chunks_of(unname(split(other, (seq_len(90) - 1) %/% 7)))
  expect_error(fitted_with(cawi_source(read), file, seed = 2), "Chunk 1.*has changed",
               class = "cawi_error_source")
  expect_identical(tools::md5sum(list.files(dirname(file), full.names = TRUE)), before)
  writeBin(readBin(file, "raw", 100), file)
  expect_error(fitted_with(cawi_source(dying_at(0, 0)), file, seed = 2), "cannot be read",
               class = "cawi_error_checkpoint")
  saveRDS(1:3, file)
  expect_error(fitted_with(cawi_source(dying_at(0, 0)), file, seed = 2),
               class = "cawi_error_checkpoint")
})

test_that("a checkpoint must be a file that can be written", {
  expect_error(fitted_with(shards, tempdir()), class = "cawi_error_checkpoint")
  expect_error(fitted_with(shards, file.path(tempfile(), "no", "folder")),
               class = "cawi_error_checkpoint")
  expect_error(fitted_with(shards, 3), class = "cawi_error_checkpoint")
  expect_error(fitted_with(shards, ""), class = "cawi_error_checkpoint")
})

test_that("a full disk is told, and the checkpoint before it stays", {
  skip_on_os("windows")
  folder <- tempfile("full")
  dir.create(folder)
  file <- file.path(folder, "fit.rds")
  save_atomically(list(1), file, NULL)
  # A limit on the size of files does what a full disk does.
  script <- tempfile(fileext = ".R")
  writeLines(c(
    "library(cawi)",
    sprintf("file <- %s", deparse(file)),
    "error <- tryCatch(cawi:::save_atomically(rnorm(1e6), file, NULL), error = identity)",
    sprintf("writeLines(class(error)[1], %s)", deparse(file.path(folder, "class")))
  ), script)
  rscript <- file.path(R.home("bin"), "Rscript")
  libraries <- paste0("R_LIBS=", paste(.libPaths(), collapse = ":"))
  system2("bash", c("-c", shQuote(paste0("trap '' XFSZ; ulimit -f 100; ", libraries, " ", rscript,
                                         " ", script))), stdout = FALSE, stderr = FALSE)
  expect_identical(readLines(file.path(folder, "class")), "cawi_error_checkpoint")
  expect_identical(readRDS(file), list(1))
  expect_identical(sort(list.files(folder)), c("class", "fit.rds"))
})

test_that("kill -9 at random moments leaves the bits of an undisturbed run", {
  skip_on_os("windows")
  skip_on_cran()
  folder <- tempfile("kills")
  dir.create(folder)
  path <- function(name) file.path(folder, name)
  rows <- do.call(rbind, rep(list(frame), 40))
  saveRDS(rows, path("rows.rds"))
  script <- path("run.R")
  writeLines(c(
    sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")),
    sprintf("setwd(%s)", deparse(folder)),
    "options(cawi.checkpoint_seconds = 0.02)",
    "rows <- readRDS('rows.rds')",
    "slow <- function(frame) {",
    "  at <- new.env()",
    "  function(reset) {",
    "    if (reset) { at$row <- 1; return(NULL) }",
    "    if (at$row > nrow(frame)) return(NULL)",
    "    Sys.sleep(0.05)",
    "    at$row <- at$row + 50",
    "    frame[seq(at$row - 50, min(at$row - 1, nrow(frame))), ]",
    "  }",
    "}",
    "source <- cawi::cawi_source(list(slow(rows[1:2000, ]), slow(rows[2001:3600, ])))",
    "fit <- cawi::cawi_rvfl(class ~ north + east + group, source, hidden = 20, seed = 2,",
    "                       checkpoint = 'fit.rds')",
    "fit$seconds[] <- 0",
    "saveRDS(fit, 'done-part.rds')",
    "file.rename('done-part.rds', 'done.rds')"
  ), script)
  kills <- 0
  set.seed(7)
  for (i in 1:200) {
    pid <- start_script(script)
    last <- Sys.time() + if (kills < 10) stats::runif(1, 0.3, 1.6) else 120
    while (Sys.time() < last && !file.exists(path("done.rds"))) Sys.sleep(0.02)
    if (file.exists(path("done.rds"))) break
    tools::pskill(pid, tools::SIGKILL)
    kills <- kills + 1
    wait_until(!process_lives(pid))
  }
  expect_identical(kills, 10)
  slow <- cawi_source(list(chunks_of(unname(split(rows[1:2000, ], (0:1999) %/% 50))),
                           chunks_of(unname(split(rows[2001:3600, ], (0:1599) %/% 50)))))
  whole <- same_fit(cawi_rvfl(class ~ north + east + group, slow, hidden = 20, seed = 2))
  expect_identical(readRDS(path("done.rds")), whole)
  expect_false(any(grepl("^fit", list.files(folder))))
})

test_that("drafts that killed writers left beside a checkpoint go when the model is made", {
  skip_on_os("windows")
  script <- tempfile(fileext = ".R")
  writeLines("invisible(NULL)", script)
  gone <- start_script(script)
  wait_until(!may_live(gone))
  file <- new_file()
  # Another run of the same fit, killed while this one reads its second shard.
  at <- new.env()
  reading <- function(reset) {
    at$read <- !reset && !isTRUE(at$read)
    if (!at$read) return(NULL)
    for (name in paste0("fit.rds", c("", ".1", ".2"))) {
      writeLines("half", file.path(dirname(file), paste0(draft_stem(name), gone, "-x")))
    }
    frame[41:90, ]
  }
  source <- cawi_source(list(cawi_source(frame[1:40, ]), cawi_source(reading)))
  fitted_with(source, file, seed = 2)
  expect_identical(list.files(dirname(file), all.files = TRUE, no.. = TRUE), character())
})

test_that("a finished run removes its own files and no others", {
  file <- new_file()
  others <- paste0(file, c(".2", ".2023", ".7"))
  for (other in others) writeLines("years of somebody's data", other)
  fitted_with(cawi_source(frame, chunk = 7), file, seed = 2)
  expect_setequal(list.files(dirname(file), full.names = TRUE), others)
})

# A source of mtcars in four chunks, as dying_at().
cars_until <- function(pass, chunk) {
  at <- new.env()
  at$pass <- 0
  function(reset) {
    if (reset) {
      at$pass <- at$pass + 1
      at$chunk <- 0
      return(NULL)
    }
    at$chunk <- at$chunk + 1
    if (at$pass == pass && at$chunk == chunk) stop("killed")
    if (at$chunk <= 4) mtcars[8 * (at$chunk - 1) + 1:8, ]
  }
}

test_that("a run with another function behind its arguments is another run", {
  by_init <- function(factor, file, pass) {
    force(factor)
    drawn <- function(x, hidden, seed) {
      set.seed(seed)
      factor * matrix(rnorm(ncol(x) * hidden), ncol(x))
    }
    cawi_rvfl(mpg ~ ., cawi_source(cars_until(pass, 3)), hidden = 5, init = drawn, seed = 1,
              checkpoint = file)
  }
  by_term <- function(factor, file, pass) {
    raised <- function(v) v^factor
    cawi_rvfl(mpg ~ raised(wt) + hp, cawi_source(cars_until(pass, 3)), hidden = 5, seed = 1,
              checkpoint = file)
  }
  by_number <- function(factor, file, pass) {
    cawi_rvfl(mpg ~ I(wt^factor) + hp, cawi_source(cars_until(pass, 3)), hidden = 5, seed = 1,
              checkpoint = file)
  }
  by_response <- function(factor, file, pass) {
    raised <- function(v) v^factor
    cawi_rvfl(raised(mpg) ~ wt + hp, cawi_source(cars_until(pass, 3)), hidden = 5, seed = 1,
              checkpoint = file)
  }
  for (make in list(by_init, by_term, by_number, by_response)) for (pass in 2:3) {
    file <- new_file()
    with_option("cawi.checkpoint_seconds", 0, {
      stopped <- tryCatch(make(1, file, pass), error = identity)
      if (!inherits(stopped, "error")) next
      expect_error(make(2, file, 0), "no checkpoint of this run", class = "cawi_error_checkpoint")
      expect_identical(coef(make(1, file, 0)), coef(make(1, NULL, 0)))
    })
  }
})

test_that("a function whose values change without a trace is seen by what it gives", {
  place <- new.env()
  by_place <- function(factor, file, pass) {
    place$factor <- factor
    raised <- function(v) v^get("factor", place)
    cawi_rvfl(mpg ~ raised(wt) + hp, cawi_source(cars_until(pass, 3)), hidden = 5, seed = 1,
              checkpoint = file)
  }
  for (pass in 2:3) {
    file <- new_file()
    with_option("cawi.checkpoint_seconds", 0, {
      expect_error(by_place(1, file, pass), "killed", class = "cawi_error_source")
      expect_error(by_place(2, file, 0), class = "cawi_error_checkpoint")
      expect_identical(coef(by_place(1, file, 0)), coef(by_place(1, NULL, 0)))
    })
  }
})

test_that("seconds between checkpoints are a number", {
  for (wrong in list(NA, "a", -1, 1:2)) {
    with_option("cawi.checkpoint_seconds", wrong, {
      expect_error(fitted_with(cawi_source(frame), new_file()),
                   class = "cawi_error_cawi.checkpoint_seconds")
    })
  }
})
