// Real text: pieces joined to subwords, the n-grams that BLEU compares, and a beam search of the bundled model.

#include <algorithm>
#include <cstdio>

#include "00_foundations/tiny.hpp"
#include "11_translator/demo_parts.hpp"
#include "11_translator/metrics/bleu.hpp"
#include "11_translator/metrics/ngrams.hpp"
#include "11_translator/search/search_host.hpp"
#include "11_translator/translator/engine_on.hpp"

namespace gradus::demo {
namespace {

using Fast = Cpu<float>;

/// The n-grams of a sentence from left to right; each is found as often as the reference has it.
std::vector<bool> found_ngrams(const std::vector<std::string_view>& words, std::size_t n, NgramCounts reference) {
  std::vector<bool> found;
  for (std::size_t i = 0; i + n <= words.size(); ++i) {
    const char* const end = words[i + n - 1].data() + words[i + n - 1].size();
    const auto entry =
        reference.find(std::string_view(words[i].data(), static_cast<std::size_t>(end - words[i].data())));
    found.push_back(entry != reference.end() && entry->second-- > 0);
  }
  return found;
}

struct Extension {
  std::size_t from;  // the beam that it extends
  std::int32_t id;
  double log_prob, sum;
};

/// All extensions of the open beams, best first.
std::vector<Extension> extensions(const std::vector<Beam>& open,
                                  const std::vector<KeepsNothing<Fast>::Words>& next) {
  std::vector<Extension> all;
  for (std::size_t b = 0; b < open.size(); ++b) {
    for (std::size_t k = 0; k < next[b].ids.size(); ++k) {
      if (is_suppressed(next[b].ids[k], Specials{}, open[b].words.size())) continue;
      all.push_back({b, next[b].ids[k], next[b].scores[k], open[b].log_prob + next[b].scores[k]});
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Extension& a, const Extension& b) { return a.sum > b.sum; });
  return all;
}

/// What the search made of an extension of `parent`.
const char* outcome(const Extension& e, const Beam& parent, const SentenceSearch& search) {
  Sentence words = parent.words;
  const auto has_words = [&](const auto& other) { return other.words == words; };
  const NBest ended = search.result();
  if (e.id == Specials{}.eos) return std::any_of(ended.begin(), ended.end(), has_words) ? "finished" : "dropped";
  words.push_back(e.id);
  return std::any_of(search.open().begin(), search.open().end(), has_words) ? "open" : "dropped";
}

/// One step of the search, and its best extensions: two more than there are beams.
void print_step(int step, KeepsNothing<Fast>& model, SentenceSearch& search, const SearchOptions& options,
                const Tokenizer& words) {
  const std::vector<Beam> open = search.open();
  const std::size_t candidates = options.beam_size + suppressed_words, shown = options.beam_size + 2;
  std::vector<KeepsNothing<Fast>::Words> next;
  std::vector<double> scores;
  std::vector<std::int32_t> ids;
  for (const Beam& beam : open) {
    next.push_back(model.after(beam.words, candidates));
    scores.insert(scores.end(), next.back().scores.begin(), next.back().scores.end());
    ids.insert(ids.end(), next.back().ids.begin(), next.back().ids.end());
  }
  search.extend(scores.data(), ids.data(), candidates);
  const std::vector<Extension> all = extensions(open, next);
  for (std::size_t i = 0; i < std::min(all.size(), shown); ++i) {
    const Extension& e = all[i];
    std::printf("%4d %6zu %8.2f %6.2f  %-8s  %s\n", step, e.from + 1, e.log_prob, e.sum,
                outcome(e, open[e.from], search), readable(words, e.id).c_str());
  }
}

}  // namespace

void subword_merges() {
  const std::vector<std::pair<const char*, int>> text{
      {"ein", 2}, {"eine", 3}, {"einen", 2}, {"kleine", 3}, {"Kind", 3}};
  std::vector<std::string> sentences;
  for (const auto& [word, times] : text) sentences.insert(sentences.end(), static_cast<std::size_t>(times), word);
  tiny::section("subwords, one merge after the other");
  for (const auto& [word, times] : text) std::printf("  %s %d times", word, times);
  std::printf("\n");
  for (int size = 12; size <= 16; ++size) {  // 4 special pieces and 8 characters, then one piece more each time
    const Subwords subwords = Subwords::from_bytes(Subwords::train(sentences, {size, SubwordModel::bpe}));
    std::printf("merge %d ", size - 12);
    for (const auto& [word, times] : text) {
      std::printf(" |");
      for (const Subwords::Piece& piece : subwords.pieces(word)) std::printf(" %s", piece.text.c_str());
    }
    std::printf("\n");
  }
}

void ngrams_of_one_pair() {
  const std::string translation = "ein Hund läuft da drüben schnell weg",
                    reference = "ein Hund läuft hier drüben schnell fort";
  tiny::section("n-grams of one pair");
  std::printf("translation  %s\nreference    %s\n", translation.c_str(), reference.c_str());
  const std::vector<std::string_view> words = split_words(translation), others = split_words(reference);
  for (std::size_t n = 1; n <= BleuStatistics::orders; ++n) {
    std::printf("%zu-grams found:", n);
    for (const bool found : found_ngrams(words, n, count_ngrams(others, n))) std::printf(" %d", found ? 1 : 0);
    std::printf("\n");
  }
  std::printf("%s\n", to_string(corpus_bleu({translation}, {reference})).c_str());
}

void search_of_the_bundled_model() {
  const std::string sentence = "A crowd is watching.";
  const LoadedModel<Fast> loaded(load_model(GRADUS_MODELS "/en-de"));
  const Tokenizer& german = loaded.words.target;
  bool cut = false;
  const Sentence source = loaded.view().source(sentence, cut);
  SearchOptions options;
  options.beam_size = options.n_best = 3;
  KeepsNothing<Fast> model{loaded.model, source};
  SentenceSearch search(options, longest_translation(source.size(), {}, loaded.model.config));
  tiny::section("a beam search of the bundled model");
  std::printf("%s\nstep   from    log p    sum  becomes   word\n", sentence.c_str());
  for (int step = 1; !search.open().empty(); ++step) print_step(step, model, search, options, german);
  for (const Translation& t : search.result())
    std::printf("sum %.2f, score %.2f: %s\n", t.log_prob, t.score, german.decode(t.words).c_str());
}

}  // namespace gradus::demo
