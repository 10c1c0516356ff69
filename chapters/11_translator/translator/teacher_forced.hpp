#pragma once
/// \file
/// Teacher forcing: the decoder reads the reference's words, and predicts each next word; so every word before is
/// right. Gives the most probable next words and the probability of the right ones. Such words score better than a
/// greedy translation, which has to continue after its own mistakes.

#include <numeric>
#include <utility>
#include <vector>

#include "09_transformer/greedy.hpp"
#include "10_training/trainer.hpp"
#include "11_translator/translator/translator_model.hpp"

namespace gradus {

/// Runs the model over `pairs`, without dropout, with the target's own words before each place. Calls see(dev,
/// which, host, logits) for each batch, on the workers' threads: `which` are the pairs of the batch, `host` the
/// packed batch, and `logits` the logits of all words at each place of their targets, <eos> included.
template <class Dev, class See>
void each_teacher_forced(const Model<Dev>& model, const IdPairs& pairs, const SentenceMarks& marks,
                         Workers& workers, const See& see) {
  constexpr std::size_t sentences = 32;  // in a batch: their logits take about ten megabytes
  std::vector<std::uint32_t> all(pairs.size());
  std::iota(all.begin(), all.end(), 0U);
  const BatchList batches = split_batch(all, pairs, (pairs.size() + sentences - 1) / sentences);
  const ModelConfig config = model.config.without_dropout();
  each_on<Dev>(workers, batches.size(), [&](std::size_t i) {
    Dev dev;
    DeviceBatch<Dev> batch;
    const HostBatch host = pack(batches[i], pairs, marks);
    batch.load(dev, host);
    TransformerCache<Dev> cache;
    transformer_forward(dev, cache, batch.view(), model.params, config);
    const Out<Dev, 2> logits = dev.kept.matrix(host.target.size(), config.target_vocab);
    output_forward(dev, logits, cache.output(), model.params.output);
    see(dev, batches[i], host, In<Dev, 2>(logits));
  });
}

/// The `count` most probable words of each row of logits, and their log probabilities.
template <class Dev>
struct LikeliestWords {
  LikeliestWords(Dev& dev, In<Dev, 2> logits, std::size_t count = 1) {
    const std::size_t N = logits.extent[0];
    const Out<Dev, 2> best = dev.kept.matrix(N, count);
    const OutInts<Dev, 1> words = dev.kept.ints(N * count);
    log_probs_top_k(dev, best, as_matrix(words, N, count), logits);
    read(dev, ids, Ints<Dev, 1>(words));
    read(dev, log_probs, In<Dev, 1>(as_vector(best)));
  }
  Sentence ids;
  std::vector<typename Dev::Real> log_probs;
};

/// Calls f(pair, first row, number of rows) for each sentence of a batch.
template <class F>
void each_target(const std::vector<std::uint32_t>& which, const HostBatch& host, const F& f) {
  for (std::size_t k = 0; k < which.size(); ++k)
    f(which[k], host.target_segments.begin[k], host.target_segments.length[k]);
}

/// computes  for each pair and each place in its target, the most probable word after the target's own words before
///           it. (It may be <eos> early or never; the result has as many words as the target and its <eos>.)
/// requires  no sentence longer than the model's positions, end mark included.
/// ensures   The results are in the order of the pairs and do not depend on the number of workers.
template <class Dev>
std::vector<Sentence> teacher_forced_words(const Model<Dev>& model, const IdPairs& pairs,
                                           const SentenceMarks& marks, Workers& workers) {
  std::vector<Sentence> answers(pairs.size());
  each_teacher_forced(model, pairs, marks, workers,
                      [&](Dev& dev, const auto& which, const HostBatch& host, In<Dev, 2> logits) {
                        const Sentence output = LikeliestWords<Dev>(dev, logits).ids;
                        each_target(which, host, [&](std::uint32_t pair, std::int32_t begin, std::int32_t length) {
                          answers[pair].assign(output.begin() + begin, output.begin() + begin + length);
                        });
                      });
  return answers;
}

/// computes  for each pair the log probability of each word of its target, and of the <eos> after it, given the
///           target's own words before: log p(t) = z_t - max z + log p(most probable).
/// requires  as for teacher_forced_words.
/// ensures   as for teacher_forced_words. The mean of all is minus mean_loss.
template <class Dev>
std::vector<std::vector<double>> target_log_probs(const Model<Dev>& model, const IdPairs& pairs,
                                                  const SentenceMarks& marks, Workers& workers) {
  std::vector<std::vector<double>> answers(pairs.size());
  const auto see = [&](Dev& dev, const auto& which, const HostBatch& host, In<Dev, 2> logits) {
    const LikeliestWords<Dev> best(dev, logits);
    std::vector<typename Dev::Real> z;
    read(dev, z, In<Dev, 1>(as_vector(logits)));
    const auto log_prob = [&](std::size_t row) {
      const auto of = [&](std::int32_t word) {
        return static_cast<double>(z[row * logits.extent[1] + static_cast<std::size_t>(word)]);
      };
      return of(host.target[row]) - of(best.ids[row]) + static_cast<double>(best.log_probs[row]);
    };
    each_target(which, host, [&](std::uint32_t pair, std::int32_t begin, std::int32_t length) {
      for (std::int32_t row = begin; row < begin + length; ++row)
        answers[pair].push_back(log_prob(static_cast<std::size_t>(row)));
    });
  };
  each_teacher_forced(model, pairs, marks, workers, see);
  return answers;
}

/// The ids of each pair that the model reads, and which sides were too long.
struct CutPairs {
  IdPairs ids;
  std::vector<bool> source_cut, target_cut;
};

template <class Dev>
CutPairs cut_pairs(const TranslatorModel<Dev>& t, const std::vector<std::string>& sources,
                   const std::vector<std::string>& targets) {
  CutPairs pairs;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    bool source_cut = false, target_cut = false;
    pairs.ids.source.push_back(t.source_ids(sources[i], source_cut));
    pairs.ids.target.push_back(t.target_ids(targets[i], target_cut));
    pairs.source_cut.push_back(source_cut);
    pairs.target_cut.push_back(target_cut);
  }
  return pairs;
}

/// The probability of each target as a translation of its source.
template <class Dev>
std::vector<PairScore> score_pairs(const TranslatorModel<Dev>& t, const std::vector<std::string>& sources,
                                   const std::vector<std::string>& targets, std::size_t threads) {
  const CutPairs pairs = cut_pairs(t, sources, targets);
  Workers workers(std::max<std::size_t>(1, threads));
  auto log_probs = target_log_probs(t.model, pairs.ids, {}, workers);
  std::vector<PairScore> scores;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    PairScore score{{}, std::move(log_probs[i]), pairs.source_cut[i], pairs.target_cut[i]};
    for (const std::int32_t id : pairs.ids.target[i]) score.tokens.push_back(t.words.target.token(id));
    score.tokens.push_back(t.words.target.token(Tokenizer::specials.eos));
    scores.push_back(std::move(score));
  }
  return scores;
}

/// The same for text: the predicted words, the loss on the references, and the accuracy.
template <class Dev>
TeacherForced teacher_forced(const TranslatorModel<Dev>& t, const std::vector<std::string>& sources,
                             const std::vector<std::string>& references, std::size_t threads) {
  const auto& model = t.model;
  const IdPairs pairs = cut_pairs(t, sources, references).ids;
  Workers workers(std::max<std::size_t>(1, threads));
  TeacherForced result;
  result.loss = mean_loss(model, pairs, {}, workers);
  std::size_t right = 0, all = 0;
  const std::vector<Sentence> output = teacher_forced_words(model, pairs, {}, workers);
  for (std::size_t i = 0; i < output.size(); ++i) {
    Sentence target = pairs.target[i];
    target.push_back(Tokenizer::specials.eos);
    for (std::size_t k = 0; k < target.size(); ++k) right += output[i][k] == target[k];
    all += target.size();
    result.texts.push_back(t.words.target.decode(output[i]));
  }
  result.accuracy = static_cast<double>(right) / static_cast<double>(all);
  return result;
}

}  // namespace gradus
