// The one file that calls MPI. It is compiled to a module of its own, which the program loads if a launcher has started it.

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "gradus/ranks/ranks.hpp"

namespace gradus {
namespace {

/// MPI counts in int, so a large piece travels as several messages.
constexpr std::size_t largest_message = std::size_t{1} << 30;

/// Calls `message` for each part of a piece: its address and its size.
template <class Byte, class F>
void for_messages(Byte* data, std::size_t bytes, const F& message) {
  for (std::size_t at = 0; at < bytes; at += largest_message)
    message(data + at, static_cast<int>(std::min(largest_message, bytes - at)));
}

class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    int provided = 0, rank = 0, size = 1;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);  // only the main thread exchanges
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    rank_ = static_cast<std::size_t>(rank), size_ = static_cast<std::size_t>(size);
  }
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;
  ~MpiRanks() override {
    requests_.resize(1);
    MPI_Ibarrier(MPI_COMM_WORLD,
                 requests_.data());  // waits for all ranks: mpirun may kill the others when one ends
    wait();
    MPI_Finalize();
  }

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return size_; }
  void abort(int status) override { MPI_Abort(MPI_COMM_WORLD, status); }

 private:
  void transfer(const std::vector<Outgoing>& out, const std::vector<Incoming>& in) override {
    requests_.clear();
    for (const Incoming& i : in) {
      for_messages(static_cast<char*>(i.data), i.bytes, [&](char* data, int bytes) {
        MPI_Irecv(data, bytes, MPI_BYTE, static_cast<int>(i.from), 0, MPI_COMM_WORLD, &requests_.emplace_back());
      });
    }
    for (const Outgoing& o : out) {
      for_messages(static_cast<const char*>(o.data), o.bytes, [&](const char* data, int bytes) {
        MPI_Isend(data, bytes, MPI_BYTE, static_cast<int>(o.to), 0, MPI_COMM_WORLD, &requests_.emplace_back());
      });
    }
    wait();
  }

  /// Waits for all messages. MPI_Waitall would keep a processor busy until the slowest rank has sent its part. So this
  /// function tests again and again, and after two milliseconds it sleeps between the tests.
  void wait() {
    using Clock = std::chrono::steady_clock;
    const auto began = Clock::now();
    for (int done = 0;;) {
      MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE);
      if (done != 0) return;
      if (Clock::now() - began < std::chrono::milliseconds(2)) {
        std::this_thread::yield();
      } else {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      }
    }
  }

  std::size_t rank_ = 0, size_ = 1;
  std::vector<MPI_Request> requests_;
};

}  // namespace
}  // namespace gradus

extern "C" gradus::Ranks* gradus_mpi_ranks();
gradus::Ranks* gradus_mpi_ranks() { return new gradus::MpiRanks; }
