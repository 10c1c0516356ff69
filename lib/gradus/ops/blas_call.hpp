#pragma once
/// \file
/// What must hold while OpenBLAS computes a product.

#include <mutex>

namespace gradus {

/// A scope in which the calling thread may call OpenBLAS.
///
/// ensures:  OpenBLAS computes the product on the calling thread: our own threads take micro-batches, and the bits of a
///           result must not depend on how many threads there are. After the last scope OpenBLAS has the number of
///           threads that it had before the first one, because a program around this library may use OpenBLAS too.
///           Where OpenBLAS was built without threads, there is one scope at a time: Debian's and Ubuntu's build of
///           that kind hands one buffer to two threads, and their products are wrong then.
/// throws:   Error where the addresses of this process are limited and there is no room for OpenBLAS' buffers. OpenBLAS
///           itself would ask for them again for ever (its issue 5289).
class BlasCall {
 public:
  BlasCall();
  ~BlasCall();
  BlasCall(const BlasCall&) = delete;
  BlasCall& operator=(const BlasCall&) = delete;

 private:
  std::unique_lock<std::mutex> alone_;  ///< held where there is one scope at a time
};

}  // namespace gradus
