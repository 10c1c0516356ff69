// The second half of train_options.hpp: turns the options of `gradus train` into a request.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "10_training/run/plan_fields.hpp"
#include "11_translator/storage/model_files.hpp"
#include "app/models/known_models.hpp"
#include "app/options/command_line.hpp"
#include "app/options/option_file.hpp"
#include "app/options/shared_options.hpp"
#include "app/options/train_options.hpp"
#include "app/options/train_settings.hpp"
#include "app/options/train_text.hpp"
#include "gradus/io/atomic_file.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

constexpr std::uint64_t longest_config = 1'000'000;  // bytes

/// When a run stops and how often it is saved. These decide nothing of its recipe.
constexpr const char* length_options[] = {"max-steps", "max-minutes", "save-every"};

/// Whether somebody gave these matters: only then a short mean is warned of, and a run that goes on must have this normalisation.
constexpr const char* noted_options[] = {"average-last", "normalise"};

/// An option that has a meaning only with a certain choice.
struct Condition {
  std::string option;
  bool holds;
  std::string complaint;  ///< the message that follows its name otherwise
};

std::vector<Condition> conditions(const CLI::App& c, const TrainOptions& o) {
  const TrainingRequest& r = o.request;
  const auto all_given = [&](std::initializer_list<const char*> names) {
    return std::all_of(names.begin(), names.end(), [&](const char* name) { return c.count(name) != 0; });
  };
  // with --dump-config the text may be named later
  const bool has_languages = !o.data.empty() || o.dump_config;
  std::vector<Condition> all = {
      {"min-frequency", r.tokenizer.kind == TokenizerKind::word && o.init_from.empty(),
       std::string("needs --tokenizer ") + name_of(TokenizerKind::word) + ", and no --init-from"},
      {"symbols", r.tokenizer.kind == TokenizerKind::sentencepiece && o.init_from.empty(),
       std::string("needs --tokenizer ") + name_of(TokenizerKind::sentencepiece) + ", and no --init-from"},
      {"attention-output-bias", r.model.attention_output_bias || !r.model.attention_bias,
       "cannot be off with --attention-bias, which gives each of the four maps its bias"},
      {"init-sigma", r.initialisation.weights == Initialisation::normal,
       std::string("is for --init ") + name_of(Initialisation::normal)},
      {"init-sigma", o.init_from.empty(), "and --init-from exclude each other"},
      {"average-last", !o.request.keep_best, "and --keep-best exclude each other"},
      {"init", o.init_from.empty(), "and --init-from exclude each other"},
      {"init-tables", o.init_from.empty(), "and --init-from exclude each other"},
      {"init-biases", o.init_from.empty(), "and --init-from exclude each other"},
      {"init-biases", r.initialisation.weights != Initialisation::pytorch,
       std::string("has no effect with --init ") + name_of(Initialisation::pytorch) + ", which draws biases too"},
      {"vocab-size", o.init_from.empty(), "and --init-from exclude each other: the vocabulary is the model's"},
      {"layers", !all_given({"--encoder-layers", "--decoder-layers"}),
       "has no effect with both --encoder-layers and --decoder-layers"},
      {"dropout",
       !all_given({"--embedding-dropout", "--attention-dropout", "--activation-dropout", "--residual-dropout"}),
       "has no effect with all four of its places given"},
      {"mix-share", !r.mix_source.empty(), "needs --mix-source and --mix-target"},
      {"source-lang", has_languages, "is for --data: files have no language in their names"},
      {"target-lang", has_languages, "is for --data: files have no language in their names"}};
  each_plan_field(r.plan, [&](const PlanField& f, const auto&) {
    if (f.has_option()) all.push_back({f.option, f.need.holds, f.need.complaint});
  });
  return all;
}

std::vector<std::string> meaningless(const CLI::App& c, const TrainOptions& o) {
  std::vector<std::string> names;
  for (const Condition& one : conditions(c, o)) {
    if (!one.holds) names.push_back(one.option);
  }
  if (o.data.empty()) {
    names.insert(names.end(), {"data", "source-lang", "target-lang"});
  } else {
    names.insert(names.end(), {"train-source", "train-target", "train", "valid-source", "valid-target", "valid"});
  }
  return names;
}

/// What options say of one optimiser is that of both.
void share_update(TrainOptions& o) { o.request.plan.optimiser.sgd.update = o.request.plan.optimiser.adam.update; }

void require_once(const CLI::App& c, const Settings& settings, const std::string& origin) {
  std::map<const CLI::Option*, std::string> seen;
  for (const auto& [name, value] : settings) {
    const CLI::Option* const option = c.get_option_no_throw("--" + name);
    const auto [before, is_new] = seen.emplace(option, name);
    if (option != nullptr && !is_new)
      throw UsageError(origin + ": " + before->second + " and " + name + " set the same choice; give one of them");
  }
}

/// Also the values that the command line overrules: a mistake in a file shows at its first use. Returns the options of the file that its
/// own choices leave without effect.
std::set<std::string> check(const Settings& settings, const std::string& origin) {
  CLI::App unused;
  TrainOptions values;
  add_train_options(unused, values);
  require_once(unused, settings, origin);
  apply(unused, settings, origin);
  if (const Preset* p = find_preset(values.preset))
    apply(unused, without_overruled(settings_of(*p), unused), origin);
  share_update(values);
  values.dump_config = values.train.empty() && values.train_source.empty();  // the text may be named later
  std::set<std::string> names;
  for (const Condition& condition : conditions(unused, values)) {
    if (!condition.holds) names.insert(condition.option);
  }
  std::set<std::string> idle;
  for (const auto& [name, value] : settings) {
    if (names.count(name) != 0) idle.insert(name);
  }
  return idle;
}

void resolve_vocabulary(const CLI::App& c, TrainOptions& o) {
  TokenizerOptions& t = o.request.tokenizer;
  const bool words = t.kind == TokenizerKind::word;
  if (words && c.count("--vocab-size") == 0) o.vocab_size = 0;  // all words
  if (o.vocab_size <= Specials::count && !(words && o.vocab_size == 0))
    throw UsageError("a --vocab-size of " + std::to_string(o.vocab_size) + " leaves no room beside the " +
                     std::to_string(Specials::count) + " special entries");
  t.vocab_size = o.vocab_size, t.min_frequency = o.min_frequency,
  t.rules = {o.lowercase, o.punctuation, o.normalise};
  o.request.normalises_like_run = c.count("--normalise") == 0;
  std::istringstream symbols(o.symbols);
  t.symbols.assign(std::istream_iterator<std::string>(symbols), {});
  o.request.joint_vocabulary = o.vocab == VocabularyChoice::joint;
  if (t.kind == TokenizerKind::imported && o.init_from.empty())
    throw UsageError("--tokenizer imported needs --init-from: such a vocabulary comes with a model");
}

void resolve_model(const CLI::App& c, TrainOptions& o) {
  const auto given_or = [&](const char* name, auto given, auto otherwise) {
    return c.count(name) != 0 ? given : otherwise;
  };
  ModelConfig& m = o.request.model;
  m.encoder_layers = given_or("--encoder-layers", o.encoder_layers, o.layers);
  m.decoder_layers = given_or("--decoder-layers", o.decoder_layers, o.layers);
  m.tying = !o.tied ? Tying::none : o.vocab == VocabularyChoice::joint ? Tying::all : Tying::output;
  m.embedding_rate = given_or("--embedding-dropout", o.embedding_dropout, o.dropout);
  m.attention_rate = given_or("--attention-dropout", o.attention_dropout, o.dropout / 2);
  m.activation_rate = given_or("--activation-dropout", o.activation_dropout, o.dropout);
  m.residual_rate = given_or("--residual-dropout", o.residual_dropout, o.dropout);
}

}  // namespace

void resolve_train_options(CLI::App& c, TrainOptions& o) {
  std::vector<const CLI::Option*> by_hand;
  for (const CLI::Option* option : c.get_options()) {
    if (option->count() != 0) by_hand.push_back(option);
  }
  std::set<std::string> idle;
  if (o.config == "-") throw UsageError("--config needs the name of a file; it does not read the standard input");
  if (!o.config.empty()) {
    const Settings settings = parse_settings(read_regular_file(o.config, longest_config), o.config);
    idle = check(settings, o.config);
    apply(c, without_overruled(settings, c), o.config);
  }
  o.request.init_from = o.init_from.empty() ? "" : model_folder(o.init_from);
  if (!o.init_from.empty()) {
    const ModelDescription initial = stored_description(o.request.init_from);
    apply(c, without_overruled(settings_of(initial), c), "--init-from");
    o.request.model.norm_epsilon = initial.config.norm_epsilon;  // it has no option
    o.request.init_languages = known_languages(o.request.init_from);
  }
  if (const Preset* p = find_preset(o.preset))
    apply(c, without_overruled(settings_of(*p), c), "--preset " + o.preset);
  share_update(o);
  for (const Condition& condition : conditions(c, o)) {
    if (condition.holds) continue;
    const bool named = std::any_of(by_hand.begin(), by_hand.end(), [&](const CLI::Option* option) {
      return option->get_single_name() == condition.option;
    });
    if (named) throw UsageError("--" + condition.option + " " + condition.complaint);
    if (idle.count(condition.option) != 0)
      o.warnings.push_back(o.config + ": " + condition.option + " has no effect: --" + condition.option + " " +
                           condition.complaint);
  }
  require_names(c);  // again, because a file of options may have some
  resolve_vocabulary(c, o);
  resolve_model(c, o);
  o.request.warmup_is_given = c.count("--warmup") != 0;
  o.request.average_is_given = c.count("--average-last") != 0;
  if (o.dump_config) return;  // it needs no text
  resolve_train_text(c, o);
  o.request.command = {"gradus", "train"};
  auto without = meaningless(c, o);
  without.emplace_back("output");
  without.insert(without.end(), std::begin(length_options), std::end(length_options));
  const auto words = given_words(c, without);
  o.request.command.insert(o.request.command.end(), words.begin(), words.end());
  // The run's folder is not part of the command: the same training writes the same report in any folder. The report
  // explains DIR.
  o.request.command.insert(o.request.command.end(), {"--output", "DIR"});
}

/// Leaves out three kinds of options: those that were not given and have no effect with the other choices; those whose default is another
/// choice than the same value, given; and, of two options that exclude each other, the one without effect. Keeps all others: they may have
/// an effect with the next command line's options.
std::string config_text(const CLI::App& c, const TrainOptions& o) {
  auto without = meaningless(c, o);
  const auto was_given = [&](const std::string& name) {
    return name != "batch-tokens" && name != "average-last" && c.count("--" + name) != 0;
  };
  without.erase(std::remove_if(without.begin(), without.end(), was_given), without.end());
  const auto leave_default = [&](const std::string& name) {
    if (c.count("--" + name) == 0) without.push_back(name);
  };
  std::for_each(std::begin(length_options), std::end(length_options), leave_default);
  std::for_each(std::begin(noted_options), std::end(noted_options), leave_default);
  if (o.request.tokenizer.kind == TokenizerKind::word) leave_default("vocab-size");
  return settings_text(c, without);
}

}  // namespace gradus
