#include "11_translator/search/past.hpp"
#include "gradus/tensor/array.hpp"

namespace gradus {

template <class Real, class Dev>
void past_append(Reference<Real>&, Out<Dev, 2> past, In<Dev, 2> x_, Ints<Dev, 1> at) {
  check_past_append<Dev>(past, x_, at);
  // exercise: begin
  const Array<Real> x = array(x_);  // (N, W)
  Array<Real> c = array(past);      // (R, W)
  for (std::size_t n = 0; n < x.shape(0); ++n) {
    if (at[n] != -1) xt::view(c, at[n], xt::all()) = xt::view(x, n, xt::all());  // eq:11.3
  }
  store<Real>(past, c);
  // exercise: end
}

template <class Real, class Dev>
void past_select(Reference<Real>&, Out<Dev, 2> past, In<Dev, 2> source_, Ints<Dev, 1> from, Ints<Dev, 1> at) {
  check_past_select<Dev>(past, source_, from, at);
  // exercise: begin
  const Array<Real> source = array(source_);  // (any, W)
  Array<Real> c = array(past);                // (R, W)
  for (std::size_t n = 0; n < at.extent[0]; ++n) {
    if (at[n] != -1) xt::view(c, at[n], xt::all()) = xt::view(source, from[n], xt::all());  // eq:11.4
  }
  store<Real>(past, c);
  // exercise: end
}

template PastAppend<Reference<double>> past_append;
template PastAppend<Reference<Dual>> past_append;
template PastSelect<Reference<double>> past_select;
template PastSelect<Reference<Dual>> past_select;

}  // namespace gradus
