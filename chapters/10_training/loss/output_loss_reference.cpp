#include "10_training/loss/output_loss.hpp"
#include "gradus/tensor/array.hpp"

namespace gradus {
namespace {

/// q, (N, Vocab): the target probabilities; rows without a target are 0, and so is their `used`, (N, 1).
template <class Real>
void smoothed_targets(Array<Real>& q, Array<Real>& used, View<const std::int32_t, 1, Host> target,
                      double smoothing) {
  const double vocab = static_cast<double>(q.shape(1));
  for (std::size_t n = 0; n < target.extent[0]; ++n) {
    check_target(target[n], q.shape(1));
    const bool is_used = target[n] >= 0;
    used(n, 0) = Real(is_used ? 1.0 : 0.0);
    for (std::size_t v = 0; v < q.shape(1); ++v) q(n, v) = Real(is_used ? smoothing / vocab : 0.0);
    if (is_used) q(n, static_cast<std::size_t>(target[n])) += Real(1 - smoothing);
  }
}

/// z = x table^T + bias, (N, Vocab).
template <class Real>
Array<Real> logits(View<const Real, 2, Host> x, const BasicOutputParams<Real, Host>& p) {
  Array<Real> z = product(array(x), transposed(array(p.table)));
  if (p.bias) z += row(p.bias);
  return z;
}

/// log softmax of each row, (N, Vocab), with the maximum subtracted first.
template <class Real>
Array<Real> log_softmax(const Array<Real>& z) {
  const Array<Real> shifted = z - row_max<Real>(z);
  const Array<Real> exponentials = xt::exp(shifted);
  return shifted - xt::log(row_sum<Real>(exponentials));
}

}  // namespace

template <class Real, class Dev>
void output_loss_value(Reference<Real>& dev, Acc<Dev, 1> loss, In<Dev, 2> x, const OutputParams<Dev>& p,
                       Ints<Dev, 1> target, double smoothing) {
  check_output_loss<Dev>(loss, x, p, target, smoothing);
  // exercise: begin
  const Array<Real> z = logits<Real>(x, p);  // (N, Vocab)
  Array<Real> q = z, used = empty<Real>(z.shape(0), 1);
  smoothed_targets(q, used, target, smoothing);
  const Array<Real> logp = log_softmax<Real>(z);
  const Array<Real> l = -row_sum<Real>(q * logp);  // eq:10.1, because q sums to 1
  add_to<Real>(loss, Real(dev.state.inverse_tokens) * sum_rows<Real>(l));
  // exercise: end
}

template <class Real, class Dev>
void output_loss(Reference<Real>& dev, Acc<Dev, 1> loss, Out<Dev, 2> dx, const OutputParams<Dev>& dp, In<Dev, 2> x,
                 const OutputParams<Dev>& p, Ints<Dev, 1> target, double smoothing) {
  output_loss_value(dev, loss, x, p, target, smoothing);
  check_shape("output_loss: dx", dx, x.extent);
  check_output_gradients<Dev>(dp, p);
  // exercise: begin
  const Array<Real> z = logits<Real>(x, p);
  Array<Real> q = z, used = empty<Real>(z.shape(0), 1);
  smoothed_targets(q, used, target, smoothing);
  const Array<Real> softmax = xt::exp(log_softmax<Real>(z));                     // (N, Vocab)
  const Array<Real> dz = Real(dev.state.inverse_tokens) * (used * softmax - q);  // eq:10.2
  store<Real>(dx, product(dz, array(p.table)));                                  // eq:10.3
  add_to<Real>(dp.table, product(transposed(dz), array(x)));
  if (dp.bias) add_to<Real>(dp.bias, sum_rows<Real>(dz));
  // exercise: end
}

template OutputLoss<Reference<double>> output_loss;
template OutputLossValue<Reference<double>> output_loss_value;
template OutputLossValue<Reference<Dual>> output_loss_value;

}  // namespace gradus
