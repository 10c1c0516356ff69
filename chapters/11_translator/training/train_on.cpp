#include "11_translator/training/train_on.hpp"

#include "11_translator/training/run_in_progress.hpp"
#include "gradus/device/on_device.hpp"
#include "gradus/ranks/gpu_link.hpp"

namespace gradus {

TrainingEnd train_on(DeviceChoice wanted, const TrainingRequest& request, const TrainingData& data,
                     const TrainingListener& listener, const std::optional<RunFolder>& folder,
                     const std::string& recipe, Ranks& ranks) {
  return on_device(wanted, [&](auto type) {
    using Dev = typename decltype(type)::Dev;
    const LinkedGpus<Dev> linked(ranks);
    return RunInProgress<Dev>(request, data, listener, folder, recipe, ranks).run();
  });
}

}  // namespace gradus
