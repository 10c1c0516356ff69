#include "09_transformer/initialise.hpp"

#include <cmath>

#include "gradus/random/philox.hpp"

namespace gradus {
namespace {

/// The draws of one parameter. They use dropout's Philox counters, with step 0, which training never takes.
struct Draw {
  std::uint64_t seed;
  std::uint32_t site;

  Philox4 words(std::size_t a, std::uint32_t b) const {
    return philox({static_cast<std::uint32_t>(a), b, site, 0}, seed);
  }

  /// A word as an odd integer, symmetric about 0: -(2^32 - 1) .. 2^32 - 1.
  static std::int64_t centred(std::uint32_t word) {
    return 2 * static_cast<std::int64_t>(word) + 1 - (std::int64_t{1} << 32);
  }

  /// Uniform between -bound and bound.
  double uniform(std::size_t element, double bound) const {
    return bound * 0x1p-32 * static_cast<double>(centred(words(element / 4, 0)[element % 4]));
  }

  /// Normal, as the sum of twelve uniform draws of variance 1/12 each. A formula with logarithm and cosine needs
  /// only two draws, but its last bits differ between machines; this sum is exact. No draw is beyond six sigma.
  double normal(std::size_t element, double sigma) const {
    std::int64_t sum = 0;
    for (std::uint32_t k = 1; k <= 3; ++k) {
      for (const std::uint32_t word : words(element, k)) sum += centred(word);
    }
    return sigma * 0x1p-33 * static_cast<double>(sum);
  }
};

struct Fans {
  double in, out;
};

/// The numbers of inputs and outputs of each linear map in a weight, or of a table (Vocab, D).
Fans fans(const Slice& s) {
  const auto rows = static_cast<double>(s.shape[0]), columns = static_cast<double>(s.shape[1]);
  if (s.kind == Kind::embedding) return {columns, rows};
  return {rows, columns / static_cast<double>(s.maps)};
}

double weight_value(const Draw& draw, std::size_t i, const Fans& f, const InitialisationOptions& options) {
  switch (options.weights) {
    case Initialisation::xavier:
      return draw.uniform(i, std::sqrt(6 / (f.in + f.out)));
    case Initialisation::kaiming:
      return draw.normal(i, std::sqrt(2 / f.in));
    case Initialisation::kaiming_uniform:
      return draw.uniform(i, std::sqrt(6 / f.in));
    case Initialisation::normal:
      return draw.normal(i, options.sigma);
    case Initialisation::pytorch:
      break;
  }
  return draw.uniform(i, 1 / std::sqrt(f.in));
}

}  // namespace

std::vector<double> initial_values(const Layout& layout, std::size_t index, const InitialisationOptions& options) {
  const Slice& slice = layout.slices()[index];
  const Draw draw{options.seed, static_cast<std::uint32_t>(index)};
  const bool pytorch = options.weights == Initialisation::pytorch;
  std::vector<double> values(slice.size(), slice.kind == Kind::gain ? 1.0 : 0.0);
  if (slice.kind == Kind::weight) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = weight_value(draw, i, fans(slice), options);
  } else if (slice.kind == Kind::embedding) {
    const std::size_t D = slice.shape[1];
    const std::size_t first = slice.has_padding_row ? D : 0;
    const double sigma = pytorch ? 1 : 1 / std::sqrt(static_cast<double>(D));
    const bool scaled = options.tables == TableInitialisation::scaled;
    for (std::size_t i = first; i < values.size(); ++i)
      values[i] = scaled ? draw.normal(i, sigma) : weight_value(draw, i, fans(slice), options);
  } else if ((pytorch || options.biases) && slice.kind == Kind::bias && slice.inputs != 0) {
    const double bound = 1 / std::sqrt(static_cast<double>(slice.inputs));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = draw.uniform(i, bound);
  }
  return values;
}

}  // namespace gradus
