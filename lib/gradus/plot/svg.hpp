#pragma once
/// \file
/// A picture, and its two output forms: inside a page, and as a file of its own.

#include <string>

namespace gradus {

struct Svg {
  double width = 0, height = 0;  ///< CSS pixels
  std::string description;       ///< in words, for readers who cannot see it
  std::string content;           ///< SVG elements, with the classes of plot_style
};

/// The element, for the body of an html_page. It shrinks with a narrow page down to a readable size; below that it
/// scrolls sideways, and a line above it says so.
std::string inline_svg(const Svg& svg);

/// A file with its own style, light or dark as the reader's system is set.
std::string svg_file(const Svg& svg);

/// The colours as CSS variables of `:root`: --paper, --ink, --soft, --rule, --tile and --accent, light and dark.
extern const char* const palette_style;

/// The styles of pictures, which use these colours.
extern const char* const plot_style;

}  // namespace gradus
