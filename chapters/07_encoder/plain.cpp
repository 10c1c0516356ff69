// One pre-norm layer of an encoder, forward and backward, as README.md derives it. To be short
// it has one head, no biases, and norms without gain and shift.
// In: x (N, D), the words "the cat sleeps" of the lesson. Out: n2 (N, D), for the decoder.
//   g++ plain.cpp -o plain && ./plain    (./plain all: every value with 17 digits)
#include <cmath>
#include <cstdio>
#include <cstring>
#include <valarray>
#include <vector>
using std::size_t;
using Row = std::valarray<double>;     // + - * / work element by element
constexpr size_t N = 3, D = 4, F = 8;  // words, width of the model, inner width
struct Tensor {
  const char* name;
  std::vector<Row> v, d;  // values, and the derivatives of the loss by them
  Tensor(const char* n, size_t rows, size_t cols) : name(n), v(rows, Row(0.0, cols)), d(v) {}
};
Tensor x("x", N, D), wq("wq", D, D), wk("wk", D, D), wv("wv", D, D), wo("wo", D, D);
Tensor w1("w1", D, F), w2("w2", F, D), r("r", N, D), u("u", N, D), q("q", N, D), k("k", N, D);
Tensor v("v", N, D), p("p", N, N), y("y", N, D), s1("s1", N, D), n1("n1", N, D), h("h", N, F);
Tensor s2("s2", N, D), n2("n2", N, D);
Tensor* const given[] = {&x, &wq, &wk, &wv, &wo, &w1, &w2, &r};
Tensor* const computed[] = {&u, &q, &k, &v, &p, &y, &s1, &n1, &h, &s2, &n2};

void linear(Tensor& out, const Tensor& in, const Tensor& w) {  // out += in w
  for (size_t n = 0; n < N; ++n)
    for (size_t i = 0; i < w.v.size(); ++i) out.v[n] += in.v[n][i] * w.v[i];
}
void linear_backward(const Tensor& out, Tensor& in, Tensor& w) {  // rule R5
  for (size_t n = 0; n < N; ++n)
    for (size_t i = 0; i < w.v.size(); ++i) {
      in.d[n][i] += (out.d[n] * w.v[i]).sum();
      w.d[i] += in.v[n][i] * out.d[n];
    }
}

double rstd(const Row& s) {  // 1 / standard deviation of a row, eq:5.1 and eq:5.2
  const Row c = s - s.sum() / D;
  return 1 / std::sqrt((c * c).sum() / D + 1e-5);
}
void layer_norm(Tensor& n, const Tensor& s) {
  for (size_t i = 0; i < N; ++i) n.v[i] = (s.v[i] - s.v[i].sum() / D) * rstd(s.v[i]);
}
void layer_norm_backward(const Tensor& n, Tensor& s) {
  for (size_t i = 0; i < N; ++i) {
    const Row &g = n.d[i], &xhat = n.v[i];
    s.d[i] += rstd(s.v[i]) * (g - g.sum() / D - xhat * ((g * xhat).sum() / D));  // eq:5.7
  }
}

void attention_weights() {  // p (N, N): row t says how much word t looks at each word
  for (size_t t = 0; t < N; ++t) {
    for (size_t i = 0; i < N; ++i) p.v[t][i] = (q.v[t] * k.v[i]).sum() / std::sqrt(D);
    p.v[t] = std::exp(p.v[t] - p.v[t].max());  // scores: eq:3.1, softmax: eq:3.2
    p.v[t] /= p.v[t].sum();
  }
}
void attention_weights_backward() {
  for (size_t t = 0; t < N; ++t) {
    const Row ds = p.v[t] * (p.d[t] - (p.v[t] * p.d[t]).sum()) / std::sqrt(D);  // eq:3.9
    for (size_t i = 0; i < N; ++i) {
      q.d[t] += ds[i] * k.v[i];  // eq:3.10
      k.d[i] += ds[i] * q.v[t];  // eq:3.11
    }
  }
}

double forward() {
  for (Tensor* t : computed)
    for (Row& row : t->v) row = 0.0;
  layer_norm(u, x);  // eq:7.3
  linear(q, u, wq);
  linear(k, u, wk);
  linear(v, u, wv);
  attention_weights();
  linear(y, p, v);    // eq:3.3
  s1.v = x.v;         // eq:7.1: the stream passes the sublayer by,
  linear(s1, y, wo);  //         and the sublayer adds its result
  layer_norm(n1, s1);
  linear(h, n1, w1);
  for (Row& row : h.v) row[row < 0.0] = 0.0;  // relu, eq:6.2
  s2.v = s1.v;                                // eq:7.1 again
  linear(s2, h, w2);
  layer_norm(n2, s2);
  double loss = 0;  // any number made of n2: the sum of r times n2
  for (size_t n = 0; n < N; ++n) loss += (r.v[n] * n2.v[n]).sum();
  return loss;
}
void backward() {  // forward from its end; each reader of a tensor adds to its d (rule R4)
  n2.d = r.v;
  r.d = n2.v;
  layer_norm_backward(n2, s2);
  s1.d = s2.d;                 // eq:7.4: the gradient comes down the stream unchanged,
  linear_backward(s2, h, w2);  //         and the sublayer gets the same gradient
  for (size_t n = 0; n < N; ++n) h.d[n][h.v[n] <= 0.0] = 0.0;  // eq:6.5
  linear_backward(h, n1, w1);
  layer_norm_backward(n1, s1);  // the second reader of s1 adds to what came down the stream
  x.d = s1.d;
  linear_backward(s1, y, wo);
  linear_backward(y, p, v);  // eq:3.7 and eq:3.8
  attention_weights_backward();
  linear_backward(v, u, wv);
  linear_backward(k, u, wk);
  linear_backward(q, u, wq);
  layer_norm_backward(u, x);  // eq:7.6
}

bool gradients_are_right() {  // d against (loss(w + step) - loss(w - step)) / (2 step)
  double largest = 0;
  for (Tensor* t : given)
    for (size_t i = 0; i < t->v.size(); ++i)
      for (size_t j = 0; j < t->v[i].size(); ++j) {
        const double w = t->v[i][j], step = 1e-5;
        t->v[i][j] = w + step;
        const double above = forward();
        t->v[i][j] = w - step;
        const double difference = std::fabs((above - forward()) / (2 * step) - t->d[i][j]);
        t->v[i][j] = w;
        if (difference > largest || std::isnan(difference)) largest = difference;
      }
  std::printf("difference %.1e\n", largest);
  return largest <= 1e-7;
}
void print(const char* prefix, const Tensor& t, const std::vector<Row>& values, bool all) {
  std::printf("%s%s", prefix, t.name);
  if (!all) std::printf(" (%zu, %zu)", t.v.size(), t.v[0].size());
  for (const Row& row : values) {
    if (!all) std::printf("\n ");
    for (const double value : row) std::printf(all ? " %.17g" : " %6.2f", value);
  }
  std::printf("\n");
}
int main(int count, char** words) {
  const bool all = count == 2 && std::strcmp(words[1], "all") == 0;
  if (count > 1 && !all) {
    std::fprintf(stderr, "usage: ./plain [all]\n");
    return 2;
  }
  double i = 0;
  for (Tensor* t : given)
    for (Row& row : t->v)
      for (double& w : row) w = 0.7 * std::sin(++i);  // any numbers will do
  x.v = {{0.66, 1.66, -1.12, 1.04}, {2.14, 1.74, 0.17, 0.70}, {-0.65, 0.76, 1.08, 2.08}};
  forward();
  backward();
  for (const Tensor* t : given) print("", *t, t->v, all);
  for (const Tensor* t : computed) print("", *t, t->v, all);
  for (const Tensor* t : given) print("d", *t, t->d, all);
  return gradients_are_right() ? 0 : 1;
}
