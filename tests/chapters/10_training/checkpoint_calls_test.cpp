#include "10_training/run/checkpoint.hpp"

#include <atomic>
#include <string>
#include <thread>

#include "support/catch.hpp"
#include "support/disk.hpp"

using namespace gradus;
using namespace gradus::test;
using Calls = std::vector<std::string>;

namespace {

/// The calls of write_atomically, then the renamings of a save.
Calls calls_of_a_save() {
  const std::string next = "checkpoint-next.safetensors", now = "checkpoint.safetensors";
  return {"open " + next + ".tmp",
          "write " + next + ".tmp",
          "fsync " + next + ".tmp",
          "close " + next + ".tmp",
          "rename " + next + ".tmp " + next,
          "open .",
          "fsync .",
          "close .",
          "unlink " + next + ".tmp",
          "rename " + now + " checkpoint-before.safetensors",
          "fsync " + next,
          "rename " + next + " " + now,
          "open .",
          "fsync .",
          "close ."};
}

/// A run whose checkpoints are of the steps 1 and 2.
struct Run {
  Run() {
    layout.declare({"w", Kind::weight, {2, 3}});
    layout.finish();
    for (const std::uint32_t step : {1U, 2U}) save(step);
  }
  void save(std::uint32_t step) const {
    const std::vector<float> values(layout.size(), static_cast<float>(step));
    Snapshot<float> s{values, values, values, {}};
    s.state.step = step;
    run.save(layout, s, "recipe");
  }
  std::uint32_t step() const { return run.load<float>(layout, "recipe").state.step; }

  TemporaryFolder folder;
  RunFolder run{folder.path("run")};
  Layout layout;
};

}  // namespace

TEST_CASE("checkpoint: whole on the disk before it takes the name of the last one, and the folder after it") {
  const Run r;
  CHECK(disk_calls(r.run.path(), "", [&] { r.save(3); }) == calls_of_a_save());
  CHECK(r.step() == 3);
}

TEST_CASE("checkpoint: any call of a save that fails is an error, and a whole checkpoint is there") {
  const Calls calls = calls_of_a_save();
  const auto rename_of_last =
      std::find(calls.begin(), calls.end(), "rename checkpoint-next.safetensors checkpoint.safetensors");
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const Run r;
    INFO(i + 1 << ": " << calls[i]);
    std::string message;
    disk_calls(r.run.path(), fault_at("broken", i + 1), [&] { message = error_of([&] { r.save(3); }); });
    const bool read_only = calls[i] == "close .", nothing_there = calls[i].compare(0, 6, "unlink") == 0;
    const bool moves_away = i == 9;  // the new checkpoint still replaces the last one then
    if (read_only || nothing_there || moves_away) {
      CHECK(message == "no error");
    } else {
      CHECK_THAT(message, contains("Input/output error"));
    }
    const bool renamed = message == "no error" || i > static_cast<std::size_t>(rename_of_last - calls.begin());
    CHECK(r.step() == (renamed ? 3 : 2));
    r.save(4);  // and the run continues
    CHECK(r.step() == 4);
  }
}

TEST_CASE("checkpoint: a disk that fills up keeps the last checkpoint, and the message says so") {
  const Run r;
  const std::string kept = "; the checkpoint of step 2 is kept, so the same command continues from there";
  const std::string full = "cannot write " + r.run.path() + "/checkpoint-next.safetensors: No space left on device";
  std::string message;
  disk_calls(r.run.path(), "full 2", [&] { message = error_of([&] { r.save(3); }); });
  CHECK(message == full + kept);
  CHECK(r.step() == 2);
  for (const std::string name : {"", "-before"}) {
    std::filesystem::remove(r.run.path() + "/checkpoint" + name + ".safetensors");
  }
  disk_calls(r.run.path(), "full 2", [&] { message = error_of([&] { r.save(3); }); });
  CHECK(message == full);  // there is no checkpoint to continue from
}

TEST_CASE("checkpoint: whoever reads while a run saves finds a whole one, none older than the last") {
  const Run r;
  std::atomic<bool> done{false};
  std::thread saving([&] {
    for (std::uint32_t step = 3; step < 500; ++step) r.save(step);
    done = true;
  });
  std::string error;
  std::uint32_t last = 1;  // two files: while one is moved, the one before may be read
  bool in_order = true;
  while (!done) {
    try {
      const std::uint32_t step = r.run.head().state.step;
      in_order = in_order && step + 1 >= last;
      last = step;
    } catch (const Error& e) {
      error = e.what();
    }
  }
  saving.join();
  CHECK(error == "");
  CHECK(in_order);
}
