#pragma once
/// \file
/// Another value for each field of a training's plan, set by hand. Tests compare each with the field's description
/// (plan_fields.hpp), with its effect on the weights, with its option and with its place in a recipe.

#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "10_training/run/plan_fields.hpp"

namespace gradus::test {

using PlanEdit = void (*)(TrainingPlan&);

struct PlanChange {
  std::string field;  ///< its place in a recipe
  PlanEdit make;
  PlanEdit before = [](TrainingPlan&) {};  ///< without this the field has no effect
};

inline void take_sgd(TrainingPlan& p) { p.optimiser.kind = Optimiser::sgd; }
inline void take_cosine(TrainingPlan& p) { p.schedule.kind = ScheduleKind::cosine; }
inline void take_plateau(TrainingPlan& p) { p.schedule.kind = ScheduleKind::plateau; }
inline void take_decay(TrainingPlan& p) {
  p.optimiser.adam.update.weight_decay = p.optimiser.sgd.update.weight_decay = 0.1;
}
inline void take_sgd_and_decay(TrainingPlan& p) { take_sgd(p), take_decay(p); }

/// A new field gets a row here. No value is the default, neither of the plan nor of `gradus train`.
inline const std::vector<PlanChange> plan_changes = {
    {"batch tokens", [](auto& p) { p.batches.tokens = 30; }},
    {"batch sentences", [](auto& p) { p.batches.sentences = 4; }},
    {"batches", [](auto& p) { p.batches.order = BatchOrder::length; }},
    {"marks", [](auto& p) { p.marks.bos = 1; }},
    {"marks", [](auto& p) { p.marks.source_eos = 1; }},
    {"marks", [](auto& p) { p.marks.target_eos = 1; }},
    {"schedule", [](auto& p) { p.schedule.kind = ScheduleKind::constant; }},
    {"learning rate", [](auto& p) { p.schedule.peak = 2e-2; }},
    {"warmup", [](auto& p) { p.schedule.warmup = 3; }},
    {"decay steps", [](auto& p) { p.schedule.decay_steps = 20; }, take_cosine},
    {"plateau/factor", [](auto& p) { p.schedule.factor = 0.25; }, take_plateau},
    {"plateau/patience", [](auto& p) { p.schedule.patience = 3; }, take_plateau},
    {"plateau/threshold", [](auto& p) { p.schedule.threshold = 0.1; }, take_plateau},
    {"plateau/delay", [](auto& p) { p.schedule.delay = 1; }, take_plateau},
    {"optimizer/kind", take_sgd},
    {"optimizer/beta1", [](auto& p) { p.optimiser.adam.beta1 = 0.8; }},
    {"optimizer/beta2", [](auto& p) { p.optimiser.adam.beta2 = 0.9; }},
    {"optimizer/epsilon", [](auto& p) { p.optimiser.adam.epsilon = 1e-3; }},
    {"optimizer/momentum", [](auto& p) { p.optimiser.sgd.momentum = 0.25; }, take_sgd},
    {"clip", [](auto& p) { p.optimiser.adam.update.clip = 0.25; }},
    {"clip", [](auto& p) { p.optimiser.sgd.update.clip = 0.25; }, take_sgd},
    {"weight decay", [](auto& p) { p.optimiser.adam.update.weight_decay = 0.2; }},
    {"weight decay", [](auto& p) { p.optimiser.sgd.update.weight_decay = 0.2; }, take_sgd},
    {"decay", [](auto& p) { p.optimiser.adam.update.decay = Decay::coupled; }, take_decay},
    {"decay", [](auto& p) { p.optimiser.sgd.update.decay = Decay::coupled; }, take_sgd_and_decay},
    {"decay of all", [](auto& p) { p.optimiser.decays_all = true; }, take_decay},
    {"frozen/embeddings", [](auto& p) { p.optimiser.frozen.embeddings = true; }},
    {"frozen/encoder", [](auto& p) { p.optimiser.frozen.encoder = true; }},
    {"frozen/decoder", [](auto& p) { p.optimiser.frozen.decoder = true; }},
    {"label smoothing", [](auto& p) { p.smoothing = 0.2; }},
    {"seed", [](auto& p) { p.seed = 12345678901234567; }},  // no double has this value
    {"micro-batches", [](auto& p) { p.micro_batches = 3; }},
    {"products", [](auto& p) { p.products = Products::bf16; }},
    {"epochs", [](auto& p) { p.epochs = 1; }},
    {"validate every", [](auto& p) { p.valid_every = 2; }},
    {"patience", [](auto& p) { p.patience = 4; }},
    {"average last", [](auto& p) { p.average_last = 3; }},
};

inline std::string text_of(const std::string& text) { return text; }
inline std::string text_of(bool value) { return value ? "true" : "false"; }
inline std::string text_of(const SentenceMarks& m) {
  return std::to_string(m.bos) + " " + std::to_string(m.source_eos) + " " + std::to_string(m.target_eos);
}
template <class Value>
std::string text_of(const std::optional<Value>& value);
template <class Value>
std::string text_of(Value value) {
  if constexpr (std::is_enum_v<Value>) {
    return name_of(value);
  } else {
    std::ostringstream text;
    text.precision(15);
    text << value;
    return text.str();
  }
}
template <class Value>
std::string text_of(const std::optional<Value>& value) {
  return value ? text_of(*value) : "none";
}

/// A described field, and its value as text.
struct DescribedValue {
  PlanField field;
  std::string value;
};

/// All of a plan, by their places in a recipe.
inline std::map<std::string, DescribedValue> described(const TrainingPlan& plan) {
  std::map<std::string, DescribedValue> all;
  each_plan_field(plan, [&](const PlanField& f, const auto& value) { all[f.recipe] = {f, text_of(value)}; });
  return all;
}

/// The places where two plans differ.
inline std::vector<std::string> differing(const TrainingPlan& a, const TrainingPlan& b) {
  const auto others = described(b);
  std::vector<std::string> places;
  for (const auto& [place, one] : described(a)) {
    if (one.value != others.at(place).value) places.push_back(place);
  }
  return places;
}

}  // namespace gradus::test
