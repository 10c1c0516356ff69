#pragma once
/// \file
/// A training's request as text, field by field, so that two can be compared. Each struct is unpacked by its number
/// of fields: after a new field this file no longer compiles. Then add the name to both lists of its function, and
/// a row to train_option_rows.hpp and to `all_changes` in training_recipe_test.cpp.

#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "11_translator/training/training_request.hpp"

namespace gradus::test {

using Fields = std::map<std::string, std::string>;  ///< by name, "model.d_model"

inline std::string text_of(const std::string& text) { return text; }
inline std::string text_of(bool value) { return value ? "true" : "false"; }
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
  const auto& [source_vocab, target_vocab, d_model, heads, ffn, encoder_layers, decoder_layers, norm, activation,
               tying, attention_bias, attention_output_bias, output_bias, scale_embedding, positions, max_length,
               embedding_rate, attention_rate, activation_rate, residual_rate] = m;
  add_fields(f, name,
             "source_vocab target_vocab d_model heads ffn encoder_layers decoder_layers norm activation tying "
             "attention_bias attention_output_bias output_bias scale_embedding positions max_length embedding_rate "
             "attention_rate activation_rate residual_rate",
             source_vocab, target_vocab, d_model, heads, ffn, encoder_layers, decoder_layers, norm, activation,
             tying, attention_bias, attention_output_bias, output_bias, scale_embedding, positions, max_length,
             embedding_rate, attention_rate, activation_rate, residual_rate);
}

inline void add(Fields& f, const std::string& name, const UpdateOptions& u) {
  const auto& [clip, weight_decay, decay, decaying] = u;
  add_fields(f, name, "clip weight_decay decay decaying", clip, weight_decay, decay, decaying);
}

inline void add(Fields& f, const std::string& name, const OptimiserOptions& o) {
  const auto& [kind, adam, sgd, decays_all] = o;
  const auto& [beta1, beta2, epsilon, adam_update] = adam;
  const auto& [momentum, sgd_update] = sgd;
  add_fields(f, name, "kind beta1 beta2 epsilon momentum decays_all", kind, beta1, beta2, epsilon, momentum,
             decays_all);
  add(f, name + "adam.", adam_update);
  add(f, name + "sgd.", sgd_update);
}

inline void add(Fields& f, const std::string& name, const TrainingPlan& p) {
  const auto& [batches, marks, schedule, optimiser, smoothing, seed, micro_batches, products, epochs, valid_every,
               patience, average_last] = p;
  const auto& [tokens, sentences, order] = batches;
  const auto& [bos, source_eos, target_eos] = marks;
  const auto& [kind, peak, warmup, decay_steps, factor, plateau_patience, threshold, delay] = schedule;
  add_fields(f, name, "batches.tokens batches.sentences batches.order", tokens, sentences, order);
  add_fields(f, name, "marks.bos marks.source_eos marks.target_eos", bos, source_eos, target_eos);
  add_fields(f, name + "schedule.", "kind peak warmup decay_steps factor patience threshold delay", kind, peak,
             warmup, decay_steps, factor, plateau_patience, threshold, delay);
  add(f, name + "optimiser.", optimiser);
  add_fields(f, name, "smoothing seed micro_batches products epochs valid_every patience average_last", smoothing,
             seed, micro_batches, products, epochs, valid_every, patience, average_last);
}

inline Fields fields_of(const TrainingRequest& r) {
  const auto& [train_source, train_target, valid_source, valid_target, train_pairs, valid_pairs, valid_split,
               output, tokenizer, joint_vocabulary, model, plan, initialisation, init_from, keep_best,
               warmup_is_given, average_is_given, device, threads, max_steps, max_minutes, save_every,
               normalises_like_run, ids, overwrite, title, command] = r;
  const auto& [kind, vocab_size, min_frequency, rules, symbols] = tokenizer;
  const auto& [lower_case, punctuation, normalisation, word_rules] = rules;
  const auto& [weights, sigma, initialisation_seed, tables, biases] = initialisation;
  Fields f;
  add_fields(f, "",
             "train_source train_target valid_source valid_target train_pairs valid_pairs valid_split output "
             "joint_vocabulary",
             train_source, train_target, valid_source, valid_target, train_pairs, valid_pairs, valid_split, output,
             joint_vocabulary);
  add_fields(f, "tokenizer.", "kind vocab_size min_frequency lower_case punctuation words normalisation symbols",
             kind, vocab_size, min_frequency, lower_case, punctuation, word_rules, normalisation, joined(symbols));
  add(f, "model.", model);
  add(f, "plan.", plan);
  add_fields(f, "initialisation.", "weights sigma seed tables biases", weights, sigma, initialisation_seed, tables,
             biases);
  add_fields(f, "",
             "init_from keep_best warmup_is_given average_is_given device threads max_steps max_minutes save_every "
             "normalises_like_run ids overwrite title",
             init_from, keep_best, warmup_is_given, average_is_given, device, threads, max_steps, max_minutes,
             save_every, normalises_like_run, ids, overwrite, title);
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
