#pragma once
/// \file
/// The output of --attention: a page, a picture, or characters on the standard output.

#include <string>
#include <vector>

#include "11_translator/translator/translator.hpp"
#include "app/answers/translate_request.hpp"

namespace gradus {

/// Throws UsageError for a name that is neither FILE.html, nor FILE.svg, nor -.
void check_attention_name(const std::string& name);

/// Whether `name` is a page: a page shows several sentences, a picture one.
bool is_attention_page(const std::string& name);

/// Writes the attention of the translations of `lines` to the request's file; leaves out empty lines.
void draw_attention(const Translator& translator, std::vector<std::string> lines, const TranslateRequest& request);

}  // namespace gradus
