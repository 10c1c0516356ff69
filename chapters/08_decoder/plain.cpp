// What is new in a decoder layer, forward and backward: causal self-attention of u (Nt, D) and
// cross-attention of n1 (Nt, D) to the memory (Ns, D). Out: self_f, cross_f (Nt, D). Two heads.
//   g++ plain.cpp -o plain && ./plain    (./plain all: every value with 17 digits)
#include <cmath>
#include <cstdio>
#include <string>
#include <valarray>
#include <vector>
using std::size_t;
using Row = std::valarray<double>;                          // + - * / work element by element
constexpr size_t Nt = 4, Ns = 4, D = 4, H = 2, Dk = D / H;  // words, width, heads, their width
struct Tensor {
  std::string name;
  std::vector<Row> v, d;  // numbers, and the derivatives of the loss by them
  Tensor(std::string n, size_t rows, size_t cols) : name(n), v(rows, Row(0.0, cols)), d(v) {}
};
// clang-format off
struct Attention { Tensor wq, wkv, wo, q, kv, p[H], y, f; };  // parameters; what is computed
Attention attention_of(const std::string& n, size_t S) {  // S: number of keys
  return {{n + "wq", D, D}, {n + "wkv", D, 2 * D}, {n + "wo", D, D}, {"", Nt, D},
         {"", S, 2 * D}, {{n + "p0", Nt, S}, {n + "p1", Nt, S}}, {"", Nt, D}, {n + "f", Nt, D}};
}
Tensor u("u", Nt, D), n1("n1", Nt, D), memory("memory", Ns, D);  // what each attention reads
Attention self = attention_of("self_", Nt), cross = attention_of("cross_", Ns);
Tensor* const given[] = {&u, &n1, &memory, &self.wq, &self.wkv, &self.wo, &cross.wq, &cross.wkv,
                         &cross.wo};
Tensor* const made[] = {&self.p[0], &self.p[1], &self.f, &cross.p[0], &cross.p[1], &cross.f};
// clang-format on
void linear(Tensor& out, const Tensor& in, const Tensor& w) {  // out = in w
  for (size_t n = 0; n < in.v.size(); ++n) {
    out.v[n] = 0.0;
    for (size_t i = 0; i < w.v.size(); ++i) out.v[n] += in.v[n][i] * w.v[i];
  }
}
void linear_backward(const Tensor& out, Tensor& in, Tensor& w) {  // rule R5
  for (size_t n = 0; n < in.v.size(); ++n)
    for (size_t i = 0; i < w.v.size(); ++i) {
      in.d[n][i] += (out.d[n] * w.v[i]).sum();
      w.d[i] += in.v[n][i] * out.d[n];
    }
}
std::slice columns(size_t first) { return std::slice(first, Dk, 1); }  // those of one head
Row part(const Row& row, size_t first) { return row[columns(first)]; }

void attention(Attention& a, const Tensor& x, const Tensor& m, bool causal) {
  linear(a.q, x, a.wq);    // eq:3.5: queries from x, keys and values, side by side, from m;
  linear(a.kv, m, a.wkv);  // m is x itself (self-attention) or the memory (cross-attention)
  for (size_t h = 0; h < H; ++h)
    for (size_t t = 0, at = h * Dk; t < x.v.size(); ++t) {
      Row p(causal ? t + 1 : m.v.size()), y(0.0, Dk);  // causal: word t sees no key after t
      for (size_t i = 0; i < p.size(); ++i)
        p[i] = (part(a.q.v[t], at) * part(a.kv.v[i], at)).sum() / std::sqrt(Dk);  // eq:3.1
      p = std::exp(p - p.max());
      p /= p.sum();  // eq:3.2
      for (size_t i = 0; i < p.size(); ++i) y += p[i] * part(a.kv.v[i], D + at);
      a.p[h].v[t][std::slice(0, p.size(), 1)] = p;  // what is not seen keeps the weight 0
      a.y.v[t][columns(at)] = y;                    // eq:3.3
    }
  linear(a.f, a.y, a.wo);  // eq:3.6
}
void attention_backward(Attention& a, Tensor& x, Tensor& m) {  // where p is 0, nothing flows
  linear_backward(a.f, a.y, a.wo);
  for (size_t h = 0; h < H; ++h)
    for (size_t t = 0, at = h * Dk; t < x.v.size(); ++t) {
      const Row& p = a.p[h].v[t];
      const Row dy = part(a.y.d[t], at);
      Row dp(m.v.size());
      for (size_t i = 0; i < dp.size(); ++i) {
        a.kv.d[i][columns(D + at)] += p[i] * dy;       // dv, eq:3.7
        dp[i] = (dy * part(a.kv.v[i], D + at)).sum();  // eq:3.8
      }
      const Row ds = p * (dp - (p * dp).sum()) / std::sqrt(Dk);  // eq:3.9, over the root
      for (size_t i = 0; i < ds.size(); ++i) {
        a.q.d[t][columns(at)] += ds[i] * part(a.kv.v[i], at);  // dq, eq:3.10
        a.kv.d[i][columns(at)] += ds[i] * part(a.q.v[t], at);  // dk, eq:3.11
      }
    }
  linear_backward(a.q, x, a.wq);
  linear_backward(a.kv, m, a.wkv);  // eq:8.4: m gets dk wk^T + dv wv^T
}

double forward() {
  attention(self, u, u, true);          // eq:8.1
  attention(cross, n1, memory, false);  // eq:8.2
  double loss = 0;                      // any number made of both: half the sum of the squares
  for (const Tensor* f : {&self.f, &cross.f})
    for (const Row& row : f->v) loss += (row * row).sum() / 2;
  return loss;
}
void backward() {
  self.f.d = self.f.v;
  cross.f.d = cross.f.v;
  attention_backward(cross, n1, memory);
  attention_backward(self, u, u);  // both inputs are u, so both gradients are added to it (R4)
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
  std::printf("%s%s", prefix, t.name.c_str());
  if (!all) std::printf(" (%zu, %zu)", values.size(), values[0].size());
  for (const Row& row : values) {
    if (!all) std::printf("\n ");
    for (const double value : row) std::printf(all ? " %.17g" : " %6.2f", value);
  }
  std::printf("\n");
}
// clang-format off
const double lesson[] = {
    -1.711, -.078, .093, .541, -.191, -.994, .171, .535, 1.134, -1.11, -.309, .317, -.465,
    -.179, -1.284, .617, -1.859, .31, 1.052, .972, -.271, -1.748, .182, 2.1846, 1.6949, -1.247,
    .402, -.574, -.455, .277, -1.253, 2.35, -.301, 1.43, .284, -1.449, .363, .921, .46, -1.815,
    -1.743, .45, 1.049, .314, -1.077, 1.0147, 1.0151, -.98, -.56, -1.14, -.91, -.43, .83, .89,
    -.29, .38, -.87, .1, 1.01, .1, .81, .17, .1, .56, .37, -.82, .81, .09, .55, -.42, .42,
    -1.04, -.47, -.22, -1.08, .56, .69, .75, .05, -.41, .7, .54, .4, -.55, -.14, -.12, -.72,
    -.27, -.45, .39, -.88, -.23, 0, .27, .68, -.03, -.7, .03, .17, -.84, -.79, -.23, .66, .58,
    .24, 0, -.38, -.26, -.57, .49, .95, -1.01, -.77, .74, .42, .56, -.43, -.69, .79, -1.08,
    -.86, .33, -.33, .73, -.8, -1.2, .04, -.23, -.71, -.56, -.76, 1.06, .25, -.24, -.44, -.55,
    1.35, .16, .2, .59, .58, .89, -.83, -.06, .45, -.92, -.58, -.04, -.9, -.19, .55, .91, .97,
    .32, -.59, -.04, .79, -.27, .48, -.56, -1.04, -.15, -.31, .47, .51, .35, -.16, .81, .68,
    -.65, -.78, -.06, -.31, -.7, .08, -.8};
// clang-format on
int main(int count, char** words) {
  const bool all = count == 2 && words[1] == std::string("all");
  if (count > 1 && !all) return std::fputs("usage: ./plain [all]\n", stderr), 2;
  const double* next = lesson;
  for (Tensor* t : given)
    for (Row& row : t->v)
      for (double& w : row) w = *next++;
  forward();
  backward();
  for (const Tensor* t : given) print("", *t, t->v, all);
  for (const Tensor* t : made) print("", *t, t->v, all);
  for (const Tensor* t : given) print("d", *t, t->d, all);
  return gradients_are_right() ? 0 : 1;
}
