#include "gradus/ranks/ranks.hpp"

#include <cstdlib>

#include "gradus/device/device.hpp"
#include "gradus/ranks/launcher.hpp"
#include "gradus/ranks/tensor_exchange.hpp"
#include "lib/io/files.hpp"
#include "support/catch.hpp"
#include "support/thread_ranks.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Texts = std::vector<std::string>;

/// Sets a variable of the environment until the end of the scope.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }

 private:
  const char* name_;
};

}  // namespace

TEST_CASE("ranks: texts of every length reach every rank, in the order of the ranks") {
  for (const std::size_t size : {1, 2, 5}) {
    const Texts errors = on_ranks(size, [&](Ranks& ranks) {
      const std::string mine(ranks.rank() * 3, static_cast<char>('a' + ranks.rank()));  // rank 0: empty
      const Texts all = all_gather(ranks, mine);
      for (std::size_t r = 0; r < size; ++r) {
        if (all.at(r) != std::string(r * 3, static_cast<char>('a' + r)))
          fail("wrong text of rank " + std::to_string(r));
      }
      if (broadcast(ranks, "text " + std::to_string(ranks.rank())) != "text 0") fail("not the text of rank 0");
    });
    CHECK(errors == Texts(size));
  }
}

TEST_CASE("ranks: one true answer is enough, whoever gives it; without one all say no") {
  for (const std::size_t who : {0, 1, 2, 3}) {  // 3: nobody
    std::vector<int> answers(3, -1);
    on_ranks(3, [&](Ranks& ranks) { answers[ranks.rank()] = any(ranks, ranks.rank() == who) ? 1 : 0; });
    CHECK(answers == std::vector<int>(3, who < 3 ? 1 : 0));
  }
}

TEST_CASE("ranks: an error of one ends all; rank 0 reports it with the rank's name") {
  const auto errors_if = [](const std::function<void(Ranks&)>& work) {
    Texts went_on(3);  // no error: that would end the others before they know that all go on
    Texts ends = on_ranks(3, [&](Ranks& ranks) {
      together(ranks, [&] { work(ranks); });
      went_on[ranks.rank()] = "went on";
    });
    for (std::size_t r = 0; r < 3; ++r) ends[r] += went_on[r];
    return ends;
  };
  const std::string ended = "ended with others";
  const auto only = [](std::size_t rank) {
    return [rank](Ranks& ranks) {
      if (ranks.rank() == rank) fail("no disk");
    };
  };
  CHECK(errors_if(only(2)) == Texts{"rank 2: no disk", ended, ended});
  CHECK(errors_if(only(0)) == Texts{"no disk", ended, ended});
  CHECK(errors_if([](Ranks&) { fail("no text"); }) == Texts{"no text", ended, ended});
  CHECK(errors_if([](Ranks&) {}) == Texts(3, "went on"));
}

TEST_CASE("ranks: the first rank that differs is found by all") {
  std::vector<std::string> found(4);
  on_ranks(4, [&](Ranks& ranks) {
    const auto other = difference(ranks, ranks.rank() == 2 ? "b" : "a");
    if (other) found[ranks.rank()] = std::to_string(other->rank) + other->first + other->other;
  });
  CHECK(found == Texts(4, "2ab"));
}

TEST_CASE("ranks: pieces cover everything once, and become whole on every rank") {
  for (const std::size_t size : {1, 2, 3, 7}) {
    const Texts errors = on_ranks(size, [&](Ranks& ranks) {
      std::vector<double> values(5);
      const Interval own = piece_of(ranks.rank(), size, values.size());
      for (std::size_t i = own.begin; i < own.end; ++i) values[i] += static_cast<double>(i + 1);
      all_gather_pieces(ranks, values);
      if (values != std::vector<double>{1, 2, 3, 4, 5}) fail("not whole");
    });
    CHECK(errors == Texts(size));
  }
}

TEST_CASE("ranks: tensors travel, their bytes are counted, and empty ones do not travel") {
  const Texts errors = on_ranks(2, [](Ranks& ranks) {
    Cpu<float> dev;
    const auto mine = dev.kept.vector(3), theirs = dev.kept.vector(3), nothing = dev.kept.vector(0);
    fill(dev, mine, static_cast<double>(ranks.rank() + 1));
    TensorExchange<Cpu<float>> exchange(ranks, dev);
    exchange.send(1 - ranks.rank(), nothing);
    exchange.receive(1 - ranks.rank(), nothing);
    exchange.to_all(mine, [&](std::size_t) { return theirs; });
    exchange.run();
    if (theirs[2] != static_cast<float>(2 - ranks.rank())) fail("wrong value");
    if (ranks.bytes_sent() != 3 * sizeof(float)) fail("wrong count");
  });
  CHECK(errors == Texts(2));
}

TEST_CASE("launcher: Open MPI, MPICH and Slurm are recognised; a batch script of Slurm is no rank") {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "PMI_SIZE", "PMI_RANK"}) unsetenv(name);
  CHECK(launch().ranks == 1);
  {
    const Variable size("OMPI_COMM_WORLD_SIZE", "4"), rank("OMPI_COMM_WORLD_RANK", "3"),
        local("OMPI_COMM_WORLD_LOCAL_RANK", "1");
    CHECK((launch().ranks == 4 && launch().rank == 3 && launch().local == 1));
  }
  {
    const Variable size("PMI_SIZE", "4"), rank("PMI_RANK", "3"), local("MPI_LOCALRANKID", "1");
    CHECK((launch().ranks == 4 && launch().rank == 3 && launch().local == 1));
  }
  {
    const Variable size("SLURM_STEP_NUM_TASKS", "8"), rank("SLURM_PROCID", "5"), local("SLURM_LOCALID", "2");
    CHECK((launch().ranks == 8 && launch().rank == 5 && launch().local == 2));
  }
  const Variable job("SLURM_NTASKS", "8");
  CHECK(launch().ranks == 1);
}

TEST_CASE("launcher: threads for the processors that a rank may use; ranks that are not tied down share them") {
  const auto threads = [](std::size_t here, std::size_t usable, std::size_t of_machine,
                          std::size_t quota = std::numeric_limits<std::size_t>::max()) {
    return own_threads({here, 0, 0, here}, usable, of_machine, quota);
  };
  CHECK(threads(1, 8, 8) == 8);
  CHECK(threads(4, 8, 8) == 2);
  CHECK(threads(3, 8, 8) == 2);
  CHECK(threads(4, 2, 2) == 1);
  CHECK(threads(4, 1, 8) == 1);  // tied to one
  CHECK(threads(4, 2, 8) == 2);  // tied to two
  CHECK(threads(1, 8, 8, 3) == 3);
  CHECK(threads(1, 8, 8, 11) == 8);
  CHECK(threads(2, 8, 8, 7) == 3);  // the quota is that of both
  CHECK(threads(4, 2, 8, 5) == 1);  // tied to two, but their time is limited
  const Variable all("OMPI_COMM_WORLD_LOCAL_SIZE", "3");
  CHECK(launch().here == 3);
}

TEST_CASE("launcher: the ranks of a machine take its GPUs in turn") {
  CHECK(own_gpu("", 3, 0) == "3");  // the machine does not say how many it has
  CHECK(own_gpu("", 3, 4) == "3");
  CHECK(own_gpu("", 3, 2) == "1");
  CHECK(own_gpu("", 4, 2) == "0");
  for (const std::size_t count : {0, 8}) {
    CHECK(own_gpu("2,5", 0, count) == "2");
    CHECK(own_gpu("2,5", 1, count) == "5");
    CHECK(own_gpu("2,5", 2, count) == "2");
    CHECK(own_gpu("GPU-1f,GPU-2e", 1, count) == "GPU-2e");
  }
}

TEST_CASE("launcher: a rank sees its own GPU alone, and none if the user hides them all") {
  const auto shown = [](const char* given, const Launch& launch) {
    const Variable visible("CUDA_VISIBLE_DEVICES", given);
    take_own_gpu(launch);
    return std::string(std::getenv("CUDA_VISIBLE_DEVICES"));
  };
  CHECK(shown("2,5", {2, 1, 1}) == "5");
  CHECK(shown("2,5", {1, 0, 0}) == "2,5");  // a process without others
  CHECK(shown("", {2, 1, 1}).empty());
  const TemporaryFolder folder;
  const auto of_machine = [&](std::size_t rank) {
    unsetenv("CUDA_VISIBLE_DEVICES");
    take_own_gpu({6, rank, rank}, folder.path("gpus"));
    const std::string own = std::getenv("CUDA_VISIBLE_DEVICES");
    unsetenv("CUDA_VISIBLE_DEVICES");
    return own;
  };
  CHECK(of_machine(5) == "5");  // no driver, so no GPU: nothing to share
  for (const char* const gpu : {"0000:17:00.0", "0000:3d:00.0", "0000:63:00.0"})
    std::filesystem::create_directories(folder.path("gpus/") + gpu);
  CHECK(of_machine(2) == "2");
  CHECK(of_machine(3) == "0");
  CHECK(of_machine(5) == "2");
}

TEST_CASE("ranks: a fault that all know of ends all, once, and with one status") {
  for (const int status : {1, 2}) {
    std::vector<int> seen(3);
    const Texts errors = on_ranks(3, [&](Ranks& ranks) {
      try {
        fail_together(ranks, "rank 1 has another disk", status);
      } catch (const EndedWithOthers& end) {
        seen[ranks.rank()] = ranks.end_together() ? end.status : -1;
        throw;
      } catch (const UsageError&) {
        seen[ranks.rank()] = 2;
        throw;
      } catch (const Error&) {
        seen[ranks.rank()] = 1;
        throw;
      }
    });
    CHECK(errors == Texts{"rank 1 has another disk", "ended with others", "ended with others"});
    CHECK(seen == std::vector<int>(3, status));
  }
}

TEST_CASE("ranks: all need the same value; both are shown if one differs") {
  const auto errors_if = [](const Texts& values) {
    return on_ranks(3, [&](Ranks& ranks) { require_same(ranks, "--device", values[ranks.rank()]); });
  };
  CHECK(errors_if({"cpu", "cpu", "cpu"}) == Texts(3));
  CHECK(errors_if({"cpu", "cpu", "cuda"}) ==
        Texts{"rank 2 has another --device (cuda, not cpu) than rank 0; all ranks need the same",
              "ended with others", "ended with others"});
}
