#pragma once
/// \file
/// The tensors of one run in a device's memory: each has its own allocation, and is fetched by name.

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "gradus/scalar/dual.hpp"
#include "gradus/tensor/segments.hpp"
#include "gradus/tensor/view.hpp"
#include "gradus/util/error.hpp"
#include "support/component.hpp"
#include "support/mirror.hpp"

namespace gradus::test {

/// One tensor of any rank, in its own memory.
template <class Real, class Space>
struct Cell {
  std::vector<std::size_t> shape;
  std::size_t stride = 0;
  std::vector<Real> memory;
  Mirror<Real, Space> on_device{};

  std::size_t columns() const { return shape.back(); }
  std::size_t row_count() const {
    std::size_t n = 1;
    for (std::size_t i = 0; i + 1 < shape.size(); ++i) n *= shape[i];
    return n;
  }
  template <class F>
  void each(F&& f) {
    for (std::size_t i = 0, k = 0; i < row_count(); ++i) {
      for (std::size_t j = 0; j < columns(); ++j) f(memory[i * stride + j], k++);
    }
  }
  /// The memory after the rows is NaN at first, so that writes to it are seen.
  bool gaps_untouched() const {
    for (std::size_t i = 0; i < row_count(); ++i) {
      for (std::size_t j = columns(); j < stride; ++j) {
        if (!std::isnan(static_cast<double>(memory[i * stride + j]))) return false;
      }
    }
    return true;
  }
};

template <class Dev>
class Tensors {
 public:
  using Real = typename Dev::Real;
  using Space = typename Dev::Space;

  Tensors(const Description& description, const Values& values, const RunOptions& options) : options_(options) {
    for (const TensorSpec& spec : description.tensors()) {
      make(spec.name, spec);
      make("d" + spec.name, spec);
      if (options.in_place && !spec.in_place_of.empty()) place_["d" + spec.name] = "d" + spec.in_place_of;
      const bool is_output = spec.role == Role::output;
      const std::string given = is_output ? "d" + spec.name : spec.name;
      load(given, values);
      if (!is_output && spec.accumulated) {
        cells_.at("d" + spec.name).each([&](Real& x, std::size_t) { x = Real(options.accumulated_from); });
      }
    }
    for (auto& [name, cell] : cells_) cell.on_device.upload(cell.memory);
    for (const IntsSpec& spec : description.all_ints()) ints_[spec.name] = IntCell(spec.values);
  }

  View<Real, 1, Space> vector(const std::string& name) { return view<1>(name); }
  View<Real, 2, Space> matrix(const std::string& name) { return view<2>(name); }
  View<Real, 1, Space> d_vector(const std::string& name) { return view<1>("d" + name); }
  View<Real, 2, Space> d_matrix(const std::string& name) { return view<2>("d" + name); }
  View<const std::int32_t, 1, Space> ints(const std::string& name) const { return ints_.at(name).view(); }

  /// The offsets of a table in the device's memory, which live as long as these tensors.
  BasicSegments<Space> segments(const SegmentTable& table) {
    const auto copy = [this](const std::vector<std::int32_t>& v) { return tables_.emplace_back(v).view(); };
    return {copy(table.begin), copy(table.length), table.rows, table.longest};
  }

  /// The tensor `name` (a gradient's is "d" + name) of this rank; throws Error if the case did not describe it.
  template <int Rank>
  View<Real, Rank, Space> view(const std::string& name) {
    const auto found = cells_.find(place(name));
    if (found == cells_.end()) fail("the case describes no tensor " + name);
    Cell<Real, Space>& cell = found->second;
    if (cell.shape.size() != Rank) fail("tensor " + name + " has another rank");
    View<Real, Rank, Space> v{cell.on_device.data(cell.memory), {}, cell.stride};
    for (int i = 0; i < Rank; ++i) v.extent[static_cast<std::size_t>(i)] = cell.shape[static_cast<std::size_t>(i)];
    if (name == options_.shrunk) --v.extent[options_.shrunk_axis];
    return v;
  }

  /// The values of a tensor in the judges' form.
  std::vector<double> values(const std::string& name) {
    std::vector<double> out;
    fetched(name).each([&](Real& x, std::size_t) { out.push_back(static_cast<double>(x)); });
    return out;
  }
  std::vector<double> slopes(const std::string& name) {
    std::vector<double> out;
    if constexpr (std::is_same_v<Real, Dual>) {
      fetched(name).each([&](Real& x, std::size_t) { out.push_back(x.slope); });
    }
    return out;
  }
  bool gaps_untouched() {
    return std::all_of(cells_.begin(), cells_.end(),
                       [this](const auto& cell) { return fetched(cell.first).gaps_untouched(); });
  }

 private:
  struct IntCell {
    IntCell() = default;
    explicit IntCell(std::vector<std::int32_t> v) : values(std::move(v)) { on_device.upload(values); }
    View<const std::int32_t, 1, Space> view() const {
      return {on_device.data(values), {values.size()}, values.size()};
    }
    std::vector<std::int32_t> values;
    Mirror<std::int32_t, Space> on_device;
  };

  /// The name of the tensor whose memory it has: its own but in place.
  const std::string& place(const std::string& name) const {
    const auto other = place_.find(name);
    return other == place_.end() ? name : other->second;
  }

  /// The tensor's values after the run.
  Cell<Real, Space>& fetched(const std::string& name) {
    Cell<Real, Space>& cell = cells_.at(place(name));
    cell.on_device.download(cell.memory);
    return cell;
  }

  void make(const std::string& name, const TensorSpec& spec) {
    const bool gap = options_.strided && spec.shape.size() == 2;
    Cell<Real, Space> cell{spec.shape, spec.shape.back() + (gap ? options_.gap : 0), {}};
    cell.memory.assign(cell.row_count() * cell.stride, Real(std::numeric_limits<double>::quiet_NaN()));
    cells_[name] = std::move(cell);
  }

  void load(const std::string& name, const Values& values) {
    const auto value = values.value.find(name);
    if (value == values.value.end()) return;  // a gradient that is not requested stays NaN
    Cell<Real, Space>& cell = cells_.at(name);
    if (value->second.size() != cell.row_count() * cell.columns()) fail("values of " + name + " have another size");
    const auto slope = values.slope.find(name);
    cell.each([&](Real& x, std::size_t k) {
      if constexpr (std::is_same_v<Real, Dual>) {
        x = Dual(value->second[k], slope == values.slope.end() ? 0.0 : slope->second[k]);
      } else {
        x = static_cast<Real>(value->second[k]);
      }
    });
  }

  RunOptions options_;
  std::map<std::string, Cell<Real, Space>> cells_;
  std::map<std::string, std::string> place_;
  std::map<std::string, IntCell> ints_;
  std::deque<IntCell> tables_;
};

}  // namespace gradus::test
