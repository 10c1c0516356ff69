#include "app/import/student_weights.hpp"

#include <algorithm>

#include "09_transformer/model.hpp"
#include "app/import/model_rows.hpp"
#include "app/import/tensor_reader.hpp"
#include "gradus/device/device.hpp"
#include "gradus/text/specials.hpp"
#include "gradus/util/ends_with.hpp"

namespace gradus {
namespace {

constexpr const char* configuration = "special:model.yml";

template <class Real>
class StudentReader : public TensorReader<Real, MarianBinary> {
  using Base = TensorReader<Real, MarianBinary>;
  using Base::file_;
  using Dev = Cpu<Real>;

 public:
  using Base::Base, Base::values;

  void vector(Out<Dev, 1> to, const std::string& name) {
    const std::vector<Real> from = values(name, {1, to.extent[0]});
    std::copy(from.begin(), from.end(), to.data);
  }

  /// w (in, out); an int8 matrix is stored by columns.
  void matrix(Out<Dev, 2> to, const std::string& name) {
    const auto [in, out] = to.extent;
    const std::vector<Real> from = values(name, {in, out});
    const bool by_columns = file_.type(name) == MarianBinary::Type::intgemm;
    for (std::size_t i = 0; i < in; ++i) {
      for (std::size_t j = 0; j < out; ++j) to.row(i)[j] = from[by_columns ? j * in + i : i * out + j];
    }
  }

  void linear(const LinearParams<Dev>& p, const std::string& matrix_name, const std::string& bias_name) {
    matrix(p.w, matrix_name);
    vector(p.b, bias_name);
  }

  void norm(const NormParams<Dev>& p, const std::string& name) {
    vector(p.gamma, name + "_ln_scale");
    vector(p.beta, name + "_ln_bias");
  }

  void attention(const AttentionParams<Dev>& p, const NormParams<Dev>& after, const std::string& name) {
    const std::size_t D = p.wo.extent[0];
    std::size_t first = 0;
    for (const char* const map : {"q", "k", "v"}) {
      linear(packed_columns(p, first, D), name + "_W" + map, name + "_b" + map);
      first += D;
    }
    linear(output_projection(p), name + "_Wo", name + "_bo");
    norm(after, name + "_Wo");
  }

  void ssru(const SsruParams<Dev>& p, const NormParams<Dev>& after, const std::string& name) {
    matrix(p.input.w, name + "_W");
    linear(p.forget, name + "_Wf", name + "_bf");
    norm(after, name + "_ffn");
  }

  void feed_forward(const FeedForwardParams<Dev>& p, const NormParams<Dev>& after, const std::string& name) {
    linear(p.inner, name + "_W1", name + "_b1");
    linear(p.outer, name + "_W2", name + "_b2");
    norm(after, name + "_ffn");
  }
};

template <class Real>
void read_encoder(StudentReader<Real>& reader, const EncoderParams<Cpu<Real>>& p) {
  for (std::size_t l = 0; l < p.layers.size(); ++l) {
    const std::string name = "encoder_l" + std::to_string(l + 1);
    reader.attention(p.layers[l].self_attention, p.layers[l].self_attention_norm, name + "_self");
    reader.feed_forward(p.layers[l].feed_forward, p.layers[l].feed_forward_norm, name + "_ffn");
  }
}

template <class Real>
void read_decoder(StudentReader<Real>& reader, const DecoderParams<Cpu<Real>>& p, DecoderUnit unit) {
  for (std::size_t l = 0; l < p.layers.size(); ++l) {
    const std::string name = "decoder_l" + std::to_string(l + 1);
    const auto& layer = p.layers[l];
    switch (unit) {
      case DecoderUnit::attention:
        reader.attention(layer.self_attention, layer.self_attention_norm, name + "_self");
        break;
      case DecoderUnit::ssru:
        reader.ssru(layer.ssru, layer.self_attention_norm, name + "_rnn");
        break;
    }
    reader.attention(layer.cross_attention, layer.cross_attention_norm, name + "_context");
    reader.feed_forward(layer.feed_forward, layer.feed_forward_norm, name + "_ffn");
  }
}

}  // namespace

std::vector<std::size_t> student_rows(std::size_t count) {
  constexpr std::size_t eos = 0, unk = 1;
  constexpr Specials ours{};
  std::vector<std::size_t> rows(Specials::count, no_row);
  rows[ours.eos] = eos, rows[ours.unk] = unk;
  for (std::size_t id = unk + 1; id < count; ++id) rows.push_back(id);
  return rows;
}

template <class Real>
std::vector<Real> student_weights(const MarianBinary& file, const ModelConfig& config) {
  const Layout layout = transformer_layout<Cpu<Real>>(config);
  check_count(file, layout.size());
  std::vector<Real> weights(layout.size());
  Binder<Cpu<Real>> bind(layout, {weights.data(), {weights.size()}, weights.size()});
  const auto p = transformer_params(bind, config);
  const std::size_t words = config.target_vocab - 2;  // without <pad> and <bos>
  const std::vector<std::size_t> rows = student_rows(words);
  StudentReader<Real> reader(file);
  rows_of_table<Cpu<Real>>(p.source_embedding, reader.values("Wemb", {words, config.d_model}), rows);
  words_of_bias<Cpu<Real>>(p.output.bias, reader.values("decoder_ff_logit_out_b", {1, words}), rows);
  read_encoder(reader, p.encoder);
  read_decoder(reader, p.decoder, config.decoder_unit);
  reader.check_all_read(
      [](const std::string& name) { return name == configuration || ends_with(name, "_QuantMultA"); });
  return weights;
}

template std::vector<float> student_weights(const MarianBinary&, const ModelConfig&);
template std::vector<double> student_weights(const MarianBinary&, const ModelConfig&);

}  // namespace gradus
