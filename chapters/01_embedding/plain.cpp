// Word vectors, forward and backward, and a check: g++ plain.cpp -o plain && ./plain
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

using Row = std::vector<double>;
using Matrix = std::vector<Row>;                     // y[n][d] is number d of word n
const size_t N = 6, Vocab = 12, D = 4, padding = 0;  // padding is the id of no word
const double scale = std::sqrt(D);                   // eq:1.2

// Reads ids (N) and table (Vocab, D). Writes y (N, D), a row of the table for each id.
void lookup_forward(Matrix& y, const std::vector<size_t>& ids, const Matrix& table) {
  for (size_t n = 0; n < N; ++n) {
    const bool is_word = ids[n] != padding;
    for (size_t d = 0; d < D; ++d) y[n][d] = is_word ? scale * table[ids[n]][d] : 0;  // eq:1.1
  }
}

// Reads dy (N, D), the derivative of the loss by each number of y. Adds to dtable (Vocab, D):
// the row of a word that stands there twice gets both gradients.
void lookup_backward(Matrix& dtable, const Matrix& dy, const std::vector<size_t>& ids) {
  for (size_t n = 0; n < N; ++n) {
    if (ids[n] == padding) continue;
    for (size_t d = 0; d < D; ++d) dtable[ids[n]][d] += scale * dy[n][d];  // eq:1.3
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
  const std::vector<size_t> ids = {4, 6, 7, 4, 5, 0};  // the cat sees the dog, and padding
  Matrix table = {{0, 0, 0, 0},                        // 0 <pad>
                  {-0.16, -0.09, -0.06, -0.4},         // 1 <unk>
                  {0.33, 0.65, 0.01, -0.43},           // 2 <bos>
                  {-0.3, 0.55, -0.17, -0.06},          // 3 <eos>
                  {0.33, 0.33, -0.56, 0.02},           // 4 the
                  {-0.21, 0.3, 0.9, -0.69},            // 5 dog
                  {0.65, 0.6, 0.08, -0.15},            // 6 cat
                  {1.05, -0.09, -0.43, 0.77},          // 7 sees
                  {0.09, -0.37, -0.7, 1.05},           // 8 bird
                  {-0.78, 0.59, 0.53, 0.54},           // 9 sleeps
                  {0.94, -1.16, -0.66, 0.57},          // 10 a
                  {-0.01, -0.99, 0.81, 0.13}};         // 11 sings
  Matrix dy = {Row(D, 1), Row(D, 2), Row(D, 4), Row(D, 8), Row(D, 16), Row(D, 32)};
  Matrix y(N, Row(D)), dtable(Vocab, Row(D));
  lookup_forward(y, ids, table);
  lookup_backward(dtable, dy, ids);
  show(all, {{"ids (N)", {Row(ids.begin(), ids.end())}}, {"table (Vocab, D)", table}});
  show(all, {{"y (N, D)", y}, {"dy (N, D)", dy}, {"dtable (Vocab, D)", dtable}});

  dy = y;  // For the check, a dy with other numbers in each column.
  dtable = Matrix(Vocab, Row(D));
  lookup_backward(dtable, dy, ids);

  // The loss is the sum of dy * y. A small step of each number, to both sides, gives its slope.
  double worst = 0;
  const auto check = [&](Row& numbers, const Row& gradient) {
    for (size_t i = 0; i < numbers.size(); ++i) {
      double slope = 0;
      for (const double step : {1e-5, -1e-5}) {
        numbers[i] += step;
        lookup_forward(y, ids, table);
        numbers[i] -= step;
        for (size_t n = 0; n < N; ++n)
          for (size_t d = 0; d < D; ++d) slope += dy[n][d] * y[n][d] / (2 * step);
      }
      const double difference = std::fabs(slope - gradient[i]);
      if (difference > worst || std::isnan(difference)) worst = difference;
    }
  };
  for (size_t v = 0; v < Vocab; ++v) check(table[v], dtable[v]);
  std::printf(all ? "difference %.17g\n" : "largest error of a gradient: %.0e\n", worst);
  return worst < 1e-8 ? 0 : 1;
}
