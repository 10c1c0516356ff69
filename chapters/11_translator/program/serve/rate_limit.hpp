#pragma once
/// \file
/// How often a client may ask: a token bucket for each. It holds a minute's requests, a request takes one out, and they
/// come back evenly over a minute.

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>

namespace gradus {

/// Whose requests are counted together: an IPv4 address, or the first 64 bits of an IPv6 address, because that many are
/// given to one customer.
std::string client_of(const std::string& address);

class RateLimit {
 public:
  using Clock = std::chrono::steady_clock;

  /// Remembers at most `most_clients`; while all of them are busy, nobody else may ask.
  explicit RateLimit(std::size_t per_minute, std::size_t most_clients = 10'000)
      : per_minute_(static_cast<double>(per_minute)), most_clients_(most_clients) {}

  /// 0: the request of `client` may pass, and is counted. Else the seconds after which it may, rounded up.
  std::size_t wait_of(const std::string& client, Clock::time_point now = Clock::now());

 private:
  struct Bucket {
    double tokens;
    Clock::time_point filled;
  };
  void fill(Bucket& bucket, Clock::time_point now) const;
  void forget_the_idle(Clock::time_point now);

  double per_minute_;
  std::size_t most_clients_;
  std::mutex mutex_;
  std::map<std::string, Bucket> buckets_;
};

}  // namespace gradus
