// The frame of the model, forward and backward: words become rows of a table, rows become
// logits; one table may do both (tying). In: the words so far (Nt). Out: z (Nt, Vocab), logits.
// In place of the decoder stands x = e + f: it adds f to its input, as layers do.
//   g++ plain.cpp -o plain && ./plain    (./plain all: every value with 17 digits)
#include <cmath>
#include <cstdio>
#include <string>
#include <valarray>
#include <vector>
using std::size_t;
using Row = std::valarray<double>;           // + - * / work element by element
constexpr size_t Nt = 4, Vocab = 14, D = 4;  // words so far, words of the language, width
struct Tensor {
  const char* name;
  std::vector<Row> v, d;  // values, and the derivatives of the loss by them
  Tensor(const char* n, size_t rows, size_t cols) : name(n), v(rows, Row(0.0, cols)), d(v) {}
};
Tensor f("f", Nt, D), w_t("w_t", Vocab, D), w_o("w_o", Vocab, D);  // embedding; output table
Tensor e("e", Nt, D), x("x", Nt, D), z("z", Nt, Vocab), log_p("log_p", Nt, Vocab);
// clang-format off
const char* const words[Vocab] = {"<pad>", "<unk>", "<bos>", "<eos>", "Hund", "Katze", "der",
                                  "die", "sieht", "Vogel", "den", "schläft", "ein", "singt"};
const size_t ids[Nt] = {2, 7, 5, 11};  // <bos> die Katze schläft
const double lesson[] = {  // f, w_t, w_o
    -2.25172, -2.82777, 1.89384, -2.19521, -.7824, 1.05038, .21209, -1.42761, -.1801, 1.16414,
    .58121, -4.66338, .66255, -2.30313, 2.2314, -3.94691, 0, 0, 0, 0, -.03, -.68, -.44, .14,
    -.18, -.1, .46, .67, -.36, .57, .36, -.44, .53, .44, .3, .72, .03, -.64, -.18, .03, -.74,
    .65, -.92, -.42, -.69, -2.11, .01, 1.38, .24, .66, .96, -.22, .57, -.8, -.25, -.28, -.29,
    .7, -1.09, -.51, -.28, .39, -.83, 1.21, -.13, 1.33, .18, -.53, -.17, .43, -.02, -.51, -1.03,
    .03, -.45, -.1, -1.03, .03, -.45, -.1, -1.03, .03, -.45, -.1, .29, -1.84, -.51, -.4, .93,
    -.06, -1.72, -.67, -.21, -.53, .32, 2.4, -.01, .72, 1.5, -.77, -1.18, .26, 1.42, 1, -1.17,
    1.05, -1.08, .29, -.1, 1.44, .03, -.94, -.09, -.15, -1.46, 1.47, 2.44, .68, .68, -1.31,
    -1.31, 1.37, .64, .22, -1.43, .79, .03, 1.39};
// clang-format on
void embed(const Tensor& table) {  // e = sqrt(D) times rows, plus positions
  for (size_t t = 0; t < Nt; ++t) {
    const double p = double(t);
    const Row position = {std::sin(p), std::cos(p), std::sin(p / 100), std::cos(p / 100)};
    e.v[t] = std::sqrt(D) * table.v[ids[t]] + position;
  }
}
void embed_backward(Tensor& table) {  // a row that was read gets the gradient, rule R3
  for (size_t t = 0; t < Nt; ++t) table.d[ids[t]] += std::sqrt(D) * e.d[t];
}

void output(const Tensor& table) {  // z = x table^T: a logit compares x with a word's row
  for (size_t t = 0; t < Nt; ++t)
    for (size_t j = 0; j < Vocab; ++j) z.v[t][j] = (x.v[t] * table.v[j]).sum();  // eq:9.3
}
void output_backward(Tensor& table) {  // rule R5: dx = dz table, dtable += dz^T x
  for (size_t t = 0; t < Nt; ++t) {
    x.d[t] = 0.0;
    for (size_t j = 0; j < Vocab; ++j) {
      x.d[t] += z.d[t][j] * table.v[j];
      table.d[j] += z.d[t][j] * x.v[t];
    }
  }
}

double forward(const Tensor& embedding, const Tensor& table) {  // tied: one table, passed twice
  embed(embedding);
  for (size_t t = 0; t < Nt; ++t) x.v[t] = e.v[t] + f.v[t];  // eq:9.2, without the decoder
  output(table);
  double loss = 0;  // any number made of z: the mean of squares; chapter 10 has the real loss
  for (const Row& row : z.v) loss += (row * row).sum() / (Nt * Vocab);
  return loss;
}
void backward(Tensor& embedding, Tensor& table) {
  for (size_t t = 0; t < Nt; ++t) z.d[t] = 2.0 * z.v[t] / (Nt * Vocab);
  output_backward(table);
  f.d = e.d = x.d;
  embed_backward(embedding);  // a tied table has two readers, so this adds to its gradient (R4)
}

void log_probabilities() {
  for (size_t t = 0; t < Nt; ++t) {
    const Row shifted = z.v[t] - z.v[t].max();                 // for e^1000 is too large
    log_p.v[t] = shifted - std::log(std::exp(shifted).sum());  // eq:9.5
  }
}
double largest_difference(const std::vector<Tensor*>& given, Tensor& in, Tensor& out) {
  double largest = 0;  // between d and (loss(w + step) - loss(w - step)) / (2 step)
  for (Tensor* t : given)
    for (size_t i = 0; i < t->v.size(); ++i)
      for (size_t j = 0; j < D; ++j) {
        const double w = t->v[i][j], step = 1e-5;
        t->v[i][j] = w + step;
        const double above = forward(in, out);
        t->v[i][j] = w - step;
        const double slope = (above - forward(in, out)) / (2 * step);
        t->v[i][j] = w;
        const double difference = std::fabs(slope - t->d[i][j]);
        if (difference > largest || std::isnan(difference)) largest = difference;
      }
  return largest;
}
void print(const std::string& name, const std::vector<Row>& values, bool all) {
  if (!all && values[0].size() > D) return;  // too wide for a screen: print_words shows them
  std::printf("%s", name.c_str());
  if (!all) std::printf(" (%zu, %zu)", values.size(), values[0].size());
  for (const Row& row : values) {
    if (!all) std::printf("\n ");
    for (const double value : row) std::printf(all ? " %.17g" : " %6.2f", value);
  }
  std::printf("\n");
}
void print_words() {  // logits, words down, positions across; then the three likeliest words
  std::printf("z, transposed (%zu, %zu)\n", Vocab, Nt);
  for (size_t j = 0; j < Vocab; ++j) {
    for (size_t t = 0; t < Nt; ++t) std::printf(" %6.2f", z.v[t][j]);
    std::printf("  %s\n", words[j]);
  }
  for (size_t t = 0; t < Nt; ++t) {
    Row left = log_p.v[t];
    std::printf("after %s:", words[ids[t]]);
    for (int k = 0; k < 3; ++k) {
      size_t best = 0;  // of equal words the smaller id
      for (size_t j = 1; j < Vocab; ++j) best = left[j] > left[best] ? j : best;
      std::printf("  %s %.2f", words[best], left[best]);
      left[best] = -1e9;
    }
    std::printf("\n");
  }
}
int main(int count, char** arguments) {
  const bool all = count == 2 && arguments[1] == std::string("all");
  if (count > 1 && !all) {
    std::fprintf(stderr, "usage: ./plain [all]\n");
    return 2;
  }
  const double* next = lesson;
  for (Tensor* t : {&f, &w_t, &w_o})
    for (Row& row : t->v)
      for (double& value : row) value = *next++;
  Tensor w = w_o;  // the tied table
  forward(w_t, w_o);
  log_probabilities();
  backward(w_t, w_o);
  for (const Tensor* t : {&f, &w_t, &w_o, &e, &x, &z, &log_p}) print(t->name, t->v, all);
  if (!all) print_words();
  for (const Tensor* t : {&f, &w_t, &w_o}) print(std::string("d") + t->name, t->d, all);
  const double untied = largest_difference({&f, &w_t, &w_o}, w_t, w_o);
  forward(w, w);
  backward(w, w);
  print("tied_z", z.v, all);
  print("tied_dw", w.d, all);
  const double tied = largest_difference({&f, &w}, w, w);
  std::printf("difference %.1e\n", std::fmax(untied, tied));
  return untied <= 1e-7 && tied <= 1e-7 ? 0 : 1;
}
