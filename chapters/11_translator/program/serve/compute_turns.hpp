#pragma once
/// \file
/// Who may compute now: a few requests at a time, some more wait, and the rest is sent away.

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

namespace gradus {

class ComputeTurns {
 public:
  ComputeTurns(std::size_t at_once, std::size_t most_waiting) : free_(at_once), places_(most_waiting) {}

  /// A turn, which ends with what is returned. Waits while as many as may have one; null where too many wait already.
  std::shared_ptr<void> take() {
    std::unique_lock<std::mutex> lock(mutex_);
    if (free_ == 0) {
      if (places_ == 0) return nullptr;
      --places_;
      wake_.wait(lock, [&] { return free_ > 0; });
      ++places_;
    }
    --free_;
    return {this, [](ComputeTurns* turns) { turns->give_back(); }};
  }

  /// How many more may compute, and how many more may wait.
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
