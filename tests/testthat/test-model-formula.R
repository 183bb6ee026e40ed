# Formulas mean what they mean in lm(), remember what they learned in training, and refuse what they
# cannot keep.

cars <- transform(mtcars, kind = factor(cyl), gears = ordered(gear),
                  side = c("left", "right")[am + 1],
                  bought = as.Date("2020-01-01") + 9 * seq_len(32), name = rownames(mtcars))
cars$pair <- cbind(u = mtcars$wt, v = mtcars$hp)
rownames(cars) <- NULL

mold_formula_of <- function(formula, data = cars, na_action = "fail", ...) {
  input_of(formula, data)$mold(na_action, ...)
}
forge_formula_of <- function(molded, new_data, na_action = "fail") {
  object <- list(preprocessor = unserialize(serialize(molded$preprocessor, NULL)),
                 spec = list(na_action = na_action))
  forge_new_data(object, new_data, "new_data", environment())
}

# Terms of numbers alone: the same columns as those of lm(), but for the intercept.
as_in_lm <- alist(
  mpg ~ wt + hp, mpg ~ log(hp) + I(wt^2), mpg ~ poly(wt, 2), mpg ~ poly(wt, hp, degree = 2),
  mpg ~ scale(wt) + hp, mpg ~ splines::ns(wt, 3), mpg ~ splines::bs(wt, df = 5),
  mpg ~ I(wt - mean(wt)), mpg ~ hp:wt, mpg ~ hp * wt, mpg ~ (hp + wt + qsec)^2, mpg ~ hp %in% wt,
  mpg ~ hp * wt - hp, mpg ~ pair, mpg ~ pair:hp, mpg ~ pair[, 2], mpg ~ I(scale(wt)^2),
  mpg ~ ifelse(wt > median(wt), 1, 0), mpg ~ I(hp / max(hp)), mpg ~ wt - 1, mpg ~ 0 + wt,
  mpg ~ as.numeric(bought), mpg ~ ecdf(wt)(wt), mpg ~ sapply(wt, function(w) w^2),
  mpg ~ findInterval(wt, quantile(wt, c(0.3, 0.6))), mpg ~ I(nchar(name))
)

for (formula in as_in_lm) {
  test_that(paste("columns are those of lm():", deparse(formula)), {
    formula <- stats::as.formula(formula)
    molded <- mold_formula_of(formula)
    wanted <- stats::model.matrix(formula, cars)
    wanted <- wanted[, colnames(wanted) != "(Intercept)", drop = FALSE]
    expect_equal(unname(molded$x), unname(wanted), ignore_attr = TRUE)
    # Values of a row are the same whatever rows come with it.
    for (rows in list(32:1, c(3, 9), 7)) {
      expect_equal(forge_formula_of(molded, cars[rows, ])$x, molded$x[rows, , drop = FALSE],
                   tolerance = 1e-12)
    }
    expect_identical(dim(forge_formula_of(molded, cars[0, ])$x), c(0L, ncol(wanted)))
  })
}

test_that("factors have full indicators, all levels inside products, whatever the contrasts", {
  full <- function(f) outer(as.character(f), levels(factor(f)), `==`) + 0
  times <- function(a, b) do.call(cbind, lapply(seq_len(ncol(b)), function(j) a * b[, j]))
  kind <- full(cars$kind)
  side <- full(cars$side)
  wanted <- list(
    "mpg ~ kind" = kind, "mpg ~ side" = side[, 2, drop = FALSE], "mpg ~ factor(cyl)" = kind,
    "mpg ~ kind:side" = times(kind, side), "mpg ~ side:wt" = side * cars$wt,
    "mpg ~ kind * wt" = cbind(kind, cars$wt, kind * cars$wt),
    "mpg ~ kind + side + kind:side" = cbind(kind, side[, 2], times(kind, side)),
    "mpg ~ side + kind %in% side" = cbind(side[, 2], times(side, kind)),
    "mpg ~ interaction(kind, side)" = times(kind, side),
    "mpg ~ cut(wt, 3)" = full(cut(cars$wt, 3)),
    "mpg ~ cut(wt, quantile(wt), include.lowest = TRUE)" =
      full(cut(cars$wt, stats::quantile(cars$wt), include.lowest = TRUE)),
    "mpg ~ relevel(kind, '6')" = kind[, c(2, 1, 3)]
  )
  for (text in names(wanted)) for (contrasts in c("contr.treatment", "contr.sum",
                                                  "contr.helmert")) {
    molded <- with_option("contrasts", c(contrasts, "contr.poly"),
                          mold_formula_of(stats::as.formula(text)))
    expect_equal(unname(molded$x), unname(wanted[[text]]), info = text)
    for (rows in list(c(30, 2), 5)) {
      expect_equal(forge_formula_of(molded, cars[rows, ])$x, molded$x[rows, , drop = FALSE],
                   info = text)
    }
  }
  expect_identical(colnames(mold_formula_of(mpg ~ kind:side)$x)[1:2],
                   c("kind_4:side_left", "kind_6:side_left"))
})

test_that("ordered factors are thermometers", {
  therm <- cbind(cars$gear >= 4, cars$gear >= 5) + 0
  expect_equal(unname(mold_formula_of(mpg ~ gears)$x), therm)
  expect_identical(colnames(mold_formula_of(mpg ~ gears)$x), c("gears>=4", "gears>=5"))
  # As in lm(), a product has the base level unless the margin has it.
  expect_equal(unname(mold_formula_of(mpg ~ gears * wt)$x), cbind(therm, cars$wt, therm * cars$wt),
               ignore_attr = TRUE)
  expect_equal(unname(mold_formula_of(mpg ~ gears:wt)$x), cbind(cars$gear == 3, therm) * cars$wt,
               ignore_attr = TRUE)
})

test_that("breaks and levels come from the training rows", {
  molded <- mold_formula_of(mpg ~ cut(wt, 3) + side, cars[1:20, ])
  expect_equal(forge_formula_of(molded, cars[4, ])$x, molded$x[4, , drop = FALSE])
  input <- input_of(mpg ~ cut(wt, 3) + scale(hp), cars)
  part <- input$mold("fail", 1:20)
  expect_identical(part$x, mold_formula_of(mpg ~ cut(wt, 3) + scale(hp), cars[1:20, ])$x)
  expect_equal(input$forge(part$preprocessor, "fail", c(20, 3))$x, part$x[c(20, 3), ])
  # Beyond the breaks of training there is no value.
  far <- transform(cars[1:2, ], wt = c(100, 3))
  expect_error(forge_formula_of(molded, far), class = "cawi_error_new_data")
})

test_that("offsets are given back, summed, in training and new data", {
  molded <- mold_formula_of(mpg ~ wt + offset(log(hp)) + offset(qsec))
  expect_equal(molded$offset, log(cars$hp) + cars$qsec)
  expect_identical(colnames(molded$x), "wt")
  expect_equal(forge_formula_of(molded, cars[5:3, ])$offset, molded$offset[5:3])
  expect_null(mold_formula_of(mpg ~ wt)$offset)
  holes <- transform(cars, qsec = replace(qsec, 4, NA))
  expect_error(mold_formula_of(mpg ~ wt + offset(qsec), holes), class = "cawi_error_data")
  # A row without offset is an incomplete row.
  expect_identical(which(is.na(mold_formula_of(mpg ~ wt + offset(qsec), holes, "omit")$x)), 4L)
  expect_error(mold_formula_of(mpg ~ wt + offset(name)), class = "cawi_error_data")
})

test_that("a formula tells whether it has an intercept", {
  expect_identical(input_of(mpg ~ wt, cars)$intercept, NA)
  expect_false(input_of(mpg ~ wt - 1, cars)$intercept)
  expect_false(input_of(mpg ~ 0 + wt, cars)$intercept)
  fit <- cawi_rvfl(mpg ~ wt + hp - 1, cars, hidden = 4, seed = 1)
  expect_equal(predict(fit, cars), predict(cawi_rvfl(mpg ~ wt + hp, cars, hidden = 4,
                                                     intercept = FALSE, seed = 1), cars))
  grid <- cawi_grid(hidden = 4, lambda = 1)
  expect_equal(cawi_tune(mpg ~ wt + hp - 1, cars, "rvfl", grid, seed = 1)$results,
               cawi_tune(mpg ~ wt + hp, cars, "rvfl", grid, seed = 1, intercept = FALSE)$results)
})

test_that("holes are learned around, omitted, or imputed", {
  holes <- transform(cars, wt = replace(wt, c(3, 9), NA), kind = replace(kind, 5, NA))
  for (formula in list(mpg ~ poly(wt, 2) + hp, mpg ~ scale(wt) + hp, mpg ~ splines::ns(wt, 3),
                       mpg ~ cut(wt, 3),
                       mpg ~ kind:hp, mpg ~ wt * hp)) {
    used <- intersect(all.vars(formula), c("wt", "kind"))
    complete <- stats::complete.cases(holes[used])
    molded <- mold_formula_of(formula, holes, "omit")
    expect_identical(which(rowSums(is.na(molded$x)) > 0), which(!complete))
    expect_equal(molded$x[complete, ], mold_formula_of(formula, cars[complete, ])$x,
                 ignore_attr = TRUE)
    expect_error(mold_formula_of(formula, holes), class = "cawi_error_data")
    imputed <- mold_formula_of(formula, holes, "impute")
    expect_true(all(is.finite(imputed$x)))
    expect_equal(forge_formula_of(imputed, holes[c(9, 4), ], "impute")$x, imputed$x[c(9, 4), ],
                 ignore_attr = TRUE)
  }
})

outside <- cars$hp
three <- 3
power <- function(v) plus(v)^three
plus <- function(v) v + 1

test_that("terms whose rows depend on each other are refused, by name", {
  refused <- alist(
    "rank(wt)" = mpg ~ rank(wt), "ave(wt, kind)" = mpg ~ hp + ave(wt, kind),
    "cumsum(wt)" = mpg ~ cumsum(wt), "rev(wt)" = mpg ~ rev(wt), "outside" = mpg ~ outside,
    "I(wt + outside)" = mpg ~ I(wt + outside), "jitter(wt)" = mpg ~ jitter(wt),
    "diff(wt)" = mpg ~ diff(wt), "three" = mpg ~ three, "list(1)" = mpg ~ list(1),
    "as.integer(factor(cyl))" = mpg ~ as.integer(factor(cyl)), "order(hp)" = mpg ~ order(hp):wt,
    "mean(wt)" = mpg ~ mean(wt), "seq_along(wt)" = mpg ~ seq_along(wt), "absent" = mpg ~ absent,
    "absent(wt)" = mpg ~ absent(wt), "offset(rank(wt))" = mpg ~ hp + offset(rank(wt)),
    "log(name)" = mpg ~ log(name)
  )
  for (term in names(refused)) {
    error <- expect_error(cawi_rvfl(eval(refused[[term]]), cars, hidden = 3),
                          class = "cawi_error_formula")
    expect_match(gsub("\\s+", " ", conditionMessage(error)), term, fixed = TRUE)
  }
})

test_that("what a formula takes from elsewhere is stored in it, and nothing else is", {
  make <- function() {
    ballast <- stats::rnorm(1e5)
    knots <- c(2.5, 3.5)
    third <- function(v) v / length(knots)
    mpg ~ power(wt) + I(hp^three) + splines::ns(wt, knots = knots) + third(qsec)
  }
  molded <- mold_formula_of(make())
  expect_lt(length(serialize(molded$preprocessor, NULL)), 20000)
  old <- list(three = three, plus = plus)
  three <<- 0
  plus <<- function(v) v * NA
  on.exit({
    three <<- old$three
    plus <<- old$plus
  })
  expect_equal(forge_formula_of(molded, cars[3:1, ])$x, molded$x[3:1, ])
  expect_equal(molded$x[, 1], (cars$wt + 1)^3)
})

test_that("nothing of the user's workspace is seen later", {
  assign("cawi_leak", 2, envir = globalenv())
  on.exit(rm("cawi_leak", envir = globalenv()))
  molded <- mold_formula_of(mpg ~ I(wt * cawi_leak))
  assign("cawi_leak", 5, envir = globalenv())
  expect_equal(forge_formula_of(molded, cars[1:3, ])$x[, 1], 2 * cars$wt[1:3])
  # Code that is quoted is not looked into, so what it needs cannot be stored.
  expect_error(mold_formula_of(mpg ~ I(wt * eval(quote(cawi_leak)))), class = "cawi_error_formula")
})

test_that("a stored model predicts in a fresh session", {
  fit <- cawi_rvfl(mpg ~ power(wt) + poly(hp, 2) + splines::ns(qsec, 3) + cut(disp, 3), cars,
                   hidden = 4, seed = 1)
  files <- tempfile(c("fit", "data", "result"))
  saveRDS(fit, files[1])
  saveRDS(cars[1:9, ], files[2])
  script <- tempfile(fileext = ".R")
  writeLines(c(
    sprintf(".libPaths(c('%s', .libPaths()))",
            dirname(system.file(package = "cawi"))), "library(cawi)",
    sprintf("saveRDS(predict(readRDS('%s'), readRDS('%s')), '%s')", files[1], files[2], files[3])
  ), script)
  system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(script)), stdout = FALSE,
          stderr = FALSE)
  expect_equal(readRDS(files[3]), predict(fit, cars[1:9, ]))
})

test_that("only the columns of the formula are needed, and others may have any name or type", {
  odd <- cars[c("mpg", "wt", "hp", "qsec", "drat")]
  names(odd)[3:5] <- c("", NA, "wt2")
  odd <- cbind(odd, list(1), stringsAsFactors = FALSE)
  names(odd) <- c("mpg", "wt", "", NA, "twin", "twin")
  odd$nested <- as.list(1:32)
  fit <- cawi_rvfl(mpg ~ log(wt), odd, hidden = 3, seed = 1)
  expect_equal(predict(fit, cars["wt"]), predict(cawi_rvfl(mpg ~ log(wt), cars, hidden = 3,
                                                           seed = 1), cars))
  expect_equal(predict(fit, odd), predict(fit, cars["wt"]))
  expect_error(cawi_rvfl(mpg ~ ., odd, hidden = 3), class = "cawi_error_data")
  expect_error(cawi_rvfl(mpg ~ twin, odd, hidden = 3), class = "cawi_error_data")
  expect_error(cawi_rvfl(mpg ~ nested, odd, hidden = 3), class = "cawi_error_data")
  spaced <- stats::setNames(cars[c("mpg", "wt")], c("miles per gallon", "a weight"))
  by_dot <- cawi_rvfl(`miles per gallon` ~ ., spaced, hidden = 3, seed = 1)
  expect_identical(by_dot$feature_names, "a weight")
})

test_that("any response is one, and other data have it too", {
  for (formula in list(log(mpg) ~ wt, cbind(mpg, hp) ~ wt, mpg ~ wt, factor(cyl) ~ wt, side ~ wt,
                       I(mpg / 2) ~ wt,
                       scale(mpg) ~ wt, mpg > 20 ~ wt)) {
    input <- input_of(formula, cars)
    molded <- input$mold("fail", 32:3)
    wanted <- stats::model.response(stats::model.frame(formula, cars))
    if (is.character(wanted)) wanted <- factor(wanted)
    expect_equal(input$y, wanted, ignore_attr = c("names", "class", "dim", "scaled:center",
                                                  "scaled:scale", "dimnames"))
    expect_identical(molded$y, response_rows(input$y, 32:3))
    expect_identical(as.character(response_of(molded$preprocessor, cars[5:4, ], "data",
                                              environment())),
                     as.character(response_rows(input$y, 5:4)))
  }
  molded <- mold_formula_of(log(mpg) ~ wt)
  expect_false(molded$preprocessor$response$plain)
  expect_true(mold_formula_of(mpg ~ wt)$preprocessor$response$plain)
  expect_error(response_of(molded$preprocessor, cars["wt"], "new_x", environment()),
               class = "cawi_error_new_x")
  expect_error(response_of(mold_formula_of(rank(mpg) ~ wt)$preprocessor, cars, "new_x",
                           environment()),
               class = "cawi_error_new_x")
  matrix_fit <- cawi_rvfl(small_x(), small_y("regression"), hidden = 3)
  expect_error(response_of(matrix_fit$preprocessor, cars, "new_x", environment()),
               class = "cawi_error_new_x")
  # Holes of the response pass through: rows are dropped elsewhere.
  holes <- transform(cars, mpg = replace(mpg, 3, NA))
  expect_identical(which(is.na(mold_formula_of(mpg ~ wt, holes, "omit")$y)), 3L)
})

test_that("case weights are looked up in the data, then where the call is", {
  data <- transform(cars, count = rep_len(c(1, 3), 32), hidden = 7)
  outer_count <- data$count
  weigh <- function(...) coef(cawi_rvfl(mpg ~ wt + hp, hidden = 5, lambda = 1, seed = 1, ...))
  wanted <- coef(cawi_rvfl(data[c("wt", "hp")], data$mpg, hidden = 5, lambda = 1, seed = 1,
                           case_weights = data$count))
  expect_equal(weigh(data = data, case_weights = count), wanted, ignore_attr = TRUE)
  expect_equal(weigh(data = data, case_weights = outer_count), wanted, ignore_attr = TRUE)
  expect_equal(weigh(data = data, case_weights = data$count), wanted, ignore_attr = TRUE)
  expect_equal(coef(cawi_rvfl(formula = mpg ~ wt + hp, data = data, hidden = 5, lambda = 1,
                              seed = 1, case_weights = count)),
               wanted, ignore_attr = TRUE)
  # Other arguments are what they are at the call.
  hidden <- 5
  expect_equal(coef(cawi_rvfl(mpg ~ wt + hp, data, hidden = hidden, lambda = 1, seed = 1,
                              case_weights = count)), wanted,
               ignore_attr = TRUE)
  tuned <- cawi_tune(mpg ~ wt + hp, data, "rvfl", cawi_grid(hidden = 5, lambda = 1), seed = 1,
                     case_weights = count)
  expect_equal(coef(tuned$fit), wanted, ignore_attr = TRUE)
})

test_that("calls without data, formula or anything are refused by name", {
  expect_error(cawi_rvfl(), class = "cawi_error_x")
  expect_error(cawi_bls(data = cars), class = "cawi_error_x")
  expect_error(cawi_elm(formula = mpg ~ wt), class = "cawi_error_data")
  expect_error(cawi_elm(formula = "mpg ~ wt", data = cars), class = "cawi_error_formula")
  expect_error(cawi_drvfl(mpg ~ wt), class = "cawi_error_data")
  expect_error(cawi_tune(), class = "cawi_error_x")
  expect_error(cawi_auto(), class = "cawi_error_x")
  expect_error(cawi_tune(mpg ~ wt), class = "cawi_error_data")
})

test_that("a generic that a package made of a function of R is that function", {
  skip_if_not_installed("Matrix")
  made <- methods::getGeneric("mean", where = asNamespace("Matrix"))
  skip_if(is.null(made))
  place <- new.env()
  place$mean <- made
  data <- data.frame(y = c(1, 4, 2, 8, 5), a = c(3, 1, 4, 1, 6))
  formula <- y ~ I(a - mean(a))
  plain <- cawi_elm(formula, data, hidden = 3, seed = 1, lambda = 1)
  environment(formula) <- place
  parent.env(place) <- globalenv()
  expect_equal(predict(cawi_elm(formula, data, hidden = 3, seed = 1, lambda = 1), data),
               predict(plain, data))
})
