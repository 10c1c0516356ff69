#pragma once
/// \file
/// Options that several commands have.

#include <functional>
#include <string>
#include <vector>

#include "11_translator/translator/translator.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace gradus {

/// Of which model: a folder, or the name of a bundled one, in whose place stands its folder when the command runs.
CLI::Option* add_model_option(CLI::App& command, std::string& model, const std::string& name = "--model");

/// Of which models: the option may come several times, or name several. `models` holds those by default.
CLI::Option* add_models_option(CLI::App& command, std::vector<std::string>& models);

/// A file of sentences; - is the standard input.
CLI::Option* add_text_option(CLI::App& command, const std::string& name, std::string& path,
                             const std::string& text);

/// Several such files: the option may come several times, or name several.
CLI::Option* add_text_options(CLI::App& command, const std::string& name, std::vector<std::string>& paths,
                              const std::string& text);

/// Throws UsageError if two options of a command, or one that comes twice, read the standard input or the same pipe: what the
/// first reads, the second cannot.
void require_one_reader(const CLI::App& command);

/// A check that a number lies in a range, its ends included; NaN lies in none. (What is no number at all, CLI11 refuses.)
std::function<std::string(const std::string&)> between(double least, double most);

/// --beam-size, --length-penalty, --max-length and --threads.
void add_search_options(CLI::App& command, TranslateOptions& options);

/// --threads, by itself as many as the machine has.
CLI::Option* add_threads_option(CLI::App& command, std::size_t& threads);

/// --device auto, cpu or cuda.
CLI::Option* add_device_option(CLI::App& command, DeviceChoice& device);

}  // namespace gradus
