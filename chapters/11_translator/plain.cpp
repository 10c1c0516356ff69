// What stands around the model: subwords (byte-pair encoding), search, greedy and with beams,
// and BLEU. None of them has a gradient: they count and choose. The model is a small table.
//   g++ plain.cpp -o plain && ./plain    (./plain all: every value with 17 digits)
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>
using std::size_t;
using Words = std::vector<std::string>;
using Text = std::vector<Words>;
using Pair = std::pair<std::string, std::string>;

// 1. Subwords. In: words, and how often each occurs. Out: pairs of pieces to join, in order.
Words characters(const std::string& word) {  // "▁" stands for the space before a word
  Words pieces = {"▁"};
  for (const char c : word) pieces.push_back(std::string(1, c));
  return pieces;
}
Pair most_frequent(const Text& text, const std::vector<double>& times, double& most) {
  std::map<Pair, double> count;
  for (size_t w = 0; w < text.size(); ++w)
    for (size_t i = 1; i < text[w].size(); ++i) count[{text[w][i - 1], text[w][i]}] += times[w];
  Pair best;
  most = 0;
  for (const auto& entry : count) {
    if (entry.second > most) best = entry.first;
    most = std::max(most, entry.second);
  }
  return best;
}
void join(Words& pieces, const Pair& pair) {  // wherever its two pieces stand side by side
  for (size_t i = 1; i < pieces.size(); ++i) {
    if (pieces[i - 1] != pair.first || pieces[i] != pair.second) continue;
    pieces[i - 1] += pieces[i];
    pieces.erase(pieces.begin() + int(i));
  }
}

// 2. Search. next[5 i + j]: probability of word j after word i; word 0 begins, ends a sentence.
const Words vocabulary = {"<eos>", "der", "ein", "Hund", "Mann"};
const std::vector<double> next = {.1,  .5, .4, 0,   0,  .25, 0, 0, .4, .35,  // first, "der"
                                  .05, 0,  0,  .05, .9, .6,  0, 0, .2, .2,  .8, 0, 0, .1, .1};
const double alpha = 0.6;  // how much longer sentences are favoured
struct Beam {
  std::vector<size_t> words;
  double sum, score;  // sum of log probabilities; the same, comparable between lengths
};
bool has_larger_sum(const Beam& a, const Beam& b) { return a.sum > b.sum; }
bool has_better_score(const Beam& a, const Beam& b) { return a.score > b.score; }
std::vector<Beam> search(size_t K) {  // follows the K best beginnings; 1: greedy
  std::vector<Beam> open = {{{}, 0, 0}}, finished;
  while (!open.empty()) {
    std::vector<Beam> all;  // every beginning with every word
    for (const Beam& beam : open)
      for (size_t j = beam.words.empty() ? 1 : 0; j < vocabulary.size(); ++j) {  // not empty
        all.push_back(beam);
        all.back().words.push_back(j);
        all.back().sum += std::log(next[5 * (beam.words.empty() ? 0 : beam.words.back()) + j]);
        const double norm = std::pow((5 + double(all.back().words.size())) / 6, alpha);
        all.back().score = all.back().sum / norm;  // eq:11.1
      }
    std::stable_sort(all.begin(), all.end(), has_larger_sum);
    all.resize(std::min(all.size(), K - finished.size()));  // a finished one keeps its place
    open.clear();
    for (const Beam& beam : all) {
      std::vector<Beam>& place = beam.words.back() == 0 ? finished : open;
      place.push_back(beam);
    }
  }
  std::stable_sort(finished.begin(), finished.end(), has_better_score);
  return finished;
}

// 3. BLEU. In: translations, and what a person wrote. Out: 0 to 100, and shares p of n-grams.
double bleu(const Text& translations, const Text& references, std::vector<double>& p) {
  double length = 0, reference_length = 0, logarithms = 0, smoothing = 1;
  for (size_t n = 1; n <= 4; ++n) {  // n-grams: n words side by side
    double right = 0, total = 0;
    for (size_t s = 0; s < translations.size(); ++s) {
      const Words &t = translations[s], &r = references[s];
      std::map<Words, int> left;  // each n-gram of the reference matches once
      for (size_t i = n; i <= r.size(); ++i) ++left[Words(&r[i - n], &r[i - n] + n)];
      for (size_t i = n; i <= t.size(); ++i, ++total)
        if (left[Words(&t[i - n], &t[i - n] + n)]-- > 0) ++right;
      length += n == 1 ? double(t.size()) : 0;
      reference_length += n == 1 ? double(r.size()) : 0;
    }
    if (right == 0) smoothing *= 2;  // the first n without a match counts 1/2, the next one 1/4
    p.push_back(right > 0 ? right / total : 1 / (smoothing * total));
    logarithms += std::log(p.back());
  }
  return 100 * std::fmin(1, std::exp(1 - reference_length / length)) * std::exp(logarithms / 4);
}

void show(std::string name, std::string text, std::vector<double> numbers, bool all) {
  std::printf("%s", name.c_str());
  if (!all) std::printf(": %s", text.c_str());
  for (const double number : numbers) std::printf(all ? " %.17g" : " %.2f", number);
  std::printf("\n");
}
void learn_subwords(bool all) {
  Text text;  // "kein" does not occur: a new word is cut by the same joins in the same order
  const Words words = {"ein", "eine", "einen", "kleine", "Kind", "kein"};
  for (const std::string& word : words) text.push_back(characters(word));
  for (int step = 1; step <= 4; ++step) {
    std::vector<double> numbers(1);  // how often the pair occurs, then the bytes of the line
    const Pair pair = most_frequent(text, {2, 3, 2, 3, 3, 0}, numbers[0]);
    std::string line;
    for (Words& pieces : text) {
      join(pieces, pair);
      for (const std::string& piece : pieces) line += " " + piece;
      line += " |";
    }
    if (all) numbers.insert(numbers.end(), line.begin(), line.end());
    line += "\n  joined: " + pair.first + " and " + pair.second + ", times";
    show("merge_" + std::to_string(step), line, numbers, all);
  }
}
void search_sentences(size_t K, bool all) {
  for (const Beam& beam : search(K)) {
    std::string name = "beams_" + std::to_string(K);
    for (const size_t j : beam.words) name += j > 0 ? "_" + vocabulary[j] : "";
    show(name, "sum, score, probability", {beam.sum, beam.score, std::exp(beam.sum)}, all);
  }
}
int main(int count, char** arguments) {
  const bool all = count == 2 && arguments[1] == std::string("all");
  if (count > 1 && !all) {
    std::fprintf(stderr, "usage: ./plain [all]\n");
    return 2;
  }
  learn_subwords(all);
  if (all) show("next", "", next, all);
  show("alpha", "exponent of the length norm", {alpha}, all);
  for (size_t K = 1; K <= 3; ++K) search_sentences(K, all);
  Text translation = {{"ein", "Hund", "läuft", "da", "drüben", "schnell", "weg"}};
  Text reference = {{"ein", "Hund", "läuft", "hier", "drüben", "schnell", "fort"}};
  std::vector<double> p, unused;
  show("bleu", "0 to 100", {bleu(translation, reference, p)}, all);
  show("precisions", "1 to 4 words", p, all);
  translation.push_back({"die", "die", "Katze", "Katze"});  // the reference has each only once
  reference.push_back({"die", "Katze", "schläft", "auf", "dem", "Sofa"});
  show("bleu_of_both", "0 to 100", {bleu(translation, reference, unused)}, all);
  const double difference = std::fabs(bleu(reference, reference, unused) - 100);
  show("difference", "BLEU of the reference and itself, from 100", {difference}, all);
  return difference <= 1e-7 ? 0 : 1;
}
