#pragma once
/// \file
/// The change that each option of `gradus train` makes in the request. A new option gets a row here, unless it is a field of
/// the plan: those rows follow from plan_changes.hpp.

#include <algorithm>
#include <string>
#include <vector>

#include "app/options/train_options.hpp"
#include "chapters/10_training/plan_changes.hpp"

namespace gradus::test {

inline const std::string of_files =
    "--train-source a.en --train-target a.de --valid-source b.en --valid-target b.de --output run ";
inline const std::string of_folder = "--data one --output run ";
inline const std::string of_mix = "--mix-source a --mix-target b ";
inline const std::string of_pairs = "--train a.tsv --valid b.tsv --output run ";

/// An option with a value that is not its default.
struct TrainRow {
  std::string option, words;         ///< "d-model", "--d-model 64"
  std::vector<std::string> changes;  ///< in the request, by name, in the form of request_fields.hpp
  std::string context = "";          ///< words without which the option is refused or has no meaning
  std::string setting = "";          ///< as a line of --config; empty: what the words say
  std::string base = of_files;
};

inline const std::vector<TrainRow> other_rows = {
    // Text
    {"data",
     "--data two",
     {"train_source: one/train.en -> two/train.en", "train_target: one/train.de -> two/train.de",
      "valid_source: one/val.en -> two/val.en", "valid_target: one/val.de -> two/val.de"},
     "",
     "",
     of_folder},
    {"source-lang",
     "--source-lang fr",
     {"title: en to de -> fr to de", "train_source: one/train.en -> one/train.fr",
      "valid_source: one/val.en -> one/val.fr"},
     "",
     "",
     of_folder},
    {"target-lang",
     "--target-lang fr",
     {"title: en to de -> en to fr", "train_target: one/train.de -> one/train.fr",
      "valid_target: one/val.de -> one/val.fr"},
     "",
     "",
     of_folder},
    {"train-source", "--train-source x", {"train_source: a.en -> x"}},
    {"train-target", "--train-target x", {"train_target: a.de -> x"}},
    {"train", "--train x", {"train_pairs: a.tsv -> x"}, "", "", of_pairs},
    {"valid-source", "--valid-source x", {"valid_source: b.en -> x"}},
    {"valid-target", "--valid-target x", {"valid_target: b.de -> x"}},
    {"valid", "--valid x", {"valid_pairs: b.tsv -> x"}, "", "", of_pairs},
    {"valid-split",
     "--valid-split 50",
     {"valid_source: one/val.en -> ", "valid_split: 0 -> 50", "valid_target: one/val.de -> "},
     "",
     "",
     of_folder},
    {"mix-source", "--mix-source x", {"mix_source: a -> x"}, of_mix},
    {"mix-target", "--mix-target x", {"mix_target: b -> x"}, of_mix},
    {"mix-share", "--mix-share 0.5", {"mix_share: 0.2 -> 0.5"}, of_mix},
    {"output", "--output x", {"output: run -> x"}},
    // Recipe
    {"preset",
     "--preset quick",
     {"average_is_given: false -> true", "model.activation_rate: 0.3 -> 0.1", "model.attention_rate: 0.15 -> 0.05",
      "model.decoder_layers: 4 -> 2", "model.embedding_rate: 0.3 -> 0.1", "model.encoder_layers: 4 -> 2",
      "model.ffn: 512 -> 256", "model.residual_rate: 0.3 -> 0.1", "plan.average last: 4 -> 2",
      "plan.epochs: 45 -> 8", "plan.learning rate: 0.004 -> 0.005", "plan.warmup: 1000 -> 400",
      "tokenizer.vocab_size: 10000 -> 4000", "warmup_is_given: false -> true"}},
    {"keep-best", "--keep-best", {"keep_best: false -> true"}, "", "keep-best = true"},
    // Vocabulary
    {"tokenizer",
     "--tokenizer word",
     {"tokenizer.kind: sentencepiece -> word", "tokenizer.vocab_size: 10000 -> 0"}},
    {"vocab", "--vocab separate", {"joint_vocabulary: true -> false", "model.tying: all -> output"}},
    {"vocab-size", "--vocab-size 777", {"tokenizer.vocab_size: 10000 -> 777"}},
    {"symbols", "--symbols <url>", {"tokenizer.symbols:  -> <url>"}},
    {"min-frequency", "--min-frequency 3", {"tokenizer.min_frequency: 1 -> 3"}, "--tokenizer word "},
    {"lowercase", "--lowercase", {"tokenizer.lower_case: false -> true"}, "", "lowercase = true"},
    {"punctuation", "--no-punctuation", {"tokenizer.punctuation: true -> false"}, "", "punctuation = false"},
    {"normalise",
     "--normalise at-use",
     {"normalises_like_run: true -> false", "tokenizer.normalisation: always -> at-use"}},
    // Model
    {"d-model", "--d-model 64", {"model.d_model: 128 -> 64"}},
    {"heads", "--heads 8", {"model.heads: 4 -> 8"}},
    {"layers", "--layers 3", {"model.decoder_layers: 4 -> 3", "model.encoder_layers: 4 -> 3"}},
    {"encoder-layers", "--encoder-layers 3", {"model.encoder_layers: 4 -> 3"}},
    {"decoder-layers", "--decoder-layers 3", {"model.decoder_layers: 4 -> 3"}},
    {"max-length", "--max-length 99", {"model.max_length: 256 -> 99"}},
    {"ffn", "--ffn 300", {"model.ffn: 512 -> 300"}},
    {"norm", "--norm post", {"model.norm: pre -> post"}},
    {"activation", "--activation gelu", {"model.activation: relu -> gelu"}},
    {"tied", "--untied", {"model.tying: all -> none"}, "", "tied = false"},
    {"attention-bias", "--attention-bias", {"model.attention_bias: false -> true"}, "", "attention-bias = true"},
    {"attention-output-bias",
     "--attention-output-bias",
     {"model.attention_output_bias: false -> true"},
     "",
     "attention-output-bias = true"},
    {"output-bias", "--output-bias", {"model.output_bias: false -> true"}, "", "output-bias = true"},
    {"positions", "--positions none", {"model.positions: sinusoids -> none"}},
    {"decoder", "--decoder ssru", {"model.decoder_unit: attention -> ssru"}},
    {"scale-embedding",
     "--no-scale-embedding",
     {"model.scale_embedding: true -> false"},
     "",
     "scale-embedding = false"},
    {"init-from",
     "--init-from model",
     {"init_from:  -> model",
      "joint_vocabulary: true -> false",
      "model.activation: relu -> gelu",
      "model.attention_bias: false -> true",
      "model.attention_output_bias: false -> true",
      "model.d_model: 128 -> 64",
      "model.decoder_layers: 4 -> 3",
      "model.decoder_unit: attention -> ssru",
      "model.encoder_layers: 4 -> 2",
      "model.ffn: 512 -> 300",
      "model.heads: 4 -> 8",
      "model.max_length: 256 -> 99",
      "model.norm: pre -> post",
      "model.output_bias: false -> true",
      "model.positions: sinusoids -> none",
      "model.scale_embedding: true -> false",
      "model.tying: all -> none",
      "normalises_like_run: true -> false",
      "tokenizer.kind: sentencepiece -> word",
      "tokenizer.lower_case: false -> true",
      "tokenizer.normalisation: always -> never",
      "tokenizer.punctuation: true -> false",
      "tokenizer.vocab_size: 10000 -> 0"}},
    {"init", "--init kaiming", {"initialisation.weights: xavier -> kaiming"}},
    {"init-sigma", "--init-sigma 0.01", {"initialisation.sigma: 0.02 -> 0.01"}, "--init normal "},
    {"init-tables", "--init-tables like-weights", {"initialisation.tables: scaled -> like-weights"}},
    {"init-biases", "--init-biases", {"initialisation.biases: false -> true"}, "", "init-biases = true"},
    // Regularisation
    {"dropout",
     "--dropout 0.2",
     {"model.activation_rate: 0.3 -> 0.2", "model.attention_rate: 0.15 -> 0.1", "model.embedding_rate: 0.3 -> 0.2",
      "model.residual_rate: 0.3 -> 0.2"}},
    {"embedding-dropout", "--embedding-dropout 0.21", {"model.embedding_rate: 0.3 -> 0.21"}},
    {"attention-dropout", "--attention-dropout 0.22", {"model.attention_rate: 0.15 -> 0.22"}},
    {"activation-dropout", "--activation-dropout 0.23", {"model.activation_rate: 0.3 -> 0.23"}},
    {"residual-dropout", "--residual-dropout 0.24", {"model.residual_rate: 0.3 -> 0.24"}},
    // How long and on what: of these a file can set those of the length. Their effect: train_effects_test.cpp
    {"device", "--device cpu", {"device: auto -> cpu"}},
    {"threads", "--threads 200", {"threads: 7 -> 200"}, "--threads 7 "},
    {"max-steps", "--max-steps 9", {"max_steps: 0 -> 9"}},
    {"save-every", "--save-every 7", {"save_every: 500 -> 7"}},
    {"max-minutes", "--max-minutes 2.5", {"max_minutes: 0 -> 2.5"}},
    {"ids", "--ids x", {"ids:  -> x"}},
    {"overwrite", "--overwrite", {"overwrite: false -> true"}},
    // Files and screen: not part of the request. Their effect: train_effects_test.cpp, and that of --config here
    {"config", "--config empty", {}},
    {"dump-config", "", {}},
    {"quiet", "--quiet", {}},
    {"log-json", "--log-json x", {}},
};

/// "--clip 0.25"; of a flag "--decay-all".
inline std::string words_of(const DescribedValue& d) {
  const std::string name = d.field.option;
  if (d.value == "true") return "--" + name;
  return d.value == "false" ? "--no-" + name : "--" + name + " " + d.value;
}

/// The row of a field of the plan.
inline TrainRow row_of(const PlanChange& change) {
  const TrainingPlan usual = TrainOptions().request.plan;
  TrainingPlan before = usual;
  change.before(before);
  TrainingPlan after = before;
  change.make(after);
  const auto was = described(before), is = described(after);
  const DescribedValue& given = is.at(change.field);
  TrainRow row{given.field.option, words_of(given), {}};
  for (const std::string& place : differing(usual, before)) row.context += words_of(was.at(place)) + " ";
  if (row.words.find(' ') == std::string::npos) row.setting = row.option + " = " + given.value;
  for (const std::string& place : differing(before, after))
    row.changes.push_back("plan." + place + ": " + was.at(place).value + " -> " + is.at(place).value);
  if (row.option == "warmup") row.changes.push_back("warmup_is_given: false -> true");
  if (row.option == "average-last") row.changes.push_back("average_is_given: false -> true");
  std::sort(row.changes.begin(), row.changes.end());
  return row;
}

inline std::vector<TrainRow> plan_rows() {
  std::vector<TrainRow> rows;
  for (const PlanChange& change : plan_changes) {
    TrainRow row = row_of(change);
    if (!row.option.empty()) rows.push_back(std::move(row));
  }
  return rows;
}

inline const std::vector<TrainRow> train_rows = [] {
  std::vector<TrainRow> rows = plan_rows();
  rows.insert(rows.end(), other_rows.begin(), other_rows.end());
  return rows;
}();

}  // namespace gradus::test
