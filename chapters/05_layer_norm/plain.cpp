// Layer norm, forward and backward, and a check of both: g++ plain.cpp -o plain && ./plain
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

using Vec = std::vector<double>;  // row by row: number d of word n is x[n * D + d]
const size_t N = 4, D = 4;        // words; numbers of each word

// Reads x (N, D), gamma (D), beta (D). Writes y (N, D), and mean (N) and rstd (N) for backward.
void layer_norm_forward(Vec& y, Vec& mean, Vec& rstd,  // written
                        const Vec& x, const Vec& gamma, const Vec& beta) {
  for (size_t n = 0; n < N; ++n) {
    double sum = 0, squares = 0;
    for (size_t d = 0; d < D; ++d) sum += x[n * D + d];
    mean[n] = sum / D;
    for (size_t d = 0; d < D; ++d) squares += std::pow(x[n * D + d] - mean[n], 2);
    rstd[n] = 1 / std::sqrt(squares / D + 1e-5);  // r, with 1e-5 against a division by 0
    for (size_t d = 0; d < D; ++d)                // eq:5.2: xhat in the inner brackets
      y[n * D + d] = gamma[d] * ((x[n * D + d] - mean[n]) * rstd[n]) + beta[d];  // eq:5.3
  }
}

// Reads dy (N, D), the derivative of the loss by each number of y. Writes dx (N, D).
// Adds to dgamma (D) and dbeta (D) the sums over the words, which all use the same two.
void layer_norm_backward(Vec& dx, Vec& dgamma, Vec& dbeta, const Vec& dy,  // inputs from dy on
                         const Vec& x, const Vec& mean, const Vec& rstd, const Vec& gamma) {
  for (size_t n = 0; n < N; ++n) {
    Vec xhat(D), g(D);  // g is the gradient of xhat
    double mean_g = 0, mean_gx = 0;
    for (size_t d = 0; d < D; ++d) {
      xhat[d] = (x[n * D + d] - mean[n]) * rstd[n];
      dgamma[d] += dy[n * D + d] * xhat[d];  // eq:5.5
      dbeta[d] += dy[n * D + d];             // eq:5.6
      g[d] = gamma[d] * dy[n * D + d];
      mean_g += g[d] / D;
      mean_gx += g[d] * xhat[d] / D;
    }
    for (size_t d = 0; d < D; ++d)  // eq:5.7
      dx[n * D + d] = rstd[n] * (g[d] - mean_g - xhat[d] * mean_gx);
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
  Vec x = {0.66,    1.66,   -1.12, 1.04,   2.1415,  1.7403, 0.17,  0.7,      // the, cat,
           -0.6507, 0.7639, 1.08,  2.0798, -0.4589, 0.11,   -0.31, 0.8796};  // sleeps, <eos>
  Vec gamma = {0.77, 1.17, 0.92, 1.06}, beta = {-0.12, 0.01, 0, 0};
  Vec mean(N), rstd(N), dgamma(D), dbeta(D);
  Vec dy = {1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, y = dy, dx = dy;
  layer_norm_forward(y, mean, rstd, x, gamma, beta);
  layer_norm_backward(dx, dgamma, dbeta, dy, x, mean, rstd, gamma);
  print("x", x, D), print("gamma", gamma, D), print("beta", beta, D), print("mean", mean, N);
  print("rstd", rstd, N), print("y", y, D), print("dy", dy, D), print("dx", dx, D);
  print("dgamma", dgamma, D), print("dbeta", dbeta, D);
  dy = x, dgamma = dbeta = Vec(D);  // The check has a dy without zeros.
  layer_norm_backward(dx, dgamma, dbeta, dy, x, mean, rstd, gamma);
  const auto loss = [&](double& number, double step) {  // the sum of dy * y after a step
    number += step;
    layer_norm_forward(y, mean, rstd, x, gamma, beta);
    number -= step;
    return std::inner_product(dy.begin(), dy.end(), y.begin(), 0.0);
  };
  double error = 0;  // of all gradients together; the slopes come from steps to both sides
  const auto check = [&](Vec& v, const Vec& dv) {
    for (size_t i = 0; i < v.size(); ++i)  // each number by itself
      error += std::fabs((loss(v[i], 1e-5) - loss(v[i], -1e-5)) / 2e-5 - dv[i]);
  };
  check(x, dx), check(gamma, dgamma), check(beta, dbeta);
  std::printf(all ? "difference %.17g\n" : "errors of all gradients, summed: %.0e\n", error);
  return error < 1e-8 ? 0 : 1;
}
