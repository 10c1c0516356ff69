#pragma once
/// \file
/// The judges. Each takes a component and one of its devices and returns verdicts; nothing is thrown for a wrong
/// component, so that the same judges can be shown to reject wrong twins.

#include <string>
#include <vector>

#include "support/component.hpp"

namespace gradus::test {

struct Verdict {
  std::string judge, component, tensor, device;
  double error = 0, bound = 0;
  double step = 0;                                ///< finite differences: the h that was best
  bool passed() const { return error <= bound; }  // NaN fails
};
using Verdicts = std::vector<Verdict>;

struct Bounds {
  double finite_differences = 1e-7;
  double dual = 1e-12;
  double parity_double = 1e-12;
  double parity_float = 1e-5;  ///< of outputs
  double parity_float_gradient = 1e-5;
  double golden = 1e-12;
  double zero = 1e-12;  ///< of gradients that are zero by theorem, relative to the case's largest gradient
};

/// The larger of two errors; NaN wins, so that it is never lost in a maximum.
double worse(double a, double b);

/// max |a - b| / max(max |a|, max |b|, 1e-3 x scale); NaN if anything is not finite. For a gradient, `scale` is the
/// largest of the case.
double relative_error(const std::vector<double>& a, const std::vector<double>& b, double scale = 0);

/// Central differences of a random projection of the outputs, in double, against the hand-written backward; four
/// steps h, one a tensor. All elements up to 2,000 a tensor, beyond that 200 of them and 3 random directions.
Verdicts finite_differences(const Component&, const Runner&, const Bounds& = {});

/// The exact directional derivative (forward on dual numbers) against the hand-written backward: unit directions
/// for tensors up to 300 elements, beyond that 30 of them and 3 random directions.
Verdicts dual_numbers(const Component&, const Runner&, const Bounds& = {});

/// Outputs and gradients against those of the component's first device.
Verdicts parity(const Component&, const Runner&, const Bounds& = {});

/// Outputs and gradients against tests/golden/<file>.safetensors, made by an independent implementation. Inputs
/// come from the file. Its tensors are named as the case's; a gradient is "d" + name.
Verdicts golden(const Component&, const Runner&, const std::string& file, const Bounds& = {});

/// Out is overwritten, Acc is added to, what is read stays as it is, strides are obeyed and what lies between rows
/// is left alone, spare rows change nothing, shapes that do not fit throw.
Verdicts contract(const Component&, const Runner&);

/// Whether any verdict of this judge failed.
bool rejected(const Verdicts& verdicts);

/// Puts `more` behind what is in `to`.
void append(Verdicts& to, const Verdicts& more);

/// Both gradient judges on every device in double, and a row each in the table that `make gradients` prints.
Verdicts gradients(const Component&, const Bounds& = {});

/// Every judge that needs no file, on every device that it can judge.
Verdicts all_judges(const Component&, const Bounds& = {});

/// Golden values on every device in double.
Verdicts golden(const Component&, const std::string& file, const Bounds& = {});

}  // namespace gradus::test
