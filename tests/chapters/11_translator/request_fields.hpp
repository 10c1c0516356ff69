#pragma once
/// \file
/// A training's request as text, field by field, so that two can be compared. Each struct is unpacked by its number
/// of fields: after a new field this file no longer compiles. Then add the name to both lists of its function, and
/// a row to train_option_rows.hpp and to `all_changes` in training_recipe_test.cpp. Those of the plan follow from
/// plan_fields.hpp.

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "11_translator/training/training_request.hpp"
#include "chapters/10_training/plan_changes.hpp"

namespace gradus::test {

using Fields = std::map<std::string, std::string>;  ///< by name, "model.d_model"

inline std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : " ") + word;
  return all;
}

/// Adds fields by their names, "a b c" in the order of the values.
template <class... Values>
void add_fields(Fields& fields, const std::string& struct_name, const std::string& names, const Values&... values) {
  std::istringstream stream(names);
  const auto next = [&] {
    std::string name;
    stream >> name;
    return struct_name + name;
  };
  ((fields[next()] = text_of(values)), ...);
}

inline void add(Fields& f, const std::string& name, const ModelConfig& m) {
  const auto& [source_vocab, target_vocab, d_model, heads, ffn, encoder_layers, decoder_layers, norm, norm_form,
               norm_epsilon, activation, tying, attention_bias, attention_output_bias, output_bias, scale_embedding,
               positions, decoder_unit, max_length, embedding_rate, attention_rate, activation_rate,
               residual_rate] = m;
  add_fields(f, name,
             "source_vocab target_vocab d_model heads ffn encoder_layers decoder_layers norm norm_form "
             "norm_epsilon activation tying "
             "attention_bias attention_output_bias output_bias scale_embedding positions decoder_unit max_length "
             "embedding_rate "
             "attention_rate activation_rate residual_rate",
             source_vocab, target_vocab, d_model, heads, ffn, encoder_layers, decoder_layers, norm, norm_form,
             norm_epsilon, activation, tying, attention_bias, attention_output_bias, output_bias, scale_embedding,
             positions, decoder_unit, max_length, embedding_rate, attention_rate, activation_rate, residual_rate);
}

inline Fields fields_of(const TrainingRequest& r) {
  const auto& [train_source, train_target, valid_source, valid_target, train_pairs, valid_pairs, valid_split,
               mix_source, mix_target, mix_share, output, tokenizer, joint_vocabulary, model, plan, initialisation,
               init_from, init_languages, keep_best, warmup_is_given, average_is_given, device, threads, max_steps,
               max_minutes, save_every, normalises_like_run, ids, overwrite, title, command] = r;
  const auto& [kind, vocab_size, min_frequency, rules, symbols] = tokenizer;
  const auto& [lower_case, punctuation, normalisation, word_rules] = rules;
  const auto& [weights, sigma, initialisation_seed, tables, biases] = initialisation;
  Fields f;
  add_fields(f, "",
             "train_source train_target valid_source valid_target train_pairs valid_pairs valid_split mix_source "
             "mix_target mix_share output "
             "joint_vocabulary",
             train_source, train_target, valid_source, valid_target, train_pairs, valid_pairs, valid_split,
             mix_source, mix_target, mix_share, output, joint_vocabulary);
  add_fields(f, "tokenizer.", "kind vocab_size min_frequency lower_case punctuation words normalisation symbols",
             kind, vocab_size, min_frequency, lower_case, punctuation, word_rules, normalisation, joined(symbols));
  add(f, "model.", model);
  for (const auto& [place, one] : described(plan)) f["plan." + place] = one.value;
  add_fields(f, "initialisation.", "weights sigma seed tables biases", weights, sigma, initialisation_seed, tables,
             biases);
  add_fields(f, "",
             "init_from keep_best warmup_is_given average_is_given device threads max_steps max_minutes save_every "
             "normalises_like_run ids overwrite title",
             init_from, keep_best, warmup_is_given, average_is_given, device, threads, max_steps, max_minutes,
             save_every, normalises_like_run, ids, overwrite, title);
  add_fields(f, "init_languages.", "source target", init_languages.source, init_languages.target);
  f["command"] = joined(command);
  return f;
}

/// "model.d_model: 128 -> 64" for every field that differs, by name; "(none)" for one that a side lacks.
inline std::vector<std::string> changes(const Fields& before, const Fields& after) {
  const auto value = [](const Fields& fields, const std::string& name) {
    const auto found = fields.find(name);
    return found == fields.end() ? "(none)" : found->second;
  };
  Fields names = before;
  names.insert(after.begin(), after.end());
  std::vector<std::string> all;
  for (const auto& [name, unused] : names) {
    const std::string x = value(before, name), y = value(after, name);
    if (x != y) all.push_back(name + ": " + x + " -> " + y);
  }
  return all;
}

}  // namespace gradus::test
