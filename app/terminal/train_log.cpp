#include "app/terminal/train_log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/terminal/console.hpp"
#include "gradus/io/own_file.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/process.hpp"

namespace gradus {

using Json = nlohmann::ordered_json;

namespace {

/// The path without a slash at its end, so that two spellings compare equal.
std::filesystem::path folder_named(const std::string& path) {
  return (std::filesystem::absolute(path) / "").lexically_normal().parent_path();
}

/// Why no file could be written here, as a number of errno, or 0. Writes nothing. The run's own folder counts as existing.
int obstacle(const std::string& path, const std::string& run) {
  std::error_code status;
  if (std::filesystem::is_directory(path, status)) return EISDIR;
  if (std::filesystem::exists(path, status)) return access(path.c_str(), W_OK) == 0 ? 0 : errno;
  if (status) return status.value();
  const std::filesystem::path folder = std::filesystem::absolute(path).lexically_normal().parent_path();
  if (!std::filesystem::exists(folder, status)) return folder == folder_named(run) ? 0 : ENOENT;
  return access(folder.c_str(), W_OK | X_OK) == 0 ? 0 : errno;
}

/// Opens a pipe only if somebody reads there; else the training would wait.
Descriptor open_log(const std::string& path, const std::vector<std::string>& folders) {
  if (links_at(path, folders) == Links::refuse) return open_own_file(path, true);
  Descriptor file(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0666);
  if (!file || ::fcntl(file.get(), F_SETFL, O_APPEND) != 0) fail_system("write", path);
  return file;
}

}  // namespace

TrainLog::TrainLog(const std::string& path, const std::vector<std::string>& folders)
    : path_(path), folders_(folders) {
  if (path == "-") throw UsageError("--log-json needs a file, not -");
  if (path.empty()) return;
  if (const int reason = obstacle(path, folders.front()); reason != 0)
    fail(path + ": cannot be written: " + std::generic_category().message(reason));
  if (links_at(path, folders) == Links::refuse) check_own_file(path);
  check_replaceable(path, "{\"event\":", "log of a training");
}

/// A full disk ends only the log, not the training.
template <class Json>
void TrainLog::write(const Json& json) {
  if (path_.empty()) return;
  try {
    if (!file_) file_.emplace(open_log(path_, folders_));
    if (!write_all(file_->get(), json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"))
      fail_system("write", path_);
  } catch (const Error& error) {
    console().warn(std::string(error.what()) + "; the training continues without it");
    path_.clear();
  }
}

void TrainLog::begin() { start_ = std::chrono::steady_clock::now(); }

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
  if (file_) end("failed");
}

}  // namespace gradus
