#pragma once
/// \file
/// Ranks as threads of one process: the exchanges of ranks are judged without MPI, and under sanitizers.

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gradus/ranks/ranks.hpp"
#include "gradus/util/error.hpp"

namespace gradus::test {

/// The messages on their way. A rank that waits for long, or for another size, throws: a mistake ends as a failed test.
class Mail {
 public:
  void put(std::size_t from, std::size_t to, std::string message) {
    const std::lock_guard lock(mutex_);
    boxes_[{from, to}].push_back(std::move(message));
    arrived_.notify_all();
  }

  void take(std::size_t from, std::size_t to, void* data, std::size_t bytes) {
    std::unique_lock lock(mutex_);
    std::deque<std::string>& box = boxes_[{from, to}];
    if (!arrived_.wait_for(lock, std::chrono::seconds(20), [&] { return ended_ || !box.empty(); }) || box.empty())
      fail("rank " + std::to_string(to) + " waits in vain for rank " + std::to_string(from));
    if (box.front().size() != bytes)
      fail("rank " + std::to_string(to) + " expects " + std::to_string(bytes) + " bytes, and gets " +
           std::to_string(box.front().size()));
    std::memcpy(data, box.front().data(), bytes);
    box.pop_front();
  }

  void end() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    arrived_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<std::pair<std::size_t, std::size_t>, std::deque<std::string>> boxes_;
  bool ended_ = false;
};

class ThreadRank final : public Ranks {
 public:
  ThreadRank(Mail& mail, std::size_t rank, std::size_t size) : mail_(mail), rank_(rank), size_(size) {}
  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return size_; }
  void abort(int) override { mail_.end(); }

 private:
  void transfer(const std::vector<Outgoing>& out, const std::vector<Incoming>& in) override {
    for (const Outgoing& o : out) {
      if (o.bytes != 0) mail_.put(rank_, o.to, {static_cast<const char*>(o.data), o.bytes});
    }
    for (const Incoming& i : in) {
      if (i.bytes != 0) mail_.take(i.from, rank_, i.data, i.bytes);
    }
  }

  Mail& mail_;
  std::size_t rank_, size_;
};

/// Calls work(ranks) on `size` threads, one for each rank. Returns the message of each rank's error, "" for none; a rank
/// that ended because of another one's error has "ended with others".
inline std::vector<std::string> on_ranks(std::size_t size, const std::function<void(Ranks&)>& work) {
  Mail mail;
  std::vector<std::string> errors(size);
  std::vector<std::thread> threads;
  for (std::size_t r = 0; r < size; ++r) {
    threads.emplace_back([&, r] {
      ThreadRank rank(mail, r, size);
      try {
        work(rank);
      } catch (const EndedWithOthers&) {
        errors[r] = "ended with others";
      } catch (const std::exception& error) {
        errors[r] = error.what();
        if (!rank.end_together()) rank.abort(1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return errors;
}

}  // namespace gradus::test
