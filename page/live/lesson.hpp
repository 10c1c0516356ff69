#pragma once
/// \file
/// A live lesson: the box of a chapter on the numbers of its page. A reader changes the given numbers; forward and backward
/// compute all others, on the right device or on one with a known mistake.

#include <cstddef>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "00_foundations/tiny.hpp"
#include "gradus/tensor/view.hpp"
#include "support/case.hpp"

namespace gradus::page {

using tiny::Device;
using Numbers = std::vector<double>;

/// What a tensor is for the reader. Given are inputs, constants, which have no gradient, parameters, and seeds, the gradients of the outputs; the
/// others are computed.
enum class Part { input, constant, parameter, seed, output, shown, gradient };

/// A tensor of the page: its numbers row by row.
struct Tensor {
  std::string name;
  Part part = Part::input;
  std::vector<std::size_t> shape;
  Numbers numbers;
};
using Tensors = std::vector<Tensor>;

/// Collects what a lesson shows besides outputs and gradients.
class Shown {
 public:
  explicit Shown(Tensors& tensors) : tensors_(tensors) {}
  void add(const std::string& name, In<Device, 1> v);
  void add(const std::string& name, In<Device, 2> m);

 private:
  Tensors& tensors_;
};

/// The computed tensors for these given numbers, by name.
using Compute = std::function<Tensors(const test::Named& given)>;

/// One way to compute a lesson: the right one, whose name is empty, or a known mistake of tests/wrong. An engine without
/// mistakes has their names, and cannot compute them.
struct Way {
  std::string name;
  Compute compute;
};

struct Lesson {
  std::string chapter;    ///< "05_layer_norm"
  Tensors given;          ///< with the numbers of the page
  std::vector<Way> ways;  ///< the first is right
};

/// The given tensors of a case with these numbers, in the order of its description. A seed "dy" follows its output "y".
/// Throws Error if numbers are missing or have another size.
Tensors given_tensors(const test::Description& description, const test::Named& start);

/// Runs `live`, a case of the tests that also has
///
///     template <class Dev> void show(Shown&, const Cache<Dev>&, test::Tensors<Dev>&) const;   // after backward
///
/// on a device Dev: Device, or a wrong twin of it.
template <class Dev, class Live>
Tensors compute_on(const Live& live, const test::Named& given) {
  const test::Description description = test::describe(live);
  Dev dev;
  dev.set(description.state);
  test::Tensors<Dev> tensors(description, {given, {}}, {});
  typename Live::template Cache<Dev> cache{};
  live.forward(dev, cache, tensors);
  live.backward(dev, std::as_const(cache), tensors);
  add_due_sums(dev);
  Tensors computed;
  for (const test::TensorSpec& t : description.tensors()) {
    if (t.role == test::Role::output) computed.push_back({t.name, Part::output, t.shape, tensors.values(t.name)});
  }
  Shown shown(computed);
  live.show(shown, std::as_const(cache), tensors);
  for (const test::TensorSpec& t : description.tensors()) {
    if (t.role == test::Role::output || !t.differentiable) continue;
    computed.push_back({"d" + t.name, Part::gradient, t.shape, tensors.values("d" + t.name)});
  }
  return computed;
}

template <class Dev, class Live>
Way way(const std::string& name, const Live& live) {
  constexpr bool has_mistakes = GRADUS_MISTAKES;
  if constexpr (has_mistakes || std::is_same_v<Dev, Device>) {
    return {name, [live](const test::Named& given) { return compute_on<Dev>(live, given); }};
  } else {
    return {name, {}};
  }
}

template <class Live>
Lesson lesson(const std::string& chapter, const Live& live, const test::Named& start) {
  return {chapter, given_tensors(test::describe(live), start), {way<Device>("", live)}};
}

/// dloss/dx of each given number x by central differences with this step, where the loss is the sum of outputs times seeds; 0 for seeds
/// and constants. In the order of `given`.
Numbers slopes(const Lesson& lesson, const Compute& compute, const test::Named& given, double step);

/// `size` zeros, apart from ones at `places`.
Numbers ones_at(std::size_t size, const std::vector<std::size_t>& places);

/// A learnt parameter of the tiny model.
Numbers learnt(const std::string& name);

/// `more`, and the learnt numbers of each parameter of the case, whose names are those of the model.
test::Named with_learnt(const test::Description& description, test::Named more);

Numbers copied(In<Device, 2> m);

}  // namespace gradus::page
