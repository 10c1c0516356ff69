#include "11_translator/search/cache.hpp"
#include "gradus/tensor/array.hpp"

namespace gradus {

template <class Real, class Dev>
void cache_append(Reference<Real>&, Out<Dev, 2> cache, In<Dev, 2> x_, Ints<Dev, 1> at) {
  check_cache_append<Dev>(cache, x_, at);
  // exercise: begin
  const Array<Real> x = array(x_);  // (N, W)
  Array<Real> c = array(cache);     // (R, W)
  for (std::size_t n = 0; n < x.shape(0); ++n) {
    if (at[n] != -1) xt::view(c, at[n], xt::all()) = xt::view(x, n, xt::all());  // eq:11.3
  }
  store<Real>(cache, c);
  // exercise: end
}

template <class Real, class Dev>
void cache_select(Reference<Real>&, Out<Dev, 2> cache, In<Dev, 2> source_, Ints<Dev, 1> from, Ints<Dev, 1> at) {
  check_cache_select<Dev>(cache, source_, from, at);
  // exercise: begin
  const Array<Real> source = array(source_);  // (any, W)
  Array<Real> c = array(cache);               // (R, W)
  for (std::size_t n = 0; n < at.extent[0]; ++n) {
    if (at[n] != -1) xt::view(c, at[n], xt::all()) = xt::view(source, from[n], xt::all());  // eq:11.4
  }
  store<Real>(cache, c);
  // exercise: end
}

template CacheAppend<Reference<double>> cache_append;
template CacheAppend<Reference<Dual>> cache_append;
template CacheSelect<Reference<double>> cache_select;
template CacheSelect<Reference<Dual>> cache_select;

}  // namespace gradus
