// Masks, and a softmax with a mask, and a check: g++ plain.cpp -o plain && ./plain
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

using Vec = std::vector<double>;         // row by row: mask[t * S + j] is 1 if t may look at j
const size_t T = 4, S = 4, padding = 0;  // words that look; words to look at; the id of no word

// Reads the ids (S) of a sentence. Writes mask (T, S), which hides padding.
void padding_mask(Vec& mask, const Vec& ids) {
  for (size_t t = 0; t < T; ++t)
    for (size_t j = 0; j < S; ++j) mask[t * S + j] = ids[j] == padding ? 0 : 1;  // eq:4.1
}

// Hides in mask (T, S) what comes later than the word that looks.
void causal_mask(Vec& mask) {
  for (size_t t = 0; t < T; ++t)
    for (size_t j = S + t + 1 - T; j < S; ++j) mask[t * S + j] = 0;  // eq:4.2
}

// Reads rows of S scores s, and their rows of the mask. Writes the rows of weights p.
void masked_softmax_forward(Vec& p, const Vec& s, const Vec& mask) {
  for (size_t row = 0; row < s.size(); row += S) {
    double largest = -HUGE_VAL, total = 0;
    for (size_t j = row; j < row + S; ++j)
      if (mask[j] == 1) largest = std::fmax(largest, s[j]);
    for (size_t j = row; j < row + S; ++j) total += mask[j] == 1 ? std::exp(s[j] - largest) : 0;
    for (size_t j = row; j < row + S; ++j)  // eq:4.3
      p[j] = mask[j] == 1 ? std::exp(s[j] - largest) / total : 0;
  }
}

// Reads dp, the derivative of the loss by p. Writes ds: 0 where p is 0, so it needs no mask.
void masked_softmax_backward(Vec& ds, const Vec& dp, const Vec& p) {
  for (size_t row = 0; row < p.size(); row += S) {
    double mean = 0;
    for (size_t j = row; j < row + S; ++j) mean += p[j] * dp[j];
    for (size_t j = row; j < row + S; ++j) ds[j] = p[j] * (dp[j] - mean);  // eq:4.5
  }
}

int main(int count, char** words) {
  const bool all = count == 2 && words[1] == std::string("all");
  if (count > 1 && !all) return std::fputs("usage: ./plain [all]\n", stderr), 2;
  const auto print = [&](const char* name, const Vec& v, size_t columns) {
    std::printf("%s", name);
    for (size_t i = 0; i < v.size(); ++i)  // a new line for each row, or all in one
      std::printf(all ? " %.17g" : i % columns ? "%8.2f" : "\n%8.2f", v[i]);
    std::printf("\n");
  };
  const Vec first_ids = {4, 6, 9, 3}, second_ids = {10, 5, 3, 0};  // the cat sleeps; a dog
  Vec first(T * S), mask(T * S), s(T * S), p(T * S), ds(T * S), hidden_p(S);
  padding_mask(first, first_ids), padding_mask(mask, second_ids);
  print("first_ids", first_ids, S), print("first", first, S);
  print("second_ids", second_ids, S), print("second", mask, S);
  causal_mask(first), causal_mask(mask);
  print("first_causal", first, S), print("second_causal", mask, S);
  const Vec q = {1.88, -2.32, -0.42, 0.6, -0.6, 1.1, 1, 1}, hidden_s = {0.25, 7.5, -1, 2};
  const Vec dp = {1, 2, 3, 4, 5, 6, 7, 8, -1, 2, -3, 4, 9, -8, 7, -6};
  for (size_t t = 0; t < T; ++t)
    for (size_t j = 0; j < S; ++j)  // the scores; q are also the keys
      s[t * S + j] = (q[2 * t] * q[2 * j] + q[2 * t + 1] * q[2 * j + 1]) / std::sqrt(2);
  masked_softmax_forward(p, s, mask), masked_softmax_backward(ds, dp, p);
  masked_softmax_forward(hidden_p, hidden_s, Vec(S, 0));  // a word that may look at nothing
  print("s", s, S), print("p", p, S), print("dp", dp, S), print("ds", ds, S);
  print("hidden_s", hidden_s, S), print("hidden_p", hidden_p, S);
  const auto loss = [&](double& number, double step) {  // the sum of dp * p after a step
    number += step;
    masked_softmax_forward(p, s, mask);
    number -= step;
    return std::inner_product(dp.begin(), dp.end(), p.begin(), 0.0);
  };
  double error = 0;                   // of all scores together
  for (size_t i = 0; i < T * S; ++i)  // each score by itself
    error += std::fabs((loss(s[i], 1e-5) - loss(s[i], -1e-5)) / 2e-5 - ds[i]);
  std::printf(all ? "difference %.17g\n" : "errors of all gradients, summed: %.0e\n", error);
  return error < 1e-8 ? 0 : 1;
}
