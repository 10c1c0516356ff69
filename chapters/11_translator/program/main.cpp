/// \file
/// gradus: trains a translator, translates with it, scores translations.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <new>

#include "11_translator/program/commands/commands.hpp"
#include "11_translator/program/options/command_line.hpp"
#include "11_translator/program/options/shared_options.hpp"
#include "11_translator/program/terminal/console.hpp"
#include "gradus/ops/blas_core.hpp"
#include "gradus/ranks/launcher.hpp"
#include "gradus/ranks/world.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

/// Version, compiler, BLAS kernels: the data for a bug report.
std::string build_information() {
  return std::string("gradus ") + GRADUS_VERSION + " (" + GRADUS_COMPILER + "; BLAS kernels: " + blas_core() + ")";
}

/// The typed words, last one first, as CLI11 expects them. "help train" means "train --help".
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

/// Of several processes that mpirun started, the first one reports what is wrong with the command they share.
bool reports() { return launch().rank == 0; }

/// Connects the processes that mpirun started, if the command can share its work.
void take_ranks(const Command& command) {
  if (launch().ranks > 1 && !command.runs_on_ranks)
    refuse_ranks("`gradus " + command.options->get_name() + "` does not share its work; start it without mpirun");
  together(world(), [&] { require_one_reader(*command.options); });
}

int run(int argc, char** argv) {
  CLI::App app(
      "gradus: the Transformer, step by step.\n"
      "The bundled model translates English photo captions into German.");
  app.name("gradus");
  app.set_version_flag("--version", build_information);
  const std::vector<Command> commands = add_commands(app);
  try {
    app.parse(words_of(argc, argv, app));
  } catch (const CLI::ParseError& error) {
    if (!reports()) return error.get_exit_code() == 0 ? 0 : 2;
    if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version
    console().complain(complaint(app, error));
    return 2;
  }
  for (const Command& command : commands) {
    if (!command.options->parsed()) continue;
    take_ranks(command);
    return command.run();
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
  prefer_better_blas_core(argv);
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
