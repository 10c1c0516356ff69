#pragma once
/// \file
/// A few threads that take numbered pieces of work. No result depends on which thread takes which piece.

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace gradus {

class Workers {
 public:
  /// `threads` in all, including the calling one; 1 starts none. Fewer if the system allows no more.
  explicit Workers(std::size_t threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  std::size_t size() const { return threads_.size() + 1; }

  /// Calls work(0) .. work(n - 1), each once, and returns when all are done. Rethrows the first exception of a
  /// piece after the other pieces have ended.
  void each(std::size_t n, const std::function<void(std::size_t)>& work);

 private:
  void run();
  void take_pieces(std::unique_lock<std::mutex>& lock);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::size_t next_ = 0, count_ = 0, running_ = 0;
  std::exception_ptr error_;
  bool stop_ = false;
};

}  // namespace gradus
