#pragma once
/// \file
/// Softmax over the keys that a query may see, as a formula on arrays: for attention here and for the dense form of
/// the next chapter.

#include <limits>

#include "gradus/tensor/array.hpp"

namespace gradus {

/// p, (T, S): each row of `scores` through softmax over its keys with visible = 1; 0 elsewhere.    (eq:3.2)
/// Masked keys are excluded, not made small. A row without a visible key is 0, not uniform.
template <class Real>
Array<Real> visible_softmax(const Array<Real>& scores, const Array<double>& visible) {
  const Array<Real> lowest = xt::ones_like(scores) * Real(std::numeric_limits<double>::lowest());
  const Array<Real> largest = row_max<Real>(xt::where(visible > 0.5, scores, lowest));  // (T, 1)
  const Array<Real> e = xt::where(visible > 0.5, xt::exp(scores - largest), Real(0.0));
  const Array<Real> total = row_sum<Real>(e);  // (T, 1): at least 1, the largest's own; or 0, the empty sum
  const Array<Real> divisor = xt::where(total > Real(0.0), total, Real(1.0));
  return e / divisor;
}

}  // namespace gradus
