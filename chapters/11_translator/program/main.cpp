/// \file
/// gradus: trains a translator, translates with it, scores translations.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <new>

#include "11_translator/program/command_line.hpp"
#include "11_translator/program/commands.hpp"
#include "11_translator/program/console.hpp"
#include "gradus/ops/blas_core.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

/// Version, compiler, BLAS kernels: what a bug report needs.
std::string build_information() {
  return std::string("gradus ") + GRADUS_VERSION + " (" + GRADUS_COMPILER + "; BLAS kernels: " + blas_core() + ")";
}

/// What was typed, the last word first, as CLI11 wants it. "help train" means "train --help".
std::vector<std::string> words_of(int argc, char** argv, const CLI::App& app) {
  std::vector<std::string> words(argv + std::min(1, argc), argv + argc);
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    const auto is_meant = [&](const CLI::App* command) { return command->get_name() == words.front(); };
    if (words.empty() || !app.get_subcommands(is_meant).empty()) words.emplace_back("--help");
  }
  std::reverse(words.begin(), words.end());
  return words;
}

int run(int argc, char** argv) {
  CLI::App app(
      "gradus: the Transformer, step by step.\n"
      "The bundled model translates English photo captions into German.");
  app.name("gradus");
  app.set_version_flag("--version", build_information);
  app.require_subcommand(1);
  app.formatter(help_format());                                                  // subcommands inherit it
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);  // subcommands inherit it
  const Command commands[] = {add_data(app),  add_train(app),   add_translate(app), add_evaluate(app),
                              add_score(app), add_explain(app), add_info(app),      add_average(app)};
  try {
    app.parse(words_of(argc, argv, app));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version
    std::fprintf(stderr, "gradus: %s\n", complaint(app, error).c_str());
    return 2;
  }
  for (const Command& command : commands) {
    if (command.options->parsed()) return command.run();
  }
  return 2;
}

}  // namespace
}  // namespace gradus

int main(int argc, char** argv) {
  using namespace gradus;
  prefer_better_blas_core(argv);
  try {
    const int status = run(argc, argv);
    flush_results();
    return status;
  } catch (const UsageError& error) {
    std::fprintf(stderr, "gradus: %s\n", error.what());
    return 2;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "gradus: there is not enough memory for this\n");
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gradus: %s\n", error.what());
    return 1;
  }
}
