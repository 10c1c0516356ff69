#include "11_translator/search/cache.hpp"

#include <algorithm>

namespace gradus {

template <class Real, class Dev>
void cache_append(Cpu<Real>&, Out<Dev, 2> cache, In<Dev, 2> x, Ints<Dev, 1> at) {
  check_cache_append<Dev>(cache, x, at);
  for (std::size_t n = 0; n < at.extent[0]; ++n) {
    if (at[n] != -1) std::copy_n(x.row(n), x.extent[1], cache.row(static_cast<std::size_t>(at[n])));
  }
}

template <class Real, class Dev>
void cache_select(Cpu<Real>&, Out<Dev, 2> cache, In<Dev, 2> source, Ints<Dev, 1> from, Ints<Dev, 1> at) {
  check_cache_select<Dev>(cache, source, from, at);
  for (std::size_t n = 0; n < at.extent[0]; ++n) {
    if (at[n] == -1) continue;
    const Real* const row = source.row(static_cast<std::size_t>(from[n]));
    std::copy_n(row, source.extent[1], cache.row(static_cast<std::size_t>(at[n])));
  }
}

template CacheAppend<Cpu<float>> cache_append;
template CacheAppend<Cpu<double>> cache_append;
template CacheSelect<Cpu<float>> cache_select;
template CacheSelect<Cpu<double>> cache_select;

}  // namespace gradus
