#include "gradus/ops/cpu/int8_weights.hpp"

#include "gradus/ops/cpu/int8_product_cpu.hpp"

namespace gradus {

void Int8Weights::add(View<const float, 2, Host> w, bool transposed) {
  matrices_[{w.data, w.extent[1], transposed}] = std::make_shared<const Matrix>(w, transposed);
}

const Int8Weights::Matrix* Int8Weights::find(View<const float, 2, Host> w, bool transposed) const {
  const auto at = matrices_.find({w.data, w.extent[1], transposed});
  return at == matrices_.end() ? nullptr : at->second.get();
}

}  // namespace gradus
