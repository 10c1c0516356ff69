// Feed-forward, forward and backward, and a check: g++ plain.cpp -o plain && ./plain
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>
using Vec = std::vector<double>;   // row by row: number d of word n is x[n * D + d]
using In = const Vec&;             // is only read
const size_t N = 4, D = 4, F = 8;  // words; numbers of each word; hidden units

// Reads x (N, D), w1 (D, F), b1 (F), w2 (F, D), b2 (D). Writes y (N, D), and z and h (N, F).
void feed_forward_forward(Vec& y, Vec& z, Vec& h, In x, In w1, In b1, In w2, In b2) {
  for (size_t n = 0; n < N; ++n) {
    for (size_t d = 0; d < D; ++d) y[n * D + d] = b2[d];
    for (size_t f = 0; f < F; ++f) {  // each hidden unit adds its row of w2
      z[n * F + f] = b1[f];
      for (size_t d = 0; d < D; ++d) z[n * F + f] += x[n * D + d] * w1[d * F + f];  // eq:6.4
      h[n * F + f] = std::fmax(z[n * F + f], 0);                                    // eq:6.2
      for (size_t d = 0; d < D; ++d) y[n * D + d] += h[n * F + f] * w2[f * D + d];  // eq:6.1
    }
  }
}

// Reads dy (N, D), the derivative of the loss by y. Writes dx. Adds to dw1, db1, dw2, db2.
void feed_forward_backward(Vec& dx, Vec& dw1, Vec& db1, Vec& dw2, Vec& db2,  // written
                           In dy, In x, In z, In h, In w1, In w2) {
  for (size_t n = 0; n < N; ++n) {
    for (size_t d = 0; d < D; ++d) db2[d] += dy[n * D + d], dx[n * D + d] = 0;
    for (size_t f = 0; f < F; ++f) {
      double dh = 0;
      for (size_t d = 0; d < D; ++d) dh += dy[n * D + d] * w2[f * D + d];
      for (size_t d = 0; d < D; ++d) dw2[f * D + d] += h[n * F + f] * dy[n * D + d];
      const double dz = z[n * F + f] > 0 ? dh : 0;  // eq:6.5
      db1[f] += dz;
      for (size_t d = 0; d < D; ++d) dx[n * D + d] += dz * w1[d * F + f];
      for (size_t d = 0; d < D; ++d) dw1[d * F + f] += x[n * D + d] * dz;
    }
  }
}

int main(int count, char** words) {
  const bool all = count == 2 && words[1] == std::string("all");
  if (count > 1 && !all) return std::fputs("usage: ./plain [all]\n", stderr), 2;
  const auto print = [&](const char* name, In v, size_t columns = D) {
    std::printf("%s", name);
    for (size_t i = 0; i < v.size(); ++i)  // a new line for each row, or all in one
      std::printf(all ? " %.17g" : i % columns ? "%8.2f" : "\n%8.2f", v[i]);
    std::printf("\n");
  };
  Vec w1 = {0.23,  0.07,  -0.6,  0.14,  -0.3,  0.31,  0.29,  -0.18, -0.01, 0.65, -0.53,  //
            -0.07, -0.67, -0.65, -0.02, -0.7,  -0.24, -0.17, 0.22,  -0.34, 0.03, 0.27,   //
            -0.29, 0.19,  0.5,   0.29,  -0.27, 0.87,  -0.64, 0.05,  0.16,  0.39};
  Vec w2 = {0.33, 0.51, -0.46, 0.39,  -0.49, -0.37, 0.54, -0.48, 0.55,  0.52,  -0.2,   //
            0.23, 0.6,  0.15,  -0.92, 0.05,  0.41,  0.49, 0.5,   -0.29, -0.28, -0.29,  //
            0.37, 0.02, -0.43, 0.26,  0.19,  0.44,  0.39, -0.04, 0.83,  -0.27};
  Vec b1 = {-0.2, 0.11, -0.08, -0.04, 0.19, -0.18, -0.25, -0.12}, db1(F);
  Vec b2 = {0.12, -0.12, 0.15, -0.12}, db2(D), dw1(D * F), dw2 = dw1;
  Vec x = {0.66,  0.66, -1.12, 0.04, 1.3,  1.2, 0.16,  -0.3,    // the, cat,
           -1.56, 1.18, 1.06,  1.08, -0.6, 1.1, -0.34, -0.12};  // sleeps, <eos>
  Vec dy = {0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, y = dy, dx = dy, z(N * F), h = z;
  feed_forward_forward(y, z, h, x, w1, b1, w2, b2);
  feed_forward_backward(dx, dw1, db1, dw2, db2, dy, x, z, h, w1, w2);
  print("x", x), print("w1", w1, F), print("b1", b1, F), print("z", z, F), print("h", h, F);
  print("w2", w2), print("b2", b2), print("y", y), print("dy", dy), print("dx", dx);
  print("dw1", dw1, F), print("db1", db1, F), print("dw2", dw2), print("db2", db2);
  dy = x, dw1 = dw2 = Vec(D * F), db1 = Vec(F), db2 = Vec(D);  // dy without zeros
  feed_forward_backward(dx, dw1, db1, dw2, db2, dy, x, z, h, w1, w2);
  const auto loss = [&](double& number, double step) {  // the sum of dy * y after a step
    number += step, feed_forward_forward(y, z, h, x, w1, b1, w2, b2), number -= step;
    return std::inner_product(dy.begin(), dy.end(), y.begin(), 0.0);
  };
  double error = 0;  // of all gradients together; the slopes come from steps to both sides
  const auto check = [&](Vec& v, In dv) {
    for (size_t i = 0; i < v.size(); ++i)  // each number by itself
      error += std::fabs((loss(v[i], 1e-5) - loss(v[i], -1e-5)) / 2e-5 - dv[i]);
  };
  check(x, dx), check(w1, dw1), check(b1, db1), check(w2, dw2), check(b2, db2);
  std::printf(all ? "difference %.17g\n" : "errors of all gradients, summed: %.0e\n", error);
  return error < 1e-8 ? 0 : 1;
}
