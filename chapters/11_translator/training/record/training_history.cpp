#include "11_translator/training/record/training_history.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "gradus/util/error.hpp"

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format = "gradus history 1";
const Json step_columns{"step", "epoch", "loss", "learning_rate", "gradient_norm"};

Json row(const StepRecord& s) { return Json::array({s.step, s.epoch, s.loss, s.learning_rate, s.gradient_norm}); }

Json object(const ValidationRecord& v) {
  Json samples = Json::array();
  for (const SampleTranslation& s : v.samples) {
    samples.push_back({{"source", s.source}, {"reference", s.reference}, {"translation", s.translation}});
  }
  return {{"step", v.step}, {"epoch", v.epoch}, {"loss", v.loss}, {"bleu", v.bleu}, {"samples", samples}};
}

Json object(const UnknownTokens& u) {
  const auto count = [](const TokenCount& c) { return Json{{"unknown", c.unknown}, {"tokens", c.tokens}}; };
  return {{"training", {{"source", count(u.train_source)}, {"target", count(u.train_target)}}},
          {"validation", {{"source", count(u.valid_source)}, {"target", count(u.valid_target)}}}};
}

UnknownTokens unknown_tokens(const Json& json) {
  const auto count = [&](const char* part, const char* side) {
    const Json& one = json.at(part).at(side);
    for (const char* name : {"unknown", "tokens"}) {
      if (!one.at(name).is_number_unsigned()) fail("a number of tokens is no whole number");
    }
    return TokenCount{one.at("unknown"), one.at("tokens")};
  };
  return {count("training", "source"), count("training", "target"), count("validation", "source"),
          count("validation", "target")};
}

std::uint32_t count(const Json& json) {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max()) {
    fail("a number of steps or epochs is no whole number");
  }
  return json.get<std::uint32_t>();
}

double real(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

StepRecord step_record(const Json& json) {
  if (!json.is_array() || json.size() != step_columns.size()) fail("a step has other columns");
  return {count(json[0]), count(json[1]), real(json[2]), real(json[3]), real(json[4])};
}

ValidationRecord validation_record(const Json& json) {
  ValidationRecord v{
      count(json.at("step")), count(json.at("epoch")), real(json.at("loss")), real(json.at("bleu")), {}};
  if (v.bleu < 0 || v.bleu > 100) fail("a BLEU of " + json.at("bleu").dump());
  for (const Json& sample : json.at("samples")) {
    v.samples.push_back({sample.at("source"), sample.at("reference"), sample.at("translation")});
  }
  return v;
}

/// The records of a list; their steps must ascend.
template <class Record>
std::vector<Record> records(const Json& list, Record (*parse)(const Json&)) {
  if (!list.is_array()) fail("there is something else in the place of a list");
  std::vector<Record> all;
  all.reserve(list.size());
  for (const Json& json : list) {
    all.push_back(parse(json));
    if (all.size() > 1 && all.back().step <= all[all.size() - 2].step) {
      fail("step " + std::to_string(all.back().step) + " comes after step " +
           std::to_string(all[all.size() - 2].step));
    }
  }
  return all;
}

}  // namespace

std::optional<std::size_t> best_validation(const std::vector<ValidationRecord>& validations) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < validations.size(); ++i) {
    if (!std::isfinite(validations[i].loss)) continue;
    if (!best || validations[i].loss < validations[*best].loss) best = i;
  }
  return best;
}

std::string to_json(const TrainingHistory& history) {
  Json json{{"format", format}, {"command", history.command}, {"step_columns", step_columns}};
  if (history.unknown) json["unknown_tokens"] = object(*history.unknown);
  json["steps"] = json["validations"] = Json::array();
  for (const StepRecord& s : history.steps) json["steps"].push_back(row(s));
  for (const ValidationRecord& v : history.validations) json["validations"].push_back(object(v));
  // A command may contain a file name that is not UTF-8; the training must not be lost for that
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

TrainingHistory training_history(const std::string& json, const std::string& origin) {
  const std::string complaint = origin + ": this is not the history of a training";
  try {
    const Json all = Json::parse(json);
    if (all.at("format") != format || all.at("step_columns") != step_columns) fail("an unknown format");
    TrainingHistory history;
    history.command = all.at("command").get<std::vector<std::string>>();
    if (all.contains("unknown_tokens")) history.unknown = unknown_tokens(all["unknown_tokens"]);
    history.steps = records(all.at("steps"), step_record);
    history.validations = records(all.at("validations"), validation_record);
    return history;
  } catch (const nlohmann::json::exception&) {
    fail(complaint);
  } catch (const Error& error) {
    fail(complaint + ": " + error.what());
  }
}

}  // namespace gradus
