#pragma once
/// \file
/// Rows that belong to no sentence.

#include "gradus/device/device.hpp"
#include "gradus/ops/elementwise.hpp"
#include "gradus/tensor/segments.hpp"

namespace gradus {

/// Sets x to 0 if some of its rows belong to no sentence. Most batches have no such rows.
template <class Real>
void clear_spare_rows(Cpu<Real>& dev, View<Real, 2, Host> x, const BasicSegments<Host>& segments) {
  std::size_t covered = 0;
  for (std::size_t i = 0; i < segments.sentences(); ++i) covered += static_cast<std::size_t>(segments.length[i]);
  if (covered < segments.rows) fill(dev, x, 0);
}

}  // namespace gradus
