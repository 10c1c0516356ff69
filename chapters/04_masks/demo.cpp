// Attention on two sentences of unequal length, padded with a mask, and as rows with offsets: the same numbers.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>

#include "00_foundations/tiny.hpp"
#include "03_attention/attention.hpp"
#include "04_masks/dense_attention.hpp"
#include "04_masks/masks.hpp"

using namespace gradus;
using tiny::D;
using tiny::Device;
using tiny::H;

namespace {

using Values = std::vector<double>;
constexpr std::size_t B = 2, T = 4;
constexpr std::int32_t pad = 0;

const std::vector<std::string> words{"the", "cat", "sleeps", "<eos>", "a", "dog", "<eos>", "<pad>"};
const std::vector<std::int32_t> query_row{0, 1, 2, 3, 4, 5, 6, -1}, key_position{0, 1, 2, 3, 0, 1, 2, -1};

std::vector<std::int32_t> ids() {
  std::vector<std::int32_t> result;
  for (const std::string& word : words) {
    const auto found = std::find(tiny::english().begin(), tiny::english().end(), word);
    result.push_back(static_cast<std::int32_t>(found - tiny::english().begin()));
  }
  return result;
}

Out<Device, 2> matrix(Values& v, std::size_t width) { return {v.data(), {v.size() / width, width}, width}; }
Out<Device, 3> dense(Values& v) { return {v.data(), {B, T, D}, D}; }

void print_mask(const char* name, Ints<Device, 3> mask) {
  std::printf("%s (T, S)\n", name);
  for (std::size_t t = 0; t < T; ++t) {
    std::printf(" ");
    for (std::size_t b = 0; b < B; ++b) {
      std::printf(" %-8s", words[b * T + t].c_str());
      for (std::size_t s = 0; s < T; ++s) std::printf(" %d", sentence(mask, b).row(t)[s]);
      std::printf("    ");
    }
    std::printf("\n");
  }
}

/// The masks of the second sentence, which ends with padding, side by side.
void three_masks(Ints<Device, 3> padding, Ints<Device, 3> causal, Ints<Device, 3> both) {
  tiny::section("three masks of one sentence");
  std::printf("  %-8s %-9s %-9s %s\n", "", "padding", "causal", "both");
  for (std::size_t t = 0; t < T; ++t) {
    std::printf("  %-8s", words[T + t].c_str());
    for (const Ints<Device, 3>& mask : {padding, causal, both}) {
      for (std::size_t s = 0; s < T; ++s) std::printf(" %d", sentence(mask, 1).row(t)[s]);
      std::printf("  ");
    }
    std::printf("\n");
  }
}

/// q = k = v = the vectors of the words. Padding holds `junk`.
Values vectors(double junk) {
  Values x;
  for (const std::int32_t id : ids()) {
    const double* const word = tiny::matrix("source_embedding").row(static_cast<std::size_t>(id));
    for (std::size_t d = 0; d < D; ++d) x.push_back(id == pad ? junk : 2 * word[d]);
  }
  return x;
}

Values attend_dense(Ints<Device, 3> mask, double junk) {
  Device dev;
  Values x = vectors(junk), y(x.size());
  const Packing<Device> packing{{query_row.data(), {B, T}, T}, {key_position.data(), {B, T}, T}};
  DenseAttentionCache<Device> cache;
  dense_attention_forward(dev, dense(y), cache, {dense(x), dense(x), dense(x), mask, packing}, {H, {}});
  return y;
}

/// The same without padding: seven rows, two segments.
Values attend_packed() {
  Device dev;
  Values x = vectors(0), y;
  x.resize(7 * D);
  y.resize(7 * D);
  const SegmentTable sentences = SegmentTable::packed({4, 3});
  AttentionCache<Device> cache;
  attention_forward(dev, matrix(y, D), cache,
                    {matrix(x, D), matrix(x, D), matrix(x, D), sentences.view(), sentences.view()}, {H, false, {}});
  return y;
}

/// Scores of the first head for the second sentence, and what softmax makes of those that the mask allows.
void one_head(Ints<Device, 3> mask) {
  Device dev;
  constexpr double junk = 1;
  Values x = vectors(junk), s(T * T), p(T * T);
  const Out<Device, 2> q = head_of(dense(x), 1, 0, H);
  gemm(dev, matrix(s, T), In<Device, 2>(q), transposed(In<Device, 2>(q)), 1 / std::sqrt(double(D) / double(H)));
  masked_softmax_forward(dev, as_scores(Out<Device, 1>{p.data(), {T * T}, T * T}, 1, 1, T, T),
                         as_scores(In<Device, 1>{s.data(), {T * T}, T * T}, 1, 1, T, T),
                         Ints<Device, 3>{sentence(mask, 1).data, {1, T, T}, T});
  const std::vector<std::string> labels(words.begin() + T, words.end());
  tiny::section("scores, mask, softmax");
  tiny::print("scores of head 0 (T, S)", In<Device, 2>(matrix(s, T)), labels);
  tiny::print("weights where the mask allows", In<Device, 2>(matrix(p, T)), labels);
}

double largest_difference(const Values& a, const Values& b, std::size_t n) {
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) largest = std::fmax(largest, std::fabs(a[i] - b[i]));
  return largest;
}

/// Softmax of four scores; `allowed` is 1 (all keys) or 0 (no key).
Values softmax(Values s, std::int32_t allowed) {
  Device dev;
  const std::vector<std::int32_t> mask(4, allowed);
  const auto scores = as_scores(Out<Device, 1>{s.data(), {4}, 4}, 1, 1, 1, 4);
  masked_softmax_forward(dev, scores, scores, Ints<Device, 3>{mask.data(), {1, 1, 4}, 4});
  return s;
}

void row_without_keys() {
  tiny::section("a row with nothing to look at");
  const auto print = [](const char* name, const Values& v) {
    std::printf("%-18s %5.2f %5.2f %5.2f %5.2f\n", name, v[0], v[1], v[2], v[3]);
  };
  const Values scores{0.25, 7.5, -1, 2};
  print("scores", scores);
  print("excluded", softmax(scores, 0));
  print("filled with -1e9", softmax(Values(4, -1e9), 1));
  std::printf("in float 0.25 - 1e9 is %.0f, and 7.5 - 1e9 is %.0f\n", double(0.25F - 1e9F), double(7.5F - 1e9F));
}

/// The share of words, not padding, in tables of 64 sentences.
double useful_share(const std::vector<int>& lengths) {
  double used = 0, places = 0;
  for (std::size_t i = 0; i + 64 <= lengths.size(); i += 64) {
    const auto first = lengths.begin() + static_cast<std::ptrdiff_t>(i);
    used += std::accumulate(first, first + 64, 0);
    places += 64.0 * *std::max_element(first, first + 64);
  }
  return used / places;
}

void cost_of_padding() {
  tiny::section("what padding costs");
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal(14, 4.5);  // about the captions of Multi30k, in subwords
  std::vector<int> lengths(64 * 256);
  for (int& n : lengths) n = std::max(4, static_cast<int>(normal(generator)));
  std::printf("16384 sentences of 14 words on average, in tables of 64\n");
  std::printf("  in the order of the corpus: %2.0f %% of all places are words\n", 100 * useful_share(lengths));
  std::sort(lengths.begin(), lengths.end());
  std::printf("  sorted by length:           %2.0f %%\n", 100 * useful_share(lengths));
}

}  // namespace

int main() {
  Device dev;
  std::vector<std::int32_t> memory(B * T * T), padding_memory, causal_memory(B * T * T);
  const OutInts<Device, 3> mask{memory.data(), {B, T, T}, T}, causal{causal_memory.data(), {B, T, T}, T};
  const std::vector<std::int32_t> table = ids();

  tiny::section("masks");
  padding_mask(dev, mask, Ints<Device, 2>{table.data(), {B, T}, T}, pad);
  print_mask("padding: 1 = may look", mask);
  const Values y = attend_dense(mask, 0), y_junk = attend_dense(mask, 1000);
  padding_memory = memory;
  causal_mask(dev, causal, Ints<Device, 3>{});
  causal_mask(dev, mask, mask);
  print_mask("padding and causal", mask);
  three_masks({padding_memory.data(), {B, T, T}, T}, causal, mask);
  one_head(mask);

  tiny::section("the same numbers");
  const Values rows = attend_packed();
  tiny::print("y, packed rows (7, D)", {rows.data(), {7, D}, D}, words);
  std::printf("largest difference from the padded batch: %.1e\n", largest_difference(y, rows, 7 * D));
  std::printf("the same with 1000 written into the padding: %.1e\n", largest_difference(y_junk, rows, 7 * D));

  row_without_keys();
  cost_of_padding();
}
