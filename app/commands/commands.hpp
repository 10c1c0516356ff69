#pragma once
/// \file
/// The commands of the program, one file each. Results go to the standard output, all other text to the standard
/// error stream.

#include <functional>
#include <vector>

namespace CLI {
class App;
}

namespace gradus {

/// A command: its options, and the function that runs after they are read and returns the exit status.
struct Command {
  CLI::App* options;
  std::function<int()> run;
  bool runs_on_ranks = false;  ///< whether several processes that mpirun starts can share it
};

Command add_data(CLI::App& app);
Command add_train(CLI::App& app);
Command add_presets(CLI::App& app);
Command add_translate(CLI::App& app);
Command add_evaluate(CLI::App& app);
Command add_score(CLI::App& app);
Command add_score_pairs(CLI::App& app);
Command add_explain(CLI::App& app);
Command add_serve(CLI::App& app);
Command add_info(CLI::App& app);
Command add_average(CLI::App& app);
Command add_report(CLI::App& app);
Command add_export(CLI::App& app);
Command add_import(CLI::App& app);
Command add_models(CLI::App& app);
Command add_bench(CLI::App& app);
Command add_completion(CLI::App& app);
Command add_man(CLI::App& app);

/// Adds all commands in the order of the help, with their common settings: if an option has several values, the
/// last one counts.
std::vector<Command> add_commands(CLI::App& app);

}  // namespace gradus
