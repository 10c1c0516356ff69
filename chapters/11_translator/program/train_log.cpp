#include "11_translator/program/train_log.hpp"

#include <nlohmann/json.hpp>

#include "11_translator/program/console.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/peak_memory.hpp"

namespace gradus {

using Json = nlohmann::ordered_json;

TrainLog::TrainLog(const std::string& path) : path_(path) {
  if (path.empty()) return;
  file_.open(path, std::ios::app | std::ios::binary);
  if (!file_) fail(path + ": cannot be written");
}

/// A full disk must not end a training: it only ends the log.
template <class Json>
void TrainLog::write(const Json& json) {
  if (!file_.is_open()) return;
  file_ << json.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
  if (file_) return;
  console().warn(path_ + ": cannot be written any more; the training goes on without it");
  file_.close();
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

}  // namespace gradus
