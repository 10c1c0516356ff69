#include "app/import/marian_weights.hpp"

#include <algorithm>
#include <cmath>

#include "09_transformer/model.hpp"
#include "app/import/model_rows.hpp"
#include "app/import/tensor_reader.hpp"
#include "gradus/device/device.hpp"

namespace gradus {
namespace {

using TensorNames = std::vector<std::string>;

template <class Real>
class MarianReader : public TensorReader<Real, SafetensorsFile> {
  using Base = TensorReader<Real, SafetensorsFile>;
  using Base::file_, Base::refuse;
  using Dev = Cpu<Real>;

 public:
  MarianReader(const SafetensorsFile& file, const MarianConfig& config, const std::vector<std::size_t>& rows)
      : Base(file), config_(config), rows_(rows) {}

  using Base::values;

  void vector(Out<Dev, 1> to, const std::string& name) {
    const std::vector<Real> from = values(name, {to.extent[0]});
    std::copy(from.begin(), from.end(), to.data);
  }

  /// w (in, out) from PyTorch's (out, in).
  void linear(const LinearParams<Dev>& p, const std::string& name) {
    const auto [in, out] = p.w.extent;
    const std::vector<Real> from = values(name + ".weight", {out, in});
    for (std::size_t i = 0; i < in; ++i) {
      for (std::size_t j = 0; j < out; ++j) p.w.row(i)[j] = from[j * in + i];
    }
    vector(p.b, name + ".bias");
  }

  void norm(const NormParams<Dev>& p, const std::string& name) {
    vector(p.gamma, name + ".weight");
    vector(p.beta, name + ".bias");
  }

  void attention(const AttentionParams<Dev>& p, const std::string& name) {
    const std::size_t D = config_.model.d_model;
    std::size_t first = 0;
    for (const char* const map : {".q_proj", ".k_proj", ".v_proj"}) {
      linear(packed_columns(p, first, D), name + map);
      first += D;
    }
    linear(output_projection(p), name + ".out_proj");
  }

  void feed_forward(const FeedForwardParams<Dev>& p, const std::string& layer) {
    linear(p.inner, layer + ".fc1");
    linear(p.outer, layer + ".fc2");
  }

  /// The table of the first of these names that the file has; if it is tied, all that the file has must be equal.
  void table(Out<Dev, 2> to, const TensorNames& names, bool tied) {
    const std::size_t D = config_.model.d_model;
    std::vector<Real> from;
    std::string first;
    for (const std::string& name : names) {
      if (!file_.has(name)) continue;
      const std::vector<Real> own = values(name, {config_.vocab, D});
      if (tied && !first.empty() && own != from)
        refuse(name, "differs from " + first + ", but config.json ties them");
      if (first.empty()) from = own, first = name;
    }
    if (first.empty()) refuse(names.front(), "is missing");
    rows_of_table<Dev>(to, from, rows_);
  }

  void output_bias(Out<Dev, 1> to) {
    words_of_bias<Dev>(to, values("final_logits_bias", {1, config_.vocab}), rows_);
  }

  /// The table of positions is no parameter of ours, so the file's must be the one that the model will compute.
  void check_positions(const std::string& name) {
    if (!file_.has(name)) return;
    const ModelConfig& m = config_.model;
    const std::vector<Real> stored = values(name, {m.max_length, m.d_model});
    Dev dev;
    const Out<Dev, 2> table = dev.kept.matrix(m.max_length, m.d_model);
    fill_positions(dev, table, m.positions);
    constexpr double rounding = 1e-3;  // of half precision, in which a file may have them
    for (std::size_t k = 0; k < stored.size(); ++k) {
      const Real own = table.row(k / m.d_model)[k % m.d_model];
      if (!(std::abs(stored[k] - own) < rounding)) refuse(name, "is not the table of sines and cosines");
    }
  }

 private:
  const MarianConfig& config_;
  const std::vector<std::size_t>& rows_;
};

template <class Real>
void read_tables(MarianReader<Real>& reader, const TransformerParams<Cpu<Real>>& p, Tying tying) {
  const std::string shared = "model.shared.weight", source = "model.encoder.embed_tokens.weight",
                    target = "model.decoder.embed_tokens.weight", output = "lm_head.weight";
  if (tying == Tying::all) {
    reader.table(p.source_embedding, {shared, source, target, output}, true);
  } else {
    reader.table(p.source_embedding, {source, shared}, false);
    reader.table(p.target_embedding, {target, shared}, false);
    reader.table(p.output.table, {output}, false);
  }
  reader.output_bias(p.output.bias);
  reader.check_positions("model.encoder.embed_positions.weight");
  reader.check_positions("model.decoder.embed_positions.weight");
}

template <class Real>
void read_encoder(MarianReader<Real>& reader, const EncoderParams<Cpu<Real>>& p) {
  for (std::size_t l = 0; l < p.layers.size(); ++l) {
    const std::string name = "model.encoder.layers." + std::to_string(l);
    reader.attention(p.layers[l].self_attention, name + ".self_attn");
    reader.norm(p.layers[l].self_attention_norm, name + ".self_attn_layer_norm");
    reader.feed_forward(p.layers[l].feed_forward, name);
    reader.norm(p.layers[l].feed_forward_norm, name + ".final_layer_norm");
  }
}

template <class Real>
void read_decoder(MarianReader<Real>& reader, const DecoderParams<Cpu<Real>>& p) {
  for (std::size_t l = 0; l < p.layers.size(); ++l) {
    const std::string name = "model.decoder.layers." + std::to_string(l);
    reader.attention(p.layers[l].self_attention, name + ".self_attn");
    reader.norm(p.layers[l].self_attention_norm, name + ".self_attn_layer_norm");
    reader.attention(p.layers[l].cross_attention, name + ".encoder_attn");
    reader.norm(p.layers[l].cross_attention_norm, name + ".encoder_attn_layer_norm");
    reader.feed_forward(p.layers[l].feed_forward, name);
    reader.norm(p.layers[l].feed_forward_norm, name + ".final_layer_norm");
  }
}

}  // namespace

template <class Real>
std::vector<Real> marian_weights(const SafetensorsFile& file, const MarianConfig& config,
                                 const std::vector<std::size_t>& rows) {
  const Layout layout = transformer_layout<Cpu<Real>>(config.model);
  check_count(file, layout.size());
  std::vector<Real> weights(layout.size());
  Binder<Cpu<Real>> bind(layout, {weights.data(), {weights.size()}, weights.size()});
  const auto p = transformer_params(bind, config.model);
  MarianReader<Real> reader(file, config, rows);
  read_tables(reader, p, config.model.tying);
  read_encoder(reader, p.encoder);
  read_decoder(reader, p.decoder);
  reader.check_all_read([](const std::string&) { return false; });
  return weights;
}

template std::vector<float> marian_weights(const SafetensorsFile&, const MarianConfig&,
                                           const std::vector<std::size_t>&);
template std::vector<double> marian_weights(const SafetensorsFile&, const MarianConfig&,
                                            const std::vector<std::size_t>&);

}  // namespace gradus
