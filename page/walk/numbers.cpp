// The model of the page on this machine, for the test that compares it with that of a browser.
//
//     walk            answers each line "task without seed steps optimiser peak warmup smoothing pair" with the results of the steps, the score
//                     and what flows for this pair; a number of 17 digits each
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>

#include "walk/engine.hpp"

namespace {

/// How many numbers walk_flow has described: behind the last tensor.
std::size_t count_of(const std::string& described) {
  const std::size_t shape = described.rfind("\"shape\":["), first = described.rfind("\"first\":");
  std::istringstream extents(described.substr(shape + 9));
  std::size_t size = 1;
  for (std::size_t extent = 0; extents >> extent;) {
    size *= extent;
    if (extents.get() == ']') break;
  }
  return size + std::stoul(described.substr(first + 8));
}

void print(const double* numbers, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) std::printf("%.17g ", numbers[i]);
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    int task = 0, without = 0, seed = 0, steps = 0, optimiser = 0, warmup = 0, pair = 0;
    double peak = 0, smoothing = 0;
    words >> task >> without >> seed >> steps >> optimiser >> peak >> warmup >> smoothing >> pair;
    if (walk_begin(task, without, seed) == nullptr) {
      std::printf("%s\n", walk_problem());
      continue;
    }
    print(walk_steps(steps, optimiser, peak, warmup, smoothing), 3 * static_cast<std::size_t>(steps));
    const double score = walk_score();
    print(&score, 1);
    const std::string described = walk_flow(pair, smoothing);
    print(walk_numbers(), count_of(described));
    std::printf("\n");
  }
  return 0;
}
