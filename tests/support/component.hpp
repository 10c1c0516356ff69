#pragma once
/// \file
/// A component as the judges see it: values by name, in double, in and out; which device computes them is behind a
/// function. The templates that make it from a case are in case.hpp.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "support/description.hpp"

namespace gradus::test {

using Named = std::map<std::string, std::vector<double>>;

/// What goes into a run: inputs, parameters and, as "dy", the gradient of each output "y".
struct Values {
  Named value;
  Named slope;  ///< derivative along the direction that dual numbers follow; absent means zero
};

struct RunOptions {
  bool backward = true;
  int backward_times = 1;       ///< 2: gradients that accumulate must double
  double accumulated_from = 0;  ///< what gradients that accumulate hold at first
  bool strided = false;         ///< matrices with a gap after each row
  std::string shrunk;           ///< this tensor (or "dx") is passed with one element less on axis `shrunk_axis`
  std::size_t shrunk_axis = 0;
};

struct Run {
  Named output, slope, gradient;  ///< by the tensor's own name
  bool inputs_unchanged = true;   ///< what forward or backward may only read, the gradients of outputs included
  bool gaps_untouched = true;     ///< what lies after the rows of strided matrices
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

/// Random values for everything that goes in.
Values random_values(const Description& description, std::uint64_t seed = 1);

}  // namespace gradus::test
