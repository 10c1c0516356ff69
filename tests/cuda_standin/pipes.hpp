#pragma once
/// \file
/// Messages between processes of one machine: for the stand-in's NCCL, and for the ranks of its tests.

#include <string>
#include <vector>

#include "gradus/ranks/ranks.hpp"

namespace gradus::standin {

/// A new empty folder for the pipes of some processes.
std::string new_folder();

class Pipes {
 public:
  /// All `size` processes name the same folder. Error if a pipe cannot be made.
  Pipes(std::string folder, std::size_t rank, std::size_t size);
  ~Pipes();
  Pipes(const Pipes&) = delete;
  Pipes& operator=(const Pipes&) = delete;

  /// As Ranks::exchange. Error if a message does not come within 20 seconds, or has another size.
  void exchange(const std::vector<Outgoing>& out, const std::vector<Incoming>& in);

 private:
  std::string name(std::size_t from, std::size_t to) const;

  std::string folder_;
  std::size_t rank_;
  std::vector<int> to_, from_;  // files, by rank
};

}  // namespace gradus::standin
