// Masks, and a softmax with a mask, and a check: g++ plain.cpp -o plain && ./plain
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

using Row = std::vector<double>;
using Matrix = std::vector<Row>;         // mask[t][j] is 1 if word t may look at word j
const size_t T = 4, S = 4, padding = 0;  // words that look; words to look at; the id of no word
const double root = std::sqrt(2);        // of Dk, which divides the scores

// Reads the ids (S) of a sentence. Writes mask (T, S), which hides padding.
void padding_mask(Matrix& mask, const Row& ids) {
  for (size_t t = 0; t < T; ++t)
    for (size_t j = 0; j < S; ++j) mask[t][j] = ids[j] == padding ? 0 : 1;  // eq:4.1
}

// Hides in mask (T, S) what comes later than the word that looks.
void causal_mask(Matrix& mask) {
  for (size_t t = 0; t < T; ++t)
    for (size_t j = 0; j < S; ++j)
      if (j + T > S + t) mask[t][j] = 0;  // eq:4.2
}

// Reads the scores s (S) of one word and its row of the mask. Writes the weights p (S).
void masked_softmax_forward(Row& p, const Row& s, const Row& mask) {
  double largest = -HUGE_VAL, total = 0;
  for (size_t j = 0; j < S; ++j)
    if (mask[j] == 1) largest = std::fmax(largest, s[j]);
  for (size_t j = 0; j < S; ++j) {
    p[j] = mask[j] == 1 ? std::exp(s[j] - largest) : 0;
    total += p[j];
  }
  for (size_t j = 0; j < S; ++j) p[j] = total > 0 ? p[j] / total : 0;  // eq:4.3
}

// Reads dp (S), the derivative of the loss by each weight. Writes ds (S). It needs no mask:
// where the mask is 0, p is 0, and so is ds.
void masked_softmax_backward(Row& ds, const Row& dp, const Row& p) {
  double mean = 0;
  for (size_t j = 0; j < S; ++j) mean += p[j] * dp[j];
  for (size_t j = 0; j < S; ++j) ds[j] = p[j] * (dp[j] - mean);  // eq:4.5
}

void show(bool all, const std::vector<std::pair<std::string, Matrix>>& tensors) {
  for (const auto& [name, rows] : tensors) {
    std::printf("%s", all ? name.substr(0, name.find(' ')).c_str() : name.c_str());
    for (const Row& row : rows) {
      if (!all) std::printf("\n");
      for (const double number : row) std::printf(all ? " %.17g" : "%8.2f", number);
    }
    std::printf("\n");
  }
}

int main(int count, char** words) {
  const bool all = count == 2 && words[1] == std::string("all");
  if (count > 1 && !all) std::fputs("usage: ./plain [all]\n", stderr);
  if (count > 1 && !all) return 2;
  Matrix first(T, Row(S)), mask(T, Row(S)), s(T, Row(S)), p(T, Row(S)), ds(T, Row(S));
  const Row first_ids = {4, 6, 9, 3};    // the cat sleeps <eos>
  const Row second_ids = {10, 5, 3, 0};  // a dog <eos> <pad>
  padding_mask(first, first_ids);
  padding_mask(mask, second_ids);
  show(all, {{"first_ids (S)", {first_ids}}, {"second_ids (S)", {second_ids}}});
  show(all, {{"first (T, S)", first}, {"second (T, S)", mask}});
  causal_mask(first);
  causal_mask(mask);
  show(all, {{"first_causal (T, S)", first}, {"second_causal (T, S)", mask}});

  Matrix q = {{1.88, -2.32}, {-0.42, 0.6}, {-0.6, 1.1}, {1, 1}};  // also the keys
  Matrix dp = {{1, 2, 3, 4}, {5, 6, 7, 8}, {-1, 2, -3, 4}, {9, -8, 7, -6}};
  for (size_t t = 0; t < T; ++t) {
    for (size_t j = 0; j < S; ++j) s[t][j] = (q[t][0] * q[j][0] + q[t][1] * q[j][1]) / root;
    masked_softmax_forward(p[t], s[t], mask[t]);
    masked_softmax_backward(ds[t], dp[t], p[t]);
  }
  const Row hidden_s = {0.25, 7.5, -1, 2};
  Row hidden_p(S);
  masked_softmax_forward(hidden_p, hidden_s, Row(S, 0));  // a word that may look at nothing
  show(all, {{"s (T, S)", s}, {"p (T, S)", p}, {"dp (T, S)", dp}, {"ds (T, S)", ds}});
  show(all, {{"hidden_s (S)", {hidden_s}}, {"hidden_p (S)", {hidden_p}}});

  // The loss is the sum of dp * p. A small step of each number, to both sides, gives its slope.
  double worst = 0;
  const auto check = [&](Row& numbers, const Row& gradient) {
    for (size_t i = 0; i < numbers.size(); ++i) {
      double slope = 0;
      for (const double step : {1e-5, -1e-5}) {
        numbers[i] += step;
        for (size_t t = 0; t < T; ++t) masked_softmax_forward(p[t], s[t], mask[t]);
        numbers[i] -= step;
        for (size_t t = 0; t < T; ++t)
          for (size_t j = 0; j < S; ++j) slope += dp[t][j] * p[t][j] / (2 * step);
      }
      const double difference = std::fabs(slope - gradient[i]);
      if (difference > worst || std::isnan(difference)) worst = difference;
    }
  };
  for (size_t t = 0; t < T; ++t) check(s[t], ds[t]);
  std::printf(all ? "difference %.17g\n" : "largest error of a gradient: %.0e\n", worst);
  return worst < 1e-8 ? 0 : 1;
}
