#include "chapters/04_masks/kernel_cases.hpp"
#include "chapters/04_masks/mask_of.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("kernels of chapter 04: every judge accepts them", "[gradients]") {
  each_masks_kernel([](const auto& c, const KernelOptions& o) { expect(kernel_judges(with_kernels(c, o), o)); });
}

TEST_CASE("masks: the kernels agree with the reference") {
  for (const Padded& keys : {Padded{{3, 1}, false}, Padded{{33, 1, 0, 70}, true}, Padded{{0, 0}}, Padded{{}}}) {
    for (const bool causal : {false, true}) {
      for (const std::size_t T : {0, 1, 5, 80}) {
        const Rows expected = mask_of<Reference<double>>(keys.ids(3), 3, keys.B(), T, keys.longest(), causal);
        CHECK(mask_of<Cuda<double>>(keys.ids(3), 3, keys.B(), T, keys.longest(), causal) == expected);
        CHECK(mask_of<Cuda<float>>(keys.ids(3), 3, keys.B(), T, keys.longest(), causal) == expected);
      }
    }
  }
}

TEST_CASE("masks: without an inner mask everything in the past is allowed, on a GPU too") {
  Cuda<double> dev;
  const auto memory = dev.kept.ints(4);
  causal_mask(dev, as_mask(memory, 1, 2, 2), Ints<Cuda<double>, 3>{});
  Rows mask;
  read(dev, mask, Ints<Cuda<double>, 1>(memory));
  CHECK(mask == Rows{1, 0, 1, 1});
}
