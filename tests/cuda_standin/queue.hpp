#pragma once
/// \file
/// Work that was asked for and has not run: it runs when the host waits for it, and not before. So a host that reads a result
/// without a wait finds the old one, in every run.

#include <map>
#include <random>
#include <set>
#include <vector>

#include "cuda_standin/accesses.hpp"
#include "cuda_standin/stand_in.hpp"

namespace gradus::standin {

class Queue {
 public:
  Id add(TaskPtr task, std::vector<Id> after);
  void run(const std::vector<Id>& until);  ///< and all that they come after; Fault if one fails
  void run_all();

  bool has(Id id) const { return waiting_.count(id) != 0; }
  std::size_t size() const { return waiting_.size(); }
  void clear() { waiting_.clear(); }
  void set_order(Order order, unsigned seed);

 private:
  struct Waiting {
    TaskPtr task;
    std::vector<Id> after;
  };
  /// The rest of a run: how many others each piece of work still waits for, and which others wait for it.
  struct Rest {
    std::map<Id, std::size_t> missing;
    std::map<Id, std::vector<Id>> followers;
    std::set<Id> ready;
  };
  Rest rest_of(std::vector<Id> until) const;
  Id take(std::set<Id>& ready);

  std::map<Id, Waiting> waiting_;
  Id next_ = 1;
  Order order_ = Order::as_asked;
  std::mt19937 random_;
};

}  // namespace gradus::standin
