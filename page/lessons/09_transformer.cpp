#include "07_encoder/tiny_model.hpp"
#include "09_transformer/greedy.hpp"
#include "09_transformer/log_probs_top_k.hpp"
#include "10_training/data/tiny_corpus.hpp"
#include "chapters/09_transformer/transformer_case.hpp"
#include "live/lessons.hpp"

namespace gradus::page {
namespace {

constexpr std::size_t best = 3;  // words of a list

/// Ids as numbers that a script can read.
Numbers as_numbers(const std::int32_t* ids, std::size_t count) { return {ids, ids + count}; }

struct LiveTransformer : test::TransformerCase {
  void describe(test::Description& d) const {
    d.component = "transformer";
    sides.describe(d);
    d.ints("source", tiny::source_ids());
    d.ints("decoder_input", tiny::decoder_input_ids());
    test::describe_parameters(d, layout());
    d.output("logits", {sides.Nt(), config.target_vocab});
  }

  template <class Dev>
  void show(Shown& shown, const Cache<Dev>& cache, test::Tensors<Dev>& t) const {
    shown.add("decoder_output", cache.model.output());
    show_likeliest<Dev>(shown, t.matrix("logits"));
    show_translation<Dev>(shown, cache, t);
  }

 private:
  /// The logits as the page has them, one column for each position, and the likeliest words of each.
  template <class Dev>
  void show_likeliest(Shown& shown, In<Dev, 2> logits) const {
    Device dev;
    const auto [N, V] = logits.extent;
    Numbers turned;
    for (std::size_t i = 0; i < N * V; ++i) turned.push_back(logits.row(i % N)[i / N]);
    shown.add("turned", In<Device, 2>{turned.data(), {V, N}, N});
    const Out<Device, 2> scores = dev.kept.matrix(N, best);
    const OutInts<Device, 2> ids = as_matrix(dev.kept.ints(N * best), N, best);
    log_probs_top_k(dev, scores, ids, logits);
    shown.add("scores", scores);
    const Numbers words = as_numbers(ids.data, N * best);
    shown.add("likeliest", In<Device, 2>{words.data(), {N, best}, best});
  }

  /// What greedy decoding says, filled up with <eos>.
  template <class Dev>
  void show_translation(Shown& shown, const Cache<Dev>& cache, test::Tensors<Dev>& t) const {
    Dev dev;
    const test::FlatParameters<Dev> weights(dev, layout(), t);
    auto bind = weights.binder();
    TransformerParams<Dev> p = transformer_params(bind, config);
    p.positions = cache.positions;
    std::vector<std::int32_t> ids = greedy_decode(dev, {tiny::source_ids()}, p, config)[0];
    ids.resize(config.max_length, tiny::target_ids().back());
    const Numbers words = as_numbers(ids.data(), ids.size());
    shown.add("translation", In<Device, 1>{words.data(), {words.size()}, words.size()});
  }
};

}  // namespace

Lesson transformer_lesson() {
  const LiveTransformer live{{tiny_config(tiny::english().size(), tiny::german().size()), {{4}, {4}, 0, 0}}};
  const std::size_t die = static_cast<std::size_t>(tiny::target_ids()[0]);  // the word after <bos>
  return lesson("09_transformer", live,
                with_learnt(test::describe(live), {{"dlogits", ones_at(4 * tiny::german().size(), {die})}}));
}

}  // namespace gradus::page
