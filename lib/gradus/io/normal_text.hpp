#pragma once
/// \file
/// One form for texts that a reader cannot tell apart.

#include <string>
#include <string_view>

namespace gradus {

/// `text` in Unicode's normalisation form C, without default-ignorable characters: soft hyphens, zero-width spaces,
/// variation selectors and the like show nothing. U+200C and U+200D stay where a script needs them: between letters
/// of the Arabic script and those written like it, and of the scripts of South Asia. Compatibility characters stay
/// what they are: 10² does not become 102. Throws Error, with the offset, if `text` is not UTF-8.
///
/// More than 64 combining marks in a row are not put into an order across that limit, which no language needs.
std::string normal_text(std::string_view text);

/// The same without the first step: what is left of `points` without ignorable characters.
std::u32string without_ignorable(std::u32string_view points);

/// The first step alone: form C.
std::string form_c(std::u32string_view points);

/// `c` in parts, a letter and its marks; `c` alone if it has none.
std::u32string form_d(char32_t c);

}  // namespace gradus
