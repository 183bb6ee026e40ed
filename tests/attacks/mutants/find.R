# Mutants of R code, from the parse data of a file. Each is a text that replaces the one between two
# places of the file: an operator, a constant, a negated condition, a dropped statement, a function
# with an opposite, or NULL instead of a whole function.

operator_swaps <- c(
  "'+'" = "-", "'-'" = "+", "'*'" = "/", "'/'" = "*", "'!'" = "", LT = "<=", LE = "<", GT = ">=",
  GE = ">", EQ = "!=", NE = "==", AND = "|", AND2 = "||", OR = "&", OR2 = "&&"
)
call_swaps <- c(
  min = "max", max = "min", pmin = "pmax", pmax = "pmin", any = "all", all = "any",
  is.null = "!is.null", floor = "ceiling", ceiling = "floor", which.min = "which.max",
  which.max = "which.min", nrow = "ncol", ncol = "nrow", NROW = "NCOL", NCOL = "NROW",
  rowSums = "colSums", colSums = "rowSums", union = "intersect", setdiff = "intersect",
  head = "tail", tail = "head", sum = "mean", isTRUE = "isFALSE", unique = "identity"
)
# Words to the user, and how far the work is: their text is not tested, that they come is.
message_calls <- "^(abort|warn|inform|message|stop|cli|progress|warning|qty$)"
# The length of a vector of a type: a wrong one is an error of R.
type_calls <- c("numeric", "character", "logical", "integer", "double")

# A table of the mutants of one file.
find_r_mutants <- function(path, name) {
  parsed <- parse(path, keep.source = TRUE)
  data <- utils::getParseData(parsed, includeText = TRUE)
  data <- data[data$token != "COMMENT", ]
  if (nrow(data) == 0L) return(NULL)
  tree <- list(data = data, row = match(data$parent, data$id),
               children = split(seq_len(nrow(data)), factor(data$parent, unique(data$id))),
               top = top_level(data))
  found <- do.call(rbind, c(
    list(operator_mutants(tree), constant_mutants(tree), call_mutants(tree)),
    list(condition_mutants(tree), statement_mutants(tree), body_mutants(tree))
  ))
  if (NROW(found) == 0L) return(NULL)
  top <- tree$top[found$node]
  found$place <- vapply(top, function(i) place_name(tree, i), "")
  found$expression <- match(top, sort(unique(tree$top)))
  found <- found[!is_worded(tree, found), ]
  # Parse data count columns in another way where letters are not plain.
  text <- mapply(text_between, list(readLines(path)), found$line, found$column, found$last_line,
                 found$last_column)
  found <- found[text == found$from, ]
  data.frame(file = rep(name, nrow(found)), found[setdiff(names(found), "node")])
}

text_between <- function(lines, line, column, last_line, last_column) {
  if (line == last_line) return(substr(lines[line], column, last_column))
  middle <- if (last_line > line + 1L) lines[(line + 1L):(last_line - 1L)]
  paste(c(substring(lines[line], column), middle, substr(lines[last_line], 1L, last_column)),
        collapse = "\n")
}

# The row of the expression at the top of the file that each row is in.
top_level <- function(data) {
  row <- seq_len(nrow(data))
  above <- match(data$parent, data$id)
  while (any(!is.na(above[row]))) row <- ifelse(is.na(above[row]), row, above[row])
  row
}

children_of <- function(tree, row) tree$children[[as.character(tree$data$id[row])]]

place_name <- function(tree, top) {
  children <- children_of(tree, top)
  if (length(children) < 3L || tree$data$token[children[2L]] != "LEFT_ASSIGN") return("")
  tree$data$text[children[1L]]
}

# Rows of the nodes that a row is in, from the inside.
ancestors <- function(tree, row) {
  above <- integer()
  while (!is.na(row <- tree$row[row])) above <- c(above, row)
  above
}

# The function that a node calls, or "".
called <- function(tree, row) {
  first <- children_of(tree, row)[1L]
  if (is.na(first) || tree$data$token[first] != "expr") return("")
  inner <- children_of(tree, first)
  name <- inner[tree$data$token[inner] == "SYMBOL_FUNCTION_CALL"]
  if (length(name) == 1L) tree$data$text[name] else ""
}

# Is a change within words to the user, or in a formula? A statement that is dropped with its words
# counts.
is_worded <- function(tree, found) {
  vapply(seq_len(nrow(found)), function(i) {
    above <- ancestors(tree, found$node[i])
    calls <- vapply(above, function(row) called(tree, row), "")
    formula <- vapply(above, function(row) {
      "'~'" %in% tree$data$token[children_of(tree, row)]
    }, NA)
    any(grepl(message_calls, calls)) || any(formula)
  }, NA)
}

change <- function(tree, rows, kind, to) {
  data <- tree$data[rows, ]
  data.frame(node = rows, line = data$line1, column = data$col1, last_line = data$line2,
             last_column = data$col2, kind = rep(kind, length(rows)), from = data$text,
             to = rep_len(to, length(rows)))
}

operator_mutants <- function(tree) {
  rows <- which(tree$data$token %in% names(operator_swaps))
  # A plus before a number changes nothing, and an argument may be called `!`.
  rows <- rows[tree$data$text[rows] != "+" | lengths(lapply(tree$row[rows], function(row) {
    children_of(tree, row)
  })) == 3L]
  change(tree, rows, "operator", unname(operator_swaps[tree$data$token[rows]]))
}

constant_mutants <- function(tree) {
  text <- tree$data$text
  rows <- which(tree$data$token == "NUM_CONST" & !grepl("^(NA|Inf|NaN)", text))
  length_of <- vapply(rows, function(row) {
    above <- ancestors(tree, row)
    called(tree, above[2L]) %in% type_calls
  }, NA)
  rows <- rows[!length_of]
  to <- vapply(text[rows], function(number) {
    if (number %in% c("TRUE", "FALSE")) return(if (number == "TRUE") "FALSE" else "TRUE")
    value <- eval(str2lang(number))
    # One more is nothing for a large number.
    if (value >= 100) return(sprintf("(%s * 2)", number))
    if (is.integer(value)) sprintf("%dL", value + 1L) else sprintf("(%s + 1)", number)
  }, "")
  change(tree, rows, "constant", unname(to))
}

call_mutants <- function(tree) {
  data <- tree$data
  rows <- which(data$token == "SYMBOL_FUNCTION_CALL" & data$text %in% names(call_swaps))
  swapped <- change(tree, rows, "call", unname(call_swaps[data$text[rows]]))
  calls <- tree$row[tree$row[data$token == "SYMBOL_FUNCTION_CALL" & data$text == "seq_len"]]
  calls <- calls[!is.na(calls)]
  rbind(swapped, change(tree, calls, "call", paste0(data$text[calls], "[-1L]")))
}

condition_mutants <- function(tree) {
  tests <- tree$row[tree$data$token %in% c("IF", "WHILE")]
  rows <- vapply(tests, function(row) {
    children <- children_of(tree, row)
    children[which(tree$data$token[children] == "'('")[1L] + 1L]
  }, 0L)
  change(tree, rows, "condition", sprintf("!(%s)", tree$data$text[rows]))
}

# Calls and conditions, and assignments that change what was there before: without any other
# assignment the rest does not run.
statement_mutants <- function(tree) {
  data <- tree$data
  blocks <- tree$row[data$token == "'{'"]
  rows <- unlist(lapply(blocks, function(row) {
    children <- children_of(tree, row)
    children[!data$token[children] %in% c("'{'", "'}'", "SYMBOL", "NUM_CONST")]
  }))
  rows <- rows[vapply(rows, function(row) is_droppable(tree, row), NA)]
  change(tree, rows, "statement", rep("NULL", length(rows)))
}

is_droppable <- function(tree, row) {
  children <- children_of(tree, row)
  tokens <- tree$data$token[children]
  if (length(children) < 2L || "FUNCTION" %in% tokens) return(FALSE)
  if (grepl("^(progress|cli_progress|step$)", called(tree, row))) return(FALSE)
  if (!"LEFT_ASSIGN" %in% tokens) return(TRUE)
  left <- tree$data$text[children[1L]]
  if (!grepl("^[A-Za-z._0-9]+$", left)) return(TRUE)
  right <- all.names(str2lang(tree$data$text[children[3L]]))
  left %in% right
}

body_mutants <- function(tree) {
  rows <- tree$row[tree$data$token == "FUNCTION"]
  bodies <- vapply(rows, function(row) {
    children <- children_of(tree, row)
    children[length(children)]
  }, 0L)
  bodies <- bodies[tree$data$text[bodies] != "NULL"]
  change(tree, bodies, "body", rep("NULL", length(bodies)))
}
