#include "gradus/util/workers.hpp"

#include <system_error>

namespace gradus {

Workers::Workers(std::size_t threads) {
  threads_.reserve(threads);
  try {
    while (threads_.size() + 1 < threads) threads_.emplace_back([this] { run(); });
  } catch (const std::system_error&) {  // fewer threads are enough: no result depends on their number
  }
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& t : threads_) t.join();
}

void Workers::each(std::size_t n, const std::function<void(std::size_t)>& work) {
  std::unique_lock lock(mutex_);
  work_ = &work;
  next_ = 0;
  count_ = n;
  error_ = nullptr;
  wake_.notify_all();
  take_pieces(lock);
  done_.wait(lock, [&] { return running_ == 0; });
  work_ = nullptr;
  if (error_) std::rethrow_exception(error_);
}

void Workers::run() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    take_pieces(lock);
    wake_.wait(lock, [&] { return stop_ || (work_ != nullptr && next_ < count_); });
  }
}

/// Takes pieces until none is left. Holds the lock between pieces and releases it during each.
void Workers::take_pieces(std::unique_lock<std::mutex>& lock) {
  while (work_ != nullptr && next_ < count_) {
    const std::size_t piece = next_++;
    const auto* const work = work_;
    ++running_;
    lock.unlock();
    std::exception_ptr error;
    try {
      (*work)(piece);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (error && !error_) error_ = error;
    --running_;
  }
  if (running_ == 0) done_.notify_all();
}

}  // namespace gradus
