#include "11_translator/training/record/plan_values.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

template <class Value>
Json json_of(const Value& value) {
  if constexpr (std::is_enum_v<Value>) {
    return name_of(value);
  } else {
    return value;
  }
}
Json json_of(const std::optional<Products>& products) { return name_of(products.value_or(Products::exact)); }
Json json_of(const SentenceMarks& m) { return {m.bos, m.source_eos, m.target_eos}; }

}  // namespace

std::vector<PlanValue> plan_values(const TrainingPlan& plan) {
  std::vector<PlanValue> all;
  each_plan_field(plan, [&](const PlanField& field, const auto& value) {
    all.push_back({field, json_of(value).dump()});
  });
  return all;
}

}  // namespace gradus
