#include "11_translator/translator/device_choice.hpp"

#include "gradus/device/on_device.hpp"

namespace gradus {

const char* device_name(DeviceChoice wanted) { return takes_gpu(wanted) ? "cuda" : "cpu"; }

}  // namespace gradus
