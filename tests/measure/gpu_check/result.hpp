#pragma once
/// \file
/// The result file: JSON, written without a library, because gpu_check links none.

#include <string>
#include <utility>
#include <vector>

namespace gradus::test {

std::string json(double number);  ///< six digits; null for numbers that are not finite
std::string json(bool truth);
std::string json(const std::string& text);
inline std::string json(const char* text) { return json(std::string(text)); }

using Members = std::vector<std::pair<std::string, std::string>>;  ///< name, JSON

std::string json(const Members& members);                   ///< an object, a member on each line
std::string json_line(const Members& members);              ///< the same on one line
std::string json_line(const std::vector<double>& numbers);  ///< a list

/// gpu::device_text(), asked once: after a kernel's fault CUDA answers nothing.
const std::string& device_name();

/// Writes the device, today's date, the section `name`, and the hash of every kernel source of this build. A process that is killed
/// meanwhile leaves the file as it was. tests/measure/gpu_check/gpu_result.py joins the parts of one result. Throws Error if the file cannot be
/// written.
void write_result(const std::string& path, const std::string& name, const std::string& section);

}  // namespace gradus::test
