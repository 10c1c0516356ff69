#include "gradus/random/dropout_draw.hpp"
#include "support/catch.hpp"

using namespace gradus;

// The three known answers that the authors of the generator published with it.
TEST_CASE("philox: known answers") {
  CHECK(philox({0, 0, 0, 0}, 0) == Philox4{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, 0xffffffffffffffff) ==
        Philox4{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822) ==
        Philox4{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

// Computed by tests/golden/make_philox.py, a separate implementation of the generator.
TEST_CASE("dropout: the first draws of seed 1") {
  const DropoutDraw draw(Dropout{0.5, 0, Side::source}, StepState{1, 1, 0, 1, 0, 0});
  std::string kept;
  for (std::size_t n = 0; n < 2; ++n) {
    for (std::size_t d = 0; d < 16; ++d) kept += draw.factor(n, d) != 0 ? '1' : '0';
  }
  CHECK(kept == "00000101011010011101100110000101");
}
