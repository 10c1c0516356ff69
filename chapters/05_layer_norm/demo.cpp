// Layer norm on "the cat sleeps" with D = 4: one row by hand, the sentence, backward, batch norm for comparison;
// and the effect of the norm's placement on gradients in a stack of 24 sublayers.

#include <cmath>
#include <cstdio>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "00_foundations/tiny.hpp"
#include "05_layer_norm/residual_stack.hpp"

using namespace gradus;
using tiny::D;
using tiny::Device;

namespace {

Out<Device, 2> matrix(std::vector<double>& values, std::size_t width = D) {
  return {values.data(), {values.size() / width, width}, width};
}
Out<Device, 1> vector(std::vector<double>& values) { return {values.data(), {values.size()}, values.size()}; }
std::vector<double> copy_of(In<Device, 1> v) { return {v.data, v.data + v.extent[0]}; }

double root_mean_square(In<Device, 2> x) {
  double sum = 0;
  for (std::size_t n = 0; n < x.extent[0]; ++n) {
    for (std::size_t d = 0; d < x.extent[1]; ++d) sum += x.row(n)[d] * x.row(n)[d];
  }
  return std::sqrt(sum / static_cast<double>(x.extent[0] * x.extent[1]));
}

struct Normalised {
  std::vector<double> gamma, beta, y, dgamma, dbeta;
  NormCache<Device> cache;
  NormParams<Device> params() { return {vector(gamma), vector(beta)}; }
};

/// The first norm of the tiny encoder.
Normalised first_norm(Device& dev, std::vector<double>& x) {
  Normalised norm{copy_of(tiny::vector("encoder.first_norm.gamma")),
                  copy_of(tiny::vector("encoder.first_norm.beta")),
                  std::vector<double>(x.size()),
                  std::vector<double>(D),
                  std::vector<double>(D),
                  {}};
  layer_norm_forward(dev, matrix(norm.y), norm.cache, matrix(x), norm.params());
  return norm;
}

void one_row(std::vector<double> x) {
  Device dev;
  Normalised norm = first_norm(dev, x);
  const double mean = norm.cache.mean[1], rstd = norm.cache.rstd[1];
  std::vector<double> row(x.begin() + D, x.begin() + 2 * D), centred = row, squares = row, xhat = row;
  double variance = 0;
  for (std::size_t d = 0; d < D; ++d) {
    centred[d] = row[d] - mean;
    squares[d] = centred[d] * centred[d];
    xhat[d] = centred[d] * rstd;
    variance += squares[d] / D;
  }
  tiny::section("one row by hand");
  tiny::print("x, the row of \"cat\" (D)", vector(row));
  std::printf("mean %.2f\n", mean);
  tiny::print("x - mean", vector(centred));
  tiny::print("its squares", vector(squares));
  std::printf("variance, their mean: %.2f; rstd = 1 / sqrt(variance + 0.00001) = %.2f\n", variance, rstd);
  tiny::print("xhat = (x - mean) rstd", vector(xhat));
  tiny::print("gamma", tiny::vector("encoder.first_norm.gamma"));
  tiny::print("beta", tiny::vector("encoder.first_norm.beta"));
  tiny::print("y = gamma xhat + beta", In<Device, 1>{norm.y.data() + D, {D}, D});
}

void the_sentence(std::vector<double> x) {
  Device dev;
  Normalised norm = first_norm(dev, x);
  const std::vector<std::string> words = tiny::words(tiny::english(), tiny::source_ids());
  tiny::section("the tiny sentence, normalised");
  tiny::print("x (N, D)", matrix(x), words);
  tiny::print("mean (N)", norm.cache.mean);
  tiny::print("rstd (N)", norm.cache.rstd);
  tiny::print("y (N, D)", matrix(norm.y), words);

  std::vector<double> dy(x.size(), 0.0), dx(x.size());
  dy[0] = dy[D + 2] = 1;  // the loss depends on one number of "the" and on one of "cat"
  layer_norm_backward(dev, matrix(dx), {vector(norm.dgamma), vector(norm.dbeta)}, matrix(dy), matrix(x), norm.cache,
                      norm.params());
  tiny::section("backward");
  tiny::print("dy (N, D)", matrix(dy), words);
  tiny::print("dx (N, D)", matrix(dx), words);
  tiny::print("dgamma (D)", vector(norm.dgamma));
  tiny::print("dbeta (D)", vector(norm.dbeta));
  const double sum = dx[0] + dx[1] + dx[2] + dx[3];
  double along = 0;
  for (std::size_t d = 0; d < D; ++d) along += dx[d] * (x[d] - norm.cache.mean[0]) * norm.cache.rstd[0];
  std::printf("row \"the\": the sum of dx is %.2f, its product with xhat %.5f\n", std::abs(sum), along);
}

/// Mean and variance of each column: the statistics of batch norm, in contrast to those of layer norm.
struct Statistics {
  std::vector<double> mean = std::vector<double>(D, 0.0), variance = std::vector<double>(D, 1.0);
};

Statistics statistics(const std::vector<double>& x) {
  Statistics of{std::vector<double>(D, 0.0), std::vector<double>(D, 0.0)};
  const std::size_t rows = x.size() / D;
  const auto N = static_cast<double>(rows);
  for (std::size_t k = 0; k < x.size(); ++k) of.mean[k % D] += x[k] / N;
  for (std::size_t k = 0; k < x.size(); ++k) of.variance[k % D] += std::pow(x[k] - of.mean[k % D], 2) / N;
  return of;
}

/// Batch norm with gain 1 and shift 0.
std::vector<double> batch_norm(const std::vector<double>& x, const Statistics& s) {
  std::vector<double> y(x.size());
  for (std::size_t k = 0; k < x.size(); ++k)
    y[k] = (x[k] - s.mean[k % D]) / std::sqrt(s.variance[k % D] + layer_norm_epsilon);
  return y;
}
std::vector<double> batch_norm(const std::vector<double>& x) { return batch_norm(x, statistics(x)); }

/// One training step's part of the running statistics, which stand in for the batch's own when the model is used.
void follow(Statistics& running, const Statistics& batch) {
  constexpr double rho = 0.1;
  for (std::size_t d = 0; d < D; ++d) {
    running.mean[d] += rho * (batch.mean[d] - running.mean[d]);
    running.variance[d] += rho * (batch.variance[d] - running.variance[d]);
  }
}

std::vector<double> plain_layer_norm(std::vector<double> x) {
  Device dev;
  std::vector<double> ones(D, 1.0), zeros(D, 0.0), y(x.size());
  NormCache<Device> cache;
  layer_norm_forward(dev, matrix(y), cache, matrix(x), NormParams<Device>{vector(ones), vector(zeros)});
  return y;
}

/// The tiny sentence, and two words of another sentence below it.
std::vector<double> with_another_sentence(std::vector<double> x) {
  const double other[] = {3, -4, 5, 6, -7, 2, 0, 1};
  x.insert(x.end(), std::begin(other), std::end(other));
  return x;
}

In<Device, 1> first_row(const std::vector<double>& x) { return {x.data(), {D}, D}; }

/// Layer norm takes the means of rows, batch norm those of columns, over all sentences of the batch.
void two_kinds_of_means(std::vector<double> x, std::vector<double> longer) {
  std::vector<std::string> words = tiny::words(tiny::english(), tiny::source_ids());
  words.insert(words.end(), {"other", "other"});
  std::vector<double> rows, alone = statistics(x).mean, beside = statistics(longer).mean;
  for (std::size_t n = 0; n < longer.size(); n += D)
    rows.push_back((longer[n] + longer[n + 1] + longer[n + 2] + longer[n + 3]) / 4);
  tiny::section("which numbers share a mean");
  tiny::print("x (N, D), two sentences", matrix(longer), words);
  tiny::print("means of the rows (N)", vector(rows));
  tiny::print("means of the columns (D), the first sentence alone", vector(alone));
  tiny::print("means of the columns (D), both sentences", vector(beside));
}

void another_sentence(const std::vector<double>& x) {
  const std::vector<double> longer = with_another_sentence(x);
  two_kinds_of_means(x, longer);
  tiny::section("another sentence joins the batch");
  for (const bool by_layer : {true, false}) {
    const std::vector<double> alone = by_layer ? plain_layer_norm(x) : batch_norm(x);
    const std::vector<double> beside = by_layer ? plain_layer_norm(longer) : batch_norm(longer);
    const std::string name = by_layer ? "layer norm" : "batch norm";
    tiny::print(name + " of \"the\", its sentence alone", first_row(alone));
    tiny::print(name + " of \"the\", beside another sentence", first_row(beside));
  }
}

void a_word_alone(const std::vector<double>& x) {
  const std::vector<double> the(x.begin(), x.begin() + D), cat(x.begin() + D, x.begin() + 2 * D);
  Statistics running;
  for (int step = 0; step < 100; ++step) follow(running, statistics(with_another_sentence(x)));
  tiny::section("batch norm of one word alone");
  tiny::print("\"the\", by its own statistics", first_row(batch_norm(the)));
  tiny::print("\"cat\", by its own statistics", first_row(batch_norm(cat)));
  tiny::print("\"the\", by running statistics of 100 steps", first_row(batch_norm(the, running)));
  tiny::print("\"cat\", by running statistics of 100 steps", first_row(batch_norm(cat, running)));
}

constexpr std::size_t L = 24;
constexpr int draws = 100;

/// Size of the stream and of the weight gradients in a stack, for each sublayer.
struct Sizes {
  std::vector<double> stream = std::vector<double>(L, 0.0), gradient = std::vector<double>(L, 0.0);
};

/// Adds the sizes of one draw. Random maps, as at the start of training; or constant sublayers, w = 0, whose output
/// does not depend on their input.
void add_sizes(Sizes& mean, Norm norm, bool constant, std::mt19937_64& generator) {
  constexpr std::size_t N = 16, width = 64;
  std::normal_distribution<double> normal;
  Device dev;
  const auto random = [&](std::size_t rows, std::size_t columns, double scale) {
    const Out<Device, 2> m = dev.kept.matrix(rows, columns);
    for (std::size_t i = 0; i < rows * columns; ++i) m.data[i] = scale * normal(generator);
    return m;
  };
  const auto filled = [&](std::size_t rows, double value) {
    const Out<Device, 2> m = dev.kept.matrix(rows, width);
    fill(dev, m, value);
    return m;
  };
  ResidualStackParams<Device> p, dp;
  p.first_norm = {as_vector(filled(1, 1)), as_vector(filled(1, 0))};
  dp.first_norm = {as_vector(filled(1, 0)), as_vector(filled(1, 0))};
  for (std::size_t l = 0; l < L; ++l) {
    p.sublayers.push_back({random(width, width, constant ? 0 : 1 / std::sqrt(double(width))),
                           as_vector(random(1, width, constant ? 1 : 0))});
    dp.sublayers.push_back({filled(width, 0), as_vector(filled(1, 0))});
    p.norms.push_back({as_vector(filled(1, 1)), as_vector(filled(1, 0))});
    dp.norms.push_back({as_vector(filled(1, 0)), as_vector(filled(1, 0))});
  }
  const Out<Device, 2> x = random(N, width, 1), dy = random(N, width, 1), dx = filled(N, 0);
  ResidualStackCache<Device> cache;
  residual_stack_forward(dev, cache, x, p, norm);
  residual_stack_backward(dev, dx, dp, dy, x, cache, p, norm);
  for (std::size_t l = 0; l < L; ++l) {
    const auto& after = cache.sublayers[l];
    mean.stream[l] += root_mean_square(norm == Norm::pre ? after.s : after.n) / draws;
    mean.gradient[l] += root_mean_square(dp.sublayers[l].w) / draws;
  }
}

Sizes mean_sizes(Norm norm, bool constant) {
  std::mt19937_64 generator(5);  // the same draws for both norms
  Sizes mean;
  for (int draw = 0; draw < draws; ++draw) add_sizes(mean, norm, constant, generator);
  return mean;
}

void stacks() {
  std::vector<Sizes> all;
  for (const bool constant : {false, true}) {
    tiny::section(constant ? "24 constant sublayers" : "24 random sublayers");
    const Sizes post = mean_sizes(Norm::post, constant), pre = mean_sizes(Norm::pre, constant);
    std::printf("means over %d random draws\n", draws);
    std::printf("           size of the stream    size of dw\n");
    std::printf("sublayer      post       pre      post       pre\n");
    for (const std::size_t l : {24, 18, 12, 6, 1}) {
      std::printf("%8zu  %8.2f  %8.2f  %8.4f  %8.4f\n", l, post.stream[l - 1], pre.stream[l - 1],
                  post.gradient[l - 1], pre.gradient[l - 1]);
    }
    all.insert(all.end(), {post, pre});
  }
  tiny::section("the size of dw in all 24 sublayers");
  std::printf("          random matrices     constant sublayers\n");
  std::printf("sublayer      post       pre      post       pre\n");
  for (std::size_t l = all[0].gradient.size(); l-- > 0;) {
    std::printf("%8zu", l + 1);
    for (const Sizes& s : all) std::printf("  %8.4f", s.gradient[l]);
    std::printf("\n");
  }
}

}  // namespace

int main() {
  const std::vector<double> x = tiny::encoder_input();
  one_row(x);
  the_sentence(x);
  another_sentence(x);
  a_word_alone(x);
  stacks();
}
