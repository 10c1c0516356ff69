#pragma once
/// \file
/// One interface to Catch2 2 and 3: the macros and matchers that both have.

#include <string>

#if defined(__clang__) && __clang_major__ >= 19  // C++20 allows what TEMPLATE_TEST_CASE leaves out
#pragma clang diagnostic ignored "-Wc++20-extensions"
#endif

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
namespace gradus::test {
using Catch::Approx;
inline auto contains(const std::string& text) { return Catch::Matchers::ContainsSubstring(text); }
}  // namespace gradus::test
#else
#include <catch2/catch.hpp>
namespace gradus::test {
using Catch::Detail::Approx;
inline auto contains(const std::string& text) { return Catch::Matchers::Contains(text); }
}  // namespace gradus::test
#endif
