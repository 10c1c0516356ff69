#pragma once
/// \file
/// Options that several commands have.

#include <string>

#include "11_translator/translator.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace gradus {

void add_model_option(CLI::App& command, std::string& model);

/// --beam-size, --length-penalty, --max-length and --threads.
void add_search_options(CLI::App& command, TranslateOptions& options);

/// --device auto, cpu or cuda.
CLI::Option* add_device_option(CLI::App& command, DeviceChoice& device);

}  // namespace gradus
