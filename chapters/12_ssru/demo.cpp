// The SSRU on "<bos> die Katze schläft", the decoder's input of chapter 08, and on a shorter second sentence. The tiny model has
// no SSRU, so its weights are made up.

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "00_foundations/tiny.hpp"
#include "12_ssru/ssru_sublayer.hpp"

using namespace gradus;
using tiny::D;
using tiny::Device;

namespace {

using Values = std::vector<double>;

Out<Device, 2> matrix(Values& values, std::size_t width = D) {
  return {values.data(), {values.size() / width, width}, width};
}
Out<Device, 1> vector(Values& values) { return {values.data(), {values.size()}, values.size()}; }

/// Two sentences, the second of which begins as the first one does.
struct Words {
  std::vector<std::int32_t> ids = tiny::decoder_input_ids();
  SegmentTable table = SegmentTable::packed({4, 2});
  std::vector<std::string> names;
  Values x;

  Words() {
    const std::vector<std::int32_t> first_sentence = ids;
    ids.insert(ids.end(), first_sentence.begin(), first_sentence.begin() + 2);
    names = tiny::words(tiny::german(), ids);
    const In<Device, 2> words = tiny::matrix("target_embedding");
    for (std::size_t n = 0; n < ids.size(); ++n) {  // as chapters 01 and 02 compute it
      const auto p = static_cast<double>(n % 4);
      const double position[D] = {std::sin(p), std::cos(p), std::sin(p / 100), std::cos(p / 100)};
      for (std::size_t d = 0; d < D; ++d) x.push_back(2 * words.row(std::size_t(ids[n]))[d] + position[d]);
    }
  }
  Sequences<Device> rows() { return {matrix(x), table.view()}; }
};

/// The biases of the gates let the first column remember and the last one forget.
struct Weights {
  Values w = {0.52, -0.31, 0.44, 0.23, -0.36, 0.61, 0.15, -0.42, 0.27, -0.18, -0.58, -0.33, 0.21, 0.37, 0.25, 0.49};
  Values wf = {0.34, -0.12, 0.28, -0.41, -0.22, 0.45, -0.37, 0.16,
               0.19, -0.33, 0.24, 0.38,  0.27,  0.14, -0.46, -0.25};
  Values bf = {1.5, 0.5, -0.5, -1.5};

  SsruParams<Device> params() { return {{matrix(w), {}}, {matrix(wf), vector(bf)}}; }
};

Values gates(In<Device, 2> a) {
  Values f;
  for (std::size_t n = 0; n < a.extent[0]; ++n) {
    for (std::size_t d = 0; d < D; ++d) f.push_back(1 / (1 + std::exp(-a.row(n)[d])));
  }
  return f;
}

/// What the state after each of the first four words has of each of them, in one column: row t, column s.
void print_shares(const Values& f, std::size_t d) {
  Values share(16, 0.0);
  for (std::size_t t = 0; t < 4; ++t) {
    for (std::size_t s = 0; s <= t; ++s) {
      share[t * 4 + s] = 1 - f[s * D + d];
      for (std::size_t r = s + 1; r <= t; ++r) share[t * 4 + s] *= f[r * D + d];
    }
  }
  tiny::print("column " + std::to_string(d), matrix(share, 4), {"<bos>", "die", "Katze", "schläft"});
}

void one_column(const Values& f, const SsruSublayerCache<Device>& cache) {
  tiny::section("one column by hand");
  std::printf("column 0 of the first sentence; the state before it is 0\n");
  const char* const words[] = {"<bos>", "die", "Katze", "schläft"};
  double before = 0;
  for (std::size_t t = 0; t < 4; ++t) {
    const double u = cache.u.row(t)[0], keep = f[t * D], c = cache.scan.c.row(t)[0];
    std::printf("  f = sigmoid(%.2f) = %.2f   c = %.2f * %.2f + %.2f * %.2f = %.2f   %s\n", cache.a.row(t)[0], keep,
                keep, before, 1 - keep, u, c, words[t]);
    before = c;
  }
}

/// The first sentence again, one word at a time, as in translation.
void word_by_word(Words& words, const SsruParams<Device>& p) {
  Device dev;
  Values state(D, 0.0), h(D);
  const SegmentTable one_word = SegmentTable::packed({1});
  tiny::section("one word at a time");
  for (std::size_t t = 0; t < 4; ++t) {
    SsruSublayerCache<Device> cache;
    const Out<Device, 2> kept = matrix(state);
    ssru_sublayer_forward(dev, matrix(h), kept, cache, {rows(matrix(words.x), t, 1), one_word.view()},
                          In<Device, 2>(kept), p);
    tiny::print(t == 0 ? "h, from this word and the state before it (1, D)" : "h", matrix(h), {words.names[t]});
  }
  tiny::print("the state at the end (1, D)", matrix(state));
}

void backward(Words& words, const SsruSublayerCache<Device>& cache, Weights& weights) {
  Device dev;
  Values dh(words.x.size(), 0.0), du(dh), da(dh), dx(dh), dfirst(2 * D);
  dh[3 * D] = 1;  // the loss depends on the first number of "schläft"
  Weights gradient;
  for (Values* v : {&gradient.w, &gradient.wf, &gradient.bf}) v->assign(v->size(), 0.0);
  ssru_backward(dev, {matrix(du), matrix(da), matrix(dfirst)}, matrix(dh), {},
                {cache.u, cache.a, {}, words.table.view()}, cache.scan);
  ssru_sublayer_backward(dev, matrix(dx), matrix(dfirst), gradient.params(), In<Device, 2>(matrix(dh)), {},
                         words.rows(), {}, cache, weights.params());
  tiny::section("backward");
  tiny::print("dh (N, D)", matrix(dh), words.names);
  tiny::print("du (N, D)", matrix(du), words.names);
  tiny::print("da (N, D)", matrix(da), words.names);
  tiny::print("dfirst, of the states before the sentences (B, D)", matrix(dfirst));
  tiny::print("dx (N, D)", matrix(dx), words.names);
  tiny::print("dbf (D)", vector(gradient.bf));
}

/// Forward, for word number S of a sentence in a decoder. Self-attention: four linear maps, then scores and weighted sum over S
/// words. The SSRU: two linear maps, then two products for each column.
void costs() {
  tiny::section("the next word, at D = 256");
  std::printf("              multiplications             numbers kept\n");
  std::printf("           self-attention    SSRU    self-attention  SSRU\n");
  const std::size_t width = 256;
  for (const std::size_t S : {1, 10, 30, 100, 300, 1000}) {
    std::printf("word %4zu        %9zu %7zu         %9zu %5zu\n", S, 4 * width * width + 2 * S * width,
                2 * width * width + 2 * width, 2 * S * width, width);
  }
}

}  // namespace

int main() {
  Words words;
  Weights weights;
  Device dev;
  SsruSublayerCache<Device> cache;
  Values h(words.x.size());
  ssru_sublayer_forward(dev, matrix(h), {}, cache, words.rows(), {}, weights.params());
  Values f = gates(cache.a);

  tiny::section("the two linear maps");
  tiny::print("x (N, D)", matrix(words.x), words.names);
  tiny::print("u = x w (N, D)", cache.u, words.names);
  tiny::print("a = x wf + bf (N, D)", cache.a, words.names);
  tiny::section("gate, state, output");
  tiny::print("f = sigmoid(a) (N, D)", matrix(f), words.names);
  tiny::print("c (N, D)", cache.scan.c, words.names);
  tiny::print("h = relu(c) (N, D)", matrix(h), words.names);
  one_column(f, cache);
  word_by_word(words, weights.params());
  tiny::section("what is left of each word");
  std::printf("columns: <bos> die Katze schläft\n");
  for (std::size_t d = 0; d < D; ++d) print_shares(f, d);
  backward(words, cache, weights);
  costs();
}
