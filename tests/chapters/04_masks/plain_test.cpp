#include <cstdint>

#include "04_masks/dense.hpp"
#include "04_masks/masked_softmax.hpp"
#include "04_masks/masks.hpp"
#include "support/catch.hpp"
#include "support/plain.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr std::size_t T = 4, S = 4;
using Mask = std::vector<std::int32_t>;

std::vector<double> as_numbers(const Mask& mask) { return {mask.begin(), mask.end()}; }

/// The mask of a sentence, compared with the plain one before and after it hides the future.
template <class Dev>
Mask checked_mask(Dev& dev, PlainNumbers& plain, const std::string& name) {
  const Mask ids(plain.input(name + "_ids").begin(), plain.input(name + "_ids").end());
  Mask mask(T * S);
  const OutInts<Dev, 3> view{mask.data(), {1, T, S}, S};
  padding_mask(dev, view, Ints<Dev, 2>{ids.data(), {1, S}, S}, 0);
  plain.agrees(name, as_numbers(mask));
  causal_mask(dev, view, view);
  plain.agrees(name + "_causal", as_numbers(mask));
  return mask;
}

}  // namespace

TEMPLATE_TEST_CASE("masks: plain.cpp computes what the library computes", "", Reference<double>, Cpu<double>) {
  PlainNumbers plain(GRADUS_PLAIN);
  TestType dev;
  checked_mask(dev, plain, "first");
  const Mask mask = checked_mask(dev, plain, "second"), nothing(S, 0);
  std::vector<double>&s = plain.input("s"), &dp = plain.input("dp"), &hidden_s = plain.input("hidden_s");
  std::vector<double> p(T * S), ds(T * S), hidden_p(S);
  const auto scores = [](std::vector<double>& v) { return as_scores(as_row(v), 1, 1, v.size() / S, S); };
  masked_softmax_forward(dev, scores(p), scores(s), Ints<TestType, 3>{mask.data(), {1, T, S}, S});
  masked_softmax_backward(dev, scores(ds), scores(dp), scores(p));
  masked_softmax_forward(dev, scores(hidden_p), scores(hidden_s), Ints<TestType, 3>{nothing.data(), {1, 1, S}, S});
  plain.agrees("p", p);
  plain.agrees("ds", ds);
  plain.agrees("hidden_p", hidden_p);
  plain.all_were_used();
}
