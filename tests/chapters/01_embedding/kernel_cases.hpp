#pragma once
/// \file
/// The kernels of chapter 01: `f(case, options)` for each case that judges them.

#include <utility>
#include <vector>

#include "chapters/01_embedding/lookup_case.hpp"
#include "support/kernels.hpp"

namespace gradus::test {

/// N ids, every second of which is the same word: its sorted rows fill many parts.
inline std::vector<std::int32_t> one_frequent_word(std::size_t N, std::size_t Vocab) {
  std::vector<std::int32_t> ids = some_ids(N, Vocab);
  for (std::size_t n = 0; n < N; n += 2) ids[n] = 2;
  return ids;
}

/// Sorted, the rows of word 1 fill the first part, and those of word 2 begin a part and go on in two more.
inline std::vector<std::int32_t> runs_that_begin_a_part() {
  std::vector<std::int32_t> ids;
  for (const auto& [id, count] : {std::pair{2, 20}, {1, 8}, {3, 5}})
    ids.insert(ids.end(), static_cast<std::size_t>(count), id);
  return ids;
}

template <class F>
void each_embedding_kernel(F&& f) {
  f(LookupCase{}, KernelOptions{});
  f(LookupCase{{4, 1, 4, 0}, 5, 3, {1, 4}}, KernelOptions{});
  f(LookupCase{some_ids(33, 5), 5, 7, {1, -1}}, KernelOptions{});
  f(LookupCase{std::vector<std::int32_t>(16, 1), 2, 4, {0.5, 0}}, KernelOptions{});  // one run, two whole parts
  f(LookupCase{runs_that_begin_a_part(), 4, 4, {1, 0}}, KernelOptions{});
  f(LookupCase{some_ids(70, 40), 40, 130, {2, 3}}, KernelOptions{{}, true});        // two blocks each way
  f(LookupCase{one_frequent_word(300, 7), 7, 6, {2, 0}}, KernelOptions{{}, true});  // carried over many parts
}

}  // namespace gradus::test
