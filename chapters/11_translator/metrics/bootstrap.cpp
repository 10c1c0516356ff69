#include "11_translator/metrics/bootstrap.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "11_translator/metrics/metric_table.hpp"
#include "11_translator/metrics/numpy_random.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

using Sentences = std::vector<SentenceStatistics>;

/// The sum in numpy's order: eight partial sums in blocks of 128, blocks in pairs. In single precision the order
/// changes the fifth digit after the point. The caller sorts the scores first, because numpy's are sorted there.
template <class Real>
Real sum_of(const Real* values, std::size_t n) {
  if (n > 128) {
    const std::size_t half = n / 2 - n / 2 % 8;
    return sum_of(values, half) + sum_of(values + half, n - half);
  }
  std::array<Real, 8> part{};
  const std::size_t whole = n - n % 8;
  for (std::size_t i = 0; i < whole; ++i) part[i % 8] += values[i];
  Real sum = ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
  for (std::size_t i = whole; i < n; ++i) sum += values[i];
  return sum;
}

template <class Real>
Real mean_of(const std::vector<Real>& values) {
  return sum_of(values.data(), values.size()) / static_cast<Real>(values.size());
}

/// Half the width of the interval that is left after removing the lowest and the highest fortieth of the sorted
/// scores.
template <class Real>
Real half_width_of(const std::vector<Real>& scores) {
  const std::size_t cut = scores.size() / 40;
  return static_cast<Real>(0.5) * (scores[scores.size() - 1 - cut] - scores[cut]);
}

template <class Real>
double p_value_of(const std::vector<Real>& baseline, const std::vector<Real>& system, double difference) {
  std::vector<Real> differences;
  for (std::size_t b = 0; b < system.size(); ++b) differences.push_back(std::abs(system[b] - baseline[b]));
  const Real mean = mean_of(differences), real = static_cast<Real>(std::abs(difference));
  const auto larger =
      std::count_if(differences.begin(), differences.end(), [&](Real one) { return one - mean > real; });
  return static_cast<double>(larger + 1) / static_cast<double>(differences.size() + 1);
}

/// scores[system][resample]
template <class Statistics, class Sums, class Real>
std::vector<std::vector<Real>> resampled_scores(const std::vector<Sentences>& systems,
                                                const MetricOf<Statistics, Sums, Real>& metric,
                                                const BootstrapOptions& options) {
  NumpyRandom random(options.seed);
  const std::size_t size = systems.front().size();
  std::vector<std::vector<Real>> scores(systems.size());
  for (std::size_t b = 0; b < options.resamples; ++b) {
    std::vector<Sums> sums(systems.size());
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t drawn = random.below(static_cast<std::uint32_t>(size));
      for (std::size_t s = 0; s < systems.size(); ++s) sums[s] += systems[s][drawn].*metric.own;
    }
    for (std::size_t s = 0; s < systems.size(); ++s) scores[s].push_back(metric.resampled(sums[s]));
  }
  return scores;
}

template <class Statistics, class Sums, class Real>
std::vector<BootstrapResult> results_by(const std::vector<Sentences>& systems,
                                        const MetricOf<Statistics, Sums, Real>& metric,
                                        const BootstrapOptions& options) {
  const auto resampled = resampled_scores(systems, metric, options);
  std::vector<BootstrapResult> results;
  for (std::size_t s = 0; s < systems.size(); ++s) {
    Statistics sums;
    for (const SentenceStatistics& sentence : systems[s]) sums += sentence.*metric.own;
    std::vector<Real> sorted = resampled[s];
    std::sort(sorted.begin(), sorted.end());
    BootstrapResult result{metric.score(sums), mean_of(sorted), half_width_of(sorted), {}};
    if (s > 0) result.p_value = p_value_of(resampled[0], resampled[s], result.score - results[0].score);
    results.push_back(result);
  }
  return results;
}

/// A metric's signature with the bootstrap's options, at sacreBLEU's place.
std::string drawn(const std::string& signature, const BootstrapOptions& options) {
  const std::size_t behind_references = signature.find('|');
  return signature.substr(0, behind_references) + "|bs:" + std::to_string(options.resamples) +
         "|seed:" + std::to_string(options.seed) + signature.substr(behind_references);
}

}  // namespace

std::vector<MetricResults> paired_bootstrap(const std::vector<TextLines>& systems,
                                            const std::vector<TextLines>& references,
                                            const BootstrapOptions& options) {
  if (systems.empty()) fail("a bootstrap needs translations");
  if (options.resamples == 0) fail("a bootstrap needs one resample at least");
  std::vector<Sentences> statistics;
  for (const TextLines& system : systems)
    statistics.push_back(sentence_statistics(system, references, options.scoring, options.metrics));

  const std::size_t number = number_of_each(references);
  std::vector<MetricResults> all;
  for (const Metric kind : options.metrics) {
    with_metric(kind, options.scoring, number, [&](const auto& metric) {
      all.push_back({metric.name, drawn(metric.signature, options), results_by(statistics, metric, options)});
    });
  }
  return all;
}

void add_intervals(Scores& scores, const TextLines& hypotheses, const std::vector<TextLines>& references,
                   const BootstrapOptions& options) {
  const std::vector<MetricResults> found = paired_bootstrap({hypotheses}, references, options);
  require(found.size() == scores.metrics.size(), "intervals are of the metrics of the scores");
  for (std::size_t m = 0; m < found.size(); ++m) {
    scores.metrics[m].signature = found[m].signature;
    scores.metrics[m].interval = {found[m].systems[0].mean, found[m].systems[0].half_width};
  }
}

}  // namespace gradus
