#pragma once
/// \file
/// Options that several commands share.

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "11_translator/translator/translator.hpp"

namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI

namespace gradus {

/// The option for the model: a folder, or the name of a known model. `model` holds its folder when the command
/// runs.
CLI::Option* add_model_option(CLI::App& command, std::string& model, const std::string& name = "--model");

/// The option for several models: it may come several times, or have several values. `models` holds the default.
CLI::Option* add_models_option(CLI::App& command, std::vector<std::string>& models);

/// The path of an input: - is the standard input.
std::string standard_input(const std::string& given);

/// A file of sentences; - is the standard input.
CLI::Option* add_text_option(CLI::App& command, const std::string& name, std::string& path,
                             const std::string& text);

/// Several such files: the option may come several times, or have several values.
CLI::Option* add_text_options(CLI::App& command, const std::string& name, std::vector<std::string>& paths,
                              const std::string& text);

/// Throws UsageError if two options of a command, or one that comes twice, read the standard input or the same
/// pipe: only the first reader would get the data.
void require_one_reader(const CLI::App& command);

/// Checks that a word is one of `words`. Its description is the words in CLI11's form of a set: shell completion reads it
/// (command_tree.cpp).
CLI::Validator one_of(const std::vector<std::string>& words);

constexpr const char* is_no_number = " is not a number";

/// Checks that a value is a number in digits, such as 5, 0.5, .5, -5 or 5e-1, without a + or zeros before it, and that it lies in a
/// range, ends included. (CLI11 itself rejects a fraction where a whole number is wanted.)
std::function<std::string(const std::string&)> between(double least, double most);

/// The options of a translation that belong to these commands (translate_options.hpp).
void add_options_of(CLI::App& command, TranslateOptions& options, std::initializer_list<Commands> commands);

/// Those of the commands that search, and --threads.
void add_search_options(CLI::App& command, TranslateOptions& options);

/// --threads; the default is the number of processors that this process may use, or whose time it gets.
CLI::Option* add_threads_option(CLI::App& command, std::size_t& threads);

/// --device auto, cpu or cuda.
CLI::Option* add_device_option(CLI::App& command, DeviceChoice& device);

/// --int8.
CLI::Option* add_int8_option(CLI::App& command, SearchWeights& weights);

}  // namespace gradus
