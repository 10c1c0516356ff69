#include "app/answers/inside_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

double to_thousandths(double x) { return std::round(x * 1000) / 1000; }

/// The index of each token's word, or null.
template <class Tokens>
Json words_of(const Tokens& tokens) {
  Json words = Json::array();
  for (const auto& token : tokens) words.push_back(token.word == no_word ? Json() : Json(token.word));
  return words;
}

/// (rows, columns): value(row, column).
template <class F>
Json matrix(const AttentionMaps& maps, F&& value) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < maps.rows.size(); ++i) {
    Json row = Json::array();
    for (std::size_t j = 0; j < maps.columns.size(); ++j) row.push_back(to_thousandths(value(i, j)));
    rows.push_back(std::move(row));
  }
  return rows;
}

double mean_of_heads(const AttentionMaps& maps, std::size_t layer, std::size_t row, std::size_t column) {
  double sum = 0;
  for (std::size_t head = 0; head < maps.heads; ++head) sum += maps.at(layer, head, row, column);
  return sum / static_cast<double>(maps.heads);
}

}  // namespace

Json attention_json(const AttentionMaps& maps, const TranslatedText& best) {
  Json json{{"layers", maps.layers}, {"heads", maps.heads}};
  json["row_words"] = words_of(best.tokens);
  json["column_words"] = words_of(best.source_tokens);
  json["mean"] =
      matrix(maps, [&](std::size_t i, std::size_t j) { return mean_of_heads(maps, maps.layers - 1, i, j); });
  json["weights"] = Json::array();
  for (std::size_t layer = 0; layer < maps.layers; ++layer) {
    Json heads = Json::array();
    for (std::size_t head = 0; head < maps.heads; ++head)
      heads.push_back(matrix(maps, [&](std::size_t i, std::size_t j) { return maps.at(layer, head, i, j); }));
    json["weights"].push_back(std::move(heads));
  }
  return json;
}

Json steps_json(const std::vector<NextWord>& steps) {
  Json json = Json::array();
  for (const NextWord& step : steps) {
    Json candidates = Json::array();
    for (const auto& [piece, probability] : step.candidates)
      candidates.push_back({{"text", piece.text}, {"probability", probability}});
    json.push_back({{"text", step.output.text}, {"probability", step.probability}, {"candidates", candidates}});
  }
  return json;
}

}  // namespace gradus
