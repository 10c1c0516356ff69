// Training: the loss with label smoothing, its gradient, and Adam with a warm-up. In: x (N, D),
// the output of the decoder, table (Vocab, D), and the words that come next. Out: the loss, its
// gradients, and 100 steps of training, which move x and the table so that the loss falls.
//   g++ plain.cpp -o plain && ./plain    (./plain all: every value with 17 digits)
#include <cmath>
#include <cstdio>
#include <string>
#include <valarray>
#include <vector>
using std::size_t;
using Row = std::valarray<double>;          // + - * / work element by element
constexpr size_t N = 4, Vocab = 14, D = 4;  // positions, words of the language, width
constexpr double smoothing = 0.1, beta1 = 0.9, beta2 = 0.98, epsilon = 1e-9;
constexpr double steps = 100, warmup = 10, peak = 0.1;  // peak: the largest learning rate
struct Tensor {
  std::vector<Row> w, g, m, v;  // values, derivatives of the loss by them, Adam's two moments
  Tensor(size_t rows) : w(rows, Row(0.0, D)), g(w), m(w), v(w) {}
};
Tensor x(N), table(Vocab);
std::vector<Row> z(N, Row(Vocab)), p = z, q = z;  // logits, probabilities, what they should be
// clang-format off
const char* const words[Vocab] = {"<pad>", "<unk>", "<bos>", "<eos>", "Hund", "Katze", "der",
                                  "die", "sieht", "Vogel", "den", "schläft", "ein", "singt"};
const size_t target[N] = {7, 5, 11, 3};  // die Katze schläft <eos>
const double lesson[] = {  // x and table
    -2.61172, -2.02777, 2.81384, .14479, -1.32093, -2.62932, .24209, 2.33234, .78919, -.532,
    .24121, -3.60358, .24367, -2.51312, .6014, -.52736, -1.03, .03, -.45, -.1, -1.03, .03, -.45,
    -.1, -1.03, .03, -.45, -.1, .29, -1.84, -.51, -.4, .93, -.06, -1.72, -.67, -.21, -.53, .32,
    2.4, -.01, .72, 1.5, -.77, -1.18, .26, 1.42, 1, -1.17, 1.05, -1.08, .29, -.1, 1.44, .03,
    -.94, -.09, -.15, -1.46, 1.47, 2.44, .68, .68, -1.31, -1.31, 1.37, .64, .22, -1.43, .79,
    .03, 1.39};
// clang-format on

double forward() {  // the mean loss of the N words
  double loss = 0;
  for (size_t n = 0; n < N; ++n) {
    for (size_t j = 0; j < Vocab; ++j) z[n][j] = (x.w[n] * table.w[j]).sum();
    const double largest = z[n].max();  // without it e^z may be too large
    const double log_sum = largest + std::log(std::exp(z[n] - largest).sum());
    p[n] = std::exp(z[n] - log_sum);
    const double z_y = z[n][target[n]], mean = z[n].sum() / Vocab;
    loss += (log_sum - (1 - smoothing) * z_y - smoothing * mean) / N;  // eq:10.1
  }
  return loss;
}
void backward() {
  for (Tensor* t : {&x, &table})
    for (Row& row : t->g) row = 0.0;
  for (size_t n = 0; n < N; ++n) {
    q[n] = smoothing / Vocab;
    q[n][target[n]] += 1 - smoothing;
    const Row dz = (p[n] - q[n]) / N;  // eq:10.2: what was said, minus what should be said
    for (size_t j = 0; j < Vocab; ++j) {
      x.g[n] += dz[j] * table.w[j];  // eq:10.3
      table.g[j] += dz[j] * x.w[n];
    }
  }
}

double lowest_loss() {  // where p = q: the loss cannot fall further
  const double q_other = smoothing / Vocab, q_y = 1 - smoothing + q_other;
  return -q_y * std::log(q_y) - (Vocab - 1) * q_other * std::log(q_other);
}

double learning_rate(double t) {  // rises in a straight line, then falls like 1 / sqrt(t)
  return t < warmup ? peak * t / warmup : peak * std::sqrt(warmup / t);
}
void adam(Tensor& a, double t) {  // step t = 1, 2, ...
  const double c1 = 1 - std::pow(beta1, t), c2 = 1 - std::pow(beta2, t);
  for (size_t i = 0; i < a.w.size(); ++i) {
    a.m[i] = beta1 * a.m[i] + (1 - beta1) * a.g[i];  // eq:10.5
    a.v[i] = beta2 * a.v[i] + (1 - beta2) * a.g[i] * a.g[i];
    a.w[i] -= learning_rate(t) * (a.m[i] / c1) / (std::sqrt(a.v[i] / c2) + epsilon);  // eq:10.6
  }
}

double largest_difference() {  // between g and (loss(w + step) - loss(w - step)) / (2 step)
  double largest = 0;
  for (Tensor* t : {&x, &table})
    for (size_t i = 0; i < t->w.size(); ++i)
      for (size_t j = 0; j < D; ++j) {
        const double w = t->w[i][j], step = 1e-5;
        t->w[i][j] = w + step;
        const double above = forward();
        t->w[i][j] = w - step;
        const double difference = std::fabs((above - forward()) / (2 * step) - t->g[i][j]);
        t->w[i][j] = w;
        if (difference > largest || std::isnan(difference)) largest = difference;
      }
  return largest;
}
void print(const char* name, const std::vector<Row>& values, bool all, double times = 1) {
  std::printf("%s", name);
  if (!all) std::printf(" (%zu, %zu", values.size(), values[0].size());
  if (!all && values.size() > N) std::printf("; the row of Katze");
  if (!all) std::printf("; times %g)", times);
  for (size_t i = 0; i < values.size(); ++i) {
    if (!all && values.size() > N && i != target[1]) continue;
    if (!all) std::printf("\n ");
    for (const double a : values[i]) std::printf(all ? " %.17g" : "%8.2f", all ? a : times * a);
  }
  std::printf("\n");
}
void print_words() {  // what the model says after "<bos> die", and how its loss begins
  std::printf("       z      p      q  p - q\n");
  for (size_t j = 0; j < Vocab; ++j) {
    std::printf("%8.3f%7.3f%7.3f", z[1][j], p[1][j], q[1][j]);
    std::printf("%7.3f  %s\n", p[1][j] - q[1][j], words[j]);
  }
}
int main(int count, char** arguments) {
  const bool all = count == 2 && arguments[1] == std::string("all");
  if (count > 1 && !all) {
    std::fprintf(stderr, "usage: ./plain [all]\n");
    return 2;
  }
  const double* next = lesson;
  for (Tensor* t : {&x, &table})
    for (Row& row : t->w)
      for (double& value : row) value = *next++;
  if (all) std::printf("options %.17g %.17g %g %g\n", smoothing, peak, warmup, steps);
  std::printf(all ? "loss %.17g\n" : "loss, the mean of four words: %.3f\n", forward());
  backward();
  if (!all) print_words();
  print("x", x.w, all);
  print("table", table.w, all, 100);
  if (all) print("p", p, all);
  print("dx", x.g, all, 100);
  print("dtable", table.g, all, 100);
  const double difference = largest_difference();
  for (int t = 1; t <= steps; ++t) {
    const double loss = forward(), rate = learning_rate(t);
    backward();
    adam(x, t);
    adam(table, t);
    if (t == 1) print("table_m", table.m, all, 100);
    if (t == 1) print("table_v", table.v, all, 1e6);
    if (t == 1) print("table_after_step_1", table.w, all, 100);
    if (!all && t > 1 && t % 10 > 0) continue;
    std::printf(all ? "step_%d %.17g %.17g\n" : "step %d rate %.3f loss %.3f\n", t, rate, loss);
  }
  std::printf(all ? "lowest_loss %.17g\n" : "lowest possible loss  %.3f\n", lowest_loss());
  print("x_end", x.w, all);
  print("table_end", table.w, all, 100);
  std::printf("difference %.1e\n", difference);
  return difference <= 1e-7 ? 0 : 1;
}
