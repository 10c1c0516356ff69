#pragma once
/// \file
/// A tile of a matrix product with 8-bit factors. Its sums are integers of 32 bits, so they are exact: every order of the additions,
/// and every processor, gives the same bits.

#include <cstdint>
#include <utility>

#include "gradus/ops/cpu/register_tile_cpu.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace gradus {

/// Integers of 32 bits: the sums of a tile, or small numbers that share their bits.
using Words = Vector<std::int32_t>;

/// The same bits as a vector of another type.
template <class To, class From>
To with_bits_of(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

// How a processor multiplies small integers. A word holds `group` neighbouring numbers of a row, which are added `offset`. `spread`
// reads a word's worth of weights for each column of a register, `add` adds the products of two words to the sum of each column.

/// Any processor: two numbers of 16 bits in a word.
struct PlainSteps {
  using Number = std::int16_t;
  static constexpr std::size_t group = sizeof(std::int32_t) / sizeof(Number);
  static constexpr int offset = 0;

  static Words spread(const std::int8_t* from) {
    using Bytes __attribute__((vector_size(register_bytes / 2))) = std::int8_t;
    Bytes bytes;
    std::memcpy(&bytes, from, sizeof bytes);
    return with_bits_of<Words>(__builtin_convertvector(bytes, Vector<std::int16_t>));
  }
  static Words add(Words sum, Words x, Words w) {
    const Words low = (x << 16 >> 16) * (w << 16 >> 16);  // the shifts copy the sign of the lower half
    return sum + low + (x >> 16) * (w >> 16);
  }
};

#if defined(__AVX512VNNI__) || (defined(__AVXVNNI__) && !defined(__AVX512F__))
/// An instruction for four numbers of 8 bits. Those of the rows have no sign there, hence the offset.
struct FastSteps {
  using Number = std::uint8_t;
  static constexpr std::size_t group = sizeof(std::int32_t) / sizeof(Number);
  static constexpr int offset = 128;

  static Words spread(const std::int8_t* from) {
    Words w;
    std::memcpy(&w, from, sizeof w);
    return w;
  }
  static Words add(Words sum, Words x, Words w) {
#if defined(__AVX512VNNI__)
    return with_bits_of<Words>(
        _mm512_dpbusd_epi32(with_bits_of<__m512i>(sum), with_bits_of<__m512i>(x), with_bits_of<__m512i>(w)));
#else
    return with_bits_of<Words>(
        _mm256_dpbusd_avx_epi32(with_bits_of<__m256i>(sum), with_bits_of<__m256i>(x), with_bits_of<__m256i>(w)));
#endif
  }
};
#elif defined(__AVX512BW__) || (defined(__AVX2__) && !defined(__AVX512F__))
/// An instruction for two numbers of 16 bits.
struct FastSteps : PlainSteps {
  static Words add(Words sum, Words x, Words w) {
#if defined(__AVX512BW__)
    return sum + with_bits_of<Words>(_mm512_madd_epi16(with_bits_of<__m512i>(x), with_bits_of<__m512i>(w)));
#else
    return sum + with_bits_of<Words>(_mm256_madd_epi16(with_bits_of<__m256i>(x), with_bits_of<__m256i>(w)));
#endif
  }
};
#else
struct FastSteps : PlainSteps {};
#endif

/// Columns of a panel of weights.
constexpr std::size_t panel_columns = tile_registers * vector_width<std::int32_t>;

template <class Steps, std::size_t... v>
inline void add_int8(Words* sum, const typename Steps::Number* numbers, const Words* w, std::index_sequence<v...>) {
  std::int32_t word;
  std::memcpy(&word, numbers, sizeof word);
  const Words x = Words{} + word;
  ((sum[v] = Steps::add(sum[v], x, w[v])), ...);
}

/// One step of the sums: a word of each row of a times a group of weights of each column.
template <class Steps, std::size_t... r>
inline void add_int8_rows(Words* sum, Strided<typename Steps::Number> a, const Words* w,
                          std::index_sequence<r...>) {
  constexpr auto registers = std::make_index_sequence<tile_registers>();
  (add_int8<Steps>(sum + r * tile_registers, a.data + r * a.stride, w, registers), ...);
}

template <class Steps, std::size_t... v>
inline void spread_row(Words* to, const std::int8_t* from, std::index_sequence<v...>) {
  ((to[v] = Steps::spread(from + v * vector_width<std::int32_t> * Steps::group)), ...);
}

/// computes  R rows by a panel of weights. Calls take(r, v, sum) with register v of row r, for all of them. The sums
///           still contain what the offset adds
/// requires  a.data, rows of numbers of which `groups` words are read; the panel's words in the order (groups, columns)
template <class Steps, int R, class Take>
inline void int8_tile(Strided<typename Steps::Number> a, const std::int8_t* panel, std::size_t groups, Take take) {
  constexpr auto all = std::make_index_sequence<R * tile_registers>();
  Words sum[R * tile_registers];
  clear(sum, all);
  for (std::size_t g = 0; g < groups; ++g) {
    Words w[tile_registers];
    spread_row<Steps>(w, panel + g * panel_columns * Steps::group, std::make_index_sequence<tile_registers>());
    add_int8_rows<Steps>(sum, {a.data + g * Steps::group, a.stride}, w, std::make_index_sequence<R>());
  }
  give_each<tile_registers>(sum, take, all);
}

}  // namespace gradus
