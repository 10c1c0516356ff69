#pragma once
/// \file
/// A picture, and the two ways to hand it on: within a page, and as a file of its own.

#include <string>

namespace gradus {

struct Svg {
  double width = 0, height = 0;  ///< CSS pixels
  std::string description;       ///< in words, for those who do not see it
  std::string content;           ///< elements, in the classes that plot_style knows
};

/// The element, for the body of an html_page. It shrinks with a narrow page, though not beyond reading: then it can be
/// moved sideways, and a line above it says so.
std::string inline_svg(const Svg& svg);

/// A file with its own style, light or dark as the reader's system is.
std::string svg_file(const Svg& svg);

/// The colours as CSS variables of `:root`: --paper, --ink, --soft, --rule, --tile and --accent, light and dark.
extern const char* const palette_style;

/// How pictures use them.
extern const char* const plot_style;

}  // namespace gradus
