#include "app/serve/rate_limit.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace gradus {

std::string client_of(const std::string& address) {
  in6_addr bytes{};
  if (inet_pton(AF_INET6, address.c_str(), &bytes) != 1 || IN6_IS_ADDR_V4MAPPED(&bytes)) return address;
  return {reinterpret_cast<const char*>(&bytes), 8};
}

void RateLimit::fill(Bucket& bucket, Clock::time_point now) const {
  const std::chrono::duration<double, std::ratio<60>> minutes = now - bucket.filled;
  bucket.tokens = std::min(per_minute_, bucket.tokens + minutes.count() * per_minute_);
  bucket.filled = now;
}

void RateLimit::forget_the_idle(Clock::time_point now) {
  for (auto at = buckets_.begin(); at != buckets_.end();) {
    fill(at->second, now);
    at = at->second.tokens >= per_minute_ ? buckets_.erase(at) : std::next(at);
  }
}

std::size_t RateLimit::wait_of(const std::string& client, Clock::time_point now) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (buckets_.size() >= most_clients_ && buckets_.count(client) == 0) forget_the_idle(now);
  if (buckets_.size() >= most_clients_ && buckets_.count(client) == 0) return 60;
  Bucket& bucket = buckets_.try_emplace(client, Bucket{per_minute_, now}).first->second;
  fill(bucket, now);
  const double missing = (1 - bucket.tokens) * 60 / per_minute_;  // seconds
  if (missing > 1e-9) return static_cast<std::size_t>(std::ceil(missing - 1e-9));
  bucket.tokens -= 1;
  return 0;
}

}  // namespace gradus
