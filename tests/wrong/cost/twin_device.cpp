// The translator on a wrong twin of the processor: what `train_on.cpp` and `translator_engine.cpp` define, for a device with one
// known mistake. CMake says which: GRADUS_TWIN, and GRADUS_TWIN_HEADER with its definition. It trains and translates with it.

#include GRADUS_TWIN_HEADER

#include "11_translator/training/run_in_progress.hpp"
#include "11_translator/training/train_on.hpp"
#include "11_translator/translator/engine_on.hpp"
#include "11_translator/translator/translator_engine.hpp"
#include "wrong/cost/decoding.hpp"

namespace gradus {

using Twin = wrong::GRADUS_TWIN<Cpu<float>>;

TrainingEnd train_on(DeviceChoice, const TrainingRequest& request, const TrainingData& data,
                     const TrainingListener& listener, const std::optional<RunFolder>& folder,
                     const std::string& recipe, Ranks& ranks) {
  return RunInProgress<Twin>(request, data, listener, folder, recipe, ranks).run();
}

DeviceChoice device_taken(DeviceChoice) { return DeviceChoice::cpu; }

std::shared_ptr<const TranslatorEngine> make_engine(DeviceChoice, const ModelFiles& files, SearchWeights) {
  return std::make_shared<const EngineOn<Twin>>(files);
}

}  // namespace gradus
