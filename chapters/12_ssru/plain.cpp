// The SSRU, forward and backward, and a check of both: g++ plain.cpp -o plain && ./plain
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

using Vec = std::vector<double>;   // row by row: number d of word t is x[t * D + d]
using In = const Vec&;             // is only read
const size_t N = 6, D = 4, B = 2;  // words; numbers of each word; sentences

const size_t begin[B] = {0, 4}, end[B] = {4, 6};  // sentence i: words begin[i] .. end[i] - 1

double sigmoid(double a) { return 1 / (1 + std::exp(-a)); }

// y = x w + b, as in chapter 00: x and y (N, D), w (D, D), b (D)
void linear_forward(Vec& y, In x, In w, In b) {
  for (size_t t = 0; t < N; ++t)
    for (size_t d = 0; d < D; ++d) {
      y[t * D + d] = b[d];
      for (size_t k = 0; k < D; ++k) y[t * D + d] += x[t * D + k] * w[k * D + d];
    }
}

// Reads dy (N, D). Adds to dx, dw and db: two maps read x.
void linear_backward(Vec& dx, Vec& dw, Vec& db, In dy, In x, In w) {
  for (size_t t = 0; t < N; ++t)
    for (size_t d = 0; d < D; ++d) {
      db[d] += dy[t * D + d];
      for (size_t k = 0; k < D; ++k) {
        dx[t * D + k] += dy[t * D + d] * w[k * D + d];
        dw[k * D + d] += x[t * D + k] * dy[t * D + d];
      }
    }
}

// Reads u (N, D), a (N, D), and first (B, D), the state before each sentence.
// Writes h (N, D), and c (N, D), the state after each word.
void ssru_forward(Vec& h, Vec& c, In u, In a, In first) {
  for (size_t i = 0; i < B; ++i)
    for (size_t d = 0; d < D; ++d) {  // no column sees another
      double state = first[i * D + d];
      for (size_t t = begin[i]; t < end[i]; ++t) {
        const double f = sigmoid(a[t * D + d]);      // eq:12.2
        state = f * state + (1 - f) * u[t * D + d];  // eq:12.3
        c[t * D + d] = state;
        h[t * D + d] = state > 0 ? state : 0;  // eq:12.4
      }
    }
}

// Reads dh (N, D), the derivative of the loss by h. Writes du, da (N, D) and dfirst (B, D).
void ssru_backward(Vec& du, Vec& da, Vec& dfirst, In dh, In u, In a, In first, In c) {
  for (size_t i = 0; i < B; ++i)
    for (size_t d = 0; d < D; ++d) {
      double g = 0;  // what the words behind t send to the state after t
      for (size_t t = end[i]; t-- > begin[i];) {
        const size_t at = t * D + d;
        const double f = sigmoid(a[at]), before = t > begin[i] ? c[at - D] : first[i * D + d];
        const double dc = (c[at] > 0 ? dh[at] : 0) + g;  // eq:12.5
        du[at] = (1 - f) * dc;                           // eq:12.6
        da[at] = f * (before - u[at]) * du[at];          // eq:12.7
        g = f * dc;                                      // eq:12.8
      }
      dfirst[i * D + d] = g;
    }
}

int main(int count, char** words) {
  const bool all = count == 2 && words[1] == std::string("all");
  if (count > 1 && !all) return std::fputs("usage: ./plain [all]\n", stderr), 2;
  const auto print = [&](const char* name, In v) {
    std::printf("%s", name);
    for (size_t i = 0; i < v.size(); ++i)  // a new line for each row, or all in one
      std::printf(all ? " %.17g" : i % D ? "%8.2f" : "\n%8.2f", v[i]);
    std::printf("\n");
  };
  Vec x = {-0.36,  0.8,     0.92,  2.34,   -0.5385, -3.6797, 0.03,  3.76,    // <bos>, die,
           0.9693, -1.6961, -0.34, 1.0598, -0.4189, -0.21,   -1.63, 3.4196,  // Katze, schläft,
           -0.36,  0.8,     0.92,  2.34,   -0.5385, -3.6797, 0.03,  3.76};   // <bos>, die again
  Vec w = {0.52, -0.31, 0.44,  0.23,  -0.36, 0.61, 0.15, -0.42,              //
           0.27, -0.18, -0.58, -0.33, 0.21,  0.37, 0.25, 0.49};
  Vec wf = {0.34, -0.12, 0.28, -0.41, -0.22, 0.45, -0.37, 0.16,  //
            0.19, -0.33, 0.24, 0.38,  0.27,  0.14, -0.46, -0.25};
  Vec bf = {1.5, 0.5, -0.5, -1.5}, first(B * D), none(D), dnone(D);  // no bias for u
  Vec u(N * D), a = u, c = u, h = u, dh = u, du = u, da = u, dx = u;
  Vec dw(D * D), dwf = dw, dbf(D), dfirst = first;
  dh[3 * D] = 1;  // the loss depends on the first number of "schläft"
  const auto forward = [&] {
    linear_forward(u, x, w, none), linear_forward(a, x, wf, bf);  // eq:12.1
    ssru_forward(h, c, u, a, first);
  };
  const auto backward = [&] {
    ssru_backward(du, da, dfirst, dh, u, a, first, c);
    linear_backward(dx, dw, dnone, du, x, w);
    linear_backward(dx, dwf, dbf, da, x, wf);  // eq:12.9
  };
  forward(), backward();
  print("x", x), print("w", w), print("wf", wf), print("bf", bf), print("first", first);
  print("u", u), print("a", a), print("c", c), print("h", h), print("dh", dh), print("du", du);
  print("da", da), print("dfirst", dfirst), print("dx", dx), print("dw", dw), print("dwf", dwf);
  print("dbf", dbf);
  for (size_t i = 0; i < N * D; ++i) dh[i] = std::cos(double(i));
  first = {0.5, -0.25, 1, -2, 0.75, 1.5, -1, 0.25};  // dh and first without zeros
  dx = Vec(N * D), dw = dwf = Vec(D * D), dbf = Vec(D);
  forward(), backward();
  const auto loss = [&](double& number, double step) {  // the sum of dh * h after a step
    number += step, forward(), number -= step;
    return std::inner_product(dh.begin(), dh.end(), h.begin(), 0.0);
  };
  double error = 0;  // of all gradients together; the slopes come from steps to both sides
  const auto check = [&](Vec& v, In dv) {
    for (size_t i = 0; i < v.size(); ++i)  // each number by itself
      error += std::fabs((loss(v[i], 1e-5) - loss(v[i], -1e-5)) / 2e-5 - dv[i]);
  };
  check(x, dx), check(w, dw), check(wf, dwf), check(bf, dbf), check(first, dfirst);
  std::printf(all ? "difference %.17g\n" : "errors of all gradients, summed: %.0e\n", error);
  return error < 1e-8 ? 0 : 1;
}
