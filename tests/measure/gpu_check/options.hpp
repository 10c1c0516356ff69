#pragma once
/// \file
/// The words of a command line: some by their place, others by name, `--epochs 5` or, for a switch, `--tiny`.

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gradus::test {

class CommandLine {
 public:
  /// UsageError for a name that is in neither list, or one of `named` without a value.
  CommandLine(const std::vector<std::string>& words, const std::set<std::string>& named,
              const std::set<std::string>& switches = {});

  const std::vector<std::string>& places() const { return places_; }
  bool has(const std::string& name) const { return values_.count(name) != 0; }
  std::string text(const std::string& name, const std::string& otherwise) const;
  double number(const std::string& name, double otherwise) const;  ///< throws UsageError if it is not a number
  std::size_t count(const std::string& name,
                    std::size_t otherwise) const;  ///< the same for a whole number from 1 on

 private:
  std::vector<std::string> places_;
  std::map<std::string, std::string> values_;
};

}  // namespace gradus::test
