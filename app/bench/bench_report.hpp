#pragma once
/// \file
/// The figures of `gradus bench` as text of at most 80 columns, and as JSON.

#include <string>

#include "app/bench/bench.hpp"

namespace gradus {

/// The conditions of the measurement, beside those in the request.
struct BenchConditions {
  std::string model, text;  ///< names for people
  std::string device;       ///< cpu or cuda
  std::string processor, blas_core;
  std::size_t source_words = 0;
};

std::string bench_text(const BenchRequest& request, const BenchConditions& conditions, const BenchFigures& figures);
std::string bench_json(const BenchRequest& request, const BenchConditions& conditions, const BenchFigures& figures);

}  // namespace gradus
