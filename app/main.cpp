/// \file
/// gradus: trains a translator, translates with it, scores translations.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <new>
#include <optional>
#include <utility>

#include "app/commands/commands.hpp"
#include "app/options/command_line.hpp"
#include "app/options/shared_options.hpp"
#include "app/terminal/console.hpp"
#include "gradus/ops/blas/blas_core.hpp"
#include "gradus/ranks/world.hpp"
#include "gradus/util/end_in_one_line.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/process.hpp"

namespace gradus {
namespace {

/// Version, compiler, BLAS kernels: the data for a bug report.
std::string build_information() {
  return std::string("gradus ") + GRADUS_VERSION + " (" + GRADUS_COMPILER + "; BLAS kernels: " + blas_core() + ")";
}

/// The typed words. "help train" means "train --help".
std::vector<std::string> words_of(int argc, char** argv, const CLI::App& app) {
  std::vector<std::string> words(argv + std::min(1, argc), argv + argc);
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    const auto is_meant = [&](const CLI::App* command) { return command->get_name() == words.front(); };
    if (words.empty() || !app.get_subcommands(is_meant).empty()) words.emplace_back("--help");
  }
  return words;
}

/// Reads the words. Returns CLI11's answer if they ask for one (--help, --version). Throws UsageError for a wrong command
/// line.
std::optional<CLI::ParseError> answer_to(CLI::App& app, std::vector<std::string> words) {
  require_values(words);
  std::reverse(words.begin(), words.end());  // as CLI11 expects them
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw UsageError(complaint(app, error));
    return error;
  }
  return {};
}

/// Ends all ranks unless they run the same command: ranks of two commands would wait for each other for ever.
void require_same_command(Ranks& ranks, const std::string& mine) {
  const auto other = difference(ranks, mine);
  if (!other) return;
  fail_together(ranks,
                "rank " + std::to_string(other->rank) + " runs `gradus " + other->other + "`, and rank 0 `gradus " +
                    other->first + "`; all ranks need the same command",
                2);
}

/// Runs a command, if it can share its work among the processes that mpirun started.
int run(Ranks& ranks, const Command& command) {
  const std::string name = command.options->get_name();
  require_same_command(ranks, name);
  if (ranks.size() > 1 && !command.runs_on_ranks)
    fail_together(ranks,
                  std::to_string(ranks.size()) + " processes were started together, but `gradus " + name +
                      "` does not share its work; start it without mpirun",
                  2);
  together(ranks, [&] {
    require_names(*command.options);
    require_flags(*command.options);
    require_one_reader(*command.options);
  });
  if (is_first(ranks)) {
    for (const std::string& warning : repeated_options(*command.options)) console().warn(warning);
    for (const std::string& warning : unfinished_models(*command.options)) console().warn(warning);
  }
  return command.run();
}

int run(int argc, char** argv) {
  CLI::App app(
      "gradus: the Transformer, step by step.\n"
      "The bundled model translates English photo captions into German.");
  app.name("gradus");
  app.set_version_flag("--version", build_information);
  const std::vector<Command> commands = add_commands(app);
  Ranks& ranks = world();
  std::optional<CLI::ParseError> answer;
  together(ranks, [&] { answer = answer_to(app, words_of(argc, argv, app)); });
  if (answer) {
    require_same_command(ranks, answer->get_name() == "CallForVersion" ? "--version" : "--help");
    return is_first(ranks) ? app.exit(*answer) : 0;
  }
  for (const Command& command : commands) {
    if (command.options->parsed()) return run(ranks, command);
  }
  return 2;
}

/// Reports an error. If the other ranks do not know of it, they end now.
int failed(const std::string& text, int status) {
  Ranks* const ranks = connected_world();
  const std::string name =
      ranks == nullptr || is_first(*ranks) ? "" : "rank " + std::to_string(ranks->rank()) + ": ";
  console().complain(name + text);
  if (ranks != nullptr && !ranks->end_together()) ranks->abort(status);
  leave_world();
  return status;
}

}  // namespace
}  // namespace gradus

int main(int argc, char** argv) {
  using namespace gradus;
  std::set_terminate(end_in_one_line);
  prefer_better_blas_core(argv);
  return_large_blocks();  // what is needed again, workspaces keep
  // a file at its size limit (ulimit -f) is then an error of write(), like a full disk
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    const int status = run(argc, argv);
    flush_results();
    leave_world();
    return status;
  } catch (const EndedWithOthers& end) {
    leave_world();
    return end.status;
  } catch (const UsageError& error) {
    return failed(error.what(), 2);
  } catch (const std::bad_alloc&) {
    return failed("there is not enough memory for this", 1);
  } catch (const std::exception& error) {
    return failed(error.what(), 1);
  }
}
