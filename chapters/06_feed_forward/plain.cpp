// Feed-forward, forward and backward, and a check: g++ plain.cpp -o plain && ./plain
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

using Row = std::vector<double>;
using Matrix = std::vector<Row>;   // x[n][d] is number d of word n
const size_t N = 4, D = 4, F = 8;  // words; numbers of each word; hidden units

// Reads x (D), the row of one word, and w1 (D, F), b1 (F), w2 (F, D), b2 (D), which are learnt.
// Writes y (D), and z (F) and h (F), which backward needs.
void feed_forward_forward(Row& y, Row& z, Row& h,                         // written
                          const Row& x, const Matrix& w1, const Row& b1,  // read
                          const Matrix& w2, const Row& b2) {
  for (size_t f = 0; f < F; ++f) {
    z[f] = b1[f];
    for (size_t d = 0; d < D; ++d) z[f] += x[d] * w1[d][f];  // eq:6.4
    h[f] = z[f] > 0 ? z[f] : 0;                              // eq:6.2
  }
  for (size_t d = 0; d < D; ++d) {
    y[d] = b2[d];
    for (size_t f = 0; f < F; ++f) y[d] += h[f] * w2[f][d];  // eq:6.1
  }
}

// Reads dy (D), the derivative of the loss by each number of y. Writes dx (D).
// Adds to dw1 (D, F), db1 (F), dw2 (F, D), db2 (D), because every word uses the same w1 to b2.
void feed_forward_backward(Row& dx, Matrix& dw1, Row& db1, Matrix& dw2, Row& db2,    // written
                           const Row& dy, const Row& x, const Row& z, const Row& h,  // read
                           const Matrix& w1, const Matrix& w2) {
  dx = Row(D);
  for (size_t d = 0; d < D; ++d) db2[d] += dy[d];
  for (size_t f = 0; f < F; ++f) {
    double dh = 0;
    for (size_t d = 0; d < D; ++d) dh += dy[d] * w2[f][d];
    for (size_t d = 0; d < D; ++d) dw2[f][d] += h[f] * dy[d];
    const double dz = z[f] > 0 ? dh : 0;  // eq:6.5
    db1[f] += dz;
    for (size_t d = 0; d < D; ++d) dx[d] += dz * w1[d][f];
    for (size_t d = 0; d < D; ++d) dw1[d][f] += x[d] * dz;
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
  Matrix x = {{0.66, 0.66, -1.12, 0.04},   // the
              {1.3, 1.2, 0.16, -0.3},      // cat
              {-1.56, 1.18, 1.06, 1.08},   // sleeps
              {-0.6, 1.1, -0.34, -0.12}};  // <eos>
  Matrix w1 = {{0.23, 0.07, -0.6, 0.14, -0.3, 0.31, 0.29, -0.18},
               {-0.01, 0.65, -0.53, -0.07, -0.67, -0.65, -0.02, -0.7},
               {-0.24, -0.17, 0.22, -0.34, 0.03, 0.27, -0.29, 0.19},
               {0.5, 0.29, -0.27, 0.87, -0.64, 0.05, 0.16, 0.39}};
  Matrix w2 = {{0.33, 0.51, -0.46, 0.39}, {-0.49, -0.37, 0.54, -0.48},  //
               {0.55, 0.52, -0.2, 0.23},  {0.6, 0.15, -0.92, 0.05},     //
               {0.41, 0.49, 0.5, -0.29},  {-0.28, -0.29, 0.37, 0.02},   //
               {-0.43, 0.26, 0.19, 0.44}, {0.39, -0.04, 0.83, -0.27}};
  Row b1 = {-0.2, 0.11, -0.08, -0.04, 0.19, -0.18, -0.25, -0.12}, db1(F);
  Row b2 = {0.12, -0.12, 0.15, -0.12}, db2(D);
  Matrix dy = {{0, 0, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}, y = dy, dx = dy;
  Matrix z(N, Row(F)), h(N, Row(F)), dw1(D, Row(F)), dw2(F, Row(D));
  for (size_t n = 0; n < N; ++n) {
    feed_forward_forward(y[n], z[n], h[n], x[n], w1, b1, w2, b2);
    feed_forward_backward(dx[n], dw1, db1, dw2, db2, dy[n], x[n], z[n], h[n], w1, w2);
  }
  show(all, {{"x (N, D)", x}, {"w1 (D, F)", w1}, {"b1 (F)", {b1}}, {"w2 (F, D)", w2}});
  show(all, {{"b2 (D)", {b2}}, {"z (N, F)", z}, {"h (N, F)", h}, {"y (N, D)", y}});
  show(all, {{"dy (N, D)", dy}, {"dx (N, D)", dx}, {"dw1 (D, F)", dw1}, {"db1 (F)", {db1}}});
  show(all, {{"dw2 (F, D)", dw2}, {"db2 (D)", {db2}}});

  dy = x;  // For the check, a dy without zeros.
  dw1 = Matrix(D, Row(F));
  dw2 = Matrix(F, Row(D));
  db1 = Row(F);
  db2 = Row(D);
  for (size_t n = 0; n < N; ++n) {
    feed_forward_backward(dx[n], dw1, db1, dw2, db2, dy[n], x[n], z[n], h[n], w1, w2);
  }

  // The loss is the sum of dy * y. A small step of each number, to both sides, gives its slope.
  double worst = 0;
  const auto check = [&](Row& numbers, const Row& gradient) {
    for (size_t i = 0; i < numbers.size(); ++i) {
      double slope = 0;
      for (const double step : {1e-5, -1e-5}) {
        numbers[i] += step;
        for (size_t n = 0; n < N; ++n) {
          feed_forward_forward(y[n], z[n], h[n], x[n], w1, b1, w2, b2);
        }
        numbers[i] -= step;
        for (size_t n = 0; n < N; ++n)
          for (size_t d = 0; d < D; ++d) slope += dy[n][d] * y[n][d] / (2 * step);
      }
      const double difference = std::fabs(slope - gradient[i]);
      if (difference > worst || std::isnan(difference)) worst = difference;
    }
  };
  for (size_t n = 0; n < N; ++n) check(x[n], dx[n]);
  for (size_t d = 0; d < D; ++d) check(w1[d], dw1[d]);
  for (size_t f = 0; f < F; ++f) check(w2[f], dw2[f]);
  check(b1, db1);
  check(b2, db2);
  std::printf(all ? "difference %.17g\n" : "largest error of a gradient: %.0e\n", worst);
  return worst < 1e-8 ? 0 : 1;
}
