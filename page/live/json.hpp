#pragma once
/// \file
/// What the engines of the page tell their scripts, as JSON.

#include <cstddef>
#include <cstdio>
#include <string>

#include "live/lesson.hpp"

namespace gradus::page {

inline const char* name_of(Part part) {
  switch (part) {
    case Part::input:
      return "input";
    case Part::constant:
      return "constant";
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

inline std::string with_digits(double x) {
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

/// For names, which need no escapes.
inline std::string quoted(const std::string& name) { return "\"" + name + "\""; }

template <class All>
std::string numbers(const All& all) {
  return list(all, [](auto n) { return std::to_string(n); });
}

/// {"name", "part", "shape"}, without the last brace.
inline std::string json_head(const Tensor& t) {
  return R"({"name":)" + quoted(t.name) + R"(,"part":)" + quoted(name_of(t.part)) + R"(,"shape":)" +
         numbers(t.shape);
}

}  // namespace gradus::page
