#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "09_transformer/initialise.hpp"
#include "chapters/11_translator/small_training.hpp"
#include "gradus/io/safetensors.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("training: a frozen part keeps every bit, and all else changes") {
  const Playground place("train-frozen");
  const std::map<std::string, bool FrozenParts::*> parts = {{"source_embedding", &FrozenParts::embeddings},
                                                            {"target_embedding", &FrozenParts::embeddings},
                                                            {"encoder", &FrozenParts::encoder},
                                                            {"decoder", &FrozenParts::decoder}};
  TrainingRequest r = small(place.file("run"));
  r.overwrite = true;
  r.plan.optimiser.adam.update.weight_decay = 0.5;
  r.plan.optimiser.decays_all = true;
  for (bool FrozenParts::*frozen : {&FrozenParts::embeddings, &FrozenParts::encoder, &FrozenParts::decoder}) {
    r.plan.optimiser.frozen = {};
    r.plan.optimiser.frozen.*frozen = true;
    std::string said;
    TrainingListener listener;
    listener.say = [&](const std::string& line) { said += line + "\n"; };
    REQUIRE(train(r, listener) == TrainingEnd::finished);
    const auto checkpoint = SafetensorsFile::load(r.output + "/checkpoint.safetensors");
    const Layout layout = transformer_layout<Cpu<float>>(load_model(r.output).config);
    std::size_t trained = 0;
    for (std::size_t k = 0; k < layout.slices().size(); ++k) {
      const std::string& name = layout.slices()[k].name;
      INFO(name);
      const bool stays = parts.at(name.substr(0, name.find('.'))) == frozen;
      trained += stays ? 0 : layout.slices()[k].size();
      const std::vector<double> first = initial_values(layout, k, r.initialisation);
      const std::vector<float> last = checkpoint.values<float>(name);
      CHECK(std::equal(last.begin(), last.end(), first.begin(), first.end(),
                       [](float a, double b) { return a == static_cast<float>(b); }) == stays);
    }
    CHECK_THAT(said, gradus::test::contains("training " + std::to_string(trained) + " of " +
                                            std::to_string(layout.size()) + " parameters\n"));
  }
}
