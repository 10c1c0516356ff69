#include "11_translator/training/initial_model.hpp"

#include <nlohmann/json.hpp>

#include "11_translator/training/record/recipe_differences.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

/// The part of a recipe that weights and vocabulary depend on.
std::string shape(ModelConfig config, TokenizerKind kind, const TextRules& rules, bool joint) {
  config.source_vocab = config.target_vocab = 0;  // the model's vocabulary is used, of any size
  config.max_length = 0;                          // positions are computed, not learnt
  config.embedding_rate = config.attention_rate = config.activation_rate = config.residual_rate = 0;
  return Json{{"model", Json::parse(to_json(config))},
              {"tokenizer", name_of(kind)},
              {"lower case", rules.lower_case},
              {"punctuation", rules.punctuation},
              {"normalisation", name_of(rules.normalisation)},
              {"source vocabulary", 1},
              {"target vocabulary", joint ? 1 : 2}}
      .dump();
}

}  // namespace

ModelFiles initial_model(const TrainingRequest& r) {
  ModelFiles model = load_model(r.init_from);
  const TokenizerOptions& t = r.tokenizer;
  const Tokenizer& own = model.tokenizers.source;
  std::string list;
  for (const RecipeDifference& d :
       recipe_differences(shape(model.config, own.kind(), own.rules(), model.tokenizers.joint),
                          shape(r.model, t.kind, t.rules, r.joint_vocabulary))) {
    list += (list.empty() ? "" : ", ") + d.name + " " + unquoted(d.first) + " (not " + unquoted(d.second) + ")";
  }
  if (!list.empty())
    throw UsageError("the model in " + r.init_from + " has " + list +
                     "; a training that starts from its weights must have the same");
  return model;
}

}  // namespace gradus
