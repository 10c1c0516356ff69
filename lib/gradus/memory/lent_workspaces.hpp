#pragma once
/// \file
/// Workspaces that are lent to one piece of work after another. A piece needs its caches and intermediate results only
/// until it ends, so there is as much memory as pieces run at once; and memory that was used before has its pages.

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "gradus/memory/workspace.hpp"

namespace gradus {

/// Threads may borrow at the same time. On a GPU it lends nothing: a recording holds the addresses of its own device's
/// workspaces.
template <class Dev>
class LentWorkspaces {
 public:
  using Memory = Workspace<typename Dev::Real, typename Dev::Space>;

  /// `count` sets of workspaces; more are made if more threads borrow at once.
  explicit LentWorkspaces(std::size_t count = 0) {
    while (Dev::side_by_side && sets_.size() < count) add_set();
  }

  /// While nothing is lent: each set gets the size of the largest one. So it does not matter which set a piece gets.
  void equalise() {
    for (std::size_t k = 0; k < size_of_set; ++k) {
      std::size_t most = 0;
      for (const auto& set : sets_) most = std::max(most, (*set)[k].high_water());
      for (const auto& set : sets_) (*set)[k].reserve(most);
    }
  }

  /// Calls work() while `dev`, and `storage` if it is not null, have lent memory in place of their own.
  template <class F>
  void lend(Dev& dev, Memory* storage, const F& work) {
    if constexpr (Dev::side_by_side) {
      const Loan loan(*this, dev, storage);
      work();
    } else {
      work();
    }
  }

  /// How often memory was allocated from the system.
  std::size_t allocations() const {
    std::size_t sum = 0;
    for (const auto& set : sets_) {
      for (const Memory& memory : *set) sum += memory.allocations();
    }
    return sum;
  }

 private:
  static constexpr std::size_t size_of_set = 3;
  using Set = std::array<Memory, size_of_set>;  // kept, scratch, storage

  class Loan {
   public:
    Loan(LentWorkspaces& all, Dev& dev, Memory* storage)
        : all_(all), dev_(dev), storage_(storage), set_(all.take()) {
      swap();
    }
    ~Loan() {
      swap();
      all_.give_back(set_);
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;

   private:
    void swap() {
      (*set_)[0].swap(dev_.kept);
      (*set_)[1].swap(dev_.scratch);
      if (storage_ != nullptr) (*set_)[2].swap(*storage_);
    }

    LentWorkspaces& all_;
    Dev& dev_;
    Memory* storage_;
    Set* set_;
  };

  void add_set() {
    sets_.push_back(std::make_unique<Set>());
    free_.reserve(sets_.size());  // so that give_back never allocates
    free_.push_back(sets_.back().get());
  }

  Set* take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (free_.empty()) add_set();
    Set* const set = free_.back();
    free_.pop_back();
    return set;
  }

  void give_back(Set* set) {
    const std::lock_guard<std::mutex> lock(mutex_);
    free_.push_back(set);
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Set>> sets_;
  std::vector<Set*> free_;
};

}  // namespace gradus
