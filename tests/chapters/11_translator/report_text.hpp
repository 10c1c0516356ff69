#pragma once
/// \file
/// The content of a report's page, for comparison.

#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "lib/plot/xml.hpp"
#include "support/catch.hpp"

namespace gradus::test {

/// A page, or a part of one.
inline Xml parsed_html(const std::string& html) {
  Xml xml(html);
  INFO(xml.fault);
  REQUIRE(xml.fault.empty());
  return xml;
}

/// The list of names and values.
inline std::vector<std::pair<std::string, std::string>> facts_of(const Xml& xml) {
  std::vector<std::pair<std::string, std::string>> facts;
  const auto names = xml.all("dt"), values = xml.all("dd");
  REQUIRE(names.size() == values.size());
  for (std::size_t i = 0; i < names.size(); ++i) facts.emplace_back(names[i].text, values[i].text);
  return facts;
}

/// The large numbers at the top: name and value.
inline std::vector<std::pair<std::string, std::string>> scores_of(const std::string& html) {
  std::vector<std::pair<std::string, std::string>> scores;
  const std::regex pattern("<div><b>([^<]*)</b><span>([^<]*)</span></div>");
  for (std::sregex_iterator i(html.begin(), html.end(), pattern), end; i != end; ++i)
    scores.emplace_back((*i)[2], (*i)[1]);
  return scores;
}

/// The cells of the first table behind a text, row by row.
inline std::vector<std::string> cells_behind(const std::string& html, const std::string& text) {
  const auto begin = html.find("<table", html.find(text));
  REQUIRE(begin != std::string::npos);
  const std::string table = html.substr(begin, html.find("</table>", begin) - begin);
  std::vector<std::string> cells;
  const std::regex pattern("<td[^>]*>(?:<bdi>)?([^<]*)");
  for (std::sregex_iterator i(table.begin(), table.end(), pattern), end; i != end; ++i) cells.push_back((*i)[1]);
  return cells;
}

}  // namespace gradus::test
