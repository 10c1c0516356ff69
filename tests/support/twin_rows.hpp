#pragma once
/// \file
/// What tests/wrong says about a known mistake, in a line above it: "/// twin: NAME CHAPTER SEEN JUDGES". A chapter
/// with the name of a leaf, 05_layer_norm/rms_norm, is a mistake that the tests made from the leaf's case judge.

#include <string>
#include <vector>

namespace gradus::test {

struct TwinRow {
  std::string name, chapter, leaf;  ///< leaf: empty, or the one whose case judges it
  std::vector<std::string> judges;  ///< those that must reject it; "-judge" cannot see it
};

/// All rows of the headers in tests/wrong, in the order of their names.
/// \throws Error for a line with fewer than four words, or a folder that cannot be read.
std::vector<TwinRow> twin_rows();

}  // namespace gradus::test
