#include "11_translator/translator/translator_engine.hpp"

#include "11_translator/translator/engine_on.hpp"
#include "gradus/device/on_device.hpp"

namespace gradus {

DeviceChoice device_taken(DeviceChoice wanted) {
  return takes_gpu(wanted) ? DeviceChoice::cuda : DeviceChoice::cpu;
}

std::shared_ptr<const TranslatorEngine> make_engine(DeviceChoice wanted, const ModelFiles& files,
                                                    SearchWeights weights) {
  if (weights == SearchWeights::int8 && device_taken(wanted) == DeviceChoice::cuda)
    throw UsageError("weights of 8 bits need a processor: take --device cpu with --int8");
  return on_device(wanted, [&](auto type) -> std::shared_ptr<const TranslatorEngine> {
    return std::make_shared<const EngineOn<typename decltype(type)::Dev>>(files, weights);
  });
}

}  // namespace gradus
