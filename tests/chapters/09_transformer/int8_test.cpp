#include <algorithm>
#include <limits>
#include <vector>

#include "09_transformer/log_probs_top_k.hpp"
#include "09_transformer/model.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Dev = Cpu<float>;

std::vector<float> numbers(std::size_t n, float factor) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = factor * static_cast<float>(static_cast<int>(i * 7919 % 201) - 100);
  return values;
}

struct Best {
  std::vector<float> scores;
  std::vector<std::int32_t> ids;
};

}  // namespace

TEST_CASE("int8: output_top_k has the logits of the 8-bit product, with a bias and without") {
  for (const bool bias : {false, true}) {
    for (const std::size_t vocab : {5, 33, 200}) {
      const std::size_t N = 7, D = 24, K = 5;
      std::vector<float> x = numbers(N * D, 0.01F), table = numbers(vocab * D, 0.003F), b = numbers(vocab, 0.02F);
      const OutputParams<Dev> p{{table.data(), {vocab, D}, D},
                                bias ? Out<Dev, 1>{b.data(), {vocab}, vocab} : Out<Dev, 1>{}};
      const In<Dev, 2> rows{x.data(), {N, D}, D};
      Int8Weights copies;
      copies.add(p.table, true);
      Dev dev;
      const auto best = [&](auto&& choose) {
        Best found{std::vector<float>(N * K), std::vector<std::int32_t>(N * K)};
        choose(Out<Dev, 2>{found.scores.data(), {N, K}, K}, OutInts<Dev, 2>{found.ids.data(), {N, K}, K});
        return found;
      };
      const auto fused = [&](auto scores, auto ids) { output_top_k(dev, scores, ids, rows, p); };
      const auto composed = [&](auto scores, auto ids) {
        const Out<Dev, 2> logits = dev.scratch.matrix(N, vocab);
        output_forward(dev, logits, rows, p);
        log_probs_top_k(dev, scores, ids, logits);
      };
      const Best exact = best(fused);
      dev.use(&copies);
      const Best one = best(fused), two = best(composed);
      CHECK(one.ids == two.ids);
      CHECK(one.scores != exact.scores);
      for (std::size_t i = 0; i < one.scores.size(); ++i)
        CHECK(one.scores[i] == Approx(two.scores[i]).margin(1e-5));
    }
  }
}

TEST_CASE("int8: a model is frozen with copies of its weights only on a processor, in float") {
  ModelConfig config;
  config.source_vocab = config.target_vocab = 20;
  config.d_model = 8, config.heads = 2, config.ffn = 16, config.encoder_layers = config.decoder_layers = 1;
  Dev dev;
  Model<Dev> model(dev, config);
  std::fill_n(model.flat().data, model.flat().extent[0], 0.5F);
  model.freeze(dev);
  CHECK(model.params.int8 == nullptr);
  model.freeze(dev, SearchWeights::int8);
  REQUIRE(model.params.int8 != nullptr);
  CHECK(model.params.int8->find(model.params.output.table, true) != nullptr);

  Cpu<double> wide;
  Model<Cpu<double>> other(wide, config);
  CHECK_THROWS_WITH(other.freeze(wide, SearchWeights::int8), contains("a model of float"));
}
