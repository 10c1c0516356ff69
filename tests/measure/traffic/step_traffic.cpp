/// \file
/// The launches and the memory traffic of one training step with the bundled model's sizes, at 4,096 tokens a side:
///
///     step_traffic FILE
///
/// writes them as JSON. traffic.py prints the file, and compares the sums with bounds.

#include <cstdio>

#include "10_training/step/step.hpp"
#include "gradus/gpu/host/memory.hpp"
#include "measure/gpu_check/corpus.hpp"
#include "measure/gpu_check/models.hpp"
#include "measure/traffic/traffic.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr std::size_t words = 10'000, tokens = 4096;

/// Three kernels whose traffic everybody knows: the count must find it.
void check_counter(Cuda<float>& dev) {
  using Dev = Cuda<float>;
  constexpr std::size_t rows = 64, columns = 40, bytes = rows * columns * sizeof(float);
  Workspace<float, Gpu> memory;
  const Out<Dev, 2> x = memory.matrix(rows, columns), y = memory.matrix(rows, columns);
  start_traffic();
  fill(dev, x, 1);
  copy(dev, y, In<Dev, 2>(x));
  add(dev, y, In<Dev, 2>(x));
  const Moved found = stop_traffic();
  if (found.launches != 3 || found.early != 0 || found.read != 3 * bytes || found.written != 3 * bytes) {
    fail("the count is wrong: " + std::to_string(found.launches) + " launches, " + std::to_string(found.early) +
         " early ones, " + std::to_string(found.read) + " bytes read, " + std::to_string(found.written) +
         " written");
  }
  if (found.requests == 0 || found.wanted != found.sectors * 32)
    fail("the requests of neighbouring numbers waste no byte");
}

void count_step(const std::string& path) {
  using Dev = Cuda<float>;
  const IdPairs pairs = made_pairs(800, words);
  gpu::host::protect_device_memory(false);
  Dev dev;
  check_counter(dev);
  Model<Dev> model(dev, base_model(words, words, 0.2, false));
  initialise(dev, model.flat(), model.layout, {});
  Corpus<Dev> corpus(dev, pairs, {});
  corpus.set_batches(dev, batches_in_order(pairs, tokens, 1));
  OptimiserOptions optimiser;
  optimiser.adam.update.clip = 1;
  Workers one(1);
  TrainingStep<Dev> training(model, corpus, 1, 0.1, optimiser, one, batch_capacity(pairs, {tokens, 0}));
  start_traffic();
  const StepResult result = training.run(0, {1, 1, 1e-4});
  stop_traffic();
  write_traffic(path);
  if (result.failed_step != 0) fail("the gradient of the counted step is not finite");
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count != 2) fail("step_traffic FILE");
    count_step(arguments[1]);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}
