frame <- mixed_frame()
survey_of <- function(frames, x = number ~ ., na_action = "fail", weights = NULL) {
  source <- cawi_source(frames)
  asked <- list(x = x, case_weights = weights, na_action = na_action)
  shards <- read_pass(source, survey_pass(asked, source, 1), list(threads = 1L, call = NULL))
  shards[[1]]$state
}
cut_rows <- function(frame, at) unname(split(frame, cumsum(seq_len(nrow(frame)) %in% at)))

test_that("moments and counts of chunks are those of all rows", {
  survey <- survey_of(cut_rows(frame, c(8, 9, 60)))
  place <- match(c("north", "number", "flag"), survey$needed)
  expect_equal(survey$moments$mean[place], c(mean(frame$north), mean(frame$number),
                                             mean(frame$flag)))
  expect_equal(survey$moments$sd[place], c(sample_sd(frame$north), sample_sd(frame$number),
                                           sample_sd(frame$flag)))
  counts <- survey$levels$group
  expect_equal(counts$weight[match(c("a", "b", "c"), counts$level)],
               as.vector(table(frame$group)) + 0)
  # The first row with each level.
  expect_identical(counts$row[match("c", counts$level)], 2)
  weighted <- survey_of(cut_rows(frame, 50), weights = quote(times))
  expect_equal(weighted$moments$sd[place[1]], sample_sd(frame$north, frame$times))
  expect_identical(weighted$weight, sum(frame$times))
})

test_that("a column without values yet becomes what its first value is", {
  late <- frame
  late$north <- NA
  late$group <- NA
  survey <- survey_of(list(late[1:9, ], frame[10:20, ]), na_action = "impute")
  expect_identical(survey$rules$north$kind, "number")
  expect_identical(survey$rules$group$kind, "text")
  expect_identical(survey$moments$weight[match("north", survey$needed)], 11)
  # A chunk of missing values later on is no change of type.
  survey <- survey_of(list(frame[10:20, ], late[1:9, ]), na_action = "omit")
  expect_identical(survey$rows, 11)
  expect_identical(survey$read, 20)
})

test_that("types that change, other columns and missing values are told with their chunk", {
  changed <- frame
  changed$north <- as.character(changed$north)
  expect_error(survey_of(list(frame, changed)), "Chunk 2.*north.*text", class = "cawi_error_source")
  expect_error(survey_of(list(frame, frame[-1])), "Chunk 2.*lacks.*north",
               class = "cawi_error_source")
  holes <- frame
  holes$east[4] <- NA
  expect_error(survey_of(list(frame, frame, holes)), "Chunk 3.*missing values.*east",
               class = "cawi_error_source")
  holes$number[4] <- NA
  expect_error(survey_of(list(holes), na_action = "impute"), "number", class = "cawi_error_data")
  infinite <- frame
  infinite$west[2] <- Inf
  expect_error(survey_of(list(infinite), na_action = "omit"), "infinite.*west",
               class = "cawi_error_source")
  expect_error(cawi_elm(number ~ nowhere, cawi_source(frame)), class = "cawi_error")
  odd <- frame
  odd$group <- addNA(factor(replace(odd$group, 3, NA)))
  expect_error(survey_of(list(odd)), "NA as a level", class = "cawi_error_source")
  expect_error(survey_of(list(frame), weights = quote(nothing)), class = "cawi_error_case_weights")
  expect_error(survey_of(list(frame), weights = quote(-times)), class = "cawi_error_case_weights")
  list_column <- frame
  list_column$north <- as.list(list_column$north)
  expect_error(survey_of(list(list_column)), class = "cawi_error_source")
})

test_that("levels of factors join in the order in which they come", {
  one <- data.frame(number = c(1, 2, 5), f = factor(c("x", "y", "x"), c("y", "x")))
  two <- data.frame(number = c(3, 4), f = factor(c("z", "y")))
  survey <- survey_of(list(one, two))
  expect_identical(survey$rules$f$all_levels, c("y", "x", "z"))
  fit <- cawi_elm(number ~ f, cawi_source(list(one, two)), hidden = 2, seed = 1, lambda = 1)
  expect_identical(fit$feature_names, c("f_y", "f_x", "f_z"))
})

test_that("a chunk without weight is no mistake", {
  none <- frame
  none$times <- rep(c(0, 1), each = 45)
  fit <- cawi_elm(number ~ north, cawi_source(none, chunk = 15), hidden = 4, seed = 1, lambda = 1,
                  case_weights = times)
  whole <- cawi_elm(number ~ north, none[46:90, ], hidden = 4, seed = 1, lambda = 1)
  expect_identical(fit$nobs, 45)
  expect_equal(predict(fit, frame), predict(whole, frame), tolerance = 1e-9)
})
