// Attention, one head, forward and backward, and a check: g++ plain.cpp -o plain && ./plain
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

using Vec = std::vector<double>;    // row by row: number d of query t is q[t * Dk + d]
const size_t T = 4, S = 4, Dk = 2;  // queries; keys; numbers of each
const double root = std::sqrt(Dk);

// Reads q (T, Dk), k and v (S, Dk). Writes y (T, Dk), and the weights p (T, S) for backward.
void attention_forward(Vec& y, Vec& p, const Vec& q, const Vec& k, const Vec& v, bool causal) {
  y = Vec(T * Dk), p = Vec(T * S);
  for (size_t t = 0; t < T; ++t) {
    double s[S] = {}, largest = -HUGE_VAL, total = 0;
    for (size_t i = 0; i < S; ++i) {
      for (size_t d = 0; d < Dk; ++d) s[i] += q[t * Dk + d] * k[i * Dk + d] / root;  // eq:3.1
      if (causal && i > t) s[i] = -HUGE_VAL;  // here T = S; the weight is exp(-infinity) = 0
      largest = std::fmax(largest, s[i]);
    }
    for (size_t i = 0; i < S; ++i) total += std::exp(s[i] - largest);
    for (size_t i = 0; i < S; ++i) p[t * S + i] = std::exp(s[i] - largest) / total;  // eq:3.2
    for (size_t i = 0; i < S; ++i)
      for (size_t d = 0; d < Dk; ++d) y[t * Dk + d] += p[t * S + i] * v[i * Dk + d];  // eq:3.3
  }
}

// Reads dy (T, Dk), the derivative of the loss by y. Adds to dq (T, Dk), dk and dv (S, Dk).
void attention_backward(Vec& dq, Vec& dk, Vec& dv, const Vec& dy,  // inputs: dy, q, k, v, p
                        const Vec& q, const Vec& k, const Vec& v, const Vec& p) {
  for (size_t t = 0; t < T; ++t) {
    double dp[S] = {}, mean = 0;      // the mean of dp, with the weights p
    for (size_t i = 0; i < S; ++i) {  // eq:3.7 and eq:3.8
      for (size_t d = 0; d < Dk; ++d) dv[i * Dk + d] += p[t * S + i] * dy[t * Dk + d];
      for (size_t d = 0; d < Dk; ++d) dp[i] += dy[t * Dk + d] * v[i * Dk + d];
      mean += p[t * S + i] * dp[i];
    }
    for (size_t i = 0; i < S; ++i) {
      const double ds = p[t * S + i] * (dp[i] - mean);                              // eq:3.9
      for (size_t d = 0; d < Dk; ++d) dq[t * Dk + d] += ds * k[i * Dk + d] / root;  // eq:3.10
      for (size_t d = 0; d < Dk; ++d) dk[i * Dk + d] += ds * q[t * Dk + d] / root;  // eq:3.11
    }
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
  Vec q = {-2.7656, -1.4668, -3.3760, -0.8293, -1.3323, -1.2667, -0.3885, -0.5582};
  Vec k = {1.6324, -0.3018, 2.0936, -0.7237, -1.1058, -2.0848, -0.3330, -0.3816};
  Vec v = {-0.5444, -0.0224, 0.9265, 1.0761, 0.6686, -3.2155, -0.2077, -1.2737};
  Vec dy = {1, 2, 3, -4, -5, 6, 7, 8}, p, y, dq(T * Dk), dk(S * Dk), dv(S * Dk);
  attention_forward(y, p, q, k, v, false);
  print("q", q, Dk), print("k", k, Dk), print("v", v, Dk), print("p", p, S), print("y", y, Dk);
  attention_forward(y, p, q, k, v, true);  // from here on no query looks ahead
  attention_backward(dq, dk, dv, dy, q, k, v, p);
  print("p_masked", p, S), print("y_masked", y, Dk), print("dy", dy, Dk), print("dq", dq, Dk);
  print("dk", dk, Dk), print("dv", dv, Dk);
  const auto loss = [&](double& number, double step) {  // the sum of dy * y after a step
    number += step;
    attention_forward(y, p, q, k, v, true);
    number -= step;
    return std::inner_product(dy.begin(), dy.end(), y.begin(), 0.0);
  };
  double error = 0;  // of all gradients together; the slopes come from steps to both sides
  const auto check = [&](Vec& n, const Vec& dn) {
    for (size_t i = 0; i < n.size(); ++i)  // each number by itself
      error += std::fabs((loss(n[i], 1e-5) - loss(n[i], -1e-5)) / 2e-5 - dn[i]);
  };
  check(q, dq), check(k, dk), check(v, dv);
  std::printf(all ? "difference %.17g\n" : "errors of all gradients, summed: %.0e\n", error);
  return error < 1e-8 ? 0 : 1;
}
