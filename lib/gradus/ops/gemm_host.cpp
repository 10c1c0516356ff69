#include "gradus/ops/gemm.hpp"

#include <cmath>
#include <cstring>
#include <type_traits>

#include "gradus/device/tf32_override.hpp"
#include "gradus/gpu/host/memory.hpp"
#include "gradus/gpu/host/stream.hpp"

namespace gradus {
namespace {

/// Views of device memory as views of host memory: valid while a DeviceAccess exists.
template <class T>
View<T, 2, Host> reached(View<T, 2, Gpu> v) {
  return {v.data, v.extent, v.stride};
}
template <class Real>
BasicFactor<Real, Host> reached(const BasicFactor<Real, Gpu>& f) {
  return {reached(f.matrix), f.transposed};
}

/// The number of `bits` bits of precision that is nearest to x; of two equally near ones the even one.
float rounded(float x, int bits) {
  if (!std::isfinite(x)) return x;
  const int dropped = 24 - bits;
  std::uint32_t word = 0;
  std::memcpy(&word, &x, sizeof word);
  word += (std::uint32_t{1} << (dropped - 1)) - 1 + (word >> dropped & 1);
  word &= ~std::uint32_t{0} << dropped;
  std::memcpy(&x, &word, sizeof x);
  return x;
}

/// A factor, rounded as tensor cores read it.
struct RoundedFactor {
  RoundedFactor(const BasicFactor<float, Host>& f, Products products)
      : values(f.matrix.extent[0] * f.matrix.extent[1]) {
    const auto [rows, columns] = f.matrix.extent;
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = rounded(f.matrix.row(i / columns)[i % columns], products == Products::tf32 ? 11 : 8);
    }
    factor = {View<const float, 2, Host>{values.data(), {rows, columns}, columns}, f.transposed};
  }
  std::vector<float> values;
  BasicFactor<float, Host> factor{View<const float, 2, Host>{}};
};

template <class T>
std::size_t bytes_in(const View<T, 2, Gpu>& v) {
  return v.extent[0] * v.extent[1] * sizeof(T);
}

}  // namespace

/// The host layer's stand-in for cuBLAS: it calls the product of Cpu.
template <class Real, class Dev>
void multiply(Cuda<Real>& dev, Out<Dev, 2> c, Factor<Dev> a, Factor<Dev> b, double scale, bool add) {
  check_gemm<Dev>(c, a, b);
  if constexpr (std::is_same_v<Real, float>) require_no_override(dev.products);
  gpu::host::check_argument(c);
  gpu::host::check_argument(a.matrix);
  gpu::host::check_argument(b.matrix);
  const Products products = dev.products;
  gpu::host::submit(
      [=] {
        const gpu::host::DeviceAccess access;
        if (gpu::host::Watcher* const watcher = gpu::host::watcher()) {
          const std::size_t factors = bytes_in(a.matrix) + bytes_in(b.matrix), result = bytes_in(c);
          watcher->on_other("product", factors + (add ? result : 0), result);
        }
        Cpu<Real> cpu;
        if constexpr (std::is_same_v<Real, float>) {
          if (products != Products::exact) {
            const RoundedFactor left(reached(a), products), right(reached(b), products);
            return multiply(cpu, reached(c), left.factor, right.factor, scale, add);
          }
        }
        multiply(cpu, reached(c), reached(a), reached(b), scale, add);
      },
      gpu::host::bytes_of(c, a.matrix, b.matrix, scale, products, a.transposed, b.transposed, add));
}

using F = Cuda<float>;
using D = Cuda<double>;
template void multiply(F&, Out<F, 2>, Factor<F>, Factor<F>, double, bool);
template void multiply(D&, Out<D, 2>, Factor<D>, Factor<D>, double, bool);

}  // namespace gradus
