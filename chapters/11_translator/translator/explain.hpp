#pragma once
/// \file
/// One translation taken apart, for people who want to see the numbers.

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "11_translator/translator/translated_text.hpp"

namespace gradus {

/// A word as the model sees it.
struct Piece {
  std::string text;
  std::int32_t id = 0;
};

/// An operation that ran, and what came out of it.
struct TracedOperation {
  std::string name, parameter;         ///< the leaf; the parameter that it used, if any
  std::array<std::size_t, 2> shape{};  ///< rows, columns
  double mean = 0, deviation = 0;      ///< of all elements
};

/// What the model thought of saying at one step: words and their probabilities, likeliest first.
struct NextWord {
  Piece output;
  double probability = 0;  ///< of what was said
  std::vector<std::pair<Piece, double>> candidates;
};

struct Explanation {
  TranslatedText best;        ///< the translation, without its tokens
  std::vector<Piece> source;  ///< <eos> at the end
  std::vector<TracedOperation> operations;
  std::vector<NextWord> steps;  ///< <eos> at the end
};

}  // namespace gradus
