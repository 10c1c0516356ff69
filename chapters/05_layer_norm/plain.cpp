// Layer norm, forward and backward, and a check of both: g++ plain.cpp -o plain && ./plain
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

using Row = std::vector<double>;
using Matrix = std::vector<Row>;  // x[n][d] is number d of word n
const size_t N = 4, D = 4;        // words; numbers of each word

// Reads x (D), the row of one word, and gamma (D) and beta (D), which are learnt.
// Writes y (D), and mean and rstd, two numbers, which backward needs.
void layer_norm_forward(Row& y, double& mean, double& rstd,  // written
                        const Row& x, const Row& gamma, const Row& beta) {
  double sum = 0, squares = 0;
  for (size_t d = 0; d < D; ++d) sum += x[d];
  mean = sum / D;
  for (size_t d = 0; d < D; ++d) squares += (x[d] - mean) * (x[d] - mean);
  rstd = 1 / std::sqrt(squares / D + 1e-5);  // eq:5.1, with 1e-5 against a division by 0
  for (size_t d = 0; d < D; ++d) {
    const double xhat = (x[d] - mean) * rstd;  // eq:5.2
    y[d] = gamma[d] * xhat + beta[d];          // eq:5.3
  }
}

// Reads dy (D), the derivative of the loss by each number of y. Writes dx (D).
// Adds to dgamma (D) and dbeta (D), because every word uses the same gamma and beta.
void layer_norm_backward(Row& dx, Row& dgamma, Row& dbeta,                       // written
                         const Row& dy, const Row& x, double mean, double rstd,  // read
                         const Row& gamma) {
  Row xhat(D), g(D);  // g is the gradient of xhat
  double mean_g = 0, mean_gx = 0;
  for (size_t d = 0; d < D; ++d) {
    xhat[d] = (x[d] - mean) * rstd;
    dgamma[d] += dy[d] * xhat[d];  // eq:5.5
    dbeta[d] += dy[d];             // eq:5.6
    g[d] = gamma[d] * dy[d];
    mean_g += g[d] / D;
    mean_gx += g[d] * xhat[d] / D;
  }
  for (size_t d = 0; d < D; ++d) dx[d] = rstd * (g[d] - mean_g - xhat[d] * mean_gx);  // eq:5.7
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
  Matrix x = {{0.66, 1.66, -1.12, 1.04},        // the
              {2.1415, 1.7403, 0.17, 0.7},      // cat
              {-0.6507, 0.7639, 1.08, 2.0798},  // sleeps
              {-0.4589, 0.11, -0.31, 0.8796}};  // <eos>
  Matrix dy = {{1, 0, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}, y = dy, dx = dy;
  Row gamma = {0.77, 1.17, 0.92, 1.06}, beta = {-0.12, 0.01, 0, 0};
  Row mean(N), rstd(N), dgamma(D), dbeta(D);
  for (size_t n = 0; n < N; ++n) {
    layer_norm_forward(y[n], mean[n], rstd[n], x[n], gamma, beta);
    layer_norm_backward(dx[n], dgamma, dbeta, dy[n], x[n], mean[n], rstd[n], gamma);
  }
  show(all, {{"x (N, D)", x}, {"gamma (D)", {gamma}}, {"beta (D)", {beta}}});
  show(all, {{"mean (N)", {mean}}, {"rstd (N)", {rstd}}, {"y (N, D)", y}});
  show(all, {{"dy (N, D)", dy}, {"dx (N, D)", dx}});
  show(all, {{"dgamma (D)", {dgamma}}, {"dbeta (D)", {dbeta}}});

  dy = x;  // For the check, a dy without zeros.
  dgamma = dbeta = Row(D);
  for (size_t n = 0; n < N; ++n) {
    layer_norm_backward(dx[n], dgamma, dbeta, dy[n], x[n], mean[n], rstd[n], gamma);
  }

  // The loss is the sum of dy * y. A small step of each number, to both sides, gives its slope.
  double worst = 0;
  const auto check = [&](Row& numbers, const Row& gradient) {
    for (size_t i = 0; i < numbers.size(); ++i) {
      double slope = 0;
      for (const double step : {1e-5, -1e-5}) {
        numbers[i] += step;
        for (size_t n = 0; n < N; ++n) {
          layer_norm_forward(y[n], mean[n], rstd[n], x[n], gamma, beta);
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
  check(gamma, dgamma);
  check(beta, dbeta);
  std::printf(all ? "difference %.17g\n" : "largest error of a gradient: %.0e\n", worst);
  return worst < 1e-8 ? 0 : 1;
}
