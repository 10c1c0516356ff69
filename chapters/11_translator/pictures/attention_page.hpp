#pragma once
/// \file
/// Pictures of attention: a page to explore, a single picture, letters for a terminal.

#include <string>
#include <vector>

#include "11_translator/translator/attention_record.hpp"

namespace gradus {

/// One HTML file for some sentences: encoder, decoder and cross-attention, every layer and head and their mean. It
/// works without JavaScript, which only adds the number under the pointer.
std::string attention_page(const std::vector<AttentionRecord>& records);

/// An SVG file with one picture: cross-attention of the last layer, mean of its heads. Throws Error for an empty sentence.
std::string attention_svg(const AttentionRecord& record);

/// The same picture in letters, with sentence and translation above it. One line where there is nothing to show.
std::string attention_text(const AttentionRecord& record);

// The parts of the page, for pages that hold more.

/// One sentence: selectors and maps. `number` is of its own on the page.
std::string attention_section(const AttentionRecord& record, std::size_t number);

/// What the sections of these records need once in the page's style, and in its script.
std::string attention_style(const std::vector<AttentionRecord>& records);
extern const char* const attention_script;

}  // namespace gradus
