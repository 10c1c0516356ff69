#pragma once
/// \file
/// The golden scores of tests/golden/scores.json, which make_scores.py beside it made with sacreBLEU. GRADUS_SCORES
/// names another file with scores.

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "11_translator/metrics/bleu.hpp"

namespace gradus::test {

using nlohmann::json;
using Sentences = std::vector<std::string>;

inline const json& golden() {
  static const json all = [] {
    const char* other = std::getenv("GRADUS_SCORES");
    std::ifstream file(other != nullptr ? other : GRADUS_GOLDEN "/scores.json");
    return json::parse(file);
  }();
  return all;
}

inline BleuOptions options_of(const json& expected) {
  BleuOptions options;
  options.lowercase = expected.at("lowercase");
  options.tokenizer = expected.at("tokenize") == "none" ? BleuTokenizer::none : BleuTokenizer::v13a;
  options.effective_order = expected.value("effective_order", false);
  return options;
}

inline std::string two_decimals(double value) {
  std::ostringstream text;
  text.precision(2);
  text << std::fixed << value;
  return text.str();
}

}  // namespace gradus::test
