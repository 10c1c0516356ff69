#pragma once
/// \file
/// Limits how many requests are computed at the same time; some more may wait, and others are refused.

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace gradus {

class ComputeTurns {
 public:
  ComputeTurns(std::size_t at_once, std::size_t most_waiting) : free_(at_once), places_(most_waiting) {}

  /// Takes a turn; it ends when the returned pointer is released. Waits until a turn is free, or the client `is_gone`. Returns null
  /// if too many requests wait already, or the client is gone.
  std::shared_ptr<void> take(const std::function<bool()>& is_gone = [] { return false; }) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (free_ == 0) {
      if (places_ == 0) return nullptr;
      --places_;
      while (!wake_.wait_for(lock, std::chrono::milliseconds(100), [&] { return free_ > 0; }) && !is_gone()) {
      }
      ++places_;
    }
    if (free_ == 0 || is_gone()) {
      if (free_ > 0) wake_.notify_one();  // this one was woken in vain
      return nullptr;
    }
    --free_;
    return {this, [](ComputeTurns* turns) { turns->give_back(); }};
  }

  /// How many more requests may be computed, and how many more may wait.
  std::pair<std::size_t, std::size_t> free() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return {free_, places_};
  }

 private:
  void give_back() {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++free_;
    wake_.notify_one();
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::size_t free_, places_;
};

}  // namespace gradus
