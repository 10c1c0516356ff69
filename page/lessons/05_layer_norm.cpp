#include <cmath>
#include <utility>

#include "chapters/05_layer_norm/layer_norm_case.hpp"
#include "live/lessons.hpp"
#include "wrong/layer_norm.hpp"

namespace gradus::page {
namespace {

using tiny::D;

struct LiveLayerNorm : test::LayerNormCase {
  /// The steps of one row by hand, and the two sums along a row that find most mistakes of backward.
  template <class Dev>
  void show(Shown& shown, const Cache<Dev>& cache, test::Tensors<Dev>& t) const {
    const auto x = t.matrix("x"), dx = t.d_matrix("x");
    Numbers centred(N * D), squares(N * D), xhat(N * D), variance(N), sum(N), along(N);
    for (std::size_t i = 0; i < N * D; ++i) {
      const std::size_t n = i / D, d = i % D;
      centred[i] = x.row(n)[d] - cache.mean[n];
      squares[i] = centred[i] * centred[i];
      xhat[i] = centred[i] * cache.rstd[n];
      variance[n] += squares[i] / static_cast<double>(D);
      sum[n] += dx.row(n)[d];
      along[n] += dx.row(n)[d] * xhat[i];
    }
    for (double& s : sum) s = std::abs(s);
    shown.add("mean", cache.mean);
    shown.add("rstd", cache.rstd);
    for (const auto& [name, v] : {std::pair{"centred", &centred}, {"squares", &squares}, {"xhat", &xhat}})
      shown.add(name, In<Device, 2>{v->data(), {N, D}, D});
    for (const auto& [name, v] : {std::pair{"variance", &variance}, {"sum", &sum}, {"along", &along}})
      shown.add(name, In<Device, 1>{v->data(), {N}, N});
  }
};

}  // namespace

Lesson layer_norm_lesson() {
  const LiveLayerNorm live{{4, D}};
  Lesson made = lesson("05_layer_norm", live,
                       {{"x", tiny::encoder_input()},
                        {"gamma", learnt("encoder.first_norm.gamma")},
                        {"beta", learnt("encoder.first_norm.beta")},
                        {"dy", ones_at(4 * D, {0, D + 2})}});
  made.ways.insert(
      made.ways.end(),
      {way<wrong::SampleDeviation<Device>>("sample-deviation", live),
       way<wrong::SampleVariance<Device>>("sample-variance", live),
       way<wrong::EpsilonOutsideRoot<Device>>("epsilon-outside-root", live),
       way<wrong::NoEpsilon<Device>>("no-epsilon", live), way<wrong::OneGain<Device>>("one-gain", live),
       way<wrong::BatchNorm<Device>>("batch-norm", live),
       way<wrong::DetachedVariance<Device>>("detached-variance", live),
       way<wrong::NoMeanTerm<Device>>("no-mean-term", live), way<wrong::FrozenGain<Device>>("frozen-gain", live)});
  return made;
}

}  // namespace gradus::page
