#include "11_translator/device_choice.hpp"
#include "11_translator/engine_on.hpp"
#include "11_translator/training/run_in_progress.hpp"
#include "gradus/device/device.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

void refuse_cuda(DeviceChoice wanted) {
  if (wanted == DeviceChoice::cuda) {
    throw UsageError(
        "this program was built without CUDA; `make cuda` builds one with it, on a machine that has nvcc");
  }
}

}  // namespace

const char* device_name(DeviceChoice wanted) {
  refuse_cuda(wanted);
  return "cpu";
}

std::shared_ptr<const TranslatorEngine> make_engine(DeviceChoice wanted, const ModelFiles& files) {
  refuse_cuda(wanted);
  return std::make_shared<const ExplainingEngine<Cpu<float>>>(files);
}

TrainingEnd train_on(DeviceChoice wanted, const TrainingRequest& request, const TrainingData& data,
                     const TrainingListener& listener, const RunFolder& folder, const std::string& recipe) {
  refuse_cuda(wanted);
  return RunInProgress<Cpu<float>>(request, data, listener, folder, recipe).run();
}

}  // namespace gradus
