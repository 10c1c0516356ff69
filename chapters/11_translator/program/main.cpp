/// \file
/// gradus: trains a translator, translates with it, scores translations. Only options are here.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <thread>

#include "11_translator/program/commands.hpp"
#include "gradus/ops/blas_core.hpp"
#include "gradus/util/error.hpp"

namespace {

using namespace gradus;

/// What --preset sets; options given by hand win, whatever their place.
struct Preset {
  std::uint32_t epochs, warmup;
  std::size_t d_model, ffn, layers, heads;
  int vocab_size;
  double peak, dropout;
};
const std::map<std::string, Preset> presets = {
    {"base", {16, 1000, 128, 512, 4, 4, 6000, 4e-3, 0.2}},  // the bundled model's
    {"quick", {8, 400, 128, 256, 2, 4, 4000, 5e-3, 0.1}},   // usable after about five minutes on two cores
};

struct TrainOptions {
  TrainingRequest request;
  std::string preset = "base", norm = "pre", schedule = "linear";
  double dropout = 0, attention_dropout = -1;
  std::size_t layers = 4;
};

CLI::App* add_train(CLI::App& app, TrainOptions& o) {
  CLI::App* c =
      app.add_subcommand("train", "train a translator on parallel text; the same command goes on with a run");
  TrainingRequest& r = o.request;
  c->add_option("--train-source", r.train_source, "training sentences, one a line (.gz too)")->required();
  c->add_option("--train-target", r.train_target, "their translations, line by line")->required();
  c->add_option("--valid-source", r.valid_source, "validation sentences")->required();
  c->add_option("--valid-target", r.valid_target, "their translations")->required();
  c->add_option("--output", r.output, "folder for the run and its model")->required();
  c->add_option("--preset", o.preset, "base: the bundled model's recipe; quick: about five minutes on two cores")
      ->check(CLI::IsMember({"base", "quick"}))
      ->capture_default_str();
  auto* model = c->add_option_group("model");
  model->add_option("--vocab-size", r.vocab_size, "subwords, both languages together")
      ->check(CLI::Range(5, 1000000));
  model->add_option("--d-model", r.model.d_model, "width D, even");
  model->add_option("--heads", r.model.heads, "attention heads, a divisor of D");
  model->add_option("--layers", o.layers, "layers of encoder and of decoder");
  model->add_option("--ffn", r.model.ffn, "inner width of the feed-forward network");
  model->add_option("--norm", o.norm, "where the layer norm stands")
      ->check(CLI::IsMember({"pre", "post"}))
      ->capture_default_str();
  model->add_option("--dropout", o.dropout, "on embeddings, activations and sublayers")
      ->check(CLI::Range(0.0, 0.99));
  model->add_option("--attention-dropout", o.attention_dropout, "on attention weights [half of --dropout]")
      ->check(CLI::Range(0.0, 0.99));
  auto* plan = c->add_option_group("training");
  plan->add_option("--epochs", r.plan.epochs, "passes over the training pairs; schedules span them")
      ->check(CLI::Range(1, 1000000));
  plan->add_option("--batch-tokens", r.plan.batches.tokens, "at most so many source and target tokens a step")
      ->check(CLI::Range(8, 10000000))
      ->capture_default_str();
  plan->add_option("--learning-rate", r.plan.schedule.peak, "at the end of the warm-up")
      ->check(CLI::PositiveNumber);
  plan->add_option("--warmup", r.plan.schedule.warmup, "steps");
  plan->add_option("--schedule", o.schedule, "constant, inverse-sqrt, linear, cosine or plateau")
      ->capture_default_str();
  plan->add_option("--label-smoothing", r.plan.smoothing, "")->check(CLI::Range(0.0, 0.99))->capture_default_str();
  plan->add_option("--clip", r.plan.optimiser.adam.update.clip, "largest norm of the gradient; 0: none")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  plan->add_option("--patience", r.plan.patience, "validations without improvement before it ends; 0: never")
      ->capture_default_str();
  plan->add_option("--average-last", r.plan.average_last, "validations whose weights are averaged at the end")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  plan->add_option("--seed", r.plan.seed, "of every random draw")->capture_default_str();
  auto* control = c->add_option_group("control", "how long and on what: nothing here changes a weight");
  control->add_option("--threads", r.threads, "worker threads")->check(CLI::Range(1, 256))->capture_default_str();
  control->add_option("--max-steps", r.max_steps, "stop after so many steps of the run; 0: no limit");
  control->add_option("--max-minutes", r.max_minutes, "stop after so many minutes of this call; 0: no limit")
      ->check(CLI::NonNegativeNumber);
  return c;
}

/// Takes from the preset what was not given by hand.
void apply_preset(const CLI::App& c, TrainOptions& o) {
  const Preset& p = presets.at(o.preset);
  TrainingRequest& r = o.request;
  const auto missing = [&](const char* name) { return c.count(name) == 0; };
  if (missing("--epochs")) r.plan.epochs = p.epochs;
  if (missing("--warmup")) r.plan.schedule.warmup = p.warmup;
  if (missing("--learning-rate")) r.plan.schedule.peak = p.peak;
  if (missing("--d-model")) r.model.d_model = p.d_model;
  if (missing("--ffn")) r.model.ffn = p.ffn;
  if (missing("--heads")) r.model.heads = p.heads;
  if (missing("--layers")) o.layers = p.layers;
  if (missing("--vocab-size")) r.vocab_size = p.vocab_size;
  if (missing("--dropout")) o.dropout = p.dropout;
}

int train_command(const CLI::App& c, TrainOptions& o) {
  apply_preset(c, o);
  TrainingRequest& r = o.request;
  ModelConfig& m = r.model;
  m.encoder_layers = m.decoder_layers = o.layers;
  m.norm = o.norm == "pre" ? Norm::pre : Norm::post;
  m.tying = Tying::all;
  m.embedding_rate = m.activation_rate = m.residual_rate = o.dropout;
  m.attention_rate = o.attention_dropout < 0 ? o.dropout / 2 : o.attention_dropout;
  r.plan.schedule.kind = schedule_kind(o.schedule);
  return run_train(r);
}

CLI::App* add_translate(CLI::App& app, TranslateRequest& r) {
  CLI::App* c =
      app.add_subcommand("translate", "translate sentences: arguments, a file, or lines of the standard input");
  c->add_option("sentence", r.sentences, "sentences to translate")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  c->add_option("--input", r.input, "file with one sentence a line (.gz too)");
  c->add_option("--output", r.output, "file for the translations [standard output]");
  c->add_option("--model", r.model, "folder of a model")->capture_default_str();
  c->add_option("--beam-size", r.options.beam_size, "width of the search; 1 is greedy")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  c->add_option("--length-penalty", r.options.length_penalty, "0 favours short translations")
      ->capture_default_str();
  c->add_option("--threads", r.options.threads, "worker threads")->check(CLI::Range(1, 256))->capture_default_str();
  c->add_flag("--attention", r.attention, "draw which words each translated word looked at");
  return c;
}

CLI::App* add_score(CLI::App& app, ScoreRequest& r) {
  CLI::App* c = app.add_subcommand("score", "BLEU and chrF2 of translations against references");
  c->add_option("--hypotheses", r.hypotheses, "translations, one a line")->required();
  c->add_option("--references", r.references, "references, one a line")->required();
  c->add_flag("--lowercase", r.lowercase, "ignore case in BLEU");
  return c;
}

int run(int argc, char** argv) {
  CLI::App app(
      "gradus: the Transformer, step by step. The bundled model translates English photo captions into German.");
  app.name("gradus");
  app.set_version_flag("--version", [] { return build_information(); });
  app.require_subcommand(1);
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);  // subcommands inherit it
  TrainOptions train;
  train.request.threads = std::max(1U, std::thread::hardware_concurrency());
  train.request.plan.batches.tokens = 2048;
  train.request.plan.average_last = 2;
  train.request.plan.optimiser.adam.update.clip = 1;
  TranslateRequest translate;
  translate.model = GRADUS_MODEL;
  translate.options.threads = train.request.threads;
  ScoreRequest score;
  CLI::App* const train_app = add_train(app, train);
  CLI::App* const translate_app = add_translate(app, translate);
  CLI::App* const score_app = add_score(app, score);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version
    std::fprintf(stderr, "gradus: %s (gradus --help lists what there is)\n", error.what());
    return 2;
  }
  if (train_app->parsed()) return train_command(*train_app, train);
  if (translate_app->parsed()) return run_translate(translate);
  return score_app->parsed() ? run_score(score) : 2;
}

}  // namespace

int main(int argc, char** argv) {
  prefer_better_blas_core(argv);
  try {
    return run(argc, argv);
  } catch (const UsageError& error) {
    std::fprintf(stderr, "gradus: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gradus: %s\n", error.what());
    return 1;
  }
}
