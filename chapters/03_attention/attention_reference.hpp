#pragma once
/// \file
/// Softmax over the keys that a query may see, as a formula on arrays, for this chapter and for the dense form of
/// chapter 04.

#include <limits>

#include "gradus/tensor/array.hpp"

namespace gradus {

/// p (T, S) = softmax of each row of `scores` over the keys with visible = 1, and 0 elsewhere.     (eq:3.2)
/// The scores of masked keys have no effect. A row without a visible key is 0.
template <class Real>
Array<Real> visible_softmax(const Array<Real>& scores, const Array<double>& visible) {
  const Array<Real> lowest = xt::ones_like(scores) * Real(std::numeric_limits<double>::lowest());
  const Array<Real> largest = row_max<Real>(xt::where(visible > 0.5, scores, lowest));  // (T, 1)
  const Array<Real> e = xt::where(visible > 0.5, xt::exp(scores - largest), Real(0.0));
  const Array<Real> total = row_sum<Real>(e);  // (T, 1): the largest score adds 1; 0 without visible keys
  const Array<Real> divisor = xt::where(total > Real(0.0), total, Real(1.0));
  return e / divisor;
}

}  // namespace gradus
