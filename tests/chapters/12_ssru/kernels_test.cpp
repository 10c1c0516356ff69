#include <algorithm>
#include <cmath>
#include <map>

#include "chapters/12_ssru/kernel_cases.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// All results of a forward and a backward pass, with segments that only kernels can read; the memory was 3 before.
std::map<std::string, std::vector<double>> outputs(const SsruCase& c, const SegmentTable& table) {
  using Dev = Cuda<double>;
  const Description d = describe(c);
  Dev dev;
  Tensors<Dev> t(d, random_values(d), {});
  for (const char* const name : {"h", "last", "du", "da", "dfirst"}) fill(dev, t.matrix(name), 3.0);
  const SsruInput<Dev> x{t.matrix("u"), t.matrix("a"), t.matrix("first"), t.segments(table)};
  SsruCache<Dev> cache;
  ssru_forward(dev, t.matrix("h"), t.matrix("last"), cache, x);
  ssru_backward(dev, {t.matrix("du"), t.matrix("da"), t.matrix("dfirst")}, In<Dev, 2>(t.matrix("dh")),
                In<Dev, 2>(t.matrix("dlast")), x, cache);
  std::map<std::string, std::vector<double>> found;
  for (const std::string name : {"h", "last", "du", "da", "dfirst"}) found[name] = t.values(name);
  return found;
}

/// Calls f(name, row, its numbers) for each row.
template <class F>
void each_row(const std::map<std::string, std::vector<double>>& found, std::size_t D, F&& f) {
  for (const auto& [name, x] : found) {
    for (std::size_t n = 0; n * D < x.size(); ++n) {
      const auto row = x.begin() + static_cast<std::ptrdiff_t>(n * D);
      INFO(name << ", row " << n);
      f(name, n, std::vector<double>(row, row + static_cast<std::ptrdiff_t>(D)));
    }
  }
}

}  // namespace

TEST_CASE("ssru: all elements of a segment that does not fit become NaN, and no others") {
  const SsruCase c{{2, 34}, 67, 0};  // two blocks of columns
  SegmentTable before = sentences(c.lengths, 0), beyond = before, too_long = before;
  before.begin[0] = -1;  // a row that does not exist, and row 0
  beyond.begin[1] = 3;   // all rows from row 3 on, and one that does not exist
  too_long.longest = 33;
  for (const auto& [wrong, i] : {std::pair(before, 0), std::pair(beyond, 1), std::pair(too_long, 1)}) {
    const std::int64_t begin = wrong.begin[std::size_t(i)], end = begin + wrong.length[std::size_t(i)];
    each_row(outputs(c, wrong), c.D,
             [&, segment = i](const std::string& name, std::size_t n, const std::vector<double>& row) {
               const auto at = static_cast<std::int64_t>(n);
               const bool is_wrong = name == "last" || name == "dfirst" ? at == segment : at >= begin && at < end;
               CHECK(std::all_of(row.begin(), row.end(),
                                 [=](double v) { return is_wrong ? std::isnan(v) : std::isfinite(v); }));
             });
  }
}

TEST_CASE("ssru: on a GPU, too, rows before, between and behind the sentences become 0, and no others") {
  const SsruCase c{{2, 3, 12}, 67, 91};
  SegmentTable table = sentences(c.lengths, c.spare);
  table.begin = {1, 30, 70};
  each_row(outputs(c, table), c.D, [&](const std::string& name, std::size_t n, const std::vector<double>& row) {
    bool is_word = name == "last" || name == "dfirst";
    for (std::size_t i = 0; i < 3; ++i) {
      is_word = is_word || (n >= std::size_t(table.begin[i]) && n < std::size_t(table.begin[i] + table.length[i]));
    }
    CHECK(is_word == std::any_of(row.begin(), row.end(), [](double v) { return v != 0; }));
  });
}

TEST_CASE("kernels of chapter 12: every judge accepts them", "[gradients]") {
  each_ssru_kernel([](const auto& c, const KernelOptions& o) { expect(kernel_judges(with_kernels(c, o), o)); });
}
