// Judges the leaf: prints each verdict that failed, and how many passed. `judge wrong` judges a backward pass with a mistake.
#include <cstring>
#include <exception>
#include <iostream>

#include "support/case.hpp"
#include "support/judges.hpp"
#include "swish.hpp"

namespace {

using gradus::test::Description;
using gradus::test::Tensors;

/// The leaf for the judges: its tensors, and how it is called. N and F differ, so that a mistake with the axes shows.
struct SwishCase {
  bool forgets_slope = false;
  std::size_t N = 5, F = 3;

  void describe(Description& d) const {
    d.component = "swish";
    d.input("x", {N, F});
    d.parameter("beta", {F});
    d.output("y", {N, F});
  }

  template <class Dev>
  struct Cache {};

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>&, Tensors<Dev>& t) const {
    mine::swish_forward(dev, t.matrix("y"), t.matrix("x"), t.vector("beta"));
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>&, Tensors<Dev>& t) const {
    mine::swish_backward(dev, t.d_matrix("x"), t.d_vector("beta"), t.d_matrix("y"), t.matrix("x"),
                         t.vector("beta"));
    if (forgets_slope) t.d_matrix("x").row(1)[2] *= typename Dev::Real(1.001);
  }
};

}  // namespace

int main(int argc, char** argv) try {
  const SwishCase judged{argc > 1 && std::strcmp(argv[1], "wrong") == 0};
  std::size_t passed = 0;
  const auto verdicts = gradus::test::all_judges(gradus::test::component(judged));
  for (const auto& v : verdicts) {
    passed += v.passed();
    if (!v.passed())
      std::cout << v.judge << ", " << v.device << ": " << v.tensor << " is off by " << v.error << '\n';
  }
  std::cout << passed << " of " << verdicts.size() << " verdicts passed\n";
  return passed == verdicts.size() ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
