#include <algorithm>
#include <cmath>
#include <utility>

#include "09_transformer/model.hpp"
#include "gradus/device/device.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Dev = Cpu<double>;

ModelConfig of_nine_positions() {
  ModelConfig c;
  c.source_vocab = c.target_vocab = 10;
  c.d_model = 12, c.heads = 2, c.ffn = 5, c.encoder_layers = c.decoder_layers = 1, c.max_length = 9;
  return c;
}

}  // namespace

TEST_CASE("model: positions may have the sines first, with the paper's frequencies or Marian's") {
  Dev dev;
  ModelConfig c = of_nine_positions();
  c.positions = Positions::halves;
  const Model<Dev> halves(dev, c);
  c.positions = Positions::marian;
  const Model<Dev> marian(dev, c);
  const std::size_t half = c.d_model / 2;
  const double exponent = -1 / static_cast<double>(half), one_less = -1 / static_cast<double>(half - 1);
  for (const auto& [model, power] : {std::pair{&halves, exponent}, {&marian, one_less}}) {
    const double* const second = model->params.positions.row(1);
    CHECK(second[0] == std::sin(1.0));
    CHECK(second[half] == std::cos(1.0));
    CHECK(second[1] == Approx(std::sin(std::pow(10000.0, power))));
  }
}

TEST_CASE("model: positions are sinusoids, or none") {
  Dev dev;
  ModelConfig c = of_nine_positions();
  const Model<Dev> with(dev, c);
  c.positions = Positions::none;
  const Model<Dev> without(dev, c);
  CHECK(with.params.positions.row(1)[0] == std::sin(1.0));
  const In<Dev, 2> none = without.params.positions;
  CHECK(none.extent == with.params.positions.extent);
  CHECK(std::all_of(none.data, none.data + none.extent[0] * none.extent[1], [](double p) { return p == 0; }));
}
