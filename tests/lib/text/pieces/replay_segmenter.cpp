// Compares the segmenter with SentencePiece:
//   replay_segmenter MODEL LINES [RANDOM-LINES]    each line of a file, and so many random ones; - for a file: none
// Prints the differences, at most ten of them, and their number. Exit status 1 if there is one.
#include <fstream>
#include <iostream>
#include <iterator>

#include "lib/text/pieces/library.hpp"

using gradus::test::Pair;
using gradus::test::RandomText;

namespace {

class Comparison {
 public:
  explicit Comparison(const std::string& model) : pair_(model) {}

  void compare(const std::string& line) {
    ++lines_;
    const std::string difference = pair_.difference(line);
    if (!difference.empty() && ++different_ <= 10) std::cout << "text: " << line << '\n' << difference << '\n';
  }

  /// Any ids, not only those that a text gives.
  void decode(RandomText& random) {
    std::vector<int> ids;
    for (int count = random.below(8); count > 0; --count) ids.push_back(random.below(pair_.size()));
    const std::string difference = pair_.difference_of_decoded(ids);
    if (!difference.empty() && ++different_ <= 10) std::cout << difference << '\n';
  }

  int report() const {
    std::cout << lines_ << " lines, " << different_ << " differences\n";
    return different_ == 0 ? 0 : 1;
  }

 private:
  Pair pair_;
  long lines_ = 0, different_ = 0;
};

}  // namespace

int main(int count, char** arguments) try {
  if (count < 3 || count > 4) {
    std::cerr << "usage: replay_segmenter MODEL LINES [RANDOM-LINES]\n";
    return 2;
  }
  std::ifstream model(arguments[1], std::ios::binary);
  Comparison comparison(std::string(std::istreambuf_iterator<char>(model), {}));
  std::ifstream lines(arguments[2], std::ios::binary);
  for (std::string line; std::getline(lines, line);) comparison.compare(line);
  RandomText random(1);
  for (long left = count > 3 ? std::stol(arguments[3]) : 0; left > 0; --left) {
    comparison.compare(random.line());
    comparison.decode(random);
  }
  return comparison.report();
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
