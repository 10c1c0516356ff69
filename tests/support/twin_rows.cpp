#include "support/twin_rows.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "gradus/util/error.hpp"

namespace gradus::test {
namespace {

TwinRow row_in(const std::string& line) {
  std::istringstream words(line);
  TwinRow row;
  std::string place, seen;
  words >> row.name >> place >> seen;
  for (std::string judge; words >> judge;) row.judges.push_back(judge);
  if (row.judges.empty()) fail("tests/wrong: a twin needs a name, a chapter, who has seen it and judges: " + line);
  row.chapter = place.substr(0, place.find('/'));
  row.leaf = place.substr(std::min(row.chapter.size() + 1, place.size()));
  return row;
}

}  // namespace

std::vector<TwinRow> twin_rows() {
  static const std::string mark = "/// twin: ";
  std::vector<std::filesystem::path> headers;
  for (const auto& entry : std::filesystem::directory_iterator(GRADUS_WRONG)) {
    if (entry.path().extension() == ".hpp") headers.push_back(entry.path());
  }
  std::sort(headers.begin(), headers.end());
  std::vector<TwinRow> rows;
  for (const auto& header : headers) {
    std::ifstream file(header);
    for (std::string line; std::getline(file, line);) {
      if (line.compare(0, mark.size(), mark) == 0) rows.push_back(row_in(line.substr(mark.size())));
    }
  }
  return rows;
}

}  // namespace gradus::test
