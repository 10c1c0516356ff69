// The live lessons on this machine, for the test that compares them with those of a browser.
//
//     live_numbers            prints the description of the lessons, then answers each line "lesson way given given ..." with the computed numbers
//
// All numbers have 17 digits, so that none changes on its way.
#include <cstddef>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "live/engine.hpp"

int main() {
  std::printf("%s\n", live_describe());
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    int lesson = 0, way = 0;
    std::size_t count = 0;
    words >> lesson >> way >> count;
    double* const given = live_given(lesson);
    std::string word;  // a stream does not read "nan"
    for (std::size_t i = 0; words >> word; ++i) given[i] = std::stod(word);
    const char* const problem = live_run(lesson, way);
    if (*problem != '\0') {
      std::printf("%s\n", problem);
      continue;
    }
    const double* const computed = live_computed(lesson);
    for (std::size_t i = 0; i < count; ++i) std::printf(i == 0 ? "%.17g" : " %.17g", computed[i]);
    std::printf("\n");
  }
  return 0;
}
