#pragma once
/// \file
/// Reading the tensors of another program's file: each must have its shape, and all must be read.

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {

/// `File` is a SafetensorsFile or a MarianFile. Each complaint is one line, an Error that names the file and the tensor.
template <class Real, class File>
class TensorReader {
 public:
  explicit TensorReader(const File& file) : file_(file) {}

  /// The values of a tensor that must have this shape.
  std::vector<Real> values(const std::string& name, const std::vector<std::size_t>& shape) {
    if (!file_.has(name)) refuse(name, "is missing");
    if (file_.shape(name) != shape) refuse(name, "has " + words(file_.shape(name)) + ", not " + words(shape));
    read_.insert(name);
    return file_.template values<Real>(name);
  }

  /// Refuses a tensor that was not read, unless `is_spare(name)`.
  template <class Predicate>
  void check_all_read(Predicate is_spare) const {
    for (const std::string& name : file_.names()) {
      if (read_.count(name) == 0 && !is_spare(name)) refuse(name, "is no tensor of a model of this configuration");
    }
  }

 protected:
  [[noreturn]] void refuse(const std::string& name, const std::string& what) const {
    fail(file_.origin() + ": " + printable(name) + " " + what);
  }

  const File& file_;

 private:
  static std::string words(const std::vector<std::size_t>& shape) {
    std::string text = "the shape";
    for (const std::size_t n : shape) text += " " + std::to_string(n);
    return text;
  }

  std::set<std::string> read_;
};

/// Refuses a small file of a huge configuration before memory is allocated for it. A tied table may stand for two of ours.
template <class File>
void check_count(const File& file, std::size_t parameters) {
  std::size_t stored = 0;
  for (const std::string& name : file.names()) stored += file.count(name);
  if (parameters / 2 > stored)
    fail(file.origin() + " has " + std::to_string(stored) + " numbers, but its configuration describes " +
         std::to_string(parameters));
}

}  // namespace gradus
