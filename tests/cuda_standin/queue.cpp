#include "cuda_standin/queue.hpp"

#include <iterator>
#include <utility>

namespace gradus::standin {

Id Queue::add(TaskPtr task, std::vector<Id> after) {
  waiting_[next_] = {std::move(task), std::move(after)};
  return next_++;
}

void Queue::set_order(Order order, unsigned seed) {
  order_ = order;
  random_.seed(seed);
}

/// An order that the streams and events allow: a program that they order well gives the same results in each.
Id Queue::take(std::set<Id>& ready) {
  auto at = ready.begin();
  if (order_ == Order::latest_first) at = std::prev(ready.end());
  if (order_ == Order::shuffled) std::advance(at, random_() % ready.size());
  const Id id = *at;
  ready.erase(at);
  return id;
}

Queue::Rest Queue::rest_of(std::vector<Id> until) const {
  Rest rest;
  while (!until.empty()) {
    const Id id = until.back();
    until.pop_back();
    const auto at = waiting_.find(id);
    if (at == waiting_.end() || rest.missing.count(id) != 0) continue;
    std::size_t& missing = rest.missing[id] = 0;
    for (const Id before : at->second.after) {
      if (!has(before)) continue;
      ++missing;
      rest.followers[before].push_back(id);
      until.push_back(before);
    }
    if (missing == 0) rest.ready.insert(id);
  }
  return rest;
}

void Queue::run(const std::vector<Id>& until) {
  Rest rest = rest_of(until);
  while (!rest.ready.empty()) {
    const Id id = take(rest.ready);
    const TaskPtr task = waiting_.at(id).task;
    if (task->run) task->run();
    waiting_.erase(id);
    for (const Id follower : rest.followers[id]) {
      if (--rest.missing[follower] == 0) rest.ready.insert(follower);
    }
  }
}

void Queue::run_all() {
  std::vector<Id> all;
  for (const auto& [id, work] : waiting_) all.push_back(id);
  run(all);
}

}  // namespace gradus::standin
