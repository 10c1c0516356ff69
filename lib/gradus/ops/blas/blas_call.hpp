#pragma once
/// \file
/// The conditions under which OpenBLAS may compute a product.

#include <mutex>

namespace gradus {

/// A scope in which the calling thread may call OpenBLAS.
///
/// requires  Room for OpenBLAS's buffers, if the addresses of this process are limited; else Error. (OpenBLAS
///           itself would ask for them again for ever, its issue 5289.)
/// ensures   OpenBLAS computes the product on the calling thread: our own threads take micro-batches, and the bits
///           of a result must not depend on the number of threads. After the last scope OpenBLAS has its former
///           number of threads again, because a program that uses this library may use OpenBLAS too. If OpenBLAS
///           was built without threads, only one scope exists at a time: in that build of Debian and Ubuntu two
///           threads get the same buffer, and their products are wrong.
class BlasCall {
 public:
  BlasCall();
  ~BlasCall();
  BlasCall(const BlasCall&) = delete;
  BlasCall& operator=(const BlasCall&) = delete;

 private:
  std::unique_lock<std::mutex> alone_;  ///< held if only one scope may exist at a time
};

}  // namespace gradus
