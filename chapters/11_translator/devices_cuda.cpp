#include <mutex>

#include "11_translator/device_choice.hpp"
#include "11_translator/engine_on.hpp"
#include "11_translator/training/run_in_progress.hpp"
#include "gradus/device/device.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

/// Whether to compute on a GPU.
bool on_gpu(DeviceChoice wanted) {
  if (wanted == DeviceChoice::cpu) return false;
  const std::string missing = gpu::what_is_missing();
  if (!missing.empty() && wanted == DeviceChoice::cuda) throw UsageError("--device cuda: " + missing);
  return missing.empty();
}

/// All engines share the GPU's one stream, so threads that ask them take turns.
std::unique_lock<std::mutex> turn() {
  static std::mutex one;
  return std::unique_lock<std::mutex>(one);
}

/// Notes on every operation are taken on the processor, whose memory can be read while a model computes.
class GpuEngine final : public EngineOn<Cuda<float>> {
 public:
  explicit GpuEngine(const ModelFiles& files) : EngineOn<Cuda<float>>(files), files_(files) {}

  std::vector<std::vector<TranslatedText>> translate(const std::vector<std::string>& sentences,
                                                     const TranslateOptions& options) const override {
    const auto mine = turn();
    return EngineOn<Cuda<float>>::translate(sentences, options);
  }
  AttentionRecord attention(const std::string& sentence, const TranslateOptions& options) const override {
    const auto mine = turn();
    return EngineOn<Cuda<float>>::attention(sentence, options);
  }
  TeacherForced teacher_forced(const std::vector<std::string>& sources, const std::vector<std::string>& references,
                               std::size_t threads) const override {
    const auto mine = turn();
    return EngineOn<Cuda<float>>::teacher_forced(sources, references, threads);
  }
  Explanation explain(const std::string& sentence, const TranslateOptions& options) const override {
    return ExplainingEngine<Cpu<float>>(files_).explain(sentence, options);
  }

 private:
  ModelFiles files_;
};

}  // namespace

const char* device_name(DeviceChoice wanted) { return on_gpu(wanted) ? "cuda" : "cpu"; }

std::shared_ptr<const TranslatorEngine> make_engine(DeviceChoice wanted, const ModelFiles& files) {
  if (on_gpu(wanted)) {
    const auto mine = turn();
    return std::make_shared<const GpuEngine>(files);
  }
  return std::make_shared<const ExplainingEngine<Cpu<float>>>(files);
}

TrainingEnd train_on(DeviceChoice wanted, const TrainingRequest& request, const TrainingData& data,
                     const TrainingListener& listener, const RunFolder& folder, const std::string& recipe) {
  if (on_gpu(wanted)) return RunInProgress<Cuda<float>>(request, data, listener, folder, recipe).run();
  return RunInProgress<Cpu<float>>(request, data, listener, folder, recipe).run();
}

}  // namespace gradus
