#pragma once
/// \file
/// Any text as a label: in SVG and HTML, on a terminal, in a place of limited width.

#include <cstddef>
#include <string>
#include <string_view>

namespace gradus {

/// `text` as it can be shown on one line: a control character, line ends and the terminal's escape included, as the
/// picture that Unicode has for it (U+2400 and on), and U+FFFD for what is no UTF-8 or no character.
std::string visible(std::string_view text);

/// visible(text) with & < > " ' spelt out: content, or an attribute in quotes, of SVG, XML and HTML.
std::string escaped(std::string_view text);

/// The columns that a terminal gives to visible(text): 2 for East Asian letters and emoji, 0 for combining marks.
std::size_t display_width(std::string_view text);

/// About the pixels that visible(text) takes in a sans-serif font of that size: enough for the widest of the usual ones.
double text_pixels(std::string_view text, double font_size = 12);

/// visible(text), cut to at most so many columns (at least 1), the last of which then says "…".
std::string shortened(std::string_view text, std::size_t columns);

/// A number in at most so many significant digits, whatever the locale: 0.0042, 38.78, 1e-05. "–" if it is not finite.
std::string number(double value, int digits = 6);

/// A number with exactly so many digits after the point. "–" if it is not finite.
std::string fixed(double value, int digits);

}  // namespace gradus
