#include "02_positional_encoding/sinusoids_in_halves.hpp"

#include <cmath>

#include "gradus/tensor/array.hpp"

namespace gradus {

template <class Real, class Dev>
void sinusoids_in_halves(Reference<Real>&, Out<Dev, 2> table, HalvesSteps steps) {
  const double step_count = steps_of<Dev>(table, steps);
  const auto [P, D] = table.extent;
  auto values = empty<Real>(P, D);
  for (std::size_t p = 0; p < P; ++p) {
    for (std::size_t i = 0; i < D / 2; ++i) {
      const double angle = static_cast<double>(p) * std::pow(sinusoid_base, -static_cast<double>(i) / step_count);
      values(p, i) = Real(std::sin(angle));  // eq:2.6
      values(p, D / 2 + i) = Real(std::cos(angle));
    }
  }
  store<Real>(table, values);
}

template SinusoidsInHalves<Reference<double>> sinusoids_in_halves;
template SinusoidsInHalves<Reference<Dual>> sinusoids_in_halves;

}  // namespace gradus
