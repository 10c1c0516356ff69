/// \file
/// gradus presets: lists the presets of `gradus train`, or prints one with the source of each value.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <utility>

#include "app/commands/commands.hpp"
#include "app/options/suggestion.hpp"
#include "app/presets/presets.hpp"
#include "app/terminal/table.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

void list_presets() {
  const Table table;
  for (const Preset& p : presets()) table.row({p.name, p.summary}, {14});
  std::printf("\n");
  table.row({"gradus presets NAME prints the values of one, and where they are from."}, {});
}

void print_remarks(const Table& table, const char* title, const std::vector<PresetRemark>& remarks) {
  if (remarks.empty()) return;
  std::printf("\n%s\n", title);
  for (const PresetRemark& r : remarks) table.row({r.what, r.how}, {22});
}

/// The option and its value as a command line has them: "--d-model" and "512", "--tied=false" and "".
std::pair<std::string, std::string> as_words(const PresetValue& v) {
  const std::string option = std::string("--") + v.option, value = v.value;
  if (value == "true") return {option, ""};
  if (value == "false") return {option + "=false", ""};
  return {option, value};
}

void print_preset(const Preset& p) {
  const Table table;
  table.row({std::string(p.name) + ": " + p.summary}, {});
  if (!p.values.empty()) {
    std::printf("\n");
    table.row({"OPTION", "VALUE", "FROM"}, {25, 17});
  }
  for (const PresetValue& v : p.values) {
    const auto [option, value] = as_words(v);
    table.row({option, value, v.source}, {25, 17});
  }
  std::printf("\n");
  table.row(
      {std::string("Every") + (p.values.empty() ? "" : " other") + " option has its default: gradus train --help."},
      {});
  print_remarks(table, "PUT RIGHT", p.put_right);
  print_remarks(table, "DIFFERENT", p.different);
  if (p.put_right.empty()) return;
  std::printf("\n");
  table.row({std::string("The tutorial, part by part: docs/tutorials/") + p.name + ".md"}, {});
}

}  // namespace

Command add_presets(CLI::App& app) {
  const auto name = std::make_shared<std::string>();
  CLI::App* const c = app.add_subcommand("presets", "sets of options for train, among them five tutorials");
  c->footer("Example: gradus presets hyunwoongko\n");
  c->add_option("preset", *name, "print its values, and the part of the tutorial that each is from")
      ->type_name("NAME");
  return {c, [name] {
            if (name->empty()) {
              list_presets();
            } else if (const Preset* p = find_preset(*name)) {
              print_preset(*p);
            } else {
              throw UsageError("there is no preset " + gradus::quoted(*name) + " (gradus presets lists them)" +
                               did_you_mean(*name, preset_names()));
            }
            return 0;
          }};
}

}  // namespace gradus
