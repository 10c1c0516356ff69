#include "gradus/ops/cuda/gemm_bias.hpp"
#include "gradus/ops/cuda/gemm_each.hpp"
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

/// c = scale a b, or c + scale a b if `add`, with factors as tensor cores read them.
template <class Real>
void multiply_on_host(Products products, View<Real, 2, Host> c, const BasicFactor<Real, Host>& a,
                      const BasicFactor<Real, Host>& b, double scale, bool add) {
  Cpu<Real> cpu;
  if constexpr (std::is_same_v<Real, float>) {
    if (products != Products::exact) {
      const RoundedFactor left(a, products), right(b, products);
      return multiply(cpu, c, left.factor, right.factor, scale, add);
    }
  }
  multiply(cpu, c, a, b, scale, add);
}

void tell_watcher(std::size_t read, std::size_t written) {
  if (gpu::host::Watcher* const watcher = gpu::host::watcher()) watcher->on_other("product", read, written);
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
        tell_watcher(bytes_in(a.matrix) + bytes_in(b.matrix) + (add ? bytes_in(c) : 0), bytes_in(c));
        multiply_on_host(products, reached(c), reached(a), reached(b), scale, add);
      },
      gpu::host::bytes_of(c, a.matrix, b.matrix, scale, products, a.transposed, b.transposed, add));
}

template <class Real, class Dev>
bool gemm_with_bias(Cuda<Real>& dev, Out<Dev, 2> c, Factor<Dev> a, Factor<Dev> b, In<Dev, 1> bias) {
  check_gemm_with_bias<Dev>(c, a, b, bias);
  if (!std::is_same_v<Real, float> || !has_launch_with_bias<Dev>(c, a, b, bias)) return false;
  require_no_override(dev.products);
  gpu::host::check_argument(c);
  gpu::host::check_argument(a.matrix);
  gpu::host::check_argument(b.matrix);
  gpu::host::check_argument(bias);
  const Products products = dev.products;
  gpu::host::submit(
      [=] {
        const gpu::host::DeviceAccess access;
        tell_watcher(bytes_in(a.matrix) + bytes_in(b.matrix) + bias.extent[0] * sizeof(Real), bytes_in(c));
        const View<Real, 2, Host> y = reached(c);
        multiply_on_host(products, y, reached(a), reached(b), 1, false);
        for (std::size_t i = 0; i < y.extent[0] * y.extent[1]; ++i)
          y.row(i / y.extent[1])[i % y.extent[1]] += bias[i % y.extent[1]];
      },
      gpu::host::bytes_of(c, a.matrix, b.matrix, bias, products, a.transposed, b.transposed));
  return true;
}

template <class Real, class Dev>
bool gemm_each(Cuda<Real>& dev, const std::vector<Out<Dev, 2>>& c, Factor<Dev> a,
               const std::vector<Factor<Dev>>& b) {
  check_gemm_each<Dev>(c, a, b);
  const std::optional<EachDistance> d = distance_for_each<Dev>(c, a, b);
  if (!d) return false;
  if constexpr (std::is_same_v<Real, float>) require_no_override(dev.products);
  gpu::host::check_argument(a.matrix);
  for (const Out<Dev, 2>& each : c) gpu::host::check_argument(each);
  for (const Factor<Dev>& each : b) gpu::host::check_argument(each.matrix);
  const Products products = dev.products;
  gpu::host::submit(
      [=] {
        const gpu::host::DeviceAccess access;
        const std::size_t count = c.size();
        tell_watcher(bytes_in(a.matrix) + count * bytes_in(b[0].matrix), count * bytes_in(c[0]));
        for (std::size_t i = 0; i < count; ++i)
          multiply_on_host(products, reached(c[i]), reached(a), reached(b[i]), 1, false);
      },
      gpu::host::bytes_of(c.size(), c[0], a.matrix, b[0].matrix, d->b, d->c, products, a.transposed,
                          b[0].transposed));
  return true;
}

using F = Cuda<float>;
using D = Cuda<double>;
template Multiply<Cuda<float>> multiply;
template Multiply<Cuda<double>> multiply;
template bool gemm_with_bias(F&, Out<F, 2>, Factor<F>, Factor<F>, In<F, 1>);
template bool gemm_with_bias(D&, Out<D, 2>, Factor<D>, Factor<D>, In<D, 1>);
template bool gemm_each(F&, const std::vector<Out<F, 2>>&, Factor<F>, const std::vector<Factor<F>>&);
template bool gemm_each(D&, const std::vector<Out<D, 2>>&, Factor<D>, const std::vector<Factor<D>>&);

}  // namespace gradus
