#pragma once
/// \file
/// The initial values of parameters: a function of seed, parameter and element alone, so a seed gives the same
/// model on every device and machine.

#include <cstdint>
#include <vector>

#include "gradus/ops/elementwise.hpp"
#include "gradus/params/layout.hpp"
#include "gradus/util/names.hpp"

namespace gradus {

/// How matrices of linear maps (in, out) are initialised. The first two keep the size of the values that flow
/// through them near 1, each under its own assumption; the others are those of well-known models and libraries.
enum class Initialisation {
  xavier,           ///< uniform, variance 2 / (in + out) (Glorot, Bengio 2010): balances forward and backward
  kaiming,          ///< normal, variance 2 / in (He et al. 2015): compensates for the half that ReLU sets to 0
  kaiming_uniform,  ///< the same variance, uniform
  normal,           ///< normal(0, sigma^2) for every shape, as GPT-2 and BERT do
  pytorch  ///< what torch.nn.Linear and torch.nn.Embedding do by default: uniform(+-1 / sqrt(in)), biases too;
           ///< embeddings normal(0, 1)
};

template <>
struct Names<Initialisation> {
  static constexpr const char* noun = "initialisation";
  static constexpr Name<Initialisation> table[] = {{Initialisation::xavier, "xavier"},
                                                   {Initialisation::kaiming, "kaiming"},
                                                   {Initialisation::kaiming_uniform, "kaiming-uniform"},
                                                   {Initialisation::normal, "normal"},
                                                   {Initialisation::pytorch, "pytorch"}};
};

/// How the tables (Vocab, D) are initialised: the embeddings and the output table.
enum class TableInitialisation {
  scaled,       ///< normal(0, 1 / D); Initialisation::pytorch: normal(0, 1)
  like_weights  ///< as a matrix with D inputs and Vocab outputs, which is what torch.nn.init makes of a table
};

template <>
struct Names<TableInitialisation> {
  static constexpr const char* noun = "initialisation of the tables";
  static constexpr Name<TableInitialisation> table[] = {{TableInitialisation::scaled, "scaled"},
                                                        {TableInitialisation::like_weights, "like-weights"}};
};

struct InitialisationOptions {
  Initialisation weights = Initialisation::xavier;
  double sigma = 0.02;  ///< of Initialisation::normal
  std::uint64_t seed = 1;
  TableInitialisation tables = TableInitialisation::scaled;
  /// Biases of linear maps start at uniform(+-1 / sqrt(in)), not at 0. Initialisation::pytorch: always.
  bool biases = false;
};

/// The initial values of parameter number `index` of the layout. Besides the matrices, by default: gains 1, biases 0,
/// and tables normal(0, 1 / D), so that a logit starts with variance 1. The padding row 0 of an embedding is always 0.
/// The three maps that are packed into one wqkv count as three.
std::vector<double> initial_values(const Layout& layout, std::size_t index, const InitialisationOptions& options);

/// Fills the flat vector `weights` (parameters) of that layout.
template <class Dev>
void initialise(Dev& dev, Out<Dev, 1> weights, const Layout& layout, const InitialisationOptions& options) {
  using Real = typename Dev::Real;
  for (std::size_t i = 0; i < layout.slices().size(); ++i) {
    const std::vector<double> values = initial_values(layout, i, options);
    write(dev, slice(weights, layout.slices()[i].offset, values.size()),
          std::vector<Real>(values.begin(), values.end()));
  }
}

}  // namespace gradus
