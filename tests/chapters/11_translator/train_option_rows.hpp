#pragma once
/// \file
/// The change that each option of `gradus train` makes in the request. A new option gets a row here.

#include <string>
#include <vector>

namespace gradus::test {

inline const std::string of_files =
    "--train-source a.en --train-target a.de --valid-source b.en --valid-target b.de --output run ";
inline const std::string of_folder = "--data one --output run ";

/// An option with a value that is not its default.
struct TrainRow {
  std::string option, words;         ///< "d-model", "--d-model 64"
  std::vector<std::string> changes;  ///< in the request, by name, in the form of request_fields.hpp
  std::string context = "";          ///< words without which the option is refused or has no meaning
  std::string setting = "";          ///< as a line of --config; empty: what the words say
  std::string base = of_files;
};

inline const std::vector<TrainRow> train_rows = {
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
    {"valid-source", "--valid-source x", {"valid_source: b.en -> x"}},
    {"valid-target", "--valid-target x", {"valid_target: b.de -> x"}},
    {"output", "--output x", {"output: run -> x"}},
    // Recipe
    {"preset",
     "--preset quick",
     {"model.activation_rate: 0.3 -> 0.1", "model.attention_rate: 0.15 -> 0.05", "model.decoder_layers: 4 -> 2",
      "model.embedding_rate: 0.3 -> 0.1", "model.encoder_layers: 4 -> 2", "model.ffn: 512 -> 256",
      "model.residual_rate: 0.3 -> 0.1", "plan.average_last: 4 -> 2", "plan.epochs: 45 -> 8",
      "plan.schedule.peak: 0.004 -> 0.005", "plan.schedule.warmup: 1000 -> 400",
      "tokenizer.vocab_size: 10000 -> 4000"}},
    {"epochs", "--epochs 3", {"plan.epochs: 45 -> 3"}},
    {"batch-tokens", "--batch-tokens 900", {"plan.batches.tokens: 2048 -> 900"}},
    {"batch-sentences", "--batch-sentences 24", {"plan.batches.sentences: 0 -> 24"}},
    {"valid-every", "--valid-every 70", {"plan.valid_every: 0 -> 70"}},
    {"patience", "--patience 6", {"plan.patience: 0 -> 6"}},
    {"average-last", "--average-last 3", {"plan.average_last: 4 -> 3"}},
    {"keep-best", "--keep-best", {"keep_best: false -> true"}, "", "keep-best = true"},
    {"seed", "--seed 12345678901234567", {"plan.seed: 1 -> 12345678901234567"}},
    {"products", "--products bf16", {"plan.products: exact -> bf16"}},
    // Vocabulary
    {"tokenizer",
     "--tokenizer word",
     {"tokenizer.kind: sentencepiece -> word", "tokenizer.vocab_size: 10000 -> 0"}},
    {"vocab", "--vocab separate", {"joint_vocabulary: true -> false", "model.tying: all -> output"}},
    {"vocab-size", "--vocab-size 777", {"tokenizer.vocab_size: 10000 -> 777"}},
    {"min-frequency", "--min-frequency 3", {"tokenizer.min_frequency: 1 -> 3"}, "--tokenizer word "},
    {"lowercase", "--lowercase", {"tokenizer.lower_case: false -> true"}, "", "lowercase = true"},
    // Model
    {"d-model", "--d-model 64", {"model.d_model: 128 -> 64"}},
    {"heads", "--heads 8", {"model.heads: 4 -> 8"}},
    {"layers", "--layers 3", {"model.decoder_layers: 4 -> 3", "model.encoder_layers: 4 -> 3"}},
    {"ffn", "--ffn 300", {"model.ffn: 512 -> 300"}},
    {"norm", "--norm post", {"model.norm: pre -> post"}},
    {"activation", "--activation gelu", {"model.activation: relu -> gelu"}},
    {"tied", "--untied", {"model.tying: all -> none"}, "", "tied = false"},
    {"attention-bias", "--attention-bias", {"model.attention_bias: false -> true"}, "", "attention-bias = true"},
    {"scale-embedding",
     "--no-scale-embedding",
     {"model.scale_embedding: true -> false"},
     "",
     "scale-embedding = false"},
    {"init-from",
     "--init-from model",
     {"init_from:  -> model", "joint_vocabulary: true -> false", "model.activation: relu -> gelu",
      "model.attention_bias: false -> true", "model.d_model: 128 -> 64", "model.decoder_layers: 4 -> 3",
      "model.encoder_layers: 4 -> 3", "model.ffn: 512 -> 300", "model.heads: 4 -> 8", "model.norm: pre -> post",
      "model.scale_embedding: true -> false", "model.tying: all -> none", "tokenizer.kind: sentencepiece -> word",
      "tokenizer.lower_case: false -> true", "tokenizer.vocab_size: 10000 -> 0"}},
    {"init", "--init kaiming", {"initialisation.weights: xavier -> kaiming"}},
    // Regularisation
    {"dropout",
     "--dropout 0.2",
     {"model.activation_rate: 0.3 -> 0.2", "model.attention_rate: 0.15 -> 0.1", "model.embedding_rate: 0.3 -> 0.2",
      "model.residual_rate: 0.3 -> 0.2"}},
    {"embedding-dropout", "--embedding-dropout 0.21", {"model.embedding_rate: 0.3 -> 0.21"}},
    {"attention-dropout", "--attention-dropout 0.22", {"model.attention_rate: 0.15 -> 0.22"}},
    {"activation-dropout", "--activation-dropout 0.23", {"model.activation_rate: 0.3 -> 0.23"}},
    {"residual-dropout", "--residual-dropout 0.24", {"model.residual_rate: 0.3 -> 0.24"}},
    {"label-smoothing", "--label-smoothing 0.2", {"plan.smoothing: 0.1 -> 0.2"}},
    {"weight-decay",
     "--weight-decay 0.02",
     {"plan.optimiser.adam.weight_decay: 0 -> 0.02", "plan.optimiser.sgd.weight_decay: 0 -> 0.02"}},
    {"decay",
     "--decay coupled",
     {"plan.optimiser.adam.decay: decoupled -> coupled", "plan.optimiser.sgd.decay: decoupled -> coupled"},
     "--weight-decay 0.02 "},
    // Optimiser
    {"optimizer", "--optimizer sgd", {"plan.optimiser.kind: adam -> sgd"}},
    {"learning-rate", "--learning-rate 0.007", {"plan.schedule.peak: 0.004 -> 0.007"}},
    {"schedule", "--schedule cosine", {"plan.schedule.kind: linear -> cosine"}},
    {"warmup", "--warmup 44", {"plan.schedule.warmup: 1000 -> 44"}},
    {"decay-steps", "--decay-steps 5000", {"plan.schedule.decay_steps: 0 -> 5000"}},
    {"clip", "--clip 0.7", {"plan.optimiser.adam.clip: 1 -> 0.7", "plan.optimiser.sgd.clip: 1 -> 0.7"}},
    {"adam-beta1", "--adam-beta1 0.8", {"plan.optimiser.beta1: 0.9 -> 0.8"}},
    {"adam-beta2", "--adam-beta2 0.95", {"plan.optimiser.beta2: 0.98 -> 0.95"}},
    {"adam-epsilon", "--adam-epsilon 1e-6", {"plan.optimiser.epsilon: 1e-09 -> 1e-06"}},
    {"momentum", "--momentum 0.6", {"plan.optimiser.momentum: 0 -> 0.6"}, "--optimizer sgd "},
    // How long and on what: a file cannot set these. Their effect: train_effects_test.cpp
    {"device", "--device cpu", {"device: auto -> cpu"}},
    {"threads", "--threads 200", {"threads: 7 -> 200"}, "--threads 7 "},
    {"max-steps", "--max-steps 9", {"max_steps: 0 -> 9"}},
    {"max-minutes", "--max-minutes 2.5", {"max_minutes: 0 -> 2.5"}},
    {"overwrite", "--overwrite", {"overwrite: false -> true"}},
    // Files and screen: not part of the request. Their effect: train_effects_test.cpp, and that of --config here
    {"config", "--config empty", {}},
    {"dump-config", "", {}},
    {"quiet", "--quiet", {}},
    {"log-json", "--log-json x", {}},
};

}  // namespace gradus::test
