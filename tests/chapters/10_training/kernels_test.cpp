#include <algorithm>
#include <cmath>
#include <limits>

#include "10_training/loss/cuda/output_loss_cuda.hpp"
#include "10_training/step/step_log.hpp"
#include "chapters/10_training/kernel_cases.hpp"
#include "chapters/10_training/take_batch_case.hpp"
#include "gradus/gpu/host/block.hpp"
#include "gradus/gpu/host/sanitizers.hpp"
#include "gradus/kernels/version.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Dev = Cuda<double>;

/// A vector in device memory that holds `values`.
Acc<Dev, 1> on_device(Dev& dev, Workspace<double, Gpu>& memory, const std::vector<double>& values) {
  const Acc<Dev, 1> v = memory.vector(values.size());
  write(dev, v, values);
  return v;
}
std::vector<double> from_device(Dev& dev, In<Dev, 1> v) {
  std::vector<double> values;
  read(dev, values, v);
  return values;
}

}  // namespace

TEST_CASE("output_loss: every judge accepts the kernels", "[gradients]") {
  each_loss_kernel([](const auto& c, const KernelOptions& o) { expect(kernel_judges(with_kernels(c, o), o)); });
}

TEST_CASE("adam, sgd, squared_norm: every judge accepts the kernels", "[gradients]") {
  each_optimiser_kernel(
      [](const auto& c, const KernelOptions& o) { expect(kernel_judges(with_kernels(c, o), o)); });
}

TEST_CASE("chapter 10: the kernels give the golden values, logits of a thousand among them") {
  expect(golden(with_kernels(OutputLossCase{}), "output_loss"));
  expect(golden(with_kernels(OutputLossCase{}), "output_loss_large"));
  expect(golden(with_kernels(OutputLossCase{6, 4, 7, 0.1, 1, 2, true}), "output_loss_bias"));
  expect(golden(with_kernels(OptimiserCase{40, Optimiser::adam, {0.5, 0.01, Decay::decoupled, 25}}),
                "adam_decoupled"));
  expect(golden(with_kernels(OptimiserCase{40, Optimiser::adam, {0.5, 0.01, Decay::coupled, 40}}), "adam_coupled"));
  expect(golden(with_kernels(OptimiserCase{40, Optimiser::adam, {0, 0, Decay::coupled, 0}}), "adam"));
  expect(
      golden(with_kernels(OptimiserCase{40, Optimiser::adam, {0, 0, Decay::coupled, 0}, 0, 1e-2}), "adam_epsilon"));
  expect(golden(with_kernels(OptimiserCase{40, Optimiser::sgd, {0, 0.01, Decay::coupled, 40}, 0.9}), "sgd"));
}

TEST_CASE("adam and sgd: more elements than the largest grid has threads") {
  for (const Optimiser kind : {Optimiser::adam, Optimiser::sgd}) {
    if (gpu::host::is_watched && kind == Optimiser::sgd)
      continue;  // a long loop has the same accesses as a short one
    const Component judged =
        with_kernels(OptimiserCase{1024 * 256 + 5000, kind, {0.5, 0.01, Decay::decoupled, 1024 * 256 + 9}});
    expect(parity(judged, judged.devices[1]));
  }
}

TEST_CASE("output_loss: the other versions of the kernel compute the same") {
  REQUIRE(!KernelVersion<LossRows<double>>::all().empty());
  Dev dev;
  dev.set({1, 1, 0, 0.25, 0, 0});
  constexpr std::size_t N = 130, vocab = 70;
  std::vector<std::int32_t> words;
  for (std::size_t n = 0; n < N; ++n) words.push_back(static_cast<std::int32_t>(n * 7 % (vocab + 1)) - 1);
  for (const double scale : {3.0, 3000.0}) {  // the second is too large for any exponential
    std::vector<double> values;
    for (std::size_t i = 0; i < N * vocab; ++i) values.push_back(std::sin(double(i * i)) * scale);
    Workspace<double, Gpu> memory;
    const auto z = on_device(dev, memory, values), loss = memory.vector(N);
    const OutInts<Dev, 1> target = memory.ints(N);
    write(dev, target, words);
    loss_rows(dev, as_matrix(z, N, vocab), loss, Ints<Dev, 1>(target), 0.1, true);
    for (const KernelVersion<LossRows<double>>* version : KernelVersion<LossRows<double>>::all()) {
      CAPTURE(version->name);
      const auto its_z = on_device(dev, memory, values), its_loss = memory.vector(N);
      std::get<0>(version->calls)(dev, as_matrix(its_z, N, vocab), its_loss, Ints<Dev, 1>(target), 0.1, true);
      CHECK(relative_error(from_device(dev, its_loss), from_device(dev, loss)) < 1e-12);
      CHECK(relative_error(from_device(dev, its_z), from_device(dev, z)) < 1e-12);
    }
  }
}

TEST_CASE("output_loss: no rows change nothing") {
  Dev dev;
  Workspace<double, Gpu> memory;
  const auto z = on_device(dev, memory, {1, 2, 3}), loss = on_device(dev, memory, {7});
  const OutInts<Dev, 1> target = memory.ints(1);
  write(dev, target, {1});
  const auto none = rows(as_matrix(z, 1, 3), 0, 0);
  loss_rows(dev, none, slice(loss, 0, 0), slice(Ints<Dev, 1>(target), 0, 0), 0.1, true);
  for (const KernelVersion<LossRows<double>>* version : KernelVersion<LossRows<double>>::all())
    std::get<0>(version->calls)(dev, none, slice(loss, 0, 0), slice(Ints<Dev, 1>(target), 0, 0), 0.1, true);
  CHECK(from_device(dev, z) == std::vector<double>{1, 2, 3});
  CHECK(from_device(dev, loss) == std::vector<double>{7});
}

TEST_CASE("output_loss: the kernels add to what the loss holds") {
  Dev dev;
  dev.set({1, 1, 0, 0.5, 0, 0});
  Workspace<double, Gpu> memory;
  const auto x = as_matrix(on_device(dev, memory, {1, 2, 3, 4}), 2, 2);
  const auto table = as_matrix(on_device(dev, memory, {1, 2, 3, 4, 5, 6}), 3, 2);
  const auto loss = on_device(dev, memory, {0});
  const OutInts<Dev, 1> target = memory.ints(2);
  write(dev, target, {2, 1});
  const auto held = [&] {
    output_loss_value(dev, loss, In<Dev, 2>(x), {table, {}}, target, 0.1);
    return from_device(dev, loss)[0];
  };
  const double once = held(), twice = held();
  CHECK(once > 0);
  CHECK(twice == 2 * once);
}

TEST_CASE("output_loss: a target that is no word makes its row NaN, and no other") {
  Dev dev;
  Workspace<double, Gpu> memory;
  const std::vector<double> values{1, 2, 3, 4, 5, 6};
  const auto x = as_matrix(on_device(dev, memory, {1, 2, 3, 4}), 2, 2), dx = as_matrix(memory.vector(4), 2, 2);
  const auto table = as_matrix(on_device(dev, memory, values), 3, 2), dtable = as_matrix(memory.vector(6), 3, 2);
  const auto loss = on_device(dev, memory, {0});
  const OutInts<Dev, 1> target = memory.ints(2);
  write(dev, target, {3, 1});
  fill(dev, dtable, 0);
  output_loss(dev, loss, dx, {dtable, {}}, In<Dev, 2>(x), {table, {}}, target, 0.1);
  const std::vector<double> gradient = from_device(dev, as_vector(dx));
  CHECK(std::isnan(from_device(dev, loss)[0]));
  CHECK(std::isnan(gradient[0]));
  CHECK(std::isnan(gradient[1]));
  CHECK(std::isfinite(gradient[2]));
  CHECK(std::isfinite(gradient[3]));
}

TEST_CASE("adam and sgd: the kernels refuse a norm that is not finite, and record the first such step for good") {
  Dev dev;
  for (const double bad : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    Workspace<double, Gpu> memory;
    const std::vector<double> before(600, 3.0);
    const auto w = on_device(dev, memory, before), m = on_device(dev, memory, before),
               v = on_device(dev, memory, before), g = on_device(dev, memory, before);
    const auto norm = on_device(dev, memory, {bad});
    const OutInts<Dev, 1> status = memory.ints(1);
    write(dev, status, {0});
    for (const std::uint32_t step : {7U, 8U}) {
      dev.set({1, step, 0.1, 1, 0, 0});
      adam(dev, w, m, v, status, In<Dev, 1>(g), In<Dev, 1>(norm), {});
      sgd(dev, w, m, status, In<Dev, 1>(g), In<Dev, 1>(norm), {});
    }
    write(dev, norm, {2});  // a later step that would be correct
    adam(dev, w, m, v, status, In<Dev, 1>(g), In<Dev, 1>(norm), {});
    sgd(dev, w, m, status, In<Dev, 1>(g), In<Dev, 1>(norm), {});
    for (const auto& changed : {w, m, v}) CHECK(from_device(dev, changed) == before);
    std::vector<std::int32_t> recorded;
    read(dev, recorded, Ints<Dev, 1>(status));
    CHECK(recorded == std::vector<std::int32_t>{7});
  }
}

TEST_CASE("a recorded step reads the loss's factor, the learning rate and the step number anew in each replay") {
  const auto weights_after = [](bool is_recorded) {
    Dev dev;
    Workspace<double, Gpu> memory;
    const auto w = on_device(dev, memory, {1, -2, 3, 4, 5, -6}), g = on_device(dev, memory, {0, 0, 0, 0, 0, 0}),
               m = on_device(dev, memory, {0, 0, 0, 0, 0, 0}), v = on_device(dev, memory, {0, 0, 0, 0, 0, 0}),
               x = on_device(dev, memory, {1, 2, 3, 4}), dx = on_device(dev, memory, {0, 0, 0, 0}),
               loss = on_device(dev, memory, {0}), norm = on_device(dev, memory, {0});
    const OutInts<Dev, 1> target = memory.ints(2), status = memory.ints(1);
    write(dev, target, {2, 0});
    write(dev, status, {0});
    const auto step = [&] {
      fill(dev, g, 0);
      fill(dev, norm, 0);
      output_loss(dev, loss, as_matrix(dx, 2, 2), {as_matrix(g, 3, 2), {}}, In<Dev, 2>(as_matrix(x, 2, 2)),
                  {as_matrix(w, 3, 2), {}}, target, 0.1);
      squared_norm(dev, norm, In<Dev, 1>(g));
      adam(dev, w, m, v, status, In<Dev, 1>(g), In<Dev, 1>(norm),
           {0.9, 0.98, 1e-9, {0.01, 0.1, Decay::decoupled, 4}});
    };
    for (std::uint32_t t = 1; t <= 4; ++t) {
      dev.set({1, t, 0.1 / t, 0.5 / t, 0, 0});
      if (is_recorded) {
        dev.run_step({}, step);
      } else {
        step();
      }
    }
    std::vector<double> result = from_device(dev, w);
    result.push_back(from_device(dev, loss)[0]);
    return result;
  };
  CHECK(weights_after(true) == weights_after(false));
}

TEST_CASE("log_step: the kernel writes the step's row, however long, and no other") {
  Dev dev;
  for (const std::size_t n : {1, 8, 32, 70}) {
    Workspace<double, Gpu> memory;
    std::vector<double> numbers(n), before(3 * n, -1);
    for (std::size_t i = 0; i < n; ++i) numbers[i] = 1 + static_cast<double>(i);
    const auto log = on_device(dev, memory, before), row = on_device(dev, memory, numbers);
    dev.set({1, 7, 0.1, 1, 0, 0});
    log_step(dev, as_matrix(log, 3, n), In<Dev, 1>(row));
    std::copy(numbers.begin(), numbers.end(), before.begin() + static_cast<std::ptrdiff_t>(n));  // 7 mod 3 is 1
    CHECK(from_device(dev, log) == before);
  }
}

TEST_CASE("take_sentences: the kernel takes the packed batch, in any order of threads") {
  using gpu::host::Order;
  for (const Order order : {Order::descending, Order::shuffled, Order::ascending}) {
    gpu::host::set_order(order, 3);
    if (order == Order::ascending || !gpu::host::is_watched)
      expect_batches_taken<Cuda<float>>();  // no order hides a race
  }
}

TEST_CASE(
    "take_sentences: a recorded step takes the batch that the step state names, without a word from the host") {
  Dev dev;
  const IdPairs pairs = uneven_pairs();
  Corpus<Dev> corpus(dev, pairs, {});
  corpus.set_batches(dev, uneven_batches());
  const BatchSize most{2000, 1200, 290, 301, 10};
  DeviceBatch<Dev> batch;
  for (const std::size_t k : {0, 2, 1, 4, 0}) {
    name_batch(dev, corpus, k);
    batch.reserve(batch_size(corpus.batches()[k], pairs), most);
    dev.run_step(batch.sizes(), [&] { batch.take(dev, corpus); });
    CHECK(is_same(read_batch(dev, batch.view()), packed_for(corpus.batches()[k], pairs, {}, most)));
    CHECK(batch.sizes().front() == most.source_rows);  // one recording serves all of them
  }
}

// Last, because it takes longest.
TEST_CASE("model: every judge accepts it with its loss on kernels", "[whole][gradients]") {
  each_model_kernel([](const auto& c, const KernelOptions& o) { expect(kernel_judges(with_kernels(c, o), o)); });
}
