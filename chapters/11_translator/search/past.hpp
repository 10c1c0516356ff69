#pragma once
/// \file
/// The past: what decoding keeps of earlier words, keys and values or a state (elsewhere: KV cache). Each step appends rows, and
/// rows are copied when beams branch.
/// Sizes: R rows of the past, W columns (k | v, so 2 D), N rows to write.

#include <string>
#include <vector>

#include "gradus/device/device.hpp"
#include "gradus/tensor/check.hpp"
#include "gradus/tensor/view.hpp"

namespace gradus {

/// \defgroup past past
/// computes  past_append:  past[at[n]] = x[n]                                                      (eq:11.3)
///           past_select:  past[at[n]] = source[from[n]], from another past or other rows of this  (eq:11.4)
/// requires  past (R, W), x (N, W), source (any, W), at, from (N); at[n] in [-1, R); from[n] is a row of source if
///           at[n] is not -1; else Error. No row is written twice. x does not overlap the past. source may be the
///           past itself; then no row is both read and written, else Error.
///           Cuda checks only shapes, because the host cannot read the tables in device memory. Its kernel writes
///           no row that the past does not have, and NaN for a row that source does not have. It does not check
///           for rows that are both read and written. The tests check the tables with Cpu.
/// ensures   the rows in `at` are overwritten, the others are unchanged. at[n] = -1 means that beam n is finished
///           and writes nothing.
/// saves     nothing; decoding has no backward.
/// @{
template <class Device, class Dev = Device>
using PastAppend = void(Device& dev, Out<Dev, 2> past, In<Dev, 2> x, Ints<Dev, 1> at);
template <class Real, class Dev = Reference<Real>>
PastAppend<Reference<Real>, Dev> past_append;
template <class Real, class Dev = Cpu<Real>>
PastAppend<Cpu<Real>, Dev> past_append;
template <class Real, class Dev = Cuda<Real>>
PastAppend<Cuda<Real>, Dev> past_append;

template <class Device, class Dev = Device>
using PastSelect = void(Device& dev, Out<Dev, 2> past, In<Dev, 2> source, Ints<Dev, 1> from, Ints<Dev, 1> at);
template <class Real, class Dev = Reference<Real>>
PastSelect<Reference<Real>, Dev> past_select;
template <class Real, class Dev = Cpu<Real>>
PastSelect<Cpu<Real>, Dev> past_select;
template <class Real, class Dev = Cuda<Real>>
PastSelect<Cuda<Real>, Dev> past_select;
/// @}

/// Whether row `row` exists in a past of `rows` rows.
constexpr bool is_past_row(std::int64_t row, std::size_t rows) {
  return row >= 0 && row < static_cast<std::int64_t>(rows);
}

inline void check_past_row(const char* what, std::int64_t row, std::size_t rows) {
  if (is_past_row(row, rows)) return;
  fail(std::string(what) + " names row " + std::to_string(row) + " of " + std::to_string(rows));
}

/// Throws Error if a copy in place reads and writes the same row. The result would depend on the order of the
/// copies, and a GPU has no fixed order.
inline void check_in_place(View<const std::int32_t, 1, Host> from, View<const std::int32_t, 1, Host> at,
                           std::size_t rows) {
  std::vector<bool> written(at.extent[0] == 0 ? 0 : rows);
  for (std::size_t n = 0; n < at.extent[0]; ++n) {
    if (at[n] != -1) written[static_cast<std::size_t>(at[n])] = true;
  }
  for (std::size_t n = 0; n < at.extent[0]; ++n) {
    if (at[n] != -1 && written[static_cast<std::size_t>(from[n])]) {
      fail("past_select: row " + std::to_string(from[n]) + " of the past is both read and written");
    }
  }
}

/// The checks of shapes, the same on every device.
template <class Dev>
void check_append_shapes(Out<Dev, 2> past, In<Dev, 2> x, Ints<Dev, 1> at) {
  check_shape("past_append: x", x, {at.extent[0], past.extent[1]});
}

template <class Dev>
void check_select_shapes(Out<Dev, 2> past, In<Dev, 2> source, Ints<Dev, 1> from, Ints<Dev, 1> at) {
  check_shape("past_select: from", from, at.extent);
  check_shape("past_select: source", source, {source.extent[0], past.extent[1]});
}

/// The checks of shapes and tables, for the devices whose memory the host can read.
template <class Dev>
void check_past_append(Out<Dev, 2> past, In<Dev, 2> x, Ints<Dev, 1> at) {
  check_append_shapes<Dev>(past, x, at);
  for (std::size_t n = 0; n < at.extent[0]; ++n) {
    if (at[n] != -1) check_past_row("past_append: at", at[n], past.extent[0]);
  }
}

template <class Dev>
void check_past_select(Out<Dev, 2> past, In<Dev, 2> source, Ints<Dev, 1> from, Ints<Dev, 1> at) {
  check_select_shapes<Dev>(past, source, from, at);
  for (std::size_t n = 0; n < at.extent[0]; ++n) {
    if (at[n] == -1) continue;
    check_past_row("past_select: at", at[n], past.extent[0]);
    check_past_row("past_select: from", from[n], source.extent[0]);
  }
  if (past.data == source.data) check_in_place(from, at, past.extent[0]);
}

}  // namespace gradus
