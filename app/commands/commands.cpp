#include "app/commands/commands.hpp"

#include <CLI/CLI.hpp>

#include "app/options/help_format.hpp"

namespace gradus {

std::vector<Command> add_commands(CLI::App& app) {
  app.require_subcommand(1);
  app.formatter(help_format());                                                  // subcommands inherit it
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);  // subcommands inherit it
  return {add_data(app),    add_train(app),       add_presets(app), add_translate(app), add_evaluate(app),
          add_score(app),   add_score_pairs(app), add_explain(app), add_serve(app),     add_info(app),
          add_average(app), add_report(app),      add_export(app),  add_import(app),    add_models(app),
          add_bench(app),   add_completion(app),  add_man(app)};
}

}  // namespace gradus
