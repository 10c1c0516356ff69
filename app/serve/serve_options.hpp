#pragma once
/// \file
/// What a request to /translate may choose, each member described once. Its reader and the tests follow from it.

#include <algorithm>
#include <cstddef>
#include <string>

#include "11_translator/translator/translate_options.hpp"

namespace gradus {

struct ServeOptions {
  std::string direction;    ///< empty: the server's first model
  TranslateOptions search;  ///< as the server was started, except for what the request chooses
  bool attention = false, explain = false;
  bool paragraphs = false;  ///< lines hold any number of sentences (running_text.hpp)
};

/// Shows `visit` each member of a request beside its text, in the order in which they are read:
///
///     visit.word(name, value)
///     visit.number(name, value, most)   a whole number, from 1 to `most`
///     visit.flag(name, value)
///
/// `most_beams` is the server's limit.
template <class Options, class Visitor>
void each_member(Options& o, std::size_t most_beams, Visitor&& visit) {
  auto& [direction, search, attention, explain, paragraphs] =
      o;  // all fields: without a new one it does not compile
  visit.word("direction", direction);
  visit.number("beam", search.beam_size, most_beams);
  visit.number("n_best", search.n_best, std::min(search.beam_size, most_beams));
  visit.flag("attention", attention);
  visit.flag("explain", explain);
  visit.flag("paragraphs", paragraphs);
}

}  // namespace gradus
