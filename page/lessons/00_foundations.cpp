#include "chapters/00_foundations/linear_case.hpp"
#include "live/lessons.hpp"
#include "wrong/foundations.hpp"

namespace gradus::page {
namespace {

struct LiveLinear : test::LinearCase {
  template <class Dev>
  void show(Shown&, const Cache<Dev>&, test::Tensors<Dev>&) const {
  }  // the page has inputs, outputs and gradients only
};

}  // namespace

/// Whole numbers, so that readers can compute every result themselves.
Lesson linear_lesson() {
  const LiveLinear live{{3, 4, 2, true}};
  Lesson made = lesson("00_foundations", live,
                       {{"x", {1, 0, 2, -1, 0, 1, 1, 2, 2, -1, 0, 1}},
                        {"w", {1, 2, 0, 1, -1, 1, 2, 0}},
                        {"b", {1, -1}},
                        {"dy", {1, 0, 0, 2, -1, 1}}});
  made.ways.insert(made.ways.end(),
                   {way<wrong::BiasForgotten<Device>>("bias-forgotten", live),
                    way<wrong::TransposedWeightGradient<Device>>("transposed-weight-gradient", live)});
  return made;
}

}  // namespace gradus::page
