#pragma once
/// \file
/// What `./plain all` prints: the numbers of a chapter's plain.cpp by name. Tests compute the same with the library.

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gradus/tensor/view.hpp"

namespace gradus::test {

class PlainNumbers {
 public:
  /// Runs `command arguments`; each line is `name v v v`. Fails the test if the program does.
  explicit PlainNumbers(const std::string& command, const std::string& arguments = "all");

  /// Numbers to give to the library. A name that the program does not print is an error.
  std::vector<double>& input(const std::string& name);
  /// Numbers that are sizes.
  std::vector<std::size_t> sizes(const std::string& name);
  /// Every number that the program printed under this name is the library's, to 1e-12.
  void agrees(const std::string& name, const std::vector<double>& library);
  /// No printed name was left out of the comparison.
  void all_were_used() const;

 private:
  std::map<std::string, std::vector<double>> numbers_;
  std::set<std::string> used_;
};

inline View<double, 2, Host> as_rows(std::vector<double>& v, std::size_t columns) {
  return {v.data(), {v.size() / columns, columns}, columns};
}
inline View<double, 1, Host> as_row(std::vector<double>& v) { return {v.data(), {v.size()}, v.size()}; }

}  // namespace gradus::test
