// Subwords on ten words: byte-pair encoding learns pieces and cuts a new word; the unigram
// model cuts it by probabilities. The letter _ stands for the space before a word.
//   g++ plain.cpp -o plain && ./plain
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>
using std::size_t;
using Pieces = std::vector<std::string>;
using Pair = std::pair<std::string, std::string>;
using Scores = std::map<std::string, double>;
struct Word {
  Pieces pieces;
  int times;  // how often it stands in the text
};

Pieces characters(const std::string& text) {
  Pieces pieces;
  for (const char c : text) pieces.push_back(std::string(1, c));
  return pieces;
}
void join_at(Pieces& pieces, size_t i) {  // pieces i and i + 1 become one
  pieces[i] += pieces[i + 1];
  pieces.erase(pieces.begin() + int(i) + 1);
}

// 1. To learn: the most frequent pair; among equals the first in the alphabet.
Pair most_frequent(const std::vector<Word>& words, int& most) {
  std::map<Pair, int> counts;
  for (const Word& word : words) {
    const Pieces& p = word.pieces;
    for (size_t i = 0; i + 1 < p.size(); ++i) counts[{p[i], p[i + 1]}] += word.times;
  }
  Pair best;
  most = 0;
  for (const auto& entry : counts)
    if (entry.second > most) best = entry.first, most = entry.second;
  return best;
}
Scores learn(std::vector<Word>& words, int steps) {  // the score of a piece: minus its rank
  Scores scores;
  for (int rank = 0; rank < steps; ++rank) {
    int times = 0;
    const Pair pair = most_frequent(words, times);
    for (Word& w : words)
      for (size_t i = 0; i + 1 < w.pieces.size(); ++i)
        if (Pair(w.pieces[i], w.pieces[i + 1]) == pair) join_at(w.pieces, i);
    scores[pair.first + pair.second] = -rank;
    std::printf("%4d   %-4s %-4s", -rank, pair.first.c_str(), pair.second.c_str());
    std::printf(" %4d times\n", times);
  }
  return scores;
}

// 2. To cut: join the neighbours whose piece has the best score, the leftmost among equals.
void print(const Pieces& pieces) {
  for (const std::string& piece : pieces) std::printf(" %s", piece.c_str());
  std::printf("\n");
}
Pieces merge_loop(const std::string& text, const Scores& scores) {
  Pieces pieces = characters(text);
  for (;;) {
    print(pieces);
    size_t best = pieces.size();
    double best_score = -HUGE_VAL;
    for (size_t i = 0; i + 1 < pieces.size(); ++i) {
      const auto found = scores.find(pieces[i] + pieces[i + 1]);
      if (found == scores.end() || found->second <= best_score) continue;
      best = i, best_score = found->second;
    }
    if (best == pieces.size()) return pieces;  // no two neighbours make a piece
    join_at(pieces, best);
  }
}

// 3. The unigram model: of all ways to cut the text, the one with the largest sum of scores.
Pieces best_path(const std::string& text, const Scores& scores, double unknown) {
  std::vector<double> sum(text.size() + 1, -HUGE_VAL);  // of the best way to each place
  std::vector<size_t> start(text.size() + 1);           // where its last piece begins
  sum[0] = 0;
  for (size_t end = 1; end <= text.size(); ++end)
    for (size_t begin = 0; begin < end; ++begin) {
      const auto found = scores.find(text.substr(begin, end - begin));
      if (found == scores.end() && end - begin > 1) continue;
      const double other = sum[begin] + (found == scores.end() ? unknown : found->second);
      if (other > sum[end]) sum[end] = other, start[end] = begin;
    }
  Pieces pieces;
  for (size_t end = text.size(); end > 0; end = start[end])
    pieces.insert(pieces.begin(), text.substr(start[end], end - start[end]));
  std::printf("%7.2f", sum[text.size()]);
  return pieces;
}

int main() {
  std::vector<Word> words;
  const Pieces texts = {"_hand", "_hands", "_handle", "_band",  "_bands",
                        "_land", "_lands", "_sand",   "_sandy", "_candle"};
  const std::vector<int> times = {5, 2, 1, 3, 1, 3, 1, 2, 1, 1};
  for (size_t i = 0; i < texts.size(); ++i) words.push_back({characters(texts[i]), times[i]});
  std::printf("learnt\n");
  const Scores ranks = learn(words, 8);
  std::printf("merge loop\n");
  merge_loop("_handy", ranks);
  std::printf("unigram\n");
  Scores logarithms;
  const std::map<std::string, double> p = {{"_", .2}, {"h", .1},   {"a", .1},   {"n", .1},
                                           {"d", .1}, {"_h", .05}, {"and", .2}, {"_hand", .15}};
  for (const auto& entry : p) logarithms[entry.first] = std::log(entry.second);
  print(best_path("_handy", logarithms, std::log(.05) - 10));  // y is no piece
}
