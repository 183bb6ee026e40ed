# Full disks, limits on the size of files, read-only folders, and places that are no files.

target <- new_folder()
all_writers <- writers(target)

scenario("full disk: report, predictions", {
  found <- with_disk("400k", function(disk) {
    found <- counts()
    for (writer in all_writers) {
      # From nothing to all but the last block of what is written.
      sizes <- c(0, 4096, 8192, 16384, length(writer$whole) - c(4096, 1, 0), 120000)
      for (leave in sizes) {
        unlink(file.path(disk, all_files(disk)))
        writeBin(charToRaw("before"), file.path(disk, writer$file))
        fill_disk(disk, leave)
        found <- found + judge_writer(writer, disk)
      }
    }
    found
  })
  if (is.null(found)) counts() else found
})

scenario("full disk: record of a benchmark", {
  found <- with_disk("200k", function(disk) {
    whole <- without_seconds(small_benchmark())
    found <- counts()
    for (leave in c(0, 4096, 12288, 30000)) {
      unlink(file.path(disk, all_files(disk)), recursive = TRUE)
      dir.create(file.path(disk, "record"))
      fill_disk(disk, leave)
      record <- file.path(disk, "record")
      got <- outcome(small_benchmark(record))
      bad <- !is_result(got) && !is_classed(got)
      torn <- drafts(record)
      # There is room again: what was recorded is read, the rest is run.
      unlink(file.path(disk, "filler"))
      lost <- !identical(without_seconds(small_benchmark(record)), whole)
      found <- found + counts(1, lost, torn, bad)
    }
    found
  })
  if (is.null(found)) counts() else found
})

scenario("full disk: checkpoint", {
  options(cawi.checkpoint_seconds = 0)
  found <- with_disk("8m", function(disk) {
    whole <- fit_in_chunks()
    found <- counts()
    for (leave in c(0, 4096, 16384, 65536, 262144, 1e6)) {
      unlink(file.path(disk, all_files(disk)))
      fill_disk(disk, leave)
      file <- file.path(disk, "fit.rds")
      got <- outcome(fit_in_chunks(file))
      bad <- !is_result(got) && !(is_classed(got) && grepl("fit.rds", got$text))
      torn <- drafts(disk)
      unlink(file.path(disk, "filler"))
      again <- outcome(fit_in_chunks(file))
      if (!is_result(again)) note(again$text)
      found <- found + counts(1, !identical(again$value, whole), torn, bad)
    }
    found
  })
  if (is.null(found)) counts() else found
})

scenario("limit on the size of files", {
  found <- counts()
  for (blocks in c(1, 8, 24, length(all_writers$report$whole) %/% 1024)) {
    got <- in_child(quote({
      folder <- new_folder()
      list(found = Reduce(`+`, lapply(readRDS(Sys.getenv("WRITERS")), judge_writer, folder)))
    }), c("trap '' XFSZ", sprintf("ulimit -f %d", blocks)),
    env = paste0("WRITERS=", {
      file <- file.path(target, "writers.rds")
      saveRDS(all_writers, file)
      file
    }))
    found <- found + if (got$status == 0L) got$value$found else counts(1, unclassed = 1)
  }
  found
})

scenario("read-only disk", {
  found <- with_disk("400k", function(disk) {
    for (writer in all_writers) writeBin(charToRaw("before"), file.path(disk, writer$file))
    system2("mount", c("-o", "remount,ro", shQuote(disk)))
    found <- Reduce(`+`, lapply(all_writers, judge_writer, disk, must_fail = TRUE))
    for (got in list(outcome(small_benchmark(file.path(disk, "record"))),
                     outcome(small_benchmark(disk)),
                     outcome(fit_in_chunks(file.path(disk, "fit.rds"))))) {
      found <- found + counts(1, is_result(got), unclassed = !is_classed(got))
    }
    found
  })
  if (is.null(found)) counts() else found
})

scenario("folder of another user", {
  folder <- new_folder()
  Sys.chmod(folder, "755")
  for (writer in all_writers) {
    file <- file.path(folder, writer$file)
    writeBin(charToRaw("before"), file)
    Sys.chmod(file, "644")
  }
  file <- file.path(target, "writers.rds")
  saveRDS(all_writers, file)
  Sys.chmod(c(target, tempdir()), "755")
  Sys.chmod(file, "644")
  # As root all may be written: somebody else runs it, where that is possible.
  other <- if (Sys.info()[["effective_user"]] == "root") {
    c("export TMPDIR=$(mktemp -d)", "chmod 777 $TMPDIR",
      "exec() { setpriv --reuid=65534 --regid=65534 --clear-groups \"$@\"; }")
  } else {
    sprintf("chmod a-w %s", shQuote(folder))
  }
  got <- in_child(bquote({
    found <- Reduce(`+`, lapply(readRDS(.(file)), judge_writer, .(folder), must_fail = TRUE))
    for (got in list(outcome(small_benchmark(file.path(.(folder), "record"))),
                     outcome(fit_in_chunks(file.path(.(folder), "fit.rds"))))) {
      found <- found + counts(1, is_result(got), unclassed = !is_classed(got))
    }
    found
  }), other)
  if (got$status == 0L) got$value else counts(1, unclassed = 1)
})

scenario("places that are no files", {
  folder <- new_folder()
  places <- c(file.path(folder, "no", "file"), folder, "/dev/full", "/dev/null", "/dev/zero",
              file.path(folder, "pipe"), file.path(folder, "link"), file.path(folder, "dangling"))
  system2("mkfifo", shQuote(places[6L]))
  writeLines("precious", file.path(folder, "precious"))
  file.symlink(file.path(folder, "precious"), places[7L])
  file.symlink(file.path(folder, "nothing"), places[8L])
  before <- file.info(places, extra_cols = FALSE)[c("size", "isdir", "mode")]
  found <- counts()
  for (place in places) {
    tried <- c(lapply(all_writers, function(writer) outcome(writer$write(place))),
               list(outcome(fit_in_chunks(place))))
    if (place != folder) tried <- c(tried, list(outcome(small_benchmark(file.path(place, "x")))))
    for (got in tried) {
      if (!is_classed(got)) note(place, ": ", got$class[1L], " ", got$text)
      found <- found + counts(1, unclassed = !is_classed(got) && !(is_result(got) &&
                                                                  grepl("/no/file$", place)))
    }
  }
  after <- file.info(places, extra_cols = FALSE)[c("size", "isdir", "mode")]
  changed <- !identical(before[-(1:2), ], after[-(1:2), ]) ||
    readLines(file.path(folder, "precious")) != "precious"
  found + counts(lost = changed, half_written = drafts(folder))
})
