#include "11_translator/program/options/train_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "11_translator/program/options/shared_options.hpp"
#include "11_translator/program/presets/presets.hpp"
#include "gradus/device/on_device.hpp"
#include "gradus/ranks/launcher.hpp"

namespace gradus {
namespace {

constexpr double largest_rate = 0.99, largest_decay = 0.999999, many = 1e9;

/// An option with one of the words of an enum's table. `value` is the enum, or may be none.
template <class Enum, class Value>
CLI::Option* add_word(CLI::App& command, const std::string& option, Value& value, const std::string& text) {
  const auto take = [&value](const std::string& word) { value = parse<Enum>(word); };
  return command.add_option_function<std::string>("--" + option, take, text)
      ->check(one_of(all_names<Enum>()))
      ->type_name("WORD");
}

/// The options of one group of the help. Each shows its default.
struct Group {
  CLI::App& command;
  std::string name;

  template <class T>
  CLI::Option* number(const std::string& option, T& value, const std::string& text, double least,
                      double most) const {
    return command.add_option("--" + option, value, text)
        ->group(name)
        ->capture_default_str()
        ->check(between(least, most));
  }
  template <class Enum>
  CLI::Option* word(const std::string& option, Enum& value, const std::string& text) const {
    return add_word<Enum>(command, option, value, text)->group(name)->default_str(name_of(value));
  }
  template <class Enum>
  CLI::Option* word(const std::string& option, std::optional<Enum>& value, const std::string& text) const {
    return add_word<Enum>(command, option, value, text)->group(name);
  }
  CLI::Option* text(const std::string& option, std::string& value, const std::string& text,
                    const std::string& type) const {
    return command.add_option("--" + option, value, text)->group(name)->capture_default_str()->type_name(type);
  }
  CLI::Option* flag(const std::string& options, bool& value, const std::string& text) const {
    return command.add_flag(options, value, text)->group(name)->default_str(value ? "true" : "false");
  }
};

void add_data(const Group& g, TrainOptions& o) {
  g.text("data", o.data, "folder with train.LANG and val.LANG, plain or .gz", "DIR");
  g.text("source-lang", o.source_lang, "LANG of the sentences to translate", "LANG");
  g.text("target-lang", o.target_lang, "LANG of their translations", "LANG");
  g.text("train-source", o.train_source, "instead of --data: training sentences, one a line", "FILE");
  g.text("train-target", o.train_target, "their translations, line by line", "FILE");
  g.text("train", o.train, "or both in one file, a tab between sentence and translation", "FILE");
  g.text("valid-source", o.valid_source, "validation sentences", "FILE");
  g.text("valid-target", o.valid_target, "their translations", "FILE");
  g.text("valid", o.valid, "or both in one file, with tabs", "FILE");
  g.number("valid-split", o.request.valid_split, "or take so many pairs out of the training text, chosen by --seed",
           1, many)
      ->default_str("");
  g.text("output", o.output, "folder for the run and its model", "DIR");
}

void add_vocabulary(const Group& g, TrainOptions& o) {
  g.word("tokenizer", o.request.tokenizer.kind,
         std::string(name_of(TokenizerKind::sentencepiece)) + " (subwords) or " + name_of(TokenizerKind::word));
  g.word("vocab", o.vocab,
         std::string(name_of(VocabularyChoice::joint)) + ": one for both languages; or " +
             name_of(VocabularyChoice::separate));
  g.number("vocab-size", o.vocab_size, "at most this many; words: by default all", 0, 1e6);
  g.text("symbols", o.symbols, "subwords that are never cut, with spaces between them: '<url> <name>'", "WORDS");
  g.number("min-frequency", o.min_frequency, "words that occur less often are unknown", 1, 1e6);
  g.flag("--lowercase,!--no-lowercase", o.lowercase, "read and write small letters only");
  g.flag("--punctuation,!--no-punctuation", o.punctuation, "read and write punctuation marks");
  g.word("normalise", o.normalise,
         "characters that look alike become one, invisible ones go: " + names_phrase<Normalisation>());
}

void add_model(const Group& g, TrainOptions& o) {
  ModelConfig& m = o.request.model;
  g.number("d-model", m.d_model, "width D, even", 0, many);
  g.number("heads", m.heads, "attention heads, a divisor of D", 0, many);
  g.number("layers", o.layers, "layers of encoder and of decoder", 1, many);
  g.number("encoder-layers", o.encoder_layers, "of the encoder alone [--layers]", 1, many)->default_str("");
  g.number("decoder-layers", o.decoder_layers, "of the decoder alone [--layers]", 1, many)->default_str("");
  g.number("ffn", m.ffn, "inner width of the feed-forward network", 0, many);
  g.number("max-length", m.max_length, "most tokens of a sentence, its begin or end mark counted", 0, many);
  g.word("norm", m.norm, "where the layer norm stands: " + names_phrase<Norm>());
  g.word("activation", m.activation, names_phrase<Activation>());
  g.flag("--tied,!--untied", o.tied, "output and embeddings are one table");
  g.flag("--attention-bias,!--no-attention-bias", m.attention_bias, "biases in attention");
  g.flag("--attention-output-bias,!--no-attention-output-bias", m.attention_output_bias,
         "a bias after W_O, even without --attention-bias");
  g.flag("--output-bias,!--no-output-bias", m.output_bias, "a bias of the output layer, one for each word");
  g.flag("--scale-embedding,!--no-scale-embedding", m.scale_embedding, "embeddings times sqrt(D)");
  g.word("positions", m.positions, "added to the words: " + names_phrase<Positions>());
  g.word("init", o.request.initialisation.weights, "first weights: " + names_phrase<Initialisation>());
  g.number("init-sigma", o.request.initialisation.sigma, "standard deviation of --init normal", 1e-30, 10);
  g.word("init-tables", o.request.initialisation.tables,
         "embeddings, output table: scaled (variance 1/D) or like-weights");
  g.flag("--init-biases,!--no-init-biases", o.request.initialisation.biases,
         "biases start as PyTorch's, uniform, not at 0");
  g.text("init-from", o.init_from, "first weights, vocabulary and sizes: a model's, or en-de, de-en", "MODEL");
}

void add_regularisation(const Group& g, TrainOptions& o) {
  g.number("dropout", o.dropout, "dropout probability", 0, largest_rate);
  const auto rate = [&](const char* name, double& value, const char* text) {
    g.number(name, value, text, 0, largest_rate)->default_str("");
  };
  rate("embedding-dropout", o.embedding_dropout, "on word plus position [--dropout]");
  rate("attention-dropout", o.attention_dropout, "on attention weights [half of --dropout]");
  rate("activation-dropout", o.activation_dropout, "inside the feed-forward network [--dropout]");
  rate("residual-dropout", o.residual_dropout, "on each sublayer's output [--dropout]");
  g.number("label-smoothing", o.request.plan.smoothing, "share of the target probability that goes to all words", 0,
           largest_rate);
  g.number("weight-decay", o.weight_decay, "how fast matrices shrink towards 0", 0, 1);
  g.flag("--decay-all,!--no-decay-all", o.request.plan.optimiser.decays_all, "tables, biases and norms shrink too");
  g.word("decay", o.decay,
         std::string("beside the step: ") + name_of(Decay::decoupled) +
             "; in the gradient: " + name_of(Decay::coupled));
}

void add_optimiser(const Group& g, TrainOptions& o) {
  OptimiserOptions& m = o.request.plan.optimiser;
  Schedule& s = o.request.plan.schedule;
  g.word("optimizer", m.kind, names_phrase<Optimiser>());
  g.number("learning-rate", s.peak, "at the end of the warm-up", 1e-30, 1e6);
  g.word("schedule", s.kind, names_phrase<ScheduleKind>());
  g.number("warmup", s.warmup, "steps during which the rate rises [1000; of a short run an eighth]", 0, many)
      ->default_str("");
  g.number("decay-steps", s.decay_steps, "length of linear and cosine; 0: all epochs", 0, many);
  g.number("plateau-factor", s.factor, "what plateau multiplies the rate with", 1e-30, largest_decay);
  g.number("plateau-patience", s.patience, "validations that may be no better; the next one reduces the rate", 0,
           many);
  g.number("plateau-threshold", s.threshold, "a loss is better if it is lower by this share", 0, largest_rate);
  g.number("plateau-delay", s.delay, "validations at the beginning that plateau leaves out", 0, many);
  g.number("clip", o.clip, "largest norm of the gradient; 0: none", 0, many);
  g.number("adam-beta1", m.adam.beta1, "decay of the mean gradient", 0, largest_decay);
  g.number("adam-beta2", m.adam.beta2, "decay of the mean square", 0, largest_decay);
  g.number("adam-epsilon", m.adam.epsilon, "added to its root", 1e-30, 1);
  g.number("momentum", m.sgd.momentum, "of sgd", 0, largest_decay);
}

void add_plan(const Group& g, TrainOptions& o) {
  TrainingPlan& p = o.request.plan;
  g.number("epochs", p.epochs, "passes over the pairs; schedules span them", 1, 1e6);
  g.number("batch-tokens", p.batches.tokens, "most source and most target tokens a step", 8, 1e7);
  g.number("batch-sentences", p.batches.sentences, "pairs a step instead", 1, 1e6)->default_str("");
  g.word("batches", p.batches.order, "which pairs form a step: by " + names_phrase<BatchOrder>());
  g.number("valid-every", p.valid_every, "steps between validations; 0: each epoch", 0, many);
  g.number("patience", p.patience, "validations without a better one before it ends; 0: never", 0, many);
  g.number("average-last", p.average_last, "number of last validations to average, if their mean beats the best", 1,
           1000);
  g.flag("--keep-best", o.request.keep_best, "keep the best validation's model, even if the mean is better")
      ->default_str("");
  g.number("seed", p.seed, "of every random draw", 0, 1e18);
  const auto usual = [](DeviceChoice device) { return std::string(name_of(default_products(device))); };
  g.word("products", p.products,
         std::string("of matrices: ") + name_of(Products::exact) + ", or on a GPU " + name_of(Products::tf32) +
             " or " + name_of(Products::bf16) + ", coarser [" + usual(DeviceChoice::cuda) + " on a GPU, " +
             usual(DeviceChoice::cpu) + " on a processor]");
}

void add_control(const Group& g, TrainOptions& o) {
  TrainingRequest& r = o.request;
  add_device_option(g.command, r.device)->group(g.name)->configurable(false);
  g.number("threads", r.threads, "worker threads", 1, 256)->configurable(false);
  g.number("max-steps", r.max_steps, "stop after this many steps of the run; 0: never", 0, many)
      ->configurable(false);
  g.number("save-every", r.save_every, "steps between checkpoints; 0: only when it validates, and at the end", 0,
           many)
      ->configurable(false);
  g.number("max-minutes", r.max_minutes, "stop after this many minutes; 0: never", 0, many)->configurable(false);
  g.text("ids", r.ids, "file for the pairs as ids, made once [for large texts: in --output]", "FILE")
      ->configurable(false)
      ->default_str("");
  g.flag("--overwrite", r.overwrite, "remove the run that is in the folder")->configurable(false)->default_str("");
}

void add_screen(const Group& g, TrainOptions& o) {
  g.text("config", o.config, "lines `name = value` of options; the command line wins", "FILE")
      ->configurable(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  g.flag("--dump-config", o.dump_config, "print all choices in the form of --config, and end")
      ->configurable(false)
      ->default_str("");
  g.flag("--quiet", o.quiet, "print errors and warnings only")->configurable(false)->default_str("");
  g.text("log-json", o.log_json, "add a line of JSON for each step, validation, end", "FILE")->configurable(false);
}

}  // namespace

/// The bundled model's recipe.
TrainOptions::TrainOptions() {
  request.threads = own_threads();
  request.model.d_model = 128, request.model.ffn = 512, request.model.heads = 4;
  request.plan.epochs = 45;
  request.plan.batches.tokens = 2048;
  request.plan.average_last = 4;
  request.plan.schedule = {ScheduleKind::linear, 4e-3, 1000};
}

void add_train_options(CLI::App& c, TrainOptions& o) {
  add_data({c, "Text"}, o);
  c.add_option("--preset", o.preset, "values for the options that are not given; gradus presets lists them")
      ->group("Recipe")
      ->check(one_of(preset_names()))
      ->type_name("WORD")
      ->default_str("base");
  add_plan({c, "Recipe"}, o);
  add_vocabulary({c, "Vocabulary"}, o);
  add_model({c, "Model"}, o);
  add_regularisation({c, "Regularisation"}, o);
  add_optimiser({c, "Optimiser"}, o);
  add_control({c, "How long and on what (changes no weight)"}, o);
  add_screen({c, "Files and screen"}, o);
}

}  // namespace gradus
