#include "gradus/text/pieces/charsmap.hpp"

#include <cstddef>

#include "gradus/util/error.hpp"

namespace gradus {
namespace {

constexpr std::uint32_t leaf_bit = 1U << 31U;

bool has_leaf(std::uint32_t unit) { return (unit >> 8U & 1U) != 0; }
std::uint32_t label_of(std::uint32_t unit) { return unit & (leaf_bit | 0xffU); }
std::uint32_t child_base(std::uint32_t unit) { return unit >> 10U << ((unit & 1U << 9U) >> 6U); }  // by 0 or 8 bits
std::uint32_t place_of_string(std::uint32_t leaf) { return leaf & ~leaf_bit; }

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace

Charsmap::Charsmap(std::string_view bytes, const std::string& where) {
  const std::string what = where + "precompiled_charsmap: ";
  if (bytes.size() < 4) fail(what + "cut before the size of its first part");
  const std::size_t size = little_endian(bytes);
  bytes.remove_prefix(4);
  if (size == 0 || size % 4 != 0 || size >= bytes.size()) fail(what + "its first part has a wrong size");
  if (bytes.back() != '\0') fail(what + "its last string has no end");
  units_.reserve(size / 4);
  for (std::size_t i = 0; i < size; i += 4) units_.push_back(little_endian(bytes.substr(i)));
  strings_ = bytes.substr(size);
  for (std::size_t i = 0; i < units_.size(); ++i) {
    if ((units_[i] & leaf_bit) != 0 || !has_leaf(units_[i])) continue;
    const std::size_t leaf = i ^ child_base(units_[i]);
    if (leaf >= units_.size() || place_of_string(units_[leaf]) >= strings_.size())
      fail(what + "rule " + std::to_string(i) + " leads to a place that is not there");
  }
}

Charsmap::Rule Charsmap::longest(std::string_view text) const {
  Rule best;
  if (units_.empty()) return best;
  std::size_t place = child_base(units_[0]);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    place ^= byte;
    if (place >= units_.size() || label_of(units_[place]) != byte) break;
    const std::uint32_t unit = units_[place];
    place ^= child_base(unit);
    if (has_leaf(unit)) best = {i + 1, strings_.c_str() + place_of_string(units_[place])};
  }
  return best;
}

}  // namespace gradus
