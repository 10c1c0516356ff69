#include "measure/gpu_check/options.hpp"

#include <cmath>
#include <cstdlib>

#include "gradus/util/error.hpp"

namespace gradus::test {

CommandLine::CommandLine(const std::vector<std::string>& words, const std::set<std::string>& named,
                         const std::set<std::string>& switches) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].compare(0, 2, "--") != 0) {
      places_.push_back(words[i]);
    } else if (switches.count(words[i]) != 0) {
      values_[words[i]] = "";
    } else if (named.count(words[i]) == 0) {
      throw UsageError("there is no option " + words[i]);
    } else if (i + 1 == words.size()) {
      throw UsageError(words[i] + " needs a value");
    } else {
      values_[words[i]] = words[i + 1];
      ++i;
    }
  }
}

std::string CommandLine::text(const std::string& name, const std::string& otherwise) const {
  const auto at = values_.find(name);
  return at == values_.end() ? otherwise : at->second;
}

double CommandLine::number(const std::string& name, double otherwise) const {
  if (!has(name)) return otherwise;
  const std::string& word = values_.at(name);
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (word.empty() || *end != '\0' || !std::isfinite(value)) throw UsageError(name + " " + word + " is no number");
  return value;
}

std::size_t CommandLine::count(const std::string& name, std::size_t otherwise) const {
  const double value = number(name, static_cast<double>(otherwise));
  if (value < 1 || value > 1e9 || value != std::floor(value)) {
    throw UsageError(name + " " + text(name, "") + " is no whole number from 1 on");
  }
  return static_cast<std::size_t>(value);
}

}  // namespace gradus::test
