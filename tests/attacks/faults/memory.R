# Memory that runs out: a limit on the address space, so much above what R has taken, at which each
# call fails or does its work. An error must have the class of memory and tell a size, and the
# process goes on.

# Calls that take much memory from little data.
hungry_calls <- function() {
  set.seed(1)
  wide <- matrix(stats::rnorm(20 * 6000), 20)
  tall <- matrix(stats::rnorm(9000 * 4), 9000)
  y <- tall[, 1]
  rows <- matrix(stats::rnorm(3000 * 4), 3000)
  fit <- cawi_elm(tall[1:200, ], y[1:200], hidden = 3000, lambda = 1, seed = 1)
  narrow <- cawi_elm(tall[1:400, ], y[1:400], hidden = 300, lambda = 1, seed = 1)
  lean <- cawi_elm(tall[1:200, ], y[1:200], hidden = 1000, lambda = 1, seed = 1, keep_data = FALSE)
  flat <- cawi_copula_from("independence", dim = 500)
  gaussian <- cawi_copula(tall[1:100, ], "gaussian")
  sparse <- Matrix::rsparsematrix(3000, 3000, 0.01)
  classes <- factor(rep_len(letters, 9000))
  frame <- data.frame(tall, y = y)
  long <- list(wide = wide[rep(1:20, 20), ], u = matrix(0.5, 1e6, 4),
               tall = tall[rep(1:9000, 8), ])
  limit <- function(threads) {
    cawi_elm(rows, rows[, 1], hidden = Inf, activation = "relu", bias = "none",
             marginal = "normal", landmarks = 3000, threads = threads)
  }
  list(
    kendall = function(threads) cawi_kendall(wide, threads = threads),
    kendall_cross = function(threads) cawi_kendall(wide, wide[, 1:5000], threads = threads),
    ranks = function(threads) cawi_pseudo_obs(long$wide, threads = threads),
    copula = function(threads) cawi_copula(wide, "gaussian", threads = threads),
    select = function(threads) cawi_select(rbind(wide, wide), threads = threads),
    simulate = function(threads) simulate(flat, 4e4, seed = 1, threads = threads),
    weights = function(threads) cawi_weights(flat, 4e4, seed = 1, threads = threads),
    density = function(threads) cawi_density(gaussian, long$u, threads = threads),
    elm = function(threads) cawi_elm(tall, y, hidden = 4000, lambda = 1, threads = threads),
    elm_path = function(threads) cawi_elm(tall, y, hidden = 3000, threads = threads),
    rvfl = function(threads) {
      cawi_rvfl(tall, classes, hidden = 4000, init = "gaussian", lambda = 1, threads = threads)
    },
    drvfl = function(threads) {
      cawi_drvfl(tall, y, hidden = c(2500, 2500), lambda = 1, threads = threads)
    },
    edrvfl = function(threads) {
      cawi_edrvfl(tall, y, hidden = c(3000, 3000), lambda = 1, threads = threads)
    },
    bls = function(threads) {
      cawi_bls(tall, y, windows = 100, nodes = 20, enhancement = 2000, lambda = 1,
               threads = threads)
    },
    infinite = limit,
    dual = function(threads) cawi_elm(rows, rows[, 1], hidden = 9000, threads = threads),
    formula = function(threads) {
      cawi_rvfl(y ~ poly(X1, 3) * X2 * X3, frame, hidden = 4000, lambda = 1, threads = threads)
    },
    features = function(threads) cawi_features(fit, tall, threads = threads),
    predict = function(threads) predict(fit, long$tall, threads = threads),
    intervals = function(threads) {
      predict(narrow, tall, type = "interval", threads = threads)
    },
    tune = function(threads) {
      cawi_tune(tall, y, "elm", cawi_grid(hidden = c(2000, 4000), lambda = c(0.1, 1)),
                seed = 1, threads = threads)
    },
    auto = function(threads) cawi_auto(tall, y, seed = 1, threads = threads),
    update = function(threads) {
      update(lean, hidden = 6000, x = tall[1:200, ], y = y[1:200], threads = threads)
    },
    learn = function(threads) update(fit, new_x = tall, new_y = y, threads = threads),
    source = function(threads) {
      cawi_elm(y ~ ., cawi_source(frame), hidden = 4000, lambda = 1, threads = threads)
    },
    sparse = function(threads) {
      cawi_elm(sparse, tall[1:3000, 1], hidden = 4000, lambda = 1, threads = threads)
    },
    importance = function(threads) cawi_importance(fit, threads = threads),
    diagnose = function(threads) cawi_diagnose(fit, threads = threads)
  )
}

# Tries one call under a limit of so many megabytes above what the process has.
under_limit <- function(name, megabytes, threads) {
  call <- hungry_calls()[[name]]
  # Threads, and the stack that deep calls take, are there before the limit.
  deep <- function(n) {
    force(n)
    if (n > 0) deep(n - 1)
  }
  deep(400)
  invisible(cawi_elm(as.matrix(iris[, 1:4]), iris$Species, hidden = 4, threads = threads))
  gc(verbose = FALSE)
  status <- readLines("/proc/self/status")
  taken <- as.numeric(gsub("[^0-9]", "", grep("^VmSize", status, value = TRUE))) * 1024
  system2("prlimit", c("--pid", Sys.getpid(), sprintf("--as=%.0f", taken + megabytes * 2^20)))
  got <- outcome(call(threads))
  got$value <- NULL
  fit <- outcome(cawi_elm(as.matrix(iris[, 1:4]), iris$Species, hidden = 4, seed = 1))
  list(class = got$class, text = got$text, goes_on = is_result(fit))
}

scenario("limits of memory", {
  found <- counts()
  refused <- character()
  for (name in grep(Sys.getenv("CALLS"), names(hungry_calls()), value = TRUE)) {
    for (megabytes in c(8, 50)) {
      threads <- if (megabytes == 50) 2 else 1
      got <- in_child(bquote({
        source(.(file.path(attack, "memory.R")))
        under_limit(.(name), .(megabytes), .(threads))
      }), env = c("FILTER=^$", "OPENBLAS_NUM_THREADS=1"), seconds = 120)
      value <- got$value
      error <- !is_result(value)
      classed <- "cawi_error_memory" %in% value$class && grepl("[0-9] [KMGT]?[Bb]", value$text)
      if (error && classed) refused <- c(refused, name)
      if (error && !classed) note(name, " ", megabytes, " MB: ", value$class[1L], " ", value$text)
      found <- found + counts(1, !isTRUE(value$goes_on), unclassed = got$status != 0L ||
                                (error && !classed))
    }
  }
  never <- setdiff(names(hungry_calls()), refused)
  if (length(never) > 0L) note("never refused: ", paste(never, collapse = ", "))
  found
})
