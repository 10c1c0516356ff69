#pragma once
/// \file
/// Digests, to check that a file is the expected one. Nettle computes them.

#include <memory>
#include <string>
#include <string_view>

namespace gradus {

/// computes  the SHA-256 digest of `bytes` (FIPS 180-4), as 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

/// The same for bytes that arrive in pieces.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  void add(std::string_view bytes);
  std::string digest() const;  ///< of all bytes so far

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// computes  the MD5 digest of `bytes` (RFC 1321), as 32 hexadecimal digits. It is only for files whose publishers give
///           no other digest: anybody can make two files that have the same one.
std::string md5(std::string_view bytes);

}  // namespace gradus
