#include "app/options/shared_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>

#include "app/models/known_models.hpp"
#include "gradus/ranks/launcher.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

constexpr const char* text_note = " (.gz too; -: standard input)";

/// The name of an input that can be read only once: "the standard input", or the path of a pipe; empty for a file.
std::string stream_of(const std::string& path) {
  if (path == "/dev/stdin" || path == "/dev/fd/0" || path == "/proc/self/fd/0") return "the standard input";
  std::error_code none;
  return std::filesystem::is_fifo(path, none) ? path : "";
}

/// For each_option: adds the options of these commands.
struct OptionAdder {
  CLI::App& command;
  std::initializer_list<Commands> commands;

  template <class Value>
  void option(Value& value, const TranslateOption& text) const {
    if (std::find(commands.begin(), commands.end(), text.commands) == commands.end()) return;
    command.add_option("--" + std::string(text.name), value, text.help)
        ->check(between(text.least, text.most))
        ->capture_default_str();
  }
  void flag(bool&, const char*) const {}
};

}  // namespace

CLI::Option* add_model_option(CLI::App& command, std::string& model, const std::string& name) {
  return command.add_option(name, model, "folder of a model, or a name that gradus models lists")
      ->transform(model_folder, "", "")
      ->type_name("MODEL")
      ->default_str("en-de");
}

CLI::Option* add_models_option(CLI::App& command, std::vector<std::string>& models) {
  return command.add_option("--model", models, "folders of models, or names that gradus models lists")
      ->transform(model_folder, "", "")
      ->type_name("MODEL")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->default_str("en-de de-en");
}

std::string standard_input(const std::string& given) { return given == "-" ? "/dev/stdin" : given; }

CLI::Option* add_text_option(CLI::App& command, const std::string& name, std::string& path,
                             const std::string& text) {
  return command.add_option(name, path, text + text_note)->transform(standard_input, "", "")->type_name("FILE");
}

CLI::Option* add_text_options(CLI::App& command, const std::string& name, std::vector<std::string>& paths,
                              const std::string& text) {
  return command.add_option(name, paths, text + text_note)
      ->transform(standard_input, "", "")
      ->type_name("FILE")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void require_one_reader(const CLI::App& command) {
  std::vector<std::pair<std::string, std::string>> readers;  // (stream, option)
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0 || option->get_positional()) continue;
    for (const std::string& path : option->reduced_results()) {
      const std::string stream = stream_of(path), name = "--" + option->get_single_name();
      if (stream.empty()) continue;
      for (const auto& [other, reader] : readers) {
        if (other != stream) continue;
        const std::string who = reader == name ? name + " reads " + stream + " twice"
                                               : reader + " and " + name + " both read " + stream;
        throw UsageError(who + ", but it can be read only once; name a file instead");
      }
      readers.emplace_back(stream, name);
    }
  }
}

CLI::Validator one_of(const std::vector<std::string>& words) {
  return {[words](std::string& text) -> std::string {
            if (std::find(words.begin(), words.end(), text) != words.end()) return "";
            return "'" + text + "' is none of: " + CLI::detail::join(words, ", ");
          },
          "{" + CLI::detail::join(words) + "}"};
}

namespace {

/// "between 1 and 7". A bound beside 0 or 1 only shuts these out.
std::string range_of(double least, double most) {
  const bool above_0 = least > 0 && least < 1e-9, below_1 = most < 1 && most > 1 - 1e-5;
  const auto text = [](double bound) {
    std::ostringstream number;
    number.precision(10);  // 1000000000, not 1e+09
    number << bound;
    return number.str();
  };
  const std::string first = text(least), last = text(most);
  if (!above_0 && !below_1) return "between " + first + " and " + last;
  return (above_0 ? "above 0" : "at least " + first) + " and " + (below_1 ? "below 1" : "at most " + last);
}

/// CLI11 also reads " 5", "+5", 0x5, nan, and 010 as eight.
bool is_decimal(const std::string& text) {
  char* end = nullptr;  // libc++ has no std::from_chars for double
  std::strtod(text.c_str(), &end);
  const bool is_whole = !text.empty() && end == text.c_str() + text.size();
  const std::size_t first = text[0] == '-' ? 1 : 0;
  const bool has_zero_before = text[first] == '0' && text[first + 1] >= '0' && text[first + 1] <= '9';
  const bool is_in_digits = text.find_first_not_of("0123456789.eE+-") == text.npos;
  return is_whole && is_in_digits && text[first] != '+' && !has_zero_before;
}

}  // namespace

std::function<std::string(const std::string&)> between(double least, double most) {
  return [least, most](const std::string& text) -> std::string {
    double value = 0;
    if (text.empty()) return "expected a number, but the value is empty";  // CLI11 would read it as 0
    if (!is_decimal(text)) return text + is_no_number;
    if (CLI::detail::lexical_cast(text, value) && value >= least && value <= most) return "";
    return text + " is not " + range_of(least, most);
  };
}

void add_options_of(CLI::App& command, TranslateOptions& o, std::initializer_list<Commands> commands) {
  each_option(o, OptionAdder{command, commands});
}

void add_search_options(CLI::App& command, TranslateOptions& o) {
  add_options_of(command, o, {Commands::searches, Commands::searches_and_serve});
  add_threads_option(command, o.threads);
}

CLI::Option* add_threads_option(CLI::App& command, std::size_t& threads) {
  threads = own_threads();
  return command.add_option("--threads", threads, "worker threads")->check(between(1, 256))->capture_default_str();
}

CLI::Option* add_device_option(CLI::App& command, DeviceChoice& device) {
  const auto take = [&device](const std::string& word) { device = parse<DeviceChoice>(word); };
  const std::string text = std::string(name_of(DeviceChoice::automatic)) + " (a GPU, if there is one), " +
                           name_of(DeviceChoice::cpu) + " or " + name_of(DeviceChoice::cuda);
  return command.add_option_function<std::string>("--device", take, text)
      ->check(one_of(all_names<DeviceChoice>()))
      ->type_name("WORD")
      ->default_str(name_of(DeviceChoice::automatic));
}

CLI::Option* add_int8_option(CLI::App& command, SearchWeights& weights) {
  return command.add_flag_callback(
      "--int8", [&weights] { weights = SearchWeights::int8; },
      "translate with weights of 8 bits: faster, and slightly less exact; on a processor");
}

}  // namespace gradus
