#ifndef CAWI_CORE_ERRORS_HPP
#define CAWI_CORE_ERRORS_HPP

#include <stdexcept>
#include <string>

namespace cawi {

// A mathematical precondition does not hold. R turns it into a `cawi_error_<argument>` condition.
class DomainError : public std::domain_error {
 public:
  DomainError(const std::string& argument, const std::string& message)
      : std::domain_error(argument + ": " + message) {}
};

inline void require(bool condition, const char* argument, const char* message) {
  if (!condition) throw DomainError(argument, message);
}

}  // namespace cawi

#endif
