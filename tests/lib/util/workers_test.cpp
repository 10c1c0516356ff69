#include "gradus/util/workers.hpp"

#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>

#include "gradus/util/error.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("workers: every piece is done once, with any number of threads") {
  for (const std::size_t threads : {1, 2, 3, 8}) {
    Workers workers(threads);
    CHECK(workers.size() == threads);
    for (const std::size_t pieces : {0, 1, 7, 100}) {
      std::vector<std::atomic<int>> done(pieces);
      workers.each(pieces, [&](std::size_t i) { ++done[i]; });
      for (std::size_t i = 0; i < pieces; ++i) CHECK(done[i] == 1);
    }
  }
}

TEST_CASE("workers: two threads share the pieces, and each waits for the slower one") {
  Workers workers(2);
  std::mutex mutex;
  std::condition_variable both;
  std::set<std::thread::id> seen;
  const auto caller = std::this_thread::get_id();
  bool finished = false;  // not atomic: the return of `each` orders the write before the read
  workers.each(2, [&](std::size_t) {
    {
      std::unique_lock lock(mutex);
      seen.insert(std::this_thread::get_id());
      both.notify_all();
      both.wait(lock, [&] { return seen.size() == 2; });  // neither piece ends before the other has started
    }
    if (std::this_thread::get_id() == caller) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    finished = true;
  });
  CHECK(finished);
}

TEST_CASE("workers: an exception arrives after the other pieces have ended, and the threads live on") {
  for (const std::size_t threads : {1, 2, 3, 8}) {
    Workers workers(threads);
    std::atomic<int> finished{0};
    const auto work = [&](std::size_t i) {
      if (i == 3) fail("piece three");
      ++finished;
    };
    CHECK_THROWS_WITH(workers.each(10, work), contains("piece three"));
    CHECK(finished == 9);
    CHECK_NOTHROW(workers.each(3, work));
    CHECK(finished == 12);
  }
}

TEST_CASE("workers: of several exceptions the first one arrives") {
  Workers alone(1);
  const auto by_number = [](std::size_t i) {
    if (i % 3 == 2) fail("piece " + std::to_string(i));
  };
  CHECK_THROWS_WITH(alone.each(10, by_number), "piece 2");

  Workers two(2);
  for (int repeat = 0; repeat < 20; ++repeat) {
    std::mutex mutex;
    std::condition_variable changed;
    bool third_began = false;
    CHECK_THROWS_WITH(two.each(3,
                               [&](std::size_t i) {
                                 std::unique_lock lock(mutex);
                                 if (i == 1) fail("thrown first");
                                 if (i == 2) third_began = true, changed.notify_all();
                                 changed.wait(lock, [&] { return third_began; });
                                 if (i == 0) fail("thrown last");  // the thread of piece 1 has taken piece 2
                               }),
                      "thrown first");
  }
}

TEST_CASE("workers: an exception waits for a piece that is still at work") {
  Workers workers(2);
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t began = 0;
  const auto caller = std::this_thread::get_id();
  bool finished = false;
  CHECK_THROWS_AS(workers.each(2,
                               [&](std::size_t) {
                                 {
                                   std::unique_lock lock(mutex);
                                   ++began;
                                   changed.notify_all();
                                   changed.wait(lock, [&] { return began == 2; });
                                 }
                                 if (std::this_thread::get_id() == caller) fail("at once");
                                 std::this_thread::sleep_for(std::chrono::milliseconds(30));
                                 finished = true;
                               }),
                  Error);
  CHECK(finished);
}

TEST_CASE("workers: an exception ends one call and does not affect the next") {
  for (const std::size_t threads : {1, 3}) {
    Workers workers(threads);
    for (const std::string message : {"one", "two", "three"}) {
      CHECK_THROWS_WITH(workers.each(4, [&](std::size_t) { fail(message); }), message);
      CHECK_NOTHROW(workers.each(4, [](std::size_t) {}));
    }
    CHECK_THROWS_AS(workers.each(2, [](std::size_t) { throw 7; }), int);  // exceptions of every type are passed on
  }
}

namespace {

std::size_t threads_now() {
  std::size_t n = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) n += entry.is_directory();
  return n;
}

/// Whether this process reaches that many threads: the system lists a thread for a moment after its end.
bool comes_to(std::size_t threads) {
  for (int i = 0; i < 2000 && threads_now() != threads; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return threads_now() == threads;
}

}  // namespace

TEST_CASE("workers: n threads are the caller and n - 1 others, which end with the object") {
  const std::size_t before = threads_now();
  for (const std::size_t n : {1, 2, 5}) {
    Workers workers(n);
    workers.each(20, [](std::size_t) {});
    CHECK(comes_to(before + n - 1));
  }
  CHECK(comes_to(before));
}

TEST_CASE("workers: where the system grants fewer threads, those do all the work", "[memory]") {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit old_limit;
  ::getrlimit(RLIMIT_AS, &old_limit);
  const rlimit narrow{pages * 4096 + (rlim_t{64} << 20), old_limit.rlim_max};  // a thread's stack takes 8 MiB
  ::setrlimit(RLIMIT_AS, &narrow);
  {
    Workers workers(100);
    ::setrlimit(RLIMIT_AS, &old_limit);
    CHECK(workers.size() < 100);
    std::atomic<int> done{0};
    workers.each(200, [&](std::size_t) { ++done; });
    CHECK(done == 200);
  }
}
