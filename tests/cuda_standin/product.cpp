#include "cuda_standin/product.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "cuda_standin/device.hpp"
#include "gradus/gpu/host/memory.hpp"

namespace gradus::standin {
namespace {

std::size_t size_of(Kind kind) { return kind == Kind::real64 ? sizeof(double) : sizeof(float); }

std::int64_t rows_in_form(const Matrix& m) { return m.form == CUBLAS_OP_N ? m.rows : m.columns; }
std::int64_t columns_in_form(const Matrix& m) { return m.form == CUBLAS_OP_N ? m.columns : m.rows; }

std::string text(const Matrix& m) {
  return std::to_string(m.rows) + " x " + std::to_string(m.columns) + ", leading dimension " + std::to_string(m.ld);
}

/// x with `bits` bits of precision; of two equally near ones the even one.
float rounded(float x, int bits) {
  if (!std::isfinite(x) || x == 0) return x;
  int exponent = 0;
  const float mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(mantissa, bits)), exponent - bits);
}
float as_read(float x, Kind kind) {
  return kind == Kind::tf32 ? rounded(x, 11) : kind == Kind::bf16 ? rounded(x, 8) : x;
}
double as_read(double x, Kind) { return x; }

/// Matrix i of a batch, in its form: by columns, without gaps, as the product reads it.
template <class Real>
std::vector<Real> read(const Matrix& m, int i, Kind kind) {
  const auto* const from = static_cast<const Real*>(m.data) + m.distance * i;
  const std::int64_t rows = rows_in_form(m), columns = columns_in_form(m);
  std::vector<Real> values;
  values.reserve(static_cast<std::size_t>(rows * columns));
  for (std::int64_t c = 0; c < columns; ++c) {
    for (std::int64_t r = 0; r < rows; ++r)
      values.push_back(as_read(m.form == CUBLAS_OP_N ? from[r + c * m.ld] : from[c + r * m.ld], kind));
  }
  return values;
}

template <class Real>
void multiply(const Product& p, int i) {
  const std::vector<Real> a = read<Real>(p.a, i, p.kind), b = read<Real>(p.b, i, p.kind);
  const auto m = static_cast<std::size_t>(p.d.rows), k = static_cast<std::size_t>(columns_in_form(p.a));
  const auto* const c = static_cast<const Real*>(p.c.data) + p.c.distance * i;
  auto* const d = static_cast<Real*>(p.d.data) + p.d.distance * i;
  std::vector<Real> sum(m);
  for (std::int64_t j = 0; j < p.d.columns; ++j) {
    std::fill(sum.begin(), sum.end(), Real(0));
    for (std::size_t s = 0; s < k; ++s) {
      const Real factor = b[s + static_cast<std::size_t>(j) * k];
      for (std::size_t r = 0; r < m; ++r) sum[r] += a[r + s * m] * factor;
    }
    for (std::int64_t r = 0; r < p.d.rows; ++r) {
      Real value = static_cast<Real>(p.alpha) * sum[static_cast<std::size_t>(r)];
      if (p.beta != 0) value += static_cast<Real>(p.beta) * c[r + j * p.c.ld];  // with 0, c is not read
      if (p.bias != nullptr) value += static_cast<Real>(p.bias[r]);
      d[r + j * p.d.ld] = p.activation ? static_cast<Real>(p.activation(static_cast<double>(value))) : value;
    }
  }
}

void check_matrix(const Product& p, const char* name, const Matrix& m) {
  const std::string start = p.what + ": " + name + ", " + text(m) + ": ";
  if (m.rows < 0 || m.columns < 0) refuse_product(start + "a size is negative");
  if (m.ld < std::max<std::int64_t>(1, m.rows))
    refuse_product(start + "the leading dimension is less than the rows of a column");
  if (m.data == nullptr && m.rows != 0 && m.columns != 0) refuse_product(start + "there is no matrix");
}

/// The memory of a whole batch: each matrix is `columns` pieces of `rows` elements.
void add_accesses(std::vector<Access>& list, const Product& p, const char* name, const Matrix& m, bool writes) {
  const std::size_t size = size_of(p.kind);
  for (int i = 0; i < (m.distance == 0 ? 1 : p.count); ++i) {
    list.push_back({name, static_cast<const std::byte*>(m.data) + m.distance * i * static_cast<std::int64_t>(size),
                    static_cast<std::size_t>(m.rows) * size, writes, static_cast<std::size_t>(m.columns),
                    static_cast<std::size_t>(m.ld) * size});
  }
}

void check_access(const std::string& what, const Access& a) {
  if (a.rows != 0 && a.bytes != 0)
    check_on_device(what + ": " + a.what, a.begin, (a.rows - 1) * a.stride + a.bytes);
}

}  // namespace

void refuse_product(const std::string& why) { throw BlasRefused{CUBLAS_STATUS_INVALID_VALUE, why}; }

void check(const Product& p) {
  check_matrix(p, "A", p.a);
  check_matrix(p, "B", p.b);
  if (p.beta != 0) check_matrix(p, "C", p.c);
  check_matrix(p, "D", p.d);
  if (columns_in_form(p.a) != rows_in_form(p.b) || rows_in_form(p.a) != p.d.rows ||
      columns_in_form(p.b) != p.d.columns || p.c.rows != p.d.rows || p.c.columns != p.d.columns)
    refuse_product(p.what + ": the shapes do not fit");
  if (p.count < 0) refuse_product(p.what + ": a negative number of products");
}

Task task_of(const Product& p, void* workspace, std::size_t workspace_bytes) {
  std::vector<Access> accesses;
  add_accesses(accesses, p, "A", p.a, false);
  add_accesses(accesses, p, "B", p.b, false);
  if (p.beta != 0) add_accesses(accesses, p, "C", p.c, false);
  add_accesses(accesses, p, "D", p.d, true);
  if (p.bias != nullptr)
    accesses.push_back({"the bias", p.bias, static_cast<std::size_t>(p.d.rows) * sizeof(float), false});
  const std::vector<Access> matrices = accesses;
  accesses.push_back({"the workspace", workspace, workspace_bytes, true});
  const auto run = [=] {
    for (const Access& a : matrices) check_access(p.what, a);
    const gpu::host::DeviceAccess open;
    for (int i = 0; i < p.count; ++i) p.kind == Kind::real64 ? multiply<double>(p, i) : multiply<float>(p, i);
  };
  return {p.what, run, accesses};
}

}  // namespace gradus::standin
