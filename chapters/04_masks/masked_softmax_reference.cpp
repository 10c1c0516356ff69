#include "03_attention/attention_reference.hpp"
#include "04_masks/dense.hpp"
#include "04_masks/masked_softmax.hpp"

namespace gradus {
namespace {

/// The mask of sentence b as an array, (T, S).
Array<double> mask_of(View<const std::int32_t, 3, Host> mask, std::size_t b) {
  return xt::cast<double>(array(sentence(mask, b)));
}

}  // namespace

template <class Real, class Dev>
void masked_softmax_forward(Reference<Real>&, Out<Dev, 4> p, In<Dev, 4> s, Ints<Dev, 3> mask) {
  check_masked_softmax<Dev>(p, s, mask);
  for (std::size_t b = 0; b < s.extent[0]; ++b) {
    for (std::size_t h = 0; h < s.extent[1]; ++h) {
      // exercise: begin
      store<Real>(scores_of(p, b, h),
                  visible_softmax<Real>(array(scores_of(s, b, h)), mask_of(mask, b)));  // eq:4.3
      // exercise: end
    }
  }
}

template <class Real, class Dev>
void masked_softmax_backward(Reference<Real>&, Out<Dev, 4> ds, In<Dev, 4> dp_, In<Dev, 4> p_) {
  check_masked_softmax_gradient<Dev>(ds, dp_, p_);
  for (std::size_t b = 0; b < p_.extent[0]; ++b) {
    for (std::size_t h = 0; h < p_.extent[1]; ++h) {
      // exercise: begin
      const Array<Real> p = array(scores_of(p_, b, h)), dp = array(scores_of(dp_, b, h));  // (T, S)
      store<Real>(scores_of(ds, b, h), p * (dp - row_sum<Real>(p * dp)));                  // eq:4.5
      // exercise: end
    }
  }
}

template MaskedSoftmaxForward<Reference<double>> masked_softmax_forward;
template MaskedSoftmaxForward<Reference<Dual>> masked_softmax_forward;
template MaskedSoftmaxBackward<Reference<double>> masked_softmax_backward;

}  // namespace gradus
