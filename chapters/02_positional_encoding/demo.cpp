// The positions of words: sinusoids, their rotation, and the encoder's input for "the cat sleeps" with D = 4.
// With two arguments, P and D, it prints only the table of that size: the lesson's pictures are drawn from it.

#include <cmath>
#include <cstdio>
#include <random>
#include <string>

#include "00_foundations/tiny.hpp"
#include "02_positional_encoding/embed.hpp"
#include "02_positional_encoding/sinusoids.hpp"

using namespace gradus;
using tiny::D;
using tiny::Device;

namespace {

constexpr std::size_t P = 6;

Ints<Device, 1> view(const std::vector<std::int32_t>& ids) { return {ids.data(), {ids.size()}, ids.size()}; }
Out<Device, 2> view(std::vector<double>& values, std::size_t width = D) {
  return {values.data(), {values.size() / width, width}, width};
}

std::vector<double> table_of_positions(std::size_t positions, std::size_t width) {
  Device dev;
  std::vector<double> table(positions * width);
  sinusoids(dev, view(table, width));
  return table;
}

/// The vectors of `ids` as one sentence whose first word has position `first`.
std::vector<double> embed(const std::vector<std::int32_t>& ids, std::int32_t first, double dropout_rate) {
  Device dev;
  std::vector<double> places = table_of_positions(P, D), y(ids.size() * D);
  const SegmentTable sentence = SegmentTable::packed({static_cast<std::int32_t>(ids.size())});
  const std::vector<std::int32_t> start{first};
  embed_forward(dev, view(y), view(ids), sentence.view(), view(start), tiny::matrix("source_embedding"),
                In<Device, 2>(view(places)), {{embedding_scale(D), 0}, {dropout_rate, 0, Side::source}});
  return y;
}

void rotation(const double* table) {
  tiny::section("a step is a rotation");
  for (const std::size_t p : {1, 2}) {
    const double *const from = table + p * D, *const step = table + D, *const to = from + D;
    std::printf("position %zu turned by one step:", p);
    for (std::size_t d = 0; d < D; d += 2) {  // eq:2.4
      std::printf(" %6.2f %6.2f", from[d] * step[d + 1] + from[d + 1] * step[d],
                  from[d + 1] * step[d + 1] - from[d] * step[d]);
    }
    std::printf("\nposition %zu in the table:      ", p + 1);
    for (std::size_t d = 0; d < D; ++d) std::printf(" %6.2f", to[d]);
    std::printf("\n");
  }
}

/// Root mean square of `count` normal numbers with this standard deviation, each times `scale`.
double size_of_normals(double deviation, double scale) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal(0, deviation);
  constexpr int count = 1 << 20;
  double sum = 0;
  for (int k = 0; k < count; ++k) sum += std::pow(scale * normal(generator), 2);
  return std::sqrt(sum / count);
}

void sizes() {
  constexpr double Vocab = 9700, width = 128;
  const std::vector<double> places = table_of_positions(100, static_cast<std::size_t>(width));
  double square = 0;
  for (const double e : places) square += e * e;
  tiny::section("which of the two is louder");
  std::printf("typical size of an element, D = 128, Vocab = 9700\n");
  std::printf("  positions                                 %4.2f\n",
              std::sqrt(square / static_cast<double>(places.size())));
  std::printf("  words, N(0, 1/D), times sqrt(D)           %4.2f\n",
              size_of_normals(1 / std::sqrt(width), std::sqrt(width)));
  std::printf("  words, N(0, 1/D), as they are             %4.2f\n", size_of_normals(1 / std::sqrt(width), 1));
  std::printf("  words, Xavier on the table, times sqrt(D) %4.2f\n",
              size_of_normals(std::sqrt(2 / (Vocab + width)), std::sqrt(width)));
}

void large_table(std::size_t positions, std::size_t width) {
  const std::vector<double> table = table_of_positions(positions, width);
  for (std::size_t i = 0; i < table.size(); ++i) std::printf("%8.4f%s", table[i], (i + 1) % width ? "" : "\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3) {
    large_table(std::stoul(argv[1]), std::stoul(argv[2]));
    return 0;
  }
  std::vector<double> places = table_of_positions(P, D);
  tiny::section("sinusoids");
  tiny::print("positions (P, D): sin p, cos p, sin p/100, cos p/100", view(places), {"0", "1", "2", "3", "4", "5"});
  rotation(places.data());

  const std::vector<std::int32_t>& ids = tiny::source_ids();
  const std::vector<std::string> words = tiny::words(tiny::english(), ids);
  tiny::section("the encoder's input");
  std::vector<double> y(ids.size() * D), x = embed(ids, 0, 0);
  Device dev;
  lookup_forward(dev, view(y), view(ids), tiny::matrix("source_embedding"), {embedding_scale(D), 0});
  tiny::print("sqrt(D) table[ids] (N, D)", view(y), words);
  tiny::print("positions", rows(view(places), 0, ids.size()), {"0", "1", "2", "3"});
  tiny::print("x, the sum (N, D)", view(x), words);

  tiny::section("one word at a time");
  std::vector<double> third = embed({ids[2]}, 2, 0);
  tiny::print("the third word alone, first = 2 (1, D)", view(third), {words[2]});

  tiny::section("with dropout of a quarter");
  std::vector<double> dropped = embed(ids, 0, 0.25);
  tiny::print("x, a quarter dropped, the rest times 4/3 (N, D)", view(dropped), words);

  sizes();
}
