#pragma once
/// \file
/// Ranks as processes of this machine, each with a GPU of its own, as NCCL has them.

#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

#include "cuda_standin/pipes.hpp"
#include "cuda_standin/stand_in.hpp"
#include "gradus/ranks/ranks.hpp"
#include "gradus/util/error.hpp"

namespace gradus::test {

class ProcessRank final : public Ranks {
 public:
  ProcessRank(const std::string& folder, std::size_t rank, std::size_t size)
      : pipes_(folder, rank, size), rank_(rank), size_(size) {}
  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return size_; }
  void abort(int status) override { _exit(status); }

 private:
  void transfer(const std::vector<Outgoing>& out, const std::vector<Incoming>& in) override {
    pipes_.exchange(out, in);
  }

  standin::Pipes pipes_;
  std::size_t rank_, size_;
};

/// What each of `size` new processes returns from `work`, or "error: " and its message. Each finds a GPU of its own.
inline std::vector<std::string> on_processes(std::size_t size, const std::function<std::string(Ranks&)>& work) {
  const std::string folder = standin::new_folder();
  std::vector<int> results;
  for (std::size_t r = 0; r < size; ++r) {
    int ends[2];
    require(pipe(ends) == 0, "no pipe can be made");
    if (fork() == 0) {
      std::string result;
      try {
        standin::machine().uuid = "the GPU of " + std::to_string(r);
        ProcessRank rank(folder, r, size);
        result = work(rank);
      } catch (const std::exception& error) {
        result = std::string("error: ") + error.what();
      }
      for (std::size_t sent = 0; sent < result.size();) {
        const ssize_t n = ::write(ends[1], result.data() + sent, result.size() - sent);
        if (n <= 0) break;
        sent += static_cast<std::size_t>(n);
      }
      _exit(0);
    }
    close(ends[1]);
    results.push_back(ends[0]);
  }
  std::vector<std::string> all;
  for (const int file : results) {
    std::string& text = all.emplace_back();
    char some[4096];
    for (ssize_t n = 0; (n = ::read(file, some, sizeof some)) > 0;) text.append(some, static_cast<std::size_t>(n));
    close(file);
  }
  for (std::size_t r = 0; r < size; ++r) wait(nullptr);
  return all;
}

}  // namespace gradus::test
