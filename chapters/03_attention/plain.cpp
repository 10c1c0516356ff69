// Attention, one head, forward and backward, and a check: g++ plain.cpp -o plain && ./plain
// Several heads do the same, each with columns of its own in q, k, v and y.
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

using Row = std::vector<double>;
using Matrix = std::vector<Row>;    // k[i][d] is number d of key i
const size_t T = 4, S = 4, Dk = 2;  // queries; keys; numbers of each
const double root = std::sqrt(Dk);

// Reads one query q (Dk), the keys k (S, Dk), the values v (S, Dk), and mask (S): 1 where the
// query may look, otherwise 0. Writes y (Dk), and the weights p (S), which backward needs.
void attention_forward(Row& y, Row& p,  // written
                       const Row& q, const Matrix& k, const Matrix& v, const Row& mask) {
  Row s(S);
  double largest = -HUGE_VAL, total = 0;
  for (size_t i = 0; i < S; ++i) {
    for (size_t d = 0; d < Dk; ++d) s[i] += q[d] * k[i][d] / root;  // eq:3.1
    if (mask[i] == 1) largest = std::fmax(largest, s[i]);
  }
  for (size_t i = 0; i < S; ++i) {
    p[i] = mask[i] == 1 ? std::exp(s[i] - largest) : 0;
    total += p[i];
  }
  y = Row(Dk);
  for (size_t i = 0; i < S; ++i) {
    if (total > 0) p[i] /= total;                            // eq:3.2
    for (size_t d = 0; d < Dk; ++d) y[d] += p[i] * v[i][d];  // eq:3.3
  }
}

// Reads dy (Dk), the derivative of the loss by each number of y. Writes dq (Dk).
// Adds to dk (S, Dk) and dv (S, Dk), because every query uses the same keys and values.
void attention_backward(Row& dq, Matrix& dk, Matrix& dv,               // written
                        const Row& dy, const Row& q, const Matrix& k,  // read
                        const Matrix& v, const Row& p) {
  Row dp(S);
  double mean = 0;  // the mean of dp, with the weights p
  for (size_t i = 0; i < S; ++i) {
    for (size_t d = 0; d < Dk; ++d) dv[i][d] += p[i] * dy[d];  // eq:3.7
    for (size_t d = 0; d < Dk; ++d) dp[i] += dy[d] * v[i][d];  // eq:3.8
    mean += p[i] * dp[i];
  }
  dq = Row(Dk);
  for (size_t i = 0; i < S; ++i) {
    const double ds = p[i] * (dp[i] - mean);                       // eq:3.9
    for (size_t d = 0; d < Dk; ++d) dq[d] += ds * k[i][d] / root;  // eq:3.10
    for (size_t d = 0; d < Dk; ++d) dk[i][d] += ds * q[d] / root;  // eq:3.11
  }
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
  Matrix q = {{-2.7656, -1.4668}, {-3.3760, -0.8293}, {-1.3323, -1.2667}, {-0.3885, -0.5582}};
  Matrix k = {{1.6324, -0.3018}, {2.0936, -0.7237}, {-1.1058, -2.0848}, {-0.3330, -0.3816}};
  Matrix v = {{-0.5444, -0.0224}, {0.9265, 1.0761}, {0.6686, -3.2155}, {-0.2077, -1.2737}};
  Matrix dy = {{1, 2}, {3, -4}, {-5, 6}, {7, 8}}, mask(T, Row(S, 1)), p(T, Row(S));
  Matrix y(T, Row(Dk)), dq(T, Row(Dk)), dk(S, Row(Dk)), dv(S, Row(Dk));
  for (size_t t = 0; t < T; ++t) attention_forward(y[t], p[t], q[t], k, v, mask[t]);
  show(all, {{"q (T, Dk)", q}, {"k (S, Dk)", k}, {"v (S, Dk)", v}});
  show(all, {{"p (T, S)", p}, {"y (T, Dk)", y}});
  for (size_t t = 0; t < T; ++t)
    for (size_t i = t + 1; i < S; ++i) mask[t][i] = 0;  // from here on no word looks ahead
  for (size_t t = 0; t < T; ++t) {
    attention_forward(y[t], p[t], q[t], k, v, mask[t]);
    attention_backward(dq[t], dk, dv, dy[t], q[t], k, v, p[t]);
  }
  show(all, {{"mask (T, S)", mask}, {"p_masked (T, S)", p}, {"y_masked (T, Dk)", y}});
  show(all, {{"dy (T, Dk)", dy}, {"dq (T, Dk)", dq}, {"dk (S, Dk)", dk}, {"dv (S, Dk)", dv}});

  // The loss is the sum of dy * y. A small step of each number, to both sides, gives its slope.
  double worst = 0;
  const auto check = [&](Row& numbers, const Row& gradient) {
    for (size_t i = 0; i < numbers.size(); ++i) {
      double slope = 0;
      for (const double step : {1e-5, -1e-5}) {
        numbers[i] += step;
        for (size_t t = 0; t < T; ++t) attention_forward(y[t], p[t], q[t], k, v, mask[t]);
        numbers[i] -= step;
        for (size_t t = 0; t < T; ++t)
          for (size_t d = 0; d < Dk; ++d) slope += dy[t][d] * y[t][d] / (2 * step);
      }
      const double difference = std::fabs(slope - gradient[i]);
      if (difference > worst || std::isnan(difference)) worst = difference;
    }
  };
  for (size_t t = 0; t < T; ++t) check(q[t], dq[t]);
  for (size_t i = 0; i < S; ++i) check(k[i], dk[i]);
  for (size_t i = 0; i < S; ++i) check(v[i], dv[i]);
  std::printf(all ? "difference %.17g\n" : "largest error of a gradient: %.0e\n", worst);
  return worst < 1e-8 ? 0 : 1;
}
