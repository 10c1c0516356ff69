#pragma once
/// \file
/// The kernels of chapter 12: `f(case, options)` for each case that judges them.

#include "chapters/12_ssru/ssru_case.hpp"
#include "chapters/12_ssru/ssru_sublayer_case.hpp"
#include "support/kernels.hpp"

namespace gradus::test {

/// Rows without a sentence for more than the 32 that a warp clears, and for both warps of a block.
inline SsruCase many_spare_rows_case() { return {{2, 1}, 3, 99}; }

template <class F>
void each_ssru_kernel(F&& f) {
  const KernelOptions large{{}, true};
  f(SsruCase{}, KernelOptions{});
  f(SsruCase{{3, 1, 4}, 5, 2, false}, KernelOptions{});
  f(empty_sentences_case(), KernelOptions{});
  f(SsruCase{{1}, 1, 0}, KernelOptions{});
  f(SsruCase{{}, 3, 4}, KernelOptions{});
  f(SsruCase{{5, 2, 40}, 130, 1}, large);  // three blocks of columns
  f(many_spare_rows_case(), large);
  f(SsruSublayerCase{}, large);
}

}  // namespace gradus::test
