#pragma once
/// \file
/// The content of a request to /translate.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "11_translator/program/serve/http_message.hpp"

namespace gradus {

struct QueryLimits {
  std::size_t characters = 1000;  ///< of a text, in code points
  std::size_t lines = 20;         ///< of a text: each line is a sentence
  std::size_t beam = 10;          ///< width of a search
};

struct TranslateQuery {
  std::vector<std::string> lines;  ///< of the text, without spaces at their ends
  std::string direction;           ///< empty: the server's first model
  std::size_t beam = 5, n_best = 1;
  bool attention = false, explain = false;
};

/// Reads {"text": "...", "direction": "en-de", "beam": 5, "n_best": 1, "attention": false, "explain": false}; only
/// the text is required. Throws HttpError with what to change: 400 if the body is no such object or has no text,
/// 413 if it exceeds `limits`.
TranslateQuery query_of(const std::string& json, const QueryLimits& limits);

/// The same members, from the query string of an address.
TranslateQuery query_of(const std::map<std::string, std::string>& parameters, const QueryLimits& limits);

}  // namespace gradus
