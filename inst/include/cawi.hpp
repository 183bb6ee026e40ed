// The R-free core of cawi. It needs Armadillo, Boost and TBB, never Rcpp.
// The includes follow the data path: ranks -> kendall -> copula -> weights -> features
// -> ridge.
#ifndef CAWI_HPP
#define CAWI_HPP

#include "cawi/core/blas.hpp"
#include "cawi/core/blocks.hpp"
#include "cawi/core/errors.hpp"
#include "cawi/core/random.hpp"
#include "cawi/core/threads.hpp"
#include "cawi/core/threefry.hpp"
#include "cawi/core/types.hpp"
#include "cawi/core/vectors.hpp"

#include "cawi/stats/inversions.hpp"
#include "cawi/stats/kendall.hpp"
#include "cawi/stats/nearest_cor.hpp"
#include "cawi/stats/normal.hpp"
#include "cawi/stats/ranks.hpp"
#include "cawi/stats/signed_rank.hpp"
#include "cawi/stats/special.hpp"
#include "cawi/stats/student.hpp"

#include "cawi/copula/archimedean.hpp"
#include "cawi/copula/clayton.hpp"
#include "cawi/copula/copula.hpp"
#include "cawi/copula/correlation_factor.hpp"
#include "cawi/copula/draw_block.hpp"
#include "cawi/copula/elliptical.hpp"
#include "cawi/copula/families.hpp"
#include "cawi/copula/fit_archimedean.hpp"
#include "cawi/copula/fit_elliptical.hpp"
#include "cawi/copula/frank.hpp"
#include "cawi/copula/gumbel.hpp"
#include "cawi/copula/independence.hpp"
#include "cawi/copula/rank_quantiles.hpp"
#include "cawi/copula/reflected.hpp"

#include "cawi/weights/weights.hpp"

#include "cawi/features/activations.hpp"
#include "cawi/features/feature_rows.hpp"
#include "cawi/features/layout.hpp"
#include "cawi/features/moments.hpp"
#include "cawi/features/network.hpp"

#include "cawi/ridge/calibration.hpp"
#include "cawi/ridge/center.hpp"
#include "cawi/ridge/gram.hpp"
#include "cawi/ridge/grid.hpp"
#include "cawi/ridge/grids.hpp"
#include "cawi/ridge/leave_one_out.hpp"
#include "cawi/ridge/measures.hpp"
#include "cawi/ridge/nested.hpp"
#include "cawi/ridge/path.hpp"
#include "cawi/ridge/readout.hpp"
#include "cawi/ridge/solvers.hpp"
#include "cawi/ridge/targets.hpp"
#include "cawi/ridge/temperature.hpp"

#endif
