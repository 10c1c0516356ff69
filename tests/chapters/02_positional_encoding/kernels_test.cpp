#include <cmath>

#include "chapters/02_positional_encoding/kernel_cases.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("kernels of chapter 02: every judge accepts them", "[gradients]") {
  each_position_kernel([](const auto& c, const KernelOptions& o) { expect(kernel_judges(with_kernels(c, o), o)); });
}

TEST_CASE("embed: on a GPU, too, an empty batch leaves the table's gradient as it is") {
  RunOptions from_two;
  from_two.accumulated_from = 2;
  const EmbedCase empty{{{}, 0}, {}, {}, 4, 2, {{2, 0}, {0.2, 1, Side::source}}};
  const Run run = run_case<Cuda<double>>(empty, random_values(describe(empty)), from_two);
  CHECK(run.gradient.at("table") == std::vector<double>(8, 2.0));
}

TEST_CASE("position: on a GPU, too, sentences may stand in any order, with gaps, and where first says") {
  Cuda<double> dev;
  constexpr std::size_t N = 6;
  const auto ints = [&](const std::vector<std::int32_t>& values) {
    const View<std::int32_t, 1, Gpu> v = dev.kept.ints(values.size());
    write(dev, v, values);
    return v;
  };
  const Out<Cuda<double>, 1> places = dev.kept.vector(9), y = dev.kept.vector(N);
  write(dev, places, {0, 1, 2, 3, 4, 5, 6, 7, 8});
  write(dev, y, std::vector<double>(N, 0.0));
  const Segments<Cuda<double>> two{ints({4, 0}), ints({2, 3}), N, 3};
  const Out<Cuda<double>, 2> rows = as_matrix(y, N, 1);
  position_forward(dev, rows, rows, two, ints({5, -1}), as_matrix(places, 9, 1));
  std::vector<double> got;
  read(dev, got, y);
  CHECK(std::isnan(got[0]));  // position -1
  got[0] = 9;
  CHECK(got == std::vector<double>{9, 0, 1, 0, 5, 6});
}

TEST_CASE("sinusoids: the kernel writes no row behind the table") {
  constexpr std::size_t P = 33, D = 6;
  Cuda<double> dev;
  const auto memory = dev.kept.matrix(P + 1, D);
  fill(dev, as_vector(memory), 7);
  sinusoids(dev, rows(memory, 0, P));
  std::vector<double> values;
  read(dev, values, In<Cuda<double>, 1>(as_vector(rows(memory, P, 1))));
  CHECK(values == std::vector<double>(D, 7.0));
}
