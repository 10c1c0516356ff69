#pragma once
/// \file
/// The content of a request to /translate.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "11_translator/program/serve/http_message.hpp"
#include "11_translator/translator/translator.hpp"

namespace gradus {

struct QueryLimits {
  std::size_t characters = 1000;  ///< of all texts together, in code points
  std::size_t lines = 20;         ///< of all texts: each line is a sentence, and a text counts as one at least
  std::size_t beam = 10;          ///< width of a search
};

struct TranslateQuery {
  std::vector<std::string> lines;                ///< of all texts, without spaces at their ends
  std::optional<std::vector<std::size_t>> list;  ///< if the text is a list: how many lines each of its texts has
  std::string direction;                         ///< empty: the server's first model
  std::size_t beam = 5, n_best = 1;
  bool attention = false, explain = false;
  std::size_t short_source = TranslateOptions{}.short_source;  ///< the server's choice, not the request's
};

/// Reads {"text": "...", "direction": "en-de", "beam": 5, "n_best": 1, "attention": false, "explain": false}; only
/// the text is required, and it may be a list of texts. Throws HttpError with what to change: 400 if the body is no such object, has no
/// text, or an unknown member, or one that comes twice; 413 if it exceeds `limits`.
TranslateQuery query_of_body(const std::string& json, const QueryLimits& limits);

/// The same members, each as a parameter in the query string of an address: "text=A+dog.&beam=5".
TranslateQuery query_of_address(const std::string& query, const QueryLimits& limits);

/// Throws HttpError 400, with the names, if a request to `where` has parameters in its address.
void require_no_parameters(const std::string& query, const std::string& where);

}  // namespace gradus
