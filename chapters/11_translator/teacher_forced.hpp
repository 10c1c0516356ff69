#pragma once
/// \file
/// What the model would say next if every word so far were right: the reference is read to it, word by word. Such words
/// score better than a translation of the same greedy kind, in which nobody corrects the words before.

#include <numeric>
#include <vector>

#include "09_transformer/greedy.hpp"
#include "10_training/trainer.hpp"
#include "11_translator/translator_model.hpp"

namespace gradus {

/// computes  for each pair and each place in its target, the likeliest word after the target's own words before it
///           (<eos> may come early or not at all; the answer has as many words as the target and its <eos>).
/// requires  no sentence longer than the model's positions, end mark counted.
/// ensures   the answers stand in the order of the pairs and do not depend on the number of workers.
template <class Dev>
std::vector<Sentence> teacher_forced_words(const Model<Dev>& model, const IdPairs& pairs,
                                           const SentenceMarks& marks, Workers& workers) {
  constexpr std::size_t sentences = 32;  // in a batch: their logits take some ten megabytes
  std::vector<std::uint32_t> all(pairs.size());
  std::iota(all.begin(), all.end(), 0U);
  const BatchList batches = cut(all, pairs, (pairs.size() + sentences - 1) / sentences);
  const ModelConfig config = model.config.without_dropout();
  std::vector<Sentence> answers(pairs.size());
  each_on<Dev>(workers, batches.size(), [&](std::size_t i) {
    Dev dev;
    DeviceBatch<Dev> batch;
    const HostBatch host = pack(batches[i], pairs, marks);
    batch.load(dev, host);
    TransformerCache<Dev> cache;
    transformer_forward(dev, cache, batch.view(), model.params, config);
    const std::size_t N = host.target.size();
    const Out<Dev, 2> logits = dev.kept.matrix(N, config.target_vocab), best = dev.kept.matrix(N, 1);
    const OutInts<Dev, 1> words = dev.kept.ints(N);
    project(dev, logits, cache.output(), model.params);
    log_probs_top_k(dev, best, as_matrix(words, N, 1), logits);
    std::vector<std::int32_t> said;
    read(dev, said, Ints<Dev, 1>(words));
    for (std::size_t k = 0; k < batches[i].size(); ++k) {
      const auto from = said.begin() + host.target_segments.begin[k];
      answers[batches[i][k]].assign(from, from + host.target_segments.length[k]);
    }
  });
  return answers;
}

/// The same of text: what it says, how surprised it is by the references, and how often it is right.
template <class Dev>
TeacherForced teacher_forced(const TranslatorModel<Dev>& t, const std::vector<std::string>& sources,
                             const std::vector<std::string>& references, std::size_t threads) {
  const auto& model = t.model;
  IdPairs pairs;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    bool cut = false;
    pairs.source.push_back(t.source(sources[i], cut));
    pairs.source.back().pop_back();  // batches add <eos> themselves
    pairs.target.push_back(t.target(references[i]));
  }
  Workers workers(std::max<std::size_t>(1, threads));
  TeacherForced result;
  result.loss = mean_loss(model, pairs, {}, workers);
  std::size_t right = 0, all = 0;
  const std::vector<Sentence> said = teacher_forced_words(model, pairs, {}, workers);
  for (std::size_t i = 0; i < said.size(); ++i) {
    Sentence target = pairs.target[i];
    target.push_back(Tokenizer::eos);
    for (std::size_t k = 0; k < target.size(); ++k) right += said[i][k] == target[k];
    all += target.size();
    result.texts.push_back(t.words.target.decode(said[i]));
  }
  result.accuracy = static_cast<double>(right) / static_cast<double>(all);
  return result;
}

}  // namespace gradus
