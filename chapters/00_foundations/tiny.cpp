#include "00_foundations/tiny.hpp"

#include <cmath>
#include <cstdio>

#include "gradus/util/error.hpp"

namespace gradus::tiny {
namespace {

struct Weight {
  const char* name;
  std::size_t rows, columns;
  std::vector<double> values;
};

const std::vector<Weight>& weights() {
  static const std::vector<Weight> all = {
#include "00_foundations/tiny_weights.inc"
  };
  return all;
}

const Weight& find(const std::string& name) {
  for (const Weight& w : weights()) {
    if (name == w.name) return w;
  }
  fail("the tiny model has no parameter " + name);
}

}  // namespace

const std::vector<std::string>& english() {
  static const std::vector<std::string> all = {"<pad>", "<unk>", "<bos>", "<eos>",  "the", "dog",
                                               "cat",   "sees",  "bird",  "sleeps", "a",   "sings"};
  return all;
}

const std::vector<std::string>& german() {
  static const std::vector<std::string> all = {"<pad>", "<unk>", "<bos>", "<eos>", "Hund",    "Katze", "der",
                                               "die",   "sieht", "Vogel", "den",   "schläft", "ein",   "singt"};
  return all;
}

const std::vector<std::int32_t>& source_ids() {
  static const std::vector<std::int32_t> ids = {4, 6, 9, 3};
  return ids;
}
const std::vector<std::int32_t>& decoder_input_ids() {
  static const std::vector<std::int32_t> ids = {2, 7, 5, 11};
  return ids;
}
const std::vector<std::int32_t>& target_ids() {
  static const std::vector<std::int32_t> ids = {7, 5, 11, 3};
  return ids;
}

std::vector<double> encoder_input() {
  const In<Device, 2> table = matrix("source_embedding");
  std::vector<double> x;
  for (const std::int32_t id : source_ids()) {
    const std::size_t n = x.size() / D;
    const auto p = static_cast<double>(n);
    const double position[D] = {std::sin(p), std::cos(p), std::sin(p / 100), std::cos(p / 100)};
    for (std::size_t d = 0; d < D; ++d) x.push_back(2 * table.row(static_cast<std::size_t>(id))[d] + position[d]);
  }
  return x;
}

std::vector<std::string> words(const std::vector<std::string>& vocabulary, const std::vector<std::int32_t>& ids) {
  std::vector<std::string> result;
  for (const std::int32_t id : ids) result.push_back(vocabulary.at(static_cast<std::size_t>(id)));
  return result;
}

In<Device, 2> matrix(const std::string& name) {
  const Weight& w = find(name);
  return {w.values.data(), {w.rows, w.columns}, w.columns};
}

In<Device, 1> vector(const std::string& name) {
  const Weight& w = find(name);
  return {w.values.data(), {w.values.size()}, w.values.size()};
}

void section(const std::string& title) { std::printf("== %s ==\n", title.c_str()); }

void print(const std::string& name, In<Device, 2> x, const std::vector<std::string>& labels) {
  std::printf("%s\n", name.c_str());
  for (std::size_t i = 0; i < x.extent[0]; ++i) {
    const std::string label = i < labels.size() ? labels[i] : "";
    std::size_t width = 0;  // width on the screen: UTF-8 continuation bytes take no column
    for (const char c : label) width += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    std::printf("  %s%*s", label.c_str(), static_cast<int>(width < 8 ? 8 - width : 0), "");
    for (std::size_t j = 0; j < x.extent[1]; ++j) std::printf(" %6.2f", x.row(i)[j] + 0.0);
    std::printf("\n");
  }
}

void print(const std::string& name, In<Device, 1> x) { print(name, {x.data, {1, x.extent[0]}, x.extent[0]}); }

}  // namespace gradus::tiny
