// A linear map, forward and backward, and a check of both: g++ plain.cpp -o plain && ./plain
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

using Row = std::vector<double>;
using Matrix = std::vector<Row>;      // x[n][i] is number i of word n
const size_t N = 3, in = 4, out = 2;  // words; numbers of each word before and after the map

// Reads x (N, in), w (in, out) and b (out). Writes y (N, out).
void linear_forward(Matrix& y, const Matrix& x, const Matrix& w, const Row& b) {
  for (size_t n = 0; n < N; ++n) {
    for (size_t j = 0; j < out; ++j) {
      y[n][j] = b[j];
      for (size_t i = 0; i < in; ++i) y[n][j] += x[n][i] * w[i][j];  // eq:0.1
    }
  }
}

// Reads dy (N, out), the derivative of the loss by each number of y. Writes dx (N, in).
// Adds to dw (in, out) and db (out) the sums over the words, which all use the same w and b.
void linear_backward(Matrix& dx, Matrix& dw, Row& db,  // written
                     const Matrix& dy, const Matrix& x, const Matrix& w) {
  for (size_t n = 0; n < N; ++n) {
    for (size_t i = 0; i < in; ++i) {
      dx[n][i] = 0;
      for (size_t j = 0; j < out; ++j) dx[n][i] += dy[n][j] * w[i][j];  // eq:0.3
      for (size_t j = 0; j < out; ++j) dw[i][j] += x[n][i] * dy[n][j];  // eq:0.4
    }
    for (size_t j = 0; j < out; ++j) db[j] += dy[n][j];  // eq:0.5
  }
}

void show(bool all, const std::vector<std::pair<std::string, Matrix>>& tensors) {
  for (const auto& t : tensors) {
    std::printf("%s", all ? t.first.substr(0, t.first.find(' ')).c_str() : t.first.c_str());
    for (const Row& row : t.second) {
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
  Matrix x = {{1, 0, 2, -1}, {0, 1, 1, 2}, {2, -1, 0, 1}}, dx(N, Row(in)), dw(in, Row(out));
  Matrix w = {{1, 2}, {0, 1}, {-1, 1}, {2, 0}}, dy = {{1, 0}, {0, 2}, {-1, 1}}, y(N, Row(out));
  Row b = {1, -1}, db(out);
  linear_forward(y, x, w, b);
  linear_backward(dx, dw, db, dy, x, w);
  show(all, {{"x (N, in)", x}, {"w (in, out)", w}, {"b (out)", {b}}, {"y (N, out)", y}});
  show(all, {{"dy (N, out)", dy}, {"dx (N, in)", dx}});
  show(all, {{"dw (in, out)", dw}, {"db (out)", {db}}});
  // The loss is the sum of dy * y. A small step of each number, to both sides, gives its slope.
  double worst = 0;
  const auto check = [&](Row& numbers, const Row& gradient) {
    for (size_t i = 0; i < numbers.size(); ++i) {
      double slope = 0;
      for (const double step : {1e-5, -1e-5}) {
        numbers[i] += step;
        linear_forward(y, x, w, b);
        numbers[i] -= step;
        for (size_t n = 0; n < N; ++n)
          for (size_t j = 0; j < out; ++j) slope += dy[n][j] * y[n][j] / (2 * step);
      }
      const double difference = std::fabs(slope - gradient[i]);
      if (difference > worst || std::isnan(difference)) worst = difference;
    }
  };
  for (size_t n = 0; n < N; ++n) check(x[n], dx[n]);
  for (size_t i = 0; i < in; ++i) check(w[i], dw[i]);
  check(b, db);
  std::printf(all ? "difference %.17g\n" : "largest error of a gradient: %.0e\n", worst);
  return worst < 1e-8 ? 0 : 1;
}
