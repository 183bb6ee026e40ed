# Draws of calls: folds, grids, tuning, the automatic choice, sources, files, benchmarks, and the
# functions that serve parsnip.

split_faults <- c("none", "none", "beyond", "none_in", "all_in", "na", "text", "other", "twice",
                  "out", "null")

fold_values <- function(n) {
  pick(list("loo", 2, 3, bquote(cawi_folds(num(.(n)), 3, seed = 1)), bquote(rep_len(1:3, .(n))),
            bquote(cawi_folds(seq_len(.(n)), 2, time = seq_len(.(n)))), bquote(rep_len(0:1, .(n))),
            bquote(cbind(rep_len(1:2, .(n)), rep_len(c(1, 1, 2), .(n)))), "cv",
            bquote(splits(.(n), .(pick(split_faults)))),
            quote(structure(list(splits = list(), id = "Fold1"),
                            class = c("rset", "data.frame")))))
}

grids <- alist(
  cawi_grid(hidden = c(3, 5), lambda = c(0.1, 1)), cawi_grid(hidden = 4), grid_small,
  cawi_grid(hidden = 3, activation = c("relu", "sine"), lambda = 1),
  cawi_grid(hidden = 3, spread = c(0.5, 2), lambda = c(0.1, 1)),
  cawi_grid(hidden = 3, init = c("iid", "gaussian"), lambda = 1),
  cawi_grid(hidden = 3, standardize = list(TRUE, "ranks"), lambda = 1),
  cawi_grid(hidden = list(c(2, 2), 3), lambda = 1), cawi_grid(windows = 2, nodes = 2,
                                                              enhancement = 3),
  cawi_grid(hidden = c(3, Inf), lambda = 1)
)

# A model with a grid of its own arguments; at times one of another.
tuned_models <- c(
  lapply(grids[1:7], function(grid) list(grid = grid)),
  lapply(grids[1:5], function(grid) list(grid = grid, model = "elm")),
  list(list(grid = grids[[8]], model = "drvfl"), list(grid = grids[[8]], model = "edrvfl"),
       list(grid = grids[[9]], model = "bls"), list(grid = grids[[9]]),
       list(grid = quote(cawi_grid(hidden = c(3, Inf), lambda = 1)), activation = "sine",
            bias = "phase", marginal = "normal"),
       list(grid = grids[[1]], init = "gradient"), list(grid = grids[[2]], init = "gaussian"))
)

metrics <- alist("accuracy", "rmse", "log_loss", "brier", "auc", function(truth, estimate) 1,
                 function(truth, estimate) NA, function(truth, estimate) mean(truth != estimate),
                 function(truth, estimate) stop("no"))

choice_calls <- list(
  cawi_folds = function(fixtures) {
    n <- rows()
    args <- c(list(y = response_of_kind(n)), some_of(list(
      folds = function() whole(2, 4), repeats = function() whole(1, 3), seed = seed_value,
      group = function() {
        pick(list(bquote(rep_len(1:4, .(n))), bquote(frame(.(n))$k),
                  bquote(cls(.(n)))))
      },
      time = function() pick(list(bquote(seq_len(.(n))), bquote(frame(.(n))$d), bquote(u(.(n)))))
    )))
    new_call(ours("cawi_folds"), args, "folds")
  },
  cawi_grid = function(fixtures) {
    axes <- some_of(list(
      hidden = function() pick(alist(c(3, 5), list(c(2, 2), 3), Inf, 4L, c(3, 3))),
      activation = function() pick(alist("relu", c("relu", "sine"))),
      lambda = function() pick(alist(1, c(0.1, 1), 0)), spread = function() pick(alist(1, c(1, 2))),
      scale = function() pick(alist(1, "auto", c(1, 2))),
      init = function() pick(alist("iid", c("t", "iid"))),
      strength = function() pick(alist(1, "auto", c(0, 1))),
      standardize = function() quote(list(TRUE, "ranks")),
      inputs = function() pick(alist(2, c(1, NA), "auto")),
      bias = function() quote(c("data", "none")),
      direct = function() quote(c(TRUE, FALSE)), intercept = flag, marginal = function() "normal"
    ), 0.3)
    new_call(ours("cawi_grid"), axes, "grid")
  },
  cawi_grid_paper = function(fixtures) {
    new_call(ours("cawi_grid_paper"), list(model = pick(c("rvfl", "elm", "drvfl", "edrvfl",
                                                          "bls"))), "grid")
  },
  cawi_tune = function(fixtures) {
    n <- rows()
    data <- pick(list(
      list(x = numeric_x(n), y = response_of_kind(n)), list(x = numeric_x(n),
                                                            y = response_of_kind(n)),
      list(x = pick(formulas), y = data_frame(n)), list(x = bquote(sparse(.(n))),
                                                        y = response_of_kind(n)),
      list(x = pick(formulas[1:28]), y = source_of(data_frame(n))), recipe_data(n)
    ))
    args <- c(data, pick(tuned_models), some_of(list(
      resampling = function() fold_values(n), one_se = flag, seed = seed_value,
      threads = threads_value
    ), 0.4), some_of(list(
      metric = function() pick(metrics), keep_data = flag,
      case_weights = function() pick(list(bquote(rep_len(0:2, .(n))), quote(w))),
      group = function() pick(list(bquote(rep_len(1:4, .(n))), quote(k))),
      time = function() pick(list(bquote(seq_len(.(n))), quote(d))),
      class_weights = function() "balanced", na_action = function() pick(c("omit", "impute"))
    ), 0.1))
    if (is.numeric(args$resampling) && chance(0.3)) args$repeats <- whole(1, 2)
    if (is.call(args$metric)) args$maximize <- flag()
    new_call(ours("cawi_tune"), args, "model")
  },
  cawi_auto = function(fixtures) {
    n <- min(rows(), 24)
    data <- if (chance(0.6)) {
      list(x = numeric_x(n, whole(1, 3)), y = response_of_kind(n))
    } else {
      list(x = pick(formulas), y = data_frame(n))
    }
    args <- c(data, list(budget = pick(list(1, 2)), hidden = whole(2, 5),
                         models = pick(c("rvfl", "elm")),
                         draws = 1), some_of(list(
      init = function() pick(c("iid", "gaussian")), seed = seed_value, threads = threads_value,
      case_weights = function() bquote(rep_len(0:2, .(n))), class_weights = function() "balanced",
      na_action = function() pick(c("omit", "impute")), time_limit = function() pick(list(Inf, 1)),
      standardize = flag, keep_data = flag
    ), 0.2))
    new_call(ours("cawi_auto"), args, "model", c("budget", "draws", "models", "hidden"))
  },
  cawi_source = function(fixtures) {
    x <- pick(list(data_frame(), bquote(cut_rows(.(data_frame()), 3)), source_of(data_frame()),
                   bquote(text_file(csv_text(frame(9)))), quote(function(reset) NULL),
                   quote(function() stop("no")), quote(tempfile()),
                   quote(list(frame(5), frame(6)))))
    args <- c(list(x = x), some_of(list(chunk = function() whole(1, 20),
                                        sample = function() whole(2, 20),
                                        folds = function() whole(2, 4), loo = flag)))
    new_call(ours("cawi_source"), args, "source")
  },
  cawi_benchmark = function(fixtures) {
    n <- pick(c(12, 20, 24))
    sets <- pick(list(
      bquote(list(one = list(x = mat(.(n)), y = cls(.(n))))),
      bquote(list(x = mat(.(n)), y = cls(.(n)))),
      bquote(list(a = list(x = mat(.(n)), y = cls(.(n))), a = list(x = mat(9), y = cls(9)))),
      "nosuchset",
      bquote(list(x = sparse(.(n)), y = cls(.(n)))), bquote(list(x = .(numeric_x(n)),
                                                                 y = .(response_of_kind(n))))
    ))
    args <- c(list(datasets = sets, init = quote(c("iid", "gaussian")), folds = 2,
                   grid = pick(grids[1:3])),
              some_of(list(models = function() pick(c("rvfl", "elm")),
                           seeds = function() pick(alist(1, c(1, 2))),
                           protocol = function() pick(c("nested", "equal")), draws = function() 1,
                           nested_above = function() pick(list(1, 1000)),
                           threads = threads_value)))
    args$draws <- 1
    new_call(ours("cawi_benchmark"), args, "benchmark", c("draws", "grid"))
  },
  cawi_recorded = function(fixtures) {
    args <- some_of(list(protocol = function() pick(c("nested", "equal", "paper")),
                         models = function() pick(alist("rvfl", "elm", c("rvfl", "elm")))), 0.6)
    new_call(ours("cawi_recorded"), args, "none")
  },
  cawi_datasets = function(fixtures) {
    args <- list(what = pick(c("sets", "uci", "summary", "timing", "medical")))
    new_call(ours("cawi_datasets"), args, "table")
  },
  cawi_read_dataset = function(fixtures) {
    args <- c(list(name = pick(c("iris", "wine", "sonar", "nope", "ionosphere"))),
              some_of(list(dir = function() {
                pick(list(
quote(tempfile()), quote(folder_of(list(iris.csv = charToRaw("1,2,a\n2,3,b\n")))),
quote(folder_of(list(wine.dat = as.raw(0:200))))
))
              }), 0.5))
    new_call(ours("cawi_read_dataset"), args, "dataset")
  },
  cawi_read_table = function(fixtures) {
    text <- pick(alist(
      csv_text(frame(9)[c("a", "b", "cls")]), csv_text(frame(9)), c("a,b,class", "1,2,x", "3,4"),
      c("1,2,x", "3,,y"), character(0), "", c("a;b;y", "1;2;p", "2;3;q"), as.raw(0:255),
      c("1 1:0.5 3:2", "2 2:1"), c("1 0:1", "x"), c("1 3:1 2:1"), c("1 1:1e400", "2 1:nan"),
      c("@relation r", "@attribute a numeric", "@attribute y {p,q}", "@data", "1,p", "2,q"),
      c("1\t2\tx", "2\t3\ty"), c("\"a\",\"b\"", "1,\"x\ny\"", "2,z"), c("a,a,y", "1,2,p", "3,4,q"),
      as.raw(c(0x1f, 0x8b, 1, 2)), c("\ufeffa,b", "1,p"), c("a,b", "1,p", "", "2,q"),
      strrep("1,", 999)
    ))
    ext <- pick(c("csv", "csv", "dat", "txt", "tsv", "arff", "mat", "svm", "libsvm", "csv.gz",
                  "xyz"))
    args <- c(list(file = bquote(text_file(.(text), .(ext)))), some_of(list(
      label = function() pick(list("cls", "y", 1, 3, "nope")),
      features = function() pick(list(3, 10, 1))
    )))
    new_call(ours("cawi_read_table"), args, "dataset")
  },
  rand_network = function(fixtures) {
    args <- some_of(list(mode = function() pick(c("regression", "classification", "unknown")),
                         hidden_units = function() 5, penalty = function() 0.1))
    new_call(ours("rand_network"), args, "none")
  }
)
for (name in c("rand_architecture", "rand_init")) {
  choice_calls[[name]] <- local({
    fun <- name
    function(fixtures) new_call(ours(fun), some_of(list(values = function() "iid"), 0.5), "none")
  })
}
choice_calls$rand_spread <- function(fixtures) {
  new_call(ours("rand_spread"), some_of(list(range = function() quote(c(-1, 1))), 0.5), "none")
}
