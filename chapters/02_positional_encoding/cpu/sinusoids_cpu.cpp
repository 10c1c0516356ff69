#include "02_positional_encoding/sinusoids.hpp"

#include <cmath>

namespace gradus {

template <class Real, class Dev>
void sinusoids(Cpu<Real>&, Out<Dev, 2> table) {
  check_sinusoids<Dev>(table);
  const auto [P, D] = table.extent;
  for (std::size_t i = 0; i < D / 2; ++i) {  // by columns, so that each frequency's power is computed once
    const double w = std::pow(sinusoid_base, -2 * static_cast<double>(i) / static_cast<double>(D));
    for (std::size_t p = 0; p < P; ++p) {
      table.row(p)[2 * i] = static_cast<Real>(std::sin(static_cast<double>(p) * w));
      table.row(p)[2 * i + 1] = static_cast<Real>(std::cos(static_cast<double>(p) * w));
    }
  }
}

template Sinusoids<Cpu<float>> sinusoids;
template Sinusoids<Cpu<double>> sinusoids;

}  // namespace gradus
