// Tests of the judges: each must see a small planted error, and only that.

#include <limits>

#include "00_foundations/linear.hpp"
#include "chapters/00_foundations/dropout_case.hpp"
#include "chapters/00_foundations/linear_case.hpp"
#include "gradus/ops/elementwise.hpp"
#include "support/catch.hpp"
#include "support/gradient_table.hpp"
#include "support/twins.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// A linear map with a relative error in one tensor: in y's first element, or in all of dw or dx.
template <int Tensor>
struct OffBy : Cpu<double> {
  static inline double error = 0;
};
using ForwardOff = OffBy<0>;
using WeightGradientOff = OffBy<1>;
using InputGradientOff = OffBy<2>;

void linear_forward(ForwardOff& dev, Out<ForwardOff, 2> y, In<ForwardOff, 2> x, const LinearParams<ForwardOff>& p) {
  gradus::linear_forward(static_cast<Cpu<double>&>(dev), y, x, p);
  y.row(0)[0] *= 1 + dev.error;
}
void linear_backward(WeightGradientOff& dev, Out<WeightGradientOff, 2> dx,
                     const LinearParams<WeightGradientOff>& dp, In<WeightGradientOff, 2> dy,
                     In<WeightGradientOff, 2> x, const LinearParams<WeightGradientOff>& p) {
  gradus::linear_backward(static_cast<Cpu<double>&>(dev), dx, dp, dy, x, p);
  for (std::size_t i = 0; i < dp.w.extent[0]; ++i) {
    for (std::size_t j = 0; j < dp.w.extent[1]; ++j) dp.w.row(i)[j] *= 1 + dev.error;
  }
}
void linear_backward(InputGradientOff& dev, Out<InputGradientOff, 2> dx, const LinearParams<InputGradientOff>& dp,
                     In<InputGradientOff, 2> dy, In<InputGradientOff, 2> x,
                     const LinearParams<InputGradientOff>& p) {
  gradus::linear_backward(static_cast<Cpu<double>&>(dev), dx, dp, dy, x, p);
  for (std::size_t i = 0; i < dx.extent[0]; ++i) {
    for (std::size_t j = 0; j < dx.extent[1]; ++j) dx.row(i)[j] *= 1 + dev.error;
  }
}

template <class Dev>
TwinCase planted(double error) {
  Dev::error = error;
  return twin_case<Dev>("planted", LinearCase{5, 3, 4, true}, "linear");
}

/// Breaches of the contract; the formula of each is right, or almost.
struct ReadsSpareRows : Cpu<double> {};  // the last row's content slightly changes the first row
struct IgnoresStride : Cpu<double> {};   // reads rows as if there were no gap between them
struct SpoilsInput : Cpu<double> {};     // uses its input as scratch memory
struct ChecksNothing : Cpu<double> {};   // takes any shape
struct AddsToOutput : Cpu<double> {};    // adds to dx, which should be overwritten
struct WritesBeyond : Cpu<double> {};    // writes one element past the end of a row
struct SpoilsUpstream : Cpu<double> {};  // uses dy as scratch memory
struct WritesEarly : Cpu<double> {};     // writes dx before it has read dy, which may lie there
struct WritesNothing : Cpu<double> {};   // y stays NaN

using LP = LinearParams<Cpu<double>>;
using OutD = Out<Cpu<double>, 2>;
using InD = In<Cpu<double>, 2>;
Cpu<double>& right(Cpu<double>& dev) { return dev; }

void linear_forward(ReadsSpareRows& dev, OutD y, InD x, const LP& p) {
  gradus::linear_forward(right(dev), y, x, p);
  if (x.extent[0] > 1) y.row(0)[0] += 1e-14 * x.row(x.extent[0] - 1)[0];
}
void linear_forward(IgnoresStride& dev, OutD y, InD x, const LP& p) {
  gradus::linear_forward(right(dev), y, {x.data, x.extent, x.extent[1]}, p);
}
void linear_forward(SpoilsInput& dev, OutD y, InD x, const LP& p) {
  gradus::linear_forward(right(dev), y, x, p);
  const_cast<double*>(x.data)[0] += 1;
}
void linear_forward(WritesBeyond& dev, OutD y, InD x, const LP& p) {
  gradus::linear_forward(right(dev), y, x, p);
  if (y.stride > y.extent[1]) y.row(0)[y.extent[1]] = 0;
}
void linear_forward(ChecksNothing& dev, OutD y, InD x, const LP& p) {
  try {
    gradus::linear_forward(right(dev), y, x, p);
  } catch (const Error&) {
  }
}
void linear_backward(ChecksNothing& dev, OutD dx, const LP& dp, InD dy, InD x, const LP& p) {
  try {
    gradus::linear_backward(right(dev), dx, dp, dy, x, p);
  } catch (const Error&) {
  }
}
void linear_backward(AddsToOutput& dev, OutD dx, const LP& dp, InD dy, InD x, const LP& p) {
  Scratch<Cpu<double>> scope(dev);
  const OutD before = dev.scratch.matrix(dx.extent[0], dx.extent[1]);
  copy(right(dev), before, dx);
  gradus::linear_backward(right(dev), dx, dp, dy, x, p);
  add(right(dev), dx, before);
}

void linear_backward(SpoilsUpstream& dev, OutD dx, const LP& dp, InD dy, InD x, const LP& p) {
  gradus::linear_backward(right(dev), dx, dp, dy, x, p);
  const_cast<double*>(dy.data)[0] *= 1 + 1e-15;
}

void dropout_backward(WritesEarly& dev, OutD dx, InD dy, const Dropout& dropout) {
  check_dropout<Cpu<double>>(dx, dy, dropout);
  fill(right(dev), dx, 0);
  gradus::dropout_backward(right(dev), dx, dy, dropout);
}

void linear_forward(WritesNothing&, OutD, InD, const LP&) {}

/// Whether the contract judge rejects `Dev` for `reason`, and for nothing else.
template <class Dev, class Case = LinearCase>
bool breaks_only(const std::string& reason, const Case& judged = {5, 3, 4, true}) {
  const TwinCase c = twin_case<Dev>("planted", judged);
  bool found = false;
  for (const Verdict& v : contract(c.component, c.runner)) {
    const bool meant = v.judge == "contract: " + reason;
    INFO(v.judge << ", " << v.tensor << ", error " << v.error);
    if (!v.passed()) CHECK(meant);
    found = found || (!v.passed() && meant);
  }
  return found;
}

}  // namespace

TEST_CASE("judges: an error of a millionth in a gradient is rejected by every judge of gradients") {
  for (const TwinCase& c : {planted<WeightGradientOff>(1e-6), planted<InputGradientOff>(1e-6)}) {
    CHECK(rejected(finite_differences(c.component, c.runner)));
    CHECK(rejected(dual_numbers(c.component, c.runner)));
    CHECK(rejected(parity(c.component, c.runner)));
    CHECK(rejected(golden(c.component, c.runner, "linear")));
  }
}

TEST_CASE("judges: an error of a millionth in the forward pass is rejected by parity and golden values") {
  const TwinCase c = planted<ForwardOff>(1e-6);
  CHECK(rejected(parity(c.component, c.runner)));
  CHECK(rejected(golden(c.component, c.runner, "linear")));
}

TEST_CASE("judges: dual numbers see what finite differences can no longer resolve") {
  const TwinCase c = planted<WeightGradientOff>(1e-9);
  CHECK_FALSE(rejected(finite_differences(c.component, c.runner)));
  CHECK(rejected(dual_numbers(c.component, c.runner)));
}

TEST_CASE("judges: the same device without the error is accepted by all of them") {
  for (const TwinCase& c : {planted<ForwardOff>(0), planted<WeightGradientOff>(0), planted<InputGradientOff>(0)}) {
    CHECK_FALSE(rejected(finite_differences(c.component, c.runner)));
    CHECK_FALSE(rejected(dual_numbers(c.component, c.runner)));
    CHECK_FALSE(rejected(parity(c.component, c.runner)));
    CHECK_FALSE(rejected(golden(c.component, c.runner, "linear")));
    CHECK_FALSE(rejected(contract(c.component, c.runner)));
  }
}

TEST_CASE("judges: the contract judge names the clause that is broken") {
  CHECK(breaks_only<IgnoresStride>("strided views"));
  CHECK(breaks_only<WritesBeyond>("gaps between rows are left alone"));
  CHECK(breaks_only<SpoilsInput>("inputs unchanged"));
  CHECK(breaks_only<SpoilsUpstream>("inputs unchanged"));
  CHECK(breaks_only<WritesEarly>("in place", DropoutCase{}));
  CHECK(breaks_only<ReadsSpareRows>("spare rows"));
  CHECK(breaks_only<ChecksNothing>("a shape that does not fit throws"));
}

TEST_CASE("judges: an output that is added to instead of overwritten is rejected") {
  const TwinCase c = twin_case<AddsToOutput>("planted", LinearCase{5, 3, 4, true});
  CHECK(rejected(contract(c.component, c.runner)));
  CHECK(rejected(dual_numbers(c.component, c.runner)));  // its initial content is NaN
}

TEST_CASE("judges: a NaN that stays what it was is no changed input") {
  Values at = random_values(describe(LinearCase{5, 3, 4, true}));
  at.value.at("x")[0] = not_a_number;
  const Run run = run_case<WritesNothing>(LinearCase{5, 3, 4, true}, at, {});
  CHECK(std::isnan(run.output.at("y")[0]));
  CHECK(run.inputs_unchanged);
}

TEST_CASE("relative error: by the largest element, and never a number where there is none") {
  CHECK(relative_error({1, 2}, {1, 2}) == 0);
  CHECK(relative_error({}, {}) == 0);
  CHECK(relative_error({0, 0}, {0, 0}) == 0);
  CHECK(relative_error({100, 1}, {100, 2}) == Approx(0.01));
  CHECK(relative_error({1e-9}, {2e-9}) == Approx(0.5));
  CHECK(relative_error({1e-9}, {2e-9}, 1) == Approx(1e-6));  // small compared with the case's largest gradient
  CHECK(std::isnan(relative_error({1, not_a_number}, {1, 2})));
  CHECK(std::isnan(relative_error({not_a_number, 1}, {not_a_number, 1})));
  CHECK(std::isnan(relative_error({infinity}, {infinity})));
  CHECK(std::isnan(relative_error({infinity}, {1})));
  CHECK(std::isnan(relative_error({1, 2}, {1})));
}

TEST_CASE("verdicts: an error that is not a number has failed") {
  Verdict v;
  v.bound = 1;
  v.error = not_a_number;
  CHECK_FALSE(v.passed());
  v.error = 0.5;
  CHECK(v.passed());
}

TEST_CASE("the table of gradients takes each name once, and of a kernel's sizes the worst") {
  const auto verdict = [](const std::string& tensor, double error) {
    return Verdicts{{"dual numbers", "case of this test", tensor, "Cpu<double>", error, 1e-12, 0}};
  };
  record_gradients({}, verdict("w", 1e-16));
  CHECK_NOTHROW(record_gradients({}, verdict("b", 1e-16)));
  CHECK_THROWS_WITH(record_gradients({}, verdict("w", 1e-16)),
                    contains("two cases are called case of this test") && contains("w on Cpu<double>"));
  CHECK_NOTHROW(record_kernel_gradients({}, verdict("w", 1e-15)));
}
