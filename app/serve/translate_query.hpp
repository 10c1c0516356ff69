#pragma once
/// \file
/// The content of a request to /translate.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "11_translator/translator/running_text.hpp"
#include "app/serve/http_message.hpp"
#include "app/serve/serve_options.hpp"

namespace gradus {

struct QueryLimits {
  std::size_t characters = 1000;   ///< of all texts together, in code points
  std::size_t lines = 20;          ///< of all texts: each line is a sentence, and a text counts as one at least
  std::size_t beam = 10;           ///< width of a search
  TranslateOptions standard = {};  ///< what holds unless a request chooses
};

struct TranslateQuery {
  std::vector<std::string> lines;  ///< of all texts, without spaces at their ends; an empty text has one
  /// With the option `paragraphs`: the parts of each text. `lines` are then those to translate.
  std::vector<std::vector<TextPart>> texts;
  std::optional<std::vector<std::size_t>> list;  ///< if the text is a list: how many lines each of its texts has
  ServeOptions options;
};

/// Reads {"text": "...", "beam": 5} and so on: the text, a string or a list of strings, and the members of serve_options.hpp, which
/// may be left out. Throws HttpError with what to change: 400 if the body is no such object, has no text, or an unknown
/// member, or one that comes twice; 413 if it exceeds `limits`.
TranslateQuery query_of_body(const std::string& json, const QueryLimits& limits);

/// The same members, each as a parameter in the query string of an address: "text=A+dog.&beam=5".
TranslateQuery query_of_address(const std::string& query, const QueryLimits& limits);

/// A query with the option `paragraphs`, whose sentences are not cut where they keep addresses and code. It has no more lines than before.
TranslateQuery with_whole_sentences(TranslateQuery query, const KeepsCopied& keeps);

/// Throws HttpError 400, with the names, if a request to `where` has parameters in its address.
void require_no_parameters(const std::string& query, const std::string& where);

}  // namespace gradus
