#include "live/engine.hpp"

#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "live/lessons.hpp"

namespace gradus::page {
namespace {

/// A lesson and the memory that a script sees.
struct Desk {
  explicit Desk(Lesson l) : lesson(std::move(l)) {
    for (const Tensor& t : lesson.given) given.insert(given.end(), t.numbers.begin(), t.numbers.end());
  }

  test::Named named() const {
    test::Named numbers;
    const double* at = given.data();
    for (const Tensor& t : lesson.given) {
      numbers[t.name] = {at, at + t.numbers.size()};
      at += t.numbers.size();
    }
    return numbers;
  }

  Lesson lesson;
  Numbers given, computed, slopes;
  std::string problem;
};

std::vector<Desk>& desks() {
  static std::vector<Desk> all = [] {
    std::vector<Desk> made;
    for (const auto& make : {linear_lesson, lookup_lesson, embed_lesson, attention_lesson, layer_norm_lesson,
                             feed_forward_lesson, encoder_lesson, decoder_lesson, transformer_lesson})
      made.emplace_back(make());
    return made;
  }();
  return all;
}

Desk& desk(int lesson) { return desks().at(static_cast<std::size_t>(lesson)); }

const Compute& compute_of(const Desk& d, int way) {
  return d.lesson.ways.at(static_cast<std::size_t>(way)).compute;
}

const char* name_of(Part part) {
  switch (part) {
    case Part::input:
      return "input";
    case Part::parameter:
      return "parameter";
    case Part::seed:
      return "seed";
    case Part::output:
      return "output";
    case Part::shown:
      return "shown";
    case Part::gradient:
      return "gradient";
  }
  return "";
}

std::string with_digits(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

/// "[a,b,c]"
template <class All, class Text>
std::string list(const All& all, const Text& text) {
  std::string joined;
  for (const auto& one : all) joined += (joined.empty() ? "" : ",") + text(one);
  return "[" + joined + "]";
}

std::string quoted(const std::string& name) { return "\"" + name + "\""; }

std::string json(const Tensor& t, bool with_numbers) {
  std::string text = R"({"name":)" + quoted(t.name) + R"(,"part":)" + quoted(name_of(t.part)) + R"(,"shape":)" +
                     list(t.shape, [](std::size_t n) { return std::to_string(n); });
  if (with_numbers) text += R"(,"numbers":)" + list(t.numbers, with_digits);
  return text + "}";
}

std::string json(const Desk& d) {
  return R"({"chapter":)" + quoted(d.lesson.chapter) + R"(,"ways":)" +
         list(d.lesson.ways, [](const Way& w) { return quoted(w.name); }) + R"(,"given":)" +
         list(d.lesson.given, [](const Tensor& t) { return json(t, true); }) + R"(,"computed":)" +
         list(compute_of(d, 0)(d.named()), [](const Tensor& t) { return json(t, false); }) + "}";
}

}  // namespace
}  // namespace gradus::page

using namespace gradus::page;

const char* live_describe() {
  static const std::string text = R"({"lessons":)" + list(desks(), [](const Desk& d) { return json(d); }) + "}";
  return text.c_str();
}

double* live_given(int lesson) { return desk(lesson).given.data(); }

const char* live_run(int lesson, int way) {
  Desk& d = desk(lesson);
  d.problem.clear();
  try {
    const Tensors tensors = compute_of(d, way)(d.named());
    d.computed.clear();
    for (const Tensor& t : tensors) d.computed.insert(d.computed.end(), t.numbers.begin(), t.numbers.end());
  } catch (const std::exception& error) {
    d.problem = error.what();
  }
  return d.problem.c_str();
}

const double* live_computed(int lesson) { return desk(lesson).computed.data(); }

const double* live_slopes(int lesson, int way, double step) {
  Desk& d = desk(lesson);
  try {
    d.slopes = slopes(d.lesson, compute_of(d, way), d.named(), step);
  } catch (const std::exception&) {
    return nullptr;
  }
  return d.slopes.data();
}
