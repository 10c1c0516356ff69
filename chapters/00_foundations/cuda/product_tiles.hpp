#pragma once
/// \file
/// The sizes of the tiles in a matrix product of our own (product_ladder_cuda.hpp).

namespace gradus {

/// A block of the step shared_tile computes side x side elements, one of register_tile wide x wide, and each thread of
/// the latter each x each. `deep` is the number of terms of the sum that a tile of register_tile holds.
struct ProductTiles {
  static constexpr unsigned side = 32, wide = 64, deep = 16, each = 4;
};

}  // namespace gradus
