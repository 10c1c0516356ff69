// Self-attention with two heads on "the cat sleeps", D = 4.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "00_foundations/tiny.hpp"
#include "03_attention/multi_head_attention.hpp"

using namespace gradus;
using tiny::D;
using tiny::Device;
using tiny::H;

namespace {

using Values = std::vector<double>;

Out<Device, 2> view(Values& values, std::size_t width = D) {
  return {values.data(), {values.size() / width, width}, width};
}

/// Weights of one head, (T, S): every H-th row of what attention saved.
In<Device, 2> weights_of(const AttentionCache<Device>& cache, std::size_t head) {
  const auto w = cache.weights;
  return {w.row(head), {w.extent[0] / H, w.extent[1]}, w.stride * H};
}

/// Scores of one head, (T, S), before softmax.
Values scores_of(In<Device, 2> qkv, std::size_t head) {
  constexpr std::size_t Dk = D / H;
  const std::size_t T = qkv.extent[0];
  Values scores(T * T);
  for (std::size_t i = 0; i < T * T; ++i) {
    const double *const q = qkv.row(i / T) + head * Dk, *const k = qkv.row(i % T) + D + head * Dk;
    for (std::size_t d = 0; d < Dk; ++d) scores[i] += q[d] * k[d] / std::sqrt(double(Dk));
  }
  return scores;
}

AttentionParams<Device> copied_params(Values& wqkv, Values& wo) {
  const auto load = [](Values& to, In<Device, 2> from) {
    for (std::size_t i = 0; i < from.extent[0]; ++i) to.insert(to.end(), from.row(i), from.row(i) + from.extent[1]);
  };
  load(wqkv, tiny::matrix("encoder.0.self_attention.wqkv"));
  load(wo, tiny::matrix("encoder.0.self_attention.wo"));
  return {view(wqkv, 3 * D), {}, view(wo), {}};
}

/// Forward and backward on the tiny sentence.
void sentence() {
  const std::vector<std::string> words = tiny::words(tiny::english(), tiny::source_ids());
  const SegmentTable segment = SegmentTable::packed({static_cast<std::int32_t>(words.size())});
  Device dev;
  Values x = tiny::encoder_input(), y(x.size()), dy(x.size(), 0.0), dx(x.size()), wqkv, wo, dwqkv(D * 3 * D),
         dwo(D * D);
  const AttentionParams<Device> p = copied_params(wqkv, wo), dp{view(dwqkv, 3 * D), {}, view(dwo), {}};
  SelfAttentionCache<Device> cache;
  self_attention_forward(dev, view(y), cache, {view(x), segment.view()}, p, {H, false, {}});

  tiny::section("queries, keys, values");
  tiny::print("x (N, D)", view(x), words);
  tiny::print("q | k | v = x wqkv (N, 3 D)", cache.qkv, words);
  tiny::section("a score by hand");
  const double *const q = cache.qkv.row(0), *const k = cache.qkv.row(2) + D, dot = q[0] * k[0] + q[1] * k[1];
  std::printf("\"the\" asks \"sleeps\", head 0: (%.2f)(%.2f) + (%.2f)(%.2f) = %.2f, over sqrt(2): %.2f\n", q[0],
              k[0], q[1], k[1], dot, dot / std::sqrt(2.0));
  tiny::section("scores");
  for (std::size_t head = 0; head < H; ++head) {
    Values scores = scores_of(cache.qkv, head);
    tiny::print("scores of head " + std::to_string(head) + " (T, S)", view(scores, words.size()), words);
  }
  tiny::section("who looks at whom");
  tiny::print("weights of head 0 (T, S); each row sums to 1", weights_of(cache.attention, 0), words);
  tiny::print("weights of head 1", weights_of(cache.attention, 1), words);
  tiny::section("the output");
  tiny::print("y, the heads' outputs side by side (N, D)", cache.heads, words);
  tiny::print("f = y wo (N, D)", view(y), words);

  for (std::size_t d = 0; d < D; ++d) dy[D + d] = 1;  // the loss is the sum of f's row of "cat"
  self_attention_backward(dev, view(dx), dp, view(dy), {view(x), segment.view()}, cache, p, {H, false, {}});
  tiny::section("backward");
  tiny::print("dx, when the loss is the sum of f's row of \"cat\"", view(dx), words);

  self_attention_forward(dev, view(y), cache, {view(x), segment.view()}, p, {H, true, {}});
  tiny::section("causal");
  tiny::print("weights of head 0, looking back only", weights_of(cache.attention, 0), words);
}

constexpr int draws = 100;
constexpr std::size_t N = 32;  // queries, and keys

/// Appends |ds| / |dp| of each row of one attention, where dp is a random gradient of the weights.
void append_passed(std::vector<double>& ratios, Values q, Values k, std::mt19937_64& generator) {
  const std::size_t Dk = q.size() / N;
  Values y(q.size());
  const SegmentTable segment = SegmentTable::packed({N});
  Device dev;
  AttentionCache<Device> cache;
  attention_forward(dev, view(y, Dk), cache,
                    {view(q, Dk), view(k, Dk), view(k, Dk), segment.view(), segment.view()}, {1, false, {}});
  std::normal_distribution<double> normal;
  for (std::size_t t = 0; t < N; ++t) {
    const auto p = cache.weights.row(t);
    double dp[N], mean = 0, of_dp = 0, of_ds = 0;
    for (std::size_t i = 0; i < N; ++i) mean += p[i] * (dp[i] = normal(generator));
    for (std::size_t i = 0; i < N; ++i) {
      of_dp += dp[i] * dp[i];
      of_ds += std::pow(p[i] * (dp[i] - mean), 2);  // eq:3.9
    }
    ratios.push_back(std::sqrt(of_ds / of_dp));
  }
}

/// The gradients that pass a softmax over 32 random keys, with `factor` times the scale: all draws, in order.
std::vector<double> passed(std::size_t Dk, double factor) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  std::vector<double> ratios;
  for (int draw = 0; draw < draws; ++draw) {
    Values q(N * Dk), k(N * Dk);
    for (double& e : q) e = factor * normal(generator);
    for (double& e : k) e = normal(generator);
    append_passed(ratios, q, k, generator);
  }
  std::sort(ratios.begin(), ratios.end());
  return ratios;
}

/// Prints the middle one, and how many of them are below 0.01.
void print_passed(const std::vector<double>& ratios) {
  const auto few = std::lower_bound(ratios.begin(), ratios.end(), 0.01) - ratios.begin();
  const double rows = static_cast<double>(ratios.size());
  std::printf("   %5.3f %5.0f %%", ratios[ratios.size() / 2], 100 * static_cast<double>(few) / rows);
}

}  // namespace

int main() {
  sentence();
  tiny::section("why the scale");
  std::printf("|ds| / |dp| of a softmax over 32 keys: the median of %zu rows,\n", draws * N);
  std::printf("and the share of rows below 0.01\n");
  std::printf("  Dk     with 1/sqrt(Dk)     without\n");
  for (const std::size_t Dk : {1, 4, 16, 64, 256, 1024}) {
    std::printf("  %-4zu", Dk);
    print_passed(passed(Dk, 1));
    std::printf("   ");
    print_passed(passed(Dk, std::sqrt(double(Dk))));  // undoes the scale
    std::printf("\n");
  }
}
