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

template <class Real>
class StudentReader : public TensorReader<Real, MarianFile> {
  using Base = TensorReader<Real, MarianFile>;
  using Base::file_, Base::refuse;
  using Dev = Cpu<Real>;

 public:
  StudentReader(const MarianFile& file, const ModelConfig& config)
      : Base(file), config_(config), rows_(student_rows(words())) {}

  using Base::values;

  void vector(Out<Dev, 1> to, const std::string& name) {
    const std::vector<Real> from = values(name, {1, to.extent[0]});
    std::copy(from.begin(), from.end(), to.data);
  }

  /// w (in, out); an int8 matrix is stored by columns.
  void matrix(Out<Dev, 2> to, const std::string& name) {
    const auto [in, out] = to.extent;
    const std::vector<Real> from = values(name, {in, out});
    const bool by_columns = file_.type(name) == MarianFile::Type::intgemm;
    for (std::size_t i = 0; i < in; ++i) {
      for (std::size_t j = 0; j < out; ++j) to.row(i)[j] = from[by_columns ? j * in + i : i * out + j];
    }
  }

  void linear(const LinearParams<Dev>& p, const std::string& matrix_name, const std::string& bias_name) {
    matrix(p.w, matrix_name);
    vector(p.b, bias_name);
  }

  void norm(const NormParams<Dev>& p, const std::string& name, const std::string& place = "") {
    vector(p.gamma, name + "_ln_scale" + place);
    vector(p.beta, name + "_ln_bias" + place);
  }

  /// Reads the norms of a stack between these two calls. With pre-norm the file has one before each sublayer and one at the top; ours is
  /// the first norm, and then one after each sublayer, which the next sublayer reads.
  void begin_stack(const NormParams<Dev>& first_norm) { before_ = first_norm; }
  void end_stack(const std::string& name) {
    if (config_.norm == Norm::pre) norm(before_, name + "_top");
  }

  /// The norm of a sublayer: ours, and its names in the file if it stands before or after the sublayer.
  void norm_of(const NormParams<Dev>& after, const std::string& name_before, const std::string& name_after) {
    switch (config_.norm) {
      case Norm::pre:
        norm(before_, name_before, "_pre");
        before_ = after;
        break;
      case Norm::post:
        norm(after, name_after);
        break;
    }
  }

  void attention(const AttentionParams<Dev>& p, const NormParams<Dev>& after, const std::string& name) {
    const std::size_t D = p.wo.extent[0];
    std::size_t first = 0;
    for (const char* const map : {"q", "k", "v"}) {
      linear(packed_columns(p, first, D), name + "_W" + map, name + "_b" + map);
      first += D;
    }
    linear(output_projection(p), name + "_Wo", name + "_bo");
    norm_of(after, name + "_Wo", name + "_Wo");
  }

  void ssru(const SsruParams<Dev>& p, const NormParams<Dev>& after, const std::string& name) {
    matrix(p.input.w, name + "_W");
    linear(p.forget, name + "_Wf", name + "_bf");
    norm_of(after, name, name + "_ffn");
  }

  void feed_forward(const FeedForwardParams<Dev>& p, const NormParams<Dev>& after, const std::string& name) {
    linear(p.inner, name + "_W1", name + "_b1");
    linear(p.outer, name + "_W2", name + "_b2");
    norm_of(after, name + "_ffn", name + "_ffn");
  }

  /// A table of words; the file has one for both sides, or one for each.
  void embedding(Out<Dev, 2> to, const std::string& side) {
    const std::string one = "Wemb";
    const bool is_shared = config_.tying == Tying::all || file_.has(one);
    rows_of_table<Dev>(to, values(is_shared ? one : side + "_" + one, {words(), config_.d_model}), rows_);
  }

  void output(const OutputParams<Dev>& p) {
    const std::string name = "decoder_ff_logit_out";
    if (config_.tying == Tying::none) rows_of_table<Dev>(p.table, output_table(name), rows_);
    words_of_bias<Dev>(p.bias, values(name + "_b", {1, words()}), rows_);
  }

 private:
  std::size_t words() const { return config_.target_vocab - 2; }  ///< of the file, which has no <pad> and no <bos>

  /// Files of early versions have it by columns.
  std::vector<Real> output_table(const std::string& name) {
    const std::string by_rows = name + "_Wt", by_columns = name + "_W";
    const bool has_rows = !file_.has(by_columns);
    const std::string& stored = has_rows ? by_rows : by_columns;
    if (file_.has(stored) && file_.type(stored) == MarianFile::Type::intgemm)
      refuse(stored, "has int8 values; a table of the output is read in float only");
    const std::size_t D = config_.d_model;
    if (has_rows) return values(stored, {words(), D});
    const std::vector<Real> from = values(stored, {D, words()});
    std::vector<Real> rows(from.size());
    for (std::size_t k = 0; k < from.size(); ++k) rows[k % words() * D + k / words()] = from[k];
    return rows;
  }

  const ModelConfig& config_;
  std::vector<std::size_t> rows_;
  NormParams<Dev> before_;
};

template <class Real>
void read_encoder(StudentReader<Real>& reader, const EncoderParams<Cpu<Real>>& p) {
  reader.begin_stack(p.first_norm);
  for (std::size_t l = 0; l < p.layers.size(); ++l) {
    const std::string name = "encoder_l" + std::to_string(l + 1);
    reader.attention(p.layers[l].self_attention, p.layers[l].self_attention_norm, name + "_self");
    reader.feed_forward(p.layers[l].feed_forward, p.layers[l].feed_forward_norm, name + "_ffn");
  }
  reader.end_stack("encoder");
}

template <class Real>
void read_decoder(StudentReader<Real>& reader, const DecoderParams<Cpu<Real>>& p, DecoderUnit unit) {
  reader.begin_stack(p.first_norm);
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
  reader.end_stack("decoder");
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
std::vector<Real> student_weights(const MarianFile& file, const ModelConfig& config) {
  const Layout layout = transformer_layout<Cpu<Real>>(config);
  check_count(file, layout.size());
  std::vector<Real> weights(layout.size());
  Binder<Cpu<Real>> bind(layout, {weights.data(), {weights.size()}, weights.size()});
  const auto p = transformer_params(bind, config);
  StudentReader<Real> reader(file, config);
  reader.embedding(p.source_embedding, "encoder");
  if (config.tying != Tying::all) reader.embedding(p.target_embedding, "decoder");
  reader.output(p.output);
  read_encoder(reader, p.encoder);
  read_decoder(reader, p.decoder, config.decoder_unit);
  reader.check_all_read(
      [](const std::string& name) { return name == marian_configuration || ends_with(name, "_QuantMultA"); });
  return weights;
}

template std::vector<float> student_weights(const MarianFile&, const ModelConfig&);
template std::vector<double> student_weights(const MarianFile&, const ModelConfig&);

}  // namespace gradus
