#include "cuda_standin/accesses.hpp"

#include <algorithm>
#include <utility>

#include "cuda_standin/errors.hpp"

namespace gradus::standin {
namespace {

using Address = std::int64_t;
Address address(const void* at) { return static_cast<Address>(reinterpret_cast<std::uintptr_t>(at)); }
Address size(std::size_t n) { return static_cast<Address>(n); }

/// Whether one of the rows of `a` has a byte in begin .. end - 1.
bool reaches(const Access& a, Address begin, Address end) {
  if (a.rows == 1 || a.stride == 0) return address(a.begin) < end && address(a.begin) + size(a.bytes) > begin;
  // the first row that ends behind `begin`
  const Address gap = begin - address(a.begin) - size(a.bytes);
  const Address row = gap < 0 ? 0 : gap / size(a.stride) + 1;
  return row < size(a.rows) && address(a.begin) + row * size(a.stride) < end;
}

void check(const Task& earlier, const Task& later) {
  for (const Access& a : earlier.accesses) {
    for (const Access& b : later.accesses) {
      if ((a.writes || b.writes) && overlap(a, b))
        throw Fault{cudaErrorUnknown,
                    "nothing orders two streams that use the same memory: " + std::string(a.what) + " of " +
                        earlier.what + ", and " + b.what + " of " + later.what};
    }
  }
}

}  // namespace

bool overlap(const Access& a, const Access& b) {
  if (a.bytes == 0 || b.bytes == 0) return false;
  const bool fewer = a.rows <= b.rows;
  const Access &few = fewer ? a : b, &many = fewer ? b : a;
  for (std::size_t i = 0; i < few.rows; ++i) {
    const Address begin = address(few.begin) + size(i * few.stride);
    if (reaches(many, begin, begin + size(few.bytes))) return true;
  }
  return false;
}

void Line::join(const Line& other) {
  tails.insert(tails.end(), other.tails.begin(), other.tails.end());
  std::sort(tails.begin(), tails.end());
  tails.erase(std::unique(tails.begin(), tails.end()), tails.end());
  for (const auto& [stream, number] : other.before) before[stream] = std::max(before[stream], number);
}

void Watch::add(const void* stream, const Line& line, const TaskPtr& task) {
  for (const auto& [other, seen] : streams_) {
    if (other == stream) continue;
    const auto known = line.before.find(other);
    const std::uint64_t number = known == line.before.end() ? 0 : known->second;
    for (auto at = seen.rbegin(); at != seen.rend() && at->number > number; ++at) check(*at->task, *task);
  }
  streams_[stream].push_back({line.before.at(stream), line.tails.back(), task});
}

void Watch::keep(const std::function<bool(Id)>& is_open) {
  for (auto& [stream, seen] : streams_) {
    seen.erase(std::remove_if(seen.begin(), seen.end(), [&](const Seen& s) { return !is_open(s.id); }), seen.end());
  }
}

}  // namespace gradus::standin
