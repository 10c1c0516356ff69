#pragma once
/// \file
/// A product as cuBLAS defines it, on matrices that are stored by columns, and its rules: every argument counts as it was given.

#include <cublas_v2.h>

#include <functional>
#include <string>
#include <vector>

#include "cuda_standin/accesses.hpp"

namespace gradus::standin {

/// A matrix of device memory, by columns, and the first of a batch of them.
struct Matrix {
  void* data = nullptr;
  std::int64_t rows = 0, columns = 0, ld = 0;
  long long distance = 0;  ///< from one matrix of a batch to the next, in elements
  cublasOperation_t form = CUBLAS_OP_N;
};

/// How many bits of a factor it reads: 53 of double, 24, 11 or 8 of float.
enum class Kind { real64, real32, tf32, bf16 };

/// d = alpha a b + beta c, for each of `count`; a, b in their forms. Then the epilogue on each column of d.
struct Product {
  std::string what;
  Kind kind = Kind::real32;
  double alpha = 1, beta = 0;
  Matrix a, b, c, d;
  int count = 1;
  const float* bias = nullptr;  ///< for each row of d, or null
  std::function<double(double)> activation;
};

/// A call of cuBLAS that is refused.
struct BlasRefused {
  cublasStatus_t status;
  std::string why;
};
[[noreturn]] void refuse_product(const std::string& why);  ///< with CUBLAS_STATUS_INVALID_VALUE

/// Throws BlasRefused for what cuBLAS checks: shapes that do not fit, a leading dimension that is too small, a missing matrix.
void check(const Product& p);

/// The work, with all the memory that it touches and the work memory that it gets. When it runs, Fault if some of it is not in one
/// piece of device memory.
Task task_of(const Product& p, void* workspace, std::size_t workspace_bytes);

}  // namespace gradus::standin
