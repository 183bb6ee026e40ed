// Everything that runs in parallel, with 1, 2, 4 and 8 threads, under ThreadSanitizer: the bits do
// not depend on the number of threads, loops may be nested, and errors and interrupts come out of
// tasks.
//
// Usage: race rounds
#include <cawi.hpp>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>

namespace {

using cawi::Index;
using cawi::Threads;

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

// Numbers from the core's own streams.
arma::mat numbers(Index rows, Index columns, std::uint64_t seed) {
  arma::mat x(rows, columns);
  cawi::Stream stream(seed);
  for (Index j = 0; j < columns; ++j) {
    stream.start(j);
    stream.normals(x.colptr(j), rows);
  }
  return x;
}

arma::mat with_ties(arma::mat x) { return arma::round(4.0 * x) / 4.0; }

cawi::Network network(Index inputs, Index hidden, cawi::Wiring wiring, cawi::Ones ones) {
  cawi::Standardization standard;
  standard.center.zeros(inputs);
  standard.sd.ones(inputs);
  const Index second = wiring == cawi::Wiring::skip ? hidden + inputs : hidden;
  std::vector<cawi::Layer> layers;
  layers.push_back(
      {numbers(inputs, hidden, 11), numbers(1, hidden, 12), cawi::find_activation("sigmoid")});
  layers.push_back(
      {numbers(second, hidden, 13), numbers(1, hidden, 14), cawi::find_activation("relu")});
  return cawi::Network(standard, std::move(layers), wiring, true, ones);
}

cawi::Targets targets(Index rows, bool classes) {
  cawi::Targets t;
  if (classes) {
    t.outputs = 3;
    for (Index i = 0; i < rows; ++i) t.classes.push_back(static_cast<int>(i % 3));
  } else {
    t.outputs = 2;
    t.values = numbers(rows, 2, 21);
    t.centered = true;
  }
  t.case_weights = 0.5 + arma::abs(numbers(rows, 1, 22));
  return t;
}

arma::vec flat(const arma::mat& x) { return arma::vectorise(x); }

// A routine gives all its numbers as one vector.
struct Routine {
  const char* name;
  std::function<arma::vec(const Threads&)> run;
};

arma::vec draws(const std::string& family, const Threads& threads) {
  cawi::Parameters p;
  p.dim = 4;
  p.theta = 2.0;
  p.cor = 0.5 * arma::eye(4, 4) + 0.5;
  p.df = 4.0;
  const cawi::CopulaPtr copula = cawi::make_copula(family, p);
  arma::mat u(2000, 4), w(4, 900);
  cawi::draw_rows(*copula, 5, threads, u);
  cawi::write_weights(*copula, "normal", 1.0, 6, threads, w);
  return arma::join_cols(flat(u), flat(w), cawi::log_densities(*copula, u, threads));
}

std::vector<Routine> statistics() {
  return {
      {"ranks",
       [](const Threads& t) {
         const arma::mat x = with_ties(numbers(700, 12, 1));
         return arma::vec(
             arma::join_cols(flat(cawi::pseudo_observations(x, cawi::Ties::random, 3, t)),
                             flat(cawi::pseudo_observations_against(x, numbers(90, 12, 2), t))));
       }},
      {"kendall",
       [](const Threads& t) {
         const arma::mat x = numbers(900, 14, 1), y = with_ties(x);
         return arma::vec(arma::join_cols(flat(cawi::kendall_matrix(x, t)),
                                          flat(cawi::kendall_matrix(x, y, t)),
                                          flat(cawi::kendall_of_row_pairs(y, 20000, t))));
       }},
      {"fits",
       [](const Threads& t) {
         const arma::mat x = numbers(600, 3, 1);
         const arma::mat u = cawi::pseudo_observations(x, cawi::Ties::average, 0, t);
         const arma::mat r = cawi::correlation_from_tau(cawi::kendall_matrix(x, t));
         const cawi::EllipticalFit fit = cawi::fit_df(u, r, 8, t);
         return arma::vec{fit.df,
                          fit.log_likelihood,
                          cawi::rough_df(u, r, t),
                          cawi::fit_gaussian_by_likelihood(u, r, t).log_likelihood,
                          cawi::fit_t_by_likelihood(u, r, t).log_likelihood,
                          cawi::theta_by_likelihood("gumbel", u, t)};
       }},
      {"gaussian", [](const Threads& t) { return draws("gaussian", t); }},
      {"t", [](const Threads& t) { return draws("t", t); }},
      {"clayton", [](const Threads& t) { return draws("clayton", t); }},
      {"frank", [](const Threads& t) { return draws("frank", t); }},
      {"gumbel", [](const Threads& t) { return draws("gumbel", t); }},
      {"gains",
       [](const Threads& t) {
         const arma::vec x = numbers(60, 1, 1);
         const std::vector<double> gain(x.begin(), x.end());
         return arma::vec(arma::join_cols(arma::vec(cawi::bootstrap_means(gain, 300, 1, t)),
                                          flat(cawi::signed_rank_shares(gain, 0.1, 300, 1, t))));
       }},
      {"moments",
       [](const Threads& t) {
         arma::vec all;
         for (const cawi::Moment& m : cawi::column_moments(numbers(800, 20, 1), {}, t)) {
           all = arma::join_cols(all, arma::vec{m.mean, m.sd});
         }
         return all;
       }},
  };
}

// Features, sums and gradients; wide sums go by tiles, narrow ones by lanes.
arma::vec features(Index hidden, cawi::Wiring wiring, const Threads& t) {
  const cawi::Inputs x(numbers(1500, 6, 1));
  const cawi::Network net = network(6, hidden, wiring, cawi::Ones::last);
  const cawi::FeatureRows rows(x, net);
  arma::vec all = flat(cawi::all_features(rows, t)[0]);
  std::vector<arma::mat> coefficients;
  for (const cawi::Gram& gram : cawi::accumulate_grams(rows, targets(1500, false), t)) {
    all = arma::join_cols(all, flat(gram.aa), flat(gram.ay));
    coefficients.push_back(numbers(gram.aa.n_rows, 2, 31));
  }
  arma::mat scores(1500, 2), gradients(1500, 12);
  cawi::write_scores(rows, coefficients, t, scores);
  const cawi::ScoreGradients slopes(x, net, coefficients);
  cawi::write_gradients(slopes, t, gradients);
  all = arma::join_cols(all, flat(scores), flat(gradients));
  return arma::join_cols(all, flat(cawi::mean_gradient_product(slopes, {}, t)));
}

arma::vec kernels(const Threads& t) {
  const arma::mat z = numbers(400, 4, 1);
  const cawi::Kernel kernel("gaussian", arma::mat(4, 1, arma::fill::value(0.5)));
  const cawi::Landmarks none(kernel, arma::mat(4, 0), arma::mat());
  const cawi::NewLandmarks chosen = cawi::choose_landmarks(none, z, 60, t);
  const arma::mat coefficients = numbers(400, 2, 2);
  const cawi::KernelGradients slopes(kernel, z, coefficients);
  arma::mat gradients(400, 8);
  cawi::write_kernel_gradients(slopes, z, t, gradients);
  const cawi::Targets y = targets(400, false);
  const cawi::KernelPoints points = kernel.points(z);
  cawi::KernelRidge ridge(kernel.between(points, points), y, true, t);
  return arma::join_cols(flat(chosen.root), flat(gradients),
                         flat(ridge.at(arma::vec{0.1}).left_out));
}

// Fits in the primal and in the dual, and paths of both.
arma::vec ridges(Index rows, Index hidden, const Threads& t) {
  const cawi::Inputs x(numbers(rows, 5, 1));
  const cawi::Network net = network(5, hidden, cawi::Wiring::stacked, cawi::Ones::last);
  const cawi::FeatureRows features(x, net);
  const cawi::Targets y = targets(rows, false);
  arma::vec all;
  for (const cawi::ExactFit& fit : cawi::exact_fits(features, y, arma::vec{0.1}, t)) {
    all = arma::join_cols(all, flat(fit.readout.coefficients), flat(fit.left_out));
  }
  const cawi::Gram gram = cawi::accumulate_grams(features, y, t)[0];
  std::vector<cawi::RidgePath> paths;
  paths.emplace_back(gram, cawi::Center::of(gram, net.readouts()[0].ones()), t);
  const arma::vec lambdas = arma::logspace(-2, 2, 7);
  const cawi::PathErrors errors = cawi::PathSearch(features, y, paths, t).errors(lambdas, {})[0];
  return arma::join_cols(all, flat(errors.squared_error), flat(errors.scores));
}

// Loops in loops: nests beside each other, each with loops of its own.
arma::vec grids(bool classes, bool held_out, const Threads& t) {
  const cawi::Inputs x(numbers(320, 5, 1));
  const arma::vec lambdas = arma::logspace(-2, 2, 5);
  cawi::GridProblem problem{x, targets(320, classes), lambdas, {}};
  cawi::Judge& judge = problem.judge;
  judge.held_out = held_out;
  judge.x = cawi::Inputs(numbers(100, 5, 3));
  judge.targets = targets(100, classes);
  judge.keep_scores = true;
  judge.sample = classes ? arma::regspace<arma::uvec>(0, 99) : arma::uvec();
  judge.sample_x = x.some(judge.sample);
  judge.sample_targets = problem.targets.some(judge.sample);
  std::vector<cawi::Nest> nests;
  for (int n = 0; n < 5; ++n) {
    const auto wiring = n % 2 == 0 ? cawi::Wiring::stacked : cawi::Wiring::skip;
    nests.push_back({network(5, 20 + 40 * static_cast<Index>(n), wiring, cawi::Ones::before_layers),
                     {},
                     {},
                     {},
                     {}});
    for (const cawi::Layout& layout : nests.back().network.readouts()) {
      nests.back().cuts.push_back(arma::uvec{layout.columns() / 2, layout.columns()});
    }
  }
  cawi::measure_nests(problem, t, nests);
  arma::vec all;
  for (const cawi::Nest& nest : nests) {
    all = arma::join_cols(all, arma::vectorise(nest.scores), flat(nest.temperatures));
  }
  return all;
}

std::vector<Routine> models() {
  return {
      {"features", [](const Threads& t) { return features(40, cawi::Wiring::stacked, t); }},
      {"ensemble", [](const Threads& t) { return features(40, cawi::Wiring::skip, t); }},
      {"tiles", [](const Threads& t) { return features(420, cawi::Wiring::stacked, t); }},
      {"kernels", kernels},
      {"primal", [](const Threads& t) { return ridges(600, 60, t); }},
      {"dual", [](const Threads& t) { return ridges(100, 150, t); }},
      {"large factor", [](const Threads& t) { return ridges(700, 400, t); }},
      {"left out", [](const Threads& t) { return grids(false, false, t); }},
      {"held out", [](const Threads& t) { return grids(true, true, t); }},
      {"temperatures", [](const Threads& t) { return grids(true, false, t); }},
  };
}

void compare_threads(const Routine& routine, int rounds) {
  const arma::vec one = routine.run(Threads{1});
  for (int round = 0; round < rounds; ++round) {
    for (const int count : {2, 4, 8}) {
      const arma::vec many = routine.run(Threads{count});
      if (one.n_elem != many.n_elem || !arma::all(one == many)) fail(routine.name);
    }
  }
}

// The first error comes out, and the team is whole again afterwards.
void throw_in_tasks(int count) {
  const Threads threads{count};
  for (int depth = 0; depth < 2; ++depth) {
    bool caught = false;
    try {
      cawi::for_each_task(40, threads, [&](Index i, Index) {
        if (depth == 0 && i == 17) throw std::runtime_error("task");
        cawi::for_each_task(10, threads, [&](Index k, Index) {
          if (i == 5 && k == 7) throw std::runtime_error("inner task");
        });
      });
    } catch (const std::runtime_error&) {
      caught = true;
    }
    if (!caught) fail("an error comes out of tasks");
  }
  std::vector<int> done(500, 0);
  cawi::for_each_task(500, threads, [&](Index i, Index) { ++done[i]; });
  for (const int d : done) {
    if (d != 1) fail("every task runs once");
  }
}

std::atomic<int> polls{0};

struct Interrupt {};

// An interrupt while tasks run, and while a decomposition runs that nobody waits for any more.
void interrupt(int count) {
  const Threads threads{count, [] {
                          if (++polls >= 2) throw Interrupt{};
                        }};
  polls = 0;
  bool caught = false;
  try {
    cawi::for_each_task(100000, threads, [](Index, Index) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      cawi::checkpoint();
    });
  } catch (const Interrupt&) {
    caught = true;
  }
  if (!caught) fail("an interrupt comes out of tasks");
  struct Slow {
    std::vector<double> memory = std::vector<double>(100, 1.0);
    void operator()() {
      std::this_thread::sleep_for(std::chrono::milliseconds(400));
      for (double& v : memory) v += 1.0;
    }
  };
  polls = 0;
  caught = false;
  try {
    cawi::in_background(Slow(), threads);
  } catch (const Interrupt&) {
    caught = true;
  }
  if (!caught) fail("an interrupt ends the wait for a decomposition");
  const Slow finished = cawi::in_background(Slow(), Threads{count});
  if (finished.memory[0] != 2.0) fail("work in the background is done");
  cawi::wait_for_abandoned();
}

}  // namespace

int main(int count, char** argument) {
  const int rounds = count > 1 ? std::atoi(argument[1]) : 1;
  std::vector<Routine> all = statistics();
  for (Routine& routine : models()) all.push_back(std::move(routine));
  for (const Routine& routine : all) {
    const auto start = std::chrono::steady_clock::now();
    compare_threads(routine, rounds);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::printf("%s,%d,%.1f\n", routine.name, 1 + 3 * rounds, seconds.count());
    std::fflush(stdout);
  }
  for (int round = 0; round < rounds; ++round) {
    for (const int threads : {1, 2, 4, 8}) {
      throw_in_tasks(threads);
      interrupt(threads);
    }
  }
  std::printf("errors and interrupts,%d,NA\n", 8 * rounds);
  return 0;
}
