#include "live/engine.hpp"

#include <cstddef>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "live/json.hpp"
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
    for (const auto& make :
         {linear_lesson, lookup_lesson, embed_lesson, attention_lesson, masks_lesson, layer_norm_lesson,
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

std::string json(const Tensor& t, bool with_numbers) {
  return json_head(t) + (with_numbers ? R"(,"numbers":)" + list(t.numbers, with_digits) : "") + "}";
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
