#pragma once
/// \file
/// Limits how often a client may ask, with one token bucket for each client. A bucket holds one minute's requests.
/// A request takes a token; tokens return evenly over a minute.

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>

namespace gradus {

/// The key under which requests are counted together: an IPv4 address, or the first 64 bits of an IPv6 address,
/// because one customer gets that many.
std::string client_of(const std::string& address);

class RateLimit {
 public:
  using Clock = std::chrono::steady_clock;

  /// Remembers at most `most_clients`; while all of them are active, no other client may ask.
  explicit RateLimit(std::size_t per_minute, std::size_t most_clients = 10'000)
      : per_minute_(static_cast<double>(per_minute)), most_clients_(most_clients) {}

  /// 0: the request of `client` is allowed, and is counted. Else the number of seconds until it will be allowed,
  /// rounded up.
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
