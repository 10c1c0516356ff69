#include "11_translator/program/shared_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>

#include "11_translator/program/bundled.hpp"

namespace gradus {

CLI::Option* add_model_option(CLI::App& command, std::string& model, const std::string& name) {
  return command.add_option(name, model, "folder of a model, or a bundled one: en-de or de-en")
      ->transform(model_folder, "", "")
      ->default_str("en-de");
}

CLI::Option* add_text_option(CLI::App& command, const std::string& name, std::string& path,
                             const std::string& text) {
  const auto standard_input = [](const std::string& given) { return given == "-" ? "/dev/stdin" : given; };
  return command.add_option(name, path, text + " (.gz too; -: standard input)")->transform(standard_input, "", "");
}

std::function<std::string(const std::string&)> between(double least, double most) {
  return [least, most](const std::string& text) -> std::string {
    double value = 0;
    if (text.empty()) return "a number is wanted, and nothing is given";  // CLI11 would take it for 0
    if (!CLI::detail::lexical_cast(text, value) || (value >= least && value <= most)) return "";
    return text + " is not between " + CLI::detail::to_string(least) + " and " + CLI::detail::to_string(most);
  };
}

void add_search_options(CLI::App& command, TranslateOptions& o) {
  o.threads = std::max(1U, std::thread::hardware_concurrency());
  command.add_option("--beam-size", o.beam_size, "width of the search; 1 is greedy")
      ->check(between(1, 100))
      ->capture_default_str();
  command.add_option("--length-penalty", o.length_penalty, "0 favours short translations")
      ->check(between(0, 10))
      ->capture_default_str();
  command.add_option("--max-length", o.max_length, "most tokens of a translation, its end counted")
      ->check(between(1, 65536))
      ->capture_default_str();
  command.add_option("--threads", o.threads, "worker threads")->check(between(1, 256))->capture_default_str();
}

CLI::Option* add_device_option(CLI::App& command, DeviceChoice& device) {
  const auto choose = [&device](const std::string& name) {
    device = name == "cpu" ? DeviceChoice::cpu : name == "cuda" ? DeviceChoice::cuda : DeviceChoice::automatic;
  };
  return command.add_option_function<std::string>("--device", choose, "auto (a GPU, if there is one), cpu or cuda")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}))
      ->default_str("auto");
}

}  // namespace gradus
