#pragma once
/// \file
/// A case's description of its component for the judges: its tensors and their roles.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gradus/device/step_state.hpp"

namespace gradus::test {

enum class Role { input, parameter, output };

struct TensorSpec {
  std::string name;
  Role role = Role::input;
  std::vector<std::size_t> shape;
  bool accumulated = false;      ///< its gradient is added to, not overwritten (always so for parameters)
  bool differentiable = true;    ///< false: the component computes no gradient for it
  bool zero_by_theorem = false;  ///< its gradient is exactly zero in exact arithmetic
  bool per_row = false;          ///< its first axis is the batch's rows: spare rows are judged on it
  bool numbered = false;         ///< its rows are looked up by numbers that a GPU's host cannot read
  double scale = 1;              ///< random values are normal with this standard deviation
  std::string in_place_of{};     ///< an output: its gradient's memory may be that of this tensor's gradient

  std::size_t size() const {
    std::size_t n = 1;
    for (const std::size_t extent : shape) n *= extent;
    return n;
  }
  TensorSpec& accumulates() { return accumulated = true, *this; }
  TensorSpec& constant() { return differentiable = false, *this; }
  TensorSpec& zero() { return zero_by_theorem = true, *this; }
  TensorSpec& rowwise() { return per_row = true, *this; }
  TensorSpec& by_number() { return numbered = true, *this; }
  TensorSpec& scaled(double s) { return scale = s, *this; }
  /// "dx may be dy": backward may be given one matrix for both.
  TensorSpec& in_place(const std::string& output) { return in_place_of = output, *this; }
};

struct IntsSpec {
  std::string name;
  std::vector<std::int32_t> values;
};

/// A case's `describe` fills it. No offset and no number of the step state is zero or one, so that forgetting one
/// of them changes the result.
class Description {
 public:
  std::string component;  ///< name in the gradient table
  StepState state{20170612, 3, 1e-3, 0.25, 5, 11};
  std::size_t used_rows = 0;  ///< of the tensors that are per_row; 0: all of them

  TensorSpec& input(const std::string& name, std::vector<std::size_t> shape) {
    return put(name, Role::input, shape);
  }
  TensorSpec& output(const std::string& name, std::vector<std::size_t> shape) {
    return put(name, Role::output, shape);
  }
  TensorSpec& parameter(const std::string& name, std::vector<std::size_t> shape) {
    return put(name, Role::parameter, shape).accumulates();
  }
  void ints(const std::string& name, std::vector<std::int32_t> values) {
    ints_.push_back({name, std::move(values)});
  }

  const std::vector<TensorSpec>& tensors() const { return tensors_; }
  const std::vector<IntsSpec>& all_ints() const { return ints_; }

 private:
  TensorSpec& put(const std::string& name, Role role, std::vector<std::size_t> shape) {
    tensors_.push_back({name, role, std::move(shape)});
    return tensors_.back();
  }
  std::vector<TensorSpec> tensors_;
  std::vector<IntsSpec> ints_;
};

}  // namespace gradus::test
