#pragma once
/// \file
/// The sentences of a text.

#include <cstddef>
#include <string>
#include <vector>

namespace gradus {

/// The sentences of a text, counted by their ends: a full stop, question or exclamation mark or an ellipsis, of Latin,
/// Greek, Arabic, Indic, East Asian and other scripts, behind which another sentence begins. Quotes and brackets may close behind the mark. A
/// full stop does not count behind abbreviations ("Mr.", "z. B.", "e.g."), initials and ordinals ("3. Oktober"), or inside a
/// number. A text without such an end has one sentence, an empty text none.
std::size_t sentences_in(const std::string& text);

/// Where each of them begins: bytes from the start of the text, which is UTF-8, else Error.
std::vector<std::size_t> sentence_starts(const std::string& text);

/// Whether a text is one or more marks with which a sentence of any of these scripts ends, and nothing else.
bool is_end_mark(const std::string& text);

}  // namespace gradus
