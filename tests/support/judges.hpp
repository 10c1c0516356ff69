#pragma once
/// \file
/// The judges. Each takes a component and one of its devices and returns verdicts. A wrong component throws
/// nothing, so that tests can show that the judges reject wrong twins.

#include <string>
#include <vector>

#include "support/component.hpp"

namespace gradus::test {

struct Verdict {
  std::string judge, component, tensor, device;
  double error = 0, bound = 0;
  double step = 0;                                ///< finite differences: the best step h
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

/// Central differences of a random projection of the outputs, in double, compared with the hand-written backward;
/// the best of four steps h for each tensor. All elements of tensors up to 2,000; above, 200 of them and 3 random
/// directions.
Verdicts finite_differences(const Component&, const Runner&, const Bounds& = {});

/// The exact directional derivative (forward on dual numbers), compared with the hand-written backward: all unit
/// directions for tensors up to 300 elements; above, 30 of them and 3 random directions.
Verdicts dual_numbers(const Component&, const Runner&, const Bounds& = {});

/// Outputs and gradients, compared with those of the component's first device.
Verdicts parity(const Component&, const Runner&, const Bounds& = {});

/// Outputs and gradients, compared with tests/golden/<file>.safetensors from an independent implementation. The
/// file also has the inputs. Its tensors have the case's names; a gradient is "d" + name.
Verdicts golden(const Component&, const Runner&, const std::string& file, const Bounds& = {});

/// Checks that Out is overwritten, Acc is added to, inputs stay unchanged, strides are used and gaps between rows
/// stay untouched, spare rows change nothing, and wrong shapes throw.
Verdicts contract(const Component&, const Runner&);

/// Whether any verdict of this judge failed.
bool rejected(const Verdicts& verdicts);

/// Appends `more` to `to`.
void append(Verdicts& to, const Verdicts& more);

/// Runs both gradient judges on every device in double, and adds one row each to the table of `make gradients`.
Verdicts gradients(const Component&, const Bounds& = {});

/// Runs every judge that needs no file, on every device that it can judge.
Verdicts all_judges(const Component&, const Bounds& = {});

/// Compares with golden values on every device in double.
Verdicts golden(const Component&, const std::string& file, const Bounds& = {});

}  // namespace gradus::test
