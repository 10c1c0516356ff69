// Positions of words, forward and backward, and a check: g++ plain.cpp -o plain && ./plain
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

using Row = std::vector<double>;
using Matrix = std::vector<Row>;   // x[n][d] is number d of word n
const size_t P = 6, N = 4, D = 4;  // rows of the table; words; numbers of each word

// Writes positions (P, D): the hands of D / 2 clocks, each slower than the one before.
void sinusoids(Matrix& positions) {
  for (size_t p = 0; p < P; ++p) {
    for (size_t i = 0; i < D / 2; ++i) {
      const double angle = double(p) * std::pow(10000.0, -2.0 * double(i) / D);
      positions[p][2 * i] = std::sin(angle);  // eq:2.1
      positions[p][2 * i + 1] = std::cos(angle);
    }
  }
}

// Reads x (N, D), a sentence whose first word has the position `first`. Writes y (N, D).
void position_forward(Matrix& y, const Matrix& x, size_t first, const Matrix& positions) {
  for (size_t n = 0; n < N; ++n)
    for (size_t d = 0; d < D; ++d) y[n][d] = x[n][d] + positions[first + n][d];  // eq:2.2
}

// Reads dy (N, D), the derivative of the loss by each number of y. Writes the same, dx (N, D).
void position_backward(Matrix& dx, const Matrix& dy) {
  dx = dy;  // eq:2.5
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
  Matrix x = {{0.66, 0.66, -1.12, 0.04},   // the
              {1.3, 1.2, 0.16, -0.3},      // cat
              {-1.56, 1.18, 1.06, 1.08},   // sleeps
              {-0.6, 1.1, -0.34, -0.12}};  // <eos>
  Matrix dy = {{1, 2, 3, 4}, {5, 6, 7, 8}, {-1, -2, -3, -4}, {-5, -6, -7, -8}};
  Matrix positions(P, Row(D)), y(N, Row(D)), later = y, dx;
  sinusoids(positions);
  position_forward(later, x, 2, positions);  // the same words from position 2 on
  position_forward(y, x, 0, positions);
  position_backward(dx, dy);
  show(all, {{"positions (P, D)", positions}, {"x (N, D)", x}, {"y (N, D)", y}});
  show(all, {{"later (N, D)", later}, {"dy (N, D)", dy}, {"dx (N, D)", dx}});
  // The loss is the sum of dy * y. A small step of each number, to both sides, gives its slope.
  double worst = 0;
  const auto check = [&](Row& numbers, const Row& gradient) {
    for (size_t i = 0; i < numbers.size(); ++i) {
      double slope = 0;
      for (const double step : {1e-5, -1e-5}) {
        numbers[i] += step;
        position_forward(y, x, 0, positions);
        numbers[i] -= step;
        for (size_t n = 0; n < N; ++n)
          for (size_t d = 0; d < D; ++d) slope += dy[n][d] * y[n][d] / (2 * step);
      }
      const double difference = std::fabs(slope - gradient[i]);
      if (difference > worst || std::isnan(difference)) worst = difference;
    }
  };
  for (size_t n = 0; n < N; ++n) check(x[n], dx[n]);
  std::printf(all ? "difference %.17g\n" : "largest error of a gradient: %.0e\n", worst);
  return worst < 1e-8 ? 0 : 1;
}
