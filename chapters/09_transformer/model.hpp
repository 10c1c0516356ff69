#pragma once
/// \file
/// A model that owns its memory: weights and positions, on one device.

#include <memory>
#include <type_traits>

#include "09_transformer/fill_positions.hpp"
#include "09_transformer/initialise.hpp"
#include "09_transformer/int8_weights.hpp"
#include "09_transformer/output_top_k.hpp"
#include "09_transformer/search_weights.hpp"
#include "09_transformer/transformer.hpp"
#include "gradus/device/specification.hpp"

namespace gradus {

/// The place of each parameter of such a model.
template <class Dev>
Layout transformer_layout(const ModelConfig& config) {
  config.check();
  Layout layout;
  Binder<Dev> declare(layout);
  transformer_params(declare, config);
  layout.finish();
  return layout;
}

template <class Dev>
class Model {
  static_assert(RequireDevice<Dev>::value);

 public:
  /// The weights are undefined until they are initialised or loaded.
  Model(Dev& dev, const ModelConfig& the_config)
      : config(the_config), layout(transformer_layout<Dev>(config)), values_(layout) {
    Binder<Dev> bind(layout, values_.flat());
    params = transformer_params(bind, config);
    const Out<Dev, 2> positions = memory_.matrix(config.max_length, config.d_model);
    fill_positions(dev, positions, config.positions);
    params.positions = positions;
  }

  /// For weights that do not change any more: copies the output table in the order in which decoding reads it or, for
  /// int8, all matrices in 8 bits. Error if the device has no such products.
  void freeze(Dev& dev, SearchWeights weights = SearchWeights::exact) {
    if (weights == SearchWeights::exact) return keep_panels(dev, memory_, params.output);
    if constexpr (std::is_same_v<typename Dev::Real, float> && std::is_same_v<typename Dev::Space, Host>) {
      const auto copies = std::make_shared<Int8Weights>();
      add_int8_weights<Dev>(*copies, params);
      int8_ = copies;
      params.int8 = copies.get();
    } else {
      fail("weights of 8 bits need a processor, and a model of float");
    }
  }

  const ModelConfig config;
  const Layout layout;
  TransformerParams<Dev> params;

  Out<Dev, 1> flat() const { return values_.flat(); }  ///< all weights, (parameters)

 private:
  FlatVector<Dev> values_;
  Workspace<typename Dev::Real, typename Dev::Space> memory_;
  std::shared_ptr<const Int8Weights> int8_;
};

}  // namespace gradus
