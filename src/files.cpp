// What R does not tell of files, and does not do with them.
#include <Rcpp.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

// What stands at a path, of which a link is seen itself or, with `follow`, what it leads to.
// [[Rcpp::export(rng = false)]]
std::string path_kind_cpp(const std::string& path, bool follow) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = follow ? fs::status(path, error) : fs::symlink_status(path, error);
  switch (status.type()) {
    case fs::file_type::not_found:
      return "nothing";
    case fs::file_type::regular:
      return "file";
    case fs::file_type::directory:
      return "folder";
    case fs::file_type::symlink:
      return "link";
    case fs::file_type::none:
      return "hidden";
    default:
      return "device";
  }
}

// Makes an empty file where nothing was; a link that leads nowhere is something.
// [[Rcpp::export(rng = false)]]
bool create_file_cpp(const std::string& path) {
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "wbx"));
  return file != nullptr;
}
