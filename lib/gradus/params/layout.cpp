#include "gradus/params/layout.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "gradus/util/error.hpp"

namespace gradus {

std::size_t Declaration::size() const {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

void Layout::declare(const Declaration& declaration) {
  for (const Slice& slice : slices_) {
    if (slice.name != declaration.name) continue;
    if (slice.shape != declaration.shape)
      fail("parameter " + slice.name + " is declared twice with different shapes");
    return;
  }
  slices_.push_back({declaration, 0});
}

void Layout::finish() {
  std::stable_partition(slices_.begin(), slices_.end(), [](const Slice& s) { return s.kind == Kind::weight; });
  size_ = 0;
  place(true);
  decaying_ = size_;
  place(false);
}

void Layout::place(bool weights) {
  constexpr std::size_t quad = 4;  // numbers of float in 16 bytes
  for (const bool whole : {true, false}) {
    for (Slice& slice : slices_) {
      if ((slice.kind == Kind::weight) != weights || (slice.size() % quad == 0) != whole) continue;
      slice.offset = size_;
      size_ += slice.size();
    }
  }
}

const Slice& Layout::find(const std::string& name) const {
  for (const Slice& slice : slices_) {
    if (slice.name == name) return slice;
  }
  fail("there is no parameter " + name);
}

}  // namespace gradus
