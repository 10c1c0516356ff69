#pragma once
/// \file
/// What the fuzz targets share. A target is one parser of ours: libFuzzer calls it with whatever bytes it can think of
/// (run), and an ordinary test with those that were worth keeping (replay.cpp).

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "gradus/util/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace gradus::test {

inline void demand(bool holds) {
  if (!holds) std::abort();
}

/// Runs `parse` on the bytes. It may succeed, or throw an Error of one line; anything else is a finding.
template <class Parse>
int survives(const std::uint8_t* data, std::size_t size, const Parse& parse) {
  try {
    parse(std::string(reinterpret_cast<const char*>(data), size));
  } catch (const Error& error) {
    demand(std::strchr(error.what(), '\n') == nullptr);
  }
  return 0;
}

}  // namespace gradus::test
