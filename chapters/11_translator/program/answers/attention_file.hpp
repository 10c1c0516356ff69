#pragma once
/// \file
/// What --attention asks for: a page, a picture, or letters on the standard output.

#include <string>
#include <vector>

#include "11_translator/translator/translator.hpp"

namespace gradus {

/// Throws UsageError for a name that is neither FILE.html, nor FILE.svg, nor -.
void check_attention_name(const std::string& name);

/// A page shows several sentences, a picture one.
bool is_attention_page(const std::string& name);

/// Writes what the translations of `lines` looked at to `name`; empty lines are left out.
void draw_attention(const Translator& translator, std::vector<std::string> lines, const std::string& name,
                    const TranslateOptions& options);

}  // namespace gradus
