#ifndef CAWI_CORE_TYPES_HPP
#define CAWI_CORE_TYPES_HPP

#include <armadillo>
#include <cstddef>
#include <cstdint>

namespace cawi {

using Index = std::size_t;
// Counts of pairs pass 2^31 at 65,536 rows.
using Count = std::int64_t;

}  // namespace cawi

#endif
