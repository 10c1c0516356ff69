// The golden judge: values and gradients that an independent implementation computed.

#include <algorithm>
#include <cmath>

#include "gradus/io/safetensors.hpp"
#include "gradus/util/error.hpp"
#include "support/judges.hpp"

namespace gradus::test {

Verdicts golden(const Component& c, const Runner& r, const std::string& file, const Bounds& bounds) {
  const auto stored = SafetensorsFile::load(std::string(GRADUS_GOLDEN) + "/" + file + ".safetensors");
  const auto of = [&](const std::string& name, const TensorSpec& t) {
    if (stored.shape(name) != t.shape) fail(file + ": " + name + " has another shape than the case says");
    return stored.values<double>(name);
  };

  Values given;
  for (const TensorSpec& t : c.description.tensors()) {
    const std::string name = t.role == Role::output ? "d" + t.name : t.name;
    given.value[name] = of(name, t);
  }
  const Run run = r.run(given, {});

  double scale = 0;
  Verdicts verdicts;
  const auto say = [&](const std::string& name, double error, double bound) {
    verdicts.push_back({"golden " + file, c.description.component, name, r.device, error, bound, 0});
  };
  for (const TensorSpec& t : c.description.tensors()) {
    if (t.role == Role::output || !t.differentiable) continue;
    for (const double g : of("d" + t.name, t)) scale = std::max(scale, std::abs(g));
  }
  for (const TensorSpec& t : c.description.tensors()) {
    if (t.role == Role::output) {
      say(t.name, relative_error(run.output.at(t.name), of(t.name, t)), bounds.golden);
    } else if (t.differentiable) {
      say("d" + t.name, relative_error(run.gradient.at(t.name), of("d" + t.name, t), scale), bounds.golden);
    }
  }
  return verdicts;
}

}  // namespace gradus::test
