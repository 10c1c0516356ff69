#include "11_translator/training/record/run_results.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "gradus/util/error.hpp"

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format = "gradus results 1";

Json list(const std::vector<ScoredTranslation>& translations) {
  Json all = Json::array();
  for (const ScoredTranslation& t : translations) {
    all.push_back(
        {{"source", t.source}, {"reference", t.reference}, {"translation", t.translation}, {"score", t.score}});
  }
  return all;
}

std::vector<ScoredTranslation> translations(const Json& list) {
  std::vector<ScoredTranslation> all;
  for (const Json& t : list) all.push_back({t.at("source"), t.at("reference"), t.at("translation"), t.at("score")});
  return all;
}

/// JSON has no infinity: the perplexity of a training that diverged is null there.
double score_value(const Json& value) {
  return value.is_null() ? std::numeric_limits<double>::infinity() : value.get<double>();
}

}  // namespace

std::string to_json(const RunResults& r) {
  Json json{{"format", format}, {"title", r.title}, {"weights", r.weights}, {"facts", Json::array()}};
  for (const auto& [name, value] : r.facts) json["facts"].push_back({name, value});
  json["scores"] = json["lengths"] = Json::array();
  for (const Score& s : r.scores)
    json["scores"].push_back({{"name", s.name}, {"value", s.value}, {"decimals", s.decimals}});
  json["score_name"] = r.score_name;
  json["best"] = list(r.best);
  json["worst"] = list(r.worst);
  json["attention"] = r.attention;
  for (const Lengths& l : r.lengths) json["lengths"].push_back({{"name", l.name}, {"counts", l.counts}});
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

RunResults run_results(const std::string& json, const std::string& origin) {
  try {
    const Json all = Json::parse(json);
    if (all.at("format") != format) fail("an unknown format");
    RunResults r;
    r.title = all.at("title"), r.weights = all.at("weights"), r.score_name = all.at("score_name");
    for (const Json& fact : all.at("facts")) r.facts.emplace_back(fact.at(0), fact.at(1));
    for (const Json& s : all.at("scores"))
      r.scores.push_back({s.at("name"), score_value(s.at("value")), s.at("decimals")});
    r.best = translations(all.at("best")), r.worst = translations(all.at("worst"));
    r.attention = all.at("attention").get<std::vector<std::string>>();
    for (const Json& l : all.at("lengths"))
      r.lengths.push_back({l.at("name"), l.at("counts").get<std::vector<std::uint32_t>>()});
    return r;
  } catch (const std::exception&) {
    fail(origin + ": these are not the results of a training");
  }
}

}  // namespace gradus
