# Draws of calls: every S3 method of NAMESPACE. The list of methods is read from there, so a method
# without objects to call it with, or a generic without arguments below, stops the run at its start.

generic_homes <- c(
  coef = "stats", confint = "stats", fitted = "stats", logLik = "stats", predict = "stats",
  residuals = "stats", simulate = "stats", update = "stats", vcov = "stats", print = "base",
  summary = "base", plot = "base", as.data.frame = "base", as.matrix = "base", dim = "base",
  dimnames = "base", `[` = "base", augment = "generics", glance = "generics", tidy = "generics",
  axe_call = "butcher", axe_ctrl = "butcher", axe_data = "butcher", axe_env = "butcher",
  axe_fitted = "butcher", autoplot = "ggplot2", multi_predict = "parsnip", min_grid = "generics",
  tunable = "generics"
)

# Objects of a class: names of fixtures.
objects_of <- function(class, fixtures) {
  all <- c(names(model_fixtures), names(other_fixtures))
  all[vapply(all, function(name) inherits(fixtures[[name]], class), NA)]
}

prediction_types <- list(
  classification = c("class", "prob", "prob", "score", "set"),
  regression = c("numeric", "numeric", "score", "interval")
)

row_count <- function() pick(list(1, 5, 20, 0, 1e9))

# The arguments of a generic beside its object; `name` is the object's.
method_arguments <- list(
  predict = function(name) {
    data <- if (chance(0.06)) source_of(data_frame()) else now_and_then(fixture_rows(name))
    c(list(new_data = data), some_of(list(
      type = function() pick(prediction_types[[fixture_task(name)]]),
      level = function() pick(list(0.9, 0.5, 0.99)),
      threads = threads_value
    ), 0.5))
  },
  augment = function(name) list(new_data = now_and_then(fixture_rows(name))),
  update = function(name) update_arguments(name),
  confint = function(name) {
    some_of(list(level = function() pick(list(0.9, 0.5)),
                 parm = function() 1))
  },
  simulate = function(name) {
    some_of(list(nsim = function() whole(1, 8), seed = seed_value,
                 threads = threads_value), 0.5)
  },
  print = function(name) {
    some <- list(n = row_count, digits = function() whole(1, 8))
    some_of(some[intersect(names(some), print_arguments(name))])
  },
  plot = function(name) plot_arguments(name),
  autoplot = function(name) plot_arguments(name),
  summary = function(name) {
    if (name %in% c("recorded", "bench_small")) {
      some_of(list(baseline = function() pick(c("iid", "gaussian", "t")),
                   rope = function() pick(list(0, 0.1)), seed = seed_value))
    }
  },
  `[` = function(name) {
    j <- function() pick(alist(1, 2:1, "b", c(TRUE, FALSE, TRUE)))
    c(list(i = pick(alist(1:3, c(TRUE, FALSE), -1, 0, 99, 5:1, "a"))), some_of(list(j = j), 0.3))
  },
  as.data.frame = function(name) list(), axe = function(name) some_of(list(verbose = flag), 0.1)
)

print_arguments <- function(name) {
  if (name %in% c("summary_copula", "selection")) return("digits")
  if (grepl("^(importance|effects|fit_tuned|summary_auto)", name)) "n"
}

plot_types <- list(
  fit = c("lambda", "loo", "weights", "profile", "surface"), copula = c("tau", "draws", "contour"),
  recorded = c("gain", "accuracy", "ranks", "draws"), bench = c("gain", "accuracy", "ranks",
                                                                "draws"),
  auto = c("comparison", "profile")
)
inherits_auto <- function(name) grepl("^fit_auto", name)

plot_arguments <- function(name) {
  types <- plot_types[[sub("_.*", "", name)]]
  if (inherits_auto(name)) types <- plot_types$auto
  if (is.null(types) || chance(0.05)) types <- unlist(plot_types)
  args <- some_of(list(type = function() pick(types)), 0.4)
  if (grepl("^copula", name)) {
    args <- c(args, some_of(list(n = function() whole(2, 30), features = function() quote(1:2),
                                 seed = seed_value), 0.3))
  }
  if (grepl("^importance", name)) args <- some_of(list(n = row_count))
  if (name %in% c("recorded", "bench_small")) {
    args <- c(args, some_of(list(model = function() pick(c("rvfl", "elm")),
                                 baseline = function() "iid"), 0.2))
  }
  args
}

update_arguments <- function(name) {
  data <- fixture_rows(name)
  y <- fixture_response(name, data)
  known <- quote(mat(30))
  what <- pick(c("learn", "learn", "learn", "forget", "both", "grow", "source", "window"))
  grown <- function() {
    if (name == "fit_broad") list(enhancement = whole(3, 6)) else list(hidden = whole(5, 9))
  }
  args <- switch(what,
    learn = list(new_x = now_and_then(data), new_y = now_and_then(y, 0.1)),
    forget = list(forget_x = bquote(.(known)[1:3, ]),
                  forget_y = bquote(.(fixture_known(name))[1:3])),
    both = list(new_x = data, new_y = y, forget_x = bquote(.(known)[1:3, ]),
                forget_y = bquote(.(fixture_known(name))[1:3])),
    window = list(new_x = data, new_y = y, forget_x = data, forget_y = y),
    grow = c(grown(), if (chance(0.4)) list(x = data, y = y)),
    source = list(new_x = source_of(data_frame()))
  )
  if (name == "fit_computed" && chance(0.9)) args <- args[!names(args) %in% c("new_y", "forget_y",
                                                                              "y")]
  c(args, some_of(list(
    lambda = function() pick(alist(1, 0, c(1, 2), 1e-8)), new_classes = flag,
    threads = threads_value,
    case_weights = function() pick(alist(w, u(20), rep(1, 30), u(12))),
    forget_case_weights = function() pick(alist(u(3), 1:3)),
    windows = function() if (name == "fit_broad" || chance(0.1)) whole(2, 4)
  ), 0.12))
}
fixture_known <- function(name) {
  if (fixture_task(name) == "regression") quote(num(30)) else quote(cls(30))
}

# Methods of NAMESPACE as calls. `skipped` are those whose packages are not installed.
method_table <- function(root) {
  declared <- parseNamespaceFile(basename(root), dirname(root))
  methods <- declared$S3methods
  data.frame(generic = methods[, 1], class = methods[, 2],
             skipped = !vapply(generic_homes[methods[, 1]], function(home) {
               !is.na(home) && requireNamespace(home, quietly = TRUE)
             }, NA) | methods[, 2] == "rand_network" & !requireNamespace("parsnip", quietly = TRUE))
}

method_call <- function(generic, class, names) {
  home <- generic_homes[[generic]]
  draw <- method_arguments[[sub("^axe_.*", "axe", generic)]]
  fun <- if (generic == "[") quote(base::`[`) else call("::", as.name(home), as.name(generic))
  function(fixtures) {
    name <- pick(names)
    object <- if (chance(0.3)) edited(as.name(name), fixtures[[name]]) else as.name(name)
    args <- if (is.null(draw)) list() else draw(name)
    # The object decides which method is called, so it is not replaced.
    spoilt <- if (length(args) > 0L) spoiled(args)
    strange <- length(args) == 0L && !generic %in% c("dim", "dimnames") && chance(0.03)
    if (strange) spoilt <- list(strange = anything())
    list(fun = fun, args = c(list(object), spoilt), judge = paste0("method_", generic), name = name)
  }
}

method_calls <- function(table, fixtures) {
  table <- table[!table$skipped, ]
  calls <- Map(function(generic, class) {
    names <- objects_of(class, fixtures)
    if (is.na(generic_homes[generic])) stop("no package is known for the generic ", generic)
    if (length(names) == 0L) stop("there is no fixture of class ", class)
    # A method of its own is what shall be called, not that of an inherited class.
    first <- vapply(names, function(name) {
      own <- intersect(class(fixtures[[name]]), table$class[table$generic == generic])
      identical(own[1L], class)
    }, NA)
    if (!any(first)) stop("no fixture is dispatched to ", generic, ".", class)
    method_call(generic, class, names[first])
  }, table$generic, table$class)
  stats::setNames(calls, paste0(table$generic, ".", table$class))
}

# tidymodels is not always there: its methods, for objects that it has made.
tidy_call <- function(generic) {
  function(fixtures) {
    list(fun = call("::", as.name(generic_homes[[generic]]), as.name(generic)),
         args = c(list(quote(rand_network("regression")))), judge = "none")
  }
}

# ---- all calls ----

# Calls per draw: cheap and rich ones more often, slow ones rarely.
call_weights <- function(names) {
  weight <- rep(1, length(names))
  heavy <- c(cawi_elm = 6, cawi_rvfl = 8, cawi_drvfl = 4, cawi_edrvfl = 4, cawi_bls = 4,
             cawi_tune = 4,
             cawi_auto = 0.7, cawi_benchmark = 0.25, cawi_report = 0.5, cawi_statistics = 3,
             cawi_merge = 2, cawi_importance = 2, cawi_effects = 2, cawi_recorded = 0.3,
             cawi_datasets = 0.2, cawi_grid_paper = 0.3, rand_network = 0.2,
             rand_architecture = 0.1,
             rand_init = 0.1, rand_spread = 0.1, predict.cawi_model = 12, predict.cawi_tuned = 2,
             predict.cawi_auto = 3, update.cawi_model = 8, cawi_copula = 2, cawi_folds = 2,
             cawi_source = 1, cawi_features = 2)
  weight[match(names(heavy), names)] <- heavy
  weight[grepl("^(autoplot|plot)", names)] <- 0.5
  weight[grepl("^axe_", names)] <- 0.2
  weight
}

all_calls <- function(root, fixtures) {
  table <- method_table(root)
  calls <- c(copula_calls, fit_calls, explain_calls, choice_calls, method_calls(table, fixtures))
  exports <- parseNamespaceFile(basename(root), dirname(root))$exports
  # These are generics, whose methods are called.
  lacking <- setdiff(exports, c(names(calls), "augment", "glance", "tidy"))
  if (length(lacking) > 0L) stop("no call is drawn of ", paste(lacking, collapse = ", "))
  calls
}

# The call of a number: the generator stands at the same place whatever ran before.
draw_call <- function(calls, fixtures, seed, number) {
  set.seed((seed * 1000003 + number * 7919) %% 2147483629, "Mersenne-Twister", "Inversion",
           "Rejection")
  weights <- call_weights(names(calls))
  key <- sample(names(calls), 1L, prob = weights)
  drawn <- calls[[key]](fixtures)
  drawn$key <- key
  drawn$seed <- seed
  drawn$number <- number
  # A small share has a second fit with more threads, and a trip through a file.
  drawn$deep <- chance(0.06)
  drawn
}
