// A look at objects that came from a file. Nothing here evaluates or dispatches: what is looked at
// cannot act.
#include <Rcpp.h>

#include <set>
#include <string>
#include <vector>

namespace {

using Words = std::set<std::string>;

// Objects of the package are far from so deep, and code of people is not so deep either.
constexpr int deepest = 60;
constexpr int deepest_code = 5000;

// What code is made of. A promise runs when it is looked at, and bytecode that stands for itself
// may do anything.
bool is_trap(SEXP x) {
  return TYPEOF(x) == PROMSXP || TYPEOF(x) == DOTSXP || TYPEOF(x) == BCODESXP;
}
bool is_own(SEXP x) { return TYPEOF(x) == CLOSXP || TYPEOF(x) == ENVSXP; }
bool is_any_code(SEXP x) {
  return Rf_isFunction(x) || TYPEOF(x) == ENVSXP || TYPEOF(x) == LANGSXP || TYPEOF(x) == SYMSXP ||
         TYPEOF(x) == EXPRSXP;
}

// A part of a function as an expression, without a look at what it is.
SEXP part_of_function(const char* part, SEXP function) {
  Rcpp::Shield<SEXP> call(Rf_lang2(Rf_install(part), function));
  return Rf_eval(call, R_BaseEnv);
}

// Is something of a kind in a value, in its attributes, in the parts of lists and calls, or in a
// function? Places are not looked into.
bool holds(SEXP x, bool (*is_kind)(SEXP), int depth = 0) {
  if (depth > deepest_code || is_kind(x)) return true;
  const auto in = [&](SEXP part) { return holds(part, is_kind, depth + 1); };
  const int type = TYPEOF(x);
  if (type == CHARSXP || type == SYMSXP || type == NILSXP) return false;
  if (type == LANGSXP || type == LISTSXP) {
    // The arguments of a call may be many; only its parts are deeper than it is.
    for (SEXP node = x; node != R_NilValue; node = CDR(node)) {
      if (TYPEOF(node) != LANGSXP && TYPEOF(node) != LISTSXP) return in(node);
      if (in(CAR(node)) || (ATTRIB(node) != R_NilValue && in(ATTRIB(node)))) return true;
    }
    return false;
  }
  if (type == VECSXP || type == EXPRSXP) {
    for (R_xlen_t i = 0; i < XLENGTH(x); ++i) {
      if (in(VECTOR_ELT(x, i))) return true;
    }
  } else if (type == CLOSXP) {
    Rcpp::Shield<SEXP> formals(part_of_function("formals", x)), body(part_of_function("body", x));
    if (in(formals) || in(body)) return true;
  }
  return ATTRIB(x) != R_NilValue && in(ATTRIB(x));
}

class Search {
 public:
  Search(Words classes, Words code, Words closed)
      : classes_(std::move(classes)), code_(std::move(code)), closed_(std::move(closed)) {}

  // What is wrong with a part of an object, after its path; nothing where all of it are data.
  std::string problem(SEXP x, const std::string& path, int depth) const {
    if (closed_.count(path) > 0 || (is_code(x) && may_be_code(path))) {
      return holds(x, is_trap) ? path + " hides code" : "";
    }
    if (depth > deepest) return path + " is nested without end";
    if (!is_data(x)) return path + " is no data but of type " + Rf_type2char(TYPEOF(x));
    if (Rf_isS4(x)) return path + " is a formal object";
    const std::string own = attribute_problem(x, path, depth);
    return own.empty() && TYPEOF(x) == VECSXP ? part_problem(x, path, depth) : own;
  }

 private:
  static bool is_data(SEXP x) {
    switch (TYPEOF(x)) {
      case NILSXP:
      case LGLSXP:
      case INTSXP:
      case REALSXP:
      case STRSXP:
      case RAWSXP:
      case VECSXP:
        return true;
      default:
        return false;
    }
  }

  // A class could have methods for the very look at a call.
  static bool is_code(SEXP x) {
    return Rf_isFunction(x) || ((TYPEOF(x) == LANGSXP || TYPEOF(x) == SYMSXP) && !Rf_isObject(x));
  }

  // A path of code, or one below it.
  bool may_be_code(const std::string& path) const {
    for (const std::string& code : code_) {
      const bool begins = path.compare(0, code.size(), code) == 0;
      if (begins && (path.size() == code.size() || path[code.size()] == '$')) return true;
    }
    return false;
  }

  std::string attribute_problem(SEXP x, const std::string& path, int depth) const {
    for (SEXP node = ATTRIB(x); node != R_NilValue; node = CDR(node)) {
      if (TAG(node) == R_ClassSymbol) {
        const std::string unknown = unknown_class(CAR(node));
        if (!unknown.empty()) return path + " is of class " + unknown;
        continue;
      }
      const std::string name = path + "@" + CHAR(PRINTNAME(TAG(node)));
      const std::string found = problem(CAR(node), name, depth + 1);
      if (!found.empty()) return found;
    }
    return "";
  }

  std::string unknown_class(SEXP names) const {
    if (TYPEOF(names) != STRSXP || ATTRIB(names) != R_NilValue) return "no name";
    for (R_xlen_t i = 0; i < XLENGTH(names); ++i) {
      const std::string name = CHAR(STRING_ELT(names, i));
      if (!classes_.empty() && classes_.count(name) == 0) return name;
    }
    return "";
  }

  std::string part_problem(SEXP x, const std::string& path, int depth) const {
    const SEXP names = Rf_getAttrib(x, R_NamesSymbol);
    const bool named = TYPEOF(names) == STRSXP && XLENGTH(names) == XLENGTH(x);
    for (R_xlen_t i = 0; i < XLENGTH(x); ++i) {
      std::string part = path.empty() ? "" : path + "$";
      if (named) part += CHAR(STRING_ELT(names, i));
      const std::string found = problem(VECTOR_ELT(x, i), part, depth + 1);
      if (!found.empty()) return found;
    }
    return "";
  }

  Words classes_, code_, closed_;
};

Words as_words(const std::vector<std::string>& names) { return {names.begin(), names.end()}; }

}  // namespace

// Paths are names joined by $, of which those without a name are empty. At the paths of `code`, and
// below them, there may be functions, calls and names; those of `closed` may have anything but what
// runs when it is looked at. Without `classes` data may be of any class.
// [[Rcpp::export(rng = false)]]
std::string foreign_part_cpp(SEXP object, const std::vector<std::string>& classes,
                             const std::vector<std::string>& code,
                             const std::vector<std::string>& closed) {
  return Search(as_words(classes), as_words(code), as_words(closed)).problem(object, "", 0);
}

// Is there something in `x` that runs when it is looked at ("trap"), a function or a place ("own"),
// or any code?
// [[Rcpp::export(rng = false)]]
bool holds_cpp(SEXP x, const std::string& kind) {
  return holds(x, kind == "trap" ? is_trap : kind == "own" ? is_own : is_any_code);
}
