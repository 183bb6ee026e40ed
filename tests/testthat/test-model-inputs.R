# Every wrong input of the models, each with the class of its error; the name of an entry is the
# argument to blame.
x <- small_x()
y <- small_y("regression", x)
k <- small_y("classification", x)
frame <- data.frame(x, y = y, k = k)
hole <- replace(x, 3, NA)

# `fit` is each model in turn.
wrong_for_all <- alist(
  x = fit(hole, y),
  x = fit(replace(x, 3, NaN), y),
  x = fit(replace(x, 3, Inf), y),
  x = fit(replace(x, 3, -Inf), k),
  x = fit(replace(x, 3, Inf), y, na_action = "omit"),
  x = fit(replace(x, 3, Inf), y, na_action = "impute"),
  x = fit(x * NA, y, na_action = "omit"),
  x = fit(matrix("a", 40, 2), y),
  x = fit(matrix(list(1), 40, 2), y),
  x = fit(matrix(1i, 40, 2), y),
  x = fit(array(1, c(40, 2, 2)), y),
  x = fit(x[0, ], y[0]),
  x = fit(x[, 0], y),
  x = fit(frame[0, 1:4], y[0]),
  x = fit(frame[, 0], y),
  x = fit(x[1, , drop = FALSE], y[1]),
  x = fit(replace(x, 2:40, NA), y, na_action = "omit"),
  x = fit(1:40, y),
  x = fit(NULL, y),
  x = fit("x", y),
  x = fit(list(1, 2), y),
  x = fit(sum, y),
  x = fit(transform(frame[1:4], turn = complex(40)), y),
  x = fit(transform(frame[1:4], bits = raw(40)), y),
  x = fit(transform(frame[1:4], nested = I(as.list(1:40))), y),
  formula = fit(y ~ nothing, frame),
  formula = fit(nothing ~ north, frame),
  formula = fit(~ north, frame),
  formula = fit(y ~ north + y, frame),
  formula = fit(y ~ rank(north), frame),
  formula = fit(y ~ 1, frame),
  data = fit(y ~ north),
  data = fit(y ~ north, as.list(frame)),
  data = fit(y ~ north, NULL),
  data = fit(y ~ north, frame[0, ]),
  y = fit(x),
  y = fit(frame[1:4]),
  y = fit(x, NULL),
  y = fit(x, y[-1]),
  y = fit(x, c(y, 1)),
  y = fit(x, rbind(cbind(y), 1)),
  y = fit(x, replace(y, 2, NA)),
  y = fit(x, replace(y, 2, Inf)),
  y = fit(x, replace(k, 2, NA)),
  y = fit(x, replace(as.character(k), 2, NA)),
  y = fit(x, c(TRUE, NA, rep(FALSE, 38))),
  y = fit(x, as.list(y)),
  y = fit(x, rep("one", 40)),
  y = fit(one ~ north, transform(frame, one = "a")),
  activation = fit(x, y, activation = "cube"),
  activation = fit(x, y, activation = NA),
  activation = fit(x, y, activation = NULL),
  activation = fit(x, y, activation = 1),
  activation = fit(x, y, activation = rep("relu", 7)),
  activation = fit(x, y, activation = character()),
  init = fit(x, y, init = "vine"),
  init = fit(x, y, init = NA),
  init = fit(x, y, init = NULL),
  init = fit(x, y, init = c("t", "frank")),
  init = fit(x, y, init = cawi_copula_from("clayton", dim = 3, theta = 2)),
  marginal = fit(x, y, marginal = "laplace"),
  marginal = fit(x, y, marginal = NA),
  scale = fit(x, y, scale = 0),
  scale = fit(x, y, scale = -1),
  scale = fit(x, y, scale = Inf),
  scale = fit(x, y, scale = NA),
  scale = fit(x, y, scale = c(1, 2)),
  scale = fit(x, y, scale = "wide"),
  lambda = fit(x, y, lambda = -1),
  lambda = fit(x, y, lambda = NA),
  lambda = fit(x, y, lambda = c(1, NA)),
  lambda = fit(x, y, lambda = Inf),
  lambda = fit(x, y, lambda = "small"),
  lambda = fit(x, y, lambda = numeric()),
  direct = fit(x, y, direct = NA),
  direct = fit(x, y, direct = "yes"),
  intercept = fit(x, y, intercept = 2),
  standardize = fit(x, y, standardize = NULL),
  case_weights = fit(x, y, case_weights = 1:3),
  case_weights = fit(x, y, case_weights = rep(-1, 40)),
  case_weights = fit(x, y, case_weights = numeric(40)),
  case_weights = fit(x, y, case_weights = replace(rep(1, 40), 2, NA)),
  case_weights = fit(x, y, case_weights = replace(rep(1, 40), 2, Inf)),
  case_weights = fit(x, y, case_weights = rep("1", 40)),
  na_action = fit(x, y, na_action = "guess"),
  na_action = fit(x, y, na_action = NA),
  align = cawi_drvfl(x, y, align = "last"),
  seed = fit(x, y, seed = -1),
  seed = fit(x, y, seed = 1.5),
  seed = fit(x, y, seed = "a"),
  threads = fit(x, y, threads = 0),
  threads = fit(x, y, threads = "two"),
  keep_data = fit(x, y, keep_data = "some")
)

# A case of the main arguments meets every model; the others take turns.
main <- !duplicated(names(wrong_for_all)) & names(wrong_for_all) %in% c("x", "data", "y", "lambda")
turn <- rep_len(seq_along(model_names), length(wrong_for_all))

for (m in seq_along(model_names)) for (i in which(main | turn == m)) {
  call <- wrong_for_all[[i]]
  arg <- names(wrong_for_all)[i]
  fit <- getFromNamespace(paste0("cawi_", model_names[m]), "cawi")
  test_that(paste0(
    "`", arg, "` is blamed by ", model_names[m], ": ", paste(deparse(call), collapse = "")
  ), {
    error <- expect_error(eval(call), class = paste0("cawi_error_", arg))
    expect_match(conditionMessage(error), paste0("`", arg, "\\b"))
  })
}

# Arguments of one architecture.
test_argument_errors(alist(
  hidden = cawi_elm(x, y, hidden = 0),
  hidden = cawi_elm(x, y, hidden = 1.5),
  hidden = cawi_rvfl(x, y, hidden = -1),
  hidden = cawi_rvfl(x, y, hidden = NA),
  hidden = cawi_rvfl(x, y, hidden = NULL),
  hidden = cawi_rvfl(x, y, hidden = "a"),
  hidden = cawi_rvfl(x, y, hidden = 1e9),
  hidden = cawi_rvfl(x, y, hidden = Inf),
  hidden = cawi_rvfl(x, y, hidden = numeric()),
  hidden = cawi_rvfl(x, y, hidden = list(3)),
  # One layer is all that these have.
  hidden = cawi_elm(x, y, hidden = c(3, 3)),
  hidden = cawi_rvfl(x, y, hidden = c(3, 3)),
  hidden = cawi_drvfl(x, y, hidden = c(3, 0)),
  hidden = cawi_edrvfl(x, y, hidden = c(3, NA)),
  hidden = cawi_edrvfl(x, y, hidden = c(6e4, 6e4)),
  activation = cawi_drvfl(x, y, hidden = c(3, 3), activation = c("relu", "sine", "relu")),
  windows = cawi_bls(x, y, windows = 0),
  windows = cawi_bls(x, y, windows = c(1, 2)),
  windows = cawi_bls(x, y, windows = 1e9),
  nodes = cawi_bls(x, y, nodes = 2.5),
  nodes = cawi_bls(x, y, nodes = "a"),
  enhancement_windows = cawi_bls(x, y, enhancement_windows = NA),
  enhancement = cawi_bls(x, y, enhancement = 0),
  enhancement = cawi_bls(x, y, enhancement = NULL)
))

test_that("arguments of other models and slips of the keyboard are refused by name", {
  calls <- alist(
    bogus = cawi_elm(x, y, bogus = 1),
    hiden = cawi_rvfl(x, y, hiden = 1),
    bogus = cawi_drvfl(frame[1:4], y, bogus = 1),
    bogus = cawi_edrvfl(y ~ north, frame, bogus = 1),
    windows = cawi_rvfl(x, y, windows = 3),
    enhancement = cawi_drvfl(x, y, enhancement = 3),
    nodes = cawi_elm(x, y, nodes = 3),
    hidden = cawi_bls(x, y, hidden = 3),
    align = cawi_rvfl(x, y, align = "first"),
    # Names that functions behind the model have too.
    model = cawi_rvfl(x, y, model = "elm"),
    call = cawi_rvfl(x, y, call = 1),
    arguments = cawi_rvfl(x, y, arguments = 1)
  )
  for (i in seq_along(calls)) {
    error <- tryCatch(eval(calls[[i]]), error = identity)
    expect_s3_class(error, "cawi_error_dots")
    if (inherits(error, "cawi_error")) expect_match(conditionMessage(error), names(calls)[i])
  }
})

test_that("arguments after the data must have names", {
  expect_error(cawi_rvfl(x, y, 10), class = "cawi_error_dots")
  expect_error(cawi_rvfl(x, y, hidden = 10, "relu"), class = "cawi_error_dots")
  expect_error(cawi_bls(y ~ north, frame, 10), class = "cawi_error_dots")
})

test_that("a formula is one under either name", {
  plain <- cawi_rvfl(k ~ north + west, frame, hidden = 3, seed = 1)
  expect_identical(plain$feature_names, c("north", "west"))
  expect_identical(coef(cawi_rvfl(formula = k ~ north + west, data = frame, hidden = 3, seed = 1)),
                   coef(plain))
  expect_identical(coef(cawi_rvfl(x = k ~ north + west, data = frame, hidden = 3, seed = 1)),
                   coef(plain))
  expect_identical(coef(cawi_rvfl(data = frame, k ~ north + west, hidden = 3, seed = 1)),
                   coef(plain))
})

by_matrix <- cawi_rvfl(x, k, hidden = 3, seed = 1)
by_formula <- cawi_bls(y ~ north + east + group, transform(frame, group = letters[1:4]),
                       windows = 2, nodes = 2, enhancement = 2, seed = 1)
by_frame <- cawi_edrvfl(transform(frame[1:4], group = factor(letters[1:4])), k,
                        hidden = c(3, 3), seed = 1)
one_column <- cawi_elm(x[, 1, drop = FALSE], y, hidden = 3, seed = 1)
new_frame <- transform(frame[1:9, ], group = factor(letters[1:3]))

test_argument_errors(alist(
  new_data = predict(by_matrix),
  new_data = predict(by_matrix, NULL),
  new_data = predict(by_matrix, list(1, 2, 3, 4)),
  new_data = predict(by_matrix, "a"),
  new_data = predict(by_matrix, c("a", "b", "c", "d")),
  new_data = predict(by_matrix, x[, 1:3]),
  new_data = predict(by_matrix, unname(x)[, 1:3]),
  new_data = predict(by_matrix, cbind(unname(x), 1)),
  new_data = predict(by_matrix, 1:3),
  new_data = predict(by_matrix, c(north = 1, east = 2, south = 3, other = 4)),
  new_data = predict(by_matrix, hole),
  new_data = predict(by_matrix, replace(x, 1, Inf)),
  new_data = predict(by_matrix, transform(frame, east = "a")),
  new_data = predict(by_matrix, transform(frame, east = factor("a"))),
  new_data = predict(by_matrix, sum),
  new_data = predict(by_matrix, array(1, c(2, 4, 2))),
  new_data = predict(one_column, unname(x)[, 1:2]),
  new_data = predict(one_column, "a"),
  new_data = predict(by_formula),
  new_data = predict(by_formula, NULL),
  new_data = predict(by_formula, 1:3),
  new_data = predict(by_formula, as.list(new_frame)),
  new_data = predict(by_formula, new_frame["north"]),
  new_data = predict(by_formula, transform(new_frame, north = "a")),
  new_data = predict(by_formula, transform(new_frame, north = NA)),
  new_data = predict(by_formula, transform(new_frame, group = "z")),
  new_data = predict(by_formula, unname(x)),
  new_data = predict(by_frame, transform(new_frame, group = NULL)),
  new_data = predict(by_frame, transform(new_frame, group = "z")),
  new_data = predict(by_frame, transform(new_frame, north = letters[1:9])),
  new_data = predict(by_frame, transform(new_frame, north = as.Date("2020-01-01"))),
  new_data = cawi_features(by_frame, x),
  new_data = cawi_features(by_matrix, "a"),
  new_data = cawi_features(by_matrix),
  new_data = augment(by_matrix),
  type = predict(by_matrix, x, type = "numeric"),
  type = predict(by_matrix, x, type = "votes"),
  type = predict(by_matrix, x, type = NA),
  type = predict(by_matrix, x, type = c("class", "prob")),
  type = predict(one_column, x[, 1], type = "class"),
  type = predict(one_column, x[, 1], type = "prob"),
  threads = predict(by_matrix, x, threads = 0),
  threads = cawi_features(by_matrix, x, threads = "a"),
  draws = cawi_diagnose(by_matrix, draws = 0),
  seed = cawi_diagnose(by_matrix, seed = -1)
))

test_that("the session is usable after every error", {
  try(cawi_rvfl(hole, y), silent = TRUE)
  try(predict(by_matrix, hole), silent = TRUE)
  expect_true(all(is.finite(predict(cawi_rvfl(x, y, hidden = 3, seed = 1), x))))
})

test_that("what looks odd but means something is taken", {
  for (model in model_names) {
    odd <- list(
      integers = matrix(1:80, 40), logicals = x > 0, constant = cbind(x, 1), twins = cbind(x, x),
      "more columns than rows" = matrix(bell(40 * 50), 40), "one column" = x[, 1, drop = FALSE],
      "all constant" = 0 * x
    )
    for (what in names(odd)) {
      # Whether a family suits is told by a warning, which is not the matter here.
      for (init in c("iid", if (model %in% c("rvfl", "edrvfl")) "gaussian")) {
        fit <- suppressWarnings(fit_named(model, unname(odd[[what]]), k, init = init, seed = 1))
        expect_true(all(is.finite(predict(fit, unname(odd[[what]]), type = "prob"))),
                    info = paste(model, what))
      }
    }
    two <- fit_named(model, x[1:2, ], c("a", "b"), seed = 1)
    expect_identical(as.character(predict(two, x[1:2, ])), c("a", "b"))
    constant <- fit_named(model, x, rep(3, 40), seed = 1)
    expect_equal(predict(constant, x), rep(3, 40), tolerance = 1e-3)
  }
})

test_that("messages of the models", {
  local_reproducible_output()
  expect_snapshot(show_error(cawi_rvfl(x, y, hidden = 0)))
  expect_snapshot(show_error(cawi_drvfl(x, y, hidden = c(3, 3), activation = "cube")))
  expect_snapshot(
    show_error(cawi_rvfl(x, y, init = cawi_copula_from("clayton", dim = 3, theta = 2)))
  )
  expect_snapshot(show_error(cawi_elm(hole, y)))
  expect_snapshot(show_error(cawi_elm(x, y[-1])))
  expect_snapshot(show_error(cawi_elm(x, rep("one", 40))))
  expect_snapshot(show_error(cawi_bls(x, y, lambda = -1)))
  expect_snapshot(show_error(predict(by_matrix, x[, 1:2])))
  expect_snapshot(show_error(predict(by_frame, transform(new_frame, group = "z"))))
  expect_snapshot(show_error(predict(by_matrix, x, type = "numeric")))
  expect_snapshot(show_error(predict(`[[<-`(by_matrix, "format", 99L), x)))
})

test_that("a data frame without rows or without columns is no input", {
  expect_error(frame_input(iris[0, ], factor(), NULL, NULL), "row", class = "cawi_error_x")
  expect_error(frame_input(iris[0], iris$Species, NULL, NULL), class = "cawi_error_x")
  expect_identical(frame_input(iris, 1:150, NULL, NULL)$rows, 150L)
})
