#pragma once
/// \file
/// The options that the program has, read from the program itself: an option without a row in a test is an error.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/commands.hpp"
#include "gradus/io/atomic_file.hpp"
#include "support/catch.hpp"

namespace gradus::test {

/// The names of a command's options and arguments, without dashes and without --help.
inline std::vector<std::string> options_of(const std::string& command) {
  CLI::App app;
  add_commands(app);
  std::vector<std::string> names;
  for (const CLI::Option* option : std::as_const(app).get_subcommand(command)->get_options()) {
    if (option->get_single_name() != "help") names.push_back(option->get_single_name());
  }
  return names;
}

/// Checks that each option of the command has a row, and each row an option. `file` is where the rows are.
inline void check_rows(const std::string& command, const std::vector<std::string>& rows, const std::string& file) {
  const std::vector<std::string> names = options_of(command);
  const auto has = [](const std::vector<std::string>& all, const std::string& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  };
  for (const std::string& name : names) {
    INFO("the option " << name << " of gradus " << command << " has no row; add one in " << file);
    CHECK(has(rows, name));
  }
  for (const std::string& row : rows) {
    INFO("gradus " << command << " has no option " << row << "; remove its row in " << file);
    CHECK(has(names, row));
  }
}

/// An option and its judge.
using OptionRow = std::pair<std::string, std::function<void()>>;

/// Runs the judge of each option of the command; an option without a row is an error.
inline void judge_options(const std::string& command, const std::vector<OptionRow>& rows, const std::string& file) {
  std::vector<std::string> names;
  for (const OptionRow& row : rows) names.push_back(row.first);
  check_rows(command, names, file);
  for (const OptionRow& row : rows) {
    INFO("gradus " << command << ", option " << row.first);
    row.second();
  }
}

/// For a row whose judge is in another file: that file of tests names the option.
inline std::function<void()> judged_in(const std::string& file, const std::string& option) {
  return [file, option] {
    const std::string text = read_file(std::string(GRADUS_CHAPTERS) + "/../tests/chapters/11_translator/" + file);
    INFO(file << " does not name " << option);
    CHECK(text.find(option) != std::string::npos);
  };
}

}  // namespace gradus::test
