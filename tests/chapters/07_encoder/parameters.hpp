#pragma once
/// \file
/// The parameters of a composite in a case: one tensor for each slice of its layout, copied to a flat vector and
/// back, so that the composite is bound as in a program.

#include <cmath>

#include "gradus/ops/elementwise.hpp"
#include "gradus/params/flat_vector.hpp"
#include "support/case.hpp"

namespace gradus::test {

/// The layout of the parameters that `params`, a function of a binder, asks for.
template <class F>
Layout layout_of(F&& params) {
  Layout layout;
  Binder<Cpu<double>> declare(layout);
  params(declare);
  layout.finish();
  return layout;
}

/// Matrices have the size that they have at the start of training, so that the values in a deep stack keep the size
/// of its input; gains, shifts and biases are as large as the values that they act on.
inline void describe_parameters(Description& d, const Layout& layout) {
  for (const Slice& s : layout.slices()) {
    const bool is_map = s.kind == Kind::weight;
    d.parameter(s.name, s.shape).scaled(is_map ? 1 / std::sqrt(static_cast<double>(s.shape[0])) : 1);
  }
}

/// Values or gradients (d = "d") of all parameters, in a flat vector.
template <class Dev>
class FlatParameters {
 public:
  FlatParameters(Dev& dev, const Layout& layout, Tensors<Dev>& t, const std::string& d = "")
      : layout_(layout), values_(layout) {
    each(t, d, [&](auto here, auto there) { copy(dev, here, there); });
  }
  Binder<Dev> binder() const { return Binder<Dev>(layout_, values_.flat()); }
  /// Copies gradients to the tensors of the case, when they are complete.
  void save(Dev& dev, Tensors<Dev>& t, const std::string& d) const {
    add_due_sums(dev);
    each(t, d, [&](auto here, auto there) { copy(dev, there, here); });
  }

 private:
  template <class F>
  void each(Tensors<Dev>& t, const std::string& d, F&& f) const {
    for (const Slice& s : layout_.slices()) {
      const bool is_matrix = s.shape.size() == 2;
      const std::size_t rows = is_matrix ? s.shape[0] : 1, columns = s.shape.back();
      const Out<Dev, 2> here{values_.flat().data + s.offset, {rows, columns}, columns};
      if (is_matrix) {
        f(here, t.matrix(d + s.name));
      } else {
        const auto v = t.vector(d + s.name);
        f(here, Out<Dev, 2>{v.data, {1, v.extent[0]}, v.extent[0]});
      }
    }
  }

  Layout layout_;
  FlatVector<Dev> values_;
};

/// The packed sentences of a case, with the rows of its tensors as capacity: rows beyond the sentences are spare.
inline void describe_sentences(Description& d, const std::string& name, const std::vector<std::int32_t>& lengths) {
  const SegmentTable table = SegmentTable::packed(lengths);
  d.ints(name + "_begin", table.begin);
  d.ints(name + "_length", table.length);
}
template <class Dev>
Segments<Dev> sentences(const Tensors<Dev>& t, const std::string& name, const std::vector<std::int32_t>& lengths,
                        std::size_t rows) {
  return {t.ints(name + "_begin"), t.ints(name + "_length"), rows, SegmentTable::packed(lengths).longest};
}

}  // namespace gradus::test
