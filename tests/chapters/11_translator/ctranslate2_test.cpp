// model.bin of an exported model: read back by a small reader of the format.

#include "app/export/ctranslate2.hpp"

#include <cmath>
#include <cstring>
#include <map>

#include "chapters/11_translator/export_models.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

struct ReadTensor {
  std::vector<std::size_t> shape;
  int type = 0;
  std::string bytes;

  float value(std::size_t i) const {
    float x;
    std::memcpy(&x, bytes.data() + 4 * i, sizeof x);
    return x;
  }
};

/// Reads model.bin as CTranslate2 does.
class Reader {
 public:
  explicit Reader(std::string bytes) : bytes_(std::move(bytes)) {
    CHECK(number(4) == 6);
    CHECK(name() == "TransformerSpec");
    CHECK(number(4) == 7);
    for (std::size_t n = number(4); n > 0; --n) {
      ReadTensor& t = tensors[name()];
      t.shape.resize(number(1));
      for (std::size_t& size : t.shape) size = number(4);
      t.type = static_cast<int>(number(1));
      t.bytes = take(number(4));
    }
    for (std::size_t n = number(4); n > 0; --n) {
      const std::string alias = name();
      aliases[alias] = name();
    }
    CHECK(at_ == bytes_.size());
  }

  std::map<std::string, ReadTensor> tensors;
  std::map<std::string, std::string> aliases;

 private:
  std::string take(std::size_t count) {
    REQUIRE(at_ + count <= bytes_.size());
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }
  std::size_t number(std::size_t bytes) {
    std::size_t value = 0;
    const std::string taken = take(bytes);
    for (std::size_t i = bytes; i-- > 0;) value = 256 * value + static_cast<unsigned char>(taken[i]);
    return value;
  }
  std::string name() {
    const std::string text = take(number(2));
    REQUIRE(!text.empty());
    CHECK(text.back() == '\0');
    return text.substr(0, text.size() - 1);
  }

  std::string bytes_;
  std::size_t at_ = 0;
};

/// Compares a tensor of the file with columns of a parameter: CTranslate2 stores the transpose of a linear map.
void check_linear(const Reader& file, const std::string& name, const ModelFiles& files,
                  const std::string& parameter, std::size_t first, std::size_t count) {
  INFO(name << " and " << parameter);
  const Layout layout = transformer_layout<Cpu<float>>(files.config);
  const Slice& slice = layout.find(parameter);
  const std::size_t in = slice.shape[0], out = slice.shape[1];
  const ReadTensor& t = file.tensors.at(name);
  REQUIRE(t.shape == std::vector<std::size_t>{count, in});
  CHECK(t.type == 0);
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t i = 0; i < in; ++i)
      CHECK(t.value(j * in + i) == files.weights[slice.offset + i * out + first + j]);
  }
}

/// Compares it with a part of a parameter, in the same order.
void check_same(const Reader& file, const std::string& name, const ModelFiles& files, const std::string& parameter,
                std::size_t first = 0) {
  INFO(name << " and " << parameter);
  const Layout layout = transformer_layout<Cpu<float>>(files.config);
  const ReadTensor& t = file.tensors.at(name);
  const std::size_t offset = layout.find(parameter).offset + first;
  for (std::size_t i = 0; i < t.bytes.size() / 4; ++i) CHECK(t.value(i) == files.weights[offset + i]);
}

}  // namespace

TEST_CASE("export: a file of CTranslate2, byte by byte") {
  const float values[] = {1, 2, 3, 4, 5, 6};
  CTranslate2File file;
  file.add("b", std::int8_t{-1});
  file.add("a", std::int16_t{258});
  file.add_transposed("m", View<const float, 2, Host>{values, {2, 2}, 3});  // the first two of three columns
  file.add_alias("z", "m");
  const std::string expected(
      "\6\0\0\0"
      "\20\0TransformerSpec\0"
      "\7\0\0\0"
      "\3\0\0\0"
      "\2\0a\0"
      "\0"
      "\2"
      "\2\0\0\0"
      "\2\1"
      "\2\0b\0"
      "\0"
      "\1"
      "\1\0\0\0"
      "\377"
      "\2\0m\0"
      "\2"
      "\2\0\0\0"
      "\2\0\0\0"
      "\0"
      "\20\0\0\0"
      "\0\0\200\77"
      "\0\0\200\100"
      "\0\0\0\100"
      "\0\0\240\100"  // 1 4 2 5
      "\1\0\0\0"
      "\2\0z\0"
      "\2\0m\0",
      30 + 12 + 11 + 34 + 12);
  CHECK(file.bytes() == expected);
  CHECK_THROWS(file.add("a", std::int8_t{0}));
}

TEST_CASE("export: pre-norm, each norm belongs to the sublayer after it, and the last one to the stack") {
  const ModelFiles files = tiny_files(small_config(Norm::pre), true);
  const Reader file(ctranslate2_tensors(files).bytes());
  check_same(file, "encoder/layer_0/self_attention/layer_norm/gamma", files, "encoder.first_norm.gamma");
  check_same(file, "encoder/layer_0/ffn/layer_norm/beta", files, "encoder.0.self_attention_norm.beta");
  check_same(file, "encoder/layer_norm/gamma", files, "encoder.0.feed_forward_norm.gamma");
  check_same(file, "decoder/layer_0/self_attention/layer_norm/gamma", files, "decoder.first_norm.gamma");
  check_same(file, "decoder/layer_0/attention/layer_norm/gamma", files, "decoder.0.self_attention_norm.gamma");
  check_same(file, "decoder/layer_0/ffn/layer_norm/gamma", files, "decoder.0.cross_attention_norm.gamma");
  check_same(file, "decoder/layer_1/self_attention/layer_norm/gamma", files, "decoder.0.feed_forward_norm.gamma");
  check_same(file, "decoder/layer_norm/beta", files, "decoder.1.feed_forward_norm.beta");
  CHECK(file.tensors.at("decoder/pre_norm").bytes == std::string(1, '\1'));
  CHECK(file.tensors.at("decoder/num_heads").bytes == std::string("\2\0", 2));
  CHECK(file.tensors.at("encoder/activation").bytes == std::string(1, '\0'));
  CHECK(file.tensors.count("encoder/layer_0/self_attention/linear_0/bias") == 0);
}

TEST_CASE("export: post-norm, each norm belongs to the sublayer before it, and no stack has one") {
  ModelConfig c = small_config(Norm::post);
  c.activation = Activation::gelu;
  c.scale_embedding = false;
  const ModelFiles files = tiny_files(c, true);
  const Reader file(ctranslate2_tensors(files).bytes());
  check_same(file, "encoder/layer_0/self_attention/layer_norm/gamma", files, "encoder.0.self_attention_norm.gamma");
  check_same(file, "decoder/layer_1/attention/layer_norm/beta", files, "decoder.1.cross_attention_norm.beta");
  check_same(file, "decoder/layer_1/ffn/layer_norm/gamma", files, "decoder.1.feed_forward_norm.gamma");
  CHECK(file.tensors.count("encoder/layer_norm/gamma") == 0);
  CHECK(file.tensors.at("encoder/pre_norm").bytes == std::string(1, '\0'));
  CHECK(file.tensors.at("encoder/scale_embeddings").bytes == std::string(1, '\0'));
  CHECK(file.tensors.at("decoder/activation").bytes == std::string(1, '\3'));  // GELU with erf
}

TEST_CASE("export: swish has its number in CTranslate2") {
  ModelConfig c = small_config(Norm::post);
  c.activation = Activation::swish;
  const Reader file(ctranslate2_tensors(tiny_files(c, true)).bytes());
  CHECK(file.tensors.at("encoder/activation").bytes == std::string(1, '\2'));
}

TEST_CASE("export: every linear map is transposed, with its bias") {
  ModelConfig c = small_config(Norm::pre);
  c.attention_bias = c.output_bias = true;
  const ModelFiles files = tiny_files(c, true);
  const Reader file(ctranslate2_tensors(files).bytes());
  const std::string layer = "decoder/layer_1/", own = "decoder.1.";
  check_linear(file, layer + "self_attention/linear_0/weight", files, own + "self_attention.wqkv", 0, 12);
  check_linear(file, layer + "self_attention/linear_1/weight", files, own + "self_attention.wo", 0, 4);
  check_linear(file, layer + "attention/linear_0/weight", files, own + "cross_attention.wqkv", 0, 4);
  check_linear(file, layer + "attention/linear_1/weight", files, own + "cross_attention.wqkv", 4, 8);
  check_linear(file, layer + "attention/linear_2/weight", files, own + "cross_attention.wo", 0, 4);
  check_linear(file, layer + "ffn/linear_0/weight", files, own + "feed_forward.inner.w", 0, 3);
  check_linear(file, layer + "ffn/linear_1/weight", files, own + "feed_forward.outer.w", 0, 4);
  check_same(file, layer + "self_attention/linear_0/bias", files, own + "self_attention.bqkv");
  check_same(file, layer + "attention/linear_0/bias", files, own + "cross_attention.bqkv");
  check_same(file, layer + "attention/linear_1/bias", files, own + "cross_attention.bqkv", 4);
  check_same(file, layer + "attention/linear_2/bias", files, own + "cross_attention.bo");
  check_same(file, layer + "ffn/linear_1/bias", files, own + "feed_forward.outer.b");
  check_same(file, "decoder/projection/bias", files, "output_bias");
  CHECK(file.tensors.at(layer + "attention/linear_1/bias").shape == std::vector<std::size_t>{8});
}

TEST_CASE("export: a tied table is written once, and positions are a table") {
  const auto with = [](Tying tying, Positions positions) {
    ModelConfig c = small_config(Norm::pre);
    c.tying = tying;
    c.positions = positions;
    const ModelFiles files = tiny_files(c, tying == Tying::all);
    Reader file(ctranslate2_tensors(files).bytes());
    if (tying == Tying::none) check_same(file, "decoder/projection/weight", files, "output");
    if (tying != Tying::all) check_same(file, "encoder/embeddings_0/weight", files, "source_embedding");
    if (tying != Tying::all) check_same(file, "decoder/embeddings/weight", files, "target_embedding");
    return file;
  };
  const Reader all = with(Tying::all, Positions::sinusoids), some = with(Tying::output, Positions::none),
               none = with(Tying::none, Positions::sinusoids);
  CHECK(all.aliases.at("encoder/embeddings_0/weight") == "decoder/embeddings/weight");
  CHECK(all.aliases.at("decoder/projection/weight") == "decoder/embeddings/weight");
  CHECK(some.aliases.count("encoder/embeddings_0/weight") == 0);
  CHECK(some.aliases.at("decoder/projection/weight") == "decoder/embeddings/weight");
  CHECK(none.aliases.size() == 1);
  CHECK(none.aliases.at("decoder/position_encodings/encodings") == "encoder/position_encodings/encodings");
  const ReadTensor& table = all.tensors.at("encoder/position_encodings/encodings");
  REQUIRE(table.shape == std::vector<std::size_t>{6, 4});
  CHECK(table.value(0) == 0);
  CHECK(table.value(1) == 1);
  CHECK(table.value(4) == static_cast<float>(std::sin(1.0)));
  CHECK(some.tensors.at("encoder/position_encodings/encodings").bytes == std::string(6 * 4 * 4, '\0'));
}
