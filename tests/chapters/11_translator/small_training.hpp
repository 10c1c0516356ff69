#pragma once
/// \file
/// A training of whole words on the toy corpus, for tests that read its folder.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "09_transformer/model.hpp"
#include "10_training/run/checkpoint.hpp"
#include "11_translator/storage/model_files.hpp"
#include "11_translator/training/training_run.hpp"
#include "app/report/run_report.hpp"
#include "chapters/11_translator/program.hpp"
#include "gradus/device/device.hpp"

namespace gradus::test {

/// No subwords to learn, a few hundred steps a second.
inline TrainingRequest small(const std::string& output) {
  const std::string toy = std::string(GRADUS_CHAPTERS) + "/11_translator/toy/";
  TrainingRequest r;
  r.train_source = toy + "train.en", r.train_target = toy + "train.de";
  r.valid_source = toy + "valid.en", r.valid_target = toy + "valid.de";
  r.output = output;
  r.tokenizer = {TokenizerKind::word, 0, 1, {}};
  r.joint_vocabulary = false;
  r.model.d_model = 8, r.model.heads = 2, r.model.ffn = 8;
  r.model.encoder_layers = r.model.decoder_layers = 1;
  r.model.tying = Tying::output;
  r.plan.epochs = 2;
  r.plan.batches.tokens = 300;
  r.plan.schedule = {ScheduleKind::linear, 5e-3, 5};
  r.plan.optimiser.adam.update.clip = 1;
  r.command = {"gradus", "train"};
  return r;
}

/// Writes the report, as `gradus train` does, and is silent.
inline TrainingListener with_report() {
  TrainingListener listener;
  listener.on_finished = [](const StoredRun& run, DeviceChoice device) { write_report(run, device); };
  return listener;
}

/// Trains without a listener.
inline TrainingEnd train_result(const TrainingRequest& request) { return train(request, {}); }

/// Trains with the seeds 1, 2, ... until the mean of the last validations is kept, and returns the request of that run.
/// At such a rate chance decides which seed it is, and so does the processor's rounding.
inline TrainingRequest trained_until_the_mean_is_kept(TrainingRequest r, const TrainingListener& listener = {}) {
  r.plan.epochs = 12;
  r.plan.schedule = {ScheduleKind::constant, 0.1, 0};
  for (r.plan.seed = 1; r.plan.seed <= 30; ++r.plan.seed) {
    REQUIRE(train(r, listener) == TrainingEnd::finished);
    const auto metadata = nlohmann::json::parse(load_model(r.output).metadata);
    r.overwrite = false;
    if (metadata.at("weights").get<std::string>().rfind("mean of the last", 0) == 0) return r;
    r.overwrite = true;
  }
  FAIL("no seed of 30 keeps the mean");
  return r;
}

/// A report without its section on time and machine, the only one that differs between equal runs.
inline std::string without_machine(const std::string& report) {
  const std::string begin = "<section class=\"machine\">", end = "</section>\n";
  const auto at = report.find(begin);
  REQUIRE(at != std::string::npos);
  REQUIRE(report.find(begin, at + 1) == std::string::npos);
  return report.substr(0, at) + report.substr(report.find(end, at) + end.size());
}

/// The weights in a file of the run in `folder`, whose model is there too.
inline std::vector<float> stored_weights(const std::string& folder, const std::string& name) {
  return load_weights<float>(folder + "/" + name, transformer_layout<Cpu<float>>(load_model(folder).config));
}

}  // namespace gradus::test
