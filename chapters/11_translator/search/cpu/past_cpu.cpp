#include "11_translator/search/past.hpp"

#include <algorithm>

namespace gradus {

template <class Real, class Dev>
void past_append(Cpu<Real>&, Out<Dev, 2> past, In<Dev, 2> x, Ints<Dev, 1> at) {
  check_past_append<Dev>(past, x, at);
  for (std::size_t n = 0; n < at.extent[0]; ++n) {
    if (at[n] != -1) std::copy_n(x.row(n), x.extent[1], past.row(static_cast<std::size_t>(at[n])));
  }
}

template <class Real, class Dev>
void past_select(Cpu<Real>&, Out<Dev, 2> past, In<Dev, 2> source, Ints<Dev, 1> from, Ints<Dev, 1> at) {
  check_past_select<Dev>(past, source, from, at);
  for (std::size_t n = 0; n < at.extent[0]; ++n) {
    if (at[n] == -1) continue;
    const Real* const row = source.row(static_cast<std::size_t>(from[n]));
    std::copy_n(row, source.extent[1], past.row(static_cast<std::size_t>(at[n])));
  }
}

template PastAppend<Cpu<float>> past_append;
template PastAppend<Cpu<double>> past_append;
template PastSelect<Cpu<float>> past_select;
template PastSelect<Cpu<double>> past_select;

}  // namespace gradus
