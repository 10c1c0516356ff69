#include "app/options/train_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <type_traits>

#include "10_training/run/plan_fields.hpp"
#include "app/options/shared_options.hpp"
#include "app/presets/presets.hpp"
#include "gradus/device/on_device.hpp"
#include "gradus/ranks/launcher.hpp"

namespace gradus {
namespace {

constexpr double largest_rate = PlanLimits::rate, many = PlanLimits::many;

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
  CLI::Option* input(const std::string& option, std::string& value, const std::string& help) const {
    return text(option, value, help, "FILE")->transform(standard_input, "", "");
  }
  CLI::Option* flag(const std::string& options, bool& value, const std::string& text) const {
    return command.add_flag(options, value, text)->group(name)->default_str(value ? "true" : "false");
  }
};

CLI::Option* add_field(const Group& g, const PlanField& f, bool& value) {
  const std::string name = f.option;
  return g.flag("--" + name + ",!--no-" + name, value, f.help);
}

template <class Value>
CLI::Option* add_field(const Group& g, const PlanField& f, Value& value) {
  if constexpr (std::is_enum_v<Value>) {
    return g.word(f.option, value, f.help);
  } else {
    return g.number(f.option, value, f.help, f.least, f.most);
  }
}

/// The help of --products ends with what each device does without it.
CLI::Option* add_field(const Group& g, const PlanField& f, std::optional<Products>& value) {
  const auto usual = [](DeviceChoice device) { return std::string(name_of(default_products(device))); };
  return g.word(
      f.option, value,
      f.help + " [" + usual(DeviceChoice::cuda) + " on a GPU, " + usual(DeviceChoice::cpu) + " on a processor]");
}

CLI::Option* add_field(const Group&, const PlanField&, SentenceMarks&) { return nullptr; }

/// The plan's options of this group.
void add_plan(const Group& g, TrainOptions& o) {
  each_plan_field(o.request.plan, [&](const PlanField& f, auto& value) {
    if (!f.has_option() || g.name != f.group) return;
    CLI::Option* const option = add_field(g, f, value);
    if (!f.shows_default) option->default_str("");
    if (f.is("average last"))  // the other choice of the weights to keep
      g.flag("--keep-best", o.request.keep_best, "keep the best validation's model, even if the mean is better")
          ->default_str("");
  });
}

void add_data(const Group& g, TrainOptions& o) {
  g.text("data", o.data, "folder with train.LANG and val.LANG, plain or .gz", "DIR");
  g.text("source-lang", o.source_lang, "LANG of the sentences to translate", "LANG");
  g.text("target-lang", o.target_lang, "LANG of their translations", "LANG");
  g.input("train-source", o.train_source, "instead of --data: training sentences, one a line");
  g.input("train-target", o.train_target, "their translations, line by line");
  g.input("train", o.train, "or both in one file, a tab between sentence and translation");
  g.input("valid-source", o.valid_source, "validation sentences");
  g.input("valid-target", o.valid_target, "their translations");
  g.input("valid", o.valid, "or both in one file, with tabs");
  g.number("valid-split", o.request.valid_split, "or take so many pairs out of the training text, chosen by --seed",
           1, many)
      ->default_str("");
  g.input("mix-source", o.request.mix_source,
          "older sentences that are mixed in, so that a model keeps what it knows");
  g.input("mix-target", o.request.mix_target, "their translations, line by line");
  g.number("mix-share", o.request.mix_share, "at most this share of the pairs is theirs, chosen by --seed", 0.001,
           PlanLimits::rate);
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
  g.word("decoder", m.decoder_unit, "what reads the words before: " + names_phrase<DecoderUnit>());
  g.word("init", o.request.initialisation.weights, "first weights: " + names_phrase<Initialisation>());
  g.number("init-sigma", o.request.initialisation.sigma, "standard deviation of --init normal", 1e-30, 10);
  g.word("init-tables", o.request.initialisation.tables,
         "embeddings, output table: scaled (variance 1/D) or like-weights");
  g.flag("--init-biases,!--no-init-biases", o.request.initialisation.biases,
         "biases start as PyTorch's, uniform, not at 0");
  g.text("init-from", o.init_from, "first weights, vocabulary and sizes: a model's, or a known one's", "MODEL");
}

void add_dropout(const Group& g, TrainOptions& o) {
  g.number("dropout", o.dropout, "dropout probability", 0, largest_rate);
  const auto rate = [&](const char* name, double& value, const char* text) {
    g.number(name, value, text, 0, largest_rate)->default_str("");
  };
  rate("embedding-dropout", o.embedding_dropout, "on word plus position [--dropout]");
  rate("attention-dropout", o.attention_dropout, "on attention weights [half of --dropout]");
  rate("activation-dropout", o.activation_dropout, "inside the feed-forward network [--dropout]");
  rate("residual-dropout", o.residual_dropout, "on each sublayer's output [--dropout]");
}

void add_control(const Group& g, TrainOptions& o) {
  TrainingRequest& r = o.request;
  add_device_option(g.command, r.device)->group(g.name)->configurable(false);
  g.number("threads", r.threads, "worker threads", 1, 256)->configurable(false);
  g.number("max-steps", r.max_steps, "stop after this many steps of the run; 0: never", 0, many);
  g.number("save-every", r.save_every, "steps between checkpoints; 0: only when it validates, and at the end", 0,
           many);
  g.number("max-minutes", r.max_minutes, "stop after this many minutes; 0: never", 0, many);
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
  request.plan.optimiser.adam.update.clip = request.plan.optimiser.sgd.update.clip = 1;
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
  add_dropout({c, "Regularisation"}, o);
  add_plan({c, "Regularisation"}, o);
  add_plan({c, "Optimiser"}, o);
  add_control({c, "How long and on what (changes no weight)"}, o);
  add_screen({c, "Files and screen"}, o);
}

}  // namespace gradus
