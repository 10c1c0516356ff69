#include "app/import/student_config.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <system_error>

#include "app/import/flat_yaml.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

constexpr std::size_t own_words = 2;       // <pad> and <bos>
constexpr std::size_t longest_text = 512;  // Marian has no limit, because it computes positions when it needs them

/// A field that must have one of these values, as the file writes them. A field that may be missing has the first then.
struct FixedField {
  const char* name;
  bool is_needed;
  std::vector<const char*> values;  ///< "[]" is an empty list
};

const std::vector<FixedField>& fixed_fields() {
  static const std::vector<FixedField> all = {{"type", true, {"transformer"}},
                                              {"tied-embeddings-all", false, {"false", "true"}},
                                              {"tied-embeddings-src", false, {"false", "true"}},
                                              {"tied-embeddings", false, {"false", "true"}},
                                              {"transformer-preprocess", true, {"", "n"}},
                                              {"transformer-postprocess", true, {"dan", "da"}},
                                              {"transformer-postprocess-emb", false, {"d", ""}},
                                              {"transformer-postprocess-top", false, {"", "n"}},
                                              {"transformer-ffn-activation", true, {"relu", "swish"}},
                                              {"transformer-ffn-depth", false, {"2"}},
                                              {"transformer-decoder-ffn-depth", false, {"0", "2"}},
                                              {"transformer-decoder-dim-ffn", false, {"0"}},
                                              {"transformer-decoder-autoreg", true, {"rnn", "self-attention"}},
                                              {"transformer-no-projection", false, {"false"}},
                                              {"transformer-no-bias", false, {"false"}},
                                              {"transformer-no-affine", false, {"false"}},
                                              {"transformer-pool", false, {"false"}},
                                              {"transformer-rnn-projection", false, {"false"}},
                                              {"transformer-tied-layers", false, {"[]"}},
                                              {"transformer-train-position-embeddings", false, {"false"}},
                                              {"input-types", false, {"[]"}},
                                              {"layer-normalization", false, {"false"}},
                                              {"lemma-dim-emb", false, {"0"}},
                                              {"output-omit-bias", false, {"false"}},
                                              {"right-left", false, {"false"}},
                                              {"skip", false, {"false"}},
                                              {"ulr", false, {"false"}}};
  return all;
}

// Fields of other kinds of models, of training, or of what follows from others.
constexpr std::string_view without_effect[] = {"bert-train-type-embeddings",
                                               "bert-type-vocab-size",
                                               "dec-cell-base-depth",
                                               "dec-cell-high-depth",
                                               "dim-rnn",
                                               "enc-cell",
                                               "enc-cell-depth",
                                               "enc-type",
                                               "transformer-aan-activation",
                                               "transformer-aan-depth",
                                               "transformer-aan-nogate",
                                               "transformer-depth-scaling",
                                               "transformer-dim-aan",
                                               "transformer-guided-alignment-layer",
                                               "ulr-dim-emb",
                                               "ulr-trainable-transformation",
                                               "version"};
constexpr std::string_view sizes[] = {"dec-depth", "dim-emb", "enc-depth", "transformer-dim-ffn",
                                      "transformer-heads"};

class StudentFields {
 public:
  StudentFields(std::string_view text, const std::string& name)
      : values_(parse_flat_yaml(text, name)), name_(name) {}

  [[noreturn]] void refuse(const std::string& field, const std::string& what) const {
    fail(name_ + ": " + field + " " + what);
  }

  const FlatValue& needed(const std::string& field) const {
    const auto found = values_.find(field);
    if (found == values_.end()) refuse(field, "is missing");
    return found->second;
  }

  std::size_t size(const std::string& field) const { return number(field, needed(field)); }

  /// Two equal sizes.
  std::size_t size_of_both(const std::string& field) const {
    const FlatValue& value = needed(field);
    if (!value.is_list || value.words.size() != 2 || value.words[0] != value.words[1])
      refuse(field, "is " + shown(value) + ", but must be a list of two equal sizes");
    return number(field, {false, {value.words[0]}});
  }

  bool is(const std::string& field, const char* word) const { return needed(field) == FlatValue{false, {word}}; }
  bool is_true(const char* field) const { return values_.count(field) != 0 && is(field, "true"); }

  void check(const FixedField& field) const {
    if (!field.is_needed && values_.count(field.name) == 0) return;
    const FlatValue& value = needed(field.name);
    std::string list;
    for (const std::string word : field.values) {
      const FlatValue wanted = word == "[]" ? FlatValue{true, {}} : FlatValue{false, {word}};
      if (value == wanted) return;
      list += (list.empty() ? "" : " or ") + shown(wanted);
    }
    refuse(field.name, "is " + shown(value) + ", but must be " + list);
  }

  /// A field that is not known could change the model.
  void check_all_known() const {
    const auto in = [](const auto& list, const std::string& field) {
      return std::find(std::begin(list), std::end(list), field) != std::end(list);
    };
    for (const auto& [field, value] : values_) {
      const bool is_fixed = std::any_of(fixed_fields().begin(), fixed_fields().end(),
                                        [&, &name = field](const FixedField& f) { return name == f.name; });
      if (!is_fixed && !in(sizes, field) && !in(without_effect, field) && field != "dim-vocabs" &&
          field != "dec-cell")
        refuse(field, "is not known, so such a model cannot be imported");
    }
  }

 private:
  std::size_t number(const std::string& field, const FlatValue& value) const {
    std::uint32_t n = 0;
    const std::string& word = value.is_list ? std::string() : value.words.front();
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
    if (error != std::errc() || end != word.data() + word.size())
      refuse(field, "is " + shown(value) + ", which is no size");
    return n;
  }

  std::map<std::string, FlatValue> values_;
  const std::string& name_;
};

/// Marian normalises before the sublayers and at the top, or after the sublayers.
Norm norm_of_student(const StudentFields& fields) {
  const bool is_before = fields.is("transformer-preprocess", "n");
  fields.check({"transformer-postprocess", true, {is_before ? "da" : "dan"}});
  fields.check({"transformer-postprocess-top", is_before, {is_before ? "n" : ""}});
  return is_before ? Norm::pre : Norm::post;
}

Tying tying_of_student(const StudentFields& fields) {
  const bool is_output_tied = fields.is_true("tied-embeddings");
  if (fields.is_true("tied-embeddings-all") || (fields.is_true("tied-embeddings-src") && is_output_tied))
    return Tying::all;
  return is_output_tied ? Tying::output : Tying::none;
}

ModelConfig student_model(const StudentFields& fields) {
  ModelConfig m;
  m.source_vocab = m.target_vocab = fields.size_of_both("dim-vocabs") + own_words;
  m.d_model = fields.size("dim-emb"), m.heads = fields.size("transformer-heads");
  m.ffn = fields.size("transformer-dim-ffn");
  m.encoder_layers = fields.size("enc-depth"), m.decoder_layers = fields.size("dec-depth");
  m.norm = norm_of_student(fields);
  m.norm_epsilon = 1e-6;
  m.activation = fields.is("transformer-ffn-activation", "swish") ? Activation::swish : Activation::relu;
  m.tying = tying_of_student(fields);
  m.attention_bias = m.output_bias = true;
  m.positions = Positions::marian;
  m.max_length = longest_text;
  if (fields.is("transformer-decoder-autoreg", "rnn")) {
    if (!fields.is("dec-cell", "ssru"))
      fields.refuse("dec-cell", "is " + shown(fields.needed("dec-cell")) + ", but must be \"ssru\"");
    m.decoder_unit = DecoderUnit::ssru;
  }
  return m;
}

}  // namespace

ModelConfig parse_student_config(std::string_view text, const std::string& name) {
  const StudentFields fields(text, name);
  for (const FixedField& field : fixed_fields()) fields.check(field);
  fields.check_all_known();
  const ModelConfig m = student_model(fields);
  try {
    m.check();
  } catch (const Error& error) {
    fail(name + ": " + error.what());
  }
  return m;
}

}  // namespace gradus
