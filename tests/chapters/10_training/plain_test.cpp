#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "00_foundations/tiny.hpp"
#include "10_training/loss/output_loss.hpp"
#include "10_training/optimiser/optimiser.hpp"
#include "10_training/optimiser/schedule.hpp"
#include "chapters/09_transformer/log_probabilities.hpp"
#include "gradus/ops/elementwise.hpp"
#include "support/catch.hpp"
#include "support/packed.hpp"
#include "support/plain.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// The loss of the lesson's sentence, and the derivatives of it.
template <class Dev>
double loss_of(Dev& dev, std::vector<double>& x, std::vector<double>& table, std::vector<double>& dx,
               std::vector<double>& dtable, double smoothing) {
  const std::vector<std::int32_t>& target = tiny::target_ids();
  const std::size_t D = tiny::D, N = target.size();
  std::vector<double> loss(1, 0.0);
  dx.assign(x.size(), 0.0), dtable.assign(table.size(), 0.0);
  output_loss(dev, as_row(loss), as_rows(dx, D), {as_rows(dtable, D), {}}, as_rows(x, D), {as_rows(table, D), {}},
              {target.data(), {N}, N}, smoothing);
  add_due_sums(dev);
  return loss[0];
}

/// The probabilities of all words.
template <class Dev>
std::vector<double> probabilities(std::vector<double>& x, std::vector<double>& table) {
  const std::size_t D = tiny::D, Vocab = table.size() / D;
  std::vector<double> z(x.size() / D * Vocab);
  Dev dev;
  output_forward(dev, as_rows(z, Vocab), as_rows(x, D), {as_rows(table, D), {}});
  std::vector<double> p = log_probabilities<Dev>(z, Vocab);
  for (double& value : p) value = std::exp(value);
  return p;
}

/// The smallest loss that smoothing allows: one row whose probabilities are the smoothed target.
double lowest_loss(double smoothing, std::size_t Vocab) {
  std::vector<double> x{1}, table(Vocab), loss(1, 0.0);
  for (std::size_t j = 0; j < Vocab; ++j) {
    table[j] = std::log(smoothing / static_cast<double>(Vocab) + (j == 0 ? 1 - smoothing : 0));
  }
  const std::vector<std::int32_t> target{0};
  Reference<double> dev;
  dev.set({1, 1, 0, 1, 0, 0});
  output_loss_value(dev, as_row(loss), as_rows(x, 1), {as_rows(table, 1), {}}, {target.data(), {1}, 1}, smoothing);
  return loss[0];
}

/// A parameter with its moments.
struct Trained {
  std::vector<double> w, g, m = std::vector<double>(w.size(), 0.0), v = m;

  template <class Dev>
  void step(Dev& dev) {
    std::vector<double> squared(1, 0.0);
    std::vector<std::int32_t> status(1, 0);
    squared_norm(dev, as_row(squared), as_row(g));
    adam(dev, as_row(w), as_row(m), as_row(v), {status.data(), {1}, 1}, as_row(g), as_row(squared), {});
  }
};

}  // namespace

TEMPLATE_TEST_CASE("training: plain.cpp computes what the library computes", "", Reference<double>, Cpu<double>) {
  PlainNumbers plain(GRADUS_PLAIN);
  const std::vector<double> options = plain.input("options");
  const double smoothing = options[0];
  const Schedule schedule{ScheduleKind::inverse_sqrt, options[1], static_cast<std::uint32_t>(options[2])};
  const auto steps = static_cast<std::uint32_t>(options[3]);
  Trained x{plain.input("x"), {}}, table{plain.input("table"), {}};
  plain.agrees("table", elements(tiny::matrix("output")));
  plain.agrees("lowest_loss", {lowest_loss(smoothing, table.w.size() / tiny::D)});

  plain.agrees("p", probabilities<TestType>(x.w, table.w));
  TestType dev;
  for (std::uint32_t t = 1; t <= steps; ++t) {
    const double rate = learning_rate(schedule, t);
    dev.set({1, t, rate, 1.0 / static_cast<double>(tiny::target_ids().size()), 0, 0});
    const double loss = loss_of(dev, x.w, table.w, x.g, table.g, smoothing);
    plain.agrees("step_" + std::to_string(t), {rate, loss});
    x.step(dev);
    table.step(dev);
    if (t > 1) continue;
    plain.agrees("loss", {loss});
    plain.agrees("dx", x.g);
    plain.agrees("dtable", table.g);
    plain.agrees("table_m", table.m);
    plain.agrees("table_v", table.v);
    plain.agrees("table_after_step_1", table.w);
  }
  plain.agrees("x_end", x.w);
  plain.agrees("table_end", table.w);
  plain.all_were_used();
}
