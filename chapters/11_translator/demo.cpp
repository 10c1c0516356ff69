// From English words to German words: "the cat sleeps" through ids, the tiny model, greedy and beam search; then
// the same numbers with and without the past.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "07_encoder/tiny_model.hpp"
#include "09_transformer/model.hpp"
#include "10_training/data/tiny_corpus.hpp"
#include "11_translator/demo_parts.hpp"
#include "11_translator/search/search.hpp"
#include "11_translator/translator/attention_weights.hpp"

using namespace gradus;
using demo::KeepsNothing;
using demo::Pass;
using tiny::Device;

namespace {

/// The six pairs that the tiny model was trained on (10_training/data/six_sentences.tsv), for their words.
TinyCorpus learnt() {
  TinyCorpus c;
  c.english = {"the cat sleeps",       "the dog sleeps", "the dog sees the cat",
               "the cat sees the dog", "the bird sings", "a bird sees the dog"};
  c.german = {"die Katze schläft",        "der Hund schläft", "der Hund sieht die Katze",
              "die Katze sieht den Hund", "der Vogel singt",  "ein Vogel sieht den Hund"};
  c.source = Vocabulary::learn(c.english);
  c.target = Vocabulary::learn(c.german);
  return c;
}

constexpr std::size_t K = 3;
const Specials specials;

std::string text(const Sentence& words) {
  std::string all;
  for (const std::string& word : tiny::words(tiny::german(), words)) all += (all.empty() ? "" : " ") + word;
  return all.empty() ? "(nothing)" : all;
}

/// `text`, filled with spaces up to `width` columns: UTF-8 continuation bytes take none.
std::string padded(std::string text, std::size_t width) {
  const auto columns = std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
  return text.append(width - std::min(width, static_cast<std::size_t>(columns)), ' ');
}

void words_to_ids(const std::string& english, const Sentence& source) {
  tiny::section("words to ids");
  for (const std::string& word : tiny::words(tiny::english(), source)) std::printf(" %8s", word.c_str());
  std::printf("    (\"%s\")\n", english.c_str());
  for (const std::int32_t id : source) std::printf(" %8d", id);
  std::printf("    what the encoder reads\n");
}

void greedy(KeepsNothing<Device>& model) {
  tiny::section("greedy search");
  std::printf("so far                     next word, log probability\n");
  Sentence output;
  for (bool ended = false; !ended;) {
    const auto next = model.after(output, K);
    std::printf("%s", padded("<bos>" + (output.empty() ? "" : " " + text(output)), 26).c_str());
    for (std::size_t k = 0; k < K; ++k)
      std::printf(" %s %5.2f ", padded(text({next.ids[k]}), 7).c_str(), next.scores[k]);
    std::printf("\n");
    ended = next.ids[0] == specials.eos;
    if (!ended) output.push_back(next.ids[0]);
  }
}

SearchOptions three_beams() {
  SearchOptions options;
  options.beam_size = options.n_best = K;
  return options;
}

/// Beam search that keeps nothing, and its beams after each step.
NBest beams(KeepsNothing<Device>& model) {
  const std::size_t candidates = std::min(K + suppressed_words, tiny::german().size());
  SentenceSearch search(three_beams(), longest_translation(model.source.size(), {}, model.model.config));
  tiny::section("beam search");
  for (int step = 1; !search.open().empty(); ++step) {
    KeepsNothing<Device>::Words all;
    for (const Beam& beam : search.open()) {
      const auto next = model.after(beam.words, candidates);
      all.scores.insert(all.scores.end(), next.scores.begin(), next.scores.end());
      all.ids.insert(all.ids.end(), next.ids.begin(), next.ids.end());
    }
    search.extend(all.scores.data(), all.ids.data(), candidates);
    std::printf("after step %d, open:", step);
    for (const Beam& beam : search.open()) std::printf("  %s %.2f", text(beam.words).c_str(), beam.log_prob);
    std::printf("%s\n", search.open().empty() ? "  none" : "");
    if (const NBest ended = search.result(); !ended.empty() && !search.open().empty()) {
      std::printf("            finished:");
      for (const Translation& t : ended) std::printf("  %s <eos> %.2f", text(t.words).c_str(), t.log_prob);
      std::printf("\n");
    }
  }
  return search.result();
}

void print(const NBest& found) {
  tiny::section("the three best");
  std::printf("translation                    sum  words  norm  score\n");
  for (const Translation& t : found) {
    const std::size_t n = t.log_probs.size();
    std::printf("%s %6.2f %6d %5.2f %6.2f\n", padded(text(t.words), 27).c_str(), t.log_prob, static_cast<int>(n),
                length_norm(n, three_beams().length_penalty), t.score);
  }
}

/// Keys and values of the output words, at two moments: the newest word adds a row and changes no other row.
void past(const KeepsNothing<Device>& model, const Sentence& output) {
  tiny::section("keys and values of what was said");
  for (const std::size_t n : {std::size_t{1}, output.size()}) {
    const Sentence begun(output.begin(), output.begin() + static_cast<std::ptrdiff_t>(n));
    const Pass<Device> pass(model.model, model.source, begun);
    std::vector<std::string> labels = tiny::words(tiny::german(), begun);
    labels.insert(labels.begin(), "<bos>");
    tiny::print("k | v (T, 2 D) in the pass over \"<bos> " + text(begun) + "\"",
                columns(pass.c.decoder.layers[0].self_attention.qkv, tiny::D, 2 * tiny::D), labels);
  }
}

/// The program's search, with the past, compared with the search without it.
void with_past(std::size_t greedy_rows, const NBest& expected, const NBest& found) {
  tiny::section("with the past and without");
  double largest = 0;
  bool same = found.size() == expected.size();
  for (std::size_t i = 0; i < found.size() && same; ++i) {
    same = found[i].words == expected[i].words;
    largest = std::max(largest, std::abs(found[i].log_prob - expected[i].log_prob));
  }
  std::printf("the three best: %s\n", same ? "the same words in the same order" : "DIFFERENT WORDS");
  std::printf("largest difference of a sum: %.0e\n", largest);
  std::printf("rows through the decoder, greedy: %d without, %d with\n", static_cast<int>(greedy_rows),
              static_cast<int>(found[0].log_probs.size()));
}

void looked_at(const Sentence& source, Sentence words, const Model<Device>& model) {
  words.push_back(specials.eos);
  Device dev;
  const auto name = [](const std::vector<std::string>& language) {
    return [&language](std::int32_t id) { return tiny::words(language, {id}).front(); };
  };
  const AttentionMaps w = attention_record(dev, source, words, model.params, model.config,
                                           {name(tiny::english()), name(tiny::german())})
                              .cross;
  std::vector<double> mean;
  for (std::size_t t = 0; t < w.rows.size(); ++t) {
    for (std::size_t s = 0; s < w.columns.size(); ++s) mean.push_back((w.at(0, 0, t, s) + w.at(0, 1, t, s)) / 2);
  }
  std::string head = "cross-attention (T, S), mean of both heads\n" + std::string(10, ' ');
  for (const std::string& word : w.columns) head += std::string(7 - word.size(), ' ') + word;
  tiny::section("what each word looked at");
  tiny::print(head, In<Device, 2>{mean.data(), {w.rows.size(), w.columns.size()}, w.columns.size()}, w.rows);
}

}  // namespace

int main() {
  const TinyCorpus corpus = learnt();
  const std::string english = "the cat sleeps";
  Sentence source = corpus.source.encode(english);
  source.push_back(specials.eos);
  words_to_ids(english, source);

  Device dev;
  Model<Device> model(dev, tiny_config(corpus));
  tiny::load(dev, model.flat(), model.layout);
  KeepsNothing<Device> whole{model, source};
  greedy(whole);
  const std::size_t greedy_rows = whole.rows_computed;
  const NBest slow = beams(whole);
  print(slow);

  const NBest fast = Searcher<Device>(model.params, model.config, three_beams()).search(dev, {source}).front();
  past(whole, fast[0].words);
  with_past(greedy_rows, slow, fast);
  looked_at(source, fast[0].words, model);
  tiny::section("ids to words");
  for (const std::int32_t id : fast[0].words) std::printf(" %8d", id);
  std::printf("\n\"%s\" -> \"%s\"\n", english.c_str(), corpus.target.decode(fast[0].words).c_str());

  demo::subword_merges();
  demo::ngrams_of_one_pair();
  demo::search_of_the_bundled_model();
}
