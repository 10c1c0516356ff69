/// \file
/// gradus presets: lists the presets of `gradus train`, or prints one with the source of each value.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include "app/commands/commands.hpp"
#include "app/options/suggestion.hpp"
#include "app/presets/presets.hpp"
#include "app/terminal/console.hpp"
#include "app/terminal/wrapped.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

/// Prints cells side by side: each but the last is as wide as `widths` says, and the last is wrapped.
class Table {
 public:
  void row(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      line += cells[i];
      if (i < widths.size()) line += std::string(std::max(widths[i], cells[i].size() + 2) - cells[i].size(), ' ');
    }
    std::size_t hanging = 0;
    for (const std::size_t w : widths) hanging += w;
    std::printf("%s\n", wrapped(line, width_, std::min(hanging, width_ / 2)).c_str());
  }

 private:
  std::size_t width_ = std::clamp<std::size_t>(terminal_columns(STDOUT_FILENO), 30, 120);
};

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
