families <- c("gaussian", "t", "clayton", "frank", "gumbel")
inits <- c("iid", families)

# The six accuracies of rows of a table, as a matrix with the initializations as columns.
wide <- function(table, key) {
  rows <- unique(table[[key]])
  cells <- table$accuracy[match(outer(rows, inits, paste), paste(table[[key]], table$init))]
  matrix(cells, length(rows), dimnames = list(rows, inits))
}

# Rows copied by hand from the paper: six accuracies and the printed improvement.
expect_rows <- function(table, key, copied) {
  figures <- wide(table, key)
  for (row in names(copied)) {
    printed <- unique(table$improvement[table[[key]] == row])
    expect_identical(unname(c(figures[row, ], printed)), copied[[row]], label = row)
  }
}

test_that("the 83 sets have their sizes", {
  sets <- cawi_datasets()
  expect_s3_class(sets, "data.frame", exact = TRUE)
  expect_named(sets,
               c("name", "collection", "m", "d", "classes", "paper_m", "paper_d", "paper_classes",
                 "parts", "train", inits, "best", "gain", "improvement", "package", "note"))
  expect_identical(nrow(sets), 83L)
  expect_identical(anyDuplicated(sets$name), 0L)
  expect_identical(c(sum(sets$classes == 2), sum(sets$classes > 2)), c(30L, 53L))
  expect_identical(sets[c("m", "d", "classes")],
                   stats::setNames(sets[c("paper_m", "paper_d", "paper_classes")],
                                   c("m", "d", "classes")))
  size <- function(name) {
    unlist(sets[sets$name == name, c("paper_m", "paper_d", "paper_classes")], use.names = FALSE)
  }
  expect_identical(size("abalone"), c(4177L, 8L, 3L))
  expect_identical(size("arrhythmia"), c(452L, 262L, 13L))
  expect_identical(size("lenses"), c(24L, 4L, 3L))
  expect_identical(size("letter"), c(20000L, 16L, 26L))
  expect_identical(size("pittsburg_bridges_TYPE"), c(105L, 7L, 6L))
  expect_identical(size("statlog_shuttle"), c(58000L, 9L, 7L))
  expect_identical(size("synthetic_control"), c(600L, 60L, 6L))
  expect_identical(size("semeion"), c(1593L, 256L, 10L))
  expect_identical(size("bank"), c(4521L, 16L, 2L))
  expect_identical(size("titanic"), c(2201L, 3L, 2L))
  expect_identical(size("zoo"), c(101L, 16L, 7L))
  expect_identical(range(sets$d), c(3L, 262L))
  expect_identical(sum(sets$m), sum(sets$paper_m))
})

test_that("fourteen sets are in two parts", {
  sets <- cawi_datasets()
  two <- sets[sets$parts == 2, ]
  expect_identical(nrow(two), 14L)
  expect_setequal(two$name,
                  c("annealing", "thyroid", "conn_bench_vowel_deterding", "image_segmentation",
                    "horse_colic", "optical", "pendigits", "monks_1", "monks_3", "spect", "spectf",
                    "soybean",
                    "statlog_landsat", "statlog_shuttle"))
  expect_true(all(two$train > 0 & two$train < two$m & grepl("train part", two$note)))
  expect_true(all(is.na(sets$train[sets$parts == 1])))
  expect_identical(sets$train[sets$name == "annealing"], 798L)
  expect_identical(sets$collection[sets$name == "conn_bench_sonar_mines_rocks"],
                   "conn-bench-sonar-mines-rocks")
  expect_identical(sets$collection[sets$name == "oocytes_merluccius_states_2f"],
                   "oocytes_merluccius_states_2f")
  expect_identical(sets$collection[sets$name == "monks_1"], "monks-1")
  expect_identical(sets$collection[sets$name == "pittsburg_bridges_REL_L"],
                   "pittsburg-bridges-REL-L")
})

test_that("cells of the table of binary sets", {
  uci <- cawi_datasets("uci")
  expect_rows(uci[uci$task == "binary", ], "set", list(
    bank = c(89.6705, 89.8032, 89.7809, 89.6705, 89.8254, 89.7146, 0.1549),
    blood = c(76.7714, 77.0389, 77.5732, 77.5732, 77.4398, 77.4398, 0.8018),
    breast_cancer_wisc_prog = c(81.8462, 82.8462, 83.4231, 82.3718, 82.8974, 81.8846, 1.5769),
    conn_bench_sonar_mines_rocks = c(61.9861, 65.4123, 66.7944, 62.5900, 64.4948, 64.3786, 4.8083),
    hepatitis = c(85.1613, 86.4516, 86.4516, 85.8065, 85.8065, 87.0968, 1.9355),
    oocytes_trisopterus_nucleus_2f = c(79.1647, 80.5861, 80.2600, 81.1355, 80.0342, 80.1417,
                                       1.9708),
    spect = c(67.1698, 68.3019, 69.8113, 69.0566, 68.3019, 68.6792, 2.6415),
    statlog_heart = c(80.7407, 81.4815, 82.9630, 81.8519, 82.5926, 81.1111, 2.2223),
    titanic = c(77.9168, 77.9168, 78.1901, 77.9168, 77.9168, 77.9168, 0.2733)
  ))
})

test_that("cells of the table of multiclass sets", {
  uci <- cawi_datasets("uci")
  expect_rows(uci[uci$task == "multiclass", ], "set", list(
    abalone = c(63.5141, 63.6813, 63.8735, 63.8728, 63.9687, 64.0169, 0.5028),
    arrhythmia = c(70.8010, 71.0256, 71.0183, 70.8010, 71.2405, 71.2405, 0.4395),
    cardiotocography_10clases = c(70.7455, 69.9461, 70.6033, 70.3695, 70.2276, 70.3207, 0),
    glass = c(38.1617, 39.0808, 40.9413, 42.3367, 39.5570, 40.0221, 4.1750),
    iris = c(75.3333, 78.6667, 76.6667, 76.0000, 78.0000, 77.3333, 3.3334),
    letter = c(80.8500, 80.9050, 80.9750, 81.0350, 80.9650, 81.1450, 0.2950),
    page_blocks = c(95.3771, 95.7242, 95.8157, 95.5597, 95.5781, 95.5963, 0.4386),
    pittsburg_bridges_REL_L = c(63.1429, 63.2381, 68.8571, 65.2381, 66.2381, 66.8095, 5.7142),
    pittsburg_bridges_SPAN = c(63.0409, 64.2690, 67.4854, 64.2105, 64.2105, 63.2749, 4.4445),
    statlog_shuttle = c(98.7017, 98.7448, 98.7534, 98.7190, 98.7276, 98.7224, 0.0517),
    waveform_noise = c(86.3400, 86.4200, 86.5000, 86.4800, 86.3800, 86.4200, 0.1600),
    zoo = c(95.0000, 97.0000, 97.0000, 95.0000, 96.0000, 96.0000, 2.0000)
  ))
})

test_that("the means over the sets are the paper's", {
  uci <- cawi_datasets("uci")
  expect_identical(nrow(uci), 83L * 6L)
  figures <- wide(uci, "set")
  expect_false(anyNA(figures))
  expect_identical(unname(round(colMeans(figures), 2)), c(78.08, 78.63, 79.15, 78.63, 78.77, 78.70))
  best <- apply(figures[, families], 1, max)
  expect_identical(round(mean(best), 2), 79.35)
  expect_identical(round(mean(best - figures[, "iid"]), 2), 1.27)
  expect_identical(sum(best > figures[, "iid"]), 82L)
  expect_identical(names(which(best <= figures[, "iid"])), "cardiotocography_10clases")
  # Sums of the columns, to their last digit.
  sums <- c(6480.6486, 6526.5778, 6569.2575, 6526.4578, 6538.2982, 6532.2224)
  expect_equal(unname(colSums(figures)), sums, tolerance = 1e-9)
})

test_that("the table of sets repeats the cells and tells the best family", {
  sets <- cawi_datasets()
  figures <- wide(cawi_datasets("uci"), "set")
  expect_identical(unname(as.matrix(sets[inits])), unname(figures[sets$name, ]))
  expect_equal(sets$gain,
               unname(apply(figures[sets$name, families], 1, max) - figures[sets$name, "iid"]))
  # With the first of equals: t is the best on 45 sets.
  expect_identical(as.vector(table(factor(sets$best, families))), c(7L, 45L, 9L, 11L, 11L))
  expect_identical(sets$best[sets$name == "lenses"], "gaussian")
  off <- abs(sets$gain - sets$improvement) > 1e-8
  expect_identical(sets$name[off], "cardiotocography_10clases")
  expect_equal(c(sets$gain[off], sets$improvement[off]), c(-0.1422, 0))
})

test_that("the marks and notes of the tables", {
  uci <- cawi_datasets("uci")
  noted <- function(text) unique(uci$set[grepl(text, uci$note, fixed = TRUE)])
  expect_identical(noted("+0.0000; the cells give -0.1422"), "cardiotocography_10clases")
  expect_identical(noted("gumbel marked best; the highest is t"),
                   c("page_blocks", "pittsburg_bridges_REL_L"))
  expect_identical(noted("gumbel marked best; the highest is gaussian"), "statlog_landsat")
  expect_identical(noted("no cell marked best"), "waveform_noise")
  expect_identical(sum(nzchar(uci$note)), 5L * 6L)
  expect_identical(uci$init[uci$set == "zoo" & uci$marked], c("gaussian", "t"))
  expect_identical(uci$init[uci$set == "cardiotocography_10clases" & uci$marked], "iid")
  expect_identical(uci$init[uci$set == "page_blocks" & uci$marked], "gumbel")
  sets <- cawi_datasets()
  expect_match(sets$note[sets$name == "cardiotocography_10clases"], "printed improvement")
  expect_match(sets$note[sets$name == "congressional_voting"], "missing")
})

test_that("what the paper states about all sets, and what its cells give", {
  summary <- cawi_datasets("summary")
  expect_named(summary, c("quantity", "place", "stated", "cells", "note"))
  stated <- function(quantity) {
    unlist(summary[summary$quantity == quantity, c("stated", "cells")], use.names = FALSE)
  }
  expect_identical(stated("mean_iid"), c(78.08, 78.0801))
  expect_identical(stated("mean_best"), c(79.35, 79.3531))
  expect_identical(stated("mean_improvement"), c(1.27, 1.2730))
  expect_identical(stated("sets_better"), c(83, 82))
  expect_identical(stated("wilcoxon_w"), c(3403, 3484))
  expect_identical(stated("wilcoxon_w_max"), c(3486, 3486))
  expect_identical(stated("wilcoxon_log10_p_below"), c(-6, -14.56))
  expect_identical(stated("sets"), c(83, 83))
  expect_identical(stated("sets_binary"), c(30, 30))
  expect_identical(stated("sets_multiclass"), c(53, 53))
  expect_identical(stated("m_max"), c(58000, 58000))
  expect_identical(stated("d_max"), c(263, 262))
  expect_identical(stated("seconds_extra_below"), c(0.003, 0.00233))
  expect_true(all(nzchar(summary$note[summary$quantity %in% c("sets_better", "wilcoxon_w",
                                                              "d_max")])))
})

test_that("the Wilcoxon statistic of the cells is that of R", {
  sets <- cawi_datasets()
  test <- stats::wilcox.test(sets$gain, exact = FALSE)
  summary <- cawi_datasets("summary")
  expect_identical(test$statistic[["V"]], summary$cells[summary$quantity == "wilcoxon_w"])
  expect_identical(round(log10(test$p.value), 2),
                   summary$cells[summary$quantity == "wilcoxon_log10_p_below"])
  # The paper's statistic is that of the printed improvements, one of which is zero.
  printed <- suppressWarnings(stats::wilcox.test(sets$improvement, exact = FALSE))
  expect_identical(printed$statistic[["V"]], summary$stated[summary$quantity == "wilcoxon_w"])
})

test_that("the training times", {
  expect_identical(cawi_datasets("timing"),
                   data.frame(init = inits,
                              seconds = c(0.00691, 0.00824, 0.00924, 0.00727, 0.00733, 0.00742)))
})

medical_part <- function(study, model, seed) {
  medical <- cawi_datasets("medical")
  medical[medical$study == study & medical$model == model & medical$seed == seed, ]
}

test_that("cells of the tables of BreaKHis", {
  expect_rows(medical_part("breakhis", "rvfl", 42), "task", list(
    "AD vs DC" = c(71.0138, 73.2616, 72.3041, 69.7440, 70.0666, 71.0292, 2.2478),
    "FA vs DC" = c(63.5955, 65.3933, 65.3933, 65.3933, 64.2697, 64.2697, 1.7978),
    "PT vs MC" = c(61.9987, 62.3120, 61.9799, 61.6228, 63.7343, 60.9398, 1.7356),
    "TA vs PC" = c(56.3382, 56.7296, 58.5674, 57.4284, 59.7065, 61.9427, 5.6045)
  ))
  expect_rows(medical_part("breakhis", "drvfl", 42), "task", list(
    "AD vs DC" = c(74.1987, 71.0087, 69.7542, 66.2366, 75.2514, 66.2366, 1.0527),
    "FA vs PC" = c(72.8000, 70.2933, 73.1971, 74.8125, 72.9760, 73.2933, 2.0125),
    "PT vs DC" = c(64.4135, 72.4375, 68.7260, 64.4135, 77.3846, 64.4135, 12.9711),
    "TA vs PC" = c(57.0860, 58.6164, 61.1810, 57.8407, 57.4563, 57.0720, 4.0950)
  ))
  expect_rows(medical_part("breakhis", "bls", 42), "task", list(
    "AD vs DC" = c(70.7066, 71.0394, 70.8966, 69.7440, 72.3041, 71.8292, 1.5975),
    "AD vs MC" = c(63.8396, 65.8909, 68.5455, 65.3636, 66.0909, 66.4545, 4.7059),
    "TA vs MC" = c(60.1921, 61.8814, 63.5593, 63.2260, 63.5593, 61.5254, 3.3672),
    "TA vs PC" = c(61.1740, 60.8036, 62.2851, 60.4472, 60.0978, 61.5933, 1.1111)
  ))
  expect_rows(medical_part("breakhis", "rvfl", 7), "task", list(
    "AD vs DC" = c(70.6429, 72.8934, 73.1562, 69.4815, 70.3274, 71.2948, 2.5133),
    "FA vs PC" = c(68.1733, 67.6267, 68.8000, 67.2000, 69.4667, 67.9467, 1.2934),
    "TA vs PC" = c(56.5071, 57.2849, 58.9427, 61.8394, 59.3184, 58.4716, 5.3323)
  ))
  expect_rows(medical_part("breakhis", "rvfl", 123), "task", list(
    "AD vs DC" = c(70.3251, 73.1089, 72.5614, 69.9123, 70.2947, 71.3458, 2.7838),
    "PT vs LC" = c(56.7293, 62.5647, 60.5412, 59.3176, 59.3529, 60.4980, 5.8354),
    "TA vs PC" = c(56.7049, 56.9863, 58.3207, 57.6851, 59.4632, 61.6894, 4.9845)
  ))
})

test_that("cells of the tables of Schizophrenia", {
  expect_rows(medical_part("schizophrenia", "rvfl", 42), "task", list(
    "GM+WM" = c(60.3448, 61.7701, 63.0805, 63.1034, 62.4138, 63.1264, 2.7816),
    "GM" = c(62.4138, 63.7931, 62.4368, 62.4598, 61.7931, 61.1264, 1.3793),
    "WM" = c(61.0805, 60.3448, 61.0575, 62.3908, 61.0345, 59.6782, 1.3103)
  ))
  expect_rows(medical_part("schizophrenia", "drvfl", 42), "task", list(
    "GM+WM" = c(71.2874, 74.7816, 72.6437, 71.9770, 71.9310, 72.6437, 3.4942),
    "WM" = c(63.7701, 64.4828, 67.1494, 67.2184, 65.8391, 66.5287, 3.4483)
  ))
  expect_rows(medical_part("schizophrenia", "bls", 42), "task", list(
    "GM" = c(70.6667, 73.2414, 71.9540, 71.9080, 69.9540, 72.6207, 2.5747),
    "WM" = c(67.9080, 67.2184, 69.2184, 67.9080, 67.9080, 68.5287, 1.3104)
  ))
  expect_rows(medical_part("schizophrenia", "rvfl", 7), "task", list(
    "GM+WM" = c(60.7126, 61.9540, 63.4253, 62.8506, 62.6897, 63.0345, 2.7127),
    "WM" = c(61.4483, 60.5977, 62.5287, 61.8161, 61.2931, 59.9425, 1.0804)
  ))
  expect_rows(medical_part("schizophrenia", "rvfl", 123), "task", list(
    "GM" = c(62.7586, 63.4483, 62.6437, 62.7126, 64.0230, 61.3793, 1.2644),
    "WM" = c(60.8046, 62.6437, 61.2931, 61.8621, 60.7816, 59.4253, 1.8391)
  ))
})

test_that("the medical tables are whole", {
  medical <- cawi_datasets("medical")
  parts <- table(paste(medical$study, medical$model, medical$seed))
  expect_identical(as.vector(parts), rep(c(96L, 18L), each = 5))
  expect_true(all(table(medical$study, medical$model, medical$seed, medical$task,
                        medical$init) %in% 0:1))
  expect_setequal(medical$init, inits)
  # All pairs of a benign and a malignant kind, with the numbers of images of the text.
  images <- c(AD = 106, FA = 237, PT = 115, TA = 130, DC = 208, LC = 137, MC = 169, PC = 138)
  breakhis <- medical[medical$study == "breakhis", ]
  pairs <- outer(c("AD", "FA", "PT", "TA"), c("DC", "LC", "MC", "PC"), paste, sep = " vs ")
  expect_setequal(breakhis$task, pairs)
  expect_equal(breakhis$m,
               unname(images[substr(breakhis$task, 1, 2)] + images[substr(breakhis$task, 7, 8)]))
  expect_true(all(medical$m[medical$study == "schizophrenia"] == 146))
  # The printed improvement is the best copula's, to a unit of the last digit.
  for (part in split(medical, paste(medical$study, medical$model, medical$seed, medical$task))) {
    gain <- max(part$accuracy[part$init != "iid"]) - part$accuracy[part$init == "iid"]
    expect_lt(abs(gain - part$improvement[1]), 1.5e-4)
    expect_identical(part$marked, part$accuracy == max(part$accuracy))
  }
})

test_that("notes tell the cells that five folds cannot give", {
  medical <- cawi_datasets("medical")
  noted <- grepl("five equal folds", medical$note)
  count <- tapply(noted, paste(medical$study, medical$model, medical$seed), sum)
  expect_identical(count[["breakhis rvfl 42"]], 0L)
  expect_identical(as.vector(count[paste("breakhis",
                                         c("rvfl 7", "rvfl 123", "drvfl 42", "bls 42"))]),
                   c(79L, 87L, 13L, 27L))
  expect_identical(as.vector(count[paste("schizophrenia",
                                         c("rvfl 42", "rvfl 7", "rvfl 123", "drvfl 42",
                                           "bls 42"))]),
                   c(0L, 2L, 1L, 0L, 0L))
  expect_false(any(grepl("five equal folds", cawi_datasets("uci")$note)))
  # Five folds of 55 rows give multiples of 100 / 275, worked out without the script.
  equal <- medical[medical$m %% 5 == 0, ]
  right <- equal$accuracy * equal$m / 100
  off <- abs(right - round(right)) * 100 / equal$m > 5.1e-5
  expect_identical(off, grepl("five equal folds", equal$note))
  expect_identical(unique(medical$task[grepl("for gaussian", medical$note)]), "FA vs PC")
})

test_that("the files are plain text without quotes that are not needed", {
  files <- list.files(system.file("extdata", "paper", package = "cawi"), full.names = TRUE)
  expect_setequal(basename(files),
                  paste0(c("datasets", "uci", "summary", "timing", "medical"), ".csv"))
  for (file in files) {
    lines <- readLines(file)
    quoted <- regmatches(lines, gregexpr("\"[^\"]*\"", lines))
    expect_true(all(grepl(",", unlist(quoted), fixed = TRUE)))
    expect_true(all(utf8ToInt(paste(lines, collapse = "")) < 128L))
    expect_lt(file.size(file), 1e5)
  }
})

test_that("the script gives the files of the package, cell by cell", {
  paper <- Sys.getenv("CAWI_PAPER")
  skip_if(paper == "", "CAWI_PAPER does not name the paper's source")
  index <- Sys.getenv("CAWI_INDEX", file.path(dirname(paper), "uci", "INDEX.csv"))
  skip_if_not(file.exists(index), "CAWI_INDEX does not name the index of the sets")
  script <- system.file("experiments", "extract-paper.R", package = "cawi")
  folder <- new_folder()
  rscript <- file.path(R.home("bin"), "Rscript")
  status <- system2(rscript, shQuote(c("--vanilla", script, paper, index, folder)))
  expect_identical(status, 0L)
  shipped <- system.file("extdata", "paper", package = "cawi")
  expect_setequal(list.files(folder), list.files(shipped))
  for (file in list.files(shipped)) {
    expect_identical(readLines(file.path(folder, file)), readLines(file.path(shipped, file)),
                     label = file)
  }
})

test_argument_errors(alist(
  what = cawi_datasets("all"),
  what = cawi_datasets(1),
  what = cawi_datasets(NULL),
  what = cawi_datasets(c("sets", "uci"))
))
