#include "live/lesson.hpp"

#include "gradus/util/error.hpp"

namespace gradus::page {
namespace {

double loss(const Tensors& computed, const test::Named& given) {
  double sum = 0;
  for (const Tensor& y : computed) {
    if (y.part != Part::output) continue;
    const Numbers& dy = given.at("d" + y.name);
    for (std::size_t i = 0; i < dy.size(); ++i) sum += dy[i] * y.numbers[i];
  }
  return sum;
}

Part part_of(const test::TensorSpec& given) {
  if (given.role == test::Role::output) return Part::seed;
  if (!given.differentiable) return Part::constant;
  return given.role == test::Role::parameter ? Part::parameter : Part::input;
}

}  // namespace

void Shown::add(const std::string& name, In<Device, 1> v) {
  tensors_.push_back({name, Part::shown, {v.extent[0]}, {v.data, v.data + v.extent[0]}});
}

void Shown::add(const std::string& name, In<Device, 2> m) {
  tensors_.push_back({name, Part::shown, {m.extent[0], m.extent[1]}, copied(m)});
}

Tensors given_tensors(const test::Description& description, const test::Named& start) {
  Tensors given;
  for (const test::TensorSpec& t : description.tensors()) {
    const bool is_output = t.role == test::Role::output;
    const std::string name = is_output ? "d" + t.name : t.name;
    const auto found = start.find(name);
    if (found == start.end() || found->second.size() != t.size())
      fail("a lesson has no numbers for " + name + ", or too many");
    given.push_back({name, part_of(t), t.shape, found->second});
  }
  return given;
}

Numbers slopes(const Lesson& lesson, const Compute& compute, const test::Named& given, double step) {
  test::Named moved = given;
  Numbers result;
  for (const Tensor& t : lesson.given) {
    for (double& x : moved.at(t.name)) {
      if (t.part == Part::seed || t.part == Part::constant) {
        result.push_back(0);
        continue;
      }
      const double before = x;
      x = before + step;
      const double above = loss(compute(moved), moved);
      x = before - step;
      const double below = loss(compute(moved), moved);
      x = before;
      result.push_back((above - below) / (2 * step));
    }
  }
  return result;
}

Numbers ones_at(std::size_t size, const std::vector<std::size_t>& places) {
  Numbers numbers(size, 0.0);
  for (const std::size_t place : places) numbers.at(place) = 1;
  return numbers;
}

Numbers learnt(const std::string& name) {
  const In<Device, 1> v = tiny::vector(name);
  return {v.data, v.data + v.extent[0]};
}

test::Named with_learnt(const test::Description& description, test::Named more) {
  for (const test::TensorSpec& t : description.tensors()) {
    if (t.role == test::Role::parameter) more[t.name] = learnt(t.name);
  }
  return more;
}

Numbers copied(In<Device, 2> m) {
  Numbers numbers;
  for (std::size_t i = 0; i < m.extent[0]; ++i) numbers.insert(numbers.end(), m.row(i), m.row(i) + m.extent[1]);
  return numbers;
}

}  // namespace gradus::page
