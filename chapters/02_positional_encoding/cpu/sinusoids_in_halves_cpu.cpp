#include "02_positional_encoding/sinusoids_in_halves.hpp"

#include <cmath>

namespace gradus {

template <class Real, class Dev>
void sinusoids_in_halves(Cpu<Real>&, Out<Dev, 2> table, HalvesSteps steps) {
  const double step_count = steps_of<Dev>(table, steps);
  const auto [P, D] = table.extent;
  for (std::size_t i = 0; i < D / 2; ++i) {  // by columns, so that each frequency's power is computed once
    const double w = std::pow(sinusoid_base, -static_cast<double>(i) / step_count);
    for (std::size_t p = 0; p < P; ++p) {
      table.row(p)[i] = static_cast<Real>(std::sin(static_cast<double>(p) * w));
      table.row(p)[D / 2 + i] = static_cast<Real>(std::cos(static_cast<double>(p) * w));
    }
  }
}

template SinusoidsInHalves<Cpu<float>> sinusoids_in_halves;
template SinusoidsInHalves<Cpu<double>> sinusoids_in_halves;

}  // namespace gradus
