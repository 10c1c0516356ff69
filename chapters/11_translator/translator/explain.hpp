#pragma once
/// \file
/// One translation in detail, for readers who want to see the numbers.

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "11_translator/translator/translated_text.hpp"

namespace gradus {

/// A word in the model's form.
struct Piece {
  std::string text;
  std::int32_t id = 0;
};

/// An operation that ran, and statistics of its result.
struct TracedOperation {
  std::string name, parameter;         ///< the leaf; the parameter that it used, if any
  std::array<std::size_t, 2> shape{};  ///< rows, columns
  double mean = 0, deviation = 0;      ///< of all elements
};

/// The candidates of one step: words and their probabilities, most probable first.
struct NextWord {
  Piece output;
  double probability = 0;  ///< of the word that was chosen
  std::vector<std::pair<Piece, double>> candidates;
};

struct Explanation {
  TranslatedText best;        ///< the translation, without its tokens
  std::vector<Piece> source;  ///< <eos> at the end
  std::vector<TracedOperation> operations;
  std::vector<NextWord> steps;  ///< <eos> at the end
};

}  // namespace gradus
