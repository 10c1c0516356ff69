// Word vectors, forward and backward, and a check: g++ plain.cpp -o plain && ./plain
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

using Vec = std::vector<double>;                     // row by row: y[n * D + d] of word n
const size_t N = 6, Vocab = 12, D = 4, padding = 0;  // padding is the id of no word
const double scale = std::sqrt(D);                   // eq:1.2

// Reads ids (N) and table (Vocab, D). Writes y (N, D), a row of the table for each id.
void lookup_forward(Vec& y, const std::vector<size_t>& ids, const Vec& table) {
  for (size_t n = 0; n < N; ++n) {
    const double factor = ids[n] == padding ? 0 : scale;
    for (size_t d = 0; d < D; ++d) y[n * D + d] = factor * table[ids[n] * D + d];  // eq:1.1
  }
}

// Reads dy (N, D), the derivative of the loss by each number of y. Adds to dtable (Vocab, D):
// the row of a word that stands there twice gets both gradients.
void lookup_backward(Vec& dtable, const Vec& dy, const std::vector<size_t>& ids) {
  for (size_t n = 0; n < N; ++n) {
    if (ids[n] == padding) continue;
    for (size_t d = 0; d < D; ++d) dtable[ids[n] * D + d] += scale * dy[n * D + d];  // eq:1.3
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
  const std::vector<size_t> ids = {4, 6, 7, 4, 5, 0};  // the cat sees the dog, and padding
  Vec table = {0,     0,     0,     0,                 // 0 <pad>
               -0.16, -0.09, -0.06, -0.4,              // 1 <unk>
               0.33,  0.65,  0.01,  -0.43,             // 2 <bos>
               -0.3,  0.55,  -0.17, -0.06,             // 3 <eos>
               0.33,  0.33,  -0.56, 0.02,              // 4 the
               -0.21, 0.3,   0.9,   -0.69,             // 5 dog
               0.65,  0.6,   0.08,  -0.15,             // 6 cat
               1.05,  -0.09, -0.43, 0.77,              // 7 sees
               0.09,  -0.37, -0.7,  1.05,              // 8 bird
               -0.78, 0.59,  0.53,  0.54,              // 9 sleeps
               0.94,  -1.16, -0.66, 0.57,              // 10 a
               -0.01, -0.99, 0.81,  0.13};             // 11 sings
  Vec dy = {1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 8, 8, 8, 8, 16, 16, 16, 16, 32, 32, 32, 32};
  Vec y(N * D), dtable(Vocab * D);
  lookup_forward(y, ids, table);
  lookup_backward(dtable, dy, ids);
  print("ids", Vec(ids.begin(), ids.end()), N), print("table", table, D), print("y", y, D);
  print("dy", dy, D), print("dtable", dtable, D);
  dy = y, dtable = Vec(Vocab * D);  // The check has a dy with other numbers in each column.
  lookup_backward(dtable, dy, ids);
  const auto loss = [&](double& number, double step) {  // the sum of dy * y after a step
    number += step;
    lookup_forward(y, ids, table);
    number -= step;
    return std::inner_product(dy.begin(), dy.end(), y.begin(), 0.0);
  };
  double error = 0;  // of all gradients together; the slopes come from steps to both sides
  const auto check = [&](Vec& v, const Vec& dv) {
    for (size_t i = 0; i < v.size(); ++i)  // each number by itself
      error += std::fabs((loss(v[i], 1e-5) - loss(v[i], -1e-5)) / 2e-5 - dv[i]);
  };
  check(table, dtable);
  std::printf(all ? "difference %.17g\n" : "errors of all gradients, summed: %.0e\n", error);
  return error < 1e-8 ? 0 : 1;
}
