# The numbers of the paper's tables as tidy text files, from its LaTeX source and the index of the
# data sets:
#   Rscript extract-paper.R <paper.tex> <INDEX.csv> <output folder>
# Figures stay the characters that the paper prints. Where a table contradicts itself, the text or
# what five folds can give, the figures stay and `note` says so.

inits <- c("iid", "gaussian", "t", "clayton", "frank", "gumbel")

# Tables of accuracies: where they are, what they report, and the sets of columns that identify a
# row.
medical_tables <- utils::read.table(header = TRUE, text = "
  label                       study         model seed
  tab:rvfl-breakhis-accuracy  breakhis      rvfl    42
  tab:breakhis-seed7          breakhis      rvfl     7
  tab:breakhis-seed123        breakhis      rvfl   123
  tab:drvfl-breakhis-accuracy breakhis      drvfl   42
  tab:bls-breakhis-accuracy   breakhis      bls     42
  tab:rvfl-schizo-accuracy    schizophrenia rvfl    42
  tab:sz-seed7                schizophrenia rvfl     7
  tab:sz-seed123              schizophrenia rvfl   123
  tab:drvfl-schizo-accuracy   schizophrenia drvfl   42
  tab:bls-schizo-accuracy     schizophrenia bls     42
")
uci_tables <- c(binary = "tab:rvfl-benchmark-accuracy", multiclass = "tab:rvfl-multiclass-accuracy")

# What the sets' own values show; the rest of the notes come with the index.
data_notes <- c(
  congressional_voting =
    "yes and no have one code: the features only tell whether a vote is missing",
  iris = "three cells differ from R's iris (rows 35 and 38)"
)

# Where the text reads a table otherwise than it stands: study, model, seed and task.
text_notes <- c("breakhis rvfl 42 FA vs PC" = "the text counts this task for gaussian")

# ---- LaTeX ---------------------------------------------------------------------------------------

stop_unless <- function(ok, ...) if (!isTRUE(ok)) stop(..., call. = FALSE)

# The lines of the table with a label.
table_lines <- function(tex, label) {
  at <- grep(paste0("\\label{", label, "}"), tex, fixed = TRUE)
  stop_unless(length(at) == 1L, "one table ", label, " expected, found ", length(at))
  end <- grep("\\end{tabular}", tex, fixed = TRUE)
  tex[at:min(end[end > at])]
}

# The cells between \midrule and \bottomrule, one vector per row.
table_cells <- function(tex, label) {
  lines <- table_lines(tex, label)
  body <- lines[seq(grep("\\midrule", lines, fixed = TRUE) + 1L,
                    grep("\\bottomrule", lines, fixed = TRUE) - 1L)]
  body <- sub("\\\\\\\\ *$", "", body)
  lapply(strsplit(body, "&", fixed = TRUE), trimws)
}

# \bestcell{1.5} and \bestdelta{1.5} to 1.5.
bare <- function(cell) sub("^\\\\best(cell|delta)\\{(.*)\\}$", "\\2", cell)
is_marked <- function(cell) startsWith(cell, "\\bestcell")

check_figures <- function(x, label) {
  ok <- grepl("^[+-]?[0-9]+\\.[0-9]{4}$", x)
  stop_unless(all(ok), label, ": not a figure: ", paste(x[!ok], collapse = ", "))
  x
}

# A table of accuracies in long form: six lines for each row of the table.
accuracy_table <- function(tex, label) {
  cells <- table_cells(tex, label)
  stop_unless(all(lengths(cells) == 8L), label, ": rows of eight cells expected")
  rows <- lapply(cells, function(cell) {
    figures <- cell[2:7]
    data.frame(row = cell[1L], init = inits, accuracy = check_figures(bare(figures), label),
               marked = is_marked(figures), improvement = check_figures(bare(cell[8L]), label))
  })
  do.call(rbind, rows)
}

# ---- notes ---------------------------------------------------------------------------------------

# A row's marks and printed improvement against its cells. A difference of printed figures may be
# off by one in the last digit.
row_note <- function(row) {
  accuracy <- as.numeric(row$accuracy)
  gain <- max(accuracy[-1L]) - accuracy[1L]
  highest <- accuracy == max(accuracy)
  note <- character()
  if (abs(gain - as.numeric(row$improvement[1L])) > 1.5e-4) {
    note <- sprintf("printed improvement %s; the cells give %+.4f", row$improvement[1L], gain)
  }
  if (!identical(row$marked, highest)) {
    marks <- if (any(row$marked)) paste(row$init[row$marked], collapse = " and ") else "no cell"
    note <- c(note,
              sprintf("%s marked best; the highest is %s", marks,
                      paste(row$init[highest], collapse = " and ")))
  }
  paste(note, collapse = "; ")
}

# Whether the mean of the accuracies in five folds of m rows, as equal as can be, can be this
# figure: some number of right answers in the larger folds and some in the smaller ones must give
# it.
is_attainable <- function(accuracy, m) {
  size <- diff(ceiling(0:5 * m / 5))
  large <- max(size)
  right_small <- if (min(size) < large) 0:sum(size[size < large]) else 0
  right_large <- (as.numeric(accuracy) / 20 - right_small / min(size)) * large
  nearest <- pmin(pmax(round(right_large), 0), sum(size[size == large]))
  # Half a unit of the last printed digit, and a little for the arithmetic.
  any(abs(right_large - nearest) * 20 / large < 5.1e-5)
}

cell_note <- function(accuracy, m) {
  if (is_attainable(accuracy, m)) "" else sprintf("not a mean over five equal folds of %d rows", m)
}

join_notes <- function(...) {
  apply(cbind(...), 1L, function(note) paste(note[nzchar(note)], collapse = "; "))
}

# Notes on a long table whose rows of the paper are told by `key`, with `m` rows of data each.
add_notes <- function(table, key, m) {
  by_row <- vapply(split(table, factor(key, unique(key))), row_note, character(1))
  table$note <- join_notes(by_row[key], mapply(cell_note, table$accuracy, m))
  rownames(table) <- NULL
  table
}

# ---- the data sets -------------------------------------------------------------------------------

unescape <- function(x) gsub("\\_", "_", x, fixed = TRUE)

# The table of sizes: two sets a line, the class counts of the left one in a \multicolumn.
paper_sizes <- function(tex) {
  lines <- gsub("\\\\multicolumn\\{1\\}\\{c\\|\\}\\{([0-9]+)\\}", "\\1",
                table_lines(tex, "tab:dataset_detail"))
  found <- unlist(regmatches(lines, gregexpr("[A-Za-z0-9_\\]+( & [0-9]+){3}", lines)))
  cells <- do.call(rbind, strsplit(found, " & ", fixed = TRUE))
  data.frame(name = unescape(cells[, 1L]), paper_m = as.integer(cells[, 2L]),
             paper_d = as.integer(cells[, 3L]),
             paper_classes = as.integer(cells[, 4L]))
}

# The name of a set's files in the collection, and the rows of the first of two parts.
collection_name <- function(source) sub("(_train)?\\.csv.*$", "", sub("^[^ ]+ data/", "", source))
first_part <- function(note) {
  pattern <- "^train part \\(([0-9]+) rows.*"
  ifelse(grepl(pattern, note), sub(pattern, "\\1", note), NA_character_)
}

datasets_table <- function(tex, index) {
  sizes <- paper_sizes(tex)
  stop_unless(setequal(sizes$name, index$name) && !anyDuplicated(sizes$name),
              "the index and the paper differ in names")
  sizes <- sizes[match(index$name, sizes$name), ]
  train <- as.integer(first_part(index$note))
  own <- ifelse(index$name %in% names(data_notes), data_notes[index$name], "")
  table <- data.frame(name = index$name, collection = collection_name(index$source), m = index$m,
                      d = index$d,
                      classes = index$classes, sizes[-1L], parts = ifelse(is.na(train), 1L, 2L),
                      train = train,
                      note = join_notes(index$note, own))
  table[order(table$name, method = "radix"), ]
}

# ---- the tables of accuracies --------------------------------------------------------------------

uci_table <- function(tex, sets) {
  tables <- lapply(names(uci_tables),
                   function(task) cbind(task = task, accuracy_table(tex, uci_tables[[task]])))
  table <- do.call(rbind, tables)
  table$row <- unescape(table$row)
  names(table)[names(table) == "row"] <- "set"
  set <- match(table$set, sets$name)
  stop_unless(!anyNA(set) && setequal(table$set, sets$name),
              "the tables of accuracies and of sizes differ in names")
  stop_unless(identical(table$task == "binary", sets$classes[set] == 2L),
              "a set is in the wrong table")
  table <- add_notes(table, table$set, sets$m[set])
  table[order(table$set, method = "radix"),
        c("set", "task", "init", "accuracy", "marked", "improvement", "note")]
}

# The numbers of images of each kind and of subjects, as the text gives them.
medical_rows <- function(tex, study, task) {
  if (study == "schizophrenia") {
    subjects <- c(text_number(tex, "includes ([0-9]+) schizophrenia subjects"),
                  text_number(tex, "and ([0-9]+) healthy controls"))
    return(rep(sum(as.integer(subjects)), length(task)))
  }
  pattern <- "\\(([A-Z]{2}), ([0-9]+)\\)"
  found <- unlist(regmatches(tex, gregexpr(pattern, tex)))
  images <- stats::setNames(as.integer(sub(pattern, "\\2", found)), sub(pattern, "\\1", found))
  unname(images[substr(task, 1L, 2L)] + images[substr(task, 7L, 8L)])
}

medical_table <- function(tex, label, study, model, seed) {
  table <- accuracy_table(tex, label)
  task <- gsub(".\\", "", table$row, fixed = TRUE)
  task <- sub("SZ--ROI ", "", task, fixed = TRUE)
  m <- medical_rows(tex, study, task)
  stop_unless(!anyNA(m), label, ": unknown task")
  table <- add_notes(table, task, m)
  text <- text_notes[paste(study, model, seed, task)]
  table$note <- join_notes(table$note, ifelse(is.na(text), "", text))
  cbind(study = study, model = model, seed = seed, task = task, m = m, table[-1L])
}

# ---- the summaries -------------------------------------------------------------------------------

# The one place where the text gives a number.
text_number <- function(tex, pattern) {
  found <- unlist(regmatches(tex, gregexpr(pattern, tex)))
  stop_unless(length(unique(found)) == 1L, "one number expected: ", pattern)
  sub(pattern, "\\1", found[1L])
}

# What the paper states about the 83 sets beside what its tables give.
summary_table <- function(tex, sets, uci, timing) {
  accuracy <- matrix(as.numeric(uci$accuracy), 6L)
  best <- apply(accuracy[-1L, ], 2L, max)
  gain <- best - accuracy[1L, ]
  extra <- as.numeric(timing$seconds[-1L]) - as.numeric(timing$seconds[1L])
  # Ranks of the printed figures: equal differences must tie.
  ranks <- rank(abs(round(gain, 4L)))
  p <- stats::wilcox.test(round(gain, 4L), exact = FALSE)$p.value
  stated <- function(quantity, place, pattern, cells, note = "") {
    data.frame(quantity = quantity, place = place,
               stated = gsub("[{},]", "", text_number(tex, pattern)),
               cells = as.character(cells), note = note)
  }
  rbind(
    stated("mean_iid", "table", "Mean accuracy \\(i\\.i\\.d\\.\\) & ([0-9.]+)",
           sprintf("%.4f", mean(accuracy[1L, ]))),
    stated("mean_best", "table", "Mean accuracy \\(Best CAWI\\) & ([0-9.]+)",
           sprintf("%.4f", mean(best))),
    stated("mean_improvement", "table", "Mean improvement & \\+([0-9.]+)",
           sprintf("%.4f", mean(gain))),
    stated("sets_better", "table", "CAWI \\$>\\$ i\\.i\\.d\\. & ([0-9]+)", sum(gain > 0),
           "cardiotocography_10clases is lower by 0.1422 and its improvement printed as +0.0000"),
    stated("wilcoxon_w", "text", "statistic is \\$W = ([0-9]+)", format(sum(ranks[gain > 0])),
           paste("the largest value for 82 pairs:",
                 "cardiotocography_10clases seems to have entered as zero")),
    stated("wilcoxon_w_max", "text", "for 83 paired observations is ([0-9]+)",
           length(gain) * (length(gain) + 1) / 2),
    stated("wilcoxon_log10_p_below", "text", "p < 10\\^\\{(-[0-9]+)\\}", sprintf("%.2f", log10(p))),
    stated("sets", "text", "evaluate RVFL on ([0-9]+) UCI datasets", nrow(sets)),
    stated("sets_binary", "text", "comprising ([0-9]+) binary", sum(sets$paper_classes == 2L)),
    stated("sets_multiclass", "text", "binary and ([0-9]+) multiclass classification",
           sum(sets$paper_classes > 2L)),
    stated("classes_max", "text", "classes ranges from 2 to ([0-9]+)", max(sets$paper_classes)),
    stated("m_min", "text", "sizes span from ([0-9]+)", min(sets$paper_m)),
    stated("m_max", "text", "sizes span from 24 to ([0-9{},]+)", max(sets$paper_m)),
    stated("d_min", "text", "features ranges from ([0-9]+)", min(sets$paper_d)),
    stated("d_max", "text", "features ranges from 3 to ([0-9]+)", max(sets$paper_d),
           "the largest is arrhythmia"),
    stated("seconds_extra_below", "text", "remains below \\$([0-9.]+)\\$ seconds",
           sprintf("%.5f", max(extra)))
  )
}

timing_table <- function(tex) {
  cells <- table_cells(tex, "tab:training_time_summary")[[1L]]
  stop_unless(length(cells) == 7L, "six times expected")
  data.frame(init = inits, seconds = cells[-1L])
}

# ---- files ---------------------------------------------------------------------------------------

# Quotes only where a field has a comma.
write_plain_csv <- function(table, path) {
  columns <- lapply(table, function(column) {
    text <- ifelse(is.na(column), "", as.character(column))
    ifelse(grepl("[,\"]", text), paste0("\"", gsub("\"", "\"\"", text, fixed = TRUE), "\""), text)
  })
  writeLines(c(paste(names(table), collapse = ","), do.call(paste, c(unname(columns), sep = ","))),
             path)
}

extract_paper <- function(paper, index, folder) {
  tex <- readLines(paper, encoding = "UTF-8", warn = FALSE)
  sets <- datasets_table(tex, utils::read.csv(index, na.strings = character()))
  uci <- uci_table(tex, sets)
  timing <- timing_table(tex)
  medical <- do.call(rbind,
                     do.call(Map, c(list(medical_table, list(tex)), as.list(medical_tables))))
  tables <- list(datasets = sets, uci = uci, summary = summary_table(tex, sets, uci, timing),
                 timing = timing,
                 medical = medical)
  dir.create(folder, recursive = TRUE, showWarnings = FALSE)
  for (name in names(tables)) {
    write_plain_csv(tables[[name]], file.path(folder, paste0(name, ".csv")))
  }
}

arguments <- commandArgs(trailingOnly = TRUE)
stop_unless(length(arguments) == 3L,
            "usage: Rscript extract-paper.R <paper.tex> <INDEX.csv> <output folder>")
extract_paper(arguments[1L], arguments[2L], arguments[3L])
