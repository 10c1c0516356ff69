#pragma once
/// \file
/// Which parameter made a training fail.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gradus/ops/elementwise.hpp"
#include "gradus/params/layout.hpp"

namespace gradus {

/// The name of the first parameter whose gradient, or its square, which the norm needs, is not finite; "" if there is none. `gradient` begins with element `begin` of the
/// layout: a rank has a part of it.
template <class Dev>
std::string faulty_parameter(Dev& dev, const Layout& layout, In<Dev, 1> gradient, std::size_t begin) {
  std::vector<typename Dev::Real> values;
  read(dev, values, gradient);
  const auto faulty = std::find_if(values.begin(), values.end(), [](auto g) { return !std::isfinite(g * g); });
  if (faulty == values.end()) return "";
  const std::size_t place = begin + static_cast<std::size_t>(faulty - values.begin());
  for (const Slice& slice : layout.slices()) {
    if (slice.offset <= place && place < slice.offset + slice.size()) return slice.name;
  }
  return "";
}

}  // namespace gradus
