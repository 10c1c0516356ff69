#include "support/plain.hpp"

#include <cmath>
#include <cstdio>
#include <sstream>

#include "support/catch.hpp"

namespace gradus::test {
namespace {

constexpr double bound = 1e-12;

std::string output_of(const std::string& command) {
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  char part[4096];
  for (std::size_t size = 0; (size = std::fread(part, 1, sizeof part, pipe)) > 0;) text.append(part, size);
  INFO(command);
  REQUIRE(::pclose(pipe) == 0);
  return text;
}

}  // namespace

PlainNumbers::PlainNumbers(const std::string& command, const std::string& arguments) {
  std::istringstream lines(output_of(command + " " + arguments));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name, word;
    words >> name;
    CAPTURE(line);
    REQUIRE(numbers_.count(name) == 0);
    while (words >> word) numbers_[name].push_back(std::stod(word));
    REQUIRE(numbers_.count(name) == 1);
  }
  if (arguments != "all") return;
  REQUIRE(numbers_.count("difference") == 1);  // of its own check, which the exit status has judged
  used_.insert("difference");
}

std::vector<double>& PlainNumbers::input(const std::string& name) {
  CAPTURE(name);
  REQUIRE(numbers_.count(name) == 1);
  used_.insert(name);
  return numbers_[name];
}

std::vector<std::size_t> PlainNumbers::sizes(const std::string& name) {
  std::vector<std::size_t> result;
  for (const double value : input(name)) result.push_back(static_cast<std::size_t>(value));
  return result;
}

void PlainNumbers::agrees(const std::string& name, const std::vector<double>& library) {
  const std::vector<double>& plain = input(name);
  CAPTURE(name);
  REQUIRE(plain.size() == library.size());
  for (std::size_t i = 0; i < plain.size(); ++i) {
    CAPTURE(i, plain[i], library[i]);
    REQUIRE(std::isfinite(plain[i]));
    CHECK(std::fabs(plain[i] - library[i]) <= bound);
  }
}

void PlainNumbers::all_were_used() const {
  for (const auto& [name, values] : numbers_) {
    CAPTURE(name);
    CHECK(used_.count(name) == 1);
  }
}

}  // namespace gradus::test
