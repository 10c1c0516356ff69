#include "chapters/12_ssru/ssru_sublayer_case.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("ssru_sublayer: finite differences and dual numbers agree with backward", "[gradients]") {
  expect(gradients(component(SsruSublayerCase{})));
}

TEST_CASE("ssru_sublayer: every device agrees with the reference and keeps the contract") {
  for (const SsruSublayerCase& c :
       {SsruSublayerCase{}, SsruSublayerCase{{1}, 1, 0}, SsruSublayerCase{{33, 2}, 9, 0}}) {
    const Component judged = component(c);
    for (const Runner& r : judged.devices) {
      expect(parity(judged, r));
      expect(contract(judged, r));
    }
  }
}

TEST_CASE("ssru_sublayer: golden values") { expect(golden(component(SsruSublayerCase{}), "ssru_sublayer")); }

TEST_CASE("ssru_sublayer: its parameters are named, counted and of the right kind") {
  Layout layout;
  Binder<Cpu<float>> bind(layout);
  ssru_params(bind, "decoder.0.ssru", 4);
  layout.finish();
  CHECK(layout.size() == 2 * 4 * 4 + 4);
  CHECK(layout.decaying() == 2 * 4 * 4);
  CHECK(layout.find("decoder.0.ssru.input.w").shape == std::vector<std::size_t>{4, 4});
  CHECK(layout.find("decoder.0.ssru.forget.b").shape == std::vector<std::size_t>{4});
}
