// Grids of nests: every cut at every penalty is the fit of the leading columns alone.
#include "problems.hpp"

#include "cawi/ridge/grids.hpp"

namespace {

using namespace attacks;

const cawi::Threads one{1};

// Rows that follow each other become groups, all of them.
void add_groups(Input& in, Index rows, cawi::Targets& targets) {
  for (Index first = 0; first < rows;) {
    const Index count = std::min<Index>(in.count(1, 3), rows - first);
    targets.groups.push_back({first, count});
    first += count;
  }
}

std::vector<arma::uvec> any_cuts(Input& in, const cawi::Network& network) {
  std::vector<arma::uvec> cuts;
  // All readouts have the same number of cuts.
  Index fewest = 3;
  for (const cawi::Layout& layout : network.readouts()) {
    fewest = std::min(fewest, layout.columns() - (layout.has_ones() ? layout.ones() : 0));
  }
  const Index count = in.count(1, std::max<Index>(fewest, 1));
  for (const cawi::Layout& layout : network.readouts()) {
    const Index least = layout.has_ones() ? layout.ones() + 1 : 1;
    std::vector<arma::uword> columns;
    for (Index c = 0; c < count; ++c) columns.push_back(layout.columns() - count + 1 + c);
    if (count > 1 && columns[0] > least) columns[0] = in.count(least, columns[0]);
    cuts.push_back(arma::uvec(columns));
  }
  return cuts;
}

struct Grid {
  cawi::Inputs x;
  arma::vec lambdas;
  cawi::GridProblem problem;
  std::vector<cawi::Nest> nests;

  Grid(Input& in, Numbers numbers, bool held_out, bool grouped)
      : x(in.matrix(in.count(4, 16), in.count(1, 4), numbers)),
        lambdas(arma::vec{0.05, 1.0, 7.0}.head(in.count(1, 3))),
        problem{x, any_targets(in, x.rows()), lambdas, {}} {
    if (grouped) add_groups(in, x.rows(), problem.targets);
    nests.push_back({any_network(in, x.columns(), cawi::Ones::before_layers), {}, {}, {}, {}});
    nests[0].cuts = any_cuts(in, nests[0].network);
    cawi::Judge& judge = problem.judge;
    judge.keep_scores = true;
    judge.held_out = held_out;
    if (held_out) {
      judge.x = cawi::Inputs(in.matrix(in.count(1, 8), x.columns(), numbers));
      judge.targets = problem.targets;
      judge.targets.groups.clear();
      judge.targets.case_weights.reset();
      if (judge.targets.classes.empty()) {
        judge.targets.values = in.matrix(judge.x.rows(), problem.targets.outputs, Numbers::sane);
      } else {
        judge.targets.classes = in.classes(judge.x.rows(), problem.targets.outputs);
      }
    }
    if (!problem.targets.classes.empty() && in.flag()) {
      judge.sample = arma::regspace<arma::uvec>(0, x.rows() / 2);
    } else {
      judge.sample = arma::uvec();
    }
    judge.sample_x = x.some(judge.sample);
    judge.sample_targets = problem.targets.some(judge.sample);
  }
};

// The mean over readouts of separate fits of the leading columns.
arma::mat separate(const Grid& grid, Index cut, double lambda, double& tolerance) {
  const cawi::GridProblem& p = grid.problem;
  const cawi::Network& network = grid.nests[0].network;
  const std::vector<arma::mat> a = cawi::all_features({grid.x, network}, one);
  arma::mat sum;
  for (Index r = 0; r < a.size(); ++r) {
    const cawi::Layout& layout = network.readouts()[r];
    const int ones = p.targets.centered && layout.has_ones() ? static_cast<int>(layout.ones()) : -1;
    const arma::mat leading = a[r].head_cols(grid.nests[0].cuts[r][cut]);
    tolerance =
        std::max(tolerance, 1e-12 * (1.0 + 3.0 * arma::accu(arma::square(leading))) / lambda);
    arma::mat scores;
    if (p.judge.held_out) {
      const std::vector<arma::mat> fresh = cawi::all_features({p.judge.x, network}, one);
      scores = fresh[r].head_cols(leading.n_cols) *
               PlainRidge(leading, p.targets, lambda, ones).coefficients;
    } else {
      scores = refitted(leading, p.targets, lambda, ones);
    }
    sum = r == 0 ? scores : arma::mat(sum + scores);
  }
  return sum / static_cast<double>(a.size());
}

bool has_flat_columns(const Grid& grid) {
  for (const arma::mat& a : cawi::all_features({grid.x, grid.nests[0].network}, one)) {
    if (has_flat_column(a)) return true;
  }
  return false;
}

void check_scores(const Grid& grid) {
  const cawi::Nest& nest = grid.nests[0];
  const Index outputs = grid.problem.targets.outputs;
  const cawi::Targets& judged =
      grid.problem.judge.held_out ? grid.problem.judge.targets : grid.problem.targets;
  for (Index c = 0; c < nest.cuts[0].n_elem; ++c) {
    for (Index l = 0; l < grid.lambdas.n_elem; ++l) {
      double tolerance = 1e-9;
      const arma::mat truth = separate(grid, c, grid.lambdas[l], tolerance);
      const arma::mat scores = nest.scores.slice(l).cols(c * outputs, (c + 1) * outputs - 1);
      CHECK(close(scores, truth, tolerance, 1.0 + largest(truth)));
      // The measures are those of these scores.
      const arma::mat y = judged.block({0, scores.n_rows});
      arma::vec squares = arma::mean(arma::square(scores - y), 1);
      if (!judged.case_weights.is_empty()) squares %= judged.case_weights;
      const cawi::Measures& measures = nest.measures[l + grid.lambdas.n_elem * c];
      CHECK(close(measures.sum[cawi::squared_error], arma::accu(squares), 1e-9, 1.0));
      const double temperature = nest.temperatures(l, c);
      CHECK(temperature >= 0.0 && temperature <= std::exp(6.0) * (1.0 + 1e-9));
      for (const cawi::Measure loss : {cawi::brier_loss, cawi::log_loss, cawi::hits}) {
        CHECK(std::isfinite(measures.sum[loss]) && measures.sum[loss] >= -1e-9);
      }
    }
  }
}

}  // namespace

void attack(Input& in) {
  const std::uint8_t kind = in.byte();
  const bool held_out = (kind & 1) != 0, grouped = (kind & 2) != 0 && !held_out;
  const bool sane = (kind & 12) != 12;
  Grid grid(in, sane ? Numbers::sane : Numbers::finite, held_out, grouped);
  cawi::measure_nests(grid.problem, one, grid.nests);
  if (sane && !has_flat_columns(grid)) check_scores(grid);
}
