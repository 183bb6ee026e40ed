# Draws of calls: fits, and functions of fits.

# One response per row, of any kind.
response_of_kind <- function(n, kind = pick(c("cls", "cls", "num", "num", "outs", "other"))) {
  s <- whole(1, 9)
  switch(kind,
    cls = bquote(cls(.(n), .(s), .(pick(c(2, 3, 4))))), num = bquote(num(.(n), .(s))),
    outs = bquote(outs(.(n), .(s))),
    other = pick(list(
      bquote(u(.(n)) > 0.4), bquote(as.character(cls(.(n)))), bquote(rep(1, .(n))),
      bquote(seq_len(.(n))), bquote(leveled(cls(.(n)), .(pick(level_changes)))),
      bquote(data.frame(p = num(.(n)), q = num(.(n), 2))), bquote(data.frame(p = cls(.(n)))),
      bquote(num(.(n)) * .(pick(c(1e300, 1e-300, 1e150, -1e12)))), bquote(1e9 + num(.(n)) * 1e-6),
      bquote(rep_len("only", .(n))), bquote(matrix(num(.(n)))), bquote(Sys.Date() + seq_len(.(n)))
    ))
  )
}

formulas <- alist(
  cls ~ ., y ~ ., y ~ a + b, cls ~ a + b + g, y ~ a * b, y ~ a:g, log(y + 3) ~ a, y ~ offset(z) + a,
  y ~ offset(z), cbind(y, z) ~ a + b, y ~ poly(a, 2) + g, y ~ factor(l) + k, cls ~ o + l + d,
  y ~ 0 + a + g, cls ~ a - 1, y ~ I(a^2), y ~ cut(a, 3), y ~ scale(a) + b, two ~ a + k,
  y ~ log(a), y ~ sqrt(a - 1), y ~ . - d, cls ~ . - y - z, k ~ a + b, l ~ a, o ~ a + b, g ~ a,
  as.character(cls) ~ a, factor(y > 1) ~ a + b, y ~ a + offset(log(w)), y ~ 1, ~ a, y ~ nope,
  y ~ a | b, y ~ (a + b)^2, y ~ a %in% g, y ~ exp(1000 * a), y ~ a + a, y ~ y,
  y ~ offset(a) + offset(b),
  cls ~ offset(a) + b, y ~ splines::ns(a, 3), y ~ splines::bs(a, df = 4) + k, cbind(y, a) ~ b,
  y ~ a + NULL,
  y ~ a + "b", y ~ ifelse(a > 1, b, NA), y ~ rank(a), y ~ mean(a) + b, d ~ a, y ~ w + `a`,
  y ~ stats::runif(30), y ~ a^2, `no such` ~ a, y + z ~ a, y ~ a + b %% 2, y ~ .^2,
  y ~ as.integer(a * 9)
)

data_frame <- function(n = rows()) now_and_then(bquote(frame(.(n), .(whole(1, 9)))), 0.3)

source_faults <- c("none", "none", "fewer", "more", "empty", "column", "further", "renamed", "text",
                   "type", "na", "level", "fails", "number", "order", "null_columns", "changed",
                   "huge", "warns", "reset_fails", "endless")
source_of <- function(e) {
  pick(list(
    bquote(cawi_source(.(e), chunk = .(pick(c(7, 100, 1, 3))))),
    bquote(cawi_source(cut_rows(.(e), .(whole(1, 4))), folds = .(pick(c(2, 3, 5))))),
    bquote(cawi_source(chunks(cut_rows(.(e), 3), .(pick(source_faults)), .(pick(c(1, 2, 3)))),
                       folds = 2, loo = .(flag()))),
    bquote(cawi_source(list(cawi_source(.(e)), function() cawi_source(frame(9, 4))), sample = 10)),
    bquote(cawi_source(text_file(csv_text(.(e))))),
    quote(source_shards)
  ))
}

network_shape <- function(model) {
  switch(model,
    bls = list(windows = whole(1, 2), nodes = whole(1, 3), enhancement = whole(1, 4)),
    drvfl = , edrvfl = list(hidden = pick(alist(c(3, 2), 4, c(2, 2, 2)))),
    if (chance(0.12)) infinite_shape() else list(hidden = whole(1, 8))
  )
}

# Few limits have a closed form.
infinite_shape <- function() {
  pick(list(list(hidden = Inf), list(hidden = Inf, activation = "relu", bias = "none",
                                     marginal = "normal"),
            list(hidden = Inf, activation = "sine", bias = "phase", marginal = "normal"),
            list(hidden = Inf, activation = "sine", bias = "phase", marginal = "cauchy",
                 inputs = 2)))
}

penalties <- alist(1, c(0.1, 1), 0, 1e-12, 1e6, NULL, c(1e-6, 1e6), matrix(c(1, 2), 1))
weights_of <- function(n) {
  list(bquote(rep_len(0:2, .(n))), bquote(u(.(n))), bquote(1e10 * u(.(n))),
       bquote(rep_len(c(0, 1), .(n))), quote(w))
}

network_arguments <- function(model, n) {
  deep <- model %in% c("drvfl", "edrvfl", "bls")
  shape <- network_shape(model)
  rest <- c(some_of(list(
    activation = function() pick(activations), init = function() pick(inits),
    strength = function() pick(list(1, 0.5, 0, -1, "auto")),
    rounds = function() pick(list(0, 1, "auto")),
    per_feature = flag, criterion = function() pick(c("likelihood", "loo")),
    marginal = function() pick(c("uniform", "normal", "cauchy")),
    scale = function() pick(list(1, "auto", "paper", 0.1, 1e50)),
    spread = function() pick(list(1, 0.1, 1e3)),
    inputs = function() pick(list("auto", NULL, 1, 2)),
    bias = function() pick(c("uniform", "data", "phase", "none"))
  ), 0.12), some_of(list(
    lambda = function() pick(penalties),
    direct = flag, intercept = flag, standardize = function() pick(list(TRUE, FALSE, "ranks")),
    case_weights = function() pick(weights_of(n)),
    na_action = function() pick(c("fail", "omit", "omit", "impute")), threads = threads_value,
    keep_data = flag, seed = seed_value
  ), 0.2), if (!deep && chance(0.1)) list(landmarks = pick(list(5, 2000, Inf))))
  # Two arguments that say the same thing are refused at once.
  if (!is.null(rest$scale)) rest$spread <- NULL
  c(shape, rest[setdiff(names(rest), names(shape))])
}

fit_call <- function(model) {
  function(fixtures) {
    n <- rows()
    kind <- pick(c("matrix", "matrix", "frame", "formula", "formula", "formula", "source", "sparse",
                   "recipe"))
    data <- switch(kind,
      matrix = list(x = numeric_x(n), y = now_and_then(response_of_kind(n), 0.1)),
      frame = list(x = now_and_then(bquote(frame(.(n), .(whole(1, 9)))[.(pick(alist(
        c("a", "b", "g"), c("a", "k", "l", "o"), c("g", "k"), c("a", "d", "w"), c("a", "b", "c")
      )))]), 0.3), y = response_of_kind(n)),
      formula = list(x = pick(formulas), y = data_frame(n)),
      source = list(x = pick(formulas[1:28]), y = source_of(data_frame(n))),
      sparse = list(x = bquote(sparse(.(n), .(whole(1, 5)), .(whole(1, 9)),
                                      .(pick(c("C", "R", "T", "zero", "na"))))),
                                        y = response_of_kind(n)),
      recipe = recipe_data(n)
    )
    if (kind == "formula" && chance(0.1)) names(data) <- c("formula", "data")
    args <- c(data, network_arguments(model, n))
    if ("cls" %in% unlist(lapply(data, all.names)) && chance(0.15)) {
      args$class_weights <- pick(alist("balanced", c(low = 2), c(low = 0, mid = 1), c(high = 1e9)))
    }
    new_call(ours(paste0("cawi_", model)), args, "model")
  }
}

recipe_data <- function(n) {
  recipe <- pick(alist(
    recipes::recipe(cls ~ a + b + g, frame(20)),
    recipes::step_normalize(recipes::recipe(y ~ a + b, frame(20)),
                            recipes::all_numeric_predictors()),
    recipes::step_naomit(recipes::recipe(y ~ a + b, frame(20)), a),
    recipes::step_dummy(recipes::recipe(cls ~ a + g, frame(20)), g),
    recipes::step_log(recipes::recipe(y ~ a + b, frame(20)), a),
    recipes::recipe(frame(20))
  ))
  list(x = recipe, y = data_frame(n))
}

fit_calls <- stats::setNames(lapply(c("elm", "rvfl", "drvfl", "edrvfl", "bls"), fit_call),
                             paste0("cawi_", c("elm", "rvfl", "drvfl", "edrvfl", "bls")))
fit_calls$cawi_network_fit <- function(fixtures) {
  n <- rows()
  args <- c(list(x = numeric_x(n), y = response_of_kind(n)), some_of(list(
    architecture = function() pick(c("rvfl", "elm", "drvfl", "edrvfl", "bls")),
    hidden = function() whole(1, 6), layers = function() whole(1, 3), seed = seed_value,
    case_weights = function() bquote(u(.(n))), keep_data = flag
  ), 0.4))
  new_call(ours("cawi_network_fit"), args, "model")
}

# ---- functions of fits ----

single <- setdiff(names(model_fixtures), c("fit_tuned", "fit_tuned_number", "fit_auto",
                                           "fit_auto_number"))

# A model, at times with an edited part; its rows.
model_object <- function(name, fixtures, p = 0.25) {
  if (chance(p)) edited(as.name(name), fixtures[[name]]) else as.name(name)
}

of_model <- function(fun, optional, judge = "none", with_rows = 0.5, argument = "new_data") {
  function(fixtures) {
    name <- pick(names(model_fixtures))
    args <- list(fit = model_object(name, fixtures))
    if (chance(with_rows)) args[[argument]] <- now_and_then(fixture_rows(name))
    new_call(ours(fun), c(args, some_of(optional)), judge)
  }
}

explain_calls <- list(
  cawi_features = of_model("cawi_features", list(threads = threads_value), "features", 0.97),
  cawi_importance = of_model("cawi_importance", list(
    method = function() pick(c("gradient", "permutation")),
    rows = function() pick(list(2, 10, 500)),
    y = function() pick(list(quote(cls(20)), quote(num(20)))),
    repeats = function() whole(1, 2), seed = seed_value, threads = threads_value
  ), "importance", 0.3),
  cawi_effects = of_model("cawi_effects", list(
    features = function() pick(alist("a", c("a", "b"), "g", c("b", "b"))),
    method = function() pick(c("ale", "pdp")), points = function() whole(2, 6),
    rows = function() pick(list(2, 10, 500)), threads = threads_value
  ), "effects", 0.3),
  cawi_diagnose = of_model("cawi_diagnose", list(draws = function() whole(1, 2), seed = seed_value,
                                                 threads = threads_value), "diagnosis", 0),
  cawi_trim = of_model("cawi_trim", list(), "trimmed", 0),
  cawi_report = function(fixtures) {
    name <- pick(names(model_fixtures))
    args <- c(list(fit = model_object(name, fixtures), file = quote(tempfile(fileext = ".html"))),
              some_of(list(title = function() pick(alist("A title", "<b>", "\u00e9", "")),
                           overwrite = flag, threads = threads_value)))
    new_call(ours("cawi_report"), args, "report", "file")
  },
  cawi_statistics = function(fixtures) {
    name <- pick(names(model_fixtures))
    data <- fixture_rows(name)
    y <- fixture_response(name, data)
    args <- list(fit = model_object(name, fixtures))
    if (chance(0.85)) args$data <- if (chance(0.2)) source_of(data_frame()) else now_and_then(data)
    if (chance(if (has_formula(name)) 0.1 else 0.9)) args$y <- y
    args <- c(args, some_of(list(
      case_weights = function() pick(list(quote(w), quote(u(20)))), folds = function() whole(1, 4),
      new_classes = flag, threads = threads_value
    ), 0.2))
    new_call(ours("cawi_statistics"), args, "statistics")
  },
  cawi_merge = function(fixtures) {
    name <- pick(c("fit_class", "fit_number", pick(single)))
    some <- list(bquote(cawi_statistics(.(as.name(name)))),
                 quote(cawi_statistics(fit_class, mat(20, 3, 4), cls(20, 4))),
                 quote(cawi_statistics(fit_number, mat(20, 3, 4), num(20, 4))),
                 edited(quote(statistics_class), fixtures$statistics_class),
                 quote(list(statistics_class, statistics_class)), quote(statistics_own))
    args <- c(list(fit = model_object(name, fixtures)), replicate(whole(1, 2), pick(some)),
              some_of(list(lambda = function() pick(alist(1, c(0.1, 1), 0)),
                           threads = threads_value)))
    new_call(ours("cawi_merge"), args, "merged")
  }
)
