#pragma once
/// \file
/// Repeated measurements of the same work.

#include <string>
#include <vector>

namespace gradus {

/// The middle, the smallest and the largest of several values.
struct Spread {
  double median = 0, least = 0, most = 0;
};
Spread spread(std::vector<double> values);

/// The time of each repetition: on the clock, and of the processor, all threads together.
struct Samples {
  std::vector<double> seconds, processor_seconds;

  Spread time() const { return spread(seconds); }
  /// amount / time: the fastest repetition has the largest rate.
  Spread rate(double amount) const;
  double total() const;
  double processor_total() const;
};

/// Now, in seconds: on the clock, and of this process.
double clock_seconds();
double processor_seconds();

/// Runs `work` once. The time is added only if `counts`.
template <class Work>
void measure(Samples& samples, bool counts, const Work& work) {
  const double start = clock_seconds(), processor_start = processor_seconds();
  work();
  if (!counts) return;
  samples.seconds.push_back(clock_seconds() - start);
  samples.processor_seconds.push_back(processor_seconds() - processor_start);
}

}  // namespace gradus
