#pragma once
/// \file
/// The commands of the program, one file each. Results go to the standard output, everything else to the standard
/// error stream.

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace gradus {

/// A command: its options, and what runs once they are read, which returns the exit status.
struct Command {
  CLI::App* options;
  std::function<int()> run;
};

Command add_data(CLI::App& app);
Command add_train(CLI::App& app);
Command add_translate(CLI::App& app);
Command add_evaluate(CLI::App& app);
Command add_score(CLI::App& app);
Command add_explain(CLI::App& app);
Command add_info(CLI::App& app);
Command add_average(CLI::App& app);

}  // namespace gradus
