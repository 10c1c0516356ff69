#include "11_translator/translator/device_choice.hpp"

#include "gradus/device/on_device.hpp"

namespace gradus {

DeviceChoice device_taken(DeviceChoice wanted) {
  return takes_gpu(wanted) ? DeviceChoice::cuda : DeviceChoice::cpu;
}

}  // namespace gradus
