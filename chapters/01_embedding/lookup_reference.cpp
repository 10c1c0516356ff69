#include "01_embedding/lookup.hpp"
#include "gradus/tensor/array.hpp"

namespace gradus {
namespace {

/// E, (N, Vocab): row n is 1 at ids[n] and 0 elsewhere; the row of a padding id is all 0.
template <class Real>
Array<Real> one_hot(View<const std::int32_t, 1, Host> ids, std::size_t Vocab, std::int32_t padding) {
  Array<Real> e = xt::zeros<Real>({ids.extent[0], Vocab});
  for (std::size_t n = 0; n < ids.extent[0]; ++n) {
    if (ids[n] != padding) e(n, static_cast<std::size_t>(ids[n])) = 1;
  }
  return e;
}

}  // namespace

template <class Real, class Dev>
void lookup_forward(Reference<Real>&, Out<Dev, 2> y, Ints<Dev, 1> ids, In<Dev, 2> table,
                    const LookupOptions& options) {
  check_lookup<Dev>(y, ids, table);
  // exercise: begin
  const Array<Real> e = one_hot<Real>(ids, table.extent[0], options.padding);  // (N, Vocab)
  store<Real>(y, Real(options.scale) * product(e, array(table)));              // eq:1.1
  // exercise: end
}

template <class Real, class Dev>
void lookup_backward(Reference<Real>&, Acc<Dev, 2> dtable, In<Dev, 2> dy, Ints<Dev, 1> ids,
                     const LookupOptions& options) {
  check_lookup<Dev>(dy, ids, dtable);
  // exercise: begin
  const Array<Real> e = one_hot<Real>(ids, dtable.extent[0], options.padding);          // (N, Vocab)
  add_to<Real>(dtable, Real(options.scale) * product<Real>(transposed(e), array(dy)));  // eq:1.3
  // exercise: end
}

template LookupForward<Reference<double>> lookup_forward;
template LookupForward<Reference<Dual>> lookup_forward;
template LookupBackward<Reference<double>> lookup_backward;

}  // namespace gradus
