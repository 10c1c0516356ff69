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
  size_ = decaying_ = 0;
  for (Slice& slice : slices_) {
    slice.offset = size_;
    size_ += slice.size();
    if (slice.kind == Kind::weight) decaying_ = size_;
  }
}

const Slice& Layout::find(const std::string& name) const {
  for (const Slice& slice : slices_) {
    if (slice.name == name) return slice;
  }
  fail("there is no parameter " + name);
}

}  // namespace gradus
