#include <algorithm>
#include <cmath>
#include <limits>

#include "chapters/03_attention/matrix.hpp"
#include "chapters/12_ssru/ssru_case.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

SsruCase without_state() { return {{3, 1, 4}, 5, 2, false}; }
/// Gates of several hundreds: f is 0 or 1, to the last digit.
SsruCase large_gates() { return {{3, 1, 4}, 5, 2, true, 300}; }

void judge_devices(const SsruCase& c) {
  const Component judged = component(c);
  for (const Runner& r : judged.devices) {
    expect(parity(judged, r));
    expect(contract(judged, r));
  }
}

}  // namespace

TEST_CASE("ssru: finite differences and dual numbers agree with backward", "[gradients]") {
  expect(gradients(component(SsruCase{})));
  expect(gradients(component(without_state())));
  expect(gradients(component(empty_sentences_case())));
}

TEST_CASE("ssru: every device agrees with the reference and keeps the contract") {
  judge_devices(SsruCase{});
  judge_devices(without_state());
  judge_devices(empty_sentences_case());
  judge_devices({{1}, 1, 0});
  judge_devices({{2, 3}, 33, 0});
  judge_devices({{40, 1}, 4, 3});
  judge_devices({{2}, 1025, 0, false});
}

TEST_CASE("ssru: golden values") {
  expect(golden(component(SsruCase{}), "ssru"));
  expect(golden(component(without_state()), "ssru_without_state"));
  expect(golden(component(empty_sentences_case()), "ssru_empty_sentences"));
  expect(golden(component(large_gates()), "ssru_large_gates"));
}

TEST_CASE("ssru: an empty batch is legal") {
  for (const SsruCase& c :
       {SsruCase{{}, 3, 0}, SsruCase{{0}, 3, 0}, SsruCase{{}, 3, 4}, SsruCase{{}, 3, 0, false}}) {
    const Component judged = component(c);
    for (const Runner& r : judged.devices) expect(parity(judged, r));
  }
}

TEST_CASE("ssru: an empty sentence passes its state and its gradient on") {
  const Component judged = component(empty_sentences_case());
  for (const Runner& r : judged.devices) {
    const Values at = random_values(judged.description);
    const Run run = r.run(at, {});
    for (const std::size_t i : {0, 1, 2, 6, 7, 8}) {  // of the first and the last sentence
      CHECK(run.output.at("last")[i] == Approx(at.value.at("first")[i]));
      CHECK(run.gradient.at("first")[i] == Approx(at.value.at("dlast")[i]));
    }
  }
}

namespace {

/// What forward and backward give for rows `first` .. of u and a, as one sentence, in pieces of these lengths.
template <class Dev>
struct Pieces {
  Dev dev;
  Matrix u = Matrix::normal(7, 5, 1), a = Matrix::normal(7, 5, 2), dh = Matrix::normal(7, 5, 3);
  Matrix first = Matrix::normal(1, 5, 4), dlast = Matrix::normal(1, 5, 5);
  Matrix h{7, 5}, last{1, 5}, du{7, 5}, da{7, 5}, dfirst{1, 5};

  explicit Pieces(const std::vector<std::size_t>& lengths) {
    std::vector<SsruCache<Dev>> caches(lengths.size());
    std::vector<Matrix> states{first};  // before each piece
    std::size_t end = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      states.push_back(last);
      ssru_forward(dev, rows(h.view(), end, lengths[i]), states[i + 1].view(), caches[i],
                   input(end, lengths[i], states[i]));
      end += lengths[i];
    }
    last = states.back();
    Matrix d = dlast;
    for (std::size_t i = lengths.size(); i-- > 0;) {
      end -= lengths[i];
      const In<Dev, 2> upstream = rows(dh.view(), end, lengths[i]);
      ssru_backward(dev, {rows(du.view(), end, lengths[i]), rows(da.view(), end, lengths[i]), dfirst.view()},
                    upstream, d, input(end, lengths[i], states[i]), caches[i]);
      d = dfirst;
    }
  }

 private:
  std::vector<SegmentTable> tables_ = std::vector<SegmentTable>(8);
  SsruInput<Dev> input(std::size_t begin, std::size_t length, Matrix& state) {
    tables_[length] = SegmentTable::packed({static_cast<std::int32_t>(length)});
    return {rows(u.view(), begin, length), rows(a.view(), begin, length), state, tables_[length].view()};
  }
};

}  // namespace

TEMPLATE_TEST_CASE("ssru: a sentence in two halves, or word by word, gives the same bits", "", Reference<double>,
                   Cpu<double>) {
  const Pieces<TestType> whole({7});
  for (const std::vector<std::size_t>& lengths : {std::vector<std::size_t>{3, 4}, {0, 7}, {1, 1, 1, 1, 1, 1, 1}}) {
    const Pieces<TestType> parts(lengths);
    CHECK(parts.h.values == whole.h.values);
    CHECK(parts.last.values == whole.last.values);
    CHECK(parts.du.values == whole.du.values);
    CHECK(parts.da.values == whole.da.values);
    CHECK(parts.dfirst.values == whole.dfirst.values);
  }
}

TEMPLATE_TEST_CASE("ssru: the state after the sentences may be written where the state before them stands", "",
                   Reference<double>, Cpu<double>) {
  TestType dev;
  Matrix u = Matrix::normal(3, 4, 1), a = Matrix::normal(3, 4, 2), first = Matrix::normal(3, 4, 3), last(3, 4),
         h(3, 4);
  const SegmentTable one_word_each = SegmentTable::packed({1, 1, 1});
  SsruCache<TestType> cache;
  const SsruInput<TestType> x{u, a, first, one_word_each.view()};
  ssru_forward(dev, h.view(), last.view(), cache, x);
  ssru_forward(dev, h.view(), first.view(), cache, x);
  CHECK(first.values == last.values);
}

TEMPLATE_TEST_CASE("ssru: rows before, between and behind the sentences become 0, and no others", "",
                   Reference<double>, Cpu<double>) {
  TestType dev;
  Matrix u = Matrix::normal(9, 3, 1), a = Matrix::normal(9, 3, 2), dh = Matrix::normal(9, 3, 3);
  for (double& v : u.values) v = std::abs(v);  // then no output of a word is 0
  Matrix h = dh, du = dh, da = dh;
  SegmentTable table = SegmentTable::packed({2, 3});
  table.begin = {1, 5}, table.rows = 9;
  SsruCache<TestType> cache;
  const SsruInput<TestType> x{u, a, {}, table.view()};
  ssru_forward(dev, h.view(), {}, cache, x);
  ssru_backward(dev, {du.view(), da.view(), {}}, dh, {}, x, cache);
  for (std::size_t n = 0; n < 9; ++n) {
    const bool is_word = (n >= 1 && n < 3) || (n >= 5 && n < 8);
    INFO("row " << n);
    for (const Matrix* m : {&h, &du, &da}) {
      const double* const row = m->values.data() + n * 3;
      CHECK(std::all_of(row, row + 3, [=](double v) { return (v != 0) == is_word; }));
    }
  }
}

TEMPLATE_TEST_CASE("ssru: a gate of NaN is not hidden by the relu", "", Reference<double>, Cpu<double>) {
  TestType dev;
  Matrix u(2, 1), a(2, 1), h(2, 1);
  a.values[0] = std::numeric_limits<double>::quiet_NaN();
  const SegmentTable table = SegmentTable::packed({2});
  SsruCache<TestType> cache;
  ssru_forward(dev, h.view(), {}, cache, {u, a, {}, table.view()});
  for (const double v : h.values) CHECK(std::isnan(v));
}

TEMPLATE_TEST_CASE("ssru: segments must lie inside their rows and have at most the longest length", "",
                   Reference<double>, Cpu<double>) {
  TestType dev;
  Matrix x(5, 2), h(5, 2);
  SsruCache<TestType> cache;
  for (const auto& [begin, length] : {std::pair{3, 3}, {-1, 2}, {1, 4}, {1, -1}}) {
    SegmentTable wrong = SegmentTable::packed({2, 3});
    wrong.begin[1] = begin, wrong.length[1] = length;
    const SsruInput<TestType> input{x, x, {}, wrong.view()};
    CHECK_THROWS_WITH(ssru_forward(dev, h.view(), {}, cache, input), contains("ssru: segment 1 of the sentences"));
    cache.c = h;
    CHECK_THROWS_WITH(ssru_backward(dev, {h, h, {}}, x, {}, input, cache), contains("segment 1 of the sentences"));
  }
}
