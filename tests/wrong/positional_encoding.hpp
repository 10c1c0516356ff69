#pragma once
/// \file
/// Wrong positions.

#include <algorithm>
#include <cmath>

#include "02_positional_encoding/embed.hpp"
#include "02_positional_encoding/sinusoids_in_halves.hpp"

namespace gradus::wrong {

/// Writes sin(p / sine_base(d)) and cos(p / cosine_base(d)) into the even and odd columns of `table`.
template <class Real, class Sine, class Cosine>
void fill_waves(View<Real, 2, Host> table, Sine sine_base, Cosine cosine_base) {
  for (std::size_t p = 0; p < table.extent[0]; ++p) {
    for (std::size_t d = 0; d < table.extent[1]; ++d) {
      const double at = static_cast<double>(p), column = static_cast<double>(d);
      const double value = d % 2 == 0 ? std::sin(at / sine_base(column)) : std::cos(at / cosine_base(column));
      table.row(p)[d] = Real(value);
    }
  }
}

/// Doubles an index that already steps by two, and gives the cosine of a pair another frequency than the sine.
/// twin: doubled-index 02_positional_encoding tutorial golden parity
template <class Base>
struct DoubledIndex : Base {
  static inline int calls = 0;
};
template <class Base>
void sinusoids(DoubledIndex<Base>& dev, Out<Base, 2> table) {
  ++dev.calls;
  check_sinusoids<Base>(table);
  const double D = static_cast<double>(table.extent[1]);
  const auto base = [D](double d) { return std::pow(10000, 2 * d / D); };
  fill_waves(table, base, base);
}

/// The right exponents, but a base of 1000.
/// twin: other-base 02_positional_encoding own golden -parity -contract
template <class Base>
struct OtherBase : Base {
  static inline int calls = 0;
};
template <class Base>
void sinusoids(OtherBase<Base>& dev, Out<Base, 2> table) {
  ++dev.calls;
  check_sinusoids<Base>(table);
  const double D = static_cast<double>(table.extent[1]);
  fill_waves(
      table, [D](double d) { return std::pow(1000, d / D); },
      [D](double d) { return std::pow(1000, (d - 1) / D); });
}

/// Silently accepts an odd width and leaves the last sine without its cosine.
/// twin: odd-width-accepted 02_positional_encoding tutorial contract -golden -parity
template <class Base>
struct OddWidthAccepted : Base {
  static inline int calls = 0;
};
template <class Base>
void sinusoids(OddWidthAccepted<Base>& dev, Out<Base, 2> table) {
  ++dev.calls;
  const double D = static_cast<double>(table.extent[1]);
  fill_waves(
      table, [D](double d) { return std::pow(10000, d / D); },
      [D](double d) { return std::pow(10000, (d - 1) / D); });
}

/// The columns of the paper's table where a model has its sines first.
/// twin: in-pairs 02_positional_encoding own golden parity
template <class Base>
struct InPairs : Base {
  static inline int calls = 0;
};
template <class Base>
void sinusoids_in_halves(InPairs<Base>& dev, Out<Base, 2> table, HalvesSteps) {
  ++dev.calls;
  gradus::sinusoids(static_cast<Base&>(dev), table);
}

/// Accepts a sentence longer than the table, and gives its end the last position.
/// twin: too-long-accepted 02_positional_encoding tutorial contract -golden -parity -finite-differences -dual-numbers
template <class Base>
struct TooLongAccepted : Base {
  static inline int calls = 0;
};
template <class Base>
void position_forward(TooLongAccepted<Base>& dev, Out<Base, 2> y, In<Base, 2> x, const Segments<Base>& sentences,
                      Ints<Base, 1> first, In<Base, 2> positions) {
  ++dev.calls;
  check_shape("position: y", y, x.extent);
  check_shape("position: x", x, {sentences.rows, positions.extent[1]});
  for (std::size_t n = 0; n < x.extent[0]; ++n) std::copy_n(x.row(n), x.extent[1], y.row(n));
  for (std::size_t i = 0; i < sentences.sentences(); ++i) {
    for (std::int32_t j = 0; j < sentences.length[i]; ++j) {
      const auto p = std::min(static_cast<std::size_t>(first_position(first, i) + j), positions.extent[0] - 1);
      const auto n = static_cast<std::size_t>(sentences.begin[i] + j);
      for (std::size_t d = 0; d < x.extent[1]; ++d) y.row(n)[d] += positions.row(p)[d];
    }
  }
}

/// Counts positions through the whole batch instead of from each sentence's beginning.
/// twin: positions-not-restarted 02_positional_encoding own golden parity -finite-differences -dual-numbers
template <class Base>
struct PositionsNotRestarted : Base {
  static inline int calls = 0;
};
template <class Base>
void position_forward(PositionsNotRestarted<Base>& dev, Out<Base, 2> y, In<Base, 2> x,
                      const Segments<Base>& sentences, Ints<Base, 1> first, In<Base, 2> positions) {
  ++dev.calls;
  gradus::position_forward(static_cast<Base&>(dev), y, x, sentences, first, positions);  // checks, and spare rows
  for (std::size_t i = 0; i < sentences.sentences(); ++i) {
    for (std::int32_t j = 0; j < sentences.length[i]; ++j) {
      const auto n = static_cast<std::size_t>(sentences.begin[i] + j);
      const auto* const right = positions.row(static_cast<std::size_t>(first_position(first, i) + j));
      const auto* const wrong = positions.row(n % positions.extent[0]);
      for (std::size_t d = 0; d < x.extent[1]; ++d) y.row(n)[d] += wrong[d] - right[d];
    }
  }
}

/// Begins every sentence at position 0 and ignores `first`: a decoder that works word by word sees only beginnings.
/// twin: first-ignored 02_positional_encoding own golden parity -finite-differences -dual-numbers
template <class Base>
struct FirstIgnored : Base {
  static inline int calls = 0;
};
template <class Base>
void position_forward(FirstIgnored<Base>& dev, Out<Base, 2> y, In<Base, 2> x, const Segments<Base>& sentences,
                      Ints<Base, 1>, In<Base, 2> positions) {
  ++dev.calls;
  gradus::position_forward(static_cast<Base&>(dev), y, x, sentences, Ints<Base, 1>{}, positions);
}

}  // namespace gradus::wrong
