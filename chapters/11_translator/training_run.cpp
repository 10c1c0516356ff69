#include "11_translator/training_run.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "11_translator/model_files.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/text/packed_file.hpp"
#include "gradus/text/subwords.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/sha256.hpp"

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;
using Dev = Cpu<float>;

void say(const TrainingListener& listener, const std::string& line) {
  if (listener.say) listener.say(line);
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

IdPairs encoded(const LinePairs& lines, const Subwords& subwords) {
  IdPairs pairs;
  for (const std::string& s : lines.source) pairs.source.push_back(subwords.encode(s));
  for (const std::string& t : lines.target) pairs.target.push_back(subwords.encode(t));
  return pairs;
}

/// Everything that decides the weights, as text: a checkpoint goes on only where this is the same.
std::string recipe_of(const TrainingRequest& r, const LinePairs& train, const LinePairs& valid,
                      const std::string& subwords) {
  const TrainingPlan& p = r.plan;
  const AdamOptions& a = p.optimiser.adam;
  return Json{{"model", Json::parse(to_json(r.model))},
              {"training data", sha256(joined(train.source) + joined(train.target))},
              {"validation data", sha256(joined(valid.source) + joined(valid.target))},
              {"subwords", sha256(subwords)},
              {"batch tokens", p.batches.tokens},
              {"batch sentences", p.batches.sentences},
              {"micro-batches", p.micro_batches},
              {"seed", p.seed},
              {"initialisation", static_cast<int>(r.initialisation.weights)},
              {"epochs", p.epochs},
              {"schedule", schedule_name(p.schedule.kind)},
              {"learning rate", p.schedule.peak},
              {"warmup", p.schedule.warmup},
              {"decay steps", p.schedule.decay_steps},
              {"label smoothing", p.smoothing},
              {"adam", {a.beta1, a.beta2, a.epsilon}},
              {"clip", a.update.clip},
              {"weight decay", a.update.weight_decay},
              {"validate every", p.valid_every},
              {"patience", p.patience},
              {"average last", p.average_last}}
      .dump();
}

/// The names of the choices in which two recipes differ: "seed, epochs".
std::string differences(const std::string& a, const std::string& b) {
  const Json x = Json::parse(a), y = Json::parse(b);
  std::string names;
  for (const auto& [key, value] : x.items()) {
    if (y.contains(key) && y.at(key) == value) continue;
    if (key == "model" && y.contains(key)) {
      for (const auto& [part, choice] : value.items()) {
        if (!y.at(key).contains(part) || y.at(key).at(part) != choice) names += (names.empty() ? "" : ", ") + part;
      }
      continue;
    }
    names += (names.empty() ? "" : ", ") + key;
  }
  return names.empty() ? "its version" : names;
}

std::vector<float> current_weights(Model<Dev>& model) {
  const auto flat = model.flat();
  return {flat.data, flat.data + flat.extent[0]};
}

/// The mean of the last validations' weights if there are any, else the weights as they are.
std::vector<float> final_weights(Model<Dev>& model, const RunFolder& folder, const TrainingPlan& plan,
                                 const TrainingState& state) {
  const std::uint32_t count = std::min(state.validations, plan.average_last);
  if (!state.finished || count == 0) return current_weights(model);
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < count; ++i) names.push_back("recent-" + std::to_string(i));
  return folder.average<float>(names, model.layout);
}

std::string formatted(const char* format, double a, double b) {
  char line[160];
  std::snprintf(line, sizeof line, format, a, b);
  return line;
}

}  // namespace

TrainingEnd train(const TrainingRequest& given, const TrainingListener& listener) {
  TrainingRequest r = given;
  const LinePairs train_lines = read_pairs(r.train_source, r.train_target, read_packed_file);
  const LinePairs valid_lines = read_pairs(r.valid_source, r.valid_target, read_packed_file);
  r.model.source_vocab = r.model.target_vocab = static_cast<std::size_t>(r.vocab_size);
  r.model.check();
  const RunFolder folder(r.output);

  say(listener, "learning " + std::to_string(r.vocab_size) + " subwords from " +
                    std::to_string(train_lines.source.size()) + " pairs");
  std::vector<std::string> sentences = train_lines.source;
  sentences.insert(sentences.end(), train_lines.target.begin(), train_lines.target.end());
  SubwordOptions subword_options;
  subword_options.vocab_size = r.vocab_size;
  const std::string subword_bytes = Subwords::train(sentences, subword_options);
  const Subwords subwords = Subwords::from_bytes(subword_bytes);

  const std::size_t longest =
      r.plan.batches.sentences != 0 ? r.model.max_length : std::min(r.model.max_length, r.plan.batches.tokens);
  std::size_t dropped = 0, dropped_valid = 0;
  const IdPairs pairs = without_too_long(encoded(train_lines, subwords), longest, dropped);
  const IdPairs valid = without_too_long(encoded(valid_lines, subwords), longest, dropped_valid);
  if (pairs.size() == 0)
    fail("no training pair is left: all are empty on one side or longer than " + std::to_string(longest) +
         " tokens");
  if (valid.size() == 0) fail("no validation pair is left: all are empty on one side or too long");
  if (dropped + dropped_valid != 0) {
    say(listener, "left out " + std::to_string(dropped) + " training and " + std::to_string(dropped_valid) +
                      " validation pairs: empty on one side or longer than " + std::to_string(longest) + " tokens");
  }

  const std::string recipe = recipe_of(r, train_lines, valid_lines, subword_bytes);
  if (folder.has_checkpoint() && folder.recipe() != recipe) {
    throw UsageError(r.output + " holds a run with other choices (" + differences(recipe, folder.recipe()) +
                     "); give another --output, or remove that folder");
  }

  Dev dev;
  Model<Dev> model(dev, r.model);
  r.initialisation.seed = r.plan.seed;
  initialise(dev, model.flat(), model.layout, r.initialisation);
  Workers workers(std::max<std::size_t>(1, r.threads));
  Trainer<Dev> trainer(model, pairs, r.plan, workers, folder, recipe);
  if (trainer.resume()) {
    if (trainer.state().finished) return TrainingEnd::already_finished;
    say(listener, "going on after step " + std::to_string(trainer.state().step));
  } else {
    say(listener, "training " + std::to_string(model.layout.size()) + " parameters on " +
                      std::to_string(pairs.size()) + " pairs");
  }

  const auto start = std::chrono::steady_clock::now();
  const std::uint32_t all_steps = trainer.all_steps();
  bool interrupted = false;
  TrainingControl control;
  control.max_steps = r.max_steps;
  control.save_every = r.save_every;
  control.on_step = [&](const StepReport& report) {
    if (listener.on_step) listener.on_step(report, all_steps);
  };
  control.should_stop = [&] {
    interrupted = listener.interrupted && listener.interrupted();
    const std::chrono::duration<double> used = std::chrono::steady_clock::now() - start;
    return interrupted || (r.max_minutes > 0 && used.count() > 60 * r.max_minutes);
  };
  control.validate = [&] { return -mean_loss(model, valid, r.plan.marks, workers); };
  control.on_validation = [&](const TrainingState& state, double score, bool is_best) {
    say(listener, "epoch " + std::to_string(state.epoch - 1) + ", step " + std::to_string(state.step) +
                      formatted(": validation loss %.4f, perplexity %.2f", -score, std::exp(-score)) +
                      (is_best ? " (best)" : ""));
  };
  const Outcome outcome = trainer.run(control);
  if (outcome == Outcome::failed) {
    say(listener, "the gradient of step " + std::to_string(trainer.state().step + 1) +
                      " is not finite; the last checkpoint is kept. A lower --learning-rate may help");
    return TrainingEnd::failed;
  }
  const Json notes{{"steps", trainer.state().step}, {"recipe", Json::parse(recipe)}};
  save_model(r.output,
             {r.model, final_weights(model, folder, r.plan, trainer.state()), subword_bytes, notes.dump()});
  say(listener, "the model is in " + r.output);
  if (outcome == Outcome::finished) return TrainingEnd::finished;
  return interrupted ? TrainingEnd::interrupted : TrainingEnd::stopped;
}

}  // namespace gradus
