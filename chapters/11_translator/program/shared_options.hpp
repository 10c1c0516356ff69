#pragma once
/// \file
/// Options that several commands have.

#include <functional>
#include <string>

#include "11_translator/translator.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace gradus {

/// Of which model: a folder, or the name of a bundled one, in whose place stands its folder when the command runs.
CLI::Option* add_model_option(CLI::App& command, std::string& model, const std::string& name = "--model");

/// A file of sentences; - is the standard input.
CLI::Option* add_text_option(CLI::App& command, const std::string& name, std::string& path,
                             const std::string& text);

/// A check that a number lies in a range, its ends included; NaN lies in none. (What is no number at all, CLI11 refuses.)
std::function<std::string(const std::string&)> between(double least, double most);

/// --beam-size, --length-penalty, --max-length and --threads.
void add_search_options(CLI::App& command, TranslateOptions& options);

/// --device auto, cpu or cuda.
CLI::Option* add_device_option(CLI::App& command, DeviceChoice& device);

}  // namespace gradus
