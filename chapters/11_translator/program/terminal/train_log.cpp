#include "11_translator/program/terminal/train_log.hpp"

#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "11_translator/program/terminal/console.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/process.hpp"

namespace gradus {

using Json = nlohmann::ordered_json;

namespace {

/// The path without a slash at its end, so that two spellings compare equal.
std::filesystem::path folder_named(const std::string& path) {
  return (std::filesystem::absolute(path) / "").lexically_normal().parent_path();
}

/// Whether a file could be written here. Writes nothing. The run's own folder counts as existing.
bool is_writable(const std::string& path, const std::string& run) {
  std::error_code none;
  if (std::filesystem::is_directory(path, none)) return false;
  if (std::filesystem::exists(path, none)) return access(path.c_str(), W_OK) == 0;
  const std::filesystem::path folder = std::filesystem::absolute(path).lexically_normal().parent_path();
  if (!std::filesystem::exists(folder, none)) return folder == folder_named(run);
  return access(folder.c_str(), W_OK | X_OK) == 0;
}

}  // namespace

TrainLog::TrainLog(const std::string& path, const std::string& run) : path_(path) {
  if (path == "-") throw UsageError("--log-json needs a file, not -");
  if (!path.empty() && !is_writable(path, run)) fail(path + ": cannot be written");
}

/// A full disk ends only the log, not the training.
template <class Json>
void TrainLog::write(const Json& json) {
  if (path_.empty()) return;
  if (!file_.is_open()) file_.open(path_, std::ios::app | std::ios::binary);
  file_ << json.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
  if (file_) return;
  console().warn(path_ + ": cannot be written; the training continues without it");
  path_.clear();
}

void TrainLog::step(const StepReport& r, std::uint32_t all_steps) {
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start_;
  write(Json{{"event", "step"},
             {"step", r.step},
             {"of", all_steps},
             {"epoch", r.epoch},
             {"loss", r.loss},
             {"learning_rate", r.learning_rate},
             {"gradient_norm", r.gradient_norm},
             {"source_tokens", r.source_tokens},
             {"target_tokens", r.target_tokens},
             {"seconds", seconds.count()}});
}

void TrainLog::validation(const ValidationRecord& r, bool is_best) {
  Json samples = Json::array();
  for (const SampleTranslation& s : r.samples) {
    samples.push_back({{"source", s.source}, {"reference", s.reference}, {"translation", s.translation}});
  }
  write(Json{{"event", "validation"},
             {"step", r.step},
             {"epoch", r.epoch},
             {"loss", r.loss},
             {"bleu", r.bleu},
             {"best", is_best},
             {"samples", samples}});
}

void TrainLog::end(const std::string& how) {
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start_;
  write(Json{{"event", "end"}, {"how", how}, {"seconds", seconds.count()}, {"peak_memory_bytes", peak_memory()}});
}

void TrainLog::failed() {
  if (file_.is_open()) end("failed");
}

}  // namespace gradus
