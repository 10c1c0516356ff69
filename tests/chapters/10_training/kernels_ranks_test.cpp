#include <list>
#include <mutex>

#include "chapters/10_training/digits.hpp"
#include "chapters/10_training/unprotected.hpp"
#include "gradus/gpu/host/sanitizers.hpp"
#include "gradus/gpu/host/stream.hpp"
#include "gradus/ranks/gpu_link.hpp"
#include "gradus/ranks/tensor_exchange.hpp"
#include "support/catch.hpp"
#include "support/thread_ranks.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// A rank that works only while no other one does: the host layer is one GPU with one stream. The others have their turn
/// while this one waits for messages.
class TakesTurns final : public Ranks {
 public:
  TakesTurns(Ranks& ranks, std::mutex& turn) : ranks_(ranks), turn_(turn) { turn_.lock(); }
  ~TakesTurns() override { turn_.unlock(); }
  TakesTurns(const TakesTurns&) = delete;
  TakesTurns& operator=(const TakesTurns&) = delete;

  std::size_t rank() const override { return ranks_.rank(); }
  std::size_t size() const override { return ranks_.size(); }
  void abort(int status) override { ranks_.abort(status); }

 private:
  struct Pause {
    std::mutex& turn;
    explicit Pause(std::mutex& m) : turn(m) { turn.unlock(); }
    ~Pause() { turn.lock(); }
  };
  void transfer(const std::vector<Outgoing>& out, const std::vector<Incoming>& in) override {
    const Pause pause(turn_);
    ranks_.exchange(out, in);
  }

  Ranks& ranks_;
  std::mutex& turn_;
};

/// What NCCL does between GPUs, for the host layer: it takes device memory only, and is work of the stream, so that it can
/// be recorded.
class HostLayerLink final : public GpuLink {
 public:
  explicit HostLayerLink(Ranks& ranks) : ranks_(ranks) {}

  void exchange(const std::vector<Outgoing>& out, const std::vector<Incoming>& in) override {
    const std::size_t before = exchanges;
    std::vector<unsigned char> arguments;
    const auto add = [&](const std::vector<unsigned char>& bytes) {
      arguments.insert(arguments.end(), bytes.begin(), bytes.end());
    };
    for (const Outgoing& o : out) add(gpu::host::bytes_of(o.to, o.data, o.bytes));
    for (const Incoming& i : in) add(gpu::host::bytes_of(i.from, i.data, i.bytes));
    gpu::host::submit([this, out, in] { carry(out, in); }, arguments);
    recorded += exchanges == before ? 1 : 0;
  }

  std::size_t exchanges = 0, recorded = 0;  ///< carried out; asked for while a step was recorded or compared

 private:
  void carry(const std::vector<Outgoing>& out, const std::vector<Incoming>& in) {
    ++exchanges;
    std::list<std::string> copies;  // a list, because the addresses of its elements stay
    std::vector<Outgoing> sent;
    std::vector<Incoming> received;
    for (const Outgoing& o : out) {
      gpu::download(copies.emplace_back(o.bytes, '\0').data(), o.data, o.bytes);
      sent.push_back({o.to, copies.back().data(), o.bytes});
    }
    for (const Incoming& i : in) received.push_back({i.from, copies.emplace_back(i.bytes, '\0').data(), i.bytes});
    ranks_.exchange(sent, received);
    for (std::size_t k = 0; k < in.size(); ++k) gpu::upload(in[k].data, received[k].data, in[k].bytes);
  }

  Ranks& ranks_;
};

using Dev = Cuda<float>;
enum class Way { host_memory, gpu_link };

constexpr std::size_t steps = 3, exchanges_a_step = 3;  // sums, norms, weights

/// The weights after some steps.
std::vector<float> trained(Ranks& ranks, Way way) {
  TrainingPlan plan = digit_plan(1);
  plan.batches.tokens = gpu::host::is_watched ? 20 : 60;
  plan.micro_batches = 3;
  HostLayerLink link(ranks);
  if (way == Way::gpu_link) ranks.set_gpu_link(&link);
  Dev dev;
  Model<Dev> model(dev, digit_model());
  initialise(dev, model.flat(), model.layout, {});
  Workers workers(1);
  const IdPairs pairs = reversed_digits(60, 1);
  Trainer<Dev> trainer(model, pairs, plan, workers, {}, "", ranks);
  TrainingControl control;
  control.max_steps = steps;
  trainer.run(control);
  const std::size_t linked = way == Way::gpu_link ? exchanges_a_step : 0;
  if (link.exchanges != steps * linked) fail("the link made " + std::to_string(link.exchanges) + " exchanges");
  if (link.recorded != (steps - 1) * linked) fail(std::to_string(link.recorded) + " exchanges were recorded");
  std::vector<float> weights;
  read(dev, weights, In<Dev, 1>(model.flat()));
  return weights;
}

/// The same on several ranks, which must all have the same weights.
std::vector<float> trained_by(std::size_t size, Way way) {
  std::vector<std::vector<float>> results(size);
  std::mutex turn;
  const auto errors = on_ranks(size, [&](Ranks& others) {
    TakesTurns ranks(others, turn);
    results[ranks.rank()] = trained(ranks, way);
  });
  REQUIRE(errors == std::vector<std::string>(size));
  for (const std::vector<float>& other : results) CHECK(other == results[0]);
  return results[0];
}

}  // namespace

TEST_CASE("ranks with GPUs: the bits of one, through host memory and by a link between the GPUs", "[whole]") {
  const Unprotected fast;
  const std::vector<float> one = trained(alone(), Way::host_memory);
  for (const std::size_t size : {2, 3}) {
    if (size == 2 && gpu::host::is_watched) continue;
    INFO(size << " ranks");
    CHECK(trained_by(size, Way::host_memory) == one);
    CHECK(trained_by(size, Way::gpu_link) == one);
  }
}

TEST_CASE("ranks with GPUs: without a link, tensors pass through host memory: MPI touches no memory of a GPU") {
  std::mutex turn;
  const auto errors = on_ranks(2, [&](Ranks& others) {
    TakesTurns ranks(others, turn);
    Dev dev;
    const float own = static_cast<float>(ranks.rank());
    Workspace<float, Gpu> memory;
    const auto mine = memory.vector(3), theirs = memory.vector(3);
    write(dev, mine, std::vector<float>(3, own));
    TensorExchange<Dev> exchange(ranks, dev);
    exchange.to_all(In<Dev, 1>(mine), [&](std::size_t) { return theirs; });
    exchange.run();
    std::vector<float> arrived;
    read(dev, arrived, In<Dev, 1>(theirs));
    if (arrived != std::vector<float>(3, 1 - own)) fail("other numbers arrived");
  });
  CHECK(errors == std::vector<std::string>(2));
}

TEST_CASE("ranks with GPUs: the host layer has no NCCL, and a link is set only as long as it lives") {
  CHECK(nccl_link(alone()) == nullptr);
  {
    const LinkedGpus<Dev> linked(alone());
    CHECK(!alone().has_gpu_link());
  }
  HostLayerLink link(alone());
  alone().set_gpu_link(&link);
  { const LinkedGpus<Dev> replaced(alone()); }
  CHECK(!alone().has_gpu_link());
}
