/// \file
/// gradus completion and gradus man: the program's texts for shells and for `man`.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "app/commands/commands.hpp"
#include "app/options/completion.hpp"
#include "app/options/manual.hpp"
#include "app/options/shared_options.hpp"

namespace gradus {

Command add_completion(CLI::App& app) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* const c =
      app.add_subcommand("completion", "a script with which a shell completes commands and options");
  c->footer(
      "Example: source <(gradus completion bash)       in ~/.bashrc\n"
      "         source <(gradus completion zsh)        in ~/.zshrc, behind compinit\n"
      "         gradus completion fish | source        in ~/.config/fish/config.fish\n"
      "\n"
      "`make install` puts these scripts where the shells look for them.");
  c->add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->type_name("WORD")
      ->check(one_of({"bash", "zsh", "fish"}));
  return {c, [shell, &app] {
            std::fputs(completion_script(*shell, command_tree(app)).c_str(), stdout);
            return 0;
          }};
}

Command add_man(CLI::App& app) {
  CLI::App* const c = app.add_subcommand("man", "the manual page, for `gradus man | man -l -`");
  return {c, [&app] {
            std::fputs(manual_page(command_tree(app)).c_str(), stdout);
            return 0;
          }};
}

}  // namespace gradus
