#ifndef CAWI_CORE_TYPES_HPP
#define CAWI_CORE_TYPES_HPP

#include <armadillo>
#include <cstddef>
#include <cstdint>

namespace cawi {

// Matrices of R may have more than 2^32 cells: build with ARMA_64BIT_WORD.
static_assert(sizeof(arma::uword) == 8, "Armadillo must have 64-bit indices");

using Index = std::size_t;
// Counts of pairs pass 2^31 at 65,536 rows.
using Count = std::int64_t;

}  // namespace cawi

#endif
