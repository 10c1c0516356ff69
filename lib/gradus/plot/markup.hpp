#pragma once
/// \file
/// Any text as a label: in SVG and HTML, on a terminal, in a place of limited width.

#include <cstddef>
#include <string>
#include <string_view>

namespace gradus {

/// `text` in a form that fits on one line: each control character, including line ends and the terminal's escape,
/// becomes Unicode's picture of it (U+2400 and on). Bytes that are not UTF-8 and values that are no character
/// become U+FFFD.
std::string visible(std::string_view text);

/// visible(text) with & < > " ' as entities: for the content, or a quoted attribute, of SVG, XML and HTML.
std::string escaped(std::string_view text);

/// The columns that visible(text) takes on a terminal: 2 for East Asian letters and emoji, 0 for combining marks.
std::size_t display_width(std::string_view text);

/// An estimate of the pixels that visible(text) takes in a sans-serif font of that size: enough for the widest
/// common fonts.
double text_pixels(std::string_view text, double font_size = 12);

/// visible(text), cut to at most `columns` columns (at least 1); the last column of a cut text is "…".
std::string shortened(std::string_view text, std::size_t columns);

/// A number with at most `digits` significant digits, in every locale: 0.0042, 38.78, 1e-05. "–" if it is not
/// finite.
std::string number(double value, int digits = 6);

/// A number with exactly `digits` digits after the point. "–" if it is not finite.
std::string fixed(double value, int digits);

}  // namespace gradus
