# A table with a column of every kind.
mixed <- function(m = 60) {
  x <- small_x(m)
  data.frame(
    number = x[, 1], whole = as.integer(round(10 * x[, 2])),
    color = factor(c("red", "green", "blue")[1 + lehmer(m, 5) %% 3],
                    c("red", "green", "blue", "never")),
    size = factor(c("small", "large")[1 + lehmer(m, 6) %% 2], c("small", "large")),
    town = c("Ulm", "Bonn", "Kiel", "Jena")[1 + lehmer(m, 7) %% 4], flag = lehmer(m, 8) %% 2 == 0
  )
}

# Two levels: an indicator of the second. More: one each, in the order of the levels.
by_hand <- function(data) {
  cbind(
    number = data$number, whole = data$whole,
    color_red = data$color == "red", color_green = data$color == "green",
    color_blue = data$color == "blue", color_never = 0, size_large = data$size == "large",
    town_Bonn = data$town == "Bonn", town_Jena = data$town == "Jena",
    town_Kiel = data$town == "Kiel", town_Ulm = data$town == "Ulm",
    flag = data$flag
  ) + 0
}

mixed_y <- function(data) {
  data$number + (data$color == "red") - 2 * (data$town == "Kiel") * data$flag
}

test_that("factors, characters and logicals become indicators", {
  data <- mixed()
  y <- mixed_y(data)
  hand <- cawi_rvfl(by_hand(data), y, hidden = 8, lambda = 0.1, seed = 1)
  frame <- cawi_rvfl(data, y, hidden = 8, lambda = 0.1, seed = 1)
  formula <- cawi_rvfl(y ~ ., cbind(data, y = y), hidden = 8, lambda = 0.1, seed = 1)
  expect_identical(frame$feature_names, colnames(by_hand(data)))
  expect_equal(coef(frame), coef(hand))
  expect_equal(predict(frame, data), predict(hand, by_hand(data)))
  expect_setequal(formula$feature_names, colnames(by_hand(data)))
  # Formulas may put the columns in another order, and weights are drawn column by column.
  turned <- by_hand(data)[, formula$feature_names]
  hand <- cawi_rvfl(turned, y, hidden = 8, lambda = 0.1, seed = 1)
  expect_equal(coef(formula), coef(hand))
  expect_equal(predict(formula, data), predict(hand, turned))
})

test_that("tables are tables, tibble or not", {
  skip_if_not_installed("tibble")
  data <- mixed()
  fit <- cawi_rvfl(data, mixed_y(data), hidden = 8, seed = 1)
  other <- cawi_rvfl(tibble::as_tibble(data), mixed_y(data), hidden = 8, seed = 1)
  expect_identical(coef(other), coef(fit))
  expect_identical(predict(fit, tibble::as_tibble(data)), predict(fit, data))
  numbers <- cawi_rvfl(tibble::as_tibble(iris[, 1:4]), iris$Species, hidden = 4, seed = 1)
  expect_identical(predict(numbers, tibble::as_tibble(iris)),
                   predict(numbers, as.matrix(iris[, 1:4])))
})

test_that("formulas choose, transform and leave out", {
  fit <- cawi_rvfl(mpg ~ log(hp) + wt, mtcars, hidden = 4, lambda = 1, seed = 1)
  by_hand <- cbind("log(hp)" = log(mtcars$hp), wt = mtcars$wt)[, fit$feature_names]
  hand <- cawi_rvfl(by_hand, mtcars$mpg, hidden = 4, lambda = 1, seed = 1)
  expect_equal(coef(fit), coef(hand), ignore_attr = TRUE)
  expect_equal(predict(fit, mtcars[, 11:1]), predict(hand, by_hand))
  less <- cawi_rvfl(mpg ~ . - cyl, mtcars, hidden = 4, seed = 1)
  expect_false("cyl" %in% less$feature_names)
  # New data need no response.
  expect_length(predict(fit, mtcars[1:3, c("wt", "hp")]), 3)
})

test_that("recipes are prepared and applied", {
  # Loading recipes asks for the time zone, which warns on machines that do not tell.
  skip_if_not(suppressWarnings(requireNamespace("recipes", quietly = TRUE)),
              "recipes is not installed")
  data <- mixed()
  data$y <- mixed_y(data)
  recipe <- recipes::step_log(recipes::recipe(y ~ ., data), whole, offset = 100)
  logged <- data[names(data) != "y"]
  logged$whole <- log(data$whole + 100)
  for (model in model_names) {
    fit <- do.call(paste0("cawi_", model),
                   c(list(recipe, data), narrow[[model]], lambda = 0.1, seed = 1))
    hand <- fit_named(model, by_hand(logged), data$y, lambda = 0.1, seed = 1)
    # A recipe knows only the levels that characters have, by the alphabet, as the encoder does.
    expect_equal(predict(fit, data), predict(hand, by_hand(logged)), tolerance = 1e-8)
    expect_equal(predict(fit, data[5, -7]), predict(hand, by_hand(logged))[5], tolerance = 1e-8)
  }
  classes <- cawi_rvfl(recipes::recipe(Species ~ ., iris), iris, hidden = 10, seed = 1)
  expect_equal(predict(classes, iris, type = "prob"),
               predict(cawi_rvfl(iris[, 1:4], iris$Species, hidden = 10, seed = 1), iris,
                       type = "prob"))
})

test_that("columns may come in any order, with others beside them", {
  data <- mixed()
  y <- mixed_y(data)
  x <- small_x()
  for (model in model_names) {
    fit <- fit_named(model, x, small_y("classification", x), seed = 1)
    wanted <- predict(fit, x, type = "prob")
    expect_identical(predict(fit, x[, 4:1], type = "prob"), wanted)
    expect_identical(predict(fit, cbind(other = 1, x[, c(2, 4, 1, 3)]), type = "prob"), wanted)
    expect_identical(predict(fit, data.frame(text = "a", x[, 4:1]), type = "prob"), wanted)
    expect_identical(predict(fit, unname(x), type = "prob"), wanted)
    frame <- fit_named(model, data, y, seed = 1)
    expect_identical(predict(frame, cbind(extra = NA, data[, 6:1])), predict(frame, data))
    formula <- do.call(paste0("cawi_", model),
                       c(list(y ~ ., cbind(data, y = y)), narrow[[model]], seed = 1))
    expect_identical(predict(formula, cbind(extra = Inf, data[, 6:1])), predict(formula, data))
  }
})

test_that("one row, as a matrix, a table or a vector", {
  data <- mixed()
  x <- small_x()
  for (model in model_names) {
    fit <- fit_named(model, x, small_y("outputs", x), seed = 1)
    all <- predict(fit, x)
    # Products of one row may be summed in another order.
    for (i in c(1, 17, 40)) {
      expect_equal(predict(fit, x[i, , drop = FALSE]), all[i, , drop = FALSE], tolerance = 1e-10)
      expect_equal(predict(fit, x[i, ]), all[i, , drop = FALSE], tolerance = 1e-10)
      expect_equal(predict(fit, x[i, 4:1]), all[i, , drop = FALSE], tolerance = 1e-10)
      expect_equal(predict(fit, as.data.frame(x)[i, ]), all[i, , drop = FALSE], tolerance = 1e-10)
    }
    frame <- fit_named(model, data, mixed_y(data), seed = 1)
    expect_equal(predict(frame, data[9, ]), predict(frame, data)[9], tolerance = 1e-12)
    expect_equal(predict(frame, data[c(9, 9, 2), ]), predict(frame, data)[c(9, 9, 2)],
                 tolerance = 1e-12)
  }
})

test_that("a fit by formula predicts one row, and rows that are all of one kind", {
  data <- mixed()
  data$y <- mixed_y(data)
  for (column in c("color", "size", "town", "flag")) {
    fit <- cawi_rvfl(stats::reformulate(c("number", column), "y"), data, hidden = 5, seed = 1)
    all <- predict(fit, data)
    expect_equal(predict(fit, data[7, ]), all[7], tolerance = 1e-10)
    same <- data[[column]] == data[[column]][1]
    expect_equal(predict(fit, data[same, ]), all[same], tolerance = 1e-10)
  }
})

test_that("a single feature may be a vector of values", {
  x <- seq(-1, 1, length.out = 30)
  fit <- cawi_rvfl(matrix(x), x^2, hidden = 9, seed = 1)
  expect_equal(predict(fit, x), predict(fit, matrix(x)))
  fit <- cawi_rvfl(data.frame(x = x), x^2, hidden = 9, seed = 1)
  expect_equal(predict(fit, data.frame(x = x)), predict(fit, matrix(x)))
})

test_that("column names that repeat or lack are not mixed up", {
  x <- small_x()
  y <- small_y("regression", x)
  wanted <- predict(cawi_rvfl(unname(x), y, hidden = 9, lambda = 0.1, seed = 1), unname(x))
  for (names in list(c("a", "b", "a", "c"), c("a", "", "b", ""), c("a", NA, "b", "c"))) {
    colnames(x) <- names
    # Either refused with the argument named or the right answer.
    result <- tryCatch(predict(cawi_rvfl(x, y, hidden = 9, lambda = 0.1, seed = 1), x),
                       cawi_error = function(e) wanted)
    expect_equal(result, wanted)
  }
})

test_that("incomplete rows are omitted in training and NA in predictions", {
  x <- small_x()
  holes <- x
  holes[c(3, 8), 2] <- NA
  holes[8, 1] <- NaN
  for (model in model_names) for (task in tasks) {
    y <- small_y(task, x)
    part <- if (is.matrix(y)) y[-c(3, 8), ] else y[-c(3, 8)]
    fit <- fit_named(model, holes, y, na_action = "omit", lambda = 0.1, seed = 1)
    rest <- fit_named(model, x[-c(3, 8), ], part, lambda = 0.1, seed = 1)
    expect_identical(coef(fit), coef(rest))
    expect_identical(fit$nobs, 38)
    scores <- predict(fit, holes, type = "score")
    expect_identical(nrow(scores), 40L)
    expect_true(all(is.na(scores[c(3, 8), ])))
    expect_equal(scores[-c(3, 8), , drop = FALSE], predict(rest, x[-c(3, 8), ], type = "score"),
                 tolerance = 1e-12)
    if (task == "classification") {
      expect_identical(which(is.na(predict(fit, holes))), c(3L, 8L))
      prob <- predict(fit, holes, type = "prob")
      expect_identical(which(is.na(prob[, 1])), c(3L, 8L))
      expect_equal(rowSums(prob[-c(3, 8), ]), rep(1, 38))
    }
  }
  fit <- cawi_rvfl(holes, small_y("regression", x), hidden = 3, na_action = "omit")
  expect_true(all(is.na(predict(fit, holes[c(3, 8), ]))))
})

test_that("holes of tables are omitted too", {
  data <- mixed()
  y <- mixed_y(data)
  holes <- data
  holes$number[1] <- NA
  holes$color[2] <- NA
  holes$town[3] <- NA
  holes$flag[4] <- NA
  fit <- cawi_rvfl(holes, y, hidden = 8, na_action = "omit", lambda = 0.1, seed = 1)
  rest <- cawi_rvfl(data[-(1:4), ], y[-(1:4)], hidden = 8, lambda = 0.1, seed = 1)
  expect_equal(coef(fit), coef(rest))
  expect_identical(which(is.na(predict(fit, holes))), 1:4)
})

test_that("medians and most frequent levels are imputed, those of the training data", {
  x <- small_x()
  holes <- full <- x
  holes[c(3, 8), 2] <- NA
  holes[8, 4] <- NaN
  full[c(3, 8), 2] <- stats::median(x[-c(3, 8), 2])
  full[8, 4] <- stats::median(x[-8, 4])
  for (model in model_names) {
    fit <- fit_named(model, holes, small_y("classification", x), na_action = "impute", seed = 1)
    expect_identical(coef(fit),
                     coef(fit_named(model, full, small_y("classification", x), seed = 1)))
    expect_identical(predict(fit, holes, type = "prob"), predict(fit, full, type = "prob"))
    expect_equal(predict(fit, c(north = 1, east = NA, south = 0, west = NA), type = "prob"),
                 predict(fit, c(1, unname(full[3, 2]), 0, unname(full[8, 4])), type = "prob"))
  }
  data <- mixed()
  holes <- full <- data
  holes$number[1] <- holes$color[2] <- holes$town[3] <- holes$flag[4] <- NA
  most <- function(v) names(which.max(table(v)))
  full$number[1] <- stats::median(data$number[-1])
  full$color[2] <- most(data$color[-2])
  full$town[3] <- most(data$town[-3])
  full$flag[4] <- mean(data$flag[-4]) > 0.5
  fit <- cawi_rvfl(holes, mixed_y(data), hidden = 8, na_action = "impute", lambda = 0.1, seed = 1)
  expect_equal(coef(fit), coef(cawi_rvfl(full, mixed_y(data), hidden = 8, lambda = 0.1, seed = 1)))
  expect_equal(predict(fit, holes), predict(fit, full))
  formula <- cawi_rvfl(y ~ ., cbind(holes, y = mixed_y(data)), hidden = 8, na_action = "impute",
                       lambda = 0.1, seed = 1)
  expect_equal(predict(formula, holes), predict(formula, full))
  expect_equal(predict(cawi_rvfl(by_hand(full)[, formula$feature_names], mixed_y(data), hidden = 8,
                                 lambda = 0.1, seed = 1),
                       by_hand(full)), predict(formula, full))
})

test_that("unseen levels are an error that names them, or imputed", {
  data <- mixed()
  y <- mixed_y(data)
  strange <- common <- data[1:9, ]
  strange$color <- factor(rep(c("mauve", "red", "green"), 3))
  strange$town <- rep(c("Rome", "Kiel", "Ulm"), 3)
  for (input in list(list(data, y), list(y ~ ., cbind(data, y = y)))) {
    fit <- do.call(cawi_rvfl, c(input, list(hidden = 8, seed = 1)))
    error <- expect_error(predict(fit, strange), class = "cawi_error_new_data")
    expect_match(conditionMessage(error), "mauve")
    expect_match(conditionMessage(error), "color")
    strange_town <- transform(data[1:5, ], town = c("Rome", "Ulm", "Pisa", "Kiel", "Bonn"))
    error <- expect_error(predict(fit, strange_town), class = "cawi_error_new_data")
    expect_match(conditionMessage(error), "Rome.*Pisa.*town")
    fit <- do.call(cawi_rvfl, c(input, list(hidden = 8, seed = 1, na_action = "impute")))
    common$color <- factor(ifelse(strange$color == "mauve", names(which.max(table(data$color))),
                                   as.character(strange$color)), levels(data$color))
    common$town <- ifelse(strange$town == "Rome", names(which.max(table(data$town))), strange$town)
    expect_equal(predict(fit, strange), predict(fit, common))
    omitting <- do.call(cawi_rvfl, c(input, list(hidden = 8, seed = 1, na_action = "omit")))
    expect_error(predict(omitting, strange), class = "cawi_error_new_data")
  }
})

test_that("missing columns are named", {
  data <- mixed()
  frame <- cawi_rvfl(data, mixed_y(data), hidden = 8, seed = 1)
  formula <- cawi_rvfl(y ~ ., cbind(data, y = mixed_y(data)), hidden = 8, seed = 1)
  matrix_fit <- cawi_rvfl(small_x(), small_y("regression"), hidden = 8, seed = 1)
  for (fit in list(frame, formula)) {
    error <- expect_error(predict(fit, data[c("number", "flag", "size")]),
                          class = "cawi_error_new_data")
    for (name in c("whole", "color", "town")) expect_match(conditionMessage(error), name)
  }
  error <- expect_error(predict(matrix_fit, small_x()[, c("west", "east")]),
                        class = "cawi_error_new_data")
  expect_match(conditionMessage(error), "north.*south")
})

test_that("factors, characters and numbers stand in for each other where nothing is lost", {
  data <- mixed()
  y <- mixed_y(data)
  for (input in list(list(data, y), list(y ~ ., cbind(data, y = y)))) {
    fit <- do.call(cawi_rvfl, c(input, list(hidden = 8, seed = 1)))
    wanted <- predict(fit, data)
    expect_equal(predict(fit, transform(data, color = as.character(color))), wanted)
    expect_equal(predict(fit, transform(data, town = factor(town))), wanted)
    expect_equal(predict(fit, transform(data, color = factor(color, rev(levels(color))))),
                 wanted)
    expect_equal(predict(fit, transform(data, whole = as.double(whole))), wanted)
    # A column that happened to be whole in training is a number all the same.
    expect_true(all(is.finite(predict(fit, transform(data, whole = whole + 0.5)))))
  }
})

test_that("ordered factors are thermometers, with every na_action", {
  data <- mixed()
  data$grade <- factor(c("C", "B", "A")[1 + lehmer(60, 4) %% 3], c("C", "B", "A"), ordered = TRUE)
  y <- mixed_y(data)
  by_hand <- cbind(mixed(), "grade>=B" = as.double(data$grade >= "B"),
                   "grade>=A" = as.double(data$grade == "A"))
  hand <- cawi_rvfl(by_hand, y, hidden = 8, seed = 1)
  wanted <- predict(hand, by_hand)
  for (na_action in c("fail", "omit", "impute")) {
    fit <- cawi_rvfl(data, y, hidden = 8, na_action = na_action, seed = 1)
    expect_identical(fit$feature_names, hand$feature_names)
    expect_equal(predict(fit, data), wanted)
    expect_equal(predict(fit, transform(data, grade = as.character(grade))), wanted)
    expect_equal(predict(fit, data[1:5, ]), wanted[1:5], tolerance = 1e-10)
  }
  holes <- data
  holes$grade[2] <- NA
  fit <- cawi_rvfl(holes, y, hidden = 8, na_action = "impute", seed = 1)
  expect_true(all(is.finite(predict(fit, holes))))
})

test_that("columns with one level, constant and duplicate columns work", {
  data <- cbind(mixed(), one = factor("a"), same = "b", fixed = 3, always = TRUE)
  data$twin <- data$number
  y <- mixed_y(data)
  for (model in model_names) {
    fit <- fit_named(model, data, y, init = "gaussian", seed = 1)
    expect_true(all(is.finite(predict(fit, data))))
    x <- cbind(small_x(), fixed = 3, twin = small_x()[, 1])
    fit <- fit_named(model, x, small_y("classification", x), init = "auto", seed = 1)
    expect_true(all(is.finite(predict(fit, x, type = "prob"))))
  }
})

test_that("columns without a known value are refused", {
  data <- transform(mixed(), town = NA_character_)
  y <- mixed_y(mixed())
  expect_error(cawi_rvfl(data, y, hidden = 3, na_action = "impute"), class = "cawi_error_x")
  expect_error(cawi_rvfl(data, y, hidden = 3, na_action = "omit"), class = "cawi_error_x")
  expect_error(cawi_rvfl(data, y, hidden = 3), class = "cawi_error_x")
  x <- small_x()
  x[, 2] <- NA
  error <- expect_error(cawi_rvfl(x, small_y("regression"), hidden = 3, na_action = "impute"),
                        class = "cawi_error_x")
  expect_match(conditionMessage(error), "east")
})

test_that("data frames of plain doubles give what data frames of any columns give", {
  x <- small_x()
  fit <- cawi_rvfl(data.frame(x), small_y("regression", x), hidden = 9, lambda = 1, seed = 1)
  plain <- data.frame(x)
  wanted <- predict(fit, x)
  with_attribute <- plain
  attr(with_attribute$east, "unit") <- "km"
  wider <- cbind(label = "a", plain[4:1], other = 1i)
  forms <- list(plain, plain[4:1], wider, with_attribute, `row.names<-`(plain, paste0("r", 1:40)))
  for (form in forms) expect_identical(predict(fit, form), wanted)
  whole <- data.frame(round(x))
  expect_identical(predict(fit, as.data.frame(lapply(whole, as.integer))), predict(fit, whole))
  expect_identical(predict(fit, plain[0, ]), numeric())
  holes <- plain
  holes$south[3] <- NA
  expect_error(predict(fit, holes), "south", class = "cawi_error_new_data")
  uneven <- wider
  attr(uneven, "row.names") <- 1:39
  expect_error(predict(fit, uneven), class = "cawi_error_new_data")
  uneven <- unclass(wider)
  uneven$label <- "a"
  uneven <- structure(uneven, row.names = 1:40, class = "data.frame")
  expect_error(predict(fit, uneven), class = "cawi_error_new_data")
  twice <- `names<-`(wider, c("east", names(wider)[-1]))
  expect_error(predict(fit, twice), "more than one column", class = "cawi_error_new_data")
})

test_that("only known columns of a data frame are read, anything else stays as it is", {
  data <- data.frame(a = 1:2, b = c("x", "y"), c = 3:4)
  expect_identical(select_named(data, c("c", "a"), "new_data", NULL), data.frame(c = 3:4, a = 1:2))
  expect_identical(select_named(data, NULL, "new_data", NULL), data)
  expect_identical(select_named(data, c("a", "z"), "new_data", NULL), data)
  for (other in list(as.list(data), cbind(a = 1:2))) {
    expect_identical(select_named(other, "a", "new_data", NULL), other)
  }
})
