#include "gradus/device/tf32_override.hpp"

#include "support/catch.hpp"

using namespace gradus;
using gradus::test::contains;

TEST_CASE("NVIDIA_TF32_OVERRIDE: only the products that it would change are refused") {
  for (const char* const harmless : {static_cast<const char*>(nullptr), ""}) {
    for (const Products p : {Products::exact, Products::tf32, Products::bf16})
      CHECK(tf32_override(p, harmless).empty());
  }
  CHECK(tf32_override(Products::exact, "0").empty());
  CHECK(tf32_override(Products::bf16, "0").empty());
  for (const char* const on : {"1", "2", "yes"}) {  // NVIDIA says of 0 only what it does
    CHECK_THAT(tf32_override(Products::exact, on), contains(std::string("NVIDIA_TF32_OVERRIDE=") + on));
    CHECK_THAT(tf32_override(Products::exact, on), contains("unset it, or set it to 0"));
    CHECK(tf32_override(Products::tf32, on).empty());
    CHECK(tf32_override(Products::bf16, on).empty());
  }
  CHECK_THAT(tf32_override(Products::tf32, "0"),
             contains("NVIDIA_TF32_OVERRIDE=0 makes cuBLAS compute exact products"));
  CHECK_THAT(tf32_override(Products::tf32, "0"), contains("unset it"));
}

TEST_CASE("NVIDIA_TF32_OVERRIDE: the environment is read") {
  setenv("NVIDIA_TF32_OVERRIDE", "1", 1);
  CHECK_THROWS_WITH(require_no_override(Products::exact), contains("NVIDIA_TF32_OVERRIDE=1 may"));
  CHECK_NOTHROW(require_no_override(Products::tf32));
  unsetenv("NVIDIA_TF32_OVERRIDE");
  CHECK_NOTHROW(require_no_override(Products::exact));
}
