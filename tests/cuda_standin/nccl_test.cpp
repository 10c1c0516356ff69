// nccl_link.cu: ranks are processes, each with a GPU of its own.

#include <nccl.h>

#include "chapters/10_training/digits.hpp"
#include "cuda_standin/processes.hpp"
#include "cuda_standin/support.hpp"
#include "gradus/ranks/gpu_link.hpp"
#include "gradus/ranks/tensor_exchange.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Dev = Cuda<float>;

/// The weights after three steps, of which one is recorded and one replayed, byte for byte.
std::string trained(Ranks& ranks, bool is_linked) {
  TrainingPlan plan = digit_plan(1);
  plan.batches.tokens = 60;
  plan.micro_batches = 3;
  std::unique_ptr<LinkedGpus<Dev>> link;
  if (is_linked) link = std::make_unique<LinkedGpus<Dev>>(ranks);
  require(ranks.has_gpu_link() == (is_linked && ranks.size() > 1), "a link is where none should be, or is missing");
  Dev dev;
  Model<Dev> model(dev, digit_model());
  initialise(dev, model.flat(), model.layout, {});
  Workers workers(1);
  const IdPairs pairs = reversed_digits(40, 1);
  const std::size_t before = ranks.bytes_sent();
  Trainer<Dev> trainer(model, pairs, plan, workers, {}, "", ranks);
  TrainingControl control;
  control.max_steps = 3;
  trainer.run(control);
  const bool by_host = ranks.bytes_sent() - before > 4 * model.flat().extent[0];
  require(ranks.size() == 1 || by_host == !is_linked, "the tensors took the other way");
  std::vector<float> weights;
  read(dev, weights, In<Dev, 1>(model.flat()));
  return {reinterpret_cast<const char*>(weights.data()), weights.size() * sizeof(float)};
}

/// Each rank sends the numbers 10 r, 10 r + 1 and 10 r + 2 to all others, and returns what it has got.
std::string exchanged(Ranks& ranks) {
  const LinkedGpus<Dev> linked(ranks);
  require(ranks.has_gpu_link(), "there is no link");
  Dev dev;
  Workspace<float, Gpu> memory;
  const auto mine = memory.vector(3);
  const auto first = static_cast<float>(10 * ranks.rank());
  write(dev, mine, {first, first + 1, first + 2});
  std::vector<View<float, 1, Gpu>> theirs;
  for (std::size_t r = 0; r < ranks.size(); ++r) theirs.push_back(memory.vector(3));
  TensorExchange<Dev> exchange(ranks, dev);
  exchange.to_all(In<Dev, 1>(mine), [&](std::size_t from) { return theirs[from]; });
  exchange.run();
  std::string result;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    if (r == ranks.rank()) continue;
    std::vector<float> values;
    read(dev, values, In<Dev, 1>(theirs[r]));
    for (const float x : values) result += std::to_string(static_cast<int>(x)) + " ";
  }
  return result;
}

}  // namespace

TEST_CASE("nccl_link: tensors arrive at all other ranks, behind the work that makes them") {
  CHECK(on_processes(2, exchanged) == std::vector<std::string>{"10 11 12 ", "0 1 2 "});
  CHECK(on_processes(3, exchanged) ==
        std::vector<std::string>{"10 11 12 20 21 22 ", "0 1 2 20 21 22 ", "0 1 2 10 11 12 "});
}

TEST_CASE("nccl_link: two and three ranks train the weights of one, recorded steps included") {
  const std::vector<std::string> one = on_processes(1, [](Ranks& r) { return trained(r, true); });
  REQUIRE(one[0].substr(0, 5) != "error");
  for (const std::size_t size : {2, 3}) {
    for (const std::string& weights : on_processes(size, [](Ranks& r) { return trained(r, true); }))
      CHECK((weights == one[0] ? "the same" : weights.substr(0, 200)) == "the same");
  }
  for (const std::string& weights : on_processes(2, [](Ranks& r) { return trained(r, false); }))
    CHECK((weights == one[0] ? "the same" : weights.substr(0, 200)) == "the same");
}

TEST_CASE("nccl_link: none for a rank alone, and for ranks that share a GPU") {
  CHECK(nccl_link(alone()) == nullptr);
  const auto shared = on_processes(2, [](Ranks& ranks) {
    standin::machine().uuid = "the only GPU";
    return std::string(nccl_link(ranks) == nullptr ? "none" : "a link");
  });
  CHECK(shared == std::vector<std::string>(2, "none"));
}

TEST_CASE("nccl_link: an error says which ranks disagree") {
  const auto errors = on_processes(2, [](Ranks& ranks) {
    const auto link = nccl_link(ranks);
    const OnDevice<float> mine(std::vector<float>(4, 1)), theirs(4);
    const std::size_t other = 1 - ranks.rank(), bytes = ranks.rank() == 0 ? 16 : 8;
    link->exchange({{other, mine.data(), bytes}}, {{other, theirs.data(), 16}});
    return std::to_string(theirs.values()[3]);
  });
  CHECK_THAT(errors[0], contains("rank 1 sends 8 bytes instead of 16"));
  const auto wrong = on_processes(2, [](Ranks& ranks) {
    const auto link = nccl_link(ranks);
    const OnDevice<float> mine(1);
    link->exchange({{2, mine.data(), 4}}, {});
    return std::string();
  });
  CHECK_THAT(wrong[0], contains("NCCL, between the GPUs of the ranks: invalid argument (a communicator or a rank"));
}

TEST_CASE("nccl_link: a message of memory that is no device memory is a fault") {
  const auto errors = on_processes(2, [](Ranks& ranks) {
    const auto link = nccl_link(ranks);
    std::vector<float> host(4);
    const OnDevice<float> theirs(4);
    const std::size_t other = 1 - ranks.rank();
    link->exchange({{other, ranks.rank() == 0 ? host.data() : theirs.data(), 16}}, {});
    return std::to_string(theirs.values()[0]);
  });
  CHECK_THAT(errors[0], contains("ncclSend does not point to device memory"));
}
