#pragma once
/// \file
/// A component in the judges' form: values by name, in double, in and out; a function hides the device that
/// computes. case.hpp has the templates that make it from a case.

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "support/description.hpp"

namespace gradus::test {

using Named = std::map<std::string, std::vector<double>>;

/// The input of a run: inputs, parameters and, as "dy", the gradient of each output "y".
struct Values {
  Named value;
  Named slope;  ///< derivative along the direction that dual numbers follow; absent means zero
};

struct RunOptions {
  bool backward = true;
  int backward_times = 1;       ///< 2: gradients that accumulate must double
  double accumulated_from = 0;  ///< the initial value of gradients that accumulate
  bool strided = false;         ///< matrices with a gap after each row
  std::size_t gap = 3;          ///< elements of that gap
  bool in_place = false;        ///< gradients lie where the description allows it: dx is dy
  std::string shrunk;           ///< this tensor (or "dx") is passed with one element less on axis `shrunk_axis`
  std::size_t shrunk_axis = 0;
};

/// Whether all bits are the same. By ==, a NaN would differ from itself.
inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}
inline bool same_bits(const Named& a, const Named& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.first == y.first && same_bits(x.second, y.second);
  });
}

struct Run {
  Named output, slope, gradient;  ///< by the tensor's own name
  Named saved;                    ///< what forward saved for backward, if the case names it
  /// forward and backward changed nothing that they may only read, including the gradients of outputs
  bool inputs_unchanged = true;
  bool gaps_untouched = true;  ///< nothing was written after the rows of strided matrices
};

/// One device that can run the component.
struct Runner {
  std::string device;
  bool is_double = true;
  bool is_gpu = false;  ///< its tensors lie where the host cannot read them
  std::function<Run(const Values&, const RunOptions&)> run;
};

struct Component {
  Description description;
  std::vector<Runner> devices;  ///< the first is the reference in double: the oracle of parity
  Runner dual;                  ///< forward only, on dual numbers
};

/// Random values for all inputs.
Values random_values(const Description& description, std::uint64_t seed = 1);

}  // namespace gradus::test
