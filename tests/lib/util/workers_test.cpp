#include "gradus/util/workers.hpp"

#include <sys/resource.h>

#include <atomic>
#include <chrono>
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
  bool finished = false;  // no atomic: that `each` has returned is what orders the write before the read
  workers.each(2, [&](std::size_t) {
    {
      std::unique_lock lock(mutex);
      seen.insert(std::this_thread::get_id());
      both.notify_all();
      both.wait(lock, [&] { return seen.size() == 2; });  // neither piece ends before the other has begun
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
