#pragma once
/// \file
/// Zip archives for tests.

#include <minizip/zip.h>

#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"

namespace gradus::test {

using ArchivedFiles = std::vector<std::pair<std::string, std::string>>;  ///< (name, bytes)

inline void write_archive(const std::string& path, const ArchivedFiles& files) {
  zipFile const archive = zipOpen64(path.c_str(), APPEND_STATUS_CREATE);
  REQUIRE(archive != nullptr);
  for (const auto& [name, bytes] : files) {
    REQUIRE(zipOpenNewFileInZip(archive, name.c_str(), nullptr, nullptr, 0, nullptr, 0, nullptr, Z_DEFLATED,
                                Z_DEFAULT_COMPRESSION) == ZIP_OK);
    REQUIRE(zipWriteInFileInZip(archive, bytes.data(), static_cast<unsigned>(bytes.size())) == ZIP_OK);
    REQUIRE(zipCloseFileInZip(archive) == ZIP_OK);
  }
  REQUIRE(zipClose(archive, nullptr) == ZIP_OK);
}

}  // namespace gradus::test
