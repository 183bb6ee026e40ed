# Columns to numbers, in training and new data.

# 64-bit integers in the bits of doubles, as the package bit64 stores them.
as_integer64 <- function(values) {
  bytes <- vapply(values, function(value) {
    if (is.na(value)) return(as.raw(c(0, 0, 0, 0, 0, 0, 0, 128)))
    digits <- numeric(8)
    rest <- if (value < 0) -value - 1 else value
    for (i in 1:8) {
      digits[i] <- rest %% 256
      rest <- rest %/% 256
    }
    as.raw(if (value < 0) 255 - digits else digits)
  }, raw(8))
  structure(readBin(as.vector(bytes), "double", length(values), size = 8, endian = "little"),
            class = "integer64")
}

test_that("64-bit integers are read as what they are", {
  values <- c(1, -1, 0, NA, 2^40, -2^45, 123456789012)
  expect_identical(read_integer64(as_integer64(values)), values)
  x <- cbind(small_x(), whole = round(1000 * small_x()[, 1]) + 2^33)
  y <- round(1e6 * small_y("regression"))
  wanted <- cawi_rvfl(x, y, hidden = 5, lambda = 1, seed = 1)
  frame <- data.frame(x)
  frame$whole <- as_integer64(x[, "whole"])
  table <- frame
  table$y <- as_integer64(y)
  fits <- list(
    frame = cawi_rvfl(frame, y, hidden = 5, lambda = 1, seed = 1),
    response = cawi_rvfl(x, as_integer64(y), hidden = 5, lambda = 1, seed = 1),
    formula = cawi_rvfl(y ~ ., table, hidden = 5, lambda = 1, seed = 1)
  )
  for (fit in fits) {
    expect_equal(coef(fit), coef(wanted), ignore_attr = TRUE)
    expect_equal(predict(fit, frame), predict(wanted, x))
  }
  mixed <- frame
  mixed$flag <- rep(c(TRUE, FALSE), 20)
  by_frame <- cawi_rvfl(mixed, y, hidden = 5, lambda = 1, seed = 1)
  plain <- mixed
  plain$whole <- x[, "whole"]
  expect_equal(predict(by_frame, mixed), predict(cawi_rvfl(plain, y, hidden = 5, lambda = 1,
                                                           seed = 1), plain))
  bits <- structure(as_integer64(as.vector(round(10 * small_x()))), dim = dim(small_x()),
                    class = "integer64")
  expect_equal(as_numeric_matrix(bits, "x", NULL), unname(round(10 * small_x())))
  # Held-out rows keep their values.
  input <- input_of(mixed, y)
  expect_equal(input$mold("fail", 9:3)$x[, "whole"], x[9:3, "whole"], ignore_attr = TRUE)
})

dated <- function(m = 40) {
  x <- small_x(m)
  day <- as.Date("2021-03-01") + round(100 * x[, 1])
  data.frame(north = x[, 2], day = day,
             moment = as.POSIXct("2021-03-01", tz = "UTC") + 1e5 * x[, 3],
             span = as.difftime(x[, 4], units = "hours"))
}
dated_numbers <- function(data) {
  data.frame(north = data$north, day = as.double(data$day), moment = as.double(data$moment),
             span = as.double(data$span, units = "hours"))
}

test_that("dates, times and time spans are numbers, in tables and formulas", {
  data <- dated()
  y <- small_y("regression")
  wanted <- predict(cawi_rvfl(dated_numbers(data), y, hidden = 5, seed = 1), dated_numbers(data))
  other <- data
  units(other$span) <- "mins"
  list_time <- data
  list_time$moment <- as.POSIXlt(data$moment, tz = "UTC")
  for (input in list(list(data, y), list(y ~ ., cbind(data, y = y)))) {
    fit <- do.call(cawi_rvfl, c(input, list(hidden = 5, seed = 1)))
    expect_equal(predict(fit, data), wanted)
    expect_equal(predict(fit, other), wanted)
    expect_equal(predict(fit, list_time), wanted)
    for (wrong in list(transform(data, day = as.double(day)), transform(data, moment = day),
                       transform(data, span = as.double(span)), transform(data, north = day),
                       transform(data, day = as.character(day)))) {
      expect_error(predict(fit, wrong), class = "cawi_error_new_data")
    }
  }
})

test_that("matrix columns are features, in fits and predictions", {
  x <- small_x()
  y <- small_y("regression", x)
  data <- data.frame(group = rep(c("a", "b"), 20))
  data$block <- x[, 1:3]
  data$last <- x[, 4, drop = FALSE]
  plain <- data.frame(group = data$group, block = x[, 1:3], last = x[, 4])
  wanted <- predict(cawi_rvfl(plain, y, hidden = 5, seed = 1), plain)
  for (input in list(list(data, y), list(y ~ ., cbind(data, y = y)),
                     list(y ~ group + block + last, cbind(data, y = y)))) {
    fit <- do.call(cawi_rvfl, c(input, list(hidden = 5, seed = 1)))
    expect_identical(fit$feature_names, c("group_b", "block_north", "block_east", "block_south",
                                          "last"))
    expect_equal(predict(fit, data), wanted)
    expect_equal(predict(fit, data[9:7, ]), wanted[9:7], tolerance = 1e-10)
    turned <- data
    turned$block <- x[, 3:1]
    expect_equal(predict(fit, turned), wanted)
    narrow <- data
    narrow$block <- x[, 1:2]
    expect_error(predict(fit, narrow), class = "cawi_error_new_data")
  }
})

test_that("columns that are no numbers are refused by name", {
  y <- small_y("regression")
  base <- data.frame(small_x())
  for (column in list(complex(40), raw(40), as.list(1:40), I(as.list(1:40)), matrix("a", 40, 2))) {
    data <- base
    data$strange <- column
    error <- expect_error(cawi_rvfl(data, y, hidden = 3), class = "cawi_error_x")
    expect_match(conditionMessage(error), "strange")
    error <- expect_error(cawi_rvfl(y ~ ., cbind(y = y, data), hidden = 3), class = "cawi_error")
    expect_match(conditionMessage(error), "strange")
  }
  data <- base
  data$strange <- base[1:2]
  expect_error(cawi_rvfl(data, y, hidden = 3), class = "cawi_error_x")
})

test_that("levels: one, unused, missing as a level, none known", {
  y <- small_y("regression")
  x <- data.frame(small_x())
  coded <- function(column) input_of(cbind(x[1], f = column), y)$mold("fail")$x[, -1, drop = FALSE]
  expect_identical(unname(coded(factor(rep("a", 40)))), matrix(1, 40, 1))
  expect_identical(unname(coded(rep("a", 40))), matrix(1, 40, 1))
  unused <- coded(factor(rep(c("b", "c"), 20), c("a", "b", "c", "d")))
  expect_identical(colnames(unused), c("f_a", "f_b", "f_c", "f_d"))
  expect_identical(unname(colSums(unused)), c(0, 20, 20, 0))
  with_na <- coded(addNA(factor(rep(c("a", "b", NA, "a"), 10))))
  expect_identical(unname(colSums(with_na)), c(20, 10, 10))
  for (empty in list(NA_character_, factor(NA, "a"), NA)) {
    for (na_action in c("fail", "omit", "impute")) {
      expect_error(cawi_rvfl(cbind(x, f = empty), y, hidden = 3, na_action = na_action),
                   class = "cawi_error_x")
    }
  }
})

test_that("a type that changed is refused unless its values match exactly", {
  y <- small_y("regression")
  data <- cbind(data.frame(small_x()), size = factor(rep(c("1", "2", "3", "1"), 10)),
                town = rep(c("u", "v"), 20),
                flag = rep(c(TRUE, FALSE, FALSE, TRUE), 10))
  inputs <- list(list(data, y), list(y ~ ., cbind(data, y = y)))
  for (input in inputs) for (na_action in c("fail", "impute")) {
    fit <- do.call(cawi_rvfl, c(input, list(hidden = 5, seed = 1, na_action = na_action)))
    wanted <- predict(fit, data)
    expect_equal(predict(fit, transform(data, size = as.integer(as.character(size)))), wanted)
    expect_equal(predict(fit, transform(data, flag = as.integer(flag))), wanted)
    expect_equal(predict(fit, transform(data, flag = as.character(flag))), wanted)
    changed <- list(
      transform(data, size = 1.5), transform(data, size = flag),
      transform(data, north = as.character(north)),
      transform(data, north = factor(1)), transform(data, town = 1:40), transform(data, flag = 2),
      transform(data, flag = "yes"), transform(data, town = flag)
    )
    for (wrong in changed) expect_error(predict(fit, wrong), class = "cawi_error_new_data")
  }
})

test_that("columns without names of their own go by position", {
  y <- small_y("regression")
  data <- data.frame(small_x(), flag = rep(c(TRUE, FALSE), 20),
                     town = rep(c("u", "v", "w", "u"), 10))
  wanted <- predict(cawi_rvfl(data, y, hidden = 5, seed = 1), data)
  for (names in list(c("a", "b", "a", "c", "d", "e"), c("a", "", "b", "", "c", "d"),
                     c("a", NA, "b", "c", "d", "e"))) {
    odd <- stats::setNames(data, names)
    fit <- cawi_rvfl(odd, y, hidden = 5, seed = 1)
    expect_equal(predict(fit, odd), wanted)
    expect_equal(predict(fit, unname(odd)), wanted)
    expect_error(predict(fit, odd[1:5]), class = "cawi_error_new_data")
    numbers <- cawi_rvfl(odd[1:4], y, hidden = 5, seed = 1)
    expect_equal(predict(numbers, odd[1:4]), predict(cawi_rvfl(data[1:4], y, hidden = 5, seed = 1),
                                                     data))
  }
  # A name that stands twice in new data does not tell which column is meant.
  fit <- cawi_rvfl(data, y, hidden = 5, seed = 1)
  twice <- stats::setNames(cbind(data, 1), c(names(data), "north"))
  expect_error(predict(fit, twice), class = "cawi_error_new_data")
  fit <- cawi_rvfl(data[1:4], y, hidden = 5, seed = 1)
  expect_error(predict(fit, twice), class = "cawi_error_new_data")
})

test_that("a row of weight two is two rows for what is imputed", {
  expect_identical(weighted_median(c(3, 1, 2), c(1, 1, 1)), 2)
  expect_identical(weighted_median(c(1, 2), c(1, 1)), 1.5)
  expect_identical(weighted_median(c(1, 2, 3), c(1, 1, 2)), 2.5)
  expect_identical(weighted_median(c(1, NA, 5), c(1, 9, 2)), 5)
  data <- data.frame(number = round(20 * small_x()[, 1]), town = rep(c("u", "v", "w", "u"), 10),
                     flag = c(TRUE, FALSE))
  data$number[c(2, 9)] <- data$town[3] <- data$flag[5] <- NA
  w <- 1 + lehmer(40, 5) %% 4
  w[c(2, 3)] <- 0
  twice <- rep(seq_len(40), w)
  y <- small_y("regression")
  for (data in list(data, data["number"])) {
    weighted <- input_of(data, y, w)$mold("impute")
    repeated <- input_of(data[twice, , drop = FALSE], y[twice])$mold("impute")
    expect_identical(unname(weighted$x[twice, , drop = FALSE]), unname(repeated$x))
    expect_identical(weighted$case_weights, w)
  }
  formula <- input_of(y ~ ., cbind(data, y = y), w)
  expect_identical(formula$mold("impute", 1:20)$case_weights, w[1:20])
})

test_that("products are made of imputed variables", {
  data <- data.frame(a = small_x()[, 1], g = rep(c("u", "v", "u", "w"), 10),
                     y = small_y("regression"))
  full <- data
  data$a[3] <- data$g[6] <- NA
  full$a[3] <- stats::median(data$a, na.rm = TRUE)
  full$g[6] <- "u"
  found <- input_of(y ~ a * g, data)$mold("impute")$x
  expect_equal(found, input_of(y ~ a * g, full)$mold("fail")$x)
})

test_that("neither options nor the locale change a column", {
  data <- data.frame(number = c(0.1, 1e5, 123456.7, 2)[1 + lehmer(40, 3) %% 4],
                     y = small_y("regression"),
                     town = c("b", "A", "a",
                              "B")[1 + lehmer(40, 4) %% 4], day = as.Date("2021-01-01") + 1:40)
  make <- function() {
    part <- input_of(y ~ factor(number) + town + cut(number, 3) + weekdays(day), data)$mold("fail")
    frame <- input_of(data[c("number", "town")], data$y)$mold("fail")
    list(colnames(part$x), unname(part$x), frame$x,
         levels(input_of(cbind(1:40), data$town)$y))
  }
  wanted <- make()
  expect_identical(wanted[[4]], c("A", "B", "a", "b"))
  odd <- list(contrasts = c("contr.sum", "contr.helmert"), na.action = "na.fail", OutDec = ",",
              digits = 3L, scipen = -9L)
  old <- options(odd)
  on.exit(options(old))
  expect_identical(make(), wanted)
  expect_error(input_of(data.frame(a = TRUE, b = "u", c = 1i), 1)$mold("fail"),
               class = "cawi_error_x")
  # What was set is what stays, after errors too.
  expect_identical(options()[names(odd)], odd[names(options()[names(odd)])])
  locale <- Sys.getlocale("LC_COLLATE")
  on.exit(Sys.setlocale("LC_COLLATE", locale), add = TRUE)
  for (other in c("en_US.UTF-8", "de_DE.UTF-8", "C.UTF-8")) {
    if (suppressWarnings(Sys.setlocale("LC_COLLATE", other)) == "") next
    expect_identical(make(), wanted)
    expect_identical(Sys.getlocale("LC_COLLATE"), other)
  }
})

test_that("levels that were not there before are errors, or holes to be filled", {
  rule <- list(kind = "factor", levels = c("a", "b"), ordered = FALSE, name = "f")
  column <- factor(c("b", "c", NA))
  expect_error(conform_levels(rule, column, "factor", FALSE, "data", NULL),
               class = "cawi_error_data")
  expect_identical(conform_levels(rule, column, "factor", TRUE, "data", NULL),
                   factor(c("b", NA, NA), c("a", "b")))
  expect_error(conform_levels(rule, 3, "number", TRUE, "data", NULL), class = "cawi_error_data")
})

test_that("a matrix within a data frame is matched by names, or by places where it has none", {
  data <- data.frame(y = c(1, 3, 2, 5, 4))
  data$m <- cbind(a = c(1, 2, 4, 3, 5), b = c(2, 1, 0, 3, 1))
  fit <- cawi_rvfl(y ~ m, data, hidden = 3, seed = 1)
  named <- bare <- data
  named$m <- data$m[, 2:1]
  bare$m <- unname(data$m)
  expect_identical(predict(fit, named), predict(fit, data))
  expect_identical(predict(fit, bare), predict(fit, data))
})
