#include "support/twins.hpp"
#include "chapters/06_feed_forward/activation_case.hpp"
#include "chapters/06_feed_forward/feed_forward_case.hpp"
#include "chapters/06_feed_forward/linear_activation_case.hpp"
#include "support/catch.hpp"
#include "wrong/feed_forward.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr Activation relu = Activation::relu, gelu = Activation::gelu, swish = Activation::swish;

/// A wrong activation: alone, behind a linear map, inside the network.
template <template <class> class Wrong>
Twin wrong_activation(const std::string& name, Activation activation) {
  using Dev = Wrong<Cpu<double>>;
  const std::string which = name_of(activation);
  return {name,
          &Dev::calls,
          {twin_case<Dev>(name, ActivationCase{activation}, "activation_" + which),
           twin_case<Dev>(name, LinearActivationCase{activation}, "linear_activation_" + which),
           twin_case<Dev>(name, FeedForwardCase{activation}, "feed_forward_" + which)}};
}

/// A wrong inner half: alone, and inside the network.
template <template <class> class Wrong>
Twin wrong_inner(const std::string& name) {
  using Dev = Wrong<Cpu<double>>;
  return {name,
          &Dev::calls,
          {twin_case<Dev>(name, LinearActivationCase{relu}, "linear_activation_relu"),
           twin_case<Dev>(name, FeedForwardCase{gelu}, "feed_forward_gelu")}};
}

template <template <class> class Wrong>
Twin wrong_network(const std::string& name) {
  using Dev = Wrong<Cpu<double>>;
  return {name, &Dev::calls, {twin_case<Dev>(name, FeedForwardCase{relu}, "feed_forward_relu")}};
}

}  // namespace

TEST_CASE("wrong twins of chapter 06 are rejected", "[wrong]") {
  expect_rejected("06_feed_forward", {wrong_network<wrong::ActivationAfterOuter>("activation-after-outer"),
                                      wrong_network<wrong::OneSquareMap>("one-square-map"),
                                      wrong_activation<wrong::NoActivation>("no-activation", relu),
                                      wrong_activation<wrong::MaskOfGradient>("mask-of-gradient", relu),
                                      wrong_activation<wrong::SlopeAtOutput>("slope-at-output", gelu),
                                      wrong_activation<wrong::TanhGelu>("tanh-gelu", gelu),
                                      wrong_activation<wrong::SlopeOfSigma>("slope-of-sigma", swish),
                                      wrong_inner<wrong::RateNotHandedOn>("rate-not-handed-on"),
                                      wrong_inner<wrong::InnerMaskForgotten>("inner-mask-forgotten"),
                                      wrong_inner<wrong::InnerBiasForgotten>("inner-bias-forgotten")});
}
