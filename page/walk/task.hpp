#pragma once
/// \file
/// What the whole model of the page learns: a task has pairs, a model's sizes, and the words of both languages.

#include <cstdint>
#include <string>
#include <vector>

#include "09_transformer/config.hpp"
#include "10_training/data/pairs.hpp"

namespace gradus::page {

struct Task {
  std::string name;
  ModelConfig config;
  IdPairs pairs;            ///< to learn from
  IdPairs others;           ///< to be judged by; the model does not learn from them, unless there are no others
  std::size_t batch = 0;    ///< pairs of a step
  bool has_learnt = false;  ///< whether the book has learnt weights for it
  std::vector<std::string> source_words, target_words;
};

/// The six sentences of the lessons and their tiny model (chapter 10). It is judged by the same six.
Task six_sentences();

/// Three to six digits, and as their translation the same backwards: 4096 to learn from, 200 others.
Task backwards();

}  // namespace gradus::page
