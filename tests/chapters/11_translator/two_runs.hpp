#pragma once
/// \file
/// Two finished trainings, and the tables of a page that compares two.

#include <map>
#include <string>
#include <utility>

#include "chapters/11_translator/program.hpp"
#include "chapters/11_translator/report_text.hpp"

namespace gradus::test {

/// Two finished runs that differ in seed, learning rate and epochs, made once for all cases.
inline const Playground& two_runs() {
  static const Playground place("report-runs");
  static const bool made = [] {
    for (const auto& [name, more] :
         {std::pair{"one", ""}, std::pair{"two", "--seed 9 --learning-rate 0.01 --epochs 3"}})
      REQUIRE(gradus_program(place, toy_training(place.file(name), more)).status == 0);
    return true;
  }();
  REQUIRE(made);
  return place;
}

inline std::string run(const std::string& name) { return two_runs().file(name); }

/// The rows of a table of two values: name, A, B.
inline std::map<std::string, std::pair<std::string, std::string>> rows_behind(const std::string& html,
                                                                              const std::string& text) {
  const auto cells = cells_behind(html, text);
  std::map<std::string, std::pair<std::string, std::string>> rows;
  REQUIRE(cells.size() % 3 == 0);
  for (std::size_t i = 0; i < cells.size(); i += 3) rows[cells[i]] = {cells[i + 1], cells[i + 2]};
  return rows;
}

}  // namespace gradus::test
