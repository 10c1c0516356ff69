#pragma once
/// \file
/// Pictures of attention: a page to explore, a single picture, characters for a terminal.

#include <string>
#include <vector>

#include "11_translator/translator/attention_record.hpp"

namespace gradus {

/// An HTML file for some sentences: encoder, decoder and cross-attention, every layer, every head and their mean.
/// It works without JavaScript, which only adds the number under the pointer.
std::string attention_page(const std::vector<AttentionRecord>& records);

/// An SVG file with one picture: cross-attention of the last layer, mean of its heads. Throws Error for an empty
/// sentence.
std::string attention_svg(const AttentionRecord& record);

/// The same picture in characters, below the sentence and its translation. One line if there is nothing to show.
std::string attention_text(const AttentionRecord& record);

// The parts of the page, for other pages that use them.

/// One sentence: selectors and maps. `number` must be unique on the page.
std::string attention_section(const AttentionRecord& record, std::size_t number);

/// The style and the script that the sections of these records need; each page includes them once.
std::string attention_style(const std::vector<AttentionRecord>& records);
extern const char* const attention_script;

}  // namespace gradus
