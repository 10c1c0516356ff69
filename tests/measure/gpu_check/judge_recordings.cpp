#include "measure/gpu_check/judge_recordings.hpp"

#include <cmath>

#include "gradus/util/error.hpp"
#include "measure/gpu_check/steps.hpp"

namespace gradus::test {
namespace {

template <class Real>
void run_plainly(Cuda<Real>& dev) {
  dev.records = false;
}

template <class Real>
double judge_training(std::size_t micro_batches, const std::vector<double>& losses, bool& same_bits) {
  const auto recorded = trained<Cuda<Real>>(micro_batches), again = trained<Cuda<Real>>(micro_batches),
             plain = trained<Cuda<Real>>(micro_batches, run_plainly<Real>);
  same_bits = same_bits && recorded.weights == plain.weights && recorded.weights == again.weights;
  double worst = recorded.losses.size() == losses.size() ? 0 : NAN;
  for (std::size_t i = 0; i < losses.size() && i < recorded.losses.size(); ++i) {
    const double error = std::abs(recorded.losses[i] / losses[i] - 1);
    worst = error <= worst ? worst : error;  // NaN is the worst
  }
  return worst;
}

template <class Real>
bool searches_agree() {
  const auto recorded = translated<Cuda<Real>>(), plain = translated<Cuda<Real>>(run_plainly<Real>);
  bool same = recorded.size() == plain.size();
  for (std::size_t i = 0; same && i < recorded.size(); ++i) {
    same = recorded[i].size() == plain[i].size();
    for (std::size_t k = 0; same && k < recorded[i].size(); ++k) {
      same = recorded[i][k].words == plain[i][k].words && recorded[i][k].log_probs == plain[i][k].log_probs;
    }
  }
  return same;
}

}  // namespace

RecordingErrors judge_recorded_training(const CaseFile& lists) {
  RecordingErrors errors;
  for (const std::size_t micro_batches : {1, 2}) {
    const auto losses = lists.find(losses_name(micro_batches));
    if (losses == lists.end()) fail("the case file has no losses: it was written by other sources");
    const double in_double = judge_training<double>(micro_batches, losses->second, errors.same_bits);
    const double in_float = judge_training<float>(micro_batches, losses->second, errors.same_bits);
    errors.in_double = std::fmax(errors.in_double, in_double);
    errors.in_float = std::fmax(errors.in_float, in_float);
  }
  return errors;
}

RecordingErrors judge_recorded_search() { return {0, 0, searches_agree<double>() && searches_agree<float>()}; }

}  // namespace gradus::test
